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
    claims = [(cause.text, cause.holds, cause.since)]
    claims += [(f"{t.text} = {show_value(t.value)}", True, t.since) for t in cause.terms]
    for text, truth, since in claims:
        for number in wrong_at(model, cause.bindings, (text, truth, since), states):
            yield f"{text} after step {number}"


def wrong_at(
    model: Model, bindings: Bindings, claim: tuple[str, bool, int | None], states: tuple[State, ...]
) -> Iterator[int]:
    """Yield the numbers of the steps after which a claim is not as it is said to be."""
    text, truth, since = claim
    for number in range(len(states) if since is None else since, len(states) + 1):
        if _truth(model, text, bindings, states[number - 1]) is not truth:
            yield number
    if since is None or since == 1 or not model.system.is_initialised(states[since - 2]):
        return
    if _truth(model, text, bindings, states[since - 2]) is truth:  # it was so before already
        yield since - 1


def _wrong_blocked(model: Model, blocked: Blocked, states: tuple[State, ...]) -> Iterator[str]:
    """Yield what is wrong: it happens after all, its cause is none, or it happens in spite of it."""
    if _happens(model, blocked, states[-1]):
        yield f"{blocked.operation} is not blocked"
    cause = blocked.cause
    if cause is None or blocked.remark is not None:
        return
    yield from _wrong_cause(model, cause, states)
    for number, state in enumerate(states, 1):
        happens = model.system.is_initialised(state) and _happens(model, blocked, state)
        if happens and _truth(model, cause.text, cause.bindings, state) is not True:
            yield f"{blocked.operation} happens after step {number} without {cause.text}"


def _happens(model: Model, blocked: Blocked, state: State) -> bool:
    """Whether an operation happens, with these values of its parameters where they are told."""
    wanted = dict(blocked.bindings)
    return any(
        isinstance(t, Transition)
        and t.step.operation == blocked.operation
        and all(wanted.get(name, value) == value for name, value in t.step.arguments)
        for t in model.system.successors(state)
    )


def _truth(model: Model, text: str, bindings: Bindings, state: State) -> bool | None:
    used = set(re.findall(r"[\w.]+", text))
    for name, value in reversed([(n, v) for n, v in bindings if n in used]):
        text = f"#{show_name(name)}.({show_name(name)} = {show_value(value)} & ({text}))"
    answer = model.evaluate(text, state)
    return answer.truth if isinstance(answer, Decided) else None
