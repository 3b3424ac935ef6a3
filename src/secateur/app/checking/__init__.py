"""Checking a model, by the engine and the reductions that are fit for it."""
