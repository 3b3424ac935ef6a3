"""Traces made easier to read: shorter, and with what belongs together in one place."""
