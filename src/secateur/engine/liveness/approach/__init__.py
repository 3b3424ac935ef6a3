"""When the graph of a model is explored: one file per member, all in `registry.py`."""
