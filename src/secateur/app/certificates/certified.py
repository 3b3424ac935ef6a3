"""Checking with a reduction, and a certificate of it.

The search is the one in Python whatever the engine would be: the native one does not tell what it
chooses.  Importing this loads the compiler.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from secateur.analysis.assumptions import NOTHING, REACHABLE, Assumptions
from secateur.app.certificates.certifying import Certifying
from secateur.app.certificates.recorded import RecordedChoices, RecordedRelations
from secateur.app.certificates.values import Text, Values, numbered
from secateur.app.checking.pruned import Pruner, find_constants, unpacked
from secateur.app.codes import NO_CERTIFICATE
from secateur.app.meaning import meaning_digest
from secateur.audit.audit import shape_of
from secateur.audit.certificate import Shape, Writer, may_be_replaced
from secateur.audit.within import Condition
from secateur.engine.plan import Plan
from secateur.engine.search.protocol import Task
from secateur.lang.compile.machine import CompiledMachine
from secateur.lang.lower import MachineSystem
from secateur.source import fail
from secateur.system.packing import Misfit
from secateur.system.relations import Relations
from secateur.system.result import Result
from secateur.system.verdict import Holds, Violated
from secateur.version import __version__

NOTE = "explored in Python, for the certificate: the native engine does not tell what it chooses"


class _Pruner(Pruner):
    """Finds a reduction, and lets it be written down."""

    def __init__(self, planned: Plan, assumptions: Assumptions, writer: Writer) -> None:
        super().__init__(planned, assumptions)
        self.writer = writer

    def observed(self, relations: Relations) -> Relations:
        """Return relations that write down what they say."""
        return RecordedRelations(relations, self.writer)


def check_certified(task: Task, system: MachineSystem, planned: Plan, wanted: Certifying) -> Result:
    """Return what a reduced search finds, and write its certificate."""
    writer = Writer(wanted.file)
    try:
        with _writing(wanted.file):
            _refuse_to_overwrite(wanted.file)
            return _checked(task, system, planned, _Certifier(system, planned, wanted, writer))
    finally:
        writer.discard()


def _refuse_to_overwrite(file: Path) -> None:
    """Raise InputError if something would be lost: the model itself, or anything else."""
    if not may_be_replaced(file):
        message = f"the certificate would overwrite '{file}', which is no certificate"
        raise fail(NO_CERTIFICATE, message, help="name another file, or remove that one")


@contextmanager
def _writing(file: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        message = f"the certificate '{file}' cannot be written: {error.strerror}"
        raise fail(NO_CERTIFICATE, message) from error


def _checked(task: Task, system: MachineSystem, planned: Plan, certifier: _Certifier) -> Result:
    find_constants(system)
    if not system.solutions:
        result = planned.search.search(task)
        return replace(result, notes=(*result.notes, "no certificate: there are no states"))
    result = certifier.searched(task, REACHABLE)
    if certifier.pruner.in_doubt(result):
        result = certifier.searched(task, NOTHING)
    certifier.end(result)
    result = certifier.pruner.report(certifier.unpacked(result))
    return replace(result, notes=(*result.notes, NOTE))


class _Certifier:
    """Searches as often as the layout of states demands, and writes the last time."""

    def __init__(
        self, system: MachineSystem, planned: Plan, wanted: Certifying, writer: Writer
    ) -> None:
        self.system = system
        self.planned = planned
        self.wanted = wanted
        self.writer = writer
        self.values = Values(system)
        self.widened: list[tuple[str, str, str]] = []
        self.pruner = _Pruner(planned, REACHABLE, writer)

    def searched(self, task: Task, assumptions: Assumptions) -> Result:
        """Return what a search finds; it has been written down."""
        self.widened.clear()
        self.machine = CompiledMachine(self.system, self.system.solutions)
        types = {b.name: b.type for b in self.system.model.variables}
        while True:
            self.pruner = _Pruner(self.planned, assumptions, self.writer)
            self.writer.discard()
            try:
                return self._once(task)
            except Misfit as misfit:
                text = self.values.text(types[misfit.place], misfit.value)
                self.widened.append((misfit.place, *text))
                self.machine.widen(misfit)

    def _once(self, task: Task) -> Result:
        self.unfolded = self.pruner.prepare(self.machine)
        reduction = self.pruner.reduction
        if reduction is None:
            message = "nothing is asked for that a reduction would have to preserve"
            raise fail(NO_CERTIFICATE, message, help="leave --certificate out, or check something")
        reduction.recorder = RecordedChoices(self.writer)
        self.writer.begin(self._head(shape_of(self.unfolded), reduction.names))
        guide = self.planned.pruning.guide(self.unfolded, self.planned.kinds)
        pruned = replace(task, system=self.unfolded, reduction=reduction, heuristic=guide)
        return self.planned.search.search(pruned)

    def unpacked(self, result: Result) -> Result:
        """Return a result with traces of the machine itself."""
        return unpacked(result, self.system, self.unfolded, None)

    def _head(self, shape: Shape, names: tuple[str, str | None]) -> dict[str, Any]:
        planned = self.planned
        return {
            "secateur": __version__,
            "model": self.system.name,
            "digest": meaning_digest(self.system.model),
            "load": dict(self.wanted.load),
            "goal": self.wanted.goal,
            "search": {
                "name": planned.search.name,
                "seed": planned.seed,
                "ratio": planned.ratio,
                "random choice": planned.pruning.random,
                "ends at": sorted(kind.value for kind in planned.ends),
            },
            "kinds": sorted(kind.value for kind in planned.kinds),
            "reduction": names[0],
            "proviso": names[1],
            "slots": [[name, f"{bits:x}", codes] for name, bits, codes in shape.slots],
            "actions": shape.actions,
            "checks": shape.checks,
            "widened": self.widened,
        }

    def end(self, result: Result) -> None:
        """Write what came of it."""
        verdict = result.verdict
        word = "holds" if isinstance(verdict, Holds) else "incomplete"
        known: list[Text] = numbered(self.machine, self.values)
        for condition in self._within():
            self.writer.within(condition)
        self.writer.end(
            {
                "verdict": "violated" if isinstance(verdict, Violated) else word,
                "exhaustive": result.exhaustive,
                "violations": sorted({(v.kind.value, v.name) for v in result.violations}),
                "reasons": result.reasons,
                "states": result.statistics.states,
                "transitions": result.statistics.transitions,
                "values": known,
            }
        )

    def _within(self) -> Iterator[Condition]:
        """Yield what the analysis knows of reachable states."""
        relations = self.pruner.relations
        if relations is None or relations.reachable is None:
            return
        for slot, codes in sorted(relations.reachable.codes.items()):
            yield Condition(self.unfolded.slots[slot].bits, frozenset(codes))
        for few in sorted(relations.reachable.together, key=lambda few: few.mask):
            yield Condition(few.mask, frozenset(c for c, holds in few.values.items() if holds))
        for check in sorted(relations.inductive):
            yield Condition(self.unfolded.checks[check].reads, None, check)
