"""`python -m tools.symbolic_fuzz N`: N pairs of a random system and a random formula, symbolically.

Each formula is judged by the fixpoints of `tests.naive.temporal`, and then in the six modes of seed
002 (the nodes reached with no reduction, breadth first by processes and in two phases, fair cycles
found forwards and backwards) and in two more, in which the model is reduced before there is a product.
All must say the same, and every counterexample must be a path of the system that convinces the
definition.  Exits with 1 if anything differs.
"""

from __future__ import annotations

import sys

from tests.agreement.symbolic_products import Count, try_seed
from tools.fuzz import try_pairs


def main() -> int:
    """Try what the command line says."""
    return try_pairs(("symbolic_fuzz", __doc__), Count, try_seed, _report)


def _report(total: Count, seconds: float) -> None:
    print(f"{total.pairs} pairs, {total.runs} runs, {seconds:.0f} s")
    print(f"{total.violated} formulas are violated, {total.lawful} may be checked with processes")
    full = total.nodes["none"]
    for name, nodes in total.nodes.items():
        print(f"{name}: {nodes / full:.1%} of the nodes")
    print(f"something was left out in {total.reduced} pairs")
    print(f"{len(total.complaints)} wrong answers")


if __name__ == "__main__":
    sys.exit(main())
