"""Models that compute as C does: the engines agree, and nothing is left to the evaluator."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from secateur.app.model import Model
from secateur.engine.native.available import why_not_native
from secateur.lang.compile.machine import CompiledMachine
from secateur.lang.lower import lower
from secateur.lang.model import Model as Typed
from secateur.lang.model import Property
from secateur.lang.registry import load
from secateur.maths import ast
from secateur.maths import substitution as s
from secateur.maths.ast import Apply, Expr
from secateur.maths.operators import integers
from secateur.maths.operators import machine_integers as c
from secateur.maths.operators.protocol import Operator
from secateur.maths.operators.registry import MACHINE_INTEGERS
from tests.agreement.test_engines import facts

pytestmark = pytest.mark.skipif(
    why_not_native() is not None, reason=f"no native engine: {why_not_native()}"
)

MACHINE = """MACHINE M VARIABLES x, y, z, w
INVARIANT x : -4..4 & y : -4..4 & z : -2147483648..2147483647 & w : BOOL & OPERAND > -1000000
INITIALISATION x := -4 || y := -4 || z := 0 || w := FALSE
OPERATIONS
  Right = PRE x < 4 THEN x := x + 1 || z := 0 END;
  Up = PRE y < 4 THEN y := y + 1 || z := IF x > y THEN 1 ELSE 0 END END;
  Compute = PRE z = 0 & y /= 0 THEN z := OPERAND || w := bool(x < y) END;
  Again = PRE IF w = TRUE THEN 1 ELSE 0 END /= 0 & OPERAND = 2 THEN z := 3 END
END"""


def _in_place_of_power(typed: Typed, operator: Operator) -> Typed:
    """Return a model in which `**`, which nobody else uses, is another operator."""

    def formula(e: Expr) -> Expr:
        new = ast.rebuild(e, formula)
        if isinstance(new, Apply) and new.operator is integers.POWER:
            return replace(new, operator=operator, args=new.args[: _count(operator)])
        return new

    def body(each: s.Substitution) -> s.Substitution:
        return s.rebuild(each, formula, body)

    operations = tuple(replace(o, body=body(o.body)) for o in typed.operations)
    return replace(
        typed,
        operations=operations,
        callable={o.name: o for o in operations},
        invariants=tuple(Property(p.name, formula(p.predicate)) for p in typed.invariants),
    )


def _count(operator: Operator) -> int:
    assert operator.signature is not None
    return len(operator.signature.operands)


def _operand(operator: Operator) -> str:
    if operator in (c.WRAP_SIGNED, c.WRAP_UNSIGNED):
        return "((x * 1237 + y) ** 5)"
    # an invariant is looked at where y is 0, too
    return "((x * 37) ** (2 * y + 1))"


@pytest.mark.parametrize("operator", MACHINE_INTEGERS, ids=str)
def test_engines_agree(tmp_path: Path, operator: Operator) -> None:
    path = tmp_path / "M.mch"
    path.write_text(MACHINE.replace("OPERAND", _operand(operator)))
    typed = _in_place_of_power(load(path), operator)
    system = lower(typed)
    list(system.initial())
    machine = CompiledMachine(system, system.solutions)
    assert [p.reason for p in (*machine.actions, *machine.properties) if p.reason] == []
    model = Model(typed, system, {})
    python = facts(model.check(native=False, all=True))
    assert facts(model.check(native=True, all=True)) == python
    symbolic = model.check(engine="symbolic", all=True)
    assert symbolic.statistics.states == python["states"]
    assert symbolic.statistics.transitions == python["transitions"]
    for por in ("stubborn", "ample"):
        reduced = model.check(native=True, por=por, all=True)
        assert {v.name for v in reduced.violations} == {v[1] for v in python["violations"]}
