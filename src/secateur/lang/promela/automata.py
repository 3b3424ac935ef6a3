"""From the body of a proctype to its graph: the locations and edges that Spin gives it.

A jump is a step of its own only where it has to be: as the first statement of an option, or
where it leads out of an `atomic`.  Elsewhere the edge before it leads to where it leads.
What begins with a choice (or a block) has the edges of all that it can begin with.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from itertools import groupby
from operator import itemgetter

from secateur.lang.promela import ast
from secateur.lang.promela.automaton import (
    Automaton,
    Deterministic,
    Edge,
    Escape,
    Jump,
    Location,
    Step,
    Terminate,
)
from secateur.lang.promela.chains import Builder
from secateur.lang.promela.elements import SEQUENCES, Chain, Element, Kind
from secateur.source import Span
from secateur.source.records import dataclass

OUT = 0
"""The location of a `d_step` where it is over."""

GONE = -1
"""Where the last step of a process leads."""


def automata(program: ast.Program) -> dict[str, Automaton]:
    """The graphs of all proctypes and claims, by name."""
    graphs = {p.name: automaton(p, seen=asked_for(program, p.name)) for p in program.proctypes}
    for claim in program.nevers:
        graphs[claim.name] = automaton(claim, claim=True)
    return graphs


def asked_for(program: ast.Program, proctype: str) -> frozenset[str]:
    """The labels of `proctype` that are asked for from outside: `P@label`."""
    found: set[str] = set()
    todo: list[object] = [program.proctypes, program.nevers, program.ltl]
    while todo:
        node = todo.pop()
        if isinstance(node, tuple):
            todo.extend(node)
        elif is_dataclass(node) and not isinstance(node, Span | ast.Variable):
            todo.extend(getattr(node, part.name) for part in fields(node))
            if isinstance(node, ast.RemoteLabel) and node.proctype == proctype:
                found.add(node.label)
    return frozenset(found)


def automaton(
    proctype: ast.Proctype, *, claim: bool = False, seen: frozenset[str] = frozenset()
) -> Automaton:
    """The graph of `proctype`; `seen` are its labels that other processes ask for (`P@label`)."""
    builder = Builder(claim=claim)
    chain = builder.whole(proctype.body)
    builder.seen_from_outside(seen)
    _tie_ends(builder.elements)
    graph = _Graph(builder.elements)
    graph.put_chain(chain)
    first, final = chain.first, chain.extent
    assert first is not None
    assert final is not None
    start = _landing(first, inside=first.inside)
    return graph.automaton(proctype.name, start.number, final.number)


def _tie_ends(elements: list[Element]) -> None:
    """The end of a block leads to what follows the block; outer blocks come first."""
    for element in reversed(elements):
        if element.kind not in (Kind.BLOCK, Kind.ATOMIC) or element.body is None:
            continue
        following = element.following
        while following is not None and following.kind is Kind.JOIN:
            following = following.following
        final = element.body.final
        if following is not None and final is not None:
            if final.following is None:
                final.following = following
            elif final.following.kind is Kind.GOTO:
                element.body.final = final.following


def _landing(element: Element, *, inside: bool) -> Element:
    """Where a step that leads to `element` ends: past jumps, but not tacitly out of `atomic`."""
    passed: set[int] = set()
    while element.number not in passed:
        passed.add(element.number)
        further = _further(element, inside=inside)
        if further is None or (inside and not further.inside):
            return element
        element = further
    return element


def _further(element: Element, *, inside: bool) -> Element | None:
    """Where a mere jump leads; None for all others."""
    if element.kind is Kind.GOTO:
        return element.goal
    if element.kind in (Kind.JOIN, Kind.EXIT):
        return element.following
    if element.kind is Kind.UNLESS:
        first = element.options[0].first
        assert first is not None
        return _landing(first, inside=inside)
    return None


def _beginning(chain: Chain | None) -> Element:
    """The element with which a chain begins as an option."""
    assert chain is not None
    element = chain.first
    assert element is not None
    while True:
        if element.kind is Kind.JOIN and element.following is not None:
            element = element.following
        elif element.kind is Kind.UNLESS and element.options[0].first is not None:
            element = element.options[0].first
        else:
            return element


def _patch_jumps(chain: Chain) -> None:
    """A jump out of an `atomic` ends it; a jump from its end into an `atomic` does not."""
    for element in chain.elements(chain.extent):
        if element.kind is Kind.GOTO and element.goal is not None:
            into = element.goal.inside or element.goal.last
            if (element.inside or element.last) and not into:
                element.inside, element.last = False, True
            if element.last and into:
                element.inside, element.last = True, False
        elif element.kind is not Kind.GOTO:
            for option in element.options:
                _patch_jumps(option)


@dataclass(slots=True)
class _Marks:
    """What the labels of a location mean."""

    end: bool = False
    progress: bool = False
    accept: bool = False

    def add(self, other: _Marks) -> None:
        self.end |= other.end
        self.progress |= other.progress
        self.accept |= other.accept


@dataclass(frozen=True, slots=True)
class _Move:
    """What a simple element does: its step, where that leads, and where it can be escaped from."""

    element: Element
    step: Step
    target: int
    escapes: tuple[int, ...]


class _Graph:
    """The moves and choices of one body, by the numbers of the elements."""

    def __init__(self, elements: list[Element]) -> None:
        self._elements = {element.number: element for element in elements}
        self._moves: dict[int, _Move] = {}
        self._choices: dict[int, list[int]] = {}
        self._made: dict[tuple[int, int], Edge] = {}
        self._before: dict[int, list[tuple[int, int, int]]] = {}

    # -- from chains to moves -------------------------------------------------------------------

    def put_chain(self, chain: Chain) -> None:
        """All elements of `chain`, and what is inside them."""
        for element in chain.elements(chain.final):
            if not element.done:
                element.done = True
                self._put(element)

    def _put(self, element: Element) -> None:
        if element.kind is Kind.UNLESS:
            self.put_chain(element.options[0])
        elif element.kind is Kind.CHOICE:
            begins = [_beginning(option) for option in element.options]
            self._choices[element.number] = [e.number for e in begins if not _never(e)]
            for option in element.options:
                self.put_chain(option)
        elif element.kind in SEQUENCES:
            self._put_sequence(element)
        else:
            self._put_move(element, _step(element))

    def _put_sequence(self, element: Element) -> None:
        body = element.body
        assert body is not None
        _patch_jumps(body)
        if element.kind is Kind.D_STEP:
            self._put_move(element, Deterministic(_inner(body, list(self._elements.values()))))
            return
        assert body.final is not None
        body.final.following = element.following
        self._choices[element.number] = [_beginning(body).number]
        self.put_chain(body)

    def _put_move(self, element: Element, step: Step) -> None:
        target = GONE
        onward = element.goal if element.kind is Kind.GOTO else element.following
        if onward is not None:
            target = _landing(onward, inside=element.inside).number
        escapes = [] if element.kind is Kind.JOIN else element.escapes
        starts: list[int] = []
        for escape in escapes:
            assert escape.first is not None
            starts.append(_landing(escape.first, inside=element.inside).number)
        self._moves[element.number] = _Move(element, step, target, tuple(starts))
        for escape in escapes:
            self.put_chain(escape)

    # -- from moves to edges --------------------------------------------------------------------

    def automaton(self, name: str, start: int, end: int) -> Automaton:
        """The locations that can be reached from `start`, and their edges."""
        marks = self._marks(end)
        reached = self._reached(start, end)
        locations = [self._location(number, marks[number]) for number in sorted(reached)]
        edges = [edge for number in sorted(reached) for edge in self._edges(number)]
        elsewhere = reached | self._begun()
        unreachable = [
            edge
            for number in sorted(self._moves)
            if number not in elsewhere
            for edge in self._edges(number)
            if not does_nothing(edge.step)
        ]
        return Automaton(name, start, end, locations, edges, unreachable)

    def _begun(self) -> set[int]:
        """The moves with which choices begin, at the location of the choice."""
        return {leaf for number in self._choices for leaf in self._leaves(number)}

    def _leaves(self, number: int) -> list[int]:
        """The simple elements with which what is at `number` begins."""
        if number not in self._choices:
            return [number] if number in self._moves else []
        return [leaf for option in self._choices[number] for leaf in self._leaves(option)]

    def _edges(self, number: int) -> list[Edge]:
        return [self._edge(number, leaf) for leaf in self._leaves(number)]

    def _edge(self, number: int, leaf: int) -> Edge:
        """The edge of a move at a location, the same one whenever it is asked for."""
        if (number, leaf) not in self._made:
            move = self._moves[leaf]
            inside, span = move.element.inside, move.element.span
            self._made[number, leaf] = Edge(
                number, move.target, move.step, inside, span, number=leaf
            )
        return self._made[number, leaf]

    def _escaping(self, number: int) -> list[tuple[int, int, int]]:
        """What goes before at `number`: the escape that it counts for, where it is, which move.

        This is what Spin does (`retrans` in its verifiers): for each of its moves, every
        statement of its escapes, from the innermost to the outermost, is put in front.  Locations
        are done in the order of their numbers; an escape that is done already brings its own
        escapes, which count for it then, so that of such two neither goes before the other.
        """
        if number in self._before:
            return self._before[number]
        own = self._leaves(number)
        listed = self._before[number] = []
        met = set(own)
        for start in (s for leaf in own for s in reversed(self._moves[leaf].escapes)):
            done = self._escaping(start) if start < number else []
            moves = [(at, leaf) for _, at, leaf in done]
            moves += [(start, leaf) for leaf in self._leaves(start)]
            listed[:0] = reversed([(start, *m) for m in moves if m[1] not in met])
            met |= {leaf for _, leaf in moves}
        return listed

    def _escapes(self, number: int) -> tuple[Escape, ...]:
        """The escapes of all that `number` can begin with, those that go first, first."""
        found = []
        for start, moves in groupby(self._escaping(number), key=itemgetter(0)):
            edges: list[Edge] = []
            for _, at, leaf in moves:
                edge = self._edge(at, leaf)
                if isinstance(edge.step, ast.Else):
                    edge = replace(edge, rivals=tuple(edges), escaping=True)
                edges.append(edge)
            found.append(Escape(start, tuple(edges)))
        return tuple(found)

    def _reached(self, start: int, end: int) -> set[int]:
        reached, todo = {end}, [start]
        while todo:
            number = todo.pop()
            if number in reached or number == GONE:
                continue
            reached.add(number)
            todo.extend(edge.target for edge in self._edges(number))
            todo.extend(at for _, at, _ in self._escaping(number))
        return reached

    def _location(self, number: int, marks: _Marks) -> Location:
        element = self._elements[number]
        return Location(
            number,
            tuple(element.labels),
            marks.end,
            marks.progress,
            marks.accept,
            self._escapes(number),
            element.span,
        )

    # -- labels ---------------------------------------------------------------------------------

    def _marks(self, end: int) -> dict[int, _Marks]:
        """What is an end, an accepting or a progress location.

        The label of a nested choice counts for what it begins with, and the label of a
        statement with which a choice begins counts for the location after the statement.
        """
        marks = {number: _marks_of(element) for number, element in self._elements.items()}
        marks[end].end = True
        for number in sorted(self._choices):
            for option in self._choices[number]:
                if option in self._choices:
                    for leaf in self._leaves(option):
                        marks[leaf].add(marks[option])
        for number in sorted(self._choices):
            for leaf in self._leaves(number):
                if self._moves[leaf].target != GONE:
                    marks[self._moves[leaf].target].add(marks[leaf])
        for number, move in sorted(self._moves.items()):
            if move.element.kind is Kind.JOIN and marks[number].end and move.target != GONE:
                marks[move.target].end = True
        return marks


def _marks_of(element: Element) -> _Marks:
    def marked(begin: str) -> bool:
        return any(label.startswith(begin) for label in element.labels)

    return _Marks(marked("end"), marked("progress"), marked("accept"))


def _never(element: Element) -> bool:
    """Whether it is a condition that is false as it is written; such an option is no option."""
    match element.statement:
        case ast.Condition(condition=ast.Number(value=0)):
            return not element.escapes
    return False


def does_nothing(step: Step) -> bool:
    """Whether it is a jump, `skip` or `else`: nobody minds if it is never reached."""
    match step:
        case Jump() | ast.Else() | ast.Condition(condition=ast.Number(value=1)):
            return True
    return False


def _step(element: Element) -> Step:
    """The step of a simple element."""
    match element.statement:
        case (
            ast.Condition()
            | ast.Else()
            | ast.Assign()
            | ast.Send()
            | ast.Receive()
            | ast.Assert()
            | ast.Print()
        ) as step if element.kind is Kind.STEP:
            return step
    if element.kind is Kind.STOP:
        return Terminate(element.span)
    assert element.kind in (Kind.GOTO, Kind.JOIN, Kind.EXIT), element.statement
    return Jump(element.span)


# -- d_step ----------------------------------------------------------------------------------------


def _inner(body: Chain, elements: list[Element]) -> Automaton:
    """The graph of the body of a `d_step`, which jumps do not leave."""
    _forget_outside(body)
    out = Element(OUT, Kind.STOP)
    assert body.final is not None
    body.final.following = out
    graph = _Graph([out, *elements])
    graph.put_chain(body)
    return graph.automaton("d_step", _beginning(body).number, OUT)


def _forget_outside(chain: Chain) -> None:
    """Inside of a `d_step`, neither `atomic` nor the escapes around it mean anything."""
    for element in chain.elements(chain.final):
        element.inside = element.last = False
        element.escapes = []
        if element.body is not None:
            _forget_outside(element.body)
        for option in element.options:
            _forget_outside(option)
