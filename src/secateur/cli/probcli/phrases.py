"""ProB's way to write steps, states and traces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from secateur.maths.print_value import show_value
from secateur.system.system import INITIALISATION, SETUP_CONSTANTS, PropertyKind, Transition
from secateur.system.trace import Trace

KINDS: Final = {
    PropertyKind.DEADLOCK: "deadlock",
    PropertyKind.INVARIANT: "invariant_violation",
    PropertyKind.ASSERTION: "assertion_violation",
    PropertyKind.GOAL: "goal_found",
    PropertyKind.WELL_DEFINEDNESS: "well_definedness_error",
    PropertyKind.REFINEMENT: "refinement_violation",
    PropertyKind.VARIANT: "variant_violation",
}
"""What probcli calls what -mc may find; it has no word for the last two."""


def show_step(trace: Trace, index: int) -> str:
    """Return step `index` (from 0) of a trace: `Inc(2)`, `Get-->3`, `INITIALISATION(x=0)`."""
    transition = trace.transitions[index]
    step = transition.step
    if step.operation in (SETUP_CONSTANTS, INITIALISATION):
        return show_call(step.operation, _set_by(trace, index))
    arguments = ",".join(show_value(value) for _, value in step.arguments)
    results = ",".join(show_value(value) for _, value in step.results)
    call = f"{step.operation}({arguments})" if arguments else step.operation
    return f"{call}-->{results}" if results else call


def show_call(name: str, bindings: Iterable[tuple[str, Any]]) -> str:
    """Return `INITIALISATION(x=0,y=1)`."""
    inside = ",".join(f"{n}={show_value(v)}" for n, v in bindings)
    return f"{name}({inside})" if inside else name


def _set_by(trace: Trace, index: int) -> list[tuple[str, Any]]:
    """Return the values that a setup or an initialisation gives: those that were not there."""
    known: set[str] = set()
    if index:
        known = {name for name, _ in trace.system.values(trace.transitions[index - 1].target)}
    return [
        (n, v) for n, v in trace.system.values(trace.transitions[index].target) if n not in known
    ]


def trace_lines(trace: Trace) -> list[str]:
    """Return `*** TRACE (length=2):` and a line for each step."""
    lines = [f"*** TRACE (length={len(trace)}):"]
    lines += [f" {n}: {show_step(trace, n - 1)}" for n in range(1, len(trace) + 1)]
    return lines


def state_line(values: Sequence[tuple[str, Any]]) -> str:
    """Return `     ( x=2 &  y=3 )`."""
    return f"     ( {' & '.join(f'{n}={show_value(v)}' for n, v in values)} )"


def state_lines(values: Sequence[tuple[str, Any]]) -> list[str]:
    """Return a line for each value: `   x = 2`, ` & y = 3`."""
    return [
        f"{' & ' if index else '   '}{name} = {show_value(value)}"
        for index, (name, value) in enumerate(values)
    ]


def history_lines(trace: Trace, options: frozenset[str]) -> list[str]:
    """Return what -his writes: the operations, with `show_states` what each leads to."""
    system = trace.system
    lines: list[str] = []
    last = len(trace) - 1
    for index, transition in enumerate(trace.transitions):
        begins = transition.step.operation in (SETUP_CONSTANTS, INITIALISATION)
        if not begins:
            lines.append(show_step(trace, index) + (";" if index < last else ""))
        elif not options.isdisjoint({"show_init", "show_states"}):
            word = "Constants" if transition.step.operation == SETUP_CONSTANTS else "Initialisation"
            lines.append(f"/* {word} */")
        if "show_states" in options or ("show_init" in options and begins):
            lines += _block(system.values(transition.target))
    return lines


def _block(values: Sequence[tuple[str, Any]]) -> list[str]:
    return ["/* Variables", *state_lines(values), "*/"]


def executed(transitions: Iterable[Transition]) -> dict[str, int]:
    """Return how often each operation occurs."""
    counts: dict[str, int] = {}
    for transition in transitions:
        name = transition.step.operation
        counts[name] = counts.get(name, 0) + 1
    return counts
