"""Auditing a certificate against a model.

Nothing of the reductions, the provisos or the analysis is used here: a test sees to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from secateur.app.deep import run_deep
from secateur.app.digest import digest_of
from secateur.app.evaluate import goal_of
from secateur.app.written import Values, lay_out
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

_OPTIONS: Final = frozenset({"preferences", "set_sizes", "component", "max_setups"})


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
        system = _loaded(certificate, file, model)
        if digest_of(system.model) != certificate.head.get("digest"):
            return _rejected(certificate, "the model is not the one that was checked")
        for _ in system.initial():  # so that the constants have values
            if not system.model.constants:
                break
        if not system.solutions:
            return _rejected(certificate, "the constants have no values")
        machine = CompiledMachine(system, system.solutions)
        try:
            widened = certificate.head["widened"]
            lay_out(machine, Values(system), certificate.values, widened)
        except (KeyError, TypeError, ValueError, InputError, IllDefined, Undecided) as error:
            return _rejected(certificate, f"its states cannot be read: {error}")
        unfolded = UnfoldedMachine(machine, certificate.kinds)
        return _shown(certificate, audit(certificate, unfolded, bound), unfolded)

    return run_deep(work)


def _loaded(certificate: Certificate, file: Path, model: Path) -> MachineSystem:
    """Return the model as it was loaded when it was checked."""
    told = certificate.head.get("load", {})
    goal = certificate.head.get("goal")
    if (
        not isinstance(told, Mapping)
        or told.keys() - _OPTIONS
        or not (goal is None or isinstance(goal, str))
    ):
        raise fail(BAD_CERTIFICATE, f"'{file}' does not say how the model was loaded")
    options = LoadOptions(**_without_none(told))
    typed = replace(load_typed(model, options), max_setups=options.max_setups)
    return lower(typed) if goal is None else lower(typed, goal_of(goal, typed))


def _without_none(told: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in told.items() if value is not None}


def _rejected(certificate: Certificate, reason: str) -> Audited:
    return Audited(certificate, Audit(Outcome.REJECTED, reason))


def _shown(certificate: Certificate, found: Audit, unfolded: UnfoldedMachine) -> Audited:
    if found.state is None:
        return Audited(certificate, found)
    values = tuple((name, show_value(v)) for name, v in unfolded.values(found.state))
    return Audited(certificate, found, values)
