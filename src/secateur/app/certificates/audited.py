"""Auditing a certificate against a model.

Nothing of the reductions, the provisos or the analysis is used here: a test sees to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from secateur.app.certificates.values import Values, lay_out
from secateur.app.deep import run_deep
from secateur.app.evaluate import goal_of
from secateur.app.meaning import meaning_digest
from secateur.audit.audit import BOUND, Audit, Outcome, audit
from secateur.audit.certificate import Certificate, read_certificate
from secateur.audit.codes import BAD_CERTIFICATE
from secateur.lang.compile.machine import CompiledMachine
from secateur.lang.lower import MachineSystem, lower
from secateur.lang.options import LoadOptions
from secateur.lang.registry import load as load_typed
from secateur.lang.unfold.machine import UnfoldedMachine
from secateur.maths.print_value import show_value
from secateur.maths.values import IllDefined, Undecided
from secateur.source import InputError, fail
from secateur.source.records import dataclass

_OPTIONS: Final = frozenset(
    {"preferences", "set_sizes", "component", "max_setups", "defines", "room"}
)

_CREATION: Final = (int, str, int, int)
"""What a `Creation` consists of."""


@dataclass(frozen=True, slots=True)
class Audited:
    """What came of an audit, with what users want to see of it."""

    certificate: Certificate
    found: Audit
    values: tuple[tuple[str, str], ...] = ()
    """The state at which it was rejected, by variables."""


def audit_model(file: Path, model: Path, bound: int = BOUND) -> Audited:
    """Return whether a certificate shows what it claims about a model.

    Raise InputError if the file is no certificate, or the model cannot be loaded.
    """
    certificate = read_certificate(file)

    def work(_: object) -> Audited:
        try:
            unfolded = unfolded_for(certificate, model)
        except Unlike as unlike:
            return Audited(certificate, Audit(Outcome.REJECTED, str(unlike)))
        return _shown(certificate, audit(certificate, unfolded, bound), unfolded)

    return run_deep(work)


class Unlike(Exception):
    """A certificate is not about this model; the message says why."""


def unfolded_for(certificate: Certificate, model: Path) -> UnfoldedMachine:
    """Return a model with its states laid out as a certificate says; raise Unlike if it is another."""
    system = _loaded(certificate, model)
    if meaning_digest(system.model) != certificate.head.get("digest"):
        raise Unlike("the model is not the one that was checked")
    for _ in system.initial():  # so that the constants have values
        if not system.model.constants:
            break
    if not system.solutions:
        raise Unlike("the constants have no values")
    machine = CompiledMachine(system, system.solutions)
    try:
        lay_out(machine, Values(system), certificate.values, certificate.head["widened"])
    except (KeyError, TypeError, ValueError, InputError, IllDefined, Undecided) as error:
        raise Unlike(f"its states cannot be read: {error}") from error
    return UnfoldedMachine(machine, certificate.kinds)


def _loaded(certificate: Certificate, model: Path) -> MachineSystem:
    """Return the model as it was loaded when it was checked."""
    told = certificate.head.get("load", {})
    goal = certificate.head.get("goal")
    if (
        not isinstance(told, Mapping)
        or told.keys() - _OPTIONS
        or not _lawful(told)
        or not (goal is None or isinstance(goal, str))
    ):
        raise fail(BAD_CERTIFICATE, "the certificate does not say how the model was loaded")
    options = LoadOptions(**_without_none(told))
    typed = replace(load_typed(model, options), max_setups=options.max_setups)
    return lower(typed) if goal is None else lower(typed, goal_of(goal, typed))


def _lawful(told: Mapping[str, Any]) -> bool:
    """Whether what is told about loading are values that could have been given."""
    given = _without_none(told)
    tables = (
        (given.get("preferences", {}), str),
        (given.get("set_sizes", {}), int),
        (given.get("defines", {}), str),
    )
    return (
        all(
            isinstance(table, Mapping) and all(type(value) is kind for value in table.values())
            for table, kind in tables
        )
        and isinstance(given.get("component", ""), str)
        and type(given.get("max_setups", 1)) is int
        and isinstance(given.get("room", ()), Sequence)
        and all(_is_creation(each) for each in given.get("room", ()))
    )


def _is_creation(told: object) -> bool:
    if not isinstance(told, Sequence) or len(told) != len(_CREATION):
        return False
    return all(type(part) is kind for part, kind in zip(told, _CREATION, strict=True))


def _without_none(told: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in told.items() if value is not None}


def _shown(certificate: Certificate, found: Audit, unfolded: UnfoldedMachine) -> Audited:
    if found.state is None:
        return Audited(certificate, found)
    values = tuple((name, show_value(v)) for name, v in unfolded.values(found.state))
    return Audited(certificate, found, values)
