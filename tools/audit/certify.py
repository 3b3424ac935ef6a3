"""One model, reduced in several ways; each certificate audited, and tampered with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from secateur import load
from secateur.app.certificates.audited import Audited, audit_model, unfolded_for
from secateur.app.certificates.certified import check_certified
from secateur.app.certificates.certifying import Certifying
from secateur.app.deep import run_deep
from secateur.app.model import Model
from secateur.audit.audit import Outcome
from secateur.audit.certificate import read_certificate
from secateur.engine.limits import Limits, Meter, Stop
from secateur.engine.plan import Wish, plan
from secateur.engine.provisos.none import NONE
from secateur.engine.pruning import CAVEAT
from secateur.engine.search.protocol import Task
from secateur.source import InputError
from secateur.system.result import Result
from secateur.system.system import PropertyKind
from tools.audit.tamper import TAMPERINGS, lines_of, text_of
from tools.corpus.runner import Seen

PLANS: Final[dict[str, Mapping[str, Any]]] = {
    "stubborn, open": {"por": "stubborn", "proviso": "open"},
    "ample, visited": {"por": "ample", "proviso": "visited"},
    "process-ample, stack": {"por": "process-ample", "proviso": "stack", "search": "df"},
    "best, open-liveness": {"por": "best", "proviso": "open-liveness"},
    "stubborn, static": {"por": "stubborn", "proviso": "static", "search": "mixed"},
    "upset": {"por": "upset"},
    "upset, deadlocks": {"por": "upset", "invariant": False, "assertions": False, "all": True},
    "stubborn, deadlocks": {
        "por": "stubborn",
        "invariant": False,
        "assertions": False,
        "all": True,
    },
    "ample, open, all": {"por": "ample", "all": True},
}
"""Every reduction and every proviso at least once."""


def certify(file: Path, seconds: float, names: Sequence[str], tell: Callable[[Seen], None]) -> Seen:
    """Return for each plan what the run left out and what audits say."""
    try:
        model = load(file)
    except InputError:
        return {"skipped": "not loaded"}
    seen: Seen = {"runs": {}, "differences": []}
    with TemporaryDirectory() as folder:
        certificate = Path(folder) / "certificate"
        for name in names:
            options: dict[str, Any] = {**PLANS[name], "max_seconds": seconds, "max_states": 20_000}
            try:
                result = model.check(**options, certificate=certificate)
            except InputError as error:
                seen["runs"][name] = {"not certified": str(error)}
                continue
            if not certificate.is_file():
                continue
            seen["runs"][name] = _audited(file, certificate, result, seen["differences"], name)
            certificate.unlink()
            tell(seen)
        seen["careless"] = _without_proviso(model, file, certificate)
    return seen


def _audited(
    file: Path, certificate: Path, result: Result, differences: list[str], name: str
) -> Seen:
    audited = audit_model(certificate, file)
    reduced = sum(r.reduced for r in result.reductions)
    seen: Seen = {
        "verdict": type(result.verdict).__name__,
        "reduced": reduced,
        "states": result.statistics.states,
        "outcome": audited.found.outcome.value,
        "bytes": certificate.stat().st_size,
        "facts": dict(audited.found.facts),
    }
    if audited.found.outcome is Outcome.REJECTED:
        differences.append(f"{name}: rejected: {audited.found.reason} {audited.values}")
    elif reduced and result.exhaustive:
        seen["tampered"] = _tampered(file, certificate, audited)
        differences += [
            f"{name}: {what} is {outcome}"
            for what, outcome in seen["tampered"].items()
            if outcome != Outcome.REJECTED.value
        ]
    return seen


def _tampered(file: Path, certificate: Path, audited: Audited) -> dict[str, str]:
    """Return what is said of each wrong certificate."""
    lines = lines_of(certificate.read_text(encoding="ascii"))
    found: dict[str, str] = {}
    wrong = certificate.with_name("tampered")
    system = run_deep(lambda _: unfolded_for(audited.certificate, file))
    for name, tamper in TAMPERINGS.items():
        changed = tamper(lines, system)
        if changed is not None:
            wrong.write_text(text_of(changed), encoding="ascii")
            found[name] = audit_model(wrong, file).found.outcome.value
    return found


def _without_proviso(model: Model, file: Path, certificate: Path) -> str | None:
    """Return what is said of a run that had no proviso; None if it was not complete.

    Not each of them puts something off for ever.
    """
    deadlocks = frozenset({PropertyKind.DEADLOCK})
    planned = plan(Wish(por="stubborn", limits=Limits(states=5000), unchecked=deadlocks))
    careless = replace(planned, pruning=replace(planned.pruning, proviso=NONE))

    def work(stop: Stop) -> Result:
        meter = Meter(careless.limits, stop, None)
        task = Task(model.system, careless.kinds, meter=meter)
        return check_certified(task, model.system, careless, Certifying(certificate))

    try:
        run_deep(work)
    except InputError:
        return None
    if not certificate.is_file():
        return None
    claimed = read_certificate(certificate).claimed
    if claimed.verdict != "incomplete" or claimed.reasons != (CAVEAT,):
        return None
    lines = lines_of(certificate.read_text(encoding="ascii"))
    lines[-1][1] |= {"verdict": "holds", "exhaustive": True, "reasons": []}
    certificate.write_text(text_of(lines), encoding="ascii")
    said = audit_model(certificate, file).found
    return f"{said.outcome.value}: {said.reason}"
