"""The built-in operators of the expression language."""
