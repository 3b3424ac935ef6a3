"""Random small machines and random temporal formulas about them, as texts.

Machines have few states, deadlocks and sinks, several initial states and constants now and then,
operations with parameters and results; some are ill-defined somewhere.
"""

from __future__ import annotations

from random import Random

_HEADS = (
    "VARIABLES x, y INVARIANT x : 0..3 & y : 0..3 INITIALISATION x, y := 0, 0\n",
    "VARIABLES x, y INVARIANT x : 0..3 & y : 0..3 INITIALISATION x :: 0..1 || y := 0\n",
    "CONSTANTS k PROPERTIES k : 1..2 VARIABLES x, y INVARIANT x : 0..3 & y : 0..3 INITIALISATION x, y := k, 0\n",
    # Room is provided for what is claimed, and is too small.
    "VARIABLES x, y INVARIANT x : 0..1 & y : INTEGER INITIALISATION x, y := 0, 0\n",
)
_TESTS = ("x = 0", "x < 2", "x /= y", "y = 1", "y > 0", "x + y < 4", "x > y", "x = 3", "y < 3")
_STEPS = (
    "x := (x + 1) mod 3",
    "x := 0",
    "y := (y + 1) mod 3",
    "y := x mod 3",
    "x, y := y, x",
    "skip",
    "x :: 0..1",
    "CHOICE x := 0 OR y := 0 END",
    "ANY z WHERE z : 0..2 & z /= x THEN y := z END",
    "IF x > y THEN x := y ELSE y := x END",
)
_ASIDE = (
    "  e = SELECT u < 2 THEN u := u + 1 END",
    "  f(p) = SELECT p : 1..2 & v + p <= 2 THEN v := v + p END",
    "  g = SELECT u = 2 & v = 2 THEN u, v := 0, 0 END",
)
"""What no formula speaks of, so that it can be left out for a while."""
_FAULTS = ("x := 3 / x", "y := 2 mod y")
_WITH_PARAMETER = ("x := p", "y := p", "x := (x + p) mod 4", "y := (x + p) mod 3", "skip")
_PREDICATES = (
    "x = 0", "x = 1", "y = 0", "y > 1", "x < y", "x + y = 2", "#i.(i : 0..x & i = y)", "x : {0, 2}",
    "y /= x", "1 = 1", "x = 0 => y = 0",
)  # fmt: skip
_ILL_DEFINED = ("3 / x = 1", "x mod y = 0")
_LINKS = {"o": "or", "a": "&", "i": "=>"}
_VALUES = ("0", "1", "x", "y", "_")


def random_machine(random: Random) -> str:
    """Return a machine."""
    operations = [_operation(random, name) for name in "abcd"[: random.randint(1, 4)]]
    head = random.choice(_HEADS)
    if random.random() < 0.5:
        operations += random.sample(_ASIDE, k=random.randint(1, len(_ASIDE)))
        head = head.replace("x, y INVARIANT", "x, y, u, v INVARIANT u : 0..2 & v : 0..2 &")
        head = head.replace("\n", " || u, v := 0, 0\n")
    return f"MACHINE Random {head}OPERATIONS\n" + ";\n".join(operations) + "\nEND\n"


def _operation(random: Random, name: str) -> str:
    guard = random.choice(_TESTS)
    if random.random() < 0.03:
        return f"  {name} = SELECT {guard} THEN {random.choice(_FAULTS)} END"
    if random.random() < 0.4:
        # Parameters and results have names that variables have, too, if they are hidden.
        body = random.choice(_WITH_PARAMETER)
        return f"  {name}(p) = SELECT p : 0..{random.randint(0, 2)} & {guard} THEN {body} END"
    if random.random() < 0.2:
        body = random.choice(_WITH_PARAMETER)
        return f"  r <-- {name}(p, q) = SELECT p : 0..1 & q : 0..1 & {guard} THEN {body} || r :: {{p, q}} END"
    return f"  {name} = SELECT {guard} THEN {random.choice(_STEPS)} END"


def random_formula(random: Random, machine: str) -> str:
    """Return a formula of LTL, perhaps with what is assumed."""
    formula = _formula(random, machine, random.randint(1, 3))
    if random.random() < 0.4:
        events = [e for e in _events(machine) if "x" not in e and "y" not in e] or ["a"]
        fair = [
            f"{random.choice(('WF', 'SF'))}({random.choice(events)})"
            for _ in range(random.randint(1, 3))
        ]
        if random.random() < 0.2:
            fair = [random.choice(("WEF", "SEF"))]
        link = random.choice((" & ", " & ", " or "))
        return f"({link.join(fair)}) => ({formula})"
    return formula


def _events(machine: str) -> list[str]:
    """Return the operations, also with arguments."""
    found = []
    for name in "abcd":
        if f" {name} = SELECT" in machine:
            found.append(name)
        elif f" {name}(p) = SELECT" in machine:
            found += [name, *(f"{name}({v})" for v in _VALUES)]
        elif f" {name}(p, q) = SELECT" in machine:
            found += [name, f"{name}(0)", f"{name}(_,1)", f"{name}(x,_)", f"{name}(1,0)"]
    return found


def _formula(random: Random, machine: str, depth: int) -> str:
    if depth == 0:
        return _atom(random, machine)

    def inner() -> str:
        return f"({_formula(random, machine, depth - 1)})"

    kind = random.choice("GFXUWRYOHSTnoaig!")
    if kind in "GFXYOH":
        return f"{kind}{inner()}"
    if kind in "UWRST":
        return f"{inner()} {kind} {inner()}"
    if kind == "n":
        return f"not {inner()}"
    if kind == "g":
        return f"G F {inner()}"
    if kind == "!":
        values, i = random.choice(("0..1", "{0, 2}")), f"i{depth}"
        pattern = random.choice([f"{{x = {i}}} => F {inner()}", f"{inner()} U {{y /= {i}}}"])
        with_argument = [e for e in _events(machine) if e.endswith("(0)")]
        if with_argument and random.random() < 0.7:
            pattern = f"[{random.choice(with_argument).replace('(0)', f'({i})')}] => X {inner()}"
        return f"!{i}.({{{i} : {values}}} => G({pattern}))"
    return f"{inner()} {_LINKS[kind]} {inner()}"


def _atom(random: Random, machine: str) -> str:
    events = _events(machine)
    listed = ",".join(random.choice(events) for _ in range(random.randint(1, 3)))
    kind = random.random()
    if kind < 0.45:
        faulty = random.random() < 0.03
        return f"{{{random.choice(_ILL_DEFINED if faulty else _PREDICATES)}}}"
    if kind < 0.65:
        return f"[{random.choice(events)}]"
    if kind < 0.75:
        return f"e({random.choice(events)})"
    return random.choice(
        (
            "deadlock",
            "sink",
            f"deadlock({listed})",
            f"deterministic({listed})",
            f"controller({listed})",
            f"{random.choice(('changed', 'unchanged'))}({{x}})",
            f"{random.choice(('changed', 'unchanged'))}({{x + y}})",
            f"{random.choice(('increasing', 'decreasing'))}({{{random.choice('xy')}}})",
            f"before_after({{{random.choice(('x$0 < x', 'x$0 = y', 'x + y > x$0 + y$0'))}}})",
        )
    )
