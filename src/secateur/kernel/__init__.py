"""The kernel language: steps and predicates over packed states, in terms a machine understands."""
