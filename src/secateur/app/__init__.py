"""What the program can do: the only place that knows every part."""
