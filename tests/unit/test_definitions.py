"""Definitions are macros over trees."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from secateur.lang.b.definitions import Definitions
from secateur.lang.b.parse import parse_definitions
from secateur.lang.model import Model
from secateur.lang.registry import load
from secateur.maths.ast import Exists, Name, Number, free_names
from secateur.maths.substitution import Assign
from secateur.source import InputError, Source


def definitions(text: str) -> Definitions:
    """Return the definitions in `text`."""
    found = parse_definitions(Source("test.def", f"DEFINITIONS {text}"))
    return Definitions({d.name: d for d in found.definitions}, frozenset())


def machine(folder: Path, text: str, name: str = "M") -> Model:
    """Load a machine with these clauses."""
    path = folder / f"{name}.mch"
    path.write_text(f"MACHINE {name}\n{textwrap.dedent(text)}\nEND\n")
    return load(path)


def message(folder: Path, text: str) -> str:
    """Return the first complaint about a machine with these clauses."""
    with pytest.raises(InputError) as caught:
        machine(folder, text)
    return caught.value.diagnostics[0].message


def body(table: Definitions, name: str) -> object:
    """Return the expanded body of a definition."""
    return table.body(name, table.table[name].span)


def test_arguments_are_put_in() -> None:
    table = definitions("twice(x) == (x, x); three == 3; t == twice(three)")
    expanded = body(table, "t")
    pair = body(definitions("t == (3, 3)"), "t")
    assert expanded == pair


def test_a_binder_of_the_body_does_not_capture_an_argument() -> None:
    table = definitions("some(s) == #x.(x : s); t == some({x})")
    expanded = body(table, "t")
    assert isinstance(expanded, Exists)
    assert expanded.binders[0].name != "x"
    assert free_names(expanded) == {"x"}


def test_a_parameter_may_be_the_bound_identifier() -> None:
    table = definitions("some(v, p) == #v.(p); t == some(a, a = 1)")
    expanded = body(table, "t")
    assert isinstance(expanded, Exists)
    assert expanded.binders[0].name == "a"
    assert free_names(expanded) == frozenset()


def test_each_use_gets_nodes_of_its_own(tmp_path: Path) -> None:
    """`less` is set difference once and subtraction once: the uses must not share nodes."""
    model = machine(
        tmp_path,
        """\
        DEFINITIONS less(a, b) == a - b
        CONSTANTS c, d PROPERTIES c = less(3, 1) & d = less({3}, {1})
        """,
    )
    assert [str(c.type) for c in model.constants] == ["INTEGER", "POW(INTEGER)"]


def test_a_substitution_can_be_a_definition(tmp_path: Path) -> None:
    model = machine(
        tmp_path,
        """\
        DEFINITIONS put(v, e) == v := e; reset == put(x, 0)
        VARIABLES x INVARIANT x : NAT INITIALISATION reset
        """,
    )
    assert model.initialisation == Assign((Name("x"),), (Number(0),))


def test_a_list_of_variables_can_be_a_definition(tmp_path: Path) -> None:
    model = machine(
        tmp_path,
        """\
        DEFINITIONS all == (x, y)
        VARIABLES all INVARIANT x : NAT & y : NAT INITIALISATION x, y := 0, 0
        """,
    )
    assert [v.name for v in model.variables] == ["x", "y"]


def test_an_ill_typed_definition_that_is_not_used_is_no_mistake(tmp_path: Path) -> None:
    model = machine(tmp_path, 'DEFINITIONS bad == 1 + "a"; ANIMATION_FUNCTION == nix')
    assert "bad" not in model.definitions
    assert any("ANIMATION_FUNCTION" in note for note in model.notes)


def test_files_of_definitions_are_found_and_may_name_others(tmp_path: Path) -> None:
    (tmp_path / "A.def").write_text('DEFINITIONS "B.def"; one == 1\n')
    (tmp_path / "B.def").write_text("DEFINITIONS two == 2\n")
    model = machine(tmp_path, 'DEFINITIONS "A.def" CONSTANTS c PROPERTIES c = one + two')
    assert [str(c.type) for c in model.constants] == ["INTEGER"]


def test_a_library_needs_no_file(tmp_path: Path) -> None:
    model = machine(
        tmp_path,
        'DEFINITIONS "LibraryStrings.def" CONSTANTS c PROPERTIES c = STRING_LENGTH("abc")',
    )
    assert [str(c.type) for c in model.constants] == ["INTEGER"]


@pytest.mark.parametrize(
    ("clauses", "expected"),
    [
        ("DEFINITIONS f(x) == g(x); g(x) == f(x) ASSERTIONS f(1) = 1", "f -> g -> f"),
        ("DEFINITIONS f(x) == x ASSERTIONS f(1, 2) = 1", "takes 1 argument(s), 2 given"),
        ("DEFINITIONS f(x) == x ASSERTIONS f = 1", "takes 1 argument(s), 0 given"),
        ("DEFINITIONS f == skip ASSERTIONS f = 1", "f is a substitution"),
        ("DEFINITIONS f == 1 = 1 INITIALISATION f", "not a substitution"),
        ('DEFINITIONS "nix.def"', "no definition file nix.def"),
        ("ASSERTIONS undefined(1) = 1", "unknown identifier undefined"),
        (
            "DEFINITIONS EXTERNAL_FUNCTION_NIX == INTEGER --> INTEGER; NIX(x) == 0 ASSERTIONS NIX(1) = 1",
            "external function NIX is not supported",
        ),
    ],
)
def test_a_mistake_is_reported(tmp_path: Path, clauses: str, expected: str) -> None:
    assert expected in message(tmp_path, clauses)
