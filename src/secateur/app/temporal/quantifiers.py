"""Quantifiers of temporal formulas: one copy of the body for each value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from secateur.app.temporal.understood import Given, Understanding
from secateur.ltl.atoms import Atom
from secateur.ltl.codes import BAD_ATOM
from secateur.ltl.formula import FALSE, TRUE, Binary, Formula, Holds, One, Quantified, Two
from secateur.maths.ast import free_names
from secateur.maths.evaluate.environment import GAPS
from secateur.maths.evaluate.plan import plan_solutions
from secateur.maths.values import IllDefined, Undecided
from secateur.source import fail

DIFFERENT: Final = "{} is not the same for all values of the constants and variables"


class Expansion:
    """Finds the values of quantified names in a model."""

    def __init__(self, understanding: Understanding) -> None:
        self.understanding = understanding
        self.model = understanding.model
        self.system = understanding.system

    def expanded(self, f: Formula, bound: tuple[Given, ...] = ()) -> Formula:
        """Return a formula without quantifiers: one copy of their body for each value."""
        match f:
            case Holds(atom) if bound:
                concerned = self.understanding.concerned(atom, bound)
                return Holds(Atom(atom.kind, atom.text, atom.events, concerned, atom.span))
            case One(operator, argument):
                return One(operator, self.expanded(argument, bound))
            case Two(operator, left, right):
                return Two(operator, self.expanded(left, bound), self.expanded(right, bound))
            case Quantified(universal, names, _, body):
                operator = Binary.AND if universal else Binary.OR
                outer = tuple(
                    given for given in bound if given[0] not in names
                )  # others are hidden
                copies = [
                    self.expanded(body, (*outer, *values)) for values in self._solutions(f, outer)
                ]
                return _joined(operator, copies) if copies else TRUE if universal else FALSE
        return f

    def _solutions(self, f: Quantified, bound: tuple[Given, ...]) -> list[tuple[Given, ...]]:
        """Return the values of quantified names; they must be the same for all constants."""
        taken = {b.name for b in (*self.model.constants, *self.model.variables)} & set(f.names)
        if taken:
            message = f"{', '.join(sorted(taken))} is a name in the model, and cannot be quantified"
            raise fail(BAD_ATOM, message, f.condition.span)
        question = self.understanding.understood(f.condition, bound, f.names)
        variables = self.understanding.variables & free_names(question.formula)
        if variables:
            message = f"which values {', '.join(f.names)} has must not depend on {', '.join(sorted(variables))}"
            raise fail(BAD_ATOM, message, f.condition.span)
        missing = set(f.names) - {b.name for b in question.unknowns}
        if missing:
            message = f"{', '.join(sorted(missing))} does not occur in the condition"
            raise fail(BAD_ATOM, message, f.condition.span)
        inner = self.system.scope.bind((*question.unknowns, *(binder for _, _, binder in bound)))
        plan = plan_solutions(inner, question.unknowns, [question.formula])
        found: list[list[tuple[Given, ...]]] = []
        for state in self.understanding.one_for_each_solution():
            env = self.system.environment(state)
            for name, value, _ in bound:
                env[inner.place(name)] = value
            try:
                listed = [
                    tuple((b.name, env[inner.place(b.name)], b) for b in question.unknowns)
                    for _ in plan.run(env)
                ]
            except IllDefined as error:
                raise fail(BAD_ATOM, error.message, f.condition.span) from None
            except Undecided as error:
                raise fail(BAD_ATOM, error.what, f.condition.span) from None
            for gap in env[GAPS]:
                what = f"{gap} in the formula is enumerated from MININT to MAXINT only"
                self.understanding.graph.reasons[what] = None
            if listed not in found:
                found.append(listed)
        if len(found) > 1:
            raise fail(BAD_ATOM, DIFFERENT.format(", ".join(f.names)), f.condition.span)
        return found[0]


def _joined(operator: Binary, parts: Sequence[Formula]) -> Formula:
    """Return formulas joined in a tree that is not deep: there may be thousands."""
    if len(parts) == 1:
        return parts[0]
    middle = len(parts) // 2
    return Two(operator, _joined(operator, parts[:middle]), _joined(operator, parts[middle:]))
