"""The searches: one file per member, all in `registry.py`."""
