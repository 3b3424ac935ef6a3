"""What decides that a formula fails: each finding is so, by the definition."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from secateur.ltl.atoms import Atom, Kind
from secateur.ltl.formula import Binary, Formula, Holds, One, Two, Unary, core
from secateur.ltl.path import Path, satisfied, settled, values
from secateur.ltl.why import why_not

ATOMS = [Atom(Kind.PREDICATE, text) for text in "pq"]
FORMULAS = st.recursive(
    st.sampled_from([Holds(a) for a in ATOMS]),
    lambda inner: (
        st.builds(One, st.sampled_from(list(Unary)), inner)
        | st.builds(Two, st.sampled_from(list(Binary)), inner, inner)
    ),
    max_leaves=6,
)


@st.composite
def _paths(draw: st.DrawFn) -> Path:
    truths = st.fixed_dictionaries({atom: st.booleans() for atom in ATOMS})
    letters = draw(st.lists(truths, min_size=1, max_size=5))
    loop = draw(st.none() | st.integers(0, len(letters) - 1))
    return Path(letters, loop)


@given(FORMULAS, _paths())
def test_findings_are_so(formula: Formula, path: Path) -> None:
    if satisfied(formula, path):
        return
    found = why_not(formula, path)
    assert found
    for finding in found:
        assert 0 <= finding.position < len(path.letters)
        part = core(finding.part)
        longer = settled(core(formula), path)
        size = len(path.letters)
        same = [
            truth
            for i, truth in enumerate(values(part, longer))
            if i == finding.position
            or (
                path.loop is not None
                and i >= size
                and (i - finding.position) % (size - path.loop) == 0
            )
        ]
        assert finding.holds in same
