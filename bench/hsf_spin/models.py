"""Which of our models belongs to which row of the paper.

The paper's own models are not published with their sizes; those of the same name in the corpus
are taken as they are, the others are ours.  So sizes are not the paper's; the order of
the provisos is what can be compared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from bench.hsf_spin.smaller import one_loop
from tools.corpus.records import ROOT, corpus_folder

_OWN: Final = ROOT / "examples" / "promela"
_STUDIES: Final = corpus_folder() / "promela" / "case-studies"


@dataclass(frozen=True, slots=True)
class Instance:
    """A model with its parameters, and the row of the paper beside which it is shown."""

    row: str
    file: Path
    defines: tuple[tuple[str, str], ...] = ()
    heuristic: str = "auto"
    """What guides A* to the violation."""
    made: Callable[[str], str] | None = None
    """How the text is made smaller, if it is."""
    remark: str = ""
    """What it is then."""

    @property
    def name(self) -> str:
        """Return how it is called in the table."""
        told = [f"{n}={v}" if v != "1" else n for n, v in self.defines]
        given = ", ".join([*told, self.remark] if self.remark else told)
        return f"{self.file.name}{f' ({given})' if given else ''}"

    def flags(self) -> tuple[str, ...]:
        """Return the parameters as Spin wants them."""
        return tuple(f"-D{name}={value}" for name, value in self.defines)


def _own(row: str, name: str, *, heuristic: str = "auto", **defines: int) -> Instance:
    given = tuple((name, str(value)) for name, value in defines.items())
    return Instance(row, _OWN / f"{name}.pml", given, heuristic)


_SGC: Final = Instance(
    "sgc", _STUDIES / "sgc/sgc.promela", made=one_loop, remark="one of its four loops"
)

COMPLETE: Final = (
    _own("marriers(3)", "marriers", N=3),
    _own("marriers(3)", "marriers", N=4, UNCHECKED=1),
    Instance("leader(6)", corpus_folder() / "promela/spin-examples/leader0.pml"),
    _own("leader(6)", "leader", N=7),
    Instance("giop(2,1)", _STUDIES / "giop/giop1.nomig.pr"),
    _own("pots", "pots", MENDED=1),
    Instance("brp", _STUDIES / "brp/brp.prm"),
    _own("brp", "brp", N=3),
    _own("bus(4)", "bus", N=4),
    Instance("dbm(2)", _STUDIES / "dbm/dbm.prm"),
    _SGC,
)
"""For Table 1."""

VIOLATION: Final = (
    _own("marriers(4)", "marriers", heuristic="deadlock", N=4, FAULT=1, UNCHECKED=1),
    _own("pots", "pots", heuristic="deadlock"),
    _own("leader(8)", "leader", N=5, FAULT=1),
    Instance("giop(3,1)", _STUDIES / "giop/giop1.pr"),
    _own("brp", "brp", FAULT=1),
    _own("bus(4)", "bus", FAULT=1),
    Instance("dbm(5)", _STUDIES / "dbm/dbm.prm", heuristic="deadlock"),
    replace(_SGC, defines=(("ERROR8RL33S001", "1"),)),
)
"""For Table 2; where the corpus has no violation, everything is explored."""
