"""Symmetry reduction: of states that differ in the names of elements only, one is explored."""
