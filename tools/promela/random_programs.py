"""Small random programs in Promela, as text; the same seed makes the same program.

They use most of the language on purpose, in small doses: processes, all kinds of channels,
`atomic`, `d_step`, `unless`, `else`, `timeout`, jumps.  Values are kept small so that there
are few states.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Final

_VARIABLES: Final = ("x", "y", "b", "a[0]", "a[1]")
_CHANNELS: Final = ("c", "d", "r")
_RENDEZVOUS: Final = "r"


@dataclass
class Writer:
    """Writes one program."""

    seed: int
    size: int = 3
    """How many statements a sequence has at most."""
    depth: int = 3
    choice: random.Random = field(init=False)
    labels: int = 0
    in_d_step: bool = False
    in_unless: bool = False
    """An `unless` in an `unless` is left out: Spin is not of one mind about it."""

    def __post_init__(self) -> None:
        self.choice = random.Random(self.seed)

    def program(self) -> str:
        """The whole text."""
        parts = [
            "byte x, y; bit b; byte a[2];",
            "chan c = [1] of {byte}; chan d = [2] of {byte, bit}; chan r = [0] of {byte};",
        ]
        count = self.choice.choice((1, 2, 2, 2, 3))
        parts += [self._proctype(f"P{i}") for i in range(count)]
        if self.choice.random() < 0.3:
            parts.append("proctype Q(byte p) { byte z; " + self._sequence(1) + " }")
            parts.append("init { run Q(1); " + self._pick(["x = 1", "run Q(2)", "skip"]) + " }")
        return "\n".join(parts) + "\n"

    def _proctype(self, name: str) -> str:
        provided = " provided (x < 3)" if self.choice.random() < 0.08 else ""
        self.labels = 0
        body = self._sequence(self.depth)
        return f"active proctype {name}(){provided} {{ byte z; {body}; skip }}"

    def _pick(self, items: list[str]) -> str:
        return self.choice.choice(items)

    # -- sequences and statements -----------------------------------------------------------------

    def _sequence(self, depth: int) -> str:
        count = self.choice.randint(1, self.size)
        return "; ".join(self._labelled(depth, first=i == 0) for i in range(count))

    def _labelled(self, depth: int, *, first: bool) -> str:
        """A label cannot stand at the beginning of a block."""
        text = self._statement(depth)
        if first or self.in_d_step or self.choice.random() > 0.15:
            return text
        self.labels += 1
        prefix = self._pick(["L", "end", "progress", "L"])
        return f"{prefix}{self.labels}: {text}"

    def _statement(self, depth: int) -> str:
        if depth == 0 or self.choice.random() < 0.5:
            return self._simple()
        kinds = [self._if, self._if, self._do, self._block]
        if not self.in_d_step:
            kinds += [self._atomic, self._atomic, self._d_step]
            kinds += [] if self.in_unless else [self._unless]
        return self.choice.choice(kinds)(depth - 1)

    def _simple(self) -> str:
        roll = self.choice.random()
        if roll < 0.35:
            return self._assignment()
        if roll < 0.5 and not self.in_d_step:
            return self._condition()
        if roll < 0.8 and not self.in_d_step:
            return self._communication()
        if roll < 0.88:
            return f"assert({self._condition()})"
        return self._pick(["skip", 'printf("")', "z = 1 - z", "z = x"])

    def _assignment(self) -> str:
        target = self._pick([*_VARIABLES, "z"])
        value = self._pick(["0", "1", "2", "1 - b", "(x > 1 -> 0 : 2)", "3 - y", "z", "len(c)"])
        return f"{target} = {value}"

    def _condition(self) -> str:
        return self._pick(
            [
                f"{self._pick([*_VARIABLES, 'z'])} {self._pick(['==', '!=', '<', '>='])} 1",
                f"{self._pick([*_VARIABLES, 'z'])} == {self.choice.randint(0, 2)}",
                "len(d) < 2",
                "x == y || b",
                "!(x == 1 && y == 1)",
            ]
        )

    def _communication(self) -> str:
        channel = self._pick([*_CHANNELS, _RENDEZVOUS])
        if channel == "d":
            return self._pick(
                [
                    "d!1,b",
                    "d!!x,1",
                    "d?z,b",
                    "d??1,_",
                    "d?<z,_>",
                    "d?eval(x),_",
                    "d??[2,1]",
                    "d!2,1",
                ]
            )
        return self._pick([f"{channel}!1", f"{channel}!x", f"{channel}?z", f"{channel}?1"])

    # -- compound statements ----------------------------------------------------------------------

    def _options(self, depth: int, *, leaving: bool) -> list[str]:
        count = self.choice.randint(1, 3)
        options = [self._guarded(depth) for _ in range(count)]
        if leaving:
            options.append(self._pick(["break", "x == 1 -> break", "timeout -> break"]))
        if self.in_d_step or self.choice.random() < 0.35:
            options.append("else -> " + ("break" if leaving else self._simple()))
        return options

    def _guarded(self, depth: int) -> str:
        guard = self._condition()
        if not self.in_d_step and self.choice.random() < 0.5:
            guard = self._statement(depth)
        rest = self._pick(["", f" -> {self._sequence(depth)}", f" -> {self._simple()}"])
        if self.labels > 1 and not self.in_d_step and self.choice.random() < 0.12:
            rest += f"; goto {self._jump()}"
        return guard + rest

    def _jump(self) -> str:
        return f"TO{self.choice.randint(1, self.labels)}"

    def _if(self, depth: int) -> str:
        return "if " + " ".join(":: " + o for o in self._options(depth, leaving=False)) + " fi"

    def _do(self, depth: int) -> str:
        options = self._options(depth, leaving=not self.in_d_step)
        if self.in_d_step:
            return "if " + " ".join(":: " + o for o in options) + " fi"
        return "do " + " ".join(":: " + o for o in options) + " od"

    def _block(self, depth: int) -> str:
        return "{ " + self._sequence(depth) + " }"

    def _atomic(self, depth: int) -> str:
        return "atomic { " + self._sequence(depth) + " }"

    def _d_step(self, depth: int) -> str:
        self.in_d_step = True
        text = "d_step { " + self._condition() + "; " + self._sequence(depth) + " }"
        self.in_d_step = False
        return text

    def _unless(self, depth: int) -> str:
        escape = self._pick([self._condition(), "c?z", "b == 1"])
        self.in_unless = True
        body = self._sequence(depth)
        self.in_unless = False
        return f"{{ {body} }} unless {{ {escape}; {self._simple()} }}"


def program(seed: int) -> str:
    """The text of a program, with jumps to labels that exist."""
    return "".join(f"{_with_jumps(line)}\n" for line in Writer(seed).program().splitlines())


def _with_jumps(line: str) -> str:
    names = [word[:-1] for word in line.split() if word.endswith(":") and word[0] in "Lep"]
    for number in range(40, 0, -1):
        jump = f"; goto {names[number % len(names)]}" if names else ""
        line = line.replace(f"; goto TO{number}", jump)
    return line
