"""Elements, what can be a location in the graph of a body, and chains of them.

An element is a statement, the head of a choice, or the place where the options of a choice
meet.  `chains.py` makes them of statements, `automata.py` makes a graph of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from enum import Enum, auto

from secateur.lang.promela import ast
from secateur.source import NOWHERE, Span
from secateur.source.records import dataclass


class Kind(Enum):
    """What an element is."""

    STEP = auto()
    """A statement that does something by itself, `else` among them."""
    GOTO = auto()
    """`goto` and `break`."""
    JOIN = auto()
    """Where the options of a choice, or the two parts of an `unless`, meet."""
    EXIT = auto()
    """Where `break` leads."""
    CHOICE = auto()
    """`if`, `do`: any of its options."""
    UNLESS = auto()
    BLOCK = auto()
    """`{...}`, and `atomic` inside of `atomic`."""
    ATOMIC = auto()
    D_STEP = auto()
    STOP = auto()
    """The end of the body of a process."""


SEQUENCES = (Kind.BLOCK, Kind.ATOMIC, Kind.D_STEP)
"""The kinds that have a `body`."""


@dataclass(eq=False, slots=True)
class Element:
    """One element; what follows it, and whether it is inside `atomic`, is settled bit by bit."""

    number: int
    kind: Kind
    span: Span = NOWHERE
    statement: ast.Statement | None = None
    following: Element | None = None
    options: list[Chain] = field(default_factory=list)
    """Of a choice; of an `unless`, the body and the escape."""
    body: Chain | None = None
    goal: Element | None = None
    """Where a jump leads."""
    scope: tuple[int, ...] = ()
    """The blocks that a jump is in, from outside to inside."""
    inside: bool = False
    """Whether the process goes on alone after it: it is inside `atomic`, but not the last there."""
    last: bool = False
    """Whether it is the last of an `atomic`."""
    escapes: list[Chain] = field(default_factory=list)
    """The escape sequences that can be taken here, the outermost first."""
    labels: list[str] = field(default_factory=list)
    done: bool = False


@dataclass(eq=False, slots=True)
class Chain:
    """A sequence of elements, each of which leads to the next."""

    first: Element | None = None
    final: Element | None = None
    """Including the place to which the sequence leads, once that is known."""
    extent: Element | None = None
    """The last element that was written."""

    def elements(self, until: Element | None) -> Iterable[Element]:
        """From the first element to `until`."""
        element = self.first
        while element is not None:
            yield element
            if element is until:
                return
            element = element.following

    def append(self, element: Element) -> None:
        """`element` after all others."""
        if self.final is None:
            self.first = element
        else:
            self.final.following = element
        self.final = element


def leave_out_skips(option: Chain) -> None:
    """Of several `skip` in a row in an option, those after the first are left out.

    Only where they have no label and are neither first nor last; a `printf` counts as `skip`
    but is not left out.
    """
    row, before = 0, option.first
    for element in list(option.elements(None)):
        if element.labels or not _is_skip(element.statement):
            row = 0
        else:
            row += 1
            redundant = row > 1 and isinstance(element.statement, ast.Condition)
            if redundant and element not in (option.first, option.final):
                assert before is not None
                before.following = element.following
                element.done = True
                continue
        before = element


def _is_skip(statement: ast.Statement | None) -> bool:
    match statement:
        case ast.Print() | ast.Condition(condition=ast.Number(value=1)):
            return True
    return False


# -- atomic, unless --------------------------------------------------------------------------------


def make_atomic(chain: Chain, *, within_d_step: bool) -> None:
    """Marks all of `chain` as inside of an `atomic`, except for its last element."""
    _mark_inside(chain, within_d_step=within_d_step)
    final = chain.final
    assert final is not None
    if final.kind in (Kind.BLOCK, Kind.ATOMIC) and final.body is not None:
        make_atomic(final.body, within_d_step=within_d_step)
    elif final.kind is Kind.UNLESS:
        make_atomic(final.options[0], within_d_step=within_d_step)
    else:
        final.inside, final.last = False, True


def _mark_inside(chain: Chain, *, within_d_step: bool) -> None:
    """An `atomic` inside is now a mere block; so is a `d_step` inside of a `d_step`."""
    for element in chain.elements(chain.final):
        element.inside = True
        if element.kind is Kind.ATOMIC or (element.kind is Kind.D_STEP and within_d_step):
            element.kind = Kind.BLOCK
        if element.kind is Kind.BLOCK and element.body is not None:
            _mark_inside(element.body, within_d_step=within_d_step)
        for option in element.options:
            _mark_inside(option, within_d_step=within_d_step)


def attach_escape(chain: Chain, escape: Chain) -> None:
    """`escape` can be taken at every element of `chain`."""
    for element in chain.elements(chain.extent):
        _attach(element, escape)


def _attach(element: Element, escape: Chain) -> None:
    """`escape` can be taken at `element`, at all that is inside it, and in its own escapes."""
    if escape in element.escapes:
        return
    for inner in element.escapes:
        attach_escape(inner, escape)
    element.escapes.insert(0, escape)
    if element.kind is Kind.UNLESS:
        attach_escape(element.options[0], escape)
    for option in element.options if element.kind is Kind.CHOICE else ():
        attach_escape(option, escape)
    if element.kind is Kind.D_STEP and element.body is not None:
        assert element.body.first is not None
        _attach(element.body.first, escape)
    elif element.body is not None:
        attach_escape(element.body, escape)
