"""Graphs, charts and states as somebody draws them."""
