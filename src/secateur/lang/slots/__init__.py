"""How values are stored: numbers for elements, bits for sets, fields for the parts of a state."""
