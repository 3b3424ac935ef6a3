"""Kernel code, executed on all states at once: its values are diagrams."""
