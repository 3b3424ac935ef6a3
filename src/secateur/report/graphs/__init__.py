"""Graphs in the formats of other programs, and as pictures."""
