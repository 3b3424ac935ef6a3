"""From typed formulas and substitutions to the kernel language, as far as that goes."""
