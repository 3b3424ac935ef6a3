"""Execution of typed substitutions."""
