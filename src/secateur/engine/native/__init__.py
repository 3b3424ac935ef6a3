"""Exploring packed states in native code."""
