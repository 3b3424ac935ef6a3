"""Temporal formulas at work on a model."""
