"""How a model would be run by the native engine."""

from __future__ import annotations

from secateur.app.codes import NO_CONSTANTS
from secateur.lang.compile.machine import CompiledMachine
from secateur.lang.lower import MachineSystem
from secateur.lang.slots.words import in_words
from secateur.report.compiled import CompiledOverview, PartOverview
from secateur.source import Diagnostic, InputError


def compiled_overview(system: MachineSystem) -> CompiledOverview:
    """Return which parts are compiled; raise InputError if the constants have no values."""
    for _ in system.initial():
        pass  # code depends on the values of the constants
    if not system.solutions:
        message = "nothing can be compiled: the constants have no values"
        raise InputError(Diagnostic(NO_CONSTANTS, message, help="run `secateur check` to see why"))
    machine = CompiledMachine(system, system.solutions)
    parts = [PartOverview(part.name, "operations", part.reason) for part in machine.actions]
    parts += [
        PartOverview(part.name, f"{part.kind.value} properties", part.reason)
        for part in machine.properties
        if part.kind is not None
    ]
    return CompiledOverview(
        system.name,
        sum(machine.bits),
        tuple((name, in_words(shape)) for name, shape in machine.layout.shapes.items()),
        tuple(parts),
    )
