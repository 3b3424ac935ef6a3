"""Random B machines whose values are nested: what is stored in a state in less common ways."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random
from typing import Final

SIZES: Final = (
    {"P": 2, "Q": 2},
    {"P": 3, "Q": 2},
    {"P": 2, "Q": 3},
    {"P": 4, "Q": 2},
    {"P": 5, "Q": 2},
)
_SETS: Final = {"x": "P", "y": "Q", "z": "P", "w": "C"}
_HEAD: Final = """MACHINE Deep
SETS P; Q; C = {{c1, c2, c3, c4}}
{constants}
VARIABLES {names}
INVARIANT {types}{more}
INITIALISATION {start}
OPERATIONS
{operations}
END
"""


@dataclass(frozen=True)
class Variable:
    """A variable: its type and first value, what is asked of it, promised and assigned."""

    type: str
    start: str
    asked: tuple[str, ...]
    changed: tuple[str, ...]
    promised: str


VARIABLES: Final = {
    "a": Variable(": POW(P)", ":= {}", ("x : a", "x /: a", "card(a) < 2"), ("a \\/ {x}", "a - {x}", "P - a"), "card(a) < 3"),
    "ff": Variable(": P --> (Q --> 0..1)", ":= P * {Q * {0}}", ("ff(x)(y) = 0", "ff(x)(y) = 1", "ff(x) = Q * {0}"),
        ("ff <+ {x |-> (ff(x) <+ {y |-> 1})}", "ff <+ {x |-> Q * {0}}", "P * {ff(x)}"), "#i.(i : P & ff(i) = Q * {0})"),
    "fg": Variable(": P +-> (Q +-> P)", ":= {}", ("x /: dom(fg)", "x : dom(fg) & fg(x) = {}", "card(fg) < 2"),
        ("fg <+ {x |-> {}}", "fg <+ {x |-> {y |-> x}}", "{x} <<| fg", "fg <+ {x |-> {y |-> z}}"), "card(fg) < 2"),
    "gp": Variable(": P * Q +-> P", ":= {}", ("x |-> y /: dom(gp)", "card(gp) < 2", "x : ran(gp)"),
        ("gp <+ {(x |-> y) |-> z}", "{x |-> y} <<| gp", "gp |>> {x}"), "not(#(i, j).(i : P & j : Q & (i |-> j) |-> i : gp))"),
    "sp": Variable(": seq(POW(P))", ":= []", ("size(sp) < 2", "size(sp) > 0 & x : first(sp)", "{x} /: ran(sp)"),
        ("sp <- {x}", "sp <- {x, z}", "tail(sp)", "rev(sp)", "[{}, {x}]"), "size(sp) < 3"),
    "pp": Variable(": POW(P * P)", ":= {}", ("x |-> z /: pp", "card(pp) < 3", "x |-> x : pp", "z : pp[{x}]"),
        ("pp \\/ {x |-> z}", "pp~", "(pp ; pp)", "pp - {x |-> z}", "closure1(pp)"), "pp /\\ pp~ = {}"),
    "rr": Variable(": POW(struct(k : P, n : 0..1))", ":= {}", ("rec(k : x, n : 0) : rr", "rec(k : x, n : 1) /: rr", "card(rr) < 2"),
        ("rr \\/ {rec(k : x, n : 0)}", "rr \\/ {rec(k : x, n : 1)}", "rr - {rec(k : x, n : 0)}"), "card(rr) < 3"),
    "rf": Variable(": struct(k : P, n : 0..1) +-> Q", ":= {}", ("rec(k : x, n : 1) : dom(rf)", "rec(k : x, n : 0) /: dom(rf)", "y : ran(rf)"),
        ("rf <+ {rec(k : x, n : 0) |-> y}", "rf <+ {rec(k : x, n : 1) |-> y}", "rf |>> {y}"), "card(rf) < 3"),
    "ww": Variable(": POW(POW(P * Q))", ":= {}", ("{x |-> y} /: ww", "card(ww) < 2", "{} : ww"),
        ("ww \\/ {{x |-> y}}", "ww \\/ {{x, z} * {y}}", "ww \\/ {{}}", "ww - {{x |-> y}}"), "card(ww) < 2"),
    "sq": Variable(": P +-> seq(P)", ":= {}", ("x /: dom(sq)", "x : dom(sq) & size(sq(x)) < 2", "card(sq) < 2"),
        ("sq <+ {x |-> []}", "sq <+ {x |-> [z]}", "sq <+ {x |-> [z, x]}", "{x} <<| sq"), "card(sq) < 2"),
    "ph": Variable(": POW(P) +-> Q", ":= {}", ("{x} /: dom(ph)", "card(ph) < 2", "{} /: dom(ph)", "y : ran(ph)"),
        ("ph <+ {{x} |-> y}", "ph <+ {{} |-> y}", "ph <+ {{x, z} |-> y}", "ph |>> {y}"), "card(ph) < 3"),
    "big": Variable(": INTEGER", ":= 1", ("big < 1000000", "big > 1"), ("big * 1000", "big + card(P)", "-big"), "big < 900000"),
    "cp": Variable(": C +-> P", ":= {}", ("c2 /: dom(cp)", "card(cp) < 3", "x : ran(cp)", "c3 : dom(cp)"),
        ("cp <+ {c2 |-> x}", "cp <+ {c1 |-> x}", "cp <+ (C - {c2}) * {x}", "cp |>> {x}"), "card(cp) < 4"),
    "dc": Variable(": POW(C * Q)", ":= {}", ("w |-> y /: dc", "w /: dom(dc)", "w /= c2"),
        ("dc \\/ {w |-> y}", "dc - {w |-> y}", "{w} <<| dc"), "card(dc) < 5"),
    "e": Variable(": P * (Q * BOOL)", ":: P * (Q * {FALSE})", ("prj1(P, Q * BOOL)(e) = x", "prj1(P, Q * BOOL)(e) /= x"),
        ("x |-> (y |-> TRUE)", "x |-> (y |-> FALSE)"), "prj2(Q, BOOL)(prj2(P, Q * BOOL)(e)) = FALSE"),
}  # fmt: skip
CONSTANTS: Final = (
    "",
    "",
    "CONSTANTS k PROPERTIES k : P <-> P & k = k~ & k /\\ id(P) = {} & card(k) : 2..6",
    "CONSTANTS k PROPERTIES k : P --> POW(Q)",
    "CONSTANTS k PROPERTIES k : POW(P * Q) & card(k) = 2",
    "CONSTANTS k PROPERTIES k : C >-> P * Q",
    "CONSTANTS k, m PROPERTIES k : P >->> P & m : Q",
    "CONSTANTS k PROPERTIES k : C --> Q",
)
_ABOUT_CONSTANTS: Final = {
    "P <-> P": ("x |-> z : k", "x : dom(k)", "k[{x}] = {z}"),
    "P --> POW": ("y : k(x)", "k(x) = k(z)", "k(x) = {}"),
    "POW(P * Q)": ("x |-> y : k", "x : dom(k)", "y /: ran(k)"),
    "C >-> P": ("x |-> y : ran(k)", "k(c1) = x |-> y"),
    "P >->> P": ("k(x) = z", "k(x) = x", "y = m"),
    "C --> Q": ("k(c2) = y", "k(w) = y", "k(w) = k(c1)"),
}


def deep_machine(seed: int) -> str:
    """Return the text of a machine."""
    random = Random(seed)
    constants = random.choice(CONSTANTS)
    names = random.sample(sorted(VARIABLES), random.choice((2, 3, 3, 4)))
    promised = random.choice([VARIABLES[v].promised for v in names])
    return _HEAD.format(
        constants=constants,
        names=", ".join(names),
        types=" & ".join(f"{v} {VARIABLES[v].type}" for v in names),
        more=random.choice(("", f" & {promised}")),
        start=" || ".join(f"{v} {VARIABLES[v].start}" for v in names),
        operations=";\n".join(
            _operation(f"op{i}", random, names, constants) for i in range(random.randint(2, 4))
        ),
    )


def _operation(name: str, random: Random, names: list[str], constants: str) -> str:
    offered = [each for v in names for each in VARIABLES[v].asked]
    for kind, about in _ABOUT_CONSTANTS.items():
        if kind in constants:
            offered += about
    guard = " & ".join(f"({c})" for c in random.sample(offered, random.randint(1, 2)))
    changed = random.sample(names, random.choice((1, 1, 2)))
    body = " || ".join(f"{v} := {random.choice(VARIABLES[v].changed)}" for v in changed)
    used = [p for p in "xyzw" if re.search(rf"\b{p}\b", f"{guard} {body}")] or ["x"]
    typing = " & ".join(f"{p} : {_SETS[p]}" for p in used)
    return f"  {name}({', '.join(used)}) = PRE {typing} & {guard} THEN {body} END"
