"""Random developments in B: `refine` against the definition of forward simulation.

A level is given by tables: where it may be called, what it does then, how its states are
related to those of the level above.  The machines say the same in B.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from secateur.app.refine import refine
from secateur.system.verdict import Holds, Violated
from tests.effort import recursion_limit_kept

OPERATIONS = ("f", "g")
VALUES = range(3)
RESULTS = range(2)

Value = tuple[int, int]
"""Of a variable of the level's own, and of one that all levels have."""


@dataclass(frozen=True)
class Table:
    """An operation: where it may be called, and from where it leads to what with which result."""

    demanded: frozenset[int]
    steps: frozenset[tuple[int, int, int, int]]
    """Own value before; own value, shared value and result after."""

    def outcomes(self, value: Value) -> Iterator[tuple[Value, int]]:
        """Yield the values and results after a call."""
        yield from (((own, shared), r) for v, own, shared, r in self.steps if v == value[0])


@dataclass(frozen=True)
class Level:
    """A component."""

    initial: frozenset[Value]
    operations: tuple[Table, ...]
    gluing: frozenset[tuple[int, int]]
    """Own value, and own value of the level above."""
    aimed: bool
    """Whether it is written so that outcomes can be found from what is known of them."""


def subsets(*parts: range, least: int = 0) -> st.SearchStrategy[frozenset[tuple[int, ...]]]:
    """Return sets of tuples."""
    return st.frozensets(st.sampled_from([*product(*parts)]), min_size=least)


def tables() -> st.SearchStrategy[Table]:
    """Return operations."""
    demanded = st.frozensets(st.sampled_from(VALUES), min_size=1)
    return st.builds(Table, demanded, subsets(VALUES, VALUES, RESULTS, RESULTS))


def levels() -> st.SearchStrategy[Level]:
    """Return components; an invariant that relates little would end most developments at once."""
    related = st.one_of(
        st.just(frozenset(product(VALUES, VALUES))),
        st.just(frozenset((v, v) for v in VALUES)),
        subsets(VALUES, VALUES, least=5),
    )
    return st.builds(
        Level,
        subsets(VALUES, RESULTS, least=1),
        st.tuples(tables(), tables()),
        related,
        st.booleans(),
    )


def related_developments() -> st.SearchStrategy[list[Level]]:
    """Return developments whose refinements do a part of what is above: many of them are right."""

    def below(top: Level, kept: list[bool]) -> list[Level]:
        same = frozenset((v, v) for v in VALUES)
        operations = []
        flags = iter(kept)
        for table in top.operations:
            steps = frozenset(s for s in sorted(table.steps) if next(flags))
            operations.append(Table(frozenset(VALUES), steps))
        first = frozenset(sorted(top.initial)[:1])
        return [top, Level(first, tuple(operations), same, aimed=True)]

    return st.builds(below, levels(), st.lists(st.booleans(), min_size=72, max_size=72))


def written(number: int, level: Level) -> str:
    """Return a level as a component."""
    own, above = f"v{number}", f"v{number - 1}"
    head = "MACHINE M0" if number == 0 else f"REFINEMENT M{number} REFINES M{number - 1}"
    glue = f"{own} |-> {above} : {_set(level.gluing)}" if number else "TRUE = TRUE"
    operations = ";\n".join(
        f"r <-- {name} = {_operation(number, table, level)}"
        for name, table in zip(OPERATIONS, level.operations, strict=True)
    )
    return f"""{head}
VARIABLES {own}, shared
INVARIANT {own} : 0..2 & shared : 0..1 & {glue}
INITIALISATION {own}, shared :: {_set(level.initial)}
OPERATIONS
{operations}
END"""


def _operation(number: int, table: Table, level: Level) -> str:
    own = f"v{number}"
    steps = (
        "{"
        + ", ".join(f"({v} |-> ({a} |-> {b} |-> {r}))" for v, a, b, r in sorted(table.steps))
        + "}"
    )
    if not table.steps:
        body = "SELECT 1 = 2 THEN r := 0 END"
    elif level.aimed:
        body = f"ANY a, b, c WHERE {own} |-> (a |-> b |-> c) : {steps} THEN {own} := a || shared := b || r := c END"
    else:
        choices = " OR ".join(
            f"SELECT {own} = {v} THEN {own} := {a} ; shared := {b} ; r := {r} END"
            for v, a, b, r in sorted(table.steps)
        )
        body = f"CHOICE {choices} END" if len(table.steps) > 1 else choices
    return f"PRE {own} : {_set1(table.demanded)} THEN {body} END"


def _set(pairs: frozenset[tuple[int, ...]]) -> str:
    return "{" + ", ".join(" |-> ".join(map(str, pair)) for pair in sorted(pairs)) + "}"


def _set1(values: frozenset[int]) -> str:
    return "{" + ", ".join(map(str, sorted(values))) + "}"


def refines(levels: list[Level]) -> int | None:
    """Return how many states the levels have together, None if the last is no refinement.

    The definition: *The B-Book*, chapter 11, for the states that are reached.
    """

    def matched(
        choices: list[list[tuple[Value, int]]], last: tuple[Value, int]
    ) -> Iterator[tuple[Value, ...]]:
        for above in product(*choices):
            chain = [*above, last]
            if len({r for _, r in chain}) > 1 or len({value[1] for value, _ in chain}) > 1:
                continue
            values = tuple(value for value, _ in chain)
            if all(
                (values[k][0], values[k - 1][0]) in levels[k].gluing for k in range(1, len(levels))
            ):
                yield values

    *above, last = levels
    todo: list[tuple[Value, ...]] = []
    for value in last.initial:
        found = [*matched([[(v, 0) for v in level.initial] for level in above], (value, 0))]
        if not found:
            return None
        todo += found
    seen = set(todo)
    while todo:
        values = todo.pop()
        for number in range(len(OPERATIONS)):
            ops = [level.operations[number] for level in levels]
            if not all(op.demanded >= {v[0]} for op, v in zip(ops[:-1], values, strict=False)):
                continue
            if values[-1][0] not in ops[-1].demanded:
                return None
            choices = [[*op.outcomes(v)] for op, v in zip(ops[:-1], values, strict=False)]
            for end in ops[-1].outcomes(values[-1]):
                found = [*matched(choices, end)]
                if not found:
                    return None
                new = {*found} - seen
                seen |= new
                todo += new
    return len(seen)


def agree(development: list[Level]) -> None:
    """Compare every step of a development with the definition, up to the first that fails."""
    with recursion_limit_kept(), TemporaryDirectory() as name:
        folder = Path(name)
        for number, level in enumerate(development):
            suffix = "ref" if number else "mch"
            (folder / f"M{number}.{suffix}").write_text(written(number, level))
        steps = refine(folder / f"M{len(development) - 1}.ref")
    for number, step in enumerate(steps, 2):
        states = refines(development[:number])
        if states is None:
            assert isinstance(step.result.verdict, Violated)
            return
        assert isinstance(step.result.verdict, Holds)
        assert step.result.statistics.states == states


@given(st.lists(levels(), min_size=2, max_size=3))
def test_random_developments(development: list[Level]) -> None:
    agree(development)


@given(related_developments())
def test_developments_that_leave_out_choices(development: list[Level]) -> None:
    agree(development)


@given(related_developments(), levels())
def test_chains_that_begin_well(development: list[Level], last: Level) -> None:
    agree([*development, last])
