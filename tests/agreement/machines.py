"""Random B machines: small, typed by construction, with all kinds of variables and steps."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

_HEAD = """MACHINE Random
SETS S = {s1, s2, s3}; T
CONSTANTS k, table, rule, pairs
PROPERTIES k : 1..2 & table : S --> 0..2 & table = {s1 |-> 0, s2 |-> k, s3 |-> 2}
  & rule = %x.(x : INTEGER & x > -1 | x + k) & pairs = {x, y | x : NATURAL & y = x mod 3}
VARIABLES n, b, e, a, f, g, r, q, u, w
INVARIANT n : 0..5 & b : BOOL & e : S & a <: S & f : S --> 0..2 & g : S +-> S
  & r : S <-> BOOL & q : seq(S) & u : INTEGER & w : S +-> seq(S)
"""
_START = "INITIALISATION n := 0 || b := FALSE || e := s1 || a := {} || f := S * {0} || g := {} || r := {} || q := [] || u := 0 || w := {}\n"

NUMBERS = (
    "n", "f(e)", "card(a)", "size(q)", "k", "table(e)", "0", "1", "2", "n + 1", "n - 1", "(n + f(s1)) mod 3",
    "card(g)", "card(dom(r))", "max({n, f(e)})", "SIGMA(i).(i : a | f(i))", "n * k", "u", "n / 2", "min(f[a])",
    "card({i | i : S & f(i) > n})", "f(g(e))", "rule(n)", "pairs(u)", "{i, j | i : S & j = f(i) + 1}(e)", "card(g >< g)", "card(g || id(a))",
    "card(prj1(a, S)[a * S])",
)  # fmt: skip
TRUTHS = ("b", "TRUE", "FALSE", "bool(n > 1)", "bool(e : a)", "bool(a = {})")
ELEMENTS = ("prj2(S, S)(s1 |-> e)", "e", "s1", "s2", "s3", "g(e)", "last(q)", "first(q)")
SETS = (
    "a", "{}", "S", "{e}", "a \\/ {e}", "a - {s1}", "S - a", "dom(g)", "ran(g)", "g[a]", "ran(q)", "a /\\ dom(r)",
    "{i | i : S & f(i) = n}", "dom(r |> {TRUE})", "union({a, {s1}})", "g~[a]", "UNION(i).(i : a | g[{i}])", "ran(union(ran(w)))", "dom(w)", "ran(prj1(a, S))",
)  # fmt: skip
FUNCTIONS = (
    "f", "f <+ {e |-> 1}", "S * {1}", "%i.(i : S | f(i) mod 2)", "f <+ (a * {0})", "table", "%i.(i : S | card(g[{i}]))",
)  # fmt: skip
PARTIALS = (
    "g", "{}", "g <+ {e |-> s2}", "a <| g", "a <<| g", "g |> a", "{s1 |-> e}", "id(a)", "(g ; g)", "g \\/ {}",
    "closure1(g) /\\ g", "%i.(i : a | e)", "iterate(g, 2)", "(g ; %i.(i : a | e))",
)  # fmt: skip
RELATIONS = (
    "r",
    "{}",
    "a * BOOL",
    "r \\/ {e |-> b}",
    "r - {e |-> TRUE}",
    "a <| r",
    "r |>> {FALSE}",
)
NESTED = ("w", "{}", "w <+ {e |-> q}", "{e} <<| w", "w \\/ {}", "a * {[e]}")
SEQUENCES = (
    "q",
    "{1 |-> e}",
    "%i.(i : 1..n | e)",
    "q <+ {1 |-> e}",
    "[e] \\/ {}",
    "[]",
    "q <- e",
    "e -> q",
    "tail(q)",
    "front(q)",
    "rev(q)",
    "q /|\\ 1",
    "[e, s1]",
)
BY_VARIABLE = {
    "n": NUMBERS, "b": TRUTHS, "e": ELEMENTS, "a": SETS, "f": FUNCTIONS, "g": PARTIALS, "r": RELATIONS,
    "q": SEQUENCES, "u": NUMBERS, "w": NESTED,
}  # fmt: skip
CONDITIONS = (
    "n < 3", "n > 0", "b = TRUE", "e : a", "e /: a", "a <: dom(g)", "e : dom(g)", "size(q) < 2", "size(q) > 0",
    "!i.(i : a => f(i) < 2)", "#i.(i : S & g(i) = e)", "#(i, j).(i |-> j : g & i /= j)", "f(e) = n mod 3",
    "g : a >+> S", "a = S", "card(a) < 2", "e |-> b : r", "r[{e}] = {}", "n /= u", "u < 3", "f : S -->> 0..2",
    "not(s2 : a) or n = 1", "n = 0 => b = FALSE", "(b = TRUE) <=> (e = s1)", "q /= [] & first(q) = e", "table(e) <= n",
    "a /\\ dom(g) = {}", "q : perm(S)", "q : perm(a)", "!z.(z : ran(w) => z /= [])", "q : ran(w)", "{1 |-> e} : seq(a)",
    "w : a +-> iseq(S)",
)  # fmt: skip


@st.composite
def machines(draw: DrawFn) -> str:
    """Return the text of a machine."""
    count = draw(st.integers(1, 4))
    operations = ";\n".join(draw(_operations(f"op{i}")) for i in range(count))
    more = "".join(f" & {c}" for c in draw(st.lists(st.sampled_from(CONDITIONS), max_size=1)))
    return f"{_HEAD}{more}\n{_START}OPERATIONS\n{operations}\nEND\n"


@st.composite
def _operations(draw: DrawFn, name: str) -> str:
    conditions = draw(st.lists(st.sampled_from(CONDITIONS), min_size=1, max_size=3))
    guard = " & ".join(f"({condition})" for condition in conditions)
    body = draw(_bodies(2))
    form = draw(st.integers(0, 4))
    if form == 0:
        return f"  {name}(p) = PRE p : S & {guard} & p /= e THEN {body} || e := p END".replace(
            "|| e := p", "" if _assigns(body, "e") else "|| e := p"
        )
    if form == 1:
        return f"  {name} = ANY p WHERE p : a & {guard} THEN {body} END"
    if form == 4:
        arrow = draw(st.sampled_from(("-->", "+->", ">->", "+->>", "-->>")))
        return f"  {name}(h) = PRE h : a {arrow} 0..1 & {guard} & card(h) < 3 THEN {body} END"
    if form == 2:
        return f"  res <-- {name} = PRE {guard} THEN {body} || res := n END"
    return f"  {name} = SELECT {guard} THEN {body} END"


def _assigns(body: str, variable: str) -> bool:
    return f"{variable} :" in body.replace("(", " ")


@st.composite
def _bodies(draw: DrawFn, depth: int) -> str:
    form = draw(st.integers(0, 9)) if depth else 0
    if form == 6:
        condition = draw(st.sampled_from(CONDITIONS))
        then, otherwise = draw(_bodies(depth - 1)), draw(_bodies(depth - 1))
        return f"IF {condition} THEN {then} ELSE {otherwise} END"
    if form == 7:
        return f"CHOICE {draw(_bodies(depth - 1))} OR {draw(_bodies(depth - 1))} END"
    if form == 8:
        return f"BEGIN {draw(_bodies(depth - 1))} ; {draw(_bodies(depth - 1))} END"
    if form == 9:
        value = draw(st.sampled_from(NUMBERS))
        return f"VAR v IN v := {value} ; n := (v + n) mod 4 END"
    variable = draw(st.sampled_from(sorted(BY_VARIABLE)))
    if form == 5:
        source = {
            "n": "0..3",
            "b": "BOOL",
            "e": "S",
            "a": "POW(a)",
            "u": "0..k",
            "f": "S --> 0..1",
            "g": "S >+> a",
        }.get(variable)
        if source is not None:
            return f"{variable} :: {source}"
    if form == 4 and variable in {"f", "g"}:
        value = draw(st.sampled_from(NUMBERS if variable == "f" else ELEMENTS))
        index = draw(st.sampled_from(("e", "s1", "s3")))
        modulus = " mod 3" if variable == "f" else ""
        return f"{variable}({index}) := ({value}){modulus}"
    return f"{variable} := {draw(st.sampled_from(BY_VARIABLE[variable]))}"
