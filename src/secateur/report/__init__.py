"""Verdicts, traces and complaints as text and JSON."""
