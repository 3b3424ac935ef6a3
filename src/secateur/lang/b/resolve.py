"""From a file to the components that make up its model, each once, names made unique.

INCLUDES, EXTENDS and IMPORTS create an instance of a machine, perhaps with a prefix for
its variables and operations (`a.M` has `a.x`; sets and constants are shared by all
instances).  SEES and USES refer to an instance that is shared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from secateur.lang.b.ast import Component, Reference
from secateur.lang.b.codes import (
    CYCLIC_REFERENCE,
    NAME_MISMATCH,
    NOT_PROMOTABLE,
    OWNED_TWICE,
    WRONG_INSTANTIATION,
)
from secateur.lang.b.definition_files import gather
from secateur.lang.b.definitions import Definitions
from secateur.lang.b.instance import expanded, renamed
from secateur.lang.b.loader import Loader
from secateur.maths.ast import Expr
from secateur.maths.replace import Replacement
from secateur.source import Span, fail
from secateur.source.records import dataclass


@dataclass(frozen=True)
class Instance:
    """A component as a part of the model: definitions expanded, names final."""

    key: str
    component: Component
    definitions: Definitions
    variables: frozenset[str]
    """The variables of the instance and of those that it includes."""
    operations: frozenset[str]
    """Everything that its operations may call, and they themselves."""
    visible: tuple[str, ...]
    """The operations that it offers: its own, promoted and extended ones."""
    is_parameter_free: bool
    abstraction: Instance | None = None


@dataclass(frozen=True)
class Project:
    """A main component and the instances that it needs, in an order in which each comes late enough."""

    main: Instance
    instances: tuple[Instance, ...]
    owned: frozenset[str]
    """The keys of instances that another one includes; the others are only seen."""
    needs: Mapping[str, Sequence[str]]
    """What each instance refers to, but not its abstraction."""

    @cached_property
    def abstract_only(self) -> frozenset[str]:
        """The keys of instances that only the abstraction of a refinement needs."""
        return frozenset(i.key for i in self.instances) - self.needed_by(self.main)

    def needed_by(self, instance: Instance) -> frozenset[str]:
        """Return the keys of `instance` and of those that it refers to, but not its abstraction."""
        found: set[str] = set()
        todo = [instance.key]
        while todo:
            key = todo.pop()
            if key not in found:
                found.add(key)
                todo.extend(self.needs.get(key, ()))
        return frozenset(found)

    def levels(self) -> list[Instance]:
        """Return the main component and those that it refines, the most refined one first."""
        found = [self.main]
        while (above := found[-1].abstraction) is not None:
            found.append(above)
        return found


def resolve(path: Path) -> Project:
    """Return the component in `path` with everything that it refers to."""
    resolver = _Resolver()
    main = resolver.main(path)
    instances = tuple(resolver.instances.values())
    return Project(main, instances, frozenset(resolver.owned), resolver.needs)


def files_of_levels(path: Path) -> list[Path]:
    """Return the file `path` and those of the components that it refines, the most refined one first."""
    loader = Loader()
    files = [path]
    while (above := loader.parse(files[-1]).refines) is not None:
        files.append(loader.find(above.name, files[-1], above.span, above.file))
    return files


@dataclass(frozen=True)
class _Use:
    """One instance to be made."""

    path: Path
    prefix: str
    args: tuple[Expr, ...]
    span: Span | None


class _Resolver:
    def __init__(self) -> None:
        self.loader = Loader()
        self.instances: dict[str, Instance] = {}
        self.needs: dict[str, list[str]] = {}
        self.owned: set[str] = set()
        self._owners: dict[str, Reference] = {}
        """Who owns an instance at this level of refinement: each level has a state of its own."""
        self._open: list[tuple[Path, str]] = []

    def main(self, path: Path) -> Instance:
        """Return the instance of the component in `path` that is not part of another."""
        return self._instance(_Use(path, "", (), None))

    def _instance(self, use: _Use) -> Instance:
        component = self.loader.parse(use.path)
        key = use.prefix + component.name
        known = self.instances.get(key)
        if known is not None:
            return known
        self._refuse_cycle(use, component)
        self._open.append((use.path.resolve(), component.name))
        made = self._made(use, component, key)
        self._open.pop()
        self.instances[key] = made
        return made

    def _refuse_cycle(self, use: _Use, component: Component) -> None:
        paths = [path for path, _ in self._open]
        if use.path.resolve() in paths:
            names = [name for _, name in self._open[paths.index(use.path.resolve()) :]]
            chain = " -> ".join([*names, component.name])
            message = f"{component.name} refers to itself: {chain}"
            raise fail(CYCLIC_REFERENCE, message, use.span)

    def _made(self, use: _Use, component: Component, key: str) -> Instance:
        directory = use.path.parent
        abstraction = self._abstraction(component, use.path)
        inherited = None if abstraction is None else abstraction.definitions
        definitions = gather(component, directory, inherited)
        plain = expanded(component, definitions)
        arguments = _arguments(plain, use)
        included, extended = self._included(plain, use, Replacement(arguments))
        seen = self._seen(plain, use.path)
        plain = _with_inherited_variables(plain, abstraction, included)
        self.needs[key] = [i.key for i in (*seen, *included)]
        variables = frozenset(use.prefix + v for v in _own_variables(plain)).union(
            *(i.variables for i in included)
        )
        operations = frozenset(use.prefix + o for o in _own_operations(plain)).union(
            *(i.operations for i in included)
        )
        final = renamed(
            plain,
            _without_prefix(variables, use.prefix),
            _without_prefix(operations, use.prefix),
            arguments,
        )
        return Instance(
            key,
            final,
            definitions,
            variables,
            operations,
            _visible(final, included, extended),
            not final.parameters,
            abstraction,
        )

    def _abstraction(self, component: Component, path: Path) -> Instance | None:
        if component.refines is None:
            return None
        above = component.refines
        below, self._owners = self._owners, {}
        found = self.loader.find(above.name, path, above.span, above.file)
        abstraction = self._instance(_Use(found, "", (), above.span))
        self._owners = below
        return abstraction

    def _included(
        self, component: Component, use: _Use, arguments: Replacement
    ) -> tuple[Sequence[Instance], Sequence[Instance]]:
        """Return all the instances that `component` owns, and those that it extends.

        Its own parameters, replaced by `arguments`, may be passed on.
        """

        def own(references: Sequence[Reference]) -> list[Instance]:
            return [
                self._own(
                    replace(r, args=tuple(map(arguments.in_expression, r.args))),
                    use.path,
                    use.prefix,
                )
                for r in references
            ]

        extended = own(component.extends)
        return [*own(component.includes), *own(component.imports), *extended], extended

    def _own(self, reference: Reference, user: Path, outer: str) -> Instance:
        instance = self._refer(reference, user, outer)
        self.owned.add(instance.key)
        other = self._owners.setdefault(instance.key, reference)
        if other is not reference:
            raise fail(
                OWNED_TWICE,
                f"{instance.key} is included twice: its variables can have one owner only",
                reference.span,
                f"the other one is at {other.span}; a prefix makes a second instance",
            )
        return instance

    def _seen(self, component: Component, path: Path) -> list[Instance]:
        return [self._refer(r, path, "") for r in (*component.sees, *component.uses)]

    def _refer(self, reference: Reference, user: Path, outer: str) -> Instance:
        path = self.loader.find(reference.name, user, reference.span, reference.file)
        found = self.loader.parse(path).name
        if found != reference.name:
            message = f"{path.name} should hold {reference.name} but holds {found}"
            raise fail(NAME_MISMATCH, message, reference.span)
        prefix = outer if reference.prefix is None else f"{outer}{reference.prefix}."
        return self._instance(_Use(path, prefix, reference.args, reference.span))


def _with_inherited_variables(
    component: Component, abstraction: Instance | None, included: Sequence[Instance]
) -> Component:
    """Return `component` with the concrete variables of its abstraction, which it has unsaid.

    A machine that it includes may have them instead.
    """
    if abstraction is None:
        return component
    known = frozenset(_own_variables(component)).union(*(i.variables for i in included))
    unsaid = (n for n in abstraction.component.concrete_variables if n.text not in known)
    return replace(component, concrete_variables=(*component.concrete_variables, *unsaid))


def _own_variables(component: Component) -> list[str]:
    return [n.text for n in (*component.abstract_variables, *component.concrete_variables)]


def _own_operations(component: Component) -> list[str]:
    return [o.name for o in (*component.operations, *component.local_operations)]


def _without_prefix(names: frozenset[str], prefix: str) -> dict[str, str]:
    return {name.removeprefix(prefix): name for name in names} if prefix else {}


def _arguments(component: Component, use: _Use) -> dict[str, Expr]:
    wanted = component.parameters
    if use.span is None or not (use.args or wanted):
        return {}
    if not use.args:  # SEES names an instance whose parameters were given elsewhere
        return {}
    if len(wanted) != len(use.args):
        message = f"{component.name} has {len(wanted)} parameter(s), {len(use.args)} given"
        raise fail(WRONG_INSTANTIATION, message, use.span)
    return {p.text: arg for p, arg in zip(wanted, use.args, strict=True)}


def _visible(
    component: Component, included: Sequence[Instance], extended: Sequence[Instance]
) -> tuple[str, ...]:
    local = {o.name for o in component.local_operations}
    names = [o.name for o in component.operations if o.name not in local]
    offered = {name for instance in included for name in instance.visible}
    for promoted in component.promotes:
        if promoted.text not in offered:
            message = f"no included machine offers an operation {promoted.text}"
            raise fail(NOT_PROMOTABLE, message, promoted.span)
        names.append(promoted.text)
    for instance in extended:
        names.extend(instance.visible)
    return tuple(dict.fromkeys(names))
