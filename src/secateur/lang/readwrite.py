"""Which variables an operation reads and may write, from its text alone.

I. Dobrikov, M. Leuschel: *Optimising the ProB Model Checker for B using Partial Order
Reduction*, 2016, Definition 3.1.  Both sets may be too large, never too small.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from typing import assert_never

from secateur.lang.model import Level, Model, Operation
from secateur.lang.simulation import PRIME
from secateur.maths.ast import Binder, Call, Expr, Field, Name, free_names
from secateur.maths.substitution import (
    AnyWhere,
    Assertion,
    Assign,
    BecomesElement,
    BecomesSuch,
    Case,
    Choice,
    IfThen,
    LetBe,
    OperationCall,
    Parallel,
    Precondition,
    Select,
    Sequential,
    Skip,
    Substitution,
    VarIn,
    While,
    children,
)
from secateur.source.records import dataclass

Names = frozenset[str]
Operations = Mapping[str, Operation]


@dataclass(frozen=True, slots=True)
class ReadWrite:
    """The identifiers read, and those that may be written."""

    reads: Names = frozenset()
    writes: Names = frozenset()

    def __or__(self, other: ReadWrite) -> ReadWrite:
        return ReadWrite(self.reads | other.reads, self.writes | other.writes)

    def without(self, names: Iterable[str]) -> ReadWrite:
        """Return the same outside the scope of local `names`."""
        local = frozenset(names)
        return ReadWrite(self.reads - local, self.writes - local)


def of_operation(operation: Operation, callable_: Operations) -> ReadWrite:
    """Return what `operation` reads and may write, apart from its parameters and results."""
    local = [*_names(operation.parameters), *_names(operation.results)]
    promises = _later(o.predicate for o in operation.obligations)
    abstract = _all(map(_of_level, operation.refines))
    return (of_substitution(operation.body, callable_) | promises | abstract).without(local)


def _of_level(level: Level) -> ReadWrite:
    """Return what an abstract event reads to follow, and the variables that it alone has."""
    unknowns = _names(level.unknowns)
    found = frozenset(n.removesuffix(PRIME) for n in unknowns if n.endswith(PRIME))
    conditions = (c.predicate for c in level.conditions)
    promises = (o.predicate for o in level.obligations)
    reads = _later((*conditions, *promises)) | _all(map(_of_level, level.refines))
    return (ReadWrite(writes=found) | reads).without(n for n in unknowns if not n.endswith(PRIME))


def _later(predicates: Iterable[Expr]) -> ReadWrite:
    """To know `x'` is to read x, where it does not change."""
    used = _reads(*predicates).reads
    return ReadWrite(frozenset(name.removesuffix(PRIME) for name in used))


def of_substitution(s: Substitution, callable_: Operations) -> ReadWrite:
    """Return what `s` reads and may write; a call counts as the body of what it calls."""
    match s:
        case Skip():
            return ReadWrite()
        case Assign(targets, values):
            return _all(map(_target, targets)) | _reads(*values)
        case BecomesElement(targets, set_):
            return _all(map(_target, targets)) | _reads(set_)
        case BecomesSuch(targets, condition):
            return _becomes_such(targets, condition)
        case OperationCall(targets, operation, args):
            called = callable_.get(operation)
            inside = ReadWrite() if called is None else of_operation(called, callable_)
            return inside | _all(map(_target, targets)) | _reads(*args)
        case _:
            return _compound(s, callable_)


_Compound = (
    Precondition
    | Assertion
    | Select
    | IfThen
    | Case
    | Choice
    | AnyWhere
    | LetBe
    | VarIn
    | Parallel
    | Sequential
    | While
)


def _compound(s: _Compound, callable_: Operations) -> ReadWrite:
    def all_of(bodies: Iterable[Substitution | None]) -> ReadWrite:
        return _all(of_substitution(b, callable_) for b in bodies if b is not None)

    match s:
        case Precondition(condition, body) | Assertion(condition, body):
            return _reads(condition) | all_of([body])
        case Select(branches, otherwise) | IfThen(branches, otherwise):
            bodies = all_of([*(b.body for b in branches), otherwise])
            return _reads(*(b.condition for b in branches)) | bodies
        case Case(subject, branches, otherwise):
            bodies = all_of([*(b.body for b in branches), otherwise])
            return _reads(subject, *(v for b in branches for v in b.values)) | bodies
        case Choice(parts) | Parallel(parts) | Sequential(parts):
            return all_of(parts)
        case AnyWhere(binders, condition, body) | LetBe(binders, condition, body):
            return (_reads(condition) | all_of([body])).without(_names(binders))
        case VarIn(binders, body):
            return all_of([body]).without(_names(binders))
        case While(condition, body, invariant, variant):
            return _reads(condition, invariant, variant) | all_of([body])
        case _:
            assert_never(s)


def _target(target: Expr) -> ReadWrite:
    """`x` is written; of `f(a)` and `r'b` the rest of `f` and `r` is kept, which reads them."""
    match target:
        case Name(text):
            return ReadWrite(writes=frozenset({text}))
        case Call(function, args):
            return _target(function) | _reads(function, *args)
        case Field(record):
            return _target(record) | _reads(record)
        case _:
            return _reads(target)


def _becomes_such(targets: tuple[Name, ...], condition: Expr) -> ReadWrite:
    """`x` in the condition is the new value, `x$0` reads the old one."""
    written = frozenset(t.text for t in targets)
    used = free_names(condition)
    old = frozenset(name[: -len("$0")] for name in used if name.endswith("$0"))
    plain = frozenset(name for name in used if not name.endswith("$0"))
    return ReadWrite((plain - written) | old, written)


def _reads(*expressions: Expr) -> ReadWrite:
    used = frozenset[str]().union(*map(free_names, expressions))
    return ReadWrite(frozenset(name for name in used if not name.endswith("$0")))


def _all(parts: Iterable[ReadWrite]) -> ReadWrite:
    return reduce(ReadWrite.__or__, parts, ReadWrite())


def _names(binders: Iterable[Binder]) -> list[str]:
    return [b.name for b in binders]


def written_in_loops(model: Model) -> frozenset[str]:
    """Return the variables that loops count with.

    A loop that ends far outside of the range that was guessed would be run in vain, and
    then again by the evaluator.
    """
    found: set[str] = set()

    def look(s: Substitution) -> None:
        if isinstance(s, While):
            found.update(of_substitution(s.body, model.callable).writes)
        for inner in children(s):
            look(inner)

    for operation in model.callable.values():
        look(operation.body)
    return frozenset(found)
