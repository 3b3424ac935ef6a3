"""What is printed or written at the end: coverage, tables, the path, the model."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from secateur.app.listing import listing
from secateur.cli.codes import BAD_FLAG_ARGUMENT
from secateur.cli.probcli.census import Census
from secateur.cli.probcli.phrases import history_lines, state_lines
from secateur.cli.probcli.session import Session
from secateur.engine.limits import resident_memory
from secateur.maths.ast import free_names
from secateur.source import fail

_OPERATIONS = frozenset({"quick_operation_coverage", "operation_coverage"})
_VALUES = frozenset({"variable_coverage", "minmax_table", "min_max_coverage"})
_HISTORY = frozenset({"show_init", "show_states"})


def refuse_unknown_kinds(session: Session) -> None:
    """Raise InputError for a table or an option of -his that there is none of."""
    for kind, _ in session.request.all("csv"):
        if kind not in _OPERATIONS | _VALUES:
            known = ", ".join(sorted(_OPERATIONS | _VALUES))
            raise fail(
                BAD_FLAG_ARGUMENT, f"there is no table {kind} here", help=f"there is {known}"
            )
    for (option,) in session.request.all("his_option"):
        if option not in _HISTORY:
            hint = "there is show_init and show_states; `secateur check -o FILE` writes a trace"
            raise fail(BAD_FLAG_ARGUMENT, f"-his has no option {option} here", help=hint)


def describe_model(session: Session) -> None:
    """Do what needs the model alone: -machine_stats, -pp."""
    model = session.model.typed
    if session.request.has("machine_stats"):
        variables = {v.name for v in model.variables}
        dynamic = sum(not free_names(a.predicate).isdisjoint(variables) for a in model.assertions)
        session.say(
            f"Machine statistics for {model.name}",
            f" constants : {len(model.constants)}",
            f" variables : {len(model.variables)}",
            f" properties : {len(model.properties)}",
            f" invariants : {len(model.invariants)}",
            f" static_assertions : {len(model.assertions) - dynamic}",
            f" dynamic_assertions : {dynamic}",
            f" operations : {len(model.operations)}",
        )
    for (file,) in session.request.all("pp"):
        session.write(file, listing(model))


def compare_counts(session: Session) -> None:
    """Do what -cc asks for: it is an error if the numbers are others."""
    census = session.census()
    for states, transitions in session.request.all("cc"):
        for what, is_so, expected in (
            ("nodes", census.total, int(states)),
            ("transitions", census.transitions, int(transitions)),
        ):
            if is_so != expected:
                said = f"Unexpected number of {what}:  {is_so}"
                session.ledger.error("coverage", said, f"Expected:  {expected}")


def show_coverage(session: Session) -> None:
    """Print the coverage, as a line or in words, and write the tables."""
    census = session.census()
    if session.request.has("c"):
        session.say("Coverage:", census.line(), "")
    if session.request.has("coverage_summary"):
        session.say(*census.summary(), "")
    for kind, file in session.request.all("csv"):
        rows = _operations(census) if kind in _OPERATIONS else _values(census)
        session.write(file, _table(rows))


def _operations(census: Census) -> list[Sequence[object]]:
    names = [*(n for n in census.operations if n not in census.declared), *census.declared]
    return [("Operation", "Covered"), *((n, census.operations.get(n, 0)) for n in names)]


def _values(census: Census) -> list[Sequence[object]]:
    head = ("Variable", "Distinct", "Min", "Max")
    return [head, *((v.name, v.distinct, v.least, v.greatest) for v in census.coverage)]


def _table(rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def write_path(session: Session) -> None:
    """Do what -his and -sptxt ask for."""
    request = session.request
    options = frozenset(option for (option,) in request.all("his_option"))
    for (file,) in request.all("his"):
        session.write(file, "\n".join(history_lines(session.trace, options)) + "\n")
    for (file,) in request.all("sptxt"):
        state = session.walk.state
        values = () if state is None else session.model.system.values(state)
        constants = {c.name for c in session.model.typed.constants}
        lines: list[str] = []
        for head, chosen in (("Constants", True), ("Variables", False)):
            part = [(n, v) for n, v in values if (n in constants) is chosen]
            lines += [f"/* {head} */", *state_lines(part)] if part else []
        session.write(file, "\n".join(lines) + "\n")


def show_statistics(session: Session, seconds: float) -> None:
    """Print how long it took, and how much memory."""
    if session.request.has("statistics"):
        memory = resident_memory() / 2**20
        session.say(f"Runtime: {seconds * 1000:.0f} ms", f"Memory: {memory:.0f} MB")
