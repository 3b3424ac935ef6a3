"""What an audit has found, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from secateur.app.certificates.audited import Audited
from secateur.audit.audit import Audit, Outcome
from secateur.audit.certificate import Certificate, Claimed
from secateur.system.system import PropertyKind


def render_audit(audited: Audited) -> str:
    """Return it as lines for a terminal."""
    return "\n".join(_lines(audited))


def _lines(audited: Audited) -> Iterator[str]:
    found, certificate = audited.found, audited.certificate
    claim = _claim(certificate.claimed)
    if found.outcome is Outcome.REJECTED:
        yield f"rejected: {found.reason}"
        for name, value in audited.values:
            yield f"    {name} = {value}"
        return
    yield f"{found.outcome.value}: {claim}"
    for doubt in found.doubts:
        yield f"  not shown: {doubt}"
    proviso = "" if certificate.proviso is None else f", proviso {certificate.proviso}"
    yield f"  asked     {_asked(certificate)}"
    goal = certificate.head.get("goal")
    if goal is not None:
        yield f"  goal      {goal}"
    loaded = "; ".join(_loaded(certificate))
    if loaded:
        yield f"  loaded    {loaded}"
    yield f"  run       {certificate.reduction}{proviso}"
    yield f"  states    {found.states} recorded ({found.initial} initial), each expanded again by the evaluator"
    yield f"  choices   {found.reduced} {_states(found.reduced)} in which something is left out{_put_off(found)}"
    for how, count in found.facts.items():
        yield f"  facts     {count} {how}"
    if found.around is not None:
        yield f"  around    {_around(found)}"
    followed, bounded = found.paths
    if followed + bounded:
        yield f"  paths     left-out actions followed from {followed + bounded} {_states(followed + bounded)}, to their ends from {followed}"
    for note in found.notes:
        yield f"  note      {note}"


def _asked(certificate: Certificate) -> str:
    """Return the kinds of properties that were looked at; what was not asked is not shown."""
    asked = ", ".join(sorted(kind.value for kind in certificate.kinds))
    others = ", ".join(_not_asked(certificate))
    return f"{asked}; not asked: {others}" if others else asked


def _not_asked(certificate: Certificate) -> list[str]:
    return sorted(kind.value for kind in PropertyKind if kind not in certificate.kinds)


def _loaded(certificate: Certificate) -> Iterator[str]:
    """Yield the options with which the model was loaded."""
    load = certificate.head.get("load", {})
    for words, name in (
        ("set sizes", "set_sizes"),
        ("preferences", "preferences"),
        ("macros", "defines"),
    ):
        table = load.get(name) or {}
        if table:
            yield f"{words} " + ", ".join(f"{key}={table[key]}" for key in sorted(table))
    if load.get("component") is not None:
        yield f"component {load['component']}"
    if load.get("max_setups") is not None:
        yield f"at most {load['max_setups']} valuations of the constants"


def _claim(claimed: Claimed) -> str:
    if claimed.violations:
        names = "; ".join(f"{kind}: {name}" for kind, name in claimed.violations)
        return f"violated ({names})" + ("; these are all" if claimed.exhaustive else "")
    return claimed.verdict


def _states(count: int) -> str:
    return "state" if count == 1 else "states"


def _put_off(found: Audit) -> str:
    return (
        f"; in {found.cyclic} it is done later, and never put off for ever" if found.cyclic else ""
    )


def _around(found: Audit) -> str:
    assert found.around is not None
    more = "that is everything reachable" if found.around.complete else found.around.why
    return f"{found.around.found - found.states} more {_states(found.around.found - found.states)} visited: {more}"


def audit_to_json(audited: Audited) -> dict[str, Any]:
    """Return it as the content of a JSON object."""
    found, certificate = audited.found, audited.certificate
    around = found.around
    return {
        "outcome": found.outcome.name.lower(),
        "reason": found.reason or None,
        "state": dict(audited.values) if audited.values else None,
        "claim": {
            "verdict": certificate.claimed.verdict,
            "exhaustive": certificate.claimed.exhaustive,
            "violations": [{"kind": k, "name": n} for k, n in certificate.claimed.violations],
        },
        "kinds": sorted(kind.value for kind in certificate.kinds),
        "not_asked": _not_asked(certificate),
        "goal": certificate.head.get("goal"),
        "load": dict(certificate.head.get("load", {})),
        "reduction": certificate.reduction,
        "proviso": certificate.proviso,
        "states": found.states,
        "initial": found.initial,
        "reduced": found.reduced,
        "put_off": found.cyclic,
        "facts": dict(found.facts),
        "around": None
        if around is None
        else {"states": around.found, "complete": around.complete, "why": around.why or None},
        "paths": {"followed": found.paths[0], "bounded": found.paths[1]},
        "not_shown": found.doubts,
        "notes": found.notes,
    }
