"""Random statements, of every kind that Promela has.

A loop that goes on for ever is never inside `atomic` or `d_step`, nothing in a `d_step` waits
but its first statement, and a jump goes forwards: so Spin takes every program, and comes to
an end.
"""

from __future__ import annotations

import re
from random import Random

from tools.promela_fuzz.expressions import (
    assignment,
    bounded,
    condition,
    guard,
    received,
    sent,
)
from tools.promela_fuzz.names import Scope

Lines = list[str]
_OWN_INDEX = re.compile(r"(\w+)\[.*\1\[.*\] = ")
_INNER = 2
"""How deep choices and loops are nested."""


def indented(lines: Lines) -> Lines:
    """Return the lines, moved to the right."""
    return [f"  {line}" for line in lines]


def statements(random: Random, scope: Scope, count: int, depth: int = 0) -> Lines:
    """Return some statements in sequence."""
    lines: Lines = []
    for _ in range(count):
        following = statement(random, scope, depth)
        if lines and lines[-1] in {"od;", "fi;", "};"} and following[0].startswith("d_step"):
            lines.append("skip;")  # what leaves a loop, perhaps in a choice, must not jump into it
        lines += _ended(following)
    return lines


def _ended(lines: Lines) -> Lines:
    return [*lines[:-1], f"{lines[-1]};"]


def statement(random: Random, scope: Scope, depth: int) -> Lines:
    """Return one statement, which may be compound."""
    kind = random.random()
    if depth >= _INNER or kind < 0.45:
        return [simple(random, scope)]
    if kind < 0.58:
        return _choice(random, scope, depth)
    if kind < 0.77:
        return _loop(random, scope, depth)
    if kind < 0.87:
        return _block("atomic", _uninterrupted(random, scope))
    if kind < 0.94:
        return _block("d_step", _deterministic(random, scope))
    if kind < 0.97:
        return _unless(random, scope, depth)
    return _counted(random, scope)


def simple(random: Random, scope: Scope) -> str:
    """Return a statement that is one step, or a jump."""
    kind = random.random()
    if kind < 0.35:
        return _kept(assignment(random, scope))
    if kind < 0.4:
        return guard(random, scope)
    if kind < 0.75:
        return communication(random, scope)
    if kind < 0.82:
        either = f" || {condition(random, scope)}" if random.random() < 0.8 else ""
        return f"assert({condition(random, scope)}{either})"
    if kind < 0.88 and scope.labels:
        return f"goto {random.choice(scope.labels)}"
    if kind < 0.92:
        return f'printf("%d\\n", {bounded(random, scope)})'
    return "skip" if kind < 0.98 else "timeout"


def _kept(text: str) -> str:
    """Return an assignment that Spin can take back.

    It evaluates an index once more for that, which may be another one by then (`a[a[0]] = 1`);
    of a `d_step` it keeps the whole state.
    """
    return f"d_step {{ {text} }}" if _OWN_INDEX.match(text) else text


def communication(random: Random, scope: Scope) -> str:
    """Return a statement that sends or receives."""
    if random.random() < 0.5:
        return send(random, scope) or receive(random, scope) or "skip"
    return receive(random, scope) or send(random, scope) or "skip"


def send(random: Random, scope: Scope) -> str | None:
    """Return a send statement, if this process may send."""
    channels = scope.writable()
    if not channels:
        return None
    channel = random.choice(channels)
    sign = "!!" if channel.capacity and random.random() < 0.25 else "!"
    return f"{channel.name}{sign}{sent(random, scope, channel)}"


def receive(random: Random, scope: Scope) -> str | None:
    """Return a receive statement, if this process may receive."""
    channels = scope.readable()
    if not channels:
        return None
    channel = random.choice(channels)
    sign = "??" if channel.capacity and random.random() < 0.25 else "?"
    arguments = received(random, scope, channel)
    if channel.capacity and random.random() < 0.15:
        return f"{channel.name}{sign} <{arguments}>"
    return f"{channel.name}{sign}{arguments}"


def _options(random: Random, scope: Scope, depth: int, *, leave: bool) -> Lines:
    """Return the options of a choice or a loop; `else` only where nothing is about channels."""
    lines: Lines = []
    first = random.choice((communication, communication, guard, condition, condition))
    for _ in range(random.randint(1, 3)):
        rest = statements(random, scope, random.randint(0, 2), depth + 1)
        lines += [f":: {first(random, scope)} ->", *indented(rest or ["skip"])]
    kind = random.random()
    last = "break" if leave else "skip"
    if first is condition and kind < 0.6:
        lines.append(f":: else -> {last}")
    elif kind < 0.65:
        lines.append(f":: timeout -> {last}")
    elif leave and kind < 0.9:
        lines.append(f":: {condition(random, scope)} -> break")
    return lines


def _choice(random: Random, scope: Scope, depth: int) -> Lines:
    return ["if", *_options(random, scope, depth, leave=False), "fi"]


def _loop(random: Random, scope: Scope, depth: int) -> Lines:
    first = f"{_mark(random, scope)}do"
    return [first, *_options(random, scope, depth, leave=True), "od"]


def _mark(random: Random, scope: Scope) -> str:
    """Return a label that means something, or nothing."""
    if random.random() < 0.5:
        return ""
    scope.used += 1
    return f"{random.choice(scope.marks)}_{scope.used}: "


def _block(word: str, lines: Lines) -> Lines:
    return [f"{word} {{", *indented(lines), "}"]


def _uninterrupted(random: Random, scope: Scope) -> Lines:
    """Return statements for `atomic`: they may wait, but do not go round for ever."""
    lines: Lines = []
    for _ in range(random.randint(1, 3)):
        if random.random() < 0.2:
            lines += _ended(_small_choice(random, scope))
        else:
            lines.append(f"{simple(random, scope)};")
    return lines


def _small_choice(random: Random, scope: Scope) -> Lines:
    options = [
        f":: {condition(random, scope)} -> {_kept(assignment(random, scope))}"
        for _ in range(random.randint(1, 2))
    ]
    return ["if", *options, ":: else", "fi"]


def _deterministic(random: Random, scope: Scope) -> Lines:
    """Return statements for `d_step`: only the first one waits, and nothing is left open."""
    lines: Lines = []
    if random.random() < 0.6:
        lines.append(f"{condition(random, scope)};")
    for _ in range(random.randint(1, 3)):
        if random.random() < 0.25:
            true = f":: {condition(random, scope)} -> {assignment(random, scope)}"
            other = f":: else -> {assignment(random, scope)}"
            lines += ["if", true, other, "fi;"]
        else:
            lines.append(f"{assignment(random, scope)};")
    if random.random() < 0.2:
        lines.append(f"assert({condition(random, scope)});")
    return lines


def _unless(random: Random, scope: Scope, depth: int) -> Lines:
    body = statements(random, scope, random.randint(1, 2), depth + 1)
    body = ["skip;", *body] if body[0].startswith("d_step") else body
    escape = [f"{guard(random, scope)};", f"{_kept(assignment(random, scope))};"]
    return ["{", *indented(body), "} unless {", *indented(escape), "}"]


def _counted(random: Random, scope: Scope) -> Lines:
    """Return a loop over a range, or a choice from one."""
    if random.random() < 0.5:
        return [f"select (i : 0 .. {random.randint(1, 2)})"]
    body = [f"{simple(random, scope)};" for _ in range(random.randint(1, 2))]
    return ["for (i : 0 .. 1) {", *indented(body), "}"]
