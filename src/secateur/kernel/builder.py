"""Collecting statements: nested blocks, fresh locals, conditions that need statements."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Final

from secateur.kernel.build import FALSE, TRUE, ZERO, and_, choose, is_constant, not_, or_
from secateur.kernel.evaluate_expressions import width_of
from secateur.kernel.language import (
    INT,
    STATE,
    Assign,
    Binary,
    Block,
    Break,
    Choose,
    Copy,
    Emit,
    Expr,
    Field,
    For,
    ForEach,
    If,
    Load,
    Local,
    Loop,
    Number,
    Region,
    Statement,
    Store,
    StoreBits,
    Trap,
    Truth,
    Type,
    Unary,
    type_of,
)
from secateur.kernel.operators import Op
from secateur.kernel.ranges import Bounds, bounds, can_trap
from secateur.kernel.walk import parts

_SHORT: Final = 16
"""Expressions with at most so many parts may be written again and again."""


class Builder:
    """Collects the statements of one program part (one action or predicate)."""

    def __init__(self) -> None:
        self._open: list[list[Statement]] = [[]]
        self._locals = 0
        self._last: tuple[list[Statement], Expr] | None = None

    @property
    def block(self) -> Block:
        """The statements of the innermost open block."""
        return tuple(self._open[-1])

    def add(self, statement: Statement) -> None:
        """Append a statement."""
        self._open[-1].append(statement)
        self._last = None

    def extend(self, statements: Block) -> None:
        """Append some statements."""
        for statement in statements:
            self.add(statement)

    # -- locals ---------------------------------------------------------------------------

    def local(self, type_: Type, hint: str = "t", within: Bounds | None = None) -> Local:
        """Return a new local variable; `hint` is for readers of listings."""
        self._locals += 1
        return Local(f"{hint}.{self._locals}", type_, within)

    def variable(self, initial: Expr, hint: str = "v") -> Local:
        """Return a new local variable that has a value here."""
        target = self.local(type_of(initial), hint)
        self.assign(target, initial)
        return target

    def let(self, value: Expr, hint: str = "t") -> Expr:
        """Return `value` as something that may be used often: a known value or a local.

        A local is returned as it is, so do not assign it later; so is one that becomes 0 or 1,
        and a number of the state, whose bounds are known.
        """
        match value:
            case Local() | Unary(Op.TO_INT, Local()):
                return value
            case Load(_, Number(), buffer) if buffer == STATE:
                return value
        if is_constant(value):
            return value
        if type_of(value) is not INT:
            return self.variable(value, hint)
        low, high = bounds(value)
        # It is 0 where the assignment was not passed.
        target = self.local(INT, hint, (min(low, 0), max(high, 0)))
        self.assign(target, value)
        return target

    def brief(self, value: Expr, hint: str = "t") -> Expr:
        """Return the same as `let`, but what is short and about the state alone stays as it is.

        A guard without statements can be divided and asked in any order, and machine code computes
        what is written twice once.
        """
        return value if _is_short(value) else self.let(value, hint)

    # -- statements -----------------------------------------------------------------------

    def assign(self, target: Local, value: Expr) -> None:
        """Give a local variable a value."""
        self.add(Assign(target, value))

    def store(self, field: Field, value: Expr, index: Expr = ZERO, buffer: int = 1) -> None:
        """Write a number into a buffer."""
        self.add(Store(field, value, index, buffer))

    def store_bits(self, region: Region, value: Expr, buffer: int = 1) -> None:
        """Write a set into a buffer."""
        self.add(StoreBits(region, value, buffer))

    def copy(self, target: int, source: int = STATE) -> None:
        """Copy a buffer."""
        self.add(Copy(target, source))

    def emit(self, buffer: int, *labels: Expr) -> None:
        """Emit the state in a buffer."""
        self.add(Emit(buffer, labels))

    def trap(self, reason: str, sees: int = 0) -> None:
        """Give up; who takes over looks at the bits of `sees`, too."""
        self.add(Trap(reason, sees))

    def trap_if(self, condition: Expr, reason: str) -> None:
        """Give up if a condition holds."""
        if condition != FALSE:
            with self.if_(condition):
                self.trap(reason)

    def trap_unless(self, condition: Expr, reason: str) -> None:
        """Give up unless a condition holds."""
        self.trap_if(not_(condition), reason)

    def break_(self) -> None:
        """Leave the innermost loop."""
        self.add(Break())

    # -- blocks ---------------------------------------------------------------------------

    @contextmanager
    def nested(self) -> Iterator[list[Statement]]:
        """Collect statements apart; nothing is appended."""
        self._open.append([])
        try:
            yield self._open[-1]
        finally:
            self._open.pop()
            self._last = None

    @contextmanager
    def if_(self, condition: Expr) -> Iterator[None]:
        """Statements that run if a condition holds; `else_` may follow."""
        with self.nested() as then:
            yield
        if isinstance(condition, Truth):
            self.extend(tuple(then) if condition.value else ())
        else:
            self.add(If(condition, tuple(then)))
        self._last = self._open[-1], condition

    @contextmanager
    def else_(self) -> Iterator[None]:
        """Statements that run if the condition of the `if_` just before does not hold."""
        assert self._last is not None, "else_ must follow if_"
        home, condition = self._last
        assert home is self._open[-1]
        with self.nested() as otherwise:
            yield
        if isinstance(condition, Truth):
            self.extend(() if condition.value else tuple(otherwise))
        else:
            before = home.pop()
            assert isinstance(before, If)
            self.add(If(condition, before.then, tuple(otherwise)))

    @contextmanager
    def for_(self, low: Expr, high: Expr, hint: str = "i") -> Iterator[Local]:
        """Statements for every number from `low` to `high`."""
        first, last = bounds(low)[0], bounds(high)[1]
        # The body of a loop without rounds may think what it likes.
        variable = self.local(INT, hint, (first, max(first, last)))
        with self.nested() as body:
            yield variable
        self.add(For(variable, low, high, tuple(body)))

    @contextmanager
    def for_each(self, set_: Expr, hint: str = "e") -> Iterator[Local]:
        """Statements for every element of a set."""
        variable = self.local(INT, hint, (0, max(0, width_of(set_) - 1)))
        with self.nested() as body:
            yield variable
        self.add(ForEach(variable, set_, tuple(body)))

    @contextmanager
    def loop(self) -> Iterator[None]:
        """Statements again and again, until a `break_`."""
        with self.nested() as body:
            yield
        self.add(Loop(tuple(body)))


# -- values that need statements --------------------------------------------------------------


def both(builder: Builder, left: Expr, right: Callable[[], Expr]) -> Expr:
    """Return left & right(); the statements of `right` run only if `left` holds."""
    if left == FALSE:
        return FALSE
    with builder.nested() as needed:
        value = right()
    if needed and left != TRUE:
        return _stored(builder, left, (tuple(needed), value), ((), FALSE))
    builder.extend(tuple(needed))
    return and_(left, value)


def either(builder: Builder, left: Expr, right: Callable[[], Expr]) -> Expr:
    """Return left or right(); the statements of `right` run only if `left` does not hold."""
    if left == TRUE:
        return TRUE
    with builder.nested() as needed:
        value = right()
    if needed and left != FALSE:
        return _stored(builder, left, ((), TRUE), (tuple(needed), value))
    builder.extend(tuple(needed))
    return or_(left, value)


def one_of(
    builder: Builder, condition: Expr, then: Callable[[], Expr], otherwise: Callable[[], Expr]
) -> Expr:
    """Return then() or otherwise(); only the statements of that one run."""
    if isinstance(condition, Truth):
        return then() if condition.value else otherwise()
    with builder.nested() as needed_then:
        value = then()
    with builder.nested() as needed_otherwise:
        other = otherwise()
    ways = (tuple(needed_then), value), (tuple(needed_otherwise), other)
    return one_way(builder, condition, *ways)


def one_way(
    builder: Builder, condition: Expr, then: tuple[Block, Expr], otherwise: tuple[Block, Expr]
) -> Expr:
    """Return one of two values, each with the statements that it needs; only those run."""
    if not then[0] and not otherwise[0]:
        return choose(condition, then[1], otherwise[1])
    return _stored(builder, condition, then, otherwise)


def _stored(
    builder: Builder, condition: Expr, then: tuple[Block, Expr], otherwise: tuple[Block, Expr]
) -> Local:
    result = builder.local(type_of(then[1]), "r")
    builder.add(
        If(
            condition,
            (*then[0], Assign(result, then[1])),
            (*otherwise[0], Assign(result, otherwise[1])),
        )
    )
    return result


def _is_short(e: Expr) -> bool:
    """Whether an expression is short, about the state alone and never without a value."""
    few = list(islice(parts(e), _SHORT + 1))
    return len(few) <= _SHORT and all(map(_always_there, few)) and not can_trap(e)


def _always_there(e: Expr) -> bool:
    match e:
        case Load(_, Number(), buffer):
            return buffer == STATE
        case Number() | Truth() | Choose() | Binary() | Unary():
            return True
    return False
