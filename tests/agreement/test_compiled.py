"""What is compiled, is; and it gives what the evaluator gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from secateur import load
from secateur.engine.native.available import why_not_native
from secateur.kernel.evaluate import successors
from secateur.lang.compile.machine import CompiledMachine
from secateur.system.system import Transition
from tests.agreement.test_engines import facts

pytestmark = pytest.mark.skipif(
    why_not_native() is not None, reason=f"no native engine: {why_not_native()}"
)


def not_compiled(path: Path) -> dict[str, str]:
    """Return the operations and properties that are left to the evaluator, with the reasons."""
    system = load(path).system
    list(system.initial())
    list(system.initial())  # asking again must not change anything
    machine = CompiledMachine(system, system.solutions)
    parts = (*machine.actions, *machine.properties)
    return {p.name: p.reason for p in parts if p.reason and "constants alone" not in p.reason}


def agree(path: Path, text: str) -> None:
    """Check a machine with both engines; all of it must be compiled."""
    path.write_text(text)
    assert not_compiled(path) == {}
    model = load(path)
    assert facts(model.check(native=True, all=True)) == facts(model.check(native=False, all=True))


def test_a_machine_without_constants_is_compiled_however_often_it_is_asked(tmp_path: Path) -> None:
    agree(
        tmp_path / "m.mch",
        """MACHINE M VARIABLES f INVARIANT f : 1..2 --> (1..2 --> 0..2)
INITIALISATION f := %i.(i : 1..2 | %j.(j : 1..2 | 0))
OPERATIONS Inc(x, y) = PRE x : 1..2 & y : 1..2 & f(x)(y) < 2 THEN f(x)(y) := f(x)(y) + 1 END
END""",
    )


def test_functions_over_integers_are_stored_part_by_part(tmp_path: Path) -> None:
    agree(
        tmp_path / "m.mch",
        """MACHINE M VARIABLES n, f, g, r
INVARIANT n : 0..40 & f : 1..n --> BOOL & g : INTEGER +-> INTEGER & r : INTEGER <-> BOOL
INITIALISATION n := 0 || f := {} || g := {} || r := {}
OPERATIONS
  Grow = PRE n < 40 THEN n := n + 1 || f(n + 1) := bool(n mod 3 = 0) END;
  Set = PRE n mod 20 = 0 & card(g) < 3 THEN g(2 * n) := n END;
  Both = PRE n = 30 & r = {} THEN r := {n |-> TRUE, n |-> FALSE} END
END""",
    )


MORE = {
    "projections": "prj1(a, S)[a * S] = {} or prj2(S, S)(e |-> e) = e",
    "direct product": "g >< g = {i, jk | #(j, l).(jk = j |-> l & i |-> j : g & i |-> l : g)}",
    "parallel product": "card(g || g) = card(g) * card(g)",
    "iteration": "iterate(g, 2) = (g ; g)",
    "permutations": "q : perm(S) => ran(q) = S",
    "a lambda as a sequence": "size(%i.(i : 1..2 | e)) = 2",
    "a relation that may be a sequence": "{1 |-> e, 3 |-> e} /: seq(S)",
    "sequences divided": "#(x, y, z).(x ^ y ^ z = q & size(x) = size(z) & y : iseq(S))",
    "sets of sequences": "!z.(z : ran(w) => z : seq(S)) & ran(union(ran(w))) <: S",
    "a rule": "rule(1) = 2 & 5 : dom(rule) & -1 /: dom(rule)",
    "the value of a comprehension": "{i, h | i : S & h : S --> 0..1 & h = S * {1}}(e) = S * {1}",
}


@pytest.mark.parametrize("invariant", MORE.values(), ids=MORE.keys())
def test_operators(tmp_path: Path, invariant: str) -> None:
    agree(
        tmp_path / "m.mch",
        f"""MACHINE M SETS S = {{s1, s2}} CONSTANTS rule
PROPERTIES rule = %x.(x : INTEGER & x >= 0 | x + 1)
VARIABLES a, e, g, q, w
INVARIANT a <: S & e : S & g : S +-> S & q : seq(S) & w : S +-> seq(S) & ({invariant})
INITIALISATION a := {{}} || e := s1 || g := {{}} || q := [] || w := {{}}
OPERATIONS
  Set(x) = PRE x : S THEN a := a \\/ {{x}} || e := x END;
  Map(h) = PRE h : S +-> a THEN g := h END;
  Push = PRE size(q) < 2 THEN q := q <- e END;
  Keep = PRE size(q) > 0 THEN w(e) := q || q := [] END
END""",
    )


def test_what_protects_a_conjunct_is_tested_before_it(tmp_path: Path) -> None:
    path = tmp_path / "m.mch"
    agree(
        path,
        """MACHINE M SETS S = {s1, s2} VARIABLES q, w INVARIANT q : seq(S) & w : S --> seq(S)
INITIALISATION q := [] || w := S * {[]}
OPERATIONS
  Push(x, y) = PRE x : S & y : S & size(q) < 2 & size(w(y)) < 2 THEN
    q := q <- x || w := w <+ {y |-> (w(y) <- x)} END;
  Take(x, y) = PRE x : S & y : S & size(w(y)) /= 0 & first(w(y)) = x THEN w := w <+ {y |-> []} END
END""",
    )
    system = load(path).system
    state = next(t.target for t in system.initial() if isinstance(t, Transition))
    machine = CompiledMachine(system, system.solutions)
    take = machine.program.actions[1]
    # No trap: `first` of an empty sequence is never asked for.
    assert list(successors(machine.program, take, tuple(machine.encode(state)))) == []


def test_what_a_known_element_is_related_to(tmp_path: Path) -> None:
    """Integers without a bound, but pairs with them are in a relation: its row is gone through."""
    agree(
        tmp_path / "m.mch",
        """MACHINE M VARIABLES x, r, f, s
INVARIANT x : 0..3 & r : 0..3 <-> 0..5 & f : 0..3 +-> 0..5 & s : seq(0..5) & size(s) <= 3
INITIALISATION x := 0 || r := {0 |-> 4, 0 |-> 5, 1 |-> 2, 3 |-> 0} || f := {1 |-> 2} || s := []
OPERATIONS
  Next = PRE x < 3 THEN x := x + 1 END;
  Take(y) = PRE (x + 1) |-> y : r & y /= x THEN r := r - {x + 1 |-> y} || f(x) := y END;
  Far(y) = PRE (x - 2) |-> y : r THEN x := y mod 4 END;
  Image(y) = PRE size(s) < 3 & x |-> y : f & y |-> x /: r THEN s := s <- y || f := f - {x |-> y} END;
  Item(y) = PRE x |-> y : s THEN x := 0 END;
  Triple(y, z) = PRE x |-> (y |-> z) : {0 |-> (1 |-> 2), 0 |-> (2 |-> 3)} & y < 2 THEN x := z END
END""",
    )


def test_what_constants_say_of_a_large_space_is_found_once(tmp_path: Path) -> None:
    """Neither operation is compiled by going through all functions: these are too many."""
    agree(
        tmp_path / "m.mch",
        """MACHINE M CONSTANTS n PROPERTIES n : 3..4
VARIABLES q, s INVARIANT q : 1..4 +-> 1..4 & s <: 1..20
INITIALISATION q := {} || s := {}
OPERATIONS
  Solve = ANY r WHERE r : 1..n --> 1..n & q <: r &
      !(i, j).(i : 1..n & j : 1..n & i < j => r(i) /= r(j) & r(i) + j - i /= r(j) & r(j) + j - i /= r(i))
    THEN q := r END;
  Set(i) = PRE i : 1..n & i /: dom(q) THEN q(i) := 2 END;
  Choose = ANY t WHERE t : POW(1..20) & card(t) = 1 & t /= s & max(t) < 4 + card(q) THEN s := t END
END""",
    )


RISKY = (
    "s : 1..n +-> 1..n & s(1) > y & dom(s) = 1..n",
    "s <: 1..n & 6 / (card(s) - 1 + 10 * y) > -99 & card(s) = 2",
)


@pytest.mark.parametrize("condition", RISKY)
def test_what_is_ill_defined_in_a_small_space_counts_in_both_engines(
    tmp_path: Path, condition: str
) -> None:
    path = tmp_path / "m.mch"
    path.write_text(f"""MACHINE M CONSTANTS n PROPERTIES n : 2..3
VARIABLES y INVARIANT y : 0..4 INITIALISATION y := 0
OPERATIONS
  Try = ANY s WHERE {condition} THEN skip END;
  Up = PRE y < 4 THEN y := y + 1 END
END""")
    model = load(path)
    assert facts(model.check(native=True, all=True)) == facts(model.check(native=False, all=True))
