"""Random expressions: small values, no division by what may be zero, no index out of range."""

from __future__ import annotations

from random import Random
from typing import Final

from tools.promela_fuzz.names import MESSAGES, Channel, Scope, Variable

_COMPARISONS: Final = ("==", "!=", "<", "<=", ">", ">=")
_DEEP: Final = 2


def number(random: Random, scope: Scope, depth: int = 0) -> str:
    """Return an expression for a small number."""
    kind = random.random()
    if depth >= _DEEP or kind < 0.55:
        return _atom(random, scope)
    left, right = number(random, scope, depth + 1), number(random, scope, depth + 1)
    if kind < 0.9:
        return f"({left} {random.choice('+-*&|^')} {right})"
    if kind < 0.95:
        return f"({condition(random, scope, depth + 1)} -> {left} : {right})"
    return f"({left} {random.choice(('<<', '>>'))} 1)"


def _atom(random: Random, scope: Scope) -> str:
    kind = random.random()
    if kind < 0.03:
        return "_pid"
    if kind < 0.06:
        return "_nr_pr"
    free = [c for c in scope.channels if c.free]
    if kind < 0.1 and free:
        return f"len({random.choice(free).name})"
    variables = scope.numbers()
    if kind < 0.7 and variables:
        return random.choice(variables).text
    return str(random.randrange(3))


def bounded(random: Random, scope: Scope) -> str:
    """Return an expression that has few values, whatever happens."""
    kind = random.random()
    if kind < 0.4:
        return str(random.randrange(3))
    if kind < 0.5:
        return random.choice((*[v.text for v in scope.numbers()], "0"))
    return f"({number(random, scope)}) % {random.choice((2, 3))}"


def condition(random: Random, scope: Scope, depth: int = 0) -> str:
    """Return an expression that is true or false."""
    kind = random.random()
    messages = scope.messages()
    if kind < 0.1 and messages:
        other = random.choice((*MESSAGES, random.choice(messages).text))
        return f"{random.choice(messages).text} {random.choice(('==', '!='))} {other}"
    if depth < _DEEP and kind < 0.3:
        left, right = (condition(random, scope, depth + 1) for _ in range(2))
        return f"({left} {random.choice(('&&', '||'))} {right})"
    if depth < _DEEP and kind < 0.4:
        return f"!({condition(random, scope, depth + 1)})"
    left = _atom(random, scope)
    return f"({left} {random.choice(_COMPARISONS)} {random.randrange(3)})"


def guard(random: Random, scope: Scope) -> str:
    """Return a condition on which a process may wait, one about a channel perhaps."""
    free = [c for c in scope.channels if c.free]
    kind = random.random()
    if kind < 0.1 and free:
        return f"{random.choice(('empty', 'full', 'nempty', 'nfull'))}({random.choice(free).name})"
    if kind < 0.2 and free:
        channel = random.choice(free)
        sign = random.choice(("?", "??"))
        return f"{channel.name}{sign}[{', '.join(_pattern(random, scope, channel))}]"
    return condition(random, scope)


def _pattern(random: Random, scope: Scope, channel: Channel) -> list[str]:
    return [_expected(random, scope, field) for field in channel.fields]


def _expected(random: Random, scope: Scope, field: str) -> str:
    """Return what a message is compared with."""
    same = scope.messages() if field == "mtype" else scope.numbers()
    constant = random.choice(MESSAGES) if field == "mtype" else str(random.randrange(2))
    kind = random.random()
    if kind < 0.25:
        return "_"
    if kind < 0.5 and same:
        return f"eval({random.choice(same).text})"
    return constant


def received(random: Random, scope: Scope, channel: Channel) -> str:
    """Return the arguments of a receive statement; no variable is there twice."""
    arguments: list[str] = []
    for field in channel.fields:
        same = scope.messages() if field == "mtype" else scope.numbers()
        same = [v for v in same if v.text not in arguments]
        if same and random.random() < 0.55:
            arguments.append(random.choice(same).text)
        else:
            arguments.append(_expected(random, scope, field))
    return _written(random, channel, arguments)


def sent(random: Random, scope: Scope, channel: Channel) -> str:
    """Return the arguments of a send statement."""
    arguments = []
    for field in channel.fields:
        if field == "mtype":
            known = [v.text for v in scope.messages()]
            arguments.append(random.choice((*MESSAGES, *known)))
        else:
            arguments.append(bounded(random, scope))
    return _written(random, channel, arguments)


def _written(random: Random, channel: Channel, arguments: list[str]) -> str:
    first, *rest = arguments
    if channel.fields[0] == "mtype" and rest and random.random() < 0.4:
        return f"{first}({', '.join(rest)})"
    return ", ".join(arguments)


def assignment(random: Random, scope: Scope) -> str:
    """Return an assignment after which the variable still has one of few values."""
    variable = random.choice(scope.variables)
    if variable.type == "mtype":
        others = [v.text for v in scope.messages()]
        return f"{variable.text} = {random.choice((*MESSAGES, *others))}"
    if variable.wraps and random.random() < 0.4:
        return random.choice((f"{variable.text}++", f"{variable.text}--"))
    if variable.negative and random.random() < 0.3:
        return f"{variable.text} = -1"
    return f"{_target(random, scope, variable)} = {bounded(random, scope)}"


def _target(random: Random, scope: Scope, variable: Variable) -> str:
    """Return the variable, or an element of the same array that is found by computing."""
    natural = [v for v in scope.numbers() if not v.negative]
    if variable.text.startswith("a[") and natural and random.random() < 0.4:
        return f"a[{random.choice(natural).text} % 2]"
    return variable.text
