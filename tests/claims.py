"""Whether what an explanation claims is so, asked of the evaluator in its own words.

Nothing of what found the explanation is used: its texts are parsed and evaluated again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from secateur import Model
from secateur.maths.print import show_name
from secateur.maths.print_value import show_value
from secateur.system.answer import Decided
from secateur.system.explanation import Bindings, Blocked, Cause
from secateur.system.system import PropertyKind, State, Transition
from secateur.system.verdict import Violation


def wrong_claims(model: Model, violation: Violation) -> Iterator[str]:
    """Yield what an explanation claims and evaluation does not confirm."""
    explanation = violation.explanation
    assert explanation is not None
    states = violation.trace.states
    for cause in explanation.causes:
        yield from _wrong_cause(model, cause, states)
    if violation.kind is PropertyKind.DEADLOCK:
        named = [b.operation for b in explanation.blocked]
        if named != list(model.system.operations):
            yield f"operations {named}"
    elif not explanation.causes:
        yield "nothing is claimed"
    for blocked in explanation.blocked:
        yield from _wrong_blocked(model, blocked, states)


def _wrong_cause(model: Model, cause: Cause, states: tuple[State, ...]) -> Iterator[str]:
    last = states[-1]
    if _truth(model, cause.text, cause.bindings, last) is not cause.holds:
        yield f"{cause.text} with {cause.bindings}"
    yield from _wrong_since(model, cause.text, cause, states)
    for term in cause.terms:
        equation = f"{term.text} = {show_value(term.value)}"
        if _truth(model, equation, cause.bindings, last) is not True:
            yield equation
        if term.since is not None:
            for number in range(term.since, len(states) + 1):
                if _truth(model, equation, cause.bindings, states[number - 1]) is not True:
                    yield f"{equation} after step {number}"
            before = states[term.since - 2] if term.since > 1 else None
            if before is not None and model.system.is_initialised(before):
                if _truth(model, equation, cause.bindings, before) is True:
                    yield f"{equation} already before step {term.since}"


def _wrong_since(
    model: Model, text: str, cause: Cause, states: tuple[State, ...]
) -> Iterator[str]:
    if cause.since is None:
        return
    for number in range(cause.since, len(states) + 1):
        if _truth(model, text, cause.bindings, states[number - 1]) is not cause.holds:
            yield f"{text} after step {number}"
    before = states[cause.since - 2] if cause.since > 1 else None
    if before is not None and model.system.is_initialised(before):
        if _truth(model, text, cause.bindings, before) is cause.holds:
            yield f"{text} already before step {cause.since}"


def _wrong_blocked(model: Model, blocked: Blocked, states: tuple[State, ...]) -> Iterator[str]:
    happens = [
        t.step.operation
        for t in model.system.successors(states[-1])
        if isinstance(t, Transition)
    ]
    if blocked.operation in happens:
        yield f"{blocked.operation} is not blocked"
    if blocked.cause is not None and blocked.remark is None:
        yield from _wrong_cause(model, blocked.cause, states)


def _truth(model: Model, text: str, bindings: Bindings, state: State) -> bool | None:
    used = set(re.findall(r"[\w.]+", text))
    for name, value in reversed([(n, v) for n, v in bindings if n in used]):
        text = f"#{show_name(name)}.({show_name(name)} = {show_value(value)} & ({text}))"
    answer = model.evaluate(text, state)
    return answer.truth if isinstance(answer, Decided) else None
