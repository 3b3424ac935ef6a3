"""Traces in the Informal Trace Format of Apalache and Quint (ADR-015), `.itf.json`.

Constants are the `params`, set in the first state alone.  The state that SETUP_CONSTANTS leads to has no
variables, so that it is none here.  Each state's `#meta` says which operation led to it;
where the last steps are repeated, the operation that closes the loop is in the `#meta` of
the trace, since the state that it leads to is there already.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from secateur.maths.types import Type
from secateur.report.envelope import enveloped
from secateur.report.formats.itf_values import to_itf
from secateur.report.formats.protocol import Evidence, FormatRow, Story, Subject
from secateur.system.system import Step


def _write(evidence: Evidence) -> str | None:
    story = evidence.story
    if story is None:
        return None
    system = story.trace.system
    reached = [t for t in story.trace.transitions if system.is_initialised(t.target)]
    if not reached:
        return None
    closing = reached.pop() if story.loop else None
    shown = evidence.overview
    params = [each.name for each in shown.constants]
    names = [each.name for each in shown.variables]
    states: list[dict[str, Any]] = []
    for number, transition in enumerate(reached):
        values = dict(system.values(transition.target))
        told = (*params, *names) if number == 0 else names
        states.append(
            {
                "#meta": {"index": number, **_step(transition.step, evidence)},
                **{name: to_itf(values[name], evidence.types.get(name)) for name in told},
            }
        )
    meta = _meta(evidence, story)
    if closing is not None:
        meta["closing"] = _step(closing.step, evidence)
    trace: dict[str, Any] = {"#meta": meta}
    if params:
        trace["params"] = params
    trace |= {"vars": names, "states": states}
    if closing is not None:
        trace["loop"] = len(reached) - story.loop
    return json.dumps(trace, indent=1) + "\n"


def _meta(evidence: Evidence, story: Story) -> dict[str, Any]:
    about = enveloped(evidence.task, {})
    return {
        "format": "ITF",
        "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
        "description": f"Secateur {about['version']}: {story.kind}: {story.name}",
        "source": evidence.path,
        "sha256": evidence.digest,
        "model": evidence.model,
        "violation": _violation(story) if story.violated else None,
    }


def _violation(story: Story) -> dict[str, Any]:
    temporal = {} if story.formula is None else {"formula": story.formula, "open": story.open}
    return {"kind": story.kind, "name": story.name, **temporal}


def _step(step: Step, evidence: Evidence) -> dict[str, Any]:
    signature = evidence.signatures.get(step.operation)
    types: Mapping[str, Type] = signature.types if signature is not None else {}
    return {
        "operation": step.operation,
        "arguments": {name: to_itf(value, types.get(name)) for name, value in step.arguments},
        "results": {name: to_itf(value, types.get(name)) for name, value in step.results},
    }


ITF: Final = FormatRow(
    "itf",
    "a trace in the Informal Trace Format of Apalache and Quint",
    (".itf.json",),
    Subject.TRACE,
    _write,
)
