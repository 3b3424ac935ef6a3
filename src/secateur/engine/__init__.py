"""Searches, and what they are made of."""
