"""The cycle provisos: one file per member, all in `registry.py`."""
