"""`python -m tools.ltl_fuzz N`: N pairs of a random system and a random formula.

Each formula is judged by the fixpoints of `tests.naive.temporal`, and then with the tableau and
the automaton, on the fly and on the whole graph, in full and reduced where that is lawful, with
operators of the past, paths that end, and fairness.  All must say the same, and two of the
counterexamples, as found and shortened, must be paths of the system that convince the definition.
Exits with 1 if anything differs.
"""

from __future__ import annotations

import sys

from tests.agreement.temporal import Count, try_seed
from tools.fuzz import try_pairs


def main() -> int:
    """Try what the command line says."""
    return try_pairs(("ltl_fuzz", __doc__), Count, try_seed, _report)


def _report(total: Count, seconds: float) -> None:
    print(f"{total.pairs} pairs, {total.runs} runs, {seconds:.0f} s")
    print(
        f"{total.violated} formulas are violated, {total.lawful} may be checked on a reduced graph"
    )
    full, reduced = total.states["full"], total.states["reduced"]
    if full:
        print(f"{total.reduced} graphs were reduced; {reduced / full:.1%} of all states are left")
    print(f"{len(total.complaints)} wrong answers")


if __name__ == "__main__":
    sys.exit(main())
