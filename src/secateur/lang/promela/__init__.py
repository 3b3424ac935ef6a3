"""Promela, the language of Spin 6.5."""
