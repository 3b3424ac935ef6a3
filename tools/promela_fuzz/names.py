"""What a random program declares: variables, channels, and how they are written down."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Final

MESSAGES: Final = ("req", "ack", "nak")
FIELDS: Final = (("byte",), ("mtype", "byte"), ("bit",), ("mtype",), ("byte", "bit"))
"""What the messages of a channel consist of."""
NUMBERS: Final = ("bit", "bool", "byte", "short", "unsigned")


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable, an element of an array or a field: something to read and to assign."""

    text: str
    type: str

    @property
    def wraps(self) -> bool:
        """Whether adding to it for ever reaches few values, for its type is small."""
        return self.type in {"bit", "bool", "unsigned"}

    @property
    def negative(self) -> bool:
        """Whether it may be less than zero."""
        return self.type == "short"


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel; `reader` and `writer` are the processes that alone may use that end, if not all."""

    name: str
    fields: tuple[str, ...]
    capacity: int
    reader: int | None = None
    writer: int | None = None

    @property
    def free(self) -> bool:
        """Whether anybody may look into it."""
        return self.reader is None and self.writer is None and self.capacity > 0


@dataclass(slots=True)
class Scope:
    """What can be named at some place."""

    process: int
    variables: list[Variable]
    channels: list[Channel]
    labels: list[str] = field(default_factory=list)
    """Those that lie ahead, to which one may jump."""
    marks: tuple[str, ...] = ("end",)
    """Prefixes of labels that mean something."""
    used: int = 0
    """How many such labels there are."""

    def numbers(self) -> list[Variable]:
        """Return the variables that are no messages."""
        return [v for v in self.variables if v.type != "mtype"]

    def messages(self) -> list[Variable]:
        """Return the variables for messages."""
        return [v for v in self.variables if v.type == "mtype"]

    def readable(self) -> list[Channel]:
        """Return the channels from which this process may receive."""
        return [c for c in self.channels if c.reader in {None, self.process}]

    def writable(self) -> list[Channel]:
        """Return the channels to which this process may send."""
        return [c for c in self.channels if c.writer in {None, self.process}]


def declaration(type_: str, name: str, value: str = "") -> str:
    """Return the declaration of a scalar."""
    width = " : 2" if type_ == "unsigned" else ""
    given = f" = {value}" if value else ""
    return f"{type_} {name}{width}{given};"


def globals_of(random: Random) -> tuple[list[str], list[Variable]]:
    """Declare global variables: scalars, perhaps an array, perhaps a structure."""
    lines, variables = [], []
    for i in range(random.randint(1, 3)):
        type_ = random.choice(NUMBERS)
        lines.append(declaration(type_, f"g{i}", random.choice(("", "1"))))
        variables.append(Variable(f"g{i}", type_))
    if random.random() < 0.4:
        type_ = random.choice(("bit", "bool", "byte"))
        lines.append(f"{type_} a[2]{random.choice(('', ' = 1'))};")
        variables += [Variable("a[0]", type_), Variable("a[1]", type_)]
    if random.random() < 0.25:
        lines += ["typedef Pair { byte left; bit right[2] };", "Pair p;"]
        variables += [Variable("p.left", "byte"), Variable("p.right[1]", "bit")]
    if random.random() < 0.5:
        lines.append(f"mtype m = {random.choice(MESSAGES)};")
        variables.append(Variable("m", "mtype"))
    return lines, variables


def channels_of(random: Random, processes: int) -> tuple[list[str], list[Channel]]:
    """Declare channels, with room for no, one or two messages."""
    lines, channels = [], []
    for i in range(random.randint(1, 2)):
        fields = random.choice(FIELDS)
        capacity = random.choice((0, 1, 1, 2))
        owned = random.random() < 0.2
        reader = random.randrange(processes) if owned else None
        writer = random.randrange(processes) if owned else None
        lines.append(f"chan c{i} = [{capacity}] of {{ {', '.join(fields)} }};")
        channels.append(Channel(f"c{i}", fields, capacity, reader, writer))
    return lines, channels
