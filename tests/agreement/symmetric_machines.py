"""Random B machines over a set whose elements nothing tells apart."""

from __future__ import annotations

from random import Random
from typing import Final

_HEAD: Final = """MACHINE Random
SETS P; T = {{t1, t2}}
{constants}
VARIABLES n, e, a, f, g, r, q, w, h, p, k
INVARIANT n : 0..3 & e : P & a <: P & f : P --> 0..1 & g : P +-> P & r : P <-> T
  & q : seq(P) & w <: POW(P) & h : P +-> POW(P) & p : P * BOOL & k : struct(x : P, y : 0..2){more}
INITIALISATION n := 0 || e :: P || a := {{}} || f := P * {{0}} || g := {{}} || r := {{}} || q := []
  || w := {{}} || h := {{}} || p :: P * {{FALSE}} || k :: struct(x : P, y : {{0}})
OPERATIONS
{operations}
END
"""
CONSTANTS: Final = (
    "",
    "CONSTANTS c PROPERTIES c : P",
    "CONSTANTS c, d PROPERTIES c : P & d <: P & c : d",
    "CONSTANTS nx PROPERTIES nx : P >->> P",
    "CONSTANTS nx PROPERTIES nx : P --> P & nx /= id(P)",
    "CONSTANTS s PROPERTIES s : POW(POW(P)) & card(s) = 2",
)
CONDITIONS: Final = (
    "n < 3", "n > 0", "x : a", "x /: a", "x = e", "x /= e", "f(x) = 0", "f(x) = 1", "x : dom(g)", "x /: dom(g)",
    "x : ran(g)", "g[{x}] = {}", "card(a) < 2", "a = {}", "size(q) < 2", "size(q) > 0 & first(q) = x", "x : ran(q)",
    "x |-> t1 : r", "r[{x}] = {}", "{x} : w", "card(w) < 2", "a : w", "x : dom(h)", "#i.(i : P & i /= x & f(i) = 1)",
    "!i.(i : a => f(i) = 0)", "prj1(P, BOOL)(p) = x", "k'x = x", "k'y < 2", "x |-> x : g", "e : a",
)  # fmt: skip
BY_VARIABLE: Final = {
    "n": ("n + 1", "0", "card(a)", "card(g) mod 4", "1"),
    "e": ("x", "g(x)", "k'x", "last(q)"),
    "a": ("a \\/ {x}", "a - {x}", "{}", "P - a", "g[a]", "dom(g)", "ran(q)", "union(w)"),
    "f": ("f <+ {x |-> 1}", "f <+ {x |-> 0}", "%i.(i : P | 1 - f(i))", "f <+ a * {1}"),
    "g": ("g <+ {x |-> e}", "{x} <<| g", "g~ /\\ {x |-> x}", "{}", "a <| g", "g <+ {e |-> x}"),
    "r": ("r \\/ {x |-> t1}", "r - {x |-> t1}", "r \\/ {x |-> t2}", "{x} <<| r"),
    "q": ("q <- x", "tail(q)", "[]", "[x]", "rev(q)"),
    "w": ("w \\/ {a}", "w - {a}", "{}", "w \\/ {{x}}"),
    "h": ("h <+ {x |-> a}", "{x} <<| h", "{}"),
    "p": ("x |-> TRUE", "x |-> FALSE", "e |-> bool(x : a)"),
    "k": ("rec(x : x, y : k'y)", "rec(x : k'x, y : (k'y + 1) mod 3)"),
}  # fmt: skip
PROMISES: Final = (
    "", "", " & card(a) < 3", " & card(g) < 2", " & (e : a => f(e) = 0)", " & !i.(i : a => f(i) = 0)", " & n < 3",
    " & not(e |-> e : g)", " & size(q) < 2", " & card(w) < 2", " & dom(h) /= P", " & k'y < 2",
)  # fmt: skip


def symmetric_machine(seed: int) -> str:
    """Return the text of a machine."""
    random = Random(seed)
    constants = random.choice(CONSTANTS)
    operations = [_operation(f"op{i}", random, constants) for i in range(random.randint(1, 4))]
    return _HEAD.format(
        constants=constants, more=random.choice(PROMISES), operations=";\n".join(operations)
    )


def _operation(name: str, random: Random, constants: str) -> str:
    offered = list(CONDITIONS)
    if "c :" in constants:
        offered += ["x = c", "x /= c", "c : a"]
    if "nx" in constants:
        offered += ["nx(x) = e", "nx(x) : a", "x = nx(x)"]
    if "s :" in constants:
        offered += ["a : s", "{x} : s"]
    guard = " & ".join(f"({c})" for c in random.sample(offered, random.randint(1, 3)))
    changed = random.sample(sorted(BY_VARIABLE), random.choice((1, 1, 2)))
    body = " || ".join(f"{v} := {random.choice(BY_VARIABLE[v])}" for v in changed)
    form = random.randrange(4)
    if form == 0:
        return f"  {name} = ANY x WHERE x : P & {guard} THEN {body} END"
    if form == 1:
        return f"  res <-- {name}(x) = PRE x : P & {guard} THEN {body} || res := e END"
    return f"  {name}(x) = PRE x : P & {guard} THEN {body} END"
