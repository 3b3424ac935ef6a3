"""Expressions of Promela as numbers and conditions over the variables of the model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from secateur.lang.promela import ast, terms
from secateur.lang.promela.ast import ChannelQuestion, Special, Variable
from secateur.lang.promela.codes import NOT_A_VALUE
from secateur.lang.promela.processes import Processes, asked_of, known_of
from secateur.lang.promela.terms import BYTE, Term, Width
from secateur.lang.promela.view import View
from secateur.lang.promela.world import Instance, Queue, World, elements
from secateur.maths.ast import Expr
from secateur.maths.operators.channels import NEVER_MADE, NO_FIELD, OUTSIDE, OWN, POLLED
from secateur.source import Span, fail
from secateur.source.records import dataclass

PROCESSES: Final = "_nr_pr"
LAST: Final = "_last"

_ARITHMETIC: Final[Mapping[str, Callable[[Term, Term], Term]]] = {
    "+": terms.add,
    "-": terms.subtract,
    "*": terms.multiply,
    "&": terms.bit_and,
    "|": terms.bit_or,
    "^": terms.bit_xor,
    "<<": terms.shift_left,
    ">>": terms.shift_right,
}
_PARTIAL: Final[Mapping[str, Callable[[Term, Term, Span], Term]]] = {
    "/": terms.divide,
    "%": terms.remainder,
}
_COMPARISONS: Final = frozenset({"==", "!=", "<", "<=", ">", ">="})


Element = tuple[Term | None, Span]
"""Which element of a variable is meant, if it is an array; and where that is written."""


@dataclass(frozen=True, slots=True)
class Here:
    """Whose expression it is (nobody's: that of a claim), and what it can see."""

    instance: Instance | None
    view: View
    created: Term | None = None
    """The number of the process that is created on the way."""
    beginning: bool = False
    """Whether it is an initial value."""

    @property
    def unguarded(self) -> bool:
        """Whether a question without an answer has no value; elsewhere, `unanswered.py` tells of it."""
        return self.beginning or self.instance is None


class Expressions:
    """Translates expressions in one world; what depends on whether statements can be executed is asked elsewhere."""

    def __init__(self, world: World, constants: Mapping[tuple[Instance, Variable], int]) -> None:
        self.world = world
        self.processes = Processes(world)
        self.constants = constants
        """Parameters that have the same value as long as their process lives."""
        self.executable: Callable[[Instance, View, Span], Expr] | None = None
        """Whether a process can do something; set by who knows statements."""
        self.timeout: Callable[[View], Expr] | None = None

    # -- numbers ------------------------------------------------------------------------------------

    def number(self, e: ast.Expr, here: Here) -> Term:
        """Return the value of an expression."""
        match e:
            case ast.Number(value):
                return terms.number(value)
            case ast.Use():
                return self.read(e, here)
            case ast.Known(special):
                return self._known(special, here)
            case ast.Unary("-", operand):
                return terms.negate(self.number(operand, here))
            case ast.Unary("~", operand):
                return terms.invert(self.number(operand, here))
            case ast.Binary(op, left, right) if op in _ARITHMETIC:
                return _ARITHMETIC[op](self.number(left, here), self.number(right, here))
            case ast.Binary(op, left, right, span) if op in _PARTIAL:
                return _PARTIAL[op](self.number(left, here), self.number(right, here), span)
            case ast.Conditional(condition, then, otherwise):
                return terms.choose(
                    self.condition(condition, here),
                    self.number(then, here),
                    self.number(otherwise, here),
                )
            case ast.ChannelTest(ChannelQuestion.LEN, channel, span):
                return self._by_queue(channel, here, span, lambda q: self.length(q, here.view))
            case ast.RemoteVariable():
                return self._remote_variable(e, here)
            case ast.PcValue(pid):
                return self.processes.place_of(self.number(pid, here), here.view)
            case ast.Priority(pid, None):
                return self.processes.priority_of(self.number(pid, here), here.view)
            case ast.Run() if here.created is not None:
                return here.created
            case ast.Text() | ast.Run() | ast.Temporal() | ast.Priority() | ast.Eval():
                raise fail(NOT_A_VALUE, "this has no value here", e.span)
            case _:
                return terms.as_number(self.condition(e, here))

    def read(self, use: ast.Use, here: Here) -> Term:
        """Return the value of a variable."""
        variable = use.variable
        owner = here.instance if variable.owner is not None else None
        return self._variable(variable, owner, (self.index(use, here), use.span), here.view)

    def _variable(
        self, variable: Variable, owner: Instance | None, element: Element, view: View
    ) -> Term:
        index, span = element
        settled = self._settled(variable, owner, element)
        if settled is not None:
            return settled
        name = variable.name if owner is None else owner.local(variable)
        if index is not None and terms.within(index, elements(variable)) is terms.FALSE:
            return terms.unanswered(OUTSIDE, span)
        return view.read(name, self.world.width(variable), index, span)

    def _settled(self, variable: Variable, owner: Instance | None, element: Element) -> Term | None:
        """Return the value of what is no variable of the model: it stays the same."""
        if owner is not None and (owner, variable) in self.constants:
            return terms.number(self.constants[owner, variable])
        queues = self._made_for_good(variable, owner)
        if not queues:
            return None
        first = terms.number(queues[0].number)
        index, span = element
        if index is None:
            return first
        inside = terms.within(index, len(queues))
        there = _ranged(terms.add(first, index), queues)
        return _ranged(terms.choose(inside, there, terms.unanswered(OUTSIDE, span)), queues)

    def _made_for_good(self, variable: Variable, owner: Instance | None) -> Sequence[Queue]:
        """Return the queues that a declaration makes, if the variable never stands for others."""
        return () if variable in self.world.assigned else self.world.made_by(variable, owner)

    def seen(self, variable: Variable, owner: Instance, element: Element, view: View) -> Term:
        """Return the value of a variable of a process as others see it: 0 while that is not alive."""
        value = self._variable(variable, owner, element, view)
        if self._settled(variable, owner, element) is None:
            return value  # it is set to 0 when the process ends
        return terms.choose(self.processes.at(owner, 0, view), terms.number(0), value)

    def index(self, use: ast.Use, here: Here) -> Term | None:
        """Return the number of an element among all of a variable; None for one that is no array.

        One that there is not has a number that no element has.
        """
        dimensions = use.variable.dimensions
        if not dimensions:
            return None
        indices = [self.number(each, here) for each in use.indices]
        total = indices[0]
        for size, each in zip(dimensions[1:], indices[1:], strict=True):
            there = terms.add(terms.multiply(total, terms.number(size)), each)
            total = terms.choose(terms.within(each, size), there, terms.number(-1))
        return total

    def _known(self, special: Special, here: Here) -> Term:
        match special:
            case Special.PID:
                return terms.number(0 if here.instance is None else here.instance.pid)
            case Special.NR_PR:
                return here.view.read(PROCESSES, BYTE)
            case Special.LAST:
                return here.view.read(LAST, BYTE)
            case Special.NP:
                return terms.as_number(terms.negated(self.processes.progress(here.view)))
            case Special.TIMEOUT:
                assert self.timeout is not None
                return terms.as_number(self.timeout(here.view))
            case Special.SCRATCH:
                return terms.number(0)

    # -- conditions ---------------------------------------------------------------------------------

    def condition(self, e: ast.Expr, here: Here) -> Expr:
        """Return whether the value of an expression is not 0."""
        match e:
            case ast.Unary("!", operand):
                return terms.negated(self.condition(operand, here))
            case ast.Binary("&&", left, right):
                return terms.both(self.condition(left, here), self.condition(right, here))
            case ast.Binary("||", left, right):
                return terms.either(self.condition(left, here), self.condition(right, here))
            case ast.Binary(op, left, right) if op in _COMPARISONS:
                return terms.compare(op, self.number(left, here), self.number(right, here))
            case ast.ChannelTest(question, _) if question is not ChannelQuestion.LEN:
                return self._ask(e, here)
            case ast.Poll():
                return self._poll(e, here)
            case ast.RemoteLabel():
                return self._remote_label(e, here)
            case ast.Enabled(pid, span):
                return self._enabled(self.number(pid, here), here, span)
            case _:
                return terms.nonzero(self.number(e, here))

    def _enabled(self, pid: Term, here: Here, span: Span) -> Expr:
        assert self.executable is not None
        meant = [(terms.equal(pid, terms.number(i.pid)), i) for i in self.world.instances]
        found = terms.any_of(
            terms.all_of((c, self.executable(i, here.view, span)))
            for c, i in meant
            if i is not here.instance and c is not terms.FALSE
        )
        own = terms.any_of(c for c, i in meant if i is here.instance)
        nothing = terms.unanswered(OWN, span)
        return terms.nonzero(terms.choose(own, nothing, terms.as_number(found)))

    # -- other processes ----------------------------------------------------------------------------

    def _remote_label(self, e: ast.RemoteLabel, here: Here) -> Expr:
        pid = None if e.pid is None else self.number(e.pid, here)
        found = terms.any_of(
            terms.all_of((condition, self.processes.at(instance, place.number, here.view)))
            for condition, instance in self.processes.meant(e, pid, here.view)
            for place in instance.automaton.locations
            if e.label in place.labels
        )
        return found if pid is None else asked_of(pid, found)

    def _remote_variable(self, e: ast.RemoteVariable, here: Here) -> Term:
        assert isinstance(e.variable, ast.Use)
        pid = None if e.pid is None else self.number(e.pid, here)
        index = self.index(e.variable, here)
        value = terms.number(0)
        for condition, instance in self.processes.meant(e, pid, here.view):
            one = self.seen(e.variable.variable, instance, (index, e.span), here.view)
            value = terms.choose(condition, one, value)
        return value if pid is None else known_of(pid, value)

    # -- channels -----------------------------------------------------------------------------------

    def queues(self, channel: ast.Expr, here: Here) -> list[tuple[Expr, Queue]]:
        """Return the queues that an expression may mean, and under which conditions."""
        elements_ = self._elements(channel, here)
        if elements_:
            assert isinstance(channel, ast.Use)
            index = self.index(channel, here)
            assert index is not None
            conditions = [(terms.equal(index, terms.number(i)), q) for i, q in enumerate(elements_)]
        else:
            value = self.number(channel, here)
            possible = self.world.possible(channel, here.instance)
            conditions = [(terms.equal(value, terms.number(q.number)), q) for q in possible]
        met = [(terms.all_of((c, self._is_there(q, here))), q) for c, q in conditions]
        return [(c, q) for c, q in met if c is not terms.FALSE]

    def _is_there(self, queue: Queue, here: Here) -> Expr:
        """Return whether the process that a queue belongs to is alive.

        Who began later ends sooner, so that whoever asks need not look at those before him.
        """
        owner, asking = queue.owner, here.instance
        if owner is None or owner is asking:
            return terms.TRUE
        outlives = asking is not None and owner.pid < asking.pid
        if outlives and self.world.by_pid[owner.pid] == [owner]:
            return terms.TRUE
        return terms.negated(self.processes.at(owner, 0, here.view))

    def _elements(self, channel: ast.Expr, here: Here) -> Sequence[Queue]:
        """Return the elements of an array of channels that stay the same, if an expression means one."""
        if not isinstance(channel, ast.Use) or not channel.variable.dimensions:
            return ()
        owner = here.instance if channel.variable.owner is not None else None
        return self._made_for_good(channel.variable, owner)

    def no_queue(self, channel: ast.Expr, here: Here) -> str:
        """Return what is wrong if an expression means none of its queues."""
        return OUTSIDE if self._elements(channel, here) else NEVER_MADE

    def _by_queue(
        self, channel: ast.Expr, here: Here, span: Span, answer: Callable[[Queue], Term]
    ) -> Term:
        """Return what a channel answers."""
        reason = self.no_queue(channel, here)
        value = terms.unanswered(reason, span) if here.unguarded else terms.number(0)
        for condition, queue in self.queues(channel, here):
            value = terms.choose(condition, answer(queue), value)
        return value

    def length(self, queue: Queue, view: View) -> Term:
        """Return how many messages are in a queue."""
        capacity = queue.channel.capacity
        if capacity == 0:
            return terms.number(0)
        found = view.read(queue.length, Width(capacity.bit_length()))
        return Term(found.expr, found.low, min(found.high, capacity))

    def _ask(self, test: ast.ChannelTest, here: Here) -> Expr:
        question = test.question

        def answer(queue: Queue) -> Term:
            length = self.length(queue, here.view)
            full = question in {ChannelQuestion.FULL, ChannelQuestion.NFULL}
            # without a buffer, a channel is empty and has room for a message in passing
            limit = max(queue.channel.capacity, 1) if full else 0
            holds = terms.equal(length, terms.number(limit))
            if question in {ChannelQuestion.NEMPTY, ChannelQuestion.NFULL}:
                holds = terms.negated(holds)
            return terms.as_number(holds)

        return terms.nonzero(self._by_queue(test.channel, here, test.span, answer))

    def _poll(self, poll: ast.Poll, here: Here) -> Expr:
        def answer(queue: Queue) -> Term:
            if here.unguarded and queue.channel.capacity == 0:
                return terms.unanswered(POLLED, poll.span)
            found = self.matches(queue, poll.args, here, any_place=poll.any_place)
            return terms.as_number(terms.any_of(found))

        return terms.nonzero(self._by_queue(poll.channel, here, poll.span, answer))

    def cell(self, queue: Queue, field: int, message: int, view: View) -> Term:
        """Return a number of a message in a queue."""
        width = self.world.field_width(queue, field)
        index = terms.number(message) if queue.channel.capacity > 1 else None
        return view.read(queue.field(field), width, index)

    def message(self, queue: Queue, number: int, view: View) -> tuple[Term, ...]:
        """Return the numbers of a message in a queue."""
        return tuple(self.cell(queue, j, number, view) for j in range(len(queue.channel.fields)))

    def matches(
        self, queue: Queue, args: Sequence[ast.Expr], here: Here, *, any_place: bool
    ) -> list[Expr]:
        """Return, for each place of a queue, whether a receive would take the message there.

        It takes the first message, or (`any_place`) the first that matches.
        """
        places = (
            range(queue.channel.capacity) if any_place else range(min(1, queue.channel.capacity))
        )
        found: list[Expr] = []
        earlier: list[Expr] = []
        length = self.length(queue, here.view)
        for place in places:
            fitting = self.fitting(args, self.message(queue, place, here.view), here)
            there = terms.compare(">", length, terms.number(place))
            found.append(terms.all_of((there, *map(terms.negated, earlier), fitting)))
            earlier.append(fitting)
        return found

    def fitting(self, args: Sequence[ast.Expr], message: Sequence[Term], here: Here) -> Expr:
        """Return whether a message is what a receive wants, be it more than there is or less."""
        wanted = []
        for arg, value in zip(args, looked_at(message, args), strict=True):
            match arg:
                case ast.Use() | ast.Known(Special.SCRATCH):
                    continue
                case ast.Eval(inner):
                    wanted.append(terms.equal(value, self.number(inner, here)))
                case _:
                    wanted.append(terms.equal(value, self.number(arg, here)))
        return terms.all_of(wanted)


def looked_at(message: Sequence[Term], args: Sequence[ast.Expr]) -> list[Term]:
    """Return as many fields of a message as are looked at.

    As in Spin, there is a 0 after the only field of a message, and nothing after the last of several.
    """
    single = len(message) == 1
    beyond = (
        terms.number(0) if single else terms.unanswered(NO_FIELD, arg.span)
        for arg in args[len(message) :]
    )
    return [*message[: len(args)], *beyond]


def _ranged(number: Term, queues: Sequence[Queue]) -> Term:
    if number.constant is not None:
        return number
    return Term(number.expr, queues[0].number, queues[-1].number)
