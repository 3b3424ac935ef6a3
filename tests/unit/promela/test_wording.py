"""Elements of `mtype` are told by name wherever something is told of them."""

from __future__ import annotations

import pytest

import secateur
from secateur.report.coverage import render_coverage
from secateur.report.explanation import render_explanation
from secateur.report.text import render_result
from secateur.system.result import Result

MODEL = """
mtype = { req, ack, nak };
mtype m = req;
mtype a[2];
chan c = [1] of { mtype, byte };
active proctype P() {
  mtype x = ack;
  c!nak,1;
  a[1] = nak;
  m = x;
  assert(m == nak && a[1] == nak);
  if
  :: m == req -> skip
  :: a[1] == ack -> skip
  :: c?ack,_ -> skip
  fi
}
"""


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Result:
    file = tmp_path_factory.mktemp("wording") / "m.pml"
    file.write_text(MODEL, encoding="utf-8")
    return secateur.load(file).check(all=True, coverage=True)


def _explained(result: Result, kind: str) -> str:
    violation = next(v for v in result.violations if v.kind.value == kind)
    assert violation.explanation is not None
    return "\n".join(render_explanation(violation.explanation, violation.trace))


def test_why_an_assertion_is_violated(result: Result) -> None:
    text = _explained(result, "assertion")
    assert "m = nak is false" in text
    assert "m = ack since" in text


def test_what_a_process_waits_for(result: Result) -> None:
    text = _explained(result, "deadlock")
    assert "needs m = req, which is false" in text
    assert "needs a(1) = ack, which is false" in text
    assert "needs c.`1` = ack, which is false" in text
    assert "c.`1` = nak" in text


def test_the_values_that_were_met(result: Result) -> None:
    met = {v.name: (str(v.least), str(v.greatest)) for v in result.statistics.coverage}
    assert met["m"] == ("ack", "req")
    assert met["c.2"] == ("0", "1")


def test_numbers_stay_numbers(result: Result) -> None:
    text = "\n".join([*render_coverage(result), render_result("m", result)])
    assert "c.len < 1" in text
    assert result.statistics.coverage[0].least == 1
