"""-init, -animate, -execute: a path through the model."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from secateur.cli.exit import ExitCode
from secateur.cli.probcli.phrases import executed, show_call, state_line
from secateur.cli.probcli.session import Session
from secateur.system.system import Breach, Fault, Gap, PropertyKind, Transition

_NO_END: Final = 2**31 - 1
"""Until there is no step; probcli's number for it."""

Chooser = Callable[[Sequence[Transition]], Transition]


def initialise(session: Session) -> bool:
    """Go to the first initialised state, if we are not past it; say whether there is one."""
    system = session.model.system
    while session.walk.state is None or not system.is_initialised(session.walk.state):
        enabled = _enabled(session)
        if not enabled:
            _no_beginning(session)
            return False
        _take(session, enabled[0])
    return True


def _no_beginning(session: Session) -> None:
    system = session.model.system
    if session.walk.state is None and session.model.typed.constants:
        kind, what = "setup_constants_fails", "SETUP_CONSTANTS FAILS"
    else:
        kind, what = "initialisation_fails", "INITIALISATION FAILS"
    if not session.ledger.has(kind):
        session.ledger.error(kind, what, system.why_no_initial_state())


def animate(session: Session) -> None:
    """Take random steps, the same ones each time."""
    random = Random(0)
    wanted = session.request.number("animate")
    _walk(session, "animate", wanted, random.choice)


def execute(session: Session) -> None:
    """Take the first step each time."""
    _walk(session, "execute", session.request.number("execute"), lambda enabled: enabled[0])


def _walk(session: Session, word: str, wanted: int | None, choose: Chooser) -> None:
    started = time.monotonic()
    before = len(session.trace)
    for taken in range(_NO_END if wanted is None else wanted):
        enabled = _enabled(session)
        if not enabled:
            _stuck(session, word, taken + 1, bounded=wanted is not None)
            break
        _take(session, choose(enabled))
    milliseconds = round((time.monotonic() - started) * 1000)
    _covered(session)
    session.chat(f"% Runtime for -{word}: {milliseconds} ms (walltime: {milliseconds} ms)")
    if session.request.has("animate_stats"):
        counts = executed(session.trace.transitions[before:])
        session.say(*(f" {name} : {count}" for name, count in sorted(counts.items())))


def _covered(session: Session) -> None:
    if session.searched is None and not session.footprint.census(0).uncovered:
        session.say("", "ALL OPERATIONS COVERED")


def _stuck(session: Session, word: str, step: int, *, bounded: bool) -> None:
    if session.walk.state is None:
        _no_beginning(session)
        return
    said = f"Deadlock occurred during -{word}, at step number: {step}"
    if not bounded:
        session.chat(f"% {said}")
        return
    session.ledger.error("deadlock" if word == "execute" else word, said)


def _enabled(session: Session) -> list[Transition]:
    """Return what leads on, and tell what is wrong there."""
    enabled = session.walk.enabled()
    session.footprint.add(session.walk.state, enabled)
    for item in session.walk.trouble():
        if isinstance(item, Fault):
            session.ledger.error("well_definedness_error", f"{item.where}: {item.message}")
        elif isinstance(item, Gap):
            session.ledger.warning("animate_incomplete", f"{item.where}: {item.reason}")
    _determined(session, enabled)
    return enabled


def _determined(session: Session, enabled: Sequence[Transition]) -> None:
    constants = session.walk.state is None and bool(session.model.typed.constants)
    asked = session.request.has("det_check") or (constants and session.request.has("det_constants"))
    if not asked or len(enabled) < 2:
        return
    values = session.model.system.values
    shown = [
        f" {number}:{show_call(t.step.operation, t.step.arguments or values(t.target))}"
        for number, t in enumerate(enabled, 1)
    ]
    session.ledger.error("det_check", "Non-deterministic step in animate or init", *shown)


def _take(session: Session, transition: Transition) -> None:
    session.walk.take(transition)
    system = session.model.system
    state = transition.target
    if session.request.has("noinv") or not system.is_initialised(state):
        return
    broken = [
        item
        for item in session.walk.trouble()
        if isinstance(item, Breach) and item.kind is PropertyKind.INVARIANT
    ]
    if broken and state not in session.violated:
        session.violated.add(state)
        session.say(f"INVARIANT VIOLATED after {len(session.trace)} steps: {broken[0].name}")
        session.say(state_line(system.values(state)))
        session.ledger.error("invariant_violation", code=ExitCode.VIOLATED)
