"""The tables of the paper on provisos for general search, on the same kind of Promela models."""
