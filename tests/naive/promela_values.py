"""Promela's states and expressions, as plainly as can be: for `promela.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Final

from secateur.lang.promela import ast
from secateur.lang.promela.ast import Basic, ChannelQuestion, Special
from secateur.lang.promela.automaton import Automaton

WIDTHS: Final = {Basic.BIT: 1, Basic.BOOL: 1, Basic.SHORT: 16, Basic.INT: 32}
SIGNED: Final = (Basic.SHORT, Basic.INT)


class Fault(Exception):
    """What the model must not do: an index out of range, a division by 0, no channel."""


@dataclass(frozen=True, slots=True)
class Process:
    """Where a process is, and its variables."""

    proctype: str
    location: int
    values: tuple[int, ...]
    priority: int = 1


@dataclass(frozen=True, slots=True)
class Queue:
    """A channel with its messages."""

    channel: ast.Channel
    messages: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class State:
    """All that a system is."""

    globals: tuple[int, ...]
    processes: tuple[Process, ...]
    queues: tuple[Queue, ...]
    owners: tuple[int, ...]
    """Per channel the process that made it; -1 for global ones."""
    last: int = 0
    """The process that moved last; 0 where nobody asks."""


def truncated(value: int, kind: Basic, width: int) -> int:
    """What is left of `value` in a variable of that type."""
    bits = width or WIDTHS.get(kind, 8)
    value &= (1 << bits) - 1
    if kind in SIGNED and value >> (bits - 1):
        value -= 1 << bits
    return value


def wrapped(value: int) -> int:
    """As C's `int`."""
    return truncated(value, Basic.INT, 32)


@dataclass
class Layout:
    """Where variables are among the values of their owner."""

    places: dict[ast.Variable, int] = field(default_factory=dict)
    size: int = 0

    def add(self, variable: ast.Variable) -> None:
        """Room for `variable`."""
        self.places[variable] = self.size
        self.size += elements(variable)


def elements(variable: ast.Variable) -> int:
    """How many numbers it is."""
    count = 1
    for length in variable.dimensions:
        count *= length
    return count


class Model:
    """A program with what is computed once."""

    def __init__(self, program: ast.Program, graphs: dict[str, Automaton]) -> None:
        self.program = program
        self.proctypes = {p.name: p for p in program.proctypes}
        self.graphs = graphs
        self.globals = Layout()
        for variable in program.globals:
            self.globals.add(variable)
        self.locals: dict[str, Layout] = {}
        for proctype in program.proctypes:
            layout = self.locals[proctype.name] = Layout()
            for variable in (*proctype.parameters, *proctype.variables):
                layout.add(variable)
        parts = list(_parts(program.proctypes))
        self.asks_last = any(
            isinstance(part, ast.Known) and part.special is Special.LAST for part in parts
        )
        self.priorities = any(p.priority > 1 for p in program.proctypes) or any(
            isinstance(part, ast.Priority)
            or (isinstance(part, ast.Run) and part.priority is not None)
            for part in parts
        )


def _parts(node: object) -> Iterator[object]:
    """All parts of a tree."""
    if isinstance(node, tuple):
        for item in node:
            yield from _parts(item)
    elif is_dataclass(node) and not isinstance(node, type | ast.Variable):
        yield node
        for part in fields(node):
            if part.name != "span":
                yield from _parts(getattr(node, part.name))


class World:
    """A state that is being changed, as process number `pid` sees it."""

    def __init__(self, model: Model, state: State, pid: int, *, timeout: bool = False) -> None:
        self.model = model
        self.globals = list(state.globals)
        self.processes = list(state.processes)
        self.queues = list(state.queues)
        self.owners = list(state.owners)
        self.last = state.last
        self.pid = pid
        self.timeout = timeout
        self.wrong: list[str] = []
        """What was wrong with a message that was sent or received nevertheless."""
        self.enabled: Callable[[int], bool] = lambda _: False

    def state(self) -> State:
        """What has become of it."""
        return State(
            tuple(self.globals),
            tuple(self.processes),
            tuple(self.queues),
            tuple(self.owners),
            self.last,
        )

    # -- variables --------------------------------------------------------------------------------

    def _place(self, use: ast.Use, pid: int) -> int:
        variable = use.variable
        offset = 0
        for length, index in zip(variable.dimensions, use.indices, strict=True):
            value = self.value(index)
            if not 0 <= value < length:
                raise Fault("invalid array index")
            offset = offset * length + value
        if variable.owner is None:
            return self.model.globals.places[variable] + offset
        return self.model.locals[self.processes[pid].proctype].places[variable] + offset

    def read(self, use: ast.Use, pid: int | None = None) -> int:
        """The value of a variable."""
        pid = self.pid if pid is None else pid
        place = self._place(use, pid)
        if use.variable.owner is None:
            return self.globals[place]
        return self.processes[pid].values[place]

    def write(self, target: ast.Expr, value: int) -> None:
        """Assign, cut to the type."""
        if isinstance(target, ast.Known) and target.special is Special.SCRATCH:
            return
        assert isinstance(target, ast.Use), target
        variable = target.variable
        self.put(self._place(target, self.pid), variable, value)

    def put(self, place: int, variable: ast.Variable, value: int) -> None:
        """Assign to a place of the globals, or of the process."""
        value = truncated(value, variable.type, variable.width)
        if variable.owner is None:
            self.globals[place] = value
            return
        process = self.processes[self.pid]
        values = list(process.values)
        values[place] = value
        self.processes[self.pid] = replace(process, values=tuple(values))

    # -- channels ---------------------------------------------------------------------------------

    def queue(self, channel: ast.Expr) -> int:
        """The place of a channel among the queues."""
        number = self.value(channel)
        if not 1 <= number <= len(self.queues):
            raise Fault("uninitialized channel")
        return number - 1

    def full(self, place: int) -> bool:
        """Whether nothing can be sent; a rendezvous channel has room for one in passing."""
        queue = self.queues[place]
        return len(queue.messages) >= max(queue.channel.capacity, 1)

    def look_into(self, place: int) -> None:
        """A message on a rendezvous channel can be received, but not looked at."""
        if self.queues[place].channel.capacity == 0:
            raise Fault("polled rendezvous channel")

    def matching(self, place: int, args: Sequence[ast.Expr], *, any_place: bool) -> int:
        """The place of the message that would be received, or -1."""
        messages = self.queues[place].messages
        wanted = [self._wanted(arg) for arg in args]
        for found, message in enumerate(messages if any_place else messages[:1]):
            if all(self._agrees(want, message, j) for j, want in enumerate(wanted)):
                return found
        return -1

    def _agrees(self, want: int | None, message: tuple[int, ...], field: int) -> bool:
        """Whether a field of a message is what is wanted; what may be anything is not looked at."""
        if want is None:
            return True
        if field < len(message):
            return want == message[field]
        if len(message) > 1:
            raise Fault("too many fields in recv")
        return want == 0

    def _wanted(self, arg: ast.Expr) -> int | None:
        match arg:
            case ast.Eval(value=value):
                return self.value(value)
            case ast.Use() | ast.Known():
                return None
        return self.value(arg)

    # -- expressions ------------------------------------------------------------------------------

    def value(self, e: ast.Expr) -> int:
        """As C computes it, with 32 bits."""
        match e:
            case ast.Number(value=value):
                return value
            case ast.Use():
                return self.read(e)
            case ast.Known(special=special):
                return self._known(special)
            case ast.Unary(op=op, operand=operand):
                x = self.value(operand)
                return {"-": wrapped(-x), "!": int(not x), "~": ~x}[op]
            case ast.Binary():
                return self._binary(e)
            case ast.Conditional():
                return self.value(e.then if self.value(e.condition) else e.otherwise)
            case ast.ChannelTest(question=question, channel=channel):
                return self._asked(question, self.queue(channel))
            case ast.Poll(channel=channel, args=args, any_place=any_place):
                polled = self.queue(channel)
                self.look_into(polled)
                return int(self.matching(polled, args, any_place=any_place) >= 0)
            case ast.Run():
                return self.run(e)
            case ast.Enabled(pid=pid):
                asked = self.value(pid)
                if asked == self.pid:
                    raise Fault("used: enabled(pid=thisproc)")
                return int(self.enabled(asked))
            case ast.Priority():
                return self._priority(e)
            case ast.PcValue(pid=pid):
                return self.processes[self.value(pid)].location
            case ast.RemoteLabel():
                return self._at(e)
            case ast.RemoteVariable(variable=variable):
                assert isinstance(variable, ast.Use)
                return self.read(variable, self._remote(e.proctype, e.pid))
        raise NotImplementedError(type(e).__name__)

    def _known(self, special: Special) -> int:
        match special:
            case Special.PID:
                return self.pid
            case Special.NR_PR:
                return len(self.processes)
            case Special.LAST:
                return self.last
            case Special.TIMEOUT:
                return int(self.timeout)
        raise NotImplementedError(special)

    def _binary(self, e: ast.Binary) -> int:
        x = self.value(e.left)
        if e.op == "&&":
            return int(bool(x) and bool(self.value(e.right)))
        if e.op == "||":
            return int(bool(x) or bool(self.value(e.right)))
        y = self.value(e.right)
        if e.op in ("/", "%"):
            if y == 0:
                raise Fault("division by zero")
            quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
            return wrapped(quotient if e.op == "/" else x - quotient * y)
        return wrapped(int(ARITHMETIC[e.op](x, y)))

    def _asked(self, question: ChannelQuestion, place: int) -> int:
        length = len(self.queues[place].messages)
        full = self.full(place)
        match question:
            case ChannelQuestion.LEN:
                return length
            case ChannelQuestion.EMPTY:
                return int(length == 0)
            case ChannelQuestion.NEMPTY:
                return int(length > 0)
            case ChannelQuestion.FULL:
                return int(full)
            case ChannelQuestion.NFULL:
                return int(not full)

    def _priority(self, e: ast.Priority) -> int:
        """That of a process; setting it has the value 1."""
        pid = self.value(e.pid)
        exists = 0 <= pid < len(self.processes)
        if e.value is None:
            return self.processes[pid].priority if exists else 0
        if exists:
            priority = self.value(e.value)
            self.processes[pid] = replace(self.processes[pid], priority=priority)
        return 1

    def _remote(self, proctype: str, pid: ast.Expr | None) -> int:
        if pid is not None:
            return self.value(pid)
        return next(i for i, p in enumerate(self.processes) if p.proctype == proctype)

    def _at(self, e: ast.RemoteLabel) -> int:
        pid = self._remote(e.proctype, e.pid)
        if not 0 <= pid < len(self.processes):
            return 0
        process = self.processes[pid]
        places = self.model.graphs[e.proctype].locations
        return int(any(process.location == p.number and e.label in p.labels for p in places))

    # -- processes --------------------------------------------------------------------------------

    def run(self, e: ast.Run) -> int:
        """A new process, with its variables as they begin."""
        values = [self.value(arg) for arg in e.args]
        priority = 1 if e.priority is None else self.value(e.priority)
        return self.start(self.model.proctypes[e.proctype], values, priority)

    def start(self, proctype: ast.Proctype, arguments: Sequence[int], priority: int) -> int:
        """The number of the new process."""
        layout = self.model.locals[proctype.name]
        creator, self.pid = self.pid, len(self.processes)
        start = self.model.graphs[proctype.name].start
        self.processes.append(Process(proctype.name, start, (0,) * layout.size, priority))
        for variable, value in zip(proctype.parameters, arguments, strict=False):
            self.put(layout.places[variable], variable, value)
        for variable in proctype.variables:
            self.initialise(variable, layout.places[variable])
        number, self.pid = self.pid, creator
        return number

    def initialise(self, variable: ast.Variable, place: int) -> None:
        """The value or the new channel with which each element begins."""
        for i in range(elements(variable)):
            if variable.channel is not None:
                self.queues.append(Queue(variable.channel, ()))
                self.owners.append(-1 if variable.owner is None else self.pid)
                self.put(place + i, variable, len(self.queues))
            elif variable.initial:
                initial = variable.initial[min(i, len(variable.initial) - 1)]
                self.put(place + i, variable, self.value(initial))


ARITHMETIC: Final[dict[str, Callable[[int, int], int]]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "<<": lambda x, y: x << (y & 31),
    ">>": lambda x, y: x >> (y & 31),
    "&": lambda x, y: x & y,
    "|": lambda x, y: x | y,
    "^": lambda x, y: x ^ y,
    "==": lambda x, y: x == y,
    "!=": lambda x, y: x != y,
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y,
    ">=": lambda x, y: x >= y,
}
