"""Scores Secateur against a corpus of models with recorded results.

Run as `python -m tools.corpus`; `make corpus` does.
"""
