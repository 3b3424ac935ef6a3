"""Small Event-B components, put together from formulas in ASCII."""

from __future__ import annotations

from secateur.app.model import Model
from secateur.lang.eventb.assemble import assemble
from secateur.lang.eventb.ast import (
    INITIALISATION,
    Action,
    Context,
    Event,
    Machine,
    Predicate,
    Project,
    Variant,
    Witness,
)
from secateur.lang.eventb.resolve import resolve
from secateur.lang.eventb.typecheck import typecheck
from secateur.lang.lower import lower
from secateur.lang.options import LoadOptions
from secateur.maths.ast import Expr, Name, free_names
from secateur.maths.parse import parse_formula
from secateur.maths.replace import Replacement
from secateur.maths.substitution import Assign, BecomesElement
from secateur.source import Source


def formula(text: str) -> Expr:
    """Return a formula; the Event-B parser is not what is tested here."""
    return parse_formula(Source("formula", text))


def names(text: str) -> tuple[Name, ...]:
    """Return identifiers separated by blanks."""
    return tuple(map(Name, text.split()))


def predicates(prefix: str, *texts: str, theorem: bool = False) -> tuple[Predicate, ...]:
    """Return predicates labelled `grd1`, `grd2`, ..."""
    return tuple(
        Predicate(f"{prefix}{i}", formula(text), theorem) for i, text in enumerate(texts, 1)
    )


def guards(*texts: str) -> tuple[Predicate, ...]:
    """Return guards `grd1`, `grd2`, ..."""
    return predicates("grd", *texts)


def actions(*texts: str) -> tuple[Action, ...]:
    """Return actions `act1`, ...: `x := e` or `x :: S`."""
    return tuple(Action(f"act{i}", _substitution(text)) for i, text in enumerate(texts, 1))


def _substitution(text: str) -> Assign | BecomesElement:
    if ":=" in text:
        left, right = text.split(":=")
        return Assign((formula(left),), (formula(right),))
    left, right = text.split("::")
    return BecomesElement((formula(left),), formula(right))


def start(*texts: str) -> Event:
    """Return an INITIALISATION."""
    return Event(INITIALISATION, actions=actions(*texts))


def witness(label: str, text: str) -> Witness:
    """Return a witness; write `x'` as `x__new`."""
    return Witness(label, _primed(formula(text)))


def _primed(e: Expr) -> Expr:

    new = {n: Name(n.removesuffix("__new") + "'") for n in free_names(e) if n.endswith("__new")}
    return Replacement(new).in_expression(e)


def variant(text: str) -> tuple[Variant, ...]:
    """Return the variants of a machine: one."""
    return (Variant("vrn", formula(text)),)


def project(*components: Context | Machine, main: str | None = None) -> Project:
    """Return a project of these components."""
    return Project(
        "test",
        {c.name: c for c in components if isinstance(c, Context)},
        {m.name: m for m in components if isinstance(m, Machine)},
        main,
    )


def model(*components: Context | Machine, component: str | None = None) -> Model:
    """Return the model that a project of these components describes."""
    chain = resolve(project(*components), component)
    typed = assemble(chain, typecheck(chain), LoadOptions())
    return Model(typed, lower(typed))
