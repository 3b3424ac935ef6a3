"""`python -m tools.promela_fuzz.generate SEED`: print the random program of that number."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from random import Random
from typing import Final

from tools.promela_fuzz.expressions import condition
from tools.promela_fuzz.names import (
    MESSAGES,
    NUMBERS,
    Channel,
    Scope,
    Variable,
    channels_of,
    declaration,
    globals_of,
)
from tools.promela_fuzz.statements import Lines, indented, simple, statements

KINDS: Final = ("accept", "progress", "formula")
"""What is asked of infinite runs; one of them for each program."""
_FORMULAS: Final = (
    "[] ({p})",
    "<> ({p})",
    "[] <> ({p})",
    "[] (({p}) -> <> ({q}))",
    "({p}) U ({q})",
)


@dataclass(frozen=True, slots=True)
class Program:
    """A program, and what is asked of its infinite runs."""

    seed: int
    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class _Process:
    """A proctype: its text, and how it is started by `init`, if it does not start itself."""

    lines: Lines
    started: str | None


def generate(seed: int) -> Program:
    """Return the program that belongs to a number; it is always the same."""
    random = Random(seed)
    kind = KINDS[seed % len(KINDS)]
    processes = random.choice((2, 2, 2, 3))
    first, variables = globals_of(random)
    second, channels = channels_of(random, processes)
    marks = ("end", kind) if kind != "formula" else ("end",)
    lines = [f"mtype = {{ {', '.join(MESSAGES)} }};", *first, *second, ""]
    bodies = []
    for index in range(processes):
        bodies.append(_process(random, index, Scope(index, variables, channels, marks=marks)))
        lines += [*bodies[-1].lines, ""]
    started = [b.started for b in bodies if b.started is not None]
    lines += _init(random, started, Scope(processes, variables, channels))
    if kind == "formula":
        lines += ["", _formula(random, variables)]
    return Program(seed, "\n".join(lines) + "\n", kind)


def _process(random: Random, index: int, outer: Scope) -> _Process:
    """Return a proctype, with variables of its own."""
    declared, own = _locals(random)
    channels = list(outer.channels)
    parameters, started = _parameters(random, channels)
    if parameters and "chan" in parameters:
        channels.append(Channel("d", channels[0].fields, channels[0].capacity))
    scope = Scope(index, [*outer.variables, *own], channels, marks=outer.marks)
    exclusive = [f"xr {c.name};" for c in outer.channels if c.reader == index]
    exclusive += [f"xs {c.name};" for c in outer.channels if c.writer == index]
    active = "" if started is not None else "active "
    globals_only = Scope(index, outer.variables, outer.channels)
    provided = f" provided ({condition(random, globals_only)})" if random.random() < 0.08 else ""
    head = f"{active}proctype P{index}({parameters or ''}){provided}"
    body = [*declared, *exclusive, *_body(random, scope)]
    run = None if started is None else f"run P{index}({started})"
    return _Process([head, "{", *indented(body), "}"], run)


def _parameters(random: Random, channels: list[Channel]) -> tuple[str | None, str | None]:
    """Return the parameters and arguments of a process, or None if it starts by itself."""
    kind = random.random()
    if kind < 0.6:
        return None, None
    # who alone may use an end of a channel must not be got round by another name
    if kind < 0.8 and channels[0].reader is None and channels[0].writer is None:
        return "byte n; chan d", f"{random.randrange(3)}, {channels[0].name}"
    return "byte n", str(random.randrange(3))


def _locals(random: Random) -> tuple[Lines, list[Variable]]:
    lines, variables = ["byte i;"], [Variable("i", "byte")]
    if random.random() < 0.5:
        type_ = random.choice((*NUMBERS, "mtype"))
        value = random.choice(MESSAGES) if type_ == "mtype" else random.choice(("", "1"))
        lines.append(declaration(type_, "x", value))
        variables.append(Variable("x", type_))
    return lines, variables


def _body(random: Random, scope: Scope) -> Lines:
    """Return the statements of a process: blocks with labels, and perhaps back to the first."""
    blocks = random.randint(1, 3)
    names = [f"L{n}" for n in range(blocks)]
    lines: Lines = []
    for number, name in enumerate(names):
        scope.labels = names[number + 1 :]
        block = statements(random, scope, random.randint(1, 3))
        # a jump to the first statement of a d_step would be one into it
        lines += [f"{name}: skip;" if "d_step" in block[0] else f"{name}:", *indented(block)]
    if random.random() < 0.5:
        lines.append("goto L0;")
    return [*lines, "skip"]


def _init(random: Random, started: Lines, scope: Scope) -> Lines:
    """Start the processes that do not start themselves, and perhaps do something in between."""
    if not started:
        return []
    numbers = [v for v in scope.variables if v.type != "mtype"]
    lines: Lines = []
    for each in started:
        lines.append(f"{_starting(random, each, numbers)};")
        if random.random() < 0.4:
            lines.append(f"{simple(random, scope)};")
    if random.random() < 0.5:
        lines = ["atomic {", *indented(lines), "}"]
    return ["init {", *indented(lines), "}"]


def _starting(random: Random, run: str, variables: list[Variable]) -> str:
    """Return a statement that starts a process, and perhaps computes something of its number."""
    if random.random() < 0.6:
        return run
    target, read = random.choice(variables).text, random.choice(variables).text
    forms = f"{target} = {run}", f"{target} = {read} + {run}", f"assert({run})"
    return random.choice((*forms, f'printf("%d", {run})'))


def _formula(random: Random, variables: list[Variable]) -> str:
    scope = Scope(0, [v for v in variables if v.type != "mtype"], [])
    names = [v.text for v in scope.variables]
    p, q = (
        f"{random.choice(names)} {random.choice(('==', '!='))} {random.randrange(2)}" for _ in "pq"
    )
    return f"ltl f {{ {random.choice(_FORMULAS).format(p=p, q=q)} }}"


def main() -> int:
    """Print one program."""
    print(generate(int(sys.argv[1])).text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
