"""Event instances and their relations: what a model looks like to a reduction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from typing import Final

from secateur.report.errors import Json
from secateur.report.style import PLAIN, Style
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """An answer about two instances, and why it is so.

    `slots` are what it is about; `witness` has the values of the variables in a state that
    shows it (lawful, but perhaps not reachable).
    """

    yes: bool
    ground: str
    slots: tuple[str, ...] = ()
    witness: tuple[tuple[str, str], ...] = ()
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Sides:
    """An operation or an instance: what its guard reads, its action reads, and it writes."""

    name: str
    guard: tuple[str, ...]
    action: tuple[str, ...]
    write: tuple[str, ...]
    instances: int = 1


@dataclass(frozen=True, slots=True)
class Cell:
    """What there is between two operations or instances.

    Of `pairs` of instances, `dependent` ones depend on each other, for the `kinds` of
    reasons given; `influence` is what the first does to the enabledness of the second.
    """

    first: str
    second: str
    pairs: int
    dependent: int
    kinds: tuple[str, ...]
    influence: str


@dataclass(frozen=True, slots=True)
class EventsOverview:
    """All relations of a model; of operations, or of instances."""

    model: str
    instances: int
    slots: int
    sides: tuple[Sides, ...]
    cells: tuple[Cell, ...]
    grounds: tuple[tuple[str, int], ...]
    """How many answers were found in which way."""
    coarse: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PairOverview:
    """Everything about two instances."""

    first: str
    second: str
    dependent: Reason
    kind: str
    excluded: Reason
    influences: tuple[str, str]
    """What each of them does to the enabledness of the other."""
    conjuncts: tuple[tuple[str, str, str, Reason], ...]
    """Who enables or disables which conjunct, for those where that may be."""


# -- text -----------------------------------------------------------------------------------------


def render_events(events: EventsOverview, style: Style = PLAIN) -> str:
    """Return the relations as tables."""
    lines = [style.strong(events.model)]
    lines.append(f"{_count(events.instances, 'instance')}, {_count(events.slots, 'slot')}")
    lines += ["", style.strong("read and write sets")]
    for side in events.sides:
        number = f"  ({_count(side.instances, 'instance')})" if side.instances != 1 else ""
        lines.append(f"  {side.name}{number}")
        lines.append(f"    guard reads {_names(side.guard)}")
        lines.append(f"    action reads {_names(side.action)}; writes {_names(side.write)}")
    names = [side.name for side in events.sides]
    by_pair = {(c.first, c.second): c for c in events.cells}
    lines += ["", style.strong("dependent pairs of instances, of all pairs")]
    lines += _matrix(names, lambda a, b: _share(by_pair[a, b]))
    lines += ["", style.strong("what a row does to the enabledness of a column")]
    lines += _matrix(names, lambda a, b: _SIGNS[by_pair[a, b].influence])
    signs = "; ".join(f"{sign} {word}" for word, sign in _SIGNS.items())
    lines.append(style.faint(f"  {signs}"))
    lines += ["", style.strong("how that was found out")]
    lines += [f"  {number} x {ground}" for ground, number in events.grounds]
    if events.coarse:
        lines += ["", style.doubt(f"not compiled, and so one action each: {_names(events.coarse)}")]
    return "\n".join(lines)


_SIGNS: Final = {
    "none": ".",
    "keeps": "=",
    "may enable": "+",
    "may disable": "-",
    "may enable or disable": "+-",
    "always enables": "++",
    "always disables": "--",
}


def _share(cell: Cell) -> str:
    return f"{cell.dependent}/{cell.pairs}" if cell.pairs else "-"


def _matrix(names: Sequence[str], entry: Callable[[str, str], str]) -> list[str]:
    """Return a table with numbered columns: names are too long for them."""
    rows = [[entry(a, b) for b in names] for a in names]
    first = max((len(n) for n in names), default=0)
    numbers = [f"({i})" for i in range(1, len(names) + 1)]
    widths = [max(len(numbers[i]), *(len(row[i]) for row in rows)) for i in range(len(names))]
    label = max((len(n) for n in numbers), default=0)
    head = "  ".join(n.rjust(w) for n, w in zip(numbers, widths, strict=True))
    lines = [f"  {' ' * (label + 1 + first)}  {head}".rstrip()]
    for number, name, row in zip(numbers, names, rows, strict=True):
        body = "  ".join(e.rjust(w) for e, w in zip(row, widths, strict=True))
        lines.append(f"  {number.rjust(label)} {name.ljust(first)}  {body}".rstrip())
    return lines


def render_pairs(pairs: Iterable[PairOverview], left_out: int, style: Style = PLAIN) -> str:
    """Return why instances are related as they are."""
    blocks = ["\n".join(_pair(pair, style)) for pair in pairs]
    if left_out:
        blocks.append(f"and {_count(left_out, 'more pair')} of instances")
    return "\n\n".join(blocks)


def _pair(pair: PairOverview, style: Style) -> list[str]:
    lines = [style.strong(f"{pair.first} and {pair.second}")]
    word = style.bad("dependent") if pair.dependent.yes else style.good("independent")
    kind = f" ({pair.kind})" if pair.dependent.yes else ""
    lines.append(f"  {word}{kind}: {_reason(pair.dependent)}")
    lines += _witness(pair.dependent)
    never = "never both enabled" if pair.excluded.yes else "may both be enabled"
    lines.append(f"  {never}: {_reason(pair.excluded)}")
    lines += _witness(pair.excluded)
    for (a, b), influence in zip(
        ((pair.first, pair.second), (pair.second, pair.first)), pair.influences, strict=True
    ):
        lines.append(f"  {a} {_verb(influence)} {b}")
    for who, verb, conjunct, reason in pair.conjuncts:
        lines.append(f"  {who} {verb} `{conjunct}`: {_reason(reason)}")
        lines += _witness(reason)
    return lines


def _verb(influence: str) -> str:
    return "has no influence on" if influence == "none" else influence


def _reason(reason: Reason) -> str:
    about = f"; it is about {_names(reason.slots)}" if reason.slots else ""
    remark = f" ({reason.remark})" if reason.remark else ""
    return f"{reason.ground}{remark}{about}"


def _witness(reason: Reason) -> list[str]:
    if not reason.witness:
        return []
    values = ", ".join(f"{name} = {value}" for name, value in reason.witness)
    return [f"    for instance where {values}"]


def _names(names: Sequence[str]) -> str:
    return ", ".join(names) or "nothing"


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


# -- JSON and DOT ---------------------------------------------------------------------------------


def events_to_json(events: EventsOverview) -> Json:
    """Return the relations as JSON."""
    found = asdict(events)
    found["grounds"] = dict(events.grounds)
    return found


def pairs_to_json(model: str, pairs: Iterable[PairOverview], left_out: int) -> Json:
    """Return reasons as JSON."""
    return {"model": model, "pairs": [_pair_to_json(p) for p in pairs], "left_out": left_out}


def _pair_to_json(pair: PairOverview) -> Json:
    return {
        "first": pair.first,
        "second": pair.second,
        "dependent": _reason_to_json(pair.dependent),
        "kind": pair.kind,
        "excluded": _reason_to_json(pair.excluded),
        "influences": list(pair.influences),
        "conjuncts": [
            {"action": who, "may": verb, "conjunct": text, **_reason_to_json(reason)}
            for who, verb, text, reason in pair.conjuncts
        ],
    }


def _reason_to_json(reason: Reason) -> Json:
    return {**asdict(reason), "witness": dict(reason.witness) or None}


def dependency_to_dot(events: EventsOverview) -> str:
    """Return the dependency relation as an undirected graph."""
    lines = ["graph dependency {", *_nodes(events)]
    seen: set[frozenset[str]] = set()
    for cell in events.cells:
        pair = frozenset((cell.first, cell.second))
        if cell.dependent and pair not in seen:
            seen.add(pair)
            label = f"{cell.dependent}/{cell.pairs}"
            lines.append(
                f"  {_quoted(cell.first)} -- {_quoted(cell.second)} [label={_quoted(label)}];"
            )
    return "\n".join([*lines, "}"])


def enabling_to_dot(events: EventsOverview) -> str:
    """Return the enable graph: who may enable whom, and dashed, who may only disable whom."""
    lines = ["digraph enabling {", *_nodes(events)]
    for cell in events.cells:
        if "enable" not in cell.influence and "disable" not in cell.influence:
            continue
        enables = "may enable" in cell.influence or cell.influence == "always enables"
        style = "" if enables else ", style=dashed"
        label = _quoted(cell.influence)
        lines.append(f"  {_quoted(cell.first)} -> {_quoted(cell.second)} [label={label}{style}];")
    return "\n".join([*lines, "}"])


def _nodes(events: EventsOverview) -> list[str]:
    return [f"  {_quoted(side.name)};" for side in events.sides]


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
