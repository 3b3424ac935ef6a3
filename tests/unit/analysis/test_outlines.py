"""What a sketch says of a condition is what its steps do to it."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from secateur.analysis.closing import Sketch
from secateur.analysis.compare import NOT_TRUE, TRUE
from secateur.analysis.outlines import Outlines
from secateur.analysis.space import Space
from secateur.analysis.tables import Truths
from secateur.system.events import Slot

SLOTS = [Slot(name, 3 << 2 * n, [c << 2 * n for c in range(3)]) for n, name in enumerate("pqr")]
SPACE = Space(SLOTS, lambda: 0)


def random_sketch(random: Random) -> Sketch:
    known = tuple(n for n in range(3) if random.random() < 0.6)
    written = tuple(n for n in range(3) if random.random() < 0.6)
    unknown = random.random() < 0.2
    rows = [
        (
            codes,
            [
                tuple(
                    None if unknown and n == 2 else random.choice(SLOTS[n].codes or ())
                    for n in written
                )
                for _ in range(random.randint(1, 2))
            ],
        )
        for codes in product(*(SLOTS[n].codes or () for n in known))
        if random.random() < 0.4
    ]
    return Sketch(known, written, rows)


def changes(sketch: Sketch, condition: Truths) -> bool:
    """Whether a step that the sketch allows makes the condition true, from the definition."""
    for state in map(sum, product(*(slot.codes or () for slot in SLOTS))):
        if condition.values[state & condition.mask] is not False:
            continue
        for codes, outcomes in sketch.rows:
            if any(state & SLOTS[n].bits != c for n, c in zip(sketch.known, codes, strict=True)):
                continue
            for outcome in outcomes:
                options = [
                    SLOTS[n].codes or () if c is None else (c,)
                    for n, c in zip(sketch.written, outcome, strict=True)
                ]
                for after in product(*options):
                    result = state & ~SPACE.bits(sketch.written) | sum(after)
                    if condition.values[result & condition.mask]:
                        return True
    return False


@pytest.mark.parametrize("seed", range(300))
def test_no_change_is_denied(seed: int) -> None:
    random = Random(seed)
    sketch = random_sketch(random)
    about = random.sample(range(3), random.randint(1, 2))
    mask = SPACE.bits(about)
    codes = map(sum, product(*(SLOTS[n].codes or () for n in about)))
    condition = Truths(mask, {code: random.random() < 0.3 for code in codes})
    writes = SPACE.bits(sketch.written)
    never = Outlines(lambda _: sketch).never(0, writes, condition, (NOT_TRUE, TRUE), SPACE)
    unknown = any(None in outcome for _, outcomes in sketch.rows for outcome in outcomes)
    if not unknown:
        assert never == (not changes(sketch, condition))
    assert not never or not changes(sketch, condition)


def test_what_a_sketch_leaves_alone_may_be_anything() -> None:
    sketch = Sketch((0,), (0,), [((0,), [(1,)])])
    condition = Truths(SPACE.bits((1,)), {0: False, 4: True, 8: False})
    for writes, never in (((0, 1), False), ((0,), True)):
        outlines = Outlines(lambda _: sketch)
        bits = SPACE.bits(writes)
        assert outlines.never(0, bits, condition, (NOT_TRUE, TRUE), SPACE) == never


def test_without_a_sketch_nothing_is_known() -> None:
    condition = Truths(SPACE.bits((0,)), {0: False, 1: True, 2: False})
    assert not Outlines(lambda _: None).never(0, 1, condition, (NOT_TRUE, TRUE), SPACE)
