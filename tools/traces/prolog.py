"""A `.prob2trace` as the older kind of trace file, which every ProB replays with `-t`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from secateur.app.model import Model
from secateur.app.traces.understanding import Understanding
from secateur.lang.model import Operation
from secateur.maths.ast import Binder
from secateur.maths.values import Element, FreeValue, RecordValue, Value, ordered


class NotInProlog(Exception):
    """A value that has no form there."""


def to_prolog(trace: Path, model: Model) -> str:
    """Return the steps of a trace as terms; only arguments and results are in them."""
    content = json.loads(trace.read_text(encoding="utf-8"))
    understanding = Understanding(model.typed, model.system)
    operations = {op.name: op for op in model.typed.operations}
    lines = [f"machine({_atom(model.name)})."]
    for step in content["transitionList"]:
        operation = operations.get(step["name"])
        term = _atom(step["name"])
        if operation is not None:
            term = _step(operation, step, understanding)
        lines.append(f"{term}.")
    return "\n".join(lines) + "\n"


def _step(operation: Operation, step: dict[str, Any], understanding: Understanding) -> str:
    def terms(binders: tuple[Binder, ...], texts: dict[str, str]) -> list[str]:
        missing = [b.name for b in binders if b.name not in texts or b.type is None]
        if missing:
            raise NotInProlog(f"{missing[0]} has no value in the file")
        return [
            _term(understanding.value(texts[b.name], b.type), understanding)
            for b in binders
            if b.type
        ]

    term = _atom(operation.name)
    if operation.parameters:
        term += f"({','.join(terms(operation.parameters, step['params']))})"
    if operation.results:
        term += f"-->[{','.join(terms(operation.results, step['results']))}]"
    return term


def _term(value: Value, understanding: Understanding) -> str:
    def inner(each: Value) -> str:
        return _term(each, understanding)

    match value:
        case bool():
            return "pred_true" if value else "pred_false"
        case Element():
            carrier = next(s for s in understanding.model.sets if s.name == value.set_name)
            return f"fd({carrier.elements.index(value.name) + 1},{_atom(carrier.name)})"
        case int():
            return f"int({value})"
        case str():
            return f"string({_atom(value)})"
        case RecordValue():
            fields = zip(value.names, value, strict=True)
            return f"rec([{','.join(f'field({_atom(n)},{inner(v)})' for n, v in fields)}])"
        case FreeValue():
            raise NotInProlog("an element of a free type")
        case tuple():
            return f"({inner(value[0])},{inner(value[1])})"
        case frozenset():
            return f"[{','.join(map(inner, ordered(value)))}]"
    raise NotInProlog(f"a {type(value).__name__}")


def _atom(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
