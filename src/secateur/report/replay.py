"""What came of executing a recorded trace again, as text and as JSON."""

from __future__ import annotations

from secateur.report.diagnostics import render_excerpt
from secateur.report.errors import Json, place_to_json
from secateur.report.json import trace_to_json
from secateur.report.style import PLAIN, Style
from secateur.report.text import render_trace
from secateur.report.trouble import render_trouble, trouble_to_json
from secateur.system.replay import Obstacle, Replay

STOPS = "stops"
REPLAYS = "replays"


def verdict_of_replay(told: Replay) -> str:
    """Return `replays`, `stops`, or `incomplete` where not every way was tried."""
    if told:
        return REPLAYS
    return STOPS if told.gave_up is None else "incomplete"


def render_replay(model: str, told: Replay, style: Style = PLAIN) -> str:
    """Return the steps that can be taken, then why no more or what is at the end."""
    parts = [render_trace(told.trace, style), _verdict(model, told, style), _end(told, style)]
    parts.append([f"  note: {note}" for note in told.notes])
    return "\n".join("\n".join(lines) for lines in parts if lines)


def _verdict(model: str, told: Replay, style: Style) -> list[str]:
    size = f"{told.wanted} steps" if told.wanted != 1 else "1 step"
    if told.gave_up is not None:
        head = f"{style.doubt('incomplete')}: {model} ({told.format}, {size}): given up"
        return [f"{head}; {told.gave_up}, and not every way to take the steps was tried"]
    if told.obstacle is not None:
        return _obstacle(model, told, told.obstacle, style)
    if told.closes is False:
        back = f"after step {told.wanted - told.loop}"
        head = f"{style.bad(STOPS)}: {model} ({told.format}, {size})"
        return [f"{head}: the last {told.loop} do not lead back to the state {back}"]
    again = f", the last {told.loop} again and again" if told.loop else ""
    return [f"{style.good(REPLAYS)}: {model} ({told.format}): all {size}{again}"]


def _obstacle(model: str, told: Replay, why: Obstacle, style: Style) -> list[str]:
    where = (
        f"at step {why.number} of the {told.wanted} in the file"
        if why.number
        else "before its first step"
    )
    head = f"{style.bad(STOPS)}: {model} ({told.format}) {where}: {style.strong(why.wanted)}"
    lines = [f"{head} ({why.cause.value})"]
    for reason in why.reasons:
        lines.append(f"  {reason.text}")
        lines += [f"  {line}" for line in render_excerpt(reason.span, style)]
    return lines


def _end(told: Replay, style: Style) -> list[str]:
    if told.obstacle is not None or told.gave_up is not None:
        return []
    lines = [_claim(told, style)] if told.claim is not None else []
    if not told.trouble:
        return [*lines, "  nothing is wrong with the last state"]
    lines.append("  in the last state:")
    for item in told.trouble:
        lines += [f"    {line}" for line in render_trouble(item, style)]
    return lines


def _claim(told: Replay, style: Style) -> str:
    claim = told.claim
    assert claim is not None
    name = f"{claim.kind}: {claim.name}"
    match told.still:
        case True:
            return f"  {style.bad('still violated')}: {name}"
        case False:
            return f"  {style.good('not violated any more')}: {name}"
        case None:
            return f"  {style.doubt('it is not known whether this is still violated')}: {name}"


def replay_to_json(model: str, file: str, told: Replay) -> Json:
    """Return the same as JSON."""
    claim = told.claim
    why = told.obstacle
    return {
        "model": model,
        "file": file,
        "format": told.format,
        "verdict": verdict_of_replay(told),
        "steps": told.wanted,
        "obstacle": None
        if why is None
        else {
            "step": why.number,
            "wanted": why.wanted,
            "cause": why.cause.value,
            "reasons": [{"text": r.text, "place": place_to_json(r.span)} for r in why.reasons],
        },
        "claim": None
        if claim is None
        else {
            "kind": claim.kind,
            "name": claim.name,
            "formula": claim.formula,
            "open": claim.open,
        },
        "still": told.still,
        "trouble": [trouble_to_json(item) for item in told.trouble],
        "loop": told.loop,
        "closes": told.closes,
        "reasons": [] if told.gave_up is None else [told.gave_up],
        "notes": list(told.notes),
        "trace": trace_to_json(told.trace),
    }
