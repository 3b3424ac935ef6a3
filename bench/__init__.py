"""How fast it is: beside Spin (`python -m bench`) and beside another revision of itself."""
