"""Temporal formulas that are to be checked, and how."""

from __future__ import annotations

from typing import Final

from secateur.app.readable import AS_FOUND, Clarity
from secateur.engine.codes import UNKNOWN_APPROACH
from secateur.engine.liveness.approach.registry import APPROACHES, DEFAULT_APPROACH
from secateur.engine.liveness.lawful import lawful
from secateur.engine.merging import refuse_inexact
from secateur.engine.pruning import AUTO
from secateur.engine.symbolic.reduce.wish import objections_to_cycles, refuse_unlawful_sets
from secateur.engine.symbolic.wish import SYMBOLIC, objections_to_engine
from secateur.lang.model import Model
from secateur.maths.ast import Text
from secateur.source import InputError, fail
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Claim:
    """A formula, what it is called, and in which logic it is."""

    name: str
    logic: str
    text: str


@dataclass(frozen=True, slots=True)
class Manner:
    """How formulas are checked: the names of a reduction, its proviso, and an approach."""

    por: str = AUTO
    proviso: str = AUTO
    approach: str = DEFAULT_APPROACH
    native: bool | None = None
    """Whether the native engine is used: at once, never, or if a short look is not enough."""
    symmetry: str = AUTO
    """How symmetric states are made one, if that is asked for by name."""
    engine: str = AUTO
    """Whether states are looked at one by one or as sets; `por` is then a symbolic reachability."""
    cycles: str = AUTO
    """How fair cycles are found among sets."""
    diagrams: str = AUTO
    """The package of decision diagrams."""
    reorder: bool = False
    image: str = AUTO
    clarity: Clarity = AS_FOUND
    """What is to be done to counterexamples."""


USUAL: Final = Manner()


def refuse_unlawful(manner: Manner) -> None:
    """Raise InputError if formulas cannot be checked in this manner, whatever they are."""
    if manner.engine == SYMBOLIC:
        refuse_unlawful_sets(manner)
        return
    objections = [*objections_to_engine(manner), *objections_to_cycles(manner)]
    if objections:
        raise InputError(*objections)
    lawful(manner.por, manner.proviso)
    refuse_inexact(manner.symmetry)
    if all(row.name != manner.approach for row in APPROACHES):
        known = ", ".join(row.name for row in APPROACHES)
        message = f"there is no approach called '{manner.approach}'"
        raise fail(UNKNOWN_APPROACH, message, help=f"there are {known}")


def claims_of(model: Model) -> list[Claim]:
    """Return what a model says of itself: its definitions ASSERT_LTL... and ASSERT_CTL..., automata."""
    formulas = [
        Claim(name, logic, definition.value)
        for name, definition in model.definitions.items()
        for logic in ("ltl", "ctl")
        if name.startswith(f"ASSERT_{logic.upper()}") and isinstance(definition, Text)
    ]
    return formulas + [Claim(name, "ltl", p.formula) for name, p in model.products.items()]
