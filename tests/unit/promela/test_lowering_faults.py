"""What goes wrong while a program runs: the path ends there, and it is told what and where."""

from __future__ import annotations

from pathlib import Path

import pytest

from secateur.source import InputError
from tests.unit.promela.explored import explored, loaded

_ARRAY = """
byte a[2]; byte x = 5; byte y; chan c;
proctype Q() { byte z; l: z = 1 }
proctype R() { byte z = len(c); y = z }
proctype S() { byte z = 0 * a[x]; y = z }
"""


@pytest.mark.parametrize(
    ("text", "states", "said"),
    [
        pytest.param(
            "byte a[3], i; active proctype P() { do :: i < 4 -> a[i] = 1; i++ :: else -> break od }",
            11,
            "3 is not in the domain",
            id="an index outside of an array is written",
        ),
        pytest.param(
            "byte a[3], i = 2; active proctype P() { byte x; i++; x = a[i]; x = 1 }",
            2,
            "3 is not in the domain",
            id="an index outside of an array is read",
        ),
        pytest.param(
            "typedef T { byte f[2] }; T s[2]; byte i = 2; active proctype P() { i = s[0].f[i] }",
            1,
            "-1 is not in the domain",
            id="an inner index is read",
        ),
        pytest.param(
            "typedef T { byte f[2] }; T s[2]; byte i = 2; active proctype P() { s[0].f[i] = 1 }",
            1,
            "-1 is not in the domain",
            id="an inner index is written",
        ),
        pytest.param(
            "chan c = [1] of {byte, byte}; byte a[3], k; active proctype P() { c!3,1; c?k,a[k] }",
            2,
            "3 is not in the domain",
            id="an index is received",
        ),
        pytest.param(
            "chan c[2] = [1] of {byte}; byte i = 1; active proctype P() { i++; c[i]!1 }",
            2,
            "an index is outside of its array",
            id="a channel outside of an array",
        ),
        pytest.param(
            "chan c[1] = [1] of {byte}; byte i; active proctype P() { i++; c[i]!1 }",
            2,
            "an index is outside of its array",
            id="a channel outside of an array of one",
        ),
        pytest.param(
            "chan c[2] = [1] of {byte}; chan d; byte i = 1; active proctype P() { i++; d = c[i] }",
            2,
            "an index is outside of its array",
            id="a channel outside of an array is no value",
        ),
        pytest.param(
            "byte b[2], i = 1; active proctype P() { i++; b[i] < 256 }",
            2,
            "2 is not in the domain",
            id="an element that there is not is not below 256",
        ),
        pytest.param(
            "byte b[2], i = 1; active proctype P() { i++; if :: b[i] == 0 || 1 :: else fi }",
            2,
            "2 is not in the domain",
            id="an element that there is not, before what is true anyway",
        ),
        pytest.param(
            "byte b[2], i = 1; active proctype P() { i++; b[i] == 1 && false }",
            2,
            "2 is not in the domain",
            id="an element that there is not, before what is false anyway",
        ),
        pytest.param(
            "byte x = 1; int y; active proctype P() { x = 0; y = (3 / x > -9) }",
            2,
            "division by zero",
            id="a quotient that there is not is not above -9",
        ),
        pytest.param(
            "chan c = [0] of {byte}; active proctype P() provided (c?[1]) { c!1 }"
            " active proctype Q() { c?1 }",
            1,
            "a channel without a buffer is asked for its messages",
            id="a clause that polls a rendezvous channel",
        ),
        pytest.param(
            "chan c; active proctype P() provided (len(c) == 0) { skip }",
            1,
            "the channel was never made",
            id="a clause that asks a channel that was never made",
        ),
        pytest.param(
            "chan c = [1] of {byte}; active proctype P() { chan d; byte x; if :: d = c :: x = 1 fi; d!1 }",
            5,
            "the channel was never made",
            id="a channel that was never made",
        ),
        pytest.param(
            "byte x; active proctype P() { x = 1 / x }",
            1,
            "division by zero",
            id="a division by zero",
        ),
        pytest.param(
            "byte x; active proctype P() { d_step { x = 1; x == 2; x = 3 } }",
            1,
            "a d_step cannot go on",
            id="a d_step that cannot go on",
        ),
        pytest.param(
            "byte x, n; active proctype P() { n = 2; d_step { x = n; do :: x < 9 -> x++ :: x > 9 -> break od } }",
            2,
            "a d_step cannot go on",
            id="a loop in a d_step that cannot go on",
        ),
        pytest.param(
            "chan c = [0] of {byte}; byte x; active proctype P() { d_step { x = 1; c!1 } }"
            " active proctype Q() { byte k; c?k }",
            1,
            "a d_step waits for a rendezvous",
            id="a rendezvous in a d_step",
        ),
        pytest.param(
            "chan c = [0] of {byte}; byte x; active proctype P() { x = 1; c?<x> }",
            2,
            "a channel without a buffer is asked for its messages",
            id="a message is copied that nobody can look at",
        ),
        pytest.param(
            "chan c = [0] of {byte}; active proctype P() { if :: c?[1] -> skip :: else -> skip fi }"
            " active proctype Q() { c!1 }",
            1,
            "a channel without a buffer is asked for its messages",
            id="a poll of a rendezvous channel",
        ),
        pytest.param(
            "chan c = [0] of {byte}; byte x; active proctype P() { x = 2; d_step { x = 1; x = c?[1] } }",
            2,
            "a channel without a buffer is asked for its messages",
            id="a poll of a rendezvous channel in a d_step",
        ),
        pytest.param(
            "chan c = [0] of {byte}; chan d = [1] of {byte}; active proctype P() {"
            " chan f; if :: f = c :: f = d fi; if :: f?[1] :: nempty(f) :: else fi }",
            5,
            "a channel without a buffer is asked for its messages",
            id="a poll of what may be a rendezvous channel",
        ),
        pytest.param(
            "chan f; byte x; active proctype P() { x = 1; x = len(f) }",
            2,
            "the channel was never made",
            id="the length of a channel that was never made",
        ),
        *(
            pytest.param(f"{_ARRAY} init {{ {body} }}", 1, "", id=body)
            for body in (
                "if :: !(a[x] == 1 || true) -> y = 1 :: else -> y = 2 fi",
                "if :: (a[x] == 1 && a[x] != 1) -> y = 1 :: else -> y = 2 fi",
                "!(a[x] == 1 || a[x] != 1) -> y = 1",
                "y = 0 * a[x] + 1",
                "y = 1 + (0 >> a[x])",
                "y = (3 % 0) + x",
                "y = (0 / y) + 1",
                "y = -(0 % y)",
                "a[0 / y] = 1",
                "d_step { a[0] = 1; y = a[0 / y] }",
                "d_step { y = (0 >= 3 / y -> (-1) : (-1)) }",
                "y = a[7] == 3 || y == 0",
                "if :: Q[a[x]]:z == 0 -> y = 1 :: else fi",
                "if :: Q[a[x]]@l -> y = 1 :: else fi",
                "y = pc_value(a[x])",
                "y = get_priority(a[x])",
                "run R()",
                "run S()",
            )
        ),
    ],
)
def test_fault(tmp_path: Path, text: str, states: int, said: str) -> None:
    result = loaded(tmp_path, text).check(por="none", symmetry="none")
    for violation in result.violations:  # `else` asks the same as what is beside it
        assert violation.kind.value == "welldefinedness"
        assert said in (violation.message or "")
    assert result.violations
    assert explored(tmp_path, text).states == states


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("byte x; active proctype P() { x = set_priority(0, 1) }", "SEC380"),
        (
            "chan c = [0] of {bit}; active proctype P() { set_priority(0, 2); c!1 }",
            "SEC382",
        ),
        ("byte x; proctype P() { skip } init { run P() priority x }", "SEC382"),
        (
            "byte x; proctype P() { set_priority(_pid, 5) } init { run P() priority x }",
            "SEC382",
        ),
        ("byte x; active proctype P() { skip } never { do :: x = 1 od }", "SEC382"),
        (
            "byte x; active proctype P() { skip } never { { do :: x < 2 od } unless { x == 2 } }",
            "SEC382",
        ),
        (
            "byte x; active proctype P() { skip } never { atomic { do :: x < 2 :: x > 2 od } }",
            "SEC382",
        ),
    ],
)
def test_what_is_not_supported_is_refused(tmp_path: Path, text: str, code: str) -> None:
    with pytest.raises(InputError) as caught:
        loaded(tmp_path, text)
    (found,) = caught.value.diagnostics
    assert str(found.code) == code
    assert found.span is not None


def test_a_name_tells_who_and_where(tmp_path: Path) -> None:
    model = loaded(
        tmp_path,
        "chan c = [2] of {byte, bit};\nproctype P(byte k) { byte x; x = k; c!x,1 }\n"
        "init { atomic { run P(3); run P(4) } }",
    )
    names = [variable.name for variable in model.typed.variables]
    assert names == ["_nr_pr", "c.len", "c.1", "c.2", "init_0", "P_1", "P_1.x", "P_2", "P_2.x"]
    operations = [operation.name for operation in model.typed.operations]
    assert "P_2:2 c!x,1" in operations
    assert "init_0:3 run P(3); run P(4)" in operations


def test_a_sequence_that_is_cut_keeps_the_others_out(tmp_path: Path) -> None:
    model = loaded(
        tmp_path,
        "byte n, x; active proctype N() { n = 7; n = 20 }\n"
        "active proctype P() { byte i; atomic { x = 1; i = n; do :: i < 30 -> i++ :: else -> break od; x = 0 } }\n"
        "active proctype Q() { byte k; k = x; assert(k == 0) }",
    )
    assert "_atomic" in [variable.name for variable in model.typed.variables]
    result = model.check(all=True, por="none", symmetry="none")
    assert not result.reasons
    assert not result.violations


@pytest.mark.parametrize(
    "text",
    [
        "byte b[3]; active proctype P() { b[3] = 1 }",
        "byte b[3]; active proctype P() { b[1 + 2] = 1 }",
        "byte b[3]; active proctype P() { b[-1] = 1 }",
        "byte b[3]; active proctype P() { b[3]++ }",
        "byte b[1]; active proctype P() { b[1] = 1 }",
        "active proctype P() { byte l[2], i = 2; l[i] = 1 }",
        "proctype Q(byte i) { byte l[2]; l[i] = 1 } init { run Q(2) }",
        "typedef T { byte f[2] }; T t[2]; active proctype P() { t[0].f[2] = 1 }",
        "typedef T { byte f[2] }; T t[2]; active proctype P() { t[2].f[0] = 1 }",
        "typedef T { byte f }; T t[2]; active proctype P() { t[2].f = 1 }",
        "byte b[3]; chan c = [1] of {byte}; active proctype P() { c!1; c?b[3] }",
        "byte b[3]; chan c = [1] of {byte}; active proctype P() { c!1; c?<b[3]> }",
        "byte b[3]; chan c = [1] of {byte}; active proctype P() { c!1; c??b[3] }",
        "byte b[3]; chan c = [0] of {byte}; active proctype P() { c!1 } active proctype Q() { c?b[3] }",
        "byte b[3]; active proctype P() { d_step { b[3] = 1; skip } }",
        "byte b[3]; active proctype P() { atomic { b[3] = 1; skip } }",
        "byte b[3]; proctype Q() { skip } init { b[3] = run Q() }",
        "chan c[2] = [1] of {bit}; chan d = [1] of {bit}; active proctype P() { c[2] = d }",
    ],
)
def test_an_element_that_there_is_not_is_written(tmp_path: Path, text: str) -> None:
    """Also where that is known beforehand, so that there is nothing to be written."""
    assert "welldefinedness" in explored(tmp_path, text).kinds


@pytest.mark.parametrize(
    "text",
    [
        "byte b[3], i = 3, x; active proctype P() { atomic { x = b[i]; x = 1 } }",
        "byte b[3], i = 3, x; active proctype P() { d_step { x = b[i]; x = (x == 9 -> x : 0); x = 1 } }",
        "byte b[3], i = 3, n, x; active proctype P() { d_step { b[n] = b[i]; b[n] = 1 } }",
        "byte b[3], i = 3; chan c = [2] of {byte}; active proctype P() { d_step { c!b[i]; c?_ } }",
        "byte b[3], i = 3; chan c = [0] of {byte}; active proctype P() { c!b[i] } active proctype Q() { c?_ }",
        'byte b[3], i = 3; active proctype P() { printf("%d", b[i]) }',
        "byte x, y; active proctype P() { d_step { x = 4 / y; x = 1 } }",
    ],
)
@pytest.mark.parametrize("native", [False, True])
def test_a_value_that_there_is_not_is_not_kept(tmp_path: Path, text: str, native: bool) -> None:
    model = loaded(tmp_path, text)
    result = model.check(native=native, engine="explicit", por="none", symmetry="none")
    (violation,) = result.violations
    assert violation.kind.value == "welldefinedness"


def test_the_native_engine_meets_an_element_that_there_is_not(tmp_path: Path) -> None:
    counting = "active proctype Q() { do :: x++ od } active proctype R() { do :: y = y + 1 od }"
    text = f"byte b[3], x, y; {counting} active proctype P() {{ byte i = 3; b[i] = 1 }}"
    result = loaded(tmp_path, text).check(
        native=True, engine="explicit", por="none", symmetry="none"
    )
    (violation,) = result.violations
    assert violation.message == "an index is outside of its array"


SCAN = """
byte used[3];
active [2] proctype P() {
    byte i;
    do
    :: d_step { i = 0; do :: used[i] != 0 -> i++ :: used[i] == 0 -> break od; used[i] = 1 }
    od
}
"""


def test_a_search_through_an_array_ends_with_the_array(tmp_path: Path) -> None:
    """What comes after an element that there is not never happens: it is not followed."""
    model = loaded(tmp_path, SCAN)
    assert "_atomic" not in {b.name for b in model.typed.variables}
    found = explored(tmp_path, SCAN)
    assert found.kinds == {"welldefinedness"}
    assert found.states == 8


def test_what_is_not_looked_at_may_be_outside(tmp_path: Path) -> None:
    text = """
    byte a[2], b, x;
    active proctype P() {
        atomic { b = 2; if :: b > 1 || a[b] == 0 -> x = 1 :: b < 2 && a[b] == 1 -> x = 2 fi };
        atomic { do :: x < 3 && (b == 2 || a[b] == 0) -> x++ :: x == 3 -> break od }
    }
    """
    found = explored(tmp_path, text)
    assert found.kinds == set()
    assert found.states == 4


@pytest.mark.parametrize("operation", ["7 / y", "x % y"])
def test_a_division_by_zero_is_told_with_its_place(tmp_path: Path, operation: str) -> None:
    text = f"byte x, y;\nactive proctype P() {{ d_step {{ x = 1;\n  x = x + ({operation}) }} }}"
    (violation,) = loaded(tmp_path, text).check(all=True).violations
    assert violation.span is not None
    assert violation.span.text == operation


@pytest.mark.parametrize("por", ["stubborn", "ample", "process-ample", "upset", "best"])
def test_what_follows_an_assertion_that_never_holds_is_not_reduced_away(
    tmp_path: Path, por: str
) -> None:
    text = (
        "bool b = 1; active proctype P() { (b > 0) } "
        "active proctype Q() { skip; d_step { b--; assert(false) } }"
    )
    result = loaded(tmp_path, text).check(all=True, por=por)
    assert {v.kind.value for v in result.violations} == {"assertion", "deadlock"}
