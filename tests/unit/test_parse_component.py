"""Whole components: clauses, definitions, operations."""

from __future__ import annotations

import pytest

from secateur.lang.b.ast import Component, Kind, Operation
from secateur.lang.b.parse import parse_component, parse_definitions
from secateur.maths.ast import Expr, Name
from secateur.maths.print import show
from secateur.maths.print_substitution import show_substitution
from secateur.maths.substitution import Substitution
from secateur.source import Source


def parse(text: str) -> Component:
    return parse_component(Source("m.mch", text))


def body(part: Expr | Substitution | None) -> str:
    assert part is not None
    return show_substitution(part) if isinstance(part, Substitution) else show(part)


def names(found: tuple[Name, ...]) -> list[str]:
    return [each.text for each in found]


def test_every_clause() -> None:
    c = parse(
        """MACHINE M(S, n)
        CONSTRAINTS n : NAT
        SEES A, b.B  USES C  INCLUDES d.D(S, n + 1)  EXTENDS E  IMPORTS i.j.F  PROMOTES d.op
        SETS T; U = {u1, u2}; V = DEF
        FREETYPES L = nil, cons(NAT * L)
        CONCRETE_CONSTANTS a, b  ABSTRACT_CONSTANTS c
        PROPERTIES a = b
        VALUES a = 1; T = 1..3
        CONCRETE_VARIABLES v  VARIABLES w
        INVARIANT v : NAT
        ASSERTIONS v >= 0; w = w
        DEFINITIONS one == 1
        INITIALISATION v := 0 ; w := 0
        OPERATIONS op = skip
        LOCAL_OPERATIONS lop = skip
        END"""
    )
    assert (c.kind, c.name, names(c.parameters)) == (Kind.MACHINE, "M", ["S", "n"])
    assert [(r.prefix, r.name) for r in (*c.sees, *c.uses, *c.extends, *c.imports)] == [
        (None, "A"),
        ("b", "B"),
        (None, "C"),
        (None, "E"),
        ("i.j", "F"),
    ]
    assert [body(a) for a in c.includes[0].args] == ["S", "n + 1"]
    assert names(c.promotes) == ["d.op"]
    assert [(s.name, s.elements and names(s.elements)) for s in c.sets] == [
        ("T", None),
        ("U", ["u1", "u2"]),
        ("V", None),
    ]
    assert c.sets[2].definition == Name("DEF")
    assert [(k.name, k.argument is None) for k in c.freetypes[0].constructors] == [
        ("nil", True),
        ("cons", False),
    ]
    assert names(c.concrete_constants) == ["a", "b"]
    assert names(c.abstract_constants) == ["c"]
    assert [(n.text, body(e)) for n, e in c.values] == [("a", "1"), ("T", "1 .. 3")]
    assert (names(c.concrete_variables), names(c.abstract_variables)) == (["v"], ["w"])
    assert [body(a) for a in c.assertions] == ["v >= 0", "w = w"]
    assert body(c.constraints) == "n : NAT"
    assert body(c.properties) == "a = b"
    assert body(c.invariant) == "v : NAT"
    assert body(c.initialisation) == "v := 0 ; w := 0"
    assert [o.name for o in (*c.operations, *c.local_operations)] == ["op", "lop"]


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("MACHINE", Kind.MACHINE),
        ("ABSTRACT_MACHINE", Kind.MACHINE),
        ("MODEL", Kind.MODEL),
        ("SYSTEM", Kind.SYSTEM),
        ("REFINEMENT", Kind.REFINEMENT),
        ("IMPLEMENTATION", Kind.IMPLEMENTATION),
    ],
)
def test_kinds(word: str, kind: Kind) -> None:
    assert parse(f"{word} M END").kind is kind


def test_spelling_variants_of_clauses() -> None:
    c = parse(
        "REFINEMENT M REFINES A HIDDEN_CONSTANTS a VISIBLE_CONSTANTS b CONSTANTS c "
        "HIDDEN_VARIABLES v VISIBLE_VARIABLES w ABSTRACT_VARIABLES x INITIALIZATION skip "
        "EVENTS e = skip END"
    )
    assert c.refines is not None
    assert c.refines.name == "A"
    assert names(c.abstract_constants) == ["a"]
    assert names(c.concrete_constants) == ["b", "c"]
    assert names(c.abstract_variables) == ["v", "x"]
    assert names(c.concrete_variables) == ["w"]
    assert c.initialisation is not None
    assert [e.name for e in c.operations] == ["e"]


def header(operation: Operation) -> tuple[list[str], str, list[str]]:
    return names(operation.results), operation.name, names(operation.parameters)


def test_operation_headers() -> None:
    c = parse(
        "MACHINE M OPERATIONS a = skip; b(x, y) = skip; r, s <-- M1.c(z) = skip; d() = skip END"
    )
    assert [header(o) for o in c.operations] == [
        ([], "a", []),
        ([], "b", ["x", "y"]),
        (["r", "s"], "M1.c", ["z"]),
        ([], "d", []),
    ]


def test_file_pragma_of_a_reference() -> None:
    c = parse('MACHINE M SEES A /*@file "dir/A.mch" */, B END')
    assert [r.file for r in c.sees] == ["dir/A.mch", None]


def test_pragmas_passed_over_are_noted() -> None:
    c = parse("MACHINE M VARIABLES /*@unit m */ x INVARIANT /*@label l */ x = 1 END")
    assert c.notes == ("the pragma @unit is passed over",)


def test_first_line_of_a_script() -> None:
    assert parse("#!/usr/bin/probcli\nMACHINE M END").name == "M"


def definitions(text: str) -> dict[str, str]:
    return {d.name: body(d.body) for d in parse_definitions(Source("d.def", text)).definitions}


def test_definitions_end_where_the_next_one_begins() -> None:
    assert definitions(
        """DEFINITIONS
        plain == 1;
        with_parameters(x, y) == x + y;
        predicate(x) == x : NAT & x > 1;
        composition == f ; g;
        sequence == x := 1 ; y := 2;
        block == BEGIN x := 1; y := 2 END;
        loop == WHILE x > 0 DO x := x - 1 INVARIANT x >= 0 VARIANT x END;
        cases == CASE x OF EITHER 1 THEN skip ELSE y := 1 END END;
        call == op(x);
        string == "a;b";
        "other.def"; <Library.def>;
        final == {1, 2}
        """
    ) == {
        "plain": "1",
        "with_parameters": "x + y",
        "predicate": "x : NAT & x > 1",
        "composition": "f ; g",
        "sequence": "x := 1 ; y := 2",
        "block": "x := 1 ; y := 2",
        "loop": "WHILE x > 0 DO x := x - 1 INVARIANT x >= 0 VARIANT x END",
        "cases": "CASE x OF EITHER 1 THEN skip ELSE y := 1 END END",
        "call": "op(x)",
        "string": '"a;b"',
        "final": "{1,2}",
    }


def test_definition_files_and_parameters() -> None:
    found = parse_definitions(Source("d.def", 'DEFINITIONS "a.def"; f(x,y) == x; <b.def>'))
    assert [name for name, _ in found.files] == ["a.def", "b.def"]
    assert found.definitions[0].parameters == ("x", "y")


def test_definitions_between_clauses_and_a_loop_invariant() -> None:
    c = parse(
        "MACHINE M DEFINITIONS s == WHILE p DO skip INVARIANT q VARIANT 1 END; t == 2 "
        "INVARIANT t = 2 INITIALISATION s END"
    )
    assert [d.name for d in c.definitions] == ["s", "t"]
    assert body(c.invariant) == "t = 2"


def test_named_expressions_are_definitions() -> None:
    c = parse("MACHINE M EXPRESSIONS a == 1; b == a + 1 PREDICATES p == a < b END")
    assert [d.name for d in c.definitions] == ["a", "b", "p"]


def test_a_later_word_can_be_a_variable() -> None:
    c = parse("MACHINE M VARIABLES floor INVARIANT floor : NAT & partition({1},{1}) END")
    assert names(c.abstract_variables) == ["floor"]
