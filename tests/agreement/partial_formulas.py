"""Random machines with operators that are not defined everywhere, in every kind of place."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

_NUMBERS = ("n", "m", "0", "1", "2", "3", "8", "k")
_SETS = ("s", "t", "dom(f)", "ran(f)", "0..3", "1..n", "{}", "{8, 1}", "ran(q)", "s - t", "s \\/ t")
_BOUND = "xyzuvw"
_STATES = (
    ("0", "2", "{8, 1}", "{}", "{0 |-> 1, 1 |-> 8}", "[]", "{}"),
    (
        "8", "1", "{8, 1}", "{1, 2}", "{1 |-> 8, 8 |-> 2, 2 |-> 2}", "[3, 1]", "{1 |-> {8}, 8 |-> {}}",
    ),
    ("3", "0", "{0, 8}", "{8}", "{}", "[8]", "{3 |-> {1, 8}}"),
    (
        "1", "8", "{1, 3, 8}", "{0, 1, 2, 3}", "{0 |-> 0, 1 |-> 2, 3 |-> 8, 8 |-> 0}", "[1, 2]", "{}",
    ),
)  # fmt: skip
_HEAD = """MACHINE Partial
CONSTANTS k PROPERTIES k : 1..1
VARIABLES n, m, s, t, f, q, g
INVARIANT n : 0..8 & m : 0..8 & s <: 0..8 & t <: 0..8 & f : 0..8 +-> 0..8
  & q : seq(0..8) & size(q) <= 3 & g : 0..8 +-> POW(0..8)
"""

Bound = tuple[str, ...]


class Formulas:
    """Draws formulas of at most a given depth, about the variables and `bound` identifiers."""

    def __init__(self, draw: DrawFn) -> None:
        self._draw = draw

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1."""
        return self._draw(st.integers(0, n - 1))

    def pick(self, items: Sequence[str]) -> str:
        """Return one of `items`."""
        return items[self.below(len(items))]

    def number(self, depth: int, bound: Bound = ()) -> str:
        """Return an expression for a number."""
        atoms = _NUMBERS + bound * 4
        if depth <= 0:
            return self.pick(atoms)

        def number() -> str:
            return self.number(depth - 1, bound)

        def set_() -> str:
            return self.set(depth - 1, bound)

        ways: tuple[Callable[[], str], ...] = (
            lambda: self.pick(atoms),
            lambda: f"({number()} / ({number()} - {number()}))",
            lambda: f"({number()} mod {number()})",
            lambda: f"f({number()})",
            lambda: f"q({number()})",
            lambda: f"min({set_()})",
            lambda: f"max({set_()})",
            lambda: f"card({set_()})",
            lambda: "first(q)",
            lambda: f"({number()} + {number()})",
            lambda: f"({number()} - {number()})",
            lambda: f"SIGMA{self._searched(depth, bound, '|')}",
        )
        return ways[self.below(len(ways))]()

    def set(self, depth: int, bound: Bound = ()) -> str:
        """Return an expression for a set of numbers."""
        way = self.below(9) if depth > 0 else 0
        if way < 4:
            return self.pick(_SETS)
        if way == 4:
            return f"{{{self.number(depth - 1, bound)}, {self.number(depth - 1, bound)}}}"
        if way == 5:
            x = _BOUND[len(bound)]
            condition = self.predicate(depth - 1, (*bound, x))
            return f"{{{x} | {x} : {self.set(depth - 1, bound)} & {condition}}}"
        if way == 6:
            return f"({self.set(depth - 1, bound)} /\\ f[{self.set(depth - 1, bound)}])"
        if way == 7:
            return f"g({self.number(depth - 1, bound)})"
        return f"ran(%{self._searched(depth, bound, '|')})"

    def _searched(self, depth: int, bound: Bound, mark: str) -> str:
        """Return `x.(x : S & P | E)`."""
        x = _BOUND[len(bound)]
        inner = (*bound, x)
        condition = f"{x} : {self.set(depth - 1, bound)} & {self.predicate(depth - 1, inner)}"
        return f"({x}).({condition} {mark} {self.number(depth - 1, inner)})"

    def _comparison(self, depth: int, bound: Bound) -> str:
        way = self.below(8)
        if way < 4:
            sides = self.number(depth - 1, bound), self.number(depth - 1, bound)
            return f"{sides[0]} {self.pick(('=', '<', '>', '/=', '<='))} {sides[1]}"
        if way < 6:
            element = self.number(depth - 1, bound)
            return f"{element} {self.pick((':', '/:'))} {self.set(depth - 1, bound)}"
        sides = self.set(depth - 1, bound), self.set(depth - 1, bound)
        if way == 6:
            return f"{sides[0]} {self.pick(('<:', '=', '/=', '/<:'))} {sides[1]}"
        return f"f : {sides[0]} +-> {sides[1]}"

    def predicate(self, depth: int, bound: Bound = ()) -> str:
        """Return a predicate."""
        way = self.below(11) if depth > 0 and len(bound) < 4 else 0
        if way < 3:
            return self._comparison(max(depth, 1), bound)
        if way < 6:
            sides = self.predicate(depth - 1, bound), self.predicate(depth - 1, bound)
            return f"({sides[0]} {('&', 'or', '=>')[way - 3]} {sides[1]})"
        if way == 6:
            return f"not({self.predicate(depth - 1, bound)})"
        return self._quantified(depth, bound, "#" if way < 9 else "!")

    def _quantified(self, depth: int, bound: Bound, quantifier: str) -> str:
        names = tuple(_BOUND[len(bound) : len(bound) + 1 + self.below(4) // 3])
        inner = bound + names
        parts = [f"{x} : {self.set(depth - 1, bound)}" for x in names]
        parts += [self.predicate(depth - 1, inner) for _ in range(1 + self.below(2))]
        if self.below(4) == 0:
            parts.reverse()
        body = " & ".join(parts)
        if quantifier == "!" and self.below(4) == 0:
            ends = self.predicate(depth - 1, inner), self.predicate(depth - 1, inner)
            body = f"{ends[0]} or not({body}) or {ends[1]}"
        elif quantifier == "!":
            body += f" => {self.predicate(depth - 1, inner)}"
        return f"{quantifier}({', '.join(names)}).({body})"

    def operation(self, name: str, depth: int) -> str:
        """Return an operation."""
        condition = self.predicate(depth)
        about_x = self.predicate(depth - 1, ("x",))
        some = self.set(depth - 1)
        about_both = self.predicate(depth - 1, ("x", "y"))
        members = f"y : {some} & y : 0..8"
        return (
            f"{name} = SELECT {condition} THEN n := 0 END",
            f"{name}(x) = PRE x : {some} & {about_x} & x : 0..8 THEN n := x END",
            f"{name} = ANY x WHERE x : {some} & {about_x} THEN m := min({{8, max({{0, x}})}}) END",
            f"{name} = IF {condition} THEN n := 1 ELSE m := 1 END",
            f"{name} = SELECT {condition} THEN n := 1 WHEN n < m THEN m := 2 END",
            f"{name} = BEGIN n :: {{x | x : 0..8 & {about_x}}} END",
            f"{name}(x, y) = PRE x : 0..3 & {about_both} & {members} THEN n, m := x, y END",
        )[self.below(7)]


@st.composite
def partial_machines(draw: DrawFn, depth: int = 3) -> str:
    """Return a machine whose invariant, assertion and operations may be ill-defined."""
    formulas = Formulas(draw)
    start = ", ".join(_STATES[formulas.below(len(_STATES))])
    operations = "; ".join(
        formulas.operation(f"op{i}", depth) for i in range(1 + formulas.below(3))
    )
    return (
        f"{_HEAD}  & ({formulas.predicate(depth)})\nASSERTIONS {formulas.predicate(depth)}\n"
        f"INITIALISATION n, m, s, t, f, q, g := {start}\nOPERATIONS {operations}\nEND\n"
    )
