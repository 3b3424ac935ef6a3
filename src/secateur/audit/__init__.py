"""Re-validating what a reduced search has written down; nothing here knows how reductions work."""
