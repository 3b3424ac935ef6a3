"""Rodin's contexts and machines: `.buc` and `.bum` as written, `.bcc` and `.bcm` as checked.

A checked file repeats what it inherits; every element in it says where it was written, so
that both kinds of file give the same component.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from secateur.lang.eventb.ast import (
    INITIALISATION,
    Action,
    Context,
    Convergence,
    Event,
    Machine,
    Predicate,
    Variant,
    Witness,
)
from secateur.lang.eventb.codes import BAD_XML
from secateur.lang.eventb.parse_formula import parse_action, parse_formula
from secateur.lang.eventb.rodin_xml import CORE, Node, handle_element, handle_file
from secateur.maths.ast import Name
from secateur.source import InputError, Source, Span, fail

CONTEXTS: Final = (".buc", ".bcc")
MACHINES: Final = (".bum", ".bcm")
CHECKED: Final = (".bcc", ".bcm")
SUFFIXES: Final = (*CONTEXTS, *MACHINES)

EventNames = Callable[[str], Mapping[str, str]]
"""Gives, for a machine, the labels of its checked events by their internal names."""

_CONVERGENCE: Final = {
    "0": Convergence.ORDINARY,
    "1": Convergence.CONVERGENT,
    "2": Convergence.ANTICIPATED,
}


def event_names(root: Node) -> dict[str, str]:
    """Return the labels of a checked machine's events by their internal names."""
    return {e.element.get("name", ""): e.need("label") for e in root.children("event")}


def left_out(root: Node) -> str | None:
    """Return where Rodin's checker found mistakes and left parts out, if it did."""
    events = [e.need("label") for e in root.children("event") if e.get("accurate") == "false"]
    if events:
        return f"in {', '.join(events)}"
    return "in it" if root.get("accurate") == "false" else None


def component(root: Node, name: str, events: EventNames) -> Context | Machine:
    """Return the component with this root element."""
    if not root.element.tag.startswith(CORE) or root.kind not in {"contextFile", "machineFile"}:
        message = f"'{root.file}' is neither a context nor a machine of Rodin"
        raise fail(BAD_XML, message, Span(Source(root.file, ""), 0, 0))
    reader = _Reader(root, name, events)
    return reader.context() if root.kind == "contextFile" else reader.machine()


class _Reader:
    def __init__(self, root: Node, name: str, events: EventNames) -> None:
        self.root = root
        self.name = name
        self.events = events

    def context(self) -> Context:
        root = self.root
        return Context(
            self.name,
            self._references("extendsContext"),
            tuple(map(self._identifier, root.children("carrierSet"))),
            tuple(map(self._identifier, root.children("constant"))),
            tuple(self._predicate(n, "") for n in root.children("axiom", "theorem")),
            self._place(self.name, self.name),
        )

    def machine(self) -> Machine:
        root = self.root
        refined = self._references("refinesMachine")
        variables = (v for v in root.children("variable") if v.get("concrete") != "false")
        invariants = (i for i in root.children("invariant", "theorem") if i.comes_from(self.name))
        return Machine(
            self.name,
            refined[0] if refined else None,
            self._references("seesContext"),
            tuple(map(self._identifier, variables)),
            tuple(self._predicate(i, "") for i in invariants),
            tuple(map(self._variant, root.children("variant"))),
            tuple(map(self._event, root.children("event"))),
            self._place(self.name, self.name),
        )

    def _place(self, where: str, text: str) -> Span:
        return Span(Source(self.root.file, text, where), 0, len(text))

    def _identifier(self, node: Node) -> Name:
        text = node.get("identifier") or node.element.get("name") or ""
        return Name(text, self._place(node.kind, text))

    def _references(self, kind: str) -> tuple[Name, ...]:
        targets = (node.target() for node in self.root.children(kind))
        return tuple(Name(t, self._place(kind, t)) for t in targets)

    def _formula(self, node: Node, attribute: str, event: str) -> tuple[str, Source]:
        label = node.get("label") or node.kind
        where = f"{event}.{label}" if event else label
        text = node.get(attribute)
        if text is None:
            raise node.fault(f"{self.name}, {where}: the {node.kind} has no {attribute}")
        return label, Source(node.file, text, where)

    def _predicate(self, node: Node, event: str) -> Predicate:
        label, source = self._formula(node, "predicate", event)
        theorem = node.flag("theorem") or node.kind == "theorem"
        return Predicate(label, parse_formula(source), theorem, _whole(source))

    def _variant(self, node: Node) -> Variant:
        label, source = self._formula(node, "expression", "")
        return Variant(label, parse_formula(source), _whole(source))

    def _event(self, node: Node) -> Event:
        name = node.need("label")
        extended = node.flag("extended")

        def own(*kinds: str) -> list[Node]:
            return [n for n in node.children(*kinds) if not extended or n.comes_from(self.name)]

        return Event(
            name,
            self._convergence(node),
            extended,
            () if name == INITIALISATION else self._refined(node),
            tuple(map(self._identifier, own("parameter"))),
            tuple(self._predicate(g, name) for g in own("guard", "theorem")),
            tuple(self._witness(w, name) for w in own("witness") if w.get("predicate") != "⊤"),
            tuple(self._action(a, name) for a in own("action")),
            self._place(name, name),
        )

    def _convergence(self, node: Node) -> Convergence:
        value = node.get("convergence") or "0"
        if value not in _CONVERGENCE:
            raise node.fault(f"'{value}' is no convergence of an event in '{node.file}'")
        return _CONVERGENCE[value]

    def _refined(self, event: Node) -> tuple[str, ...]:
        return tuple(self._abstract_name(n) for n in event.children("refinesEvent"))

    def _abstract_name(self, node: Node) -> str:
        if node.get("target") is not None:
            return node.target()
        handle = node.need("scTarget")
        machine = handle_file(handle)
        found = self.events(machine).get(handle_element(handle))
        if found is None:
            raise self._unknown_event(node, machine)
        return found

    def _unknown_event(self, node: Node, machine: str) -> InputError:
        message = f"{self.name} refines an event of {machine}, whose checked file has no such event"
        return node.fault(f"{message}: build the project again in Rodin")

    def _witness(self, node: Node, event: str) -> Witness:
        label, source = self._formula(node, "predicate", event)
        return Witness(label, parse_formula(source), _whole(source))

    def _action(self, node: Node, event: str) -> Action:
        label, source = self._formula(node, "assignment", event)
        return Action(label, parse_action(source), _whole(source))


def _whole(source: Source) -> Span:
    return Span(source, 0, len(source.text))
