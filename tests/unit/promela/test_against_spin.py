"""What we refuse, Spin refuses, except for reasons given here; what we read, Spin reads."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.unit.promela.models import program_of
from tests.unit.promela.test_complaints import CASES, MTYPES

REFUSED_BY_US_ALONE = {
    "SEC342": "embedded C",
    "SEC347": "Spin lets a number overflow in silence",
    "SEC367": "Spin makes a number of the formula",
}
STRICTER = {
    "chan c = [-1] of {byte}; init { skip }": "no channel has this capacity",
    "typedef T { byte b[1000] }; T t[100000]; init { skip }": "no state has this size",
    "byte c; init { len(c) > 0 }": "a number that is no channel",
    "chan c = [1] of {byte}; init { byte x; c?x, 2 }": "the second field is never there",
    "chan c = [1] of {byte}; init { c?[1, 2] }": "the same",
    "proctype P() { skip } byte b[2]; init { b[run P()] = 1 }": "Spin creates it twice",
    "proctype P() { skip } byte b[9]; init { b[_nr_pr] = run P() }": "C does not tell the order",
    "proctype P() { skip } byte x; init { x = (run P()) + (run P()) }": "the same",
    "proctype P(byte k) { skip } byte x; init { x = run P(run P(1)) }": "one process a statement",
    "proctype P() { skip } byte x; init { x = run P() + pc_value(0) }": "C does not tell the order",
    "proctype P() { skip } init { skip } never { assert(run P()) }": "claims only look at states",
    "proctype P() { skip } init { P:x == 1 }": "there is no such variable",
    "chan c = [1] of {byte}; init { c?_pid }": "_pid would be changed",
}
READ = [
    "byte x; init { x = 1\n -> x = 2\n x = 3 }",
    "byte x; init { if\n :: x == 1 ->\n x = 2\n :: else\n x = 3\n fi\n x = 4 }",
    "typedef T { byte a\n byte b }\nT t\nchan q = [1] of { T, mtype }\ninit { q!t,1 }",
    "inline f(x)\n{\n x = 1\n}\ninit { byte a\n f(a)\n f(a)\n}",
    "byte x; init { d_step { do :: x < 3 -> x++ :: else -> goto l od; l: skip } }",
    "byte x; init { do :: d_step { do :: break od; x++ } :: break od }",
    "byte x; init { d_step { atomic { x = 1; goto l }; x = 2; l: skip } }",
    "proctype P() priority 0 { skip } init { run P() }",
    "typedef T { byte a[2] }; chan c[2] = [1] of {T}; init { T t; for (t in c[1]) { skip } }",
    f"{MTYPES} mtype x; mtype:f y; byte z; init {{ x = a; z = b; y = 3; y = x; y = z; y == b }}",
    f"{MTYPES} mtype:f x; mtype:g y; init {{ x = y; x = b + 1; select(x : 1 .. 2) }}",
    f"{MTYPES} typedef T {{ mtype:f x }}; init {{ T t; t.x = b }}",
    f"{MTYPES} chan q = [1] of {{mtype:f}}; init {{ mtype:g x; q!b; q?x; q?b }}",
    f"{MTYPES} inline g(v, w) {{ v = w }} init {{ mtype:f x; g(x, b) }}",
    f"{MTYPES} proctype P(mtype:f x; byte y) {{ skip }} init {{ run P(2, b) }}",
    "inline f(a) { return a + 1 } byte x; init { x = f(3) }",
    "init { byte x; { x = 1 }\n unless { skip } }",
    "init { byte y; { byte x; x = 2 } byte x; x = y; if :: byte z; z = 1 :: z = 2 fi; z = 3 }",
    "init { byte x; x = 2 } byte x;",
    "bool a; ltl p { []<> a }; ltl q { a until !a implies always a }\ninit { skip }",
    "chan c = [1] of {byte, byte}; init { byte x; c!1; c?x; c?_,eval(x + 1); c?[x] }",
    "typedef T { byte a, b }; chan c = [1] of {T}; init { T i; for (i in c) { skip } }",
    "proctype P() { l: skip; byte x } init { run P() }\nnever { do :: P[1]:x == 1 && P@l od }",
    "mtype = {a b c}; mtype:k = {d}; mtype:k m = d; init { printm(a) }",
    "active [2] proctype P(byte x) priority 3 provided (_pid > 0) { set_priority(0, 2) }",
]


def _spin(text: str, folder: Path) -> int:
    if shutil.which("spin") is None:
        pytest.skip("NO SPIN on this machine: nothing was compared")
    (folder / "m.pml").write_text(text, encoding="utf-8")
    command = ["spin", "-a", "m.pml"]
    done = subprocess.run(command, check=False, cwd=folder, capture_output=True, timeout=60)
    return done.returncode


@pytest.mark.parametrize(("text", "code"), [(text, code) for text, code, _ in CASES])
def test_what_we_refuse_spin_refuses(text: str, code: str, tmp_path: Path) -> None:
    excused = code in REFUSED_BY_US_ALONE or text in STRICTER
    assert (_spin(text, tmp_path) == 0) == excused


@pytest.mark.parametrize("text", READ)
def test_what_spin_reads_we_read(text: str, tmp_path: Path) -> None:
    assert _spin(text, tmp_path) == 0
    program_of(text)
