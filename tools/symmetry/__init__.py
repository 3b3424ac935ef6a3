"""Symmetry reduction over the corpus: merged against full."""
