"""What sets of states cost: a turntable with drills, and models with very many states.

The reachable part of the product of the turntable with the tableau of T3, as in Table 1 of J. Vander
Meulen, C. Pecheur: breadth-first as there, and by chaining; with Alur's method and ReachablePOR.  To
find out which actions are independent takes its own time, which is told apart.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from bench.cases import CORPUS
from secateur import load
from secateur.app.temporal.atoms import Binding
from secateur.app.temporal.linear import Linear
from secateur.app.temporal.linear_sets import Case, Mode
from secateur.app.temporal.set_views import SymbolicSubject, View
from secateur.engine.limits import Meter
from secateur.engine.liveness.graph import Graph
from secateur.engine.symbolic.fair import CYCLES
from secateur.engine.symbolic.product import SymbolicProduct, product_of
from secateur.engine.symbolic.reduce.none import reachable
from secateur.engine.symbolic.reduce.protocol import Processes, Reached
from secateur.engine.symbolic.reduce.registry import REACHES
from secateur.engine.symbolic.wish import usual_sets
from secateur.ltl.formula import atoms
from secateur.ltl.parse import parse_ltl

TURNTABLE = Path(__file__).parents[1] / "examples" / "symbolic" / "TurntableFull.mch"
T3 = "G (F {bad : ran(product)} => F {alarm = TRUE})"
DRILLS = (1, 2, 4, 8, 16, 32, 40, 47, 50, 61)
PATIENCE = 120.0
"""Seconds for one method; it is not asked about more drills after that."""

Reach = Callable[[SymbolicProduct, Processes], Reached]


def breadth_first(product: SymbolicProduct, _: Processes) -> Reached:
    """Return what is reached, one step of everything at a time."""
    reached = new = product.initial
    rounds = 0
    while new != product.diagrams.false:
        rounds += 1
        new = product.image(new) & ~reached
        reached = reached | new
    return Reached(reached, rounds)


METHODS: dict[str, Reach] = {
    "breadth-first": breadth_first,
    "chaining": reachable,
    **{row.name: row.reach for row in REACHES if row.reduces},
}


def measure_symbolic(only: str) -> int:
    """Print the tables."""
    if not only or "turntable" in only:
        _turntable()
    if not only or "elevator" in only:
        _elevator()
    return 0


def _turntable() -> None:
    print(
        f"{'drills':>6} {'method':>14} {'nodes':>8} {'states':>36} {'seconds':>9} {'analysis s':>11}"
    )
    late: set[str] = set()
    for drills in DRILLS:
        for name, reach in METHODS.items():
            if name in late:
                print(f"{drills:>6} {name:>14} {'-':>8}")
                continue
            seconds = _row(drills, name, reach)
            if seconds > PATIENCE:
                late.add(name)


def _row(drills: int, name: str, reach: Reach) -> float:
    model = load(TURNTABLE, set_sizes={"DRILL": drills})
    graph = Graph(model.system, Meter())
    graph.initial()
    linear = Linear(Binding(model.typed, model.system, graph), parse_ltl(T3, "T3"))
    subject = SymbolicSubject(linear.binding, atoms(linear.formula), usual_sets())
    case = Case(linear, Mode(usual_sets(), None, CYCLES[0]), subject, linear.cases[0])

    def look(view: View) -> float:
        elementary = case.elementary(view)
        product = product_of(view.model, elementary, view.atoms(atoms(linear.formula)))
        started = time.perf_counter()
        reduces = name not in ("breadth-first", "chaining")
        processes = case.reduction(view, elementary)[1] if reduces else ()
        analysed = time.perf_counter()
        nodes = reach(product, processes).nodes
        seconds = time.perf_counter() - analysed
        size, states = product.diagrams.size(nodes), product.count(nodes)
        print(
            f"{drills:>6} {name:>14} {size:>8} {states:>36,} {seconds:>9.2f} {analysed - started:>11.2f}",
            flush=True,
        )
        return seconds

    return subject.looked_at(lambda view: case.elementary(view).count, look)


def _elevator() -> None:
    if not CORPUS.is_dir():
        print(f"NOT MEASURED: elevator12 and CAN_BUS, for there is no {CORPUS}")
        return
    times: dict[str, float] = {}
    for name, path, options in (
        (
            "CAN_BUS, one by one",
            "B/Benchmarks/CAN_BUS_tlc.mch",
            {"por": "none", "symmetry": "none"},
        ),
        ("CAN_BUS, sets", "B/Benchmarks/CAN_BUS_tlc.mch", {"engine": "symbolic"}),
        (
            "elevator12, sets",
            "EventBPrologPackages/ProofDirected/benchmarks/elevator12.eventb",
            {"engine": "symbolic"},
        ),
    ):
        model = load(CORPUS.parent / path)
        result = model.check(**options)  # type: ignore[arg-type]
        times[name] = result.seconds
        print(f"{name:>20} {result.statistics.states:>16,} states {result.seconds:>8.2f} s")
    ratio = times["elevator12, sets"] / times["CAN_BUS, one by one"]
    print(f"elevator12 takes {ratio:.1f} times what CAN_BUS takes one by one")
