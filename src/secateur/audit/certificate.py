"""The file that a reduced search writes and an audit reads: lines of JSON, perhaps compressed.

The first line says what was searched and how, the last one what came of it.  Between them, in
the order of the search, are the facts that it relied on, each before it is needed, and the
states that it expanded.  docs/certificates.md has the details.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import IO, Any, Final

from secateur.audit.codes import BAD_CERTIFICATE
from secateur.audit.facts import ABOUT_CHECKS, ABOUT_CONJUNCTS, ABOUT_ONE, Fact, Verb
from secateur.audit.within import Condition
from secateur.source import InputError, fail
from secateur.source.records import dataclass
from secateur.system.system import PropertyKind

FORMAT: Final = 1
"""Grows when a line changes its meaning."""

ALL: Final = "all"
TRAPPED: Final = "trapped"
Chosen = tuple[int, ...] | str
"""What was expanded in a state: some actions, `all` that happen, or `all` beside a fault."""

_MAGIC: Final = b"\x1f\x8b"
_BEGINNING: Final = b'{"certificate"'
"""How every certificate begins, whatever its format."""


@dataclass(frozen=True)
class Shape:
    """A system from outside: what its slots, actions and checks are called."""

    slots: tuple[tuple[str, int, int | None], ...]
    """Name, bits, and how many codes (None if they are not listed)."""
    actions: tuple[tuple[str, str, int], ...]
    """Operation, arguments, and how many conjuncts the guard has."""
    checks: tuple[tuple[str, str], ...]
    """Kind and name."""


@dataclass(frozen=True)
class Claimed:
    """What a run said in the end."""

    verdict: str
    """`holds`, `violated` or `incomplete`."""
    exhaustive: bool
    violations: tuple[tuple[str, str], ...]
    """Kind and name of each."""
    reasons: tuple[str, ...] = ()
    states: int = 0
    """How many were found, one for each valuation of the constants included."""
    transitions: int = 0


@dataclass()
class Certificate:
    """All that is in a file."""

    head: Mapping[str, Any]
    kinds: frozenset[PropertyKind]
    reduction: str
    proviso: str | None
    shape: Shape
    facts: dict[Fact, str] = field(default_factory=dict)
    """Each with how it was come by."""
    records: dict[int, Chosen] = field(default_factory=dict)
    """The states in the order in which they were last expanded."""
    reopened: bool = False
    """Whether some were expanded more than once."""
    claimed: Claimed = Claimed("incomplete", exhaustive=False, violations=())
    within: list[Condition] = field(default_factory=list)
    """What is said to hold in all reachable states, as far as no fault is passed."""
    values: Sequence[Sequence[str]] = ()
    """The values that states contain by number alone: type and text of each."""

    def record(self, state: int, chosen: Chosen) -> None:
        """Add a state; one that was opened again counts as it was last."""
        self.reopened |= self.records.pop(state, None) is not None
        self.records[state] = chosen


class Writer:
    """Writes a certificate line by line; nobody sees the file before it is complete."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._beside = path.with_name(f".{path.name}.{os.getpid()}.part")
        self._stream: IO[str] | None = None
        self._early: list[str] = []
        """Facts that are needed before the first line is known."""

    def begin(self, head: Mapping[str, Any]) -> None:
        """Write the first line, and the facts that came before it."""
        raw = self._beside.open("wb")
        # neither a name nor a time: the same run writes the same bytes
        binary = (
            gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0)
            if self.path.suffix == ".gz"
            else raw
        )
        self._raw = raw
        self._stream = io.TextIOWrapper(binary, encoding="ascii", newline="\n")
        early, self._early = self._early, []
        self._line({"certificate": FORMAT, **head})
        self._stream.writelines(early)

    def fact(self, fact: Fact, ground: str) -> None:
        """Write a fact, with how it was come by."""
        self._line(["fact", fact.verb.value, *(n for n in fact[1:] if n >= 0), ground])

    def state(self, state: int, chosen: Chosen) -> None:
        """Write what was expanded in a state."""
        self._line(["state", f"{state:x}", chosen])

    def within(self, condition: Condition) -> None:
        """Write what holds in all reachable states."""
        if condition.patterns is None:
            self._line(["within", condition.check])
        else:
            patterns = [f"{p:x}" for p in sorted(condition.patterns)]
            self._line(["within", f"{condition.mask:x}", patterns])

    def end(self, last: Mapping[str, Any]) -> None:
        """Write the last line, and let the file appear."""
        self._line(["end", last])
        self._close()
        self._beside.replace(self.path)

    def discard(self) -> None:
        """Forget what was written."""
        self._early.clear()
        self._close()
        self._beside.unlink(missing_ok=True)

    def _line(self, content: object) -> None:
        line = json.dumps(content, separators=(",", ":")) + "\n"
        if self._stream is None:
            self._early.append(line)
        else:
            self._stream.write(line)

    def _close(self) -> None:
        if self._stream is not None:
            self._stream.close()
            self._raw.close()
            self._stream = None


def may_be_replaced(path: Path) -> bool:
    """Whether nothing is lost if a certificate is written there: one is there, or nothing at all."""
    if not path.exists():
        return True
    if not path.is_file():
        return False
    with path.open("rb") as stream:
        start = stream.read(len(_MAGIC))
    try:
        with gzip.open(path) if start == _MAGIC else path.open("rb") as stream:
            start = stream.read(len(_BEGINNING))
    except (EOFError, gzip.BadGzipFile, zlib.error):
        return False
    return start in (b"", _BEGINNING)


def read_certificate(path: Path) -> Certificate:
    """Return what a file says; raise InputError if it is no certificate."""
    try:
        data = path.read_bytes()
        if data.startswith(_MAGIC):
            data = gzip.decompress(data)
        lines = data.decode("ascii").splitlines()
    except (OSError, EOFError, zlib.error, UnicodeDecodeError, ValueError) as error:
        raise _bad(path, _reason(error)) from error
    number = 0
    try:
        if len(lines) < 2:
            raise ValueError("it has no beginning or no end")
        found = _begun(json.loads(lines[0]))
        for number, line in enumerate(lines[1:], 2):
            _read_line(found, json.loads(line), last=number == len(lines))
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise _bad(path, f"line {number or 1}: {_reason(error)}") from error
    return found


def _reason(error: Exception) -> str:
    match error:
        case OSError(strerror=str(text)):
            return text
        case KeyError():
            return f"{error} is missing"
        case json.JSONDecodeError():
            return "it is not JSON"
        case _:
            return str(error)


def _bad(path: Path, why: str) -> InputError:
    help_ = "`secateur check MODEL --certificate FILE` writes one"
    return fail(BAD_CERTIFICATE, f"'{path}' is not a certificate: {why}", help=help_)


def _begun(head: Any) -> Certificate:
    if not isinstance(head, dict) or "certificate" not in head:
        raise ValueError("it does not begin as one")
    if head["certificate"] != FORMAT:
        raise ValueError(f"its format is {head['certificate']!r}, not {FORMAT}")
    shape = Shape(
        tuple((str(n), int(b, 16), None if c is None else int(c)) for n, b, c in head["slots"]),
        tuple((str(o), str(a), int(c)) for o, a, c in head["actions"]),
        tuple((str(k), str(n)) for k, n in head["checks"]),
    )
    if not head["kinds"]:
        raise ValueError("it asks for nothing: there are no kinds of properties")
    proviso = head["proviso"]
    return Certificate(
        head,
        frozenset(map(PropertyKind, head["kinds"])),
        str(head["reduction"]),
        None if proviso is None else str(proviso),
        shape,
    )


def _read_line(found: Certificate, line: Any, *, last: bool) -> None:
    if not isinstance(line, list) or not line:
        raise ValueError("it is no list")
    if last != (line[0] == "end"):
        raise ValueError("the end is missing" if last else "there is something after the end")
    match line:
        case ["fact", str(verb), *numbers, str(ground)]:
            found.facts[_fact(found.shape, Verb(verb), numbers)] = ground
        case ["state", str(code), chosen]:
            state = int(code, 16)
            found.record(state, _chosen(found.shape, chosen))
        case ["within", str(mask), list(patterns)]:
            allowed = frozenset(int(p, 16) for p in patterns)
            found.within.append(Condition(int(mask, 16), allowed))
        case ["within", int(check)] if 0 <= check < len(found.shape.checks):
            found.within.append(Condition(-1, None, check))
        case ["end", dict(end)]:
            found.claimed = _claimed(end)
            found.values = [[str(t), str(v)] for t, v in end.get("values", [])]
        case _:
            raise ValueError(f"'{line[0]}' is neither fact, state, within nor end")


def _fact(shape: Shape, verb: Verb, numbers: Sequence[Any]) -> Fact:
    actions = range(len(shape.actions))
    allowed = [actions]
    if verb in ABOUT_CHECKS:
        allowed.append(range(len(shape.checks)))
    elif verb not in ABOUT_ONE:
        allowed.append(actions)
    if verb in ABOUT_CONJUNCTS and len(numbers) == 3 and numbers[1] in actions:
        allowed.append(range(shape.actions[numbers[1]][2]))
    if len(numbers) != len(allowed) or any(
        type(n) is not int or n not in r for n, r in zip(numbers, allowed, strict=True)
    ):
        raise ValueError(f"'{verb.value}' of {numbers}: there are no such numbers")
    return Fact(verb, *numbers)


def _chosen(shape: Shape, chosen: Any) -> Chosen:
    if chosen in (ALL, TRAPPED):
        return str(chosen)
    if not isinstance(chosen, list) or any(
        type(a) is not int or a not in range(len(shape.actions)) for a in chosen
    ):
        raise ValueError("the actions of a state are not among those of the system")
    return tuple(chosen)


def _claimed(end: Mapping[str, Any]) -> Claimed:
    if end["verdict"] not in ("holds", "violated", "incomplete"):
        raise ValueError(f"there is no verdict {end['verdict']!r}")
    if type(end["exhaustive"]) is not bool:
        raise ValueError("'exhaustive' is neither true nor false")
    for count in ("states", "transitions"):
        if type(end[count]) is not int or end[count] < 0:
            raise ValueError(f"'{count}' is no number")
    return Claimed(
        end["verdict"],
        end["exhaustive"],
        tuple((PropertyKind(k).value, str(n)) for k, n in end["violations"]),
        tuple(map(str, end["reasons"])),
        end["states"],
        end["transitions"],
    )
