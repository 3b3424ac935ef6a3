"""What blocks an operation is something that it cannot do without; other odd cases."""

from __future__ import annotations

from pathlib import Path

import secateur
from secateur.report.text import render_result
from tests.claims import wrong_claims

BLOCKED = """
MACHINE Blocked VARIABLES x, y INVARIANT x : 0..9 & y : 0..9 INITIALISATION x := 0 || y := 0
OPERATIONS
  inc = SELECT x < 3 THEN x := x + 1 END;
  either = SELECT x = 1 or x = 2 THEN skip END;
  several = SELECT x = 1 THEN skip WHEN x = 2 THEN skip END;
  implied = SELECT x = 3 => y = 1 THEN skip END;
  equal = SELECT x = 3 <=> y = 1 THEN skip END;
  denied = SELECT not(x = 3 & y = 0) THEN skip END;
  none = SELECT not(#z.(z : 1..3 & z = x)) THEN skip END;
  all = SELECT y = 0 & !z.(z : 1..3 => z /= x) THEN skip END;
  some(p) = PRE p : 1..3 & p < x & p + y > 5 THEN skip END;
  chosen = CHOICE SELECT x = 1 THEN skip END OR SELECT x = 2 THEN skip END END;
  inner = ANY q WHERE q : 0..x & q > 3 THEN y := q END
END
"""


def test_what_blocks_is_needed(tmp_path: Path) -> None:
    file = tmp_path / "Blocked.mch"
    file.write_text(BLOCKED)
    model = secateur.load(file)
    (violation,) = model.check().violations
    assert violation.explanation is not None
    assert list(wrong_claims(model, violation)) == []
    told = {b.operation: b for b in violation.explanation.blocked}
    needs = {name: b.cause.text for name, b in told.items() if b.cause is not None}
    assert needs["either"] == needs["several"] == "x = 1 or x = 2"
    assert needs["implied"] == "x = 3 => y = 1"
    assert needs["denied"] == "not(x = 3 & y = 0)"
    assert needs["all"] == "z : 1 .. 3 => z /= x"
    assert needs["some"] == "p + y > 5"
    assert [name for name, _ in told["some"].bindings] == ["p"]
    assert needs["inner"] == "q > 3"
    assert told["chosen"].cause is None
    text = secateur_text(model)
    assert "all needs z : 1 .. 3 => z /= x, which is false since step 4 (inc), for z = 3" in text
    assert "some(p = 1) needs p + y > 5" in text


def secateur_text(model: secateur.Model) -> str:
    """Return the report on a check."""
    return render_result(model.name, model.check())


SCOPED = """
MACHINE Scoped DEFINITIONS SCOPE == x < 5 & 1 = 1
VARIABLES x INVARIANT x : 0..9 & (x > 3 => x < 2) INITIALISATION x := 0
OPERATIONS inc = SELECT x < 9 & x >= 0 THEN x := x + 1 END; stop = SELECT x > 20 THEN skip END
END
"""


def test_a_scope_is_not_part_of_the_model(tmp_path: Path) -> None:
    file = tmp_path / "Scoped.mch"
    file.write_text(SCOPED)
    result = secateur.load(file).check(coverage=True, all=True)
    (violation,) = result.violations
    assert violation.explanation is not None
    assert [c.text for c in violation.explanation.causes] == ["x > 3", "x < 2"]
    assert result.coverage is not None
    assert not result.coverage.exhaustive
    assert set(result.coverage.statistics.fresh) == {"INITIALISATION", "inc", "stop"}


CAPTURED = """
MACHINE Captured VARIABLES x
INVARIANT x : 0..20 & (x > 0 => !x.(x : -3 .. -1 => x < 0)) & (x > 30 => x > 31)
INITIALISATION x := 1
OPERATIONS
  inc = SELECT x < 20 THEN x := x + 1 END;
  never = SELECT x > 50 & x > 40 THEN skip END
END
"""


def test_what_follows_a_captured_name_is_not_asked(tmp_path: Path) -> None:
    file = tmp_path / "Captured.mch"
    file.write_text(CAPTURED)
    found = secateur.load(file).check(coverage=True, deadlock=False).coverage
    assert found is not None
    assert [(v.text, v.what) for v in found.vacuities] == [("x > 30", "never true")]


def test_coverage_counts_are_of_one_run(tmp_path: Path) -> None:
    file = tmp_path / "Early.mch"
    file.write_text(
        "MACHINE Early VARIABLES x, y INVARIANT x : 0..9 & y : 0..9 & x + y < 2\n"
        "INITIALISATION x := 0 || y := 0\n"
        "OPERATIONS a = SELECT x < 9 THEN x := x + 1 END; b = SELECT y < 9 THEN y := y + 1 END END"
    )
    result = secateur.load(file).check(coverage=True)
    assert result.statistics.states < 100
    assert result.coverage is not None
    counted = result.coverage.statistics
    assert counted.states == 100
    assert sum(counted.fresh.values()) == 100
    assert {v.name: v.without for v in counted.coverage} == {"x": 10, "y": 10}
    for name, fresh in counted.fresh.items():
        assert fresh <= counted.operations[name]
