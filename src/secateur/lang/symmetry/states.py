"""What the states of a machine look like to somebody who sees colours instead of elements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Final

from secateur.lang.lower import MachineSystem, machine_state
from secateur.lang.symmetry.touched import Touched
from secateur.maths.values import Element, Value
from secateur.system.symmetry import Asymmetric, Interchangeable
from secateur.system.system import State

_RULE: Final = "{} is known by a rule, which may tell elements apart"


class MachineSymmetry:
    """The permutations of some elements of given sets: they move constants and variables alike."""

    def __init__(self, system: MachineSystem, sets: Iterable[Interchangeable]) -> None:
        self.system = system
        self.sets = list(sets)
        known = [s for s in system.universe.sets.values() if isinstance(s, frozenset)]
        self.elements = sum(map(len, known))
        touched = Touched(frozenset(each.name for each in self.sets), system.model)
        self._constants = [touched.by(b.type) for b in system.model.constants]
        self.moves_constants = any(self._constants)

    def described(self, state: State, colour: Sequence[int]) -> Any:
        """Return what a state looks like if of each element only the colour is seen."""
        number, values = machine_state(state)
        constants = zip(self.system.solutions[number], self._constants, strict=True)
        seen = [_described(v, colour) for v, moved in constants if moved]
        seen += [self._unmoved[number], values is not None]
        if values is not None:
            seen += [_described(v, colour) for v in values]
        return tuple(seen)

    @cached_property
    def _unmoved(self) -> dict[int, int]:
        """For each solution the first one with the same values of what no permutation moves."""
        first: dict[tuple[Value, ...], int] = {}
        found = {}
        for number, solution in enumerate(self.system.solutions):
            constants = zip(solution, self._constants, strict=True)
            rest = tuple(v for v, moved in constants if not moved)
            found[number] = first.setdefault(rest, number)
        return found


def _described(value: Value, colour: Sequence[int]) -> Any:
    match value:
        case Element():
            return colour[value]
        case bool() | int() | str() | float():
            return value
        case frozenset():
            return len(value), *sorted([_described(v, colour) for v in value])
        case tuple():
            return tuple([_described(v, colour) for v in value])
    # A rule might depend on elements that are not among its values.
    raise Asymmetric(_RULE.format(value))
