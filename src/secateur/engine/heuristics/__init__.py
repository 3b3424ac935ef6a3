"""The heuristics of directed searches: one file per member, all in `registry.py`."""
