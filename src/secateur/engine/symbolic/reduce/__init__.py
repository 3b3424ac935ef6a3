"""Ways to reach the nodes of a symbolic product, with and without partial order reduction."""
