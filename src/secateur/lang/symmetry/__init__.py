"""Symmetry in models: which sets have it, and what it does to states."""
