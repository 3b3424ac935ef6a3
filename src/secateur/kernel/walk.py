"""Going through code: what an expression or a statement is made of."""

from __future__ import annotations

from collections.abc import Iterator

from secateur.kernel.language import (
    STATE,
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
    Place,
    Slice,
    Statement,
    Store,
    StoreBits,
    Unary,
    With,
)


def operands(e: Expr) -> tuple[Expr, ...]:
    """Return the expressions that an expression is made of."""
    match e:
        case Load(_, index) | Lookup(_, index):
            return (index,)
        case Binary(_, left, right):
            return left, right
        case Unary(_, operand):
            return (operand,)
        case Choose(condition, then, otherwise):
            return condition, then, otherwise
        case Has(set_, element) | With(set_, element):
            return set_, element
        case Slice(set_, start) | Place(set_, start):
            return set_, start
        case Between(_, low, high):
            return low, high
    return ()


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


def buffers(s: Statement) -> list[int]:
    """Return the buffers but STATE that a statement mentions, with all within it."""
    found: list[int] = []
    for inner in statements((s,)):
        match inner:
            case Copy(to, source):
                found += (to, source)
            case Store() | StoreBits() | Emit():
                found.append(inner.buffer)
        for e in expressions(inner):
            found += (p.buffer for p in parts(e) if isinstance(p, Load | LoadBits))
    return [b for b in found if b != STATE]


def scoped_locals(body: Block, *results: Expr) -> set[str]:
    """Return the locals that are assigned at one place and used only after it, in its block.

    Such a local is just a name for a value.
    """
    assigned: set[str] = set()
    others: set[str] = set()

    def use(e: Expr, visible: set[str]) -> None:
        others.update(p.name for p in parts(e) if isinstance(p, Local) and p.name not in visible)

    def assign(local: Local) -> None:
        (others if local.name in assigned else assigned).add(local.name)

    def walk(block: Block, visible: set[str]) -> None:
        visible = set(visible)
        for s in block:
            for e in expressions(s):
                use(e, visible)
            local = target(s)
            inner = visible
            if local is not None:
                assign(local)
                inner = visible | {local.name}
                if isinstance(s, Assign):
                    visible = inner
            for part in blocks(s):
                walk(part, inner)

    walk(body, set())
    outermost = {s.target.name for s in body if isinstance(s, Assign)}
    for e in results:
        use(e, outermost)
    return assigned - others
