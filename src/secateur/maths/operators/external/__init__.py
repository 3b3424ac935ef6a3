"""External functions: a model may use those that it declares in its DEFINITIONS."""
