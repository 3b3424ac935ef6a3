"""Whether a step of a model is the one that a trace has, and if not, what differs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from secateur.app.traces.protocol import PostCondition, Wanted, WantedStep
from secateur.app.traces.understanding import NoValue, Understanding
from secateur.lang.model import Operation
from secateur.lang.settled import unsettled
from secateur.maths.show import brief
from secateur.maths.types import Type
from secateur.maths.values import Value
from secateur.source.records import dataclass
from secateur.system.replay import Cause
from secateur.system.system import Outgoing, State, Transition
from secateur.system.trace import differ


@dataclass(frozen=True, slots=True)
class Difference:
    """What is otherwise than wanted."""

    cause: Cause
    text: str


class Matching:
    """Compares steps with those that a trace has."""

    def __init__(self, understanding: Understanding) -> None:
        self.understanding = understanding
        self.system = understanding.system
        model = understanding.model
        self.operations: Mapping[str, tuple[int, Operation]] = {
            op.name: (number, op) for number, op in enumerate(model.operations)
        }
        self.types: Mapping[str, Type] = _types((*model.constants, *model.variables))

    def fits(self, step: WantedStep, before: State | None, transition: Transition) -> bool:
        """Whether a transition out of a state (None: the root) is the step that is wanted."""
        return next(self.differences(step, before, transition), None) is None

    def differences(
        self, step: WantedStep, before: State | None, transition: Transition
    ) -> Iterator[Difference]:
        """Yield what is otherwise, what is found out soonest first."""
        taken = transition.step
        if step.operation is not None and step.operation != taken.operation:
            yield Difference(Cause.NO_OPERATION, f"it is {taken.operation}")
            return
        types = self.signature(taken.operation)
        yield from _compared(step.arguments, taken.arguments, types, Cause.PARAMETERS)
        yield from _compared(step.results, taken.results, types, Cause.RESULT)
        after = dict(self.system.values(transition.target))
        known = {name: wanted for name, wanted in step.state.items() if name in self.types}
        yield from _compared(known, tuple(after.items()), self.types, Cause.STATE)
        yield from self._changes(step, before, after)
        yield from self._predicates(step, before, transition)

    def signature(self, operation: str) -> Mapping[str, Type]:
        """Return the types of an operation's parameters and results."""
        found = self.operations.get(operation)
        return {} if found is None else _types((*found[1].parameters, *found[1].results))

    def offered(self, step: WantedStep, state: State | None) -> Iterator[Outgoing]:
        """Yield what leads out of a state (None: the root): by the operation that is wanted, if it is one.

        Arguments that are wanted are tried even where nobody would enumerate them.
        """
        if state is None:
            return iter(self.system.initial())
        if not self.system.is_initialised(state) or step.operation is None:
            return self.system.successors(state)
        found = self.operations.get(step.operation)
        if found is None:
            return iter(())
        return self.system.outcomes_with(found[0], state, self.given(step))

    def given(self, step: WantedStep) -> dict[str, Value]:
        """Return the arguments that are wanted, as far as they are values of the parameters."""
        found = self.operations.get(step.operation or "")
        parameters = {} if found is None else _types(found[1].parameters)
        values: dict[str, Value] = {}
        for name, type_ in parameters.items():
            wanted = step.arguments.get(name)
            try:
                if wanted is not None:
                    values[name] = wanted.value(type_)
            except NoValue:
                continue  # it may be that nobody can read it back: looked for like those not told
        return values

    def strangers(self, step: WantedStep) -> list[str]:
        """Return the names of the trace that mean nothing in the model."""
        return [name for name in (*step.state, *sorted(step.same)) if name not in self.types]

    def _changes(
        self, step: WantedStep, before: State | None, after: Mapping[str, Any]
    ) -> Iterator[Difference]:
        if before is None or not (step.same or step.others_same):
            return
        old = dict(self.system.values(before))
        for name, value in old.items():
            demanded = name in step.same or (step.others_same and name not in step.state)
            if demanded and name in after and differ(value, after[name]):
                text = (
                    f"{name} changes from {brief(value)} to {brief(after[name])}, which it did not"
                )
                yield Difference(Cause.STATE, text)

    def _predicates(
        self, step: WantedStep, before: State | None, transition: Transition
    ) -> Iterator[Difference]:
        for text in step.predicates:
            if before is None:
                self.understanding.notes[f"'{text}' is not looked at: there is no state before"] = (
                    None
                )
            elif self.understanding.holds(text, before, transition.step) is False:
                yield Difference(Cause.PARAMETERS, f"{text} does not hold")
        for condition in step.afterwards:
            if not self._met(condition, transition.target):
                yield Difference(Cause.STATE, f"afterwards, {_told(condition)}")

    def _met(self, condition: PostCondition, state: State) -> bool:
        """Whether a condition on a state is met; what nobody can tell is."""
        if condition.operation is None:
            return self.understanding.holds(condition.predicate, state) is not False
        found = self.operations.get(condition.operation)
        if found is None:
            return not condition.enabled
        possible = any(
            isinstance(item, Transition)
            and (
                not condition.predicate
                or self.understanding.holds(condition.predicate, state, item.step) is not False
            )
            for item in self.system.outcomes(found[0], state)
        )
        return possible is condition.enabled


def _types(binders: tuple[Any, ...]) -> dict[str, Type]:
    return {b.name: b.type for b in binders if b.type is not None}


def _told(condition: PostCondition) -> str:
    if condition.operation is None:
        return f"{condition.predicate} does not hold"
    given = f" with {condition.predicate}" if condition.predicate else ""
    return f"{condition.operation}{given} is {'not ' if condition.enabled else ''}enabled"


def _compared(
    wanted: Mapping[str, Wanted],
    found: tuple[tuple[str, Any], ...],
    types: Mapping[str, Type],
    cause: Cause,
) -> Iterator[Difference]:
    values = dict(found)
    for name, each in wanted.items():
        if name not in values:
            yield Difference(cause, f"there is no {name}")
        elif not each.fits(unsettled(values[name]), types[name]):
            text = f"{name} is {brief(values[name])} instead of {each.shown}"
            yield Difference(cause, text)
