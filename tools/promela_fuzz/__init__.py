"""Random Promela programs: Spin and every way of our own to check them must agree."""
