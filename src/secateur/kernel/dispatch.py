"""Which actions look at the same thing first: one jump decides between them.

An action of a process is possible at one place of its program, `pc = 7`.  Of hundreds of such
actions a jump by the value of `pc` finds the few that need be looked at.  The actions of one place
are often the ways through one sequence of statements: their guards begin alike, and where one has a
condition the next has its opposite.  What several of them ask is asked once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import partial, reduce
from itertools import takewhile
from typing import Final

from secateur.kernel.language import (
    STATE,
    WORD,
    Assign,
    Binary,
    Block,
    Choose,
    Expr,
    Has,
    If,
    Load,
    LoadBits,
    Local,
    Number,
    SetOf,
    Statement,
    Truth,
    Unary,
)
from secateur.kernel.operators import Op
from secateur.kernel.ranges import bounds, can_trap
from secateur.kernel.walk import parts
from secateur.source.records import dataclass

_LEAST: Final = 3
"""So many actions at least are worth a jump to one of several places."""
_LEAST_ALIKE: Final = 2
"""So many are worth a condition of their own."""
_LOOKED_AT: Final = 100
"""Of so many actions it is counted how many values they tell apart."""
_LARGEST: Final = 256
"""What a number is not is told by a bit for each of at most so many values."""
_IN_VAIN: Final = 0.45
"""How often a condition that several actions need does not hold: a guess."""


@dataclass(frozen=True, slots=True)
class Conjunct:
    """A part of a guard, which can be asked in any state."""

    expr: Expr
    wanted: Mapping[int, int] = field(hash=False)
    """What it wants the answers to questions to be; each of these says all of it."""
    unwanted: tuple[int, int] | None = None
    """The question and the answer that it does not want, if it says no more than that."""

    def settled(self, question: int, answer: int) -> bool:
        """Whether it holds because of an answer."""
        if self.unwanted is not None and self.unwanted[0] == question:
            return self.unwanted[1] != answer
        return self.wanted.get(question) == answer


@dataclass(frozen=True, slots=True)
class Guarded:
    """The body of an action, with the first parts of its guard apart."""

    body: Block
    """What is done where all of these hold."""
    asked: tuple[Conjunct, ...] = ()
    tests: Mapping[int, int] = field(default_factory=dict)
    """What the answers to questions must be for it to do anything at all."""
    whole: Block | None = None
    """All of it as it was written, where nothing has been asked."""

    def at(self, question: int) -> Guarded:
        """Return the same where the answer to a question is as it must be."""
        answer = self.tests[question]
        left = tuple(c for c in self.asked if not c.settled(question, answer))
        return Guarded(self.body, left, _tests(left))

    def block(self) -> Block:
        """Return what is left of it as one body."""
        if self.whole is not None:
            return self.whole
        if not self.asked:
            return self.body
        condition = reduce(partial(Binary, Op.AND), [c.expr for c in self.asked])
        match self.body:
            case (If(rest, then, ()),):
                return (If(Binary(Op.AND, condition, rest), then),)
        return (If(condition, self.body),)


@dataclass(frozen=True, slots=True)
class Run:
    """Consecutive actions, all of which do nothing unless one question has some answer."""

    members: range
    question: int | None
    """Its number; None where there is none that they share."""


class Questions:
    """What actions ask, by number.

    Either what a number of the state is (a `Load`), or whether a condition holds (1 or 0).
    """

    def __init__(self) -> None:
        self._numbers: dict[Expr, int] = {}
        self._conjuncts: dict[Expr, Conjunct | None] = {}
        self.asked: list[Expr] = []

    def guarded(self, body: Block) -> Guarded:
        """Return a body with those parts of its guard apart that come before anything that may trap."""
        match body:
            case (If(condition, then, otherwise), *others) if _idle(otherwise, others):
                all_ = list(_parts(condition))
                first = list(takewhile(lambda c: c is not None, map(self._conjunct, all_)))
                asked = tuple(c for c in first if c is not None)
                rest = all_[len(asked) :]
                asked = self._gathered(asked)
                left: Block = then
                if rest:
                    left = (If(reduce(partial(Binary, Op.AND), rest), then, otherwise),)
                return Guarded((*left, *others), asked, _tests(asked), body)
        return Guarded(body, whole=body)

    def _number(self, e: Expr) -> int:
        found = self._numbers.setdefault(e, len(self.asked))
        if found == len(self.asked):
            self.asked.append(e)
        return found

    def _conjunct(self, e: Expr) -> Conjunct | None:
        """Return a part of a guard, if it has a value in every state, whatever was asked before it."""
        if e not in self._conjuncts:
            found = None
            if all(map(_always_there, parts(e))) and not can_trap(e):
                asked, holds = _question(e)
                wanted = {self._number(asked): holds}
                unwanted = None
                equation = _equation(asked)
                if equation is not None:
                    number = self._number(equation[0])
                    if holds:
                        wanted[number] = equation[1]
                    else:
                        unwanted = number, equation[1]
                found = Conjunct(e, wanted, unwanted)
            self._conjuncts[e] = found
        return self._conjuncts[e]

    def _gathered(self, asked: tuple[Conjunct, ...]) -> tuple[Conjunct, ...]:
        """Return the same parts, where those that want one number not to be this nor that are one."""
        unwanted: dict[int, set[int]] = {}
        for conjunct in asked:
            if conjunct.unwanted is not None:
                unwanted.setdefault(conjunct.unwanted[0], set()).add(conjunct.unwanted[1])
        wanted = {number for conjunct in asked for number in conjunct.wanted}
        left: dict[Conjunct, None] = {}
        for conjunct in asked:
            number, _ = conjunct.unwanted or (-1, 0)
            values = unwanted.get(number, set())
            gathered = None
            if len(values) >= _LEAST and number not in wanted:
                gathered = self._none_of(self.asked[number], values)
            left[gathered or conjunct] = None
        return tuple(left)

    def _none_of(self, load: Expr, values: set[int]) -> Conjunct | None:
        assert isinstance(load, Load)
        low, size = load.field.least, load.field.size
        if size > _LARGEST or load.field.width == WORD:
            return None
        place = load if low == 0 else Binary(Op.SUBTRACT, load, Number(low))
        mask = sum(1 << (value - low) for value in values if 0 <= value - low < size)
        return self._conjunct(Unary(Op.NOT, Has(SetOf(size, mask), place)))

    def is_number(self, question: int) -> bool:
        """Whether the answer to a question is a number of the state."""
        return isinstance(self.asked[question], Load)

    def runs(self, actions: Sequence[Guarded], *, conditions: bool = True) -> tuple[Run, ...]:
        """Divide actions into runs, in their order; what shares nothing is a run of one.

        One without a body may be in any run.  Without `conditions`, only numbers count.
        """
        tests = [action.tests if action.body else None for action in actions]
        ends = _ends(tests)
        found: list[Run] = []
        start = 0
        while start < len(actions):
            saved = {
                question: self._saved(tests[start:end], question)
                for question, end in ends[start].items()
                if end - start >= _LEAST_ALIKE and (conditions or self.is_number(question))
            }
            # what saves most; the first of several
            best = max(saved, key=lambda each: saved[each], default=None)
            if best is not None and saved[best] <= 0:
                best = None
            end = start + 1 if best is None else ends[start][best]
            found.append(Run(range(start, end), best))
            start = end
        return tuple(found)

    def _saved(self, tests: Sequence[Mapping[int, int] | None], question: int) -> float:
        """Return how many actions less are looked at, on average, if a question is asked first."""
        answers = {each[question] for each in tests[:_LOOKED_AT] if each is not None}
        count = len(tests)
        if self.is_number(question):
            return count - count / len(answers) if count >= _LEAST else 0
        return count / 2 if len(answers) > 1 else (count - 1) * _IN_VAIN


def _tests(asked: Sequence[Conjunct]) -> dict[int, int]:
    tests: dict[int, int] = {}
    for conjunct in asked:
        for question, answer in conjunct.wanted.items():
            tests.setdefault(question, answer)
    return tests


def _ends(tests: Sequence[Mapping[int, int] | None]) -> list[dict[int, int]]:
    """Return, for each action and each question that it asks, where those that ask it end."""
    ends: list[dict[int, int]] = [{} for _ in range(len(tests) + 1)]
    for i in reversed(range(len(tests))):
        after, here = ends[i + 1], tests[i]
        ends[i] = after if here is None else {test: after.get(test, i + 1) for test in here}
    return [{} if t is None else e for t, e in zip(tests, ends, strict=False)]


def _idle(otherwise: Block, others: Sequence[Statement]) -> bool:
    """Whether nothing happens where a first test fails: locals stay false, all others wait."""
    return _nothing_set(otherwise) and all(
        isinstance(s, If)
        and _nothing_set(s.otherwise)
        and isinstance(next(_parts(s.condition)), Local)
        for s in others
    )


def _nothing_set(block: Block) -> bool:
    return all(isinstance(s, Assign) and s.value == Truth(value=False) for s in block)


def _parts(e: Expr) -> Iterator[Expr]:
    """Return the parts of a conjunction, in the order in which they are looked at."""
    if isinstance(e, Binary) and e.op is Op.AND:
        yield from _parts(e.left)
        yield from _parts(e.right)
    else:
        yield e


def _equation(e: Expr) -> tuple[Load, int] | None:
    match e:
        case Binary(Op.EQUAL, Load(_, Number(), buffer) as load, Number(value)) if buffer == STATE:
            return load, value
    return None


def _question(e: Expr) -> tuple[Expr, int]:
    """Return a condition, the same for opposite ones, and whether it must hold."""
    match e:
        case Unary(Op.NOT, operand):
            asked, holds = _question(operand)
            return asked, 1 - holds
        case Binary(Op.LESS_EQUAL, left, right):
            return Binary(Op.LESS, right, left), 0
        case Binary(Op.EQUAL, Number() as number, other):
            return Binary(Op.EQUAL, other, number), 1
    return e, 1


def _always_there(e: Expr) -> bool:
    match e:
        case Load(field, index, buffer):
            low, high = bounds(index)
            return buffer == STATE and 0 <= low <= high < field.count
        case LoadBits(_, buffer):
            return buffer == STATE
        case Number() | Truth() | SetOf() | Binary() | Unary() | Choose() | Has():
            return True
    return False
