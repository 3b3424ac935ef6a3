"""Components in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from secateur.lang.eventb.ast import Context, Convergence, Machine
from secateur.lang.eventb.read import read_project, sniff
from secateur.lang.eventb.text import read_components
from secateur.source import InputError, Source

MACHINE = """
machine lift // of a house
  refines abstract_lift
  sees house, people
variables
  floor doors
invariants
  @inv1 floor ∈ 0‥top
  theorem @thm1 floor ≥ 0
variant top − floor
events
  event INITIALISATION
    then
      @act1 floor ≔ 0
      @act2 doors :∈ BOOL
  end
  convergent event up refines move
    any n
    where
      @grd1 n > floor
      theorem @grd2 n ≥ 0
    with
      @floor' floor' = n
    then
      @act1 floor ≔ n
  end
  event open extends open
  end
end
"""


def component(text: str) -> Context | Machine:
    """Return the only component of a text."""
    (found,) = read_components(Source("f", text))
    return found


def test_a_machine() -> None:
    """Everything a machine can have."""
    found = component(MACHINE)
    assert isinstance(found, Machine)
    assert (found.name, found.refines.text if found.refines else "") == ("lift", "abstract_lift")
    assert [n.text for n in found.sees] == ["house", "people"]
    assert [n.text for n in found.variables] == ["floor", "doors"]
    assert [(i.label, i.theorem) for i in found.invariants] == [("inv1", False), ("thm1", True)]
    assert len(found.variants) == 1
    _, up, opened = found.events
    assert up.convergence is Convergence.CONVERGENT
    assert up.refines == ("move",)
    assert [(g.label, g.theorem) for g in up.guards] == [("grd1", False), ("grd2", True)]
    assert [w.label for w in up.witnesses] == ["floor'"]
    assert opened.extended
    assert opened.refines == ("open",)


def test_capital_letters_and_no_labels() -> None:
    """Rossi's way to write: keywords in capitals, actions without labels."""
    found = component(
        "MACHINE M VARIABLES x y INVARIANTS x : NAT y : NAT EVENTS EVENT INITIALISATION THEN "
        "x := 0 y := 1 END EVENT e STATUS anticipated WHEN @g: x < y THEN x, y := y, x END END"
    )
    assert isinstance(found, Machine)
    assert [i.label for i in found.invariants] == ["inv1", "inv2"]
    start, event = found.events
    assert [a.label for a in start.actions] == ["act1", "act2"]
    assert event.convergence is Convergence.ANTICIPATED
    assert event.guards[0].label == "g"


def test_a_keyword_of_events_may_name_a_set() -> None:
    """Words are reserved only where a clause can start."""
    found = component("CONTEXT c SETS STATUS CONSTANTS any AXIOMS @a any ∈ STATUS END")
    assert isinstance(found, Context)
    assert [s.text for s in found.sets] == ["STATUS"]


@pytest.mark.parametrize(
    "text",
    [
        "MACHINE M VARIABLES x INVARIANT x : NAT END",
        "MACHINE M EVENTS EVENT e WHERE x",
        "CONTEXT c",
        "SETS x",
        "MACHINE M REFINES A, B END",
        "MACHINE M EVENTS EVENT e STATUS quick END END",
    ],
)
def test_broken_text_is_located(text: str) -> None:
    """The complaint says where."""
    with pytest.raises(InputError) as caught:
        read_components(Source("f", text))
    assert caught.value.diagnostics[0].span is not None


def test_what_a_file_mentions_is_found_beside_it(tmp_path: Path) -> None:
    """By the name in the text, whatever the file is called."""
    (tmp_path / "m.eventb").write_text("MACHINE M REFINES A SEES C END")
    (tmp_path / "other.eventb").write_text("MACHINE A END CONTEXT C EXTENDS D END")
    (tmp_path / "D.bucx").write_text("context D end")
    (tmp_path / "broken.eventb").write_text("MACHINE X (((")
    found = read_project(tmp_path / "m.eventb")
    assert found.main == "M"
    assert set(found.machines) == {"M", "A"}
    assert set(found.contexts) == {"C", "D"}


def test_two_components_of_one_name(tmp_path: Path) -> None:
    """A name is used once."""
    (tmp_path / "m.eventb").write_text("CONTEXT M END MACHINE M END")
    with pytest.raises(InputError, match="two components named M"):
        read_project(tmp_path / "m.eventb")


def test_sniffing() -> None:
    """Event-B in words is told from classical B."""
    assert sniff(MACHINE)
    assert sniff("package(load_event_b_project([],[],[],_)).")
    assert sniff("<org.eventb.core.machineFile/>")
    assert not sniff("MACHINE M\nVARIABLES x\nINVARIANT x:NAT\nOPERATIONS e = skip\nEND")
