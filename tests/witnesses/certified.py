"""Certificates of searches in tabulated systems."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from secateur.app.certificates.recorded import RecordedChoices, RecordedRelations
from secateur.audit.audit import shape_of
from secateur.audit.certificate import Certificate, Chosen, Claimed
from secateur.audit.facts import Fact
from secateur.engine.plan import Plan
from secateur.engine.reduce.reduction import Reduction
from secateur.system.result import Result
from secateur.system.verdict import Holds, Violated
from tests.witnesses.judge import Case


class Kept:
    """A certificate in the making."""

    def __init__(self, certificate: Certificate) -> None:
        self.certificate = certificate

    def fact(self, fact: Fact, ground: str) -> None:
        """Keep a fact."""
        self.certificate.facts[fact] = ground

    def state(self, state: int, chosen: Chosen) -> None:
        """Keep a state as it was last expanded."""
        self.certificate.record(state, chosen)


def certify(
    case: Case, planned: Plan, change: Callable[[Reduction], Reduction] = lambda r: r
) -> Certificate:
    """Return the certificate of a search for all errors, perhaps with a changed reduction."""
    certificate = Certificate({}, case.kinds, "", None, shape_of(case.system))
    kept = Kept(certificate)
    case = replace(case, relations=RecordedRelations(case.relations, kept))
    reduction = case.apply(planned)
    assert reduction is not None
    changed = change(reduction)
    changed.needs_stack = reduction.needs_stack
    changed.recorder = RecordedChoices(kept)
    certificate.reduction, certificate.proviso = reduction.names
    certificate.claimed = claimed(case.run(planned, changed))
    return certificate


def claimed(result: Result) -> Claimed:
    """Return what a result says."""
    verdict = result.verdict
    name = "holds" if isinstance(verdict, Holds) else "incomplete"
    return Claimed(
        "violated" if isinstance(verdict, Violated) else name,
        result.exhaustive,
        tuple((v.kind.value, v.name) for v in result.violations),
        result.reasons,
        result.statistics.states,
        result.statistics.transitions,
    )
