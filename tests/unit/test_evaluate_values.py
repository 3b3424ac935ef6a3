"""What formulas are worth: connectives, conditionals, LET, records, sums, free types."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from secateur.app.evaluate import evaluate_closed
from secateur.maths.values import SymbolicSet, record
from secateur.system.answer import Decided, Evaluated, Undefined, Unknown
from secateur.system.system import Fault, Gap, Transition
from tests.unit.execute_machines import initial, system_of


def value(text: str) -> Any:
    """Return the value of an expression, or the truth of a predicate; None if it is ill-defined."""
    answer = evaluate_closed(text, {})
    match answer:
        case Evaluated(found):
            return found.expand() if isinstance(found, SymbolicSet) else found
        case Decided(truth, _):
            return truth
        case Undefined():
            return None
        case Unknown(reason):
            pytest.fail(reason)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 = 2 & 1 / 0 = 1", False),
        ("1 / 0 = 1 & 1 = 2", None),
        ("1 = 1 & 1 = 1 & 1 = 2 & 1 / 0 = 1", False),
        ("1 = 1 or 1 / 0 = 1", True),
        ("1 = 2 or 1 / 0 = 1", None),
        ("1 = 2 or 2 = 3 or 3 = 3 or 1 / 0 = 1", True),
        ("1 = 2 or 2 = 3 or 3 = 4", False),
        ("1 = 2 => 1 / 0 = 1", True),
        ("1 = 1 => 1 / 0 = 1", None),
        ("(1 = 1 <=> 2 = 2)", True),
        ("(1 = 1 <=> 2 = 3)", False),
        ("(1 = 2 <=> 1 / 0 = 1)", None),
        ("not(1 = 2)", True),
        ("bool(1 = 2) = FALSE", True),
        ("IF 1 = 2 THEN 1 / 0 = 1 ELSE 2 = 2 END", True),
        ("IF 1 = 2 THEN 1 / 0 ELSE 7 END", 7),
        ("IF 1 / 0 = 2 THEN 1 ELSE 7 END", None),
        ("{1, 1 / 0} = {}", None),
        ("[1, 1 / 0] = []", None),
        ("1 / 0 : INTEGER", None),
        ("{{1 |-> 2}(3)} <: INTEGER", None),
        ("10 mod 3 + 2 ** 70 - 2 ** 70", 1),
    ],
)
def test_left_to_right(text: str, expected: Any) -> None:
    assert value(text) is expected or value(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("LET a BE a = 3 IN a * a END", 9),
        ("LET a, b BE a = 3 & b = a + 1 IN a * b END", 12),
        ("LET a BE a = 3 IN LET a BE a = 4 IN a END + a END", 7),
        ("LET a BE a = 3 IN a > 2 END", True),
        ("LET a BE a = 1 / 0 IN 3 END", None),
        ("{x | x : 1..3 & LET y BE y = x * x IN y > 3 END}", {2, 3}),
        ("SIGMA(x).(x : 1..4 | x)", 10),
        ("SIGMA(x).(x : {} | x)", 0),
        ("SIGMA(x, y).(x : 1..2 & y : 1..2 | 1)", 4),
        ("PI(x).(x : 1..4 | x)", 24),
        ("PI(x).(x : {} | x)", 1),
        ("UNION(x).(x : 1..3 | {x, x + 1})", {1, 2, 3, 4}),
        ("UNION(x).(x : {} | {x + 1})", set()),
        ("INTER(x).(x : 1..3 | x..4)", {3, 4}),
        ("INTER(x).(x : 1..0 | x..4)", None),
        ("5 : INTER(x).(x : 1..3 | {y | y > x})", True),
        ("70000 : UNION(x).(x : 1..3 | {y | y > x})", True),
        ("SIGMA(x).(x : 0..2 | 1 / x)", None),
        ("rec(b : 1, a : 2)", record({"a": 2, "b": 1})),
        ("rec(b : 1, a : 2) = rec(a : 2, b : 1)", True),
        ("rec(b : 1, a : 2)'a", 2),
        ("rec(a : 1 / 0, b : 2)'b", None),
        ("card(struct(a : 1..3, b : BOOL))", 6),
        ("rec(a : 70000, b : TRUE) : struct(b : BOOL, a : NATURAL)", True),
        ("rec(a : -1, b : TRUE) : struct(b : BOOL, a : NATURAL)", False),
        ("{r | r : struct(a : 1..2, b : {5}) & r'a > 1}", {record({"a": 2, "b": 5})}),
        ('{s | s : {"a", "b"} & s /= "a"}', {"b"}),
        ("{{1}, {2, 70000}, {}} <: POW(NATURAL)", True),
        ("{{1}, {2, -1}, {}} <: POW(NATURAL)", False),
        ("{{1}, {}} <: POW1(NATURAL)", False),
        ("{{1}, {2}} <: POW1(NATURAL)", True),
        ("{{1}, {x | x > 4}} <: POW(NATURAL)", True),
        ("{{1}, {x | x > 4}} <: FIN(NATURAL)", False),
        ("{} <: POW1(NATURAL)", True),
        ("{1 |-> 2, 2 |-> 3, 2 |-> 4} <+ {2 |-> 4, 3 |-> 1}", {(1, 2), (2, 4), (3, 1)}),
        ("{2} <<| {1 |-> 2, 2 |-> 3, 2 |-> 4} |>> {7}", {(1, 2)}),
    ],
)
def test_values(text: str, expected: Any) -> None:
    assert value(text) == expected


def test_an_open_predicate_is_solved() -> None:
    assert evaluate_closed("x + 7 = 70000 & y = {x}", {}) == Decided(
        truth=True, solution=(("x", 69993), ("y", frozenset({69993})))
    )
    assert evaluate_closed("x : 1..3 & x > 3", {}) == Decided(truth=False)
    assert isinstance(evaluate_closed("x > 3 & x * x = 7 * x + 1", {}), Decided | Unknown)


# -- free types ---------------------------------------------------------------------------------

FREE = """MACHINE F FREETYPES Shape = dot, square(1..3), polygon(POW(1..2));
  Tree = leaf, node(Tree * Tree)
VARIABLES x, t INVARIANT x : Shape & t : Tree INITIALISATION x := dot || t := leaf
OPERATIONS """


def steps(folder: Path, operation: str) -> tuple[int, list[str], list[str]]:
    """Return the number of transitions, the faults and the gaps of an operation."""
    system = system_of(folder, f"{FREE} {operation} END")
    items = list(system.successors(initial(system)))
    return (
        sum(isinstance(i, Transition) for i in items),
        [i.message for i in items if isinstance(i, Fault)],
        [i.reason for i in items if isinstance(i, Gap)],
    )


@pytest.mark.parametrize(
    ("operation", "count"),
    [
        ("op(p) = PRE p : Shape THEN x := p END", 1 + 3 + 4),
        ("op(p) = PRE p : Shape & p /= dot & p /: square[{1, 2}] THEN x := p END", 5),
        ("op(p) = PRE p : ran(square) THEN x := p END", 3),
        ("op(p) = PRE square(p) : {square(1), square(3), dot} THEN x := square(p) END", 2),
        ("op = SELECT node(leaf |-> leaf) : Tree & leaf /= node(leaf |-> leaf) THEN skip END", 1),
        ("op = SELECT polygon({1}) = polygon({1}) & card(Shape) = 8 THEN t := t END", 1),
        ("op = t := node(t |-> node(t |-> leaf))", 1),
        ("op(p) = PRE p : dom(polygon) & 1 : p THEN x := polygon(p) END", 2),
        ("op = SELECT (2 |-> square(2)) : square & (2 |-> square(3)) /: square THEN skip END", 1),
    ],
)
def test_free_types(tmp_path: Path, operation: str, count: int) -> None:
    assert steps(tmp_path, operation) == (count, [], [])


def test_a_constructor_applied_outside_its_domain_is_ill_defined(tmp_path: Path) -> None:
    count, faults, _ = steps(tmp_path, "op = x := square(4)")
    assert count == 0
    assert len(faults) == 1


def test_infinite_free_types_are_not_enumerated(tmp_path: Path) -> None:
    _, faults, gaps = steps(tmp_path, "op(p) = PRE p : Tree THEN t := p END")
    assert not faults
    assert len(gaps) == 1
