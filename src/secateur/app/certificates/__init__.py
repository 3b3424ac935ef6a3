"""Certificates of reduced searches: written, read and audited."""
