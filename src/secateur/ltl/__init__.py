"""Temporal formulas: LTL with events, past and fairness, and CTL."""
