"""Which reductions and provisos temporal formulas may be checked with."""

from __future__ import annotations

import pytest

from secateur.engine.codes import UNKNOWN_PROVISO, UNKNOWN_REDUCTION, UNSOUND_PLAN
from secateur.engine.liveness.lawful import (
    for_formulas,
    lawful,
    provisos_for_formulas,
    usable,
)
from secateur.engine.native.pruning import METHODS
from secateur.engine.native.pruning import PROVISOS as NATIVE_PROVISOS
from secateur.engine.provisos.registry import PROVISOS
from secateur.engine.pruning import AUTO, NO_REDUCTION
from secateur.engine.reduce.protocol import Preserved
from secateur.engine.reduce.registry import REDUCTIONS
from secateur.source import Code, InputError


def codes(por: str = AUTO, proviso: str = AUTO) -> list[Code]:
    with pytest.raises(InputError) as raised:
        lawful(por, proviso)
    return [d.code for d in raised.value.diagnostics]


def test_what_is_chosen() -> None:
    rows = lawful()
    assert rows is not None
    assert [row.name for row in rows] == ["stubborn", "open-liveness"]
    assert lawful("none") is None


@pytest.mark.parametrize("row", REDUCTIONS, ids=lambda row: row.name)
def test_reductions(row: object) -> None:
    found = next(r for r in REDUCTIONS if r is row)
    if Preserved.LTL in found.preserves:
        rows = lawful(found.name)
        assert rows is None or rows.reduction is found
        assert usable(found.name) == found.name
    else:
        assert codes(found.name) == [UNSOUND_PLAN]
        assert usable(found.name) == AUTO


@pytest.mark.parametrize("row", PROVISOS, ids=lambda row: row.name)
def test_provisos(row: object) -> None:
    found = next(p for p in PROVISOS if p is row)
    if Preserved.LTL in found.preserves and not found.needs_stack:
        rows = lawful("ample", found.name)
        assert rows is not None
        assert rows.proviso is found
    else:
        assert codes("ample", found.name) == [UNSOUND_PLAN]


def test_the_native_engine_can_do_all_that_is_lawful() -> None:
    assert {row.name for row in for_formulas()} <= METHODS | {NO_REDUCTION}
    assert {row.name for row in provisos_for_formulas()} <= NATIVE_PROVISOS


def test_what_is_unknown() -> None:
    assert codes("stuborn", "open-livenes") == [UNKNOWN_REDUCTION, UNKNOWN_PROVISO]
