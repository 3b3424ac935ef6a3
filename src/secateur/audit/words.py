"""What an audit speaks of, in words."""

from __future__ import annotations

from secateur.audit.conditions import called
from secateur.audit.facts import ABOUT_CHECKS, ABOUT_ONE, Fact
from secateur.system.events import EventSystem


def told_fact(fact: Fact, system: EventSystem) -> str:
    """Return a fact in words."""
    actions = system.actions
    first = called(actions[fact.first])
    if fact.verb in ABOUT_ONE:
        return f"{first} {fact.verb.value}"
    if fact.verb in ABOUT_CHECKS:
        return f"{first} {fact.verb.value} '{system.checks[fact.second].name}'"
    second = called(actions[fact.second])
    if fact.conjunct < 0:
        return f"{first} and {second}: {fact.verb.value}"
    guard = actions[fact.second].guard
    last = fact.conjunct == len(guard)
    what = "that it has a result" if last else f"'{guard[fact.conjunct].text}'"
    return f"{first} {fact.verb.value} {what} of {second}"


def told_violation(what: tuple[str, str]) -> str:
    """Return kind and name in words."""
    kind, name = what
    return f"{kind}: {name}"
