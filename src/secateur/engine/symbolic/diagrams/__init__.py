"""Packages of binary decision diagrams, all used in the same way."""
