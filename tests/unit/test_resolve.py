"""Machines that refer to others: inclusion, renaming, parameters, refinement."""

from __future__ import annotations

from pathlib import Path

import pytest

from secateur.lang.model import Model
from secateur.lang.registry import load
from secateur.source import InputError

COUNTER = """\
MACHINE Counter(limit)
CONSTRAINTS limit : NAT
VARIABLES n INVARIANT n : 0..limit INITIALISATION n := 0
OPERATIONS inc = PRE n < limit THEN n := n + 1 END; r <-- get = r := n
END
"""


def project(folder: Path, **files: str) -> Path:
    """Write the files, by component name; return the path of the first."""
    for name, text in files.items():
        (folder / f"{name}.mch").write_text(text)
    return folder / f"{next(iter(files))}.mch"


def complaint(path: Path) -> tuple[str, str | None]:
    """Return the first complaint and its help."""
    with pytest.raises(InputError) as caught:
        load(path)
    first = caught.value.diagnostics[0]
    return first.message, first.help


def names(model: Model) -> tuple[list[str], list[str]]:
    """Return the variables and the visible operations."""
    return [v.name for v in model.variables], [o.name for o in model.operations]


def test_an_included_machine_brings_variables_but_no_operations(tmp_path: Path) -> None:
    main = "MACHINE M INCLUDES Counter(3) OPERATIONS go = inc END"
    model = load(project(tmp_path, M=main, Counter=COUNTER))
    assert names(model) == (["n"], ["go"])
    assert set(model.callable) == {"go", "inc", "get"}


def test_promoted_and_extended_operations_are_visible(tmp_path: Path) -> None:
    promoting = "MACHINE M INCLUDES Counter(3) PROMOTES inc END"
    assert names(load(project(tmp_path, M=promoting, Counter=COUNTER)))[1] == ["inc"]
    extending = "MACHINE M EXTENDS Counter(3) END"
    assert names(load(project(tmp_path, M=extending, Counter=COUNTER)))[1] == ["inc", "get"]


def test_instances_have_variables_and_operations_of_their_own(tmp_path: Path) -> None:
    main = """\
    MACHINE M INCLUDES a.Counter(3), b.Counter(1) PROMOTES a.inc
    INVARIANT a.n >= b.n OPERATIONS both = a.inc || b.inc END
    """
    model = load(project(tmp_path, M=main, Counter=COUNTER))
    assert names(model) == (["a.n", "b.n"], ["both", "a.inc"])
    assert [p.name for p in model.invariants] == ["a.n : 0 .. 3", "b.n : 0 .. 1", "a.n >= b.n"]


def test_parameters_can_be_passed_on(tmp_path: Path) -> None:
    main = "MACHINE M INCLUDES x.Outer(2) END"
    outer = "MACHINE Outer(most) CONSTRAINTS most : NAT EXTENDS y.Counter(most) END"
    model = load(project(tmp_path, M=main, Outer=outer, Counter=COUNTER))
    assert names(model)[0] == ["x.y.n"]
    assert not model.constants


def test_parameters_of_the_main_machine_are_constants_and_sets(tmp_path: Path) -> None:
    main = "MACHINE M(SS, low) CONSTRAINTS low : NAT VARIABLES x INVARIANT x : SS \
            INITIALISATION x :: SS END"
    model = load(project(tmp_path, M=main))
    assert [s.name for s in model.sets] == ["SS"]
    assert [c.name for c in model.constants] == ["low"]


def test_a_machine_that_is_seen_twice_is_one(tmp_path: Path) -> None:
    main = "MACHINE M SEES C INCLUDES B VARIABLES x INVARIANT x : S INITIALISATION x := a END"
    inner = "MACHINE B SEES C VARIABLES y INVARIANT y : S INITIALISATION y := a END"
    context = "MACHINE C SETS S = {a, b} END"
    model = load(project(tmp_path, M=main, B=inner, C=context))
    assert [s.name for s in model.sets] == ["S"]


def test_a_refinement_keeps_what_it_shares_with_its_abstraction(tmp_path: Path) -> None:
    refinement = """\
    REFINEMENT R REFINES A VARIABLES x, z INVARIANT z : BOOL & (z = TRUE <=> y > 0) & x >= 0
    INITIALISATION x, z := 0, FALSE
    OPERATIONS set(v) = BEGIN x := v END
    END
    """
    abstract = """\
    MACHINE A SETS S = {a} VARIABLES x, y INVARIANT x : INTEGER & y : NAT
    INITIALISATION x, y := 0, 0
    OPERATIONS set(v) = PRE v : NAT THEN x := v END; keep = x := x; gone = y := 1
    END
    """
    model = load(project(tmp_path, R=refinement, A=abstract))
    assert names(model) == (["x", "z"], ["set", "keep"])
    assert [p.name for p in model.invariants] == ["x : INTEGER", "z : BOOL", "x >= 0"]
    assert sum("abstraction" in reason for reason in model.unchecked) == 2
    (set_,) = [o for o in model.operations if o.name == "set"]
    assert [str(p.type) for p in set_.parameters] == ["INTEGER"]


def test_values_of_an_implementation_are_properties(tmp_path: Path) -> None:
    implementation = "IMPLEMENTATION I REFINES A VALUES c = 7 END"
    abstract = "MACHINE A CONSTANTS c PROPERTIES c : NAT END"
    model = load(project(tmp_path, I=implementation, A=abstract))
    assert [p.name for p in model.properties] == ["c : NAT", "c = 7"]


@pytest.mark.parametrize(
    ("files", "message", "hint"),
    [
        (
            {"M": "MACHINE M INCLUDES A END", "A": "MACHINE A SEES M END"},
            "M refers to itself: M -> A -> M",
            None,
        ),
        ({"M": "MACHINE M SEES Nix END"}, "machine Nix not found", "looked for Nix.mch"),
        (
            {"M": "MACHINE M INCLUDES Counter(1, 2) END", "Counter": COUNTER},
            "Counter has 1 parameter(s), 2 given",
            None,
        ),
        (
            {"M": "MACHINE M INCLUDES Counter(1) PROMOTES nix END", "Counter": COUNTER},
            "no included machine offers an operation nix",
            None,
        ),
        (
            {
                "M": "MACHINE M INCLUDES A, B END",
                "A": "MACHINE A INCLUDES B END",
                "B": "MACHINE B VARIABLES x INVARIANT x : NAT INITIALISATION x := 0 END",
            },
            "B is included twice",
            "the other one is at",
        ),
        (
            {
                "M": "MACHINE M SEES A OPERATIONS o = x := 1 END",
                "A": "MACHINE A VARIABLES x INVARIANT x : NAT INITIALISATION x := 0 END",
            },
            "x cannot be assigned here",
            None,
        ),
        (
            {"M": "MACHINE M OPERATIONS o = skip; o = skip END"},
            "operation o is declared twice",
            "the other declaration is at",
        ),
        (
            {"M": "MACHINE M SETS S = {a, a} END"},
            "a is declared twice",
            "the other declaration is at",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_mistake_is_reported(
    tmp_path: Path, files: dict[str, str], message: str, hint: str | None
) -> None:
    found, help_ = complaint(project(tmp_path, **files))
    assert message in found
    if hint is not None:
        assert help_ is not None
        assert hint in help_


def test_operations_of_a_machine_that_is_only_seen_are_offered(tmp_path: Path) -> None:
    counter = (
        COUNTER.replace("(limit)", "").replace("CONSTRAINTS limit : NAT", "").replace("limit", "3")
    )
    model = load(project(tmp_path, M="MACHINE M SEES Counter END", Counter=counter))
    assert names(model) == (["n"], ["inc", "get"])
    owned = "MACHINE M SEES A INCLUDES Counter END"
    model = load(project(tmp_path, M=owned, A="MACHINE A SEES Counter END", Counter=counter))
    assert names(model) == (["n"], [])
