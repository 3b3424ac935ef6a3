"""Certificates of reduced runs over the corpus: audited, and tampered with."""
