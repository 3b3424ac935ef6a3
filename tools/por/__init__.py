"""Partial order reduction over the corpus: the same verdicts, and how much is saved."""
