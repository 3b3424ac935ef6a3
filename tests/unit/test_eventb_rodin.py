"""Rodin's files, alone, in directories and in archives."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

from secateur import load
from secateur.lang.eventb.ast import Convergence, Machine, Project
from secateur.lang.eventb.read import read_project
from secateur.source import InputError

E = "org.eventb.core."


def element(tag: str, inside: str = "", /, **attributes: str) -> str:
    """Return an element of Rodin's XML."""
    shown = "".join(
        f' {"" if key == "name" else E}{key}="{value}"' for key, value in attributes.items()
    )
    return f"<{E}{tag}{shown}>{inside}</{E}{tag}>"


CONTEXT = element(
    "contextFile",
    element("carrierSet", name="a", identifier="S")
    + element("axiom", name="b", label="axm1", predicate="finite(S)"),
)
ABSTRACT = element(
    "machineFile",
    element("seesContext", name="a", target="C")
    + element("variable", name="b", identifier="x")
    + element("invariant", name="c", label="inv1", predicate="x ∈ ℕ")
    + element(
        "event",
        element("action", name="a", label="act1", assignment="x ≔ 0"),
        name="d",
        label="INITIALISATION",
    )
    + element(
        "event",
        element("guard", name="a", label="grd1", predicate="x &lt; 9")
        + element("action", name="b", label="act1", assignment="x ≔ x+1"),
        name="e",
        label="inc",
        convergence="2",
    ),
)
REFINED = element(
    "machineFile",
    element("refinesMachine", name="a", target="A")
    + element("variable", name="b", identifier="x")
    + element("variant", name="v", label="vrn1", expression="9−x")
    + element("event", name="d", label="INITIALISATION", extended="true")
    + element(
        "event",
        element("refinesEvent", name="r", target="inc")
        + element("guard", name="a", label="grd2", predicate="x &lt; 5", theorem="true"),
        name="e",
        label="up",
        extended="true",
        convergence="1",
    ),
)
OF_A, OF_M = "/p/A.bum|x", "/p/M.bum|x"
CHECKED_ABSTRACT = element(
    "scMachineFile",
    element("scSeesContext", name="a", scTarget="/p/C.bcc")
    + element("scVariable", name="x", concrete="true", abstract="false", source=OF_A)
    + element("scInvariant", name="c", label="inv1", predicate="x∈ℕ", source=OF_A)
    + element(
        "scEvent",
        element("scAction", name="a", label="act1", assignment="x ≔ 0", source=OF_A),
        name="e1",
        label="INITIALISATION",
    )
    + element(
        "scEvent",
        element("scGuard", name="a", label="grd1", predicate="x&lt;9", source=OF_A)
        + element("scAction", name="b", label="act1", assignment="x ≔ x+1", source=OF_A),
        name="e2",
        label="inc",
        convergence="2",
    ),
)
CHECKED_REFINED = element(
    "scMachineFile",
    element("scRefinesMachine", name="a", scTarget="/p/A.bcm")
    + element("scVariable", name="x", concrete="true", abstract="true", source=OF_M)
    + element("scVariable", name="gone", concrete="false", abstract="true", source=OF_A)
    + element("scInvariant", name="c", label="inv1", predicate="x∈ℕ", source=OF_A)
    + element("scVariant", name="v", label="vrn1", expression="9 − x", source=OF_M)
    + element(
        "scEvent",
        element("scAction", name="a", label="act1", assignment="x ≔ 0", source=OF_A),
        name="e1",
        label="INITIALISATION",
        extended="true",
    )
    + element(
        "scEvent",
        element("scRefinesEvent", name="r", scTarget=f"/p/A.bcm|x#A|{E}scEvent#e2")
        + element("scGuard", name="a", label="grd1", predicate="x&lt;9", source=OF_A)
        + element(
            "scGuard", name="b", label="grd2", predicate="x&lt;5", theorem="true", source=OF_M
        )
        + element("scAction", name="b", label="act1", assignment="x ≔ x+1", source=OF_A),
        name="e2",
        label="up",
        extended="true",
        convergence="1",
    ),
)
FILES = {
    "C.buc": CONTEXT,
    "A.bum": ABSTRACT,
    "M.bum": REFINED,
    "A.bcm": CHECKED_ABSTRACT,
    "M.bcm": CHECKED_REFINED,
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a directory with a context, a machine and its refinement."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    os.utime(tmp_path / "M.bum", (1, 1))
    return tmp_path


def machine(found: Project, name: str) -> Machine:
    """Return a machine of a project."""
    return found.machines[name]


def test_a_directory(project: Path) -> None:
    """All components; nothing is inherited yet."""
    found = read_project(project)
    assert set(found.machines) == {"A", "M"}
    assert set(found.contexts) == {"C"}
    event = machine(found, "M").events[1]
    assert event.refines == ("inc",)
    assert event.convergence is Convergence.CONVERGENT
    assert [(g.label, g.theorem) for g in event.guards] == [("grd2", True)]


def test_checked_files_say_the_same(project: Path) -> None:
    """What a checked file repeats from its abstraction is left out."""
    written, checked = read_project(project / "M.bum"), read_project(project / "M.bcm")
    assert written == checked
    assert written.main == "M"


def test_only_what_is_needed_is_read(project: Path) -> None:
    """A broken file that nothing mentions does no harm."""
    (project / "X.bum").write_text("<broken")
    assert set(read_project(project / "A.bum").machines) == {"A"}


def test_an_old_checked_file_is_noted(project: Path) -> None:
    """It may not be what the user wrote last; this goes for the files that it builds on, too."""
    for file, written in (("M.bum", 100), ("M.bcm", 0), ("A.bum", 100), ("A.bcm", 200)):
        os.utime(project / file, (written, written))
    (note,) = read_project(project / "M.bcm").notes
    assert note.endswith("M.bcm is older than M.bum: build the project again in Rodin")
    assert not read_project(project / "M.bum").notes
    os.utime(project / "A.bcm", (0, 0))
    assert len(read_project(project / "M.bcm").notes) == 2


def test_files_that_were_copied_together_are_equally_old(project: Path) -> None:
    os.utime(project / "M.bum", (100, 100))
    os.utime(project / "M.bcm", (99, 99))
    os.utime(project / "A.bum", (100, 100))
    os.utime(project / "A.bcm", (99, 99))
    assert not read_project(project / "M.bcm").notes


def test_what_rodin_left_out_makes_the_verdict_incomplete(project: Path) -> None:
    """The file may lack invariants and guards: it is not the model that the user wrote."""
    broken = CHECKED_ABSTRACT.replace('label="inc"', 'label="inc" org.eventb.core.accurate="false"')
    (project / "A.bcm").write_text(broken, encoding="utf-8")
    found = load(project / "M.bcm").check(all=True, deadlock=False)
    assert not found
    assert any("Rodin found mistakes in inc and left parts out" in r for r in found.reasons)
    assert not any("Rodin" in r for r in load(project / "M.bum").check().reasons)


def test_an_archive(project: Path, tmp_path: Path) -> None:
    """A zipped project is read in place."""
    path = tmp_path / "p.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in FILES.items():
            archive.writestr(f"p/{name}", text)
        archive.writestr("p/A.bpr", "never read")
        archive.writestr("__MACOSX/p/._A.bum", b"\0\1")
    assert read_project(path).machines == read_project(project).machines


def _code(path: Path) -> int:
    with pytest.raises(InputError) as caught:
        read_project(path)
    return caught.value.diagnostics[0].code.number


def test_bombs_are_refused(tmp_path: Path) -> None:
    """Neither archives nor entities can fill the memory."""
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("p/A.bum", b" " * (8 * 2**20))
    assert _code(path) == 254
    laughs = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
    (tmp_path / "A.bum").write_text(f"{laughs}<x>&b;</x>")
    assert _code(tmp_path / "A.bum") == 252


def test_broken_files(tmp_path: Path) -> None:
    """Each gets its own complaint."""
    (tmp_path / "A.bum").write_text("<a>\n<b")
    assert _code(tmp_path / "A.bum") == 251
    (tmp_path / "B.bum").write_text("<html/>")
    assert _code(tmp_path / "B.bum") == 251
    (tmp_path / "a.zip").write_text("no archive")
    assert _code(tmp_path / "a.zip") == 253
    (tmp_path / "empty").mkdir()
    assert _code(tmp_path / "empty") == 255
    assert _code(tmp_path / "none.zip") == 1
    assert _code(tmp_path / "none.bum") == 1


def test_a_fault_in_a_formula_names_file_and_label(tmp_path: Path) -> None:
    """A position alone would not tell in XML."""
    invariant = element("invariant", name="a", label="inv7", predicate="x ∈ ")
    (tmp_path / "A.bum").write_text(element("machineFile", invariant))
    with pytest.raises(InputError) as caught:
        read_project(tmp_path / "A.bum")
    assert str(caught.value.diagnostics[0].span).endswith("A.bum (inv7):1:4")
