"""Going through code: what an expression or a statement is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any, Final

from secateur.kernel.language import (
    STATE,
    WORD,
    Assign,
    Between,
    Binary,
    Block,
    Choose,
    Copy,
    Emit,
    Expr,
    For,
    ForEach,
    Has,
    If,
    Load,
    LoadBits,
    Local,
    Lookup,
    Loop,
    Number,
    Place,
    SetOf,
    Slice,
    Statement,
    Store,
    StoreBits,
    Unary,
    With,
    words_of,
)
from secateur.kernel.places import words_needed
from secateur.source.records import dataclass

_NOTHING: Final = ()
_OPERANDS: Final[dict[type, Callable[[Any], tuple[Expr, ...]]]] = {
    Load: lambda e: (e.index,),
    Lookup: lambda e: (e.index,),
    Unary: lambda e: (e.operand,),
    Binary: attrgetter("left", "right"),
    Choose: attrgetter("condition", "then", "otherwise"),
    Has: attrgetter("set", "element"),
    With: attrgetter("set", "element"),
    Slice: attrgetter("set", "start"),
    Place: attrgetter("set", "start"),
    Between: attrgetter("low", "high"),
}


def operands(e: Expr) -> tuple[Expr, ...]:
    """Return the expressions that an expression is made of."""
    # every expression comes by here several times, and a match would try all cases in turn
    found = _OPERANDS.get(type(e))
    return _NOTHING if found is None else found(e)


def parts(e: Expr) -> Iterator[Expr]:
    """Return an expression and all within it."""
    pending = [e]
    while pending:
        e = pending.pop()
        yield e
        pending.extend(operands(e))


def expressions(s: Statement) -> tuple[Expr, ...]:
    """Return the expressions of a statement itself, not of the blocks within it."""
    match s:
        case Assign(_, value) | StoreBits(_, value):
            return (value,)
        case Store(_, value, index):
            return index, value
        case If(condition):
            return (condition,)
        case For(_, low, high):
            return low, high
        case ForEach(_, set_):
            return (set_,)
        case Emit(_, labels):
            return labels
    return ()


def blocks(s: Statement) -> tuple[Block, ...]:
    """Return the blocks within a statement."""
    match s:
        case If(_, then, otherwise):
            return then, otherwise
        case For() | ForEach() | Loop():
            return (s.body,)
    return ()


def statements(block: Block) -> Iterator[Statement]:
    """Return the statements of a block and all within them, in the order of the text."""
    for s in block:
        yield s
        for inner in blocks(s):
            yield from statements(inner)


def target(s: Statement) -> Local | None:
    """Return the local that a statement assigns itself."""
    match s:
        case Assign(local) | For(local) | ForEach(local):
            return local
    return None


@dataclass(slots=True)
class Uses:
    """What the expressions of a statement (not those of its blocks) look at."""

    size: int
    """About how much code they are."""
    locals: list[Local]
    buffers: list[int]
    """The buffers but STATE."""
    computed: list[int]
    """Those of them in which something is looked for that is not at a known place."""


def uses_of(*results: Expr) -> Uses:
    """Return what some expressions look at."""
    uses = Uses(0, [], [], [])
    pending = list(results)
    while pending:
        e = pending.pop()
        uses.size += 1
        match e:
            case Local(_, type_):
                uses.locals.append(e)
                uses.size += words_of((type_,))
                continue
            case SetOf(width):
                uses.size += words_needed(width)
                continue
            case Load(_, index, buffer) if buffer != STATE:
                uses.buffers.append(buffer)
                if not isinstance(index, Number):
                    uses.computed.append(buffer)
            case LoadBits(region, buffer):
                uses.size += words_needed(region.width)
                if buffer != STATE:
                    uses.buffers.append(buffer)
                    if region.width > WORD:
                        uses.computed.append(buffer)
        pending.extend(operands(e))
    return uses


def _named_buffers(s: Statement) -> tuple[int, ...]:
    match s:
        case Copy(to, source):
            return to, source
        case Store() | StoreBits() | Emit():
            return (s.buffer,)
    return ()


class Survey:
    """What the statements of a program look at, found out once for each of them."""

    def __init__(self) -> None:
        # statements are told apart by identity: comparing them would take long
        self._uses: dict[int, tuple[Statement, Uses]] = {}
        self._buffers: dict[int, frozenset[int]] = {}

    def uses(self, s: Statement) -> Uses:
        """Return what the expressions of a statement look at."""
        found = self._uses.get(id(s))
        if found is None:
            found = self._uses[id(s)] = s, uses_of(*expressions(s))
        return found[1]

    def buffers(self, s: Statement) -> frozenset[int]:
        """Return the buffers but STATE that a statement mentions, with all within it."""
        known = self._buffers.get(id(s))
        if known is None:
            found = {*self.uses(s).buffers, *_named_buffers(s)} - {STATE}
            found.update(b for part in blocks(s) for inner in part for b in self.buffers(inner))
            known = self._buffers[id(s)] = frozenset(found)
        return known

    def shared_buffers(self, body: Block) -> set[int]:
        """Return the buffers that are written in one block and may be looked at in another.

        The others are copied anew in every block that mentions them.
        """
        shared: set[int] = set()

        def looked_at(block: Block) -> set[int]:
            """Return what a block looks at before it copies it."""
            live: set[int] = set()
            for s in reversed(block):
                inner = blocks(s)
                if inner:
                    shared.update(live & self.buffers(s))
                    for part in inner:
                        shared.update(looked_at(part))
                elif isinstance(s, Copy):
                    live.discard(s.target)
                    live.add(s.source)
                else:
                    live.update(_named_buffers(s))
                live.update(self.uses(s).buffers)
            return live

        shared.update(looked_at(body))
        return shared

    def size(self, block: Block) -> int:
        """Return about how much code a block is."""
        return sum(1 + self.uses(s).size for s in statements(block))

    def locals(self, block: Block) -> list[Local]:
        """Return the locals of a block, each as often as it is mentioned."""
        found: list[Local] = []
        for s in statements(block):
            assigned = target(s)
            if assigned is not None:
                found.append(assigned)
            found += self.uses(s).locals
        return found

    def scoped(self, body: Block, *results: Expr) -> set[str]:
        """Return the locals that are assigned at one place and used only after it, in its block.

        Such a local is just a name for a value.
        """
        assigned: set[str] = set()
        others: set[str] = set()

        def walk(block: Block, visible: set[str]) -> set[str]:
            for s in block:
                others.update(v.name for v in self.uses(s).locals if v.name not in visible)
                local = target(s)
                inner = visible
                if local is not None:
                    (others if local.name in assigned else assigned).add(local.name)
                    inner = visible | {local.name}
                    if isinstance(s, Assign):
                        visible = inner
                for part in blocks(s):
                    walk(part, inner)
            return visible

        visible = walk(body, set())
        others.update(v.name for v in uses_of(*results).locals if v.name not in visible)
        return assigned - others
