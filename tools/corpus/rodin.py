"""Rodin projects: they load, and their checked and unchecked files are one system."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from secateur.app.load import load
from secateur.app.model import Model
from secateur.lang.eventb.read import read_project
from secateur.lang.model import Level
from secateur.lang.model import Model as Typed
from secateur.maths.print import show
from secateur.source import InputError
from secateur.system.result import Result
from tools.corpus.outcome import Status
from tools.corpus.runner import Job, Limits, Seen, run_all

CHECKED = {".bum": ".bcm", ".buc": ".bcc"}


@dataclass(frozen=True, slots=True)
class Component:
    """A machine or context: its project, the file or archive, its name, its checked file."""

    project: str
    path: Path
    name: str
    checked: Path | None = None

    @property
    def shown(self) -> str:
        """How a table calls it."""
        return f"{self.project}/{self.name}"


@dataclass(frozen=True, slots=True)
class Found:
    """What was seen of a component; None where a question does not arise."""

    component: Component
    loaded: bool = False
    same: bool | None = None
    """Whether checked and unchecked file have the same variables, events and properties."""
    counts: tuple[int, int] | None = None
    """States and transitions, if all of them were visited."""
    others: tuple[int, int] | None = None
    """The same of the checked file."""
    reason: str = ""
    """Why there are no counts, or why it was not loaded."""

    @property
    def is_equal(self) -> bool | None:
        """Whether both files have the same counts; None where one was not explored to its end."""
        return None if None in (self.counts, self.others) else self.counts == self.others


def components(folder: Path) -> Iterator[Component]:
    """Yield every component below `folder`, the corpus's `rodin`."""
    for path in sorted((folder / "xml").rglob("*.bu[mc]")):
        checked = path.with_suffix(CHECKED[path.suffix])
        twin = checked if checked.is_file() else None
        yield Component(str(path.parent.relative_to(folder)), path, path.name, twin)
    for path in sorted((folder / "zip").glob("*.zip")):
        project = read_project(path)
        for name in (*project.machines, *project.contexts):
            yield Component(f"zip/{path.name}", path, name)
    for path in sorted((folder / "text").glob("*.eventb")):
        yield Component("text", path, path.name)


def examine(component: Component, seconds: float, tell: Callable[[Seen], None]) -> Seen:
    """Load the component, from both files if there are two, and explore for some seconds."""
    inside = component.name if component.path.suffix == ".zip" else None
    try:
        model = load(component.path, component=inside)
    except InputError as error:
        return {"status": Status.REJECTED, "reason": _first(error)}
    tell({"loaded": True})
    seen: Seen = {}
    twin: Model | None = None
    if component.checked is not None:
        try:
            twin = load(component.checked)
        except InputError as error:
            return {"same": False, "reason": f"the checked file is rejected: {_first(error)}"}
        if _is_incomplete(twin):
            twin = None  # there is nothing to compare with
        else:
            seen = {"same": outline(model.typed) == outline(twin.typed)}
            tell(seen)
    result = model.check(all=True, max_seconds=seconds)
    seen |= {"counts": _counts(result), "reason": "; ".join(result.reasons[:1])}
    if twin is not None and seen["counts"] is not None:
        seen["others"] = _counts(twin.check(all=True, max_seconds=2 * seconds))
    return seen


def _is_incomplete(twin: Model) -> bool:
    """Whether Rodin found mistakes in a file, such as a theory that it lacks, and left parts out."""
    return any("left parts out" in note for note in twin.typed.unchecked)


def outline(typed: Typed) -> object:
    """Return what two readings of one component must have in common."""
    return (
        {(s.name, s.elements) for s in typed.sets},
        {(b.name, b.type) for b in (*typed.constants, *typed.variables)},
        {(p.name, show(p.predicate)) for p in (*typed.properties, *typed.invariants)},
        {(p.name, show(p.predicate)) for p in typed.assertions},
        {
            (o.name, frozenset(b.name for b in o.parameters), frozenset(_levels(o.refines)))
            for o in typed.operations
        },
    )


def _levels(found: Sequence[Level]) -> Iterator[object]:
    for level in found:
        yield level.name, frozenset(show(c.predicate) for c in level.conditions)
        yield from _levels(level.refines)


def _counts(result: Result) -> tuple[int, int] | None:
    if not result.exhaustive:
        return None
    return result.statistics.states, result.statistics.transitions


def _first(error: InputError) -> str:
    diagnostic = error.diagnostics[0]
    return f"{diagnostic.code}: {diagnostic.message} ({diagnostic.span})"


def score_rodin(folder: Path, limits: Limits, only: str = "") -> Iterator[str]:
    """Yield the lines of a table with a row per project, and what is remarkable."""
    found = list(survey([c for c in components(folder) if only in c.shown], limits))
    yield from table(found)
    yield from remarks(found)


def survey(chosen: Sequence[Component], limits: Limits) -> Iterator[Found]:
    """Yield what is seen of each component."""
    # Both files are explored, the second one for twice as long; loading takes its time, too.
    jobs = [Job(c, partial(examine, c, limits.seconds / 4)) for c in chosen]
    for component, seen in run_all(jobs, limits):
        yield _found(component, seen)


def _found(component: Component, seen: Seen) -> Found:
    fields = {k: v for k, v in seen.items() if k not in ("status", "seconds", "error")}
    if "reason" not in fields:
        fields["reason"] = f"{seen.get('status', '')} {seen.get('error', '')}".strip()
    return replace(Found(component), **fields)


HEAD = ("project", "components", "loaded", "both files", "one system", "counts =", "differ", "open")


def table(found: Sequence[Found]) -> Iterator[str]:
    """Yield a row per project; `open` are those that were not explored to their end."""
    projects: dict[str, list[Found]] = {}
    for each in sorted(found, key=lambda f: f.component.shown):
        projects.setdefault(each.component.project, []).append(each)
    rows = [HEAD, *(_row(name, each) for name, each in projects.items()), _row("all", found)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEAD))]
    for row in rows:
        cells = [c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True)]
        yield "  ".join((row[0].ljust(widths[0]), *cells)).rstrip()


def _row(name: str, found: Sequence[Found]) -> tuple[str, ...]:
    twins = [f for f in found if f.component.checked is not None]
    numbers = (
        len(found),
        sum(f.loaded for f in found),
        len(twins),
        sum(f.same is True for f in twins),
        sum(f.is_equal is True for f in twins),
        sum(f.is_equal is False or f.same is False for f in twins),
        sum(f.loaded and f.counts is None for f in found),
    )
    return (name, *(str(n) if n else "" for n in numbers))


def remarks(found: Sequence[Found]) -> Iterator[str]:
    """Yield what was rejected, what differs, and what has no end."""
    kinds: dict[str, list[str]] = {"rejected": [], "different": [], "not explored to the end": []}
    for f in sorted(found, key=lambda f: f.component.shown):
        if not f.loaded:
            kinds["rejected"].append(f"  {f.component.shown}: {f.reason}")
        elif f.same is False or f.is_equal is False:
            counts = "" if f.is_equal is not False else f" {f.counts}, checked {f.others}"
            kinds["different"].append(f"  {f.component.shown}:{counts} {f.reason}".rstrip())
        elif f.counts is None:
            kinds["not explored to the end"].append(f"  {f.component.shown}: {f.reason}")
    for kind, lines in kinds.items():
        if lines:
            yield f"{kind} ({len(lines)}):"
            yield from lines
