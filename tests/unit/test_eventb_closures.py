"""Transitive closures that are defined by axioms."""

from __future__ import annotations

import pytest

from secateur.lang.eventb.ast import Context
from tests.unit.eventb_builders import model, names, predicates

AXIOMS = (
    "tcl : (S <-> S) --> (S <-> S)",
    "!r.(r : S <-> S => r <: tcl(r))",
    "!r.(r : S <-> S => (r ; tcl(r)) <: tcl(r))",
    "!(r,t).(r : S <-> S & r <: t & (r ; t) <: t => tcl(r) <: t)",
    "partition(S, {a}, {b})",
)


def context(*axioms: str) -> Context:
    """Return a context with these axioms about `tcl`."""
    return Context(
        "C", sets=names("S"), constants=names("tcl a b"), axioms=predicates("axm", *axioms)
    )


def test_the_closure_is_computed() -> None:
    found = model(context(*AXIOMS))
    assert found.typed.properties[-1].name == "tcl is the transitive closure"
    assert found.check(deadlock=False).statistics.states == 2
    state = next(iter(found.states()))
    assert str(found.evaluate("tcl({a |-> b, b |-> a}) = S * S", state)).count("True")


@pytest.mark.parametrize("missing", range(4))
def test_all_axioms_are_needed(missing: int) -> None:
    weaker = [a for i, a in enumerate(AXIOMS) if i != missing]
    if missing == 0:
        weaker.append("tcl : (S <-> S) +-> (S <-> S)")
    known = {p.name for p in model(context(*weaker)).typed.properties}
    assert "tcl is the transitive closure" not in known


def test_a_stronger_condition_says_less() -> None:
    weaker = [a.replace("r <: t &", "r <: t & r /= {} &") for a in AXIOMS]
    known = {p.name for p in model(context(*weaker)).typed.properties}
    assert "tcl is the transitive closure" not in known
