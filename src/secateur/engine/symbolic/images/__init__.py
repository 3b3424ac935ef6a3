"""The orders in which actions are applied to sets of states."""
