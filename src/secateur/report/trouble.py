"""What is wrong with one state, or could not be found out about it."""

from __future__ import annotations

from secateur.report.diagnostics import render_excerpt
from secateur.report.errors import Json, place_to_json
from secateur.report.json import values_to_json
from secateur.report.style import PLAIN, Style
from secateur.report.text import HEADINGS, show_bindings
from secateur.system.system import Breach, Fault, Gap, PropertyKind


def render_trouble(item: Breach | Fault | Gap, style: Style = PLAIN) -> list[str]:
    """Return a headline and, where there is one, the place."""
    match item:
        case Breach(kind, name, span, witness):
            head = f"{style.bad(HEADINGS[kind])}: {name}"
            seen = [f"  for {show_bindings(witness)}"] if witness else []
            return [head, *seen, *render_excerpt(span, style)]
        case Fault(where, message, span):
            head = style.bad(HEADINGS[PropertyKind.WELL_DEFINEDNESS])
            return [f"{head}: {where}: {message}", *render_excerpt(span, style)]
        case Gap(where, reason):
            return [f"{style.doubt('incomplete')}: {where}: {reason}"]


def trouble_to_json(item: Breach | Fault | Gap) -> Json:
    """Return the same as JSON, with the keys of a violation; `kind` is `incomplete` for a gap."""
    match item:
        case Breach(kind, name, span, witness):
            seen = values_to_json(witness)
            place = place_to_json(span)
            return {"kind": kind.value, "name": name, "place": place, "witness": seen}
        case Fault(where, message, span):
            kind = PropertyKind.WELL_DEFINEDNESS
            place = place_to_json(span)
            return {"kind": kind.value, "name": where, "message": message, "place": place}
        case Gap(where, reason):
            return {"kind": "incomplete", "name": where, "message": reason}
