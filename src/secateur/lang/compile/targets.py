"""What is assigned to: variables, elements of functions, fields of records."""

from __future__ import annotations

from secateur.kernel import build as k
from secateur.kernel.builder import Builder
from secateur.kernel.language import Expr, Load, LoadBits, Number
from secateur.lang.compile.expressions import Lowering
from secateur.lang.compile.scope import Scope
from secateur.lang.compile.stored import item_place, write
from secateur.lang.compile.values import Duo, NotCompiled, Num, V, checked_index, settled
from secateur.lang.slots.cells import Cell, FunctionCell, RecordCell, SequenceCell, SubsetCell
from secateur.lang.slots.codec import bits_of
from secateur.lang.slots.spaces import Pairs
from secateur.maths.ast import Apply, Call, Field, Name, SetDisplay
from secateur.maths.ast import Expr as Formula
from secateur.maths.operators.relations import OVERWRITE, PAIR
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Target:
    """A place to write to: the value with a number of a cell, or one element of it.

    `arguments` lead from there on: values of a function's arguments, or names of fields.
    """

    name: str
    path: tuple[V | str, ...] = ()


def base_name(target: Formula) -> str:
    """Return the variable that is assigned to, in whole or in part."""
    match target:
        case Name(text):
            return text
        case Call(function):
            return base_name(function)
        case Field(record):
            return base_name(record)
    raise NotCompiled("an assignment to an expression")


def target(lowering: Lowering, e: Formula, scope: Scope) -> Target:
    """Return the place that an expression on the left of `:=` stands for."""
    match e:
        case Name(text):
            return Target(text)
        case Call(function, args):
            argument = lowering.value(args[0], scope)
            for each in args[1:]:
                argument = Duo(argument, lowering.value(each, scope))
            inner = target(lowering, function, scope)
            return Target(inner.name, (*inner.path, settled(lowering.b, argument)))
        case Field(record, name):
            inner = target(lowering, record, scope)
            return Target(inner.name, (*inner.path, name))
    raise NotCompiled("an assignment to an expression")


def as_element(left: Formula, right: Formula) -> tuple[Formula, Formula]:
    """Return `f(x) := y` for `f := f <+ {x |-> y}`, and anything else as it is."""
    match left, right:
        case (
            Name(text),
            Apply(operator, (Name(same), SetDisplay((Apply(pair, (argument, value)),)))),
        ) if operator is OVERWRITE and pair is PAIR and same == text:
            return Call(left, (argument,), left.span), value
    return left, right


def assign(b: Builder, to: Target, value: V, scope: Scope, buffer: int) -> None:
    """Write a value into a buffer."""
    cell = scope.cells.get(to.name)
    if cell is None:
        raise NotCompiled(f"an assignment to {to.name}, which is no variable")
    _assign(b, cell, k.ZERO, (to.path, value), buffer)


def _assign(
    b: Builder, cell: Cell, number: Expr, what: tuple[tuple[V | str, ...], V], buffer: int
) -> None:
    path, value = what
    if not path:
        write(b, cell, value, buffer, number)
        return
    step, rest = path[0], path[1:]
    match cell, step:
        case (RecordCell(names, parts), str()):
            _assign(b, parts[names.index(step)], number, (rest, value), buffer)
        case (FunctionCell(domain, defined, inner), _) if not isinstance(step, str):
            argument = checked_index(b, domain, step)
            place = b.let(k.add(k.multiply(number, Number(domain.size)), argument), "place")
            if defined is not None:
                if rest:
                    # A part of a value that is not there: the evaluator says what is wrong.
                    there = Load(bits_of(defined), place, buffer)
                    b.trap_unless(k.equal(there, k.ONE), "outside the domain")
                else:
                    b.store(bits_of(defined), k.ONE, place, buffer)
            _assign(b, inner, place, (rest, value), buffer)
        case (SequenceCell(_, length, inner), Num(expr)):
            position = b.let(expr, "at")
            inside = k.and_(
                k.less_equal(k.ONE, position), k.less_equal(position, Load(length, number, buffer))
            )
            b.trap_unless(inside, "outside the sequence")
            place = b.let(item_place(cell, number, position), "place")
            _assign(b, inner, place, (rest, value), buffer)
        case (SubsetCell(region, Pairs(left, right) as space), _) if (
            not rest and not isinstance(step, str) and region.width == space.size
        ):
            width = right.size
            start = b.let(k.multiply(checked_index(b, left, step), Number(width)), "start")
            kept = k.minus(LoadBits(region, buffer), k.place(k.full(width), start, space.size))
            bit = k.add(start, checked_index(b, right, value))
            b.store_bits(region, k.with_(kept, bit), buffer)
        case _:
            raise NotCompiled("an assignment to a part of what is stored as a whole")
