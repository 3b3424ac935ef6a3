"""Questions about kernel code as formulas over bit vectors, for Z3.

Importing anything here imports Z3, which takes a while: `solver.py` does so when it is needed.
"""
