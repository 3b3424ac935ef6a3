"""How fast this tree is beside another revision."""
