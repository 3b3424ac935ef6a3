"""What a sketch of an action says of conditions about few slots, so that no solver has to."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from secateur.analysis.closing import Sketch
from secateur.analysis.space import Space
from secateur.analysis.tables import Truths


class _Effect(NamedTuple):
    """A code that some bits have before a step, and the one that some bits have after it."""

    before: int
    after: int


class _Outline(NamedTuple):
    """An action as far as some slots tell: what it writes of them is known after each step."""

    known: int
    written: int
    effects: frozenset[_Effect]


class Outlines:
    """Sketches of actions, each made once, and what they leave of some slots."""

    def __init__(self, sketch: Callable[[int], Sketch | None]) -> None:
        self._make = sketch
        self._sketches: dict[int, Sketch | None] = {}
        self._outlines: dict[tuple[int, int], _Outline | None] = {}

    def keep(self, action: int, sketch: Sketch | None) -> None:
        """Be told of a sketch that was made for something else; the first one is kept."""
        self._sketches.setdefault(action, sketch)

    def _of(self, action: int) -> Sketch | None:
        if action not in self._sketches:
            self.keep(action, self._make(action))
        return self._sketches[action]

    def never(
        self,
        action: int,
        writes: int,
        condition: Truths,
        values: tuple[Collection[bool | None], Collection[bool | None]],
        space: Space,
    ) -> bool:
        """Whether an action that is never at fault surely takes no state from some values to others.

        `writes` are the bits that it may write.  A sketch allows more than what can happen, so
        that nothing is to be learned where it allows a change.
        """
        key = action, condition.mask
        if key not in self._outlines:
            self._outlines[key] = self._outlined(action, writes, condition.mask, space)
        outline = self._outlines[key]
        if outline is None:
            return False
        before, after = values
        changing = [code for code, value in condition.values.items() if value in before]
        return not any(
            code & outline.known == effect.before
            and condition.values.get((code & ~outline.written) | effect.after) in after
            for effect in outline.effects
            for code in changing
        )

    def _outlined(self, action: int, writes: int, mask: int, space: Space) -> _Outline | None:
        """Return what is left of a sketch; None if it does not know all that is written."""
        sketch = self._of(action)
        if sketch is None:
            return None
        looked_at = {n: space.slots[n].bits for n in space.touching(mask)}
        written = [n for n in space.touching(writes) if n in looked_at]
        if not set(written) <= set(sketch.written):
            return None
        known = [(i, n) for i, n in enumerate(sketch.known) if n in looked_at]
        places = [sketch.written.index(n) for n in written]
        effects: set[_Effect] = set()
        for codes, outcomes in sketch.rows:
            before = sum(codes[i] for i, _ in known)
            for outcome in outcomes:
                after = [outcome[place] for place in places]
                if None in after:
                    return None
                effects.add(_Effect(before, sum(code or 0 for code in after)))
        bits = [sum(looked_at[n] for n in some) for some in ([n for _, n in known], written)]
        return _Outline(bits[0], bits[1], frozenset(effects))
