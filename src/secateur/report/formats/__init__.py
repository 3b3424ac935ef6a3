"""Files that results and traces are written to."""
