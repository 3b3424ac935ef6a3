"""What the tests of execution share: a machine around one substitution, and what comes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import secateur
from secateur.lang.lower import MachineSystem
from secateur.system.system import Fault, Gap, State, Transition

HEADER: Final = """MACHINE M VARIABLES x, y, f, r INVARIANT x : INTEGER & y : INTEGER &
  f : INTEGER <-> INTEGER & r : struct(a : INTEGER, g : INTEGER <-> INTEGER)
INITIALISATION x := 0 || y := 5 || f := {1 |-> 10, 2 |-> 20} || r := rec(a : 1, g : {1 |-> 2})
OPERATIONS """


def system_of(folder: Path, *texts: str) -> MachineSystem:
    """Return the system of the last of the machines in `texts`."""
    for text in texts:
        file = folder / f"{text.split()[1]}.mch"
        file.write_text(text)
    return secateur.load(file).system


class Outcome:
    """What a substitution does to x = 0, y = 5, f = {1|->10, 2|->20}, r = rec(a:1, g:{1|->2})."""

    def __init__(self, folder: Path, substitution: str, *, more: str = "") -> None:
        self.system = system_of(folder, f"{HEADER} op = BEGIN {substitution} END {more} END")
        self.state = initial(self.system)
        items = list(self.system.successors(self.state))
        self.faults = [i.message for i in items if isinstance(i, Fault) and i.where == "op"]
        self.gaps = [i.reason for i in items if isinstance(i, Gap)]
        self.targets = [
            dict(self.system.values(i.target))
            for i in items
            if isinstance(i, Transition) and i.step.operation == "op"
        ]

    def each(self, *names: str) -> list[Any]:
        """Return the values that `names` end up with, sorted; there must be no complaint."""
        assert not self.faults
        assert not self.gaps
        found = [tuple(target[name] for name in names) for target in self.targets]
        return sorted(v[0] if len(names) == 1 else v for v in found)

    def only(self, *names: str) -> Any:
        """Return the values of `names` in the only outcome."""
        (found,) = self.each(*names)
        return found


def initial(system: MachineSystem) -> State:
    """Return the first initial state."""
    (first, *_) = [i for i in system.initial() if isinstance(i, Transition)]
    if system.is_initialised(first.target):
        return first.target
    (start, *_) = [i for i in system.successors(first.target) if isinstance(i, Transition)]
    return start.target
