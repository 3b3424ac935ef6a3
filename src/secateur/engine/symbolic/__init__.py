"""Sets of states and steps as binary decision diagrams."""
