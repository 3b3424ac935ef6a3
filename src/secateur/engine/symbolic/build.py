"""From a system to diagrams: translated where there is code, learned where there is none."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from secateur.engine.symbolic.code.execute import FEW_NODES, MANY_NODES
from secateur.engine.symbolic.code.numbers import Untranslatable
from secateur.engine.symbolic.diagrams.protocol import Diagram, DiagramsRow
from secateur.engine.symbolic.learned import MOST_LEARNED, LearnedRelation
from secateur.engine.symbolic.model import SymbolicModel
from secateur.engine.symbolic.ordering import bits_in_order
from secateur.engine.symbolic.protocol import CodedSystem
from secateur.engine.symbolic.relation import Operation, Relation
from secateur.engine.symbolic.translated import Condition, Translator
from secateur.engine.symbolic.variables import Variables, places
from secateur.kernel.language import Predicate


class Builder:
    """Makes relations of the actions of a system, and sets of states of its checks."""

    def __init__(
        self,
        system: CodedSystem,
        row: DiagramsRow,
        nodes: int,
        extra: int = 0,
        *,
        reorder: bool = False,
    ) -> None:
        self.system = system
        self.variables = Variables(row, bits_in_order(system), extra, nodes, reorder=reorder)
        self.diagrams = self.variables.diagrams
        self._translator = Translator(self.variables, (system.words, system.scratch))
        self.operations: dict[str, Operation] = {}
        self._slot_of = {bit: slot.bits for slot in system.slots for bit in places(slot.bits)}

    def model(self, initial: Sequence[int]) -> SymbolicModel:
        """Return the model that begins in some states."""
        relations = [self.relation(action) for action in range(len(self.system.actions))]
        return SymbolicModel(self.variables, self.variables.of_states(initial), relations)

    def relation(self, action: int) -> Relation:
        """Return the steps of an action."""
        known = self.system.actions[action]
        everything = self.variables.everything
        operation = self.operations.setdefault(known.operation, Operation(self.diagrams))
        code = self.system.code(action)
        masks = self.whole(known.sees | known.may_write), self.whole(known.may_write)
        if code is None:
            return LearnedRelation(self.variables, self.system, action, masks, operation)
        steps = partial(self._translator.steps, code, known.ordered)
        writes = known.may_write & everything
        try:
            found = steps(writes, FEW_NODES)
        except Untranslatable:
            learned = LearnedRelation(self.variables, self.system, action, masks, operation)
            learned.otherwise = partial(steps, masks[1], MANY_NODES)
            return learned
        relation = Relation(self.variables, action, known.sees & everything, writes, operation)
        relation.add(*found)
        return relation

    def whole(self, mask: int) -> int:
        """Return all bits of the slots that some bits belong to."""
        found = 0
        for bit in places(mask):
            found |= self._slot_of.get(bit, 0)
        return found

    # -- checks -----------------------------------------------------------------------------------

    def check(self, number: int) -> Condition | None:
        """Return where a property holds; None if that has to be asked state by state."""
        return self._condition(self.system.check_code(number))

    def end(self) -> Condition | None:
        """Return where a run may end; None if that has to be asked state by state."""
        return self._condition(self.system.end_code())

    def _condition(self, code: Predicate | None) -> Condition | None:
        if code is None:
            return None
        try:
            return self._translator.condition(code, FEW_NODES)
        except Untranslatable:
            return None

    def asked(self, number: int, states: Diagram) -> Condition:
        """Return in which of some states a property holds, asked for each code that it looks at."""
        variables = self.variables
        reads = self.whole(self.system.checks[number].reads)
        seen = variables.on(reads, states)
        code = self.system.check_code(number)
        if code is not None and variables.count_on(reads, seen) > MOST_LEARNED:
            try:
                return self._translator.condition(code, MANY_NODES)
            except Untranslatable:
                pass  # then it takes its time
        others = variables.pick(states) & ~reads
        good: list[int] = []
        unknown: list[int] = []
        for each in variables.states(seen, reads):
            holds = self.system.holds(number, others | each)
            if holds:
                good.append(each)
            elif holds is None:
                unknown.append(each)
        return Condition(variables.of_states(good, reads), variables.of_states(unknown, reads))
