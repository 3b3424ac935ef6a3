"""The reductions: one file per member, all in `registry.py`."""
