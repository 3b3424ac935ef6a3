"""A constraint solver for the identifiers of a formula."""
