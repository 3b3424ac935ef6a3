"""Traces of corpus models written in every format and replayed, here and by ProB.

Run as `python -m tools.traces`.
"""
