"""Languages: from the text of a model to a system that a search can explore."""
