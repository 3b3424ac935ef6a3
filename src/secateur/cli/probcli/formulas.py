"""-ltlformula, -ltlfile, -ltlassertions, -ctlformula."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from secateur.app.temporal.claims import Claim, claims_of
from secateur.cli.exit import ExitCode
from secateur.cli.probcli.phrases import trace_lines
from secateur.cli.probcli.session import Session
from secateur.engine.limits import Limits
from secateur.source import InputError
from secateur.source.read import read_source
from secateur.system.temporal import TemporalResult

_HEAD: Final = re.compile(r"\[\s*(\w+)\s*\](.*)")
_GOES_ON: Final = re.compile(
    r"\s*(=>|<=>|->|<->|&|∧|∨|⇒|⇔|\|\||or\b|and\b|implies\b|equivalent\b|[UWRST]\b|until\b|weakuntil\b"
    r"|release\b|since\b|trigger\b|\))"
)
"""What follows an atom `[Op]` within a formula, but not the name `[Name]` of one."""


def check_formulas(session: Session) -> None:
    """Judge the formulas that were asked for, one after the other."""
    request = session.request
    if request.has("ltlfile"):
        session.say("LTL Model checking assertions")
        for (file,) in request.all("ltlfile"):
            listed = list(formulas_of(read_source(file).text))
            if not listed:
                session.ledger.error("ltl", f"{file} has no formula", code=ExitCode.BAD_INPUT)
            for claim in listed:
                session.say(f"Checking formula {claim.name}:")
                _judge(session, claim, "ltl_counterexample")
    if request.has("ltlassertions"):
        session.say("LTL Model checking assertions")
        claims = [claim for claim in claims_of(session.model.typed) if claim.logic == "ltl"]
        for claim in claims:
            number = claim.name.removeprefix("ASSERT_LTL")
            session.say(f"Checking LTL formula {number}: {claim.text}")
            _judge(session, claim, "ltl")
        if not claims:
            session.say("*** No LTL assertions found, test failed")
            session.ledger.error("ltl", f"{session.model.name} has no definition ASSERT_LTL")
    for logic in ("ltl", "ctl"):
        for (text,) in request.all(f"{logic}formula"):
            _judge(session, Claim(text, logic, text), logic)


def _judge(session: Session, claim: Claim, kind: str) -> None:
    milliseconds = session.request.number("timeout")
    seconds = None if milliseconds is None else max(milliseconds, 1) / 1000
    states = session.request.number("ltllimit")
    limits = Limits(None if states is None else max(states, 1), seconds)
    (result,) = session.model.temporal([claim], limits)
    if result.errors:
        session.refuse(kind, InputError(*result.errors))
    elif result.holds is None:
        session.say(f"{claim.logic.upper()} Formula UNKNOWN.")
        session.ledger.warning("ltl_incomplete", *result.reasons)
    elif result.holds:
        session.say(
            f"{claim.logic.upper()} Formula TRUE.", f"No counter example found for {claim.text}."
        )
    else:
        session.say("Formula FALSE.")
        _show(session, result)
        session.ledger.error(kind, f"Model Check Counter-Example found for: {claim.text}")


def _show(session: Session, result: TemporalResult) -> None:
    evidence = result.evidence
    if evidence is None:
        return
    session.say(*trace_lines(evidence.trace))
    if evidence.loop:
        session.say(f" LOOP: and again from step {len(evidence.trace) - evidence.loop + 1}")
    session.follow(evidence.trace)


def formulas_of(text: str) -> Iterator[Claim]:
    """Yield the formulas of a file: `[Name] formula`, or one on each line if none has a name.

    `#`, `//` and `%` begin a comment if they begin a line.
    """
    lines = [
        line
        for line in map(str.strip, text.splitlines())
        if line and not line.startswith(("#", "//", "%"))
    ]
    if not lines or _named(lines[0]) is None:
        yield from (Claim(line, "ltl", line) for line in lines)
        return
    name, parts = "", list[str]()
    for line in lines:
        head = _named(line)
        if head is None:
            parts.append(line)
            continue
        if parts:
            yield Claim(name, "ltl", " ".join(parts))
        name, rest = head
        parts = [rest] if rest else []
    yield Claim(name, "ltl", " ".join(parts))


def _named(line: str) -> tuple[str, str] | None:
    """Return the name that a line gives, and what follows it; None if it gives none."""
    match = _HEAD.fullmatch(line)
    if match is None or _GOES_ON.match(match[2]):
        return None
    return match[1], match[2].strip()
