"""Temporal formulas on the states of a system: products, lassos, fairness."""
