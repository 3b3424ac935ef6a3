"""Compares the native engine with the Python one, model by model.

Run as `python -m tools.engines`; `make agreement` does.
"""
