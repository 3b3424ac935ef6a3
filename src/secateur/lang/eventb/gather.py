"""The components of a folder, or those that one of them needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import Final

from secateur.lang.eventb import rodin, text
from secateur.lang.eventb.ast import Context, Machine, Project
from secateur.lang.eventb.codes import COMPONENT_TWICE
from secateur.lang.eventb.expand import expand
from secateur.lang.eventb.folder import Folder
from secateur.lang.eventb.rodin_xml import Node, parse_xml
from secateur.source import InputError, Source, fail
from secateur.source.read import decode

AT_ONCE: Final = 2.0
"""Files written within so many seconds were copied together: neither is newer."""


class RodinFolder:
    """A folder of Rodin's files, read when they are needed."""

    def __init__(self, folder: Folder, *, checked: bool) -> None:
        self.folder = folder
        self.checked = checked
        self.notes: list[str] = []
        self.left_out: dict[str, str] = {}
        """Per component in which Rodin found mistakes, what is to be said about it."""
        self._present = frozenset(folder.names)
        self._roots: dict[str, Node] = {}

    def all(self) -> Iterable[Context | Machine]:
        """Yield every component."""
        seen = set()
        for name in self.folder.names:
            place = PurePath(name)
            kind = _kind(place.suffix)
            if kind and (kind, place.stem) not in seen:
                seen.add((kind, place.stem))
                yield self.component(kind, place.stem)

    def needed(self, kind: tuple[str, ...], name: str) -> Iterable[Context | Machine]:
        """Yield a component and all that it refers to, as far as they are there."""
        todo, seen = [(kind, name)], set()
        while todo:
            kind, name = todo.pop(0)
            if (kind, name) in seen or self._file(kind, name) is None:
                continue
            seen.add((kind, name))
            found = self.component(kind, name)
            yield found
            if isinstance(found, Context):
                todo += [(rodin.CONTEXTS, n.text) for n in found.extends]
            else:
                todo += [(rodin.CONTEXTS, n.text) for n in found.sees]
                todo += [(rodin.MACHINES, found.refines.text)] if found.refines else []

    def component(self, kind: tuple[str, ...], name: str) -> Context | Machine:
        """Return one component that is there."""
        file = self._file(kind, name)
        assert file is not None
        root = self._root(file)
        where = rodin.left_out(root)
        if where is not None:
            shown = self.folder.shown(file)
            self.left_out[name] = f"{shown}: Rodin found mistakes {where} and left parts out"
        self._note_age(file, f"{name}{kind[0]}")
        return rodin.component(root, name, self._event_names)

    def _file(self, kind: tuple[str, ...], name: str) -> str | None:
        source, checked = (f"{name}{suffix}" for suffix in kind)
        wanted = (checked, source) if self.checked else (source, checked)
        return next((file for file in wanted if file in self._present), None)

    def _note_age(self, file: str, source: str) -> None:
        """Note that `file` is older than the text that it was made of."""
        if file == source or source not in self._present:
            return
        modified = self.folder.modified
        if modified(source) - modified(file) > AT_ONCE:
            shown = self.folder.shown(file)
            note = f"{shown} is older than {source}: build the project again in Rodin"
            self.notes.append(note)

    def _root(self, file: str) -> Node:
        if file not in self._roots:
            self._roots[file] = parse_xml(self.folder.read(file), self.folder.shown(file))
        return self._roots[file]

    def _event_names(self, machine: str) -> Mapping[str, str]:
        file = f"{machine}{rodin.MACHINES[1]}"
        return rodin.event_names(self._root(file)) if file in self._present else {}


def _kind(suffix: str) -> tuple[str, ...] | None:
    return next((k for k in (rodin.CONTEXTS, rodin.MACHINES) if suffix in k), None)


def rodin_project(folder: Folder) -> Project:
    """Return everything in a folder of Rodin's files."""
    reader = RodinFolder(folder, checked=False)
    found = project(PurePath(folder.label).name, reader.all(), None, reader.notes)
    return replace(found, left_out=reader.left_out)


def rodin_component(folder: Folder, file: str) -> Project:
    """Return what one of a folder's files needs, and no more."""
    place = PurePath(file)
    kind = _kind(place.suffix.lower())
    assert kind is not None
    reader = RodinFolder(folder, checked=place.suffix.lower() in rodin.CHECKED)
    found = project(place.stem, reader.needed(kind, place.stem), place.stem, reader.notes)
    return replace(found, left_out=reader.left_out)


def text_project(folder: Folder) -> Project:
    """Return everything in a folder of text files."""
    names = [n for n in folder.names if PurePath(n).suffix.lower() in text.SUFFIXES]
    found = [c for n in names for c in text.read_components(_source(folder, n))]
    return project(PurePath(folder.label).name, found, None, [])


def text_component(folder: Folder, source: Source, file: str) -> Project:
    """Return what a text holds, and from the texts beside it what it refers to."""
    found = text.read_components(source)
    main = found[0].name if len(found) == 1 else None
    others = {} if not found else _places(folder, file)
    names = {c.name for c in found}
    todo = list(found)
    while todo:
        for name in _mentioned(todo.pop(0)) - names:
            if name in others:
                more = text.read_components(_source(folder, others[name]))
                fresh = [c for c in more if c.name not in names]
                names |= {c.name for c in fresh}
                found += fresh
                todo += fresh
    return project(PurePath(file).stem, found, main, [])


def _places(folder: Folder, file: str) -> dict[str, str]:
    """Return which file holds which component, as far as the first lines tell."""
    places: dict[str, str] = {}
    for name in folder.names:
        if PurePath(name).suffix.lower() in text.SUFFIXES and name != file:
            for component in text.declared(_source(folder, name).text):
                places.setdefault(component, name)
    return places


def _mentioned(component: Context | Machine) -> set[str]:
    if isinstance(component, Context):
        return {n.text for n in component.extends}
    refined = {component.refines.text} if component.refines else set()
    return {n.text for n in component.sees} | refined


def _source(folder: Folder, name: str) -> Source:
    shown = folder.shown(name)
    return Source(shown, decode(folder.read(name), shown))


def project(
    name: str, found: Iterable[Context | Machine], main: str | None, notes: list[str]
) -> Project:
    """Return the project of these components."""
    contexts: dict[str, Context] = {}
    machines: dict[str, Machine] = {}
    for each in found:
        if each.name in contexts or each.name in machines:
            raise _twice(each)
        if isinstance(each, Context):
            contexts[each.name] = each
        else:
            machines[each.name] = each
    return expand(Project(name, contexts, machines, main, tuple(notes)))


def _twice(component: Context | Machine) -> InputError:
    message = f"there are two components named {component.name}"
    return fail(COMPONENT_TWICE, message, component.span)
