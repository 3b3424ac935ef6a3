"""Traces in files: one file per format, all in `registry.py`."""
