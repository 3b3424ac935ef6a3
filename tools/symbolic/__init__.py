"""Sets of states against states one by one, over the corpus."""
