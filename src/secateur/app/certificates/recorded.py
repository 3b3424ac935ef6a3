"""What a reduced search relies on and chooses, written into a certificate while it goes on."""

from __future__ import annotations

from typing import Protocol

from secateur.audit.certificate import ALL, TRAPPED, Chosen
from secateur.audit.facts import Fact, Verb, independent
from secateur.system.relations import Answer, Ground, Relations


class Sink(Protocol):
    """Where facts and states go."""

    def fact(self, fact: Fact, ground: str) -> None:
        """Take a fact, with how it was come by."""

    def state(self, state: int, chosen: Chosen) -> None:
        """Take what was expanded in a state."""


class RecordedChoices:
    """A recorder for a reduction."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink

    def expanded(self, state: int, actions: tuple[int, ...], *, left_out: bool) -> None:
        """Write down which actions were chosen."""
        self._sink.state(state, actions if left_out else ALL)

    def trapped(self, state: int) -> None:
        """Write down that there is a fault."""
        self._sink.state(state, TRAPPED)


class RecordedRelations:
    """Relations that write down each fact: each answer that something is never so.

    What is plain from the slots that actions touch need not be said.
    """

    def __init__(self, relations: Relations, sink: Sink) -> None:
        self._relations = relations
        self._sink = sink
        self._told: set[Fact] = set()

    def _note(self, fact: Fact, answer: Answer) -> Answer:
        if not answer.yes and answer.ground is not Ground.APART and fact not in self._told:
            self._told.add(fact)
            self._sink.fact(fact, answer.ground.name.lower())
        return answer

    def dependent(self, a: int, b: int) -> Answer:
        """Say whether the order of two actions matters."""
        return self._note(independent(a, b), self._relations.dependent(a, b))

    def enables(self, a: int, b: int, conjunct: int) -> Answer:
        """Say whether one makes a conjunct of another true."""
        fact = Fact(Verb.NO_ENABLE, a, b, conjunct)
        return self._note(fact, self._relations.enables(a, b, conjunct))

    def disables(self, a: int, b: int, conjunct: int) -> Answer:
        """Say whether one makes a conjunct of another not true."""
        fact = Fact(Verb.NO_DISABLE, a, b, conjunct)
        return self._note(fact, self._relations.disables(a, b, conjunct))

    def excluded(self, a: int, b: int) -> Answer:
        """Say whether two never happen together; no choice relies on that."""
        return self._relations.excluded(a, b)

    def violates(self, a: int, check: int) -> Answer:
        """Say whether an action makes a check fail."""
        return self._note(Fact(Verb.NO_VIOLATE, a, check), self._relations.violates(a, check))

    def repairs(self, a: int, check: int) -> Answer:
        """Say whether an action makes a check hold."""
        return self._note(Fact(Verb.NO_REPAIR, a, check), self._relations.repairs(a, check))

    def faults(self, a: int) -> Answer:
        """Say whether an action can be at fault."""
        return self._note(Fact(Verb.NO_FAULT, a), self._relations.faults(a))

    def provokes(self, a: int, b: int) -> Answer:
        """Say whether one brings another to be at fault."""
        return self._note(Fact(Verb.NO_PROVOKE, a, b), self._relations.provokes(a, b))

    def heals(self, a: int, b: int) -> Answer:
        """Say whether one ends a fault of another."""
        return self._note(Fact(Verb.NO_HEAL, a, b), self._relations.heals(a, b))

    def strands(self, a: int) -> Answer:
        """Say whether an action leads to a deadlock."""
        return self._note(Fact(Verb.NO_STRAND, a), self._relations.strands(a))
