"""All names that a project declares, in one flat table."""

from __future__ import annotations

from dataclasses import field

from secateur.lang.b.ast import Component, FreeTypeDeclaration, SetDeclaration
from secateur.lang.b.codes import DECLARED_TWICE
from secateur.lang.b.resolve import Instance, Project
from secateur.maths.ast import Expr, Name, free_names
from secateur.source import Diagnostic, InputError, Span
from secateur.source.records import dataclass


@dataclass()
class Declarations:
    """The declared names with the place of each, in the order declared."""

    sets: dict[str, SetDeclaration] = field(default_factory=dict)
    freetypes: dict[str, FreeTypeDeclaration] = field(default_factory=dict)
    constants: dict[str, Span] = field(default_factory=dict)
    variables: dict[str, Span] = field(default_factory=dict)
    abstract_variables: dict[str, Span] = field(default_factory=dict)
    """Variables of an abstraction that the refinement does not keep."""
    parameters: set[str] = field(default_factory=set)
    """Those of the constants that are parameters of a machine."""


def declarations(project: Project) -> Declarations:
    """Return what `project` declares; raise InputError for what is declared twice."""
    collector = _Collector()
    for instance in project.instances:
        if instance.key not in project.abstract_only:
            collector.add(instance)
    collector.in_abstraction = True
    for instance in project.instances:
        if instance.key in project.abstract_only:
            collector.add(instance)
    if collector.diagnostics:
        raise InputError(*collector.diagnostics)
    return collector.found


class _Collector:
    def __init__(self) -> None:
        self.found = Declarations()
        self.diagnostics: list[Diagnostic] = []
        self.in_abstraction = False
        """A refinement may declare again what its abstraction has: they are the same."""
        self._places: dict[str, Span] = {}
        self._components: set[str] = set()

    def add(self, instance: Instance) -> None:
        """Add the names of an instance."""
        component = instance.component
        # Instances of one machine share its sets and constants.
        if component.name not in self._components:
            self._components.add(component.name)
            self._add_shared(component)
        table = self.found.abstract_variables if self.in_abstraction else self.found.variables
        for name in variables(component):
            # A concrete variable that a refinement inherits is the very one of its abstraction.
            if self._declare(name) and name.text not in self.found.variables:
                table[name.text] = name.span
        self._operations(component)

    def _add_shared(self, component: Component) -> None:
        for parameter in component.parameters:
            self._parameter(parameter, component.constraints)
        for declaration in component.sets:
            self._set(declaration)
        for freetype in component.freetypes:
            if self._declare(Name(freetype.name, freetype.span)):
                self.found.freetypes[freetype.name] = freetype
                for constructor in freetype.constructors:
                    self._declare(Name(constructor.name, constructor.span))
        for name in (*component.concrete_constants, *component.abstract_constants):
            if self._declare(name):
                self.found.constants[name.text] = name.span

    def _parameter(self, parameter: Name, constraints: Expr | None) -> None:
        """Add a parameter: in capitals it is a set, otherwise a constant.

        One that only starts with a capital is a set unless CONSTRAINTS say what it is.
        """
        if not self._declare(parameter):
            return
        name = parameter.text
        typed = constraints is not None and name in free_names(constraints)
        if name.isupper() or (name[0].isupper() and not typed):
            declaration = SetDeclaration(parameter.text, None, parameter.span)
            self.found.sets[parameter.text] = declaration
        else:
            self.found.constants[name] = parameter.span
            self.found.parameters.add(name)

    def _set(self, declaration: SetDeclaration) -> None:
        if declaration.definition is not None:
            return  # an abbreviation, already expanded
        if self._declare(Name(declaration.name, declaration.span)):
            self.found.sets[declaration.name] = declaration
            for element in declaration.elements or ():
                self._declare(element)

    def _declare(self, name: Name) -> bool:
        """Whether `name` is new; if it is not, complain unless that is lawful."""
        earlier = self._places.setdefault(name.text, name.span)
        if earlier is name.span:
            return True
        if not self.in_abstraction:
            self._twice(name.text, earlier, name.span)
        return False

    def _operations(self, component: Component) -> None:
        places: dict[str, Span] = {}
        for operation in component.operations:
            earlier = places.setdefault(operation.name, operation.span)
            if earlier is not operation.span:
                self._twice(f"operation {operation.name}", earlier, operation.span)

    def _twice(self, what: str, earlier: Span, span: Span) -> None:
        message = f"{what} is declared twice"
        hint = f"the other declaration is at {earlier}"
        self.diagnostics.append(Diagnostic(DECLARED_TWICE, message, span, hint))


def variables(component: Component) -> tuple[Name, ...]:
    """Return the variables that `component` itself declares."""
    return (*component.abstract_variables, *component.concrete_variables)
