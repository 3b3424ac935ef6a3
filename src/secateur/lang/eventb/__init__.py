"""Event-B: Rodin projects, ProB packages and text."""
