"""An audit: everything that a certificate claims, looked at again.

The argument that is re-validated: every initial state is recorded, and so is everything that a
chosen action leads to; the actions chosen suffice (`conditions.py`), if the facts hold that this
needs (`proofs.py`); nothing is put off for ever (`cycles.py`).  Then whatever is wrong with the model
shows in a recorded state, and all of these are looked at.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import field
from enum import Enum
from typing import Final

from secateur.audit.certificate import TRAPPED, Certificate, Shape
from secateur.audit.conditions import Claims, Conditions, Lacking, Way, called, looks
from secateur.audit.cycles import STRICT, Moves, on_cycle, put_off
from secateur.audit.ending import Counts, misfit_of
from secateur.audit.facts import Fact
from secateur.audit.proofs import Everywhere, Reached
from secateur.audit.states import Evaluated, Look, States, mask_of, members
from secateur.audit.surroundings import Paths, Surroundings, explore, seen_at
from secateur.audit.within import Closing, Condition, Within
from secateur.audit.words import told_fact, told_violation
from secateur.maths.print_value import show_value
from secateur.source.records import dataclass
from secateur.system.events import EventSystem
from secateur.system.packing import Misfit
from secateur.system.system import Breach, Fault, Gap, PropertyKind, State, Transition

BOUND: Final = 20_000
"""So many states around the recorded ones are visited, and combinations tried for a fact."""
_EACH: Final = 200
"""So many states are followed from one to see what left-out actions do."""


_MAY_END: Final = frozenset({"upset", "best"})
"""The reductions that leave a state altogether where nothing asked for can be reached from it."""
_NOTHING: Final = "no initial state"
_STUCK: Final = "the constants cannot be completed to an initial state"


class Outcome(Enum):
    """What an audit comes to."""

    ACCEPTED = "accepted"
    BOUNDED = "accepted as far as checked"
    REJECTED = "rejected"


@dataclass()
class Audit:
    """What was found."""

    outcome: Outcome = Outcome.ACCEPTED
    reason: str = ""
    """Why it is rejected."""
    state: int | None = None
    """Where."""
    states: int = 0
    reduced: int = 0
    initial: int = 0
    facts: Counter[str] = field(default_factory=Counter)
    """How many were used, by how they were shown."""
    around: Surroundings | None = None
    paths: tuple[int, int] = (0, 0)
    """From how many states all left-out paths were followed, and from how many some."""
    cyclic: int = 0
    """States in which something is put off."""
    doubts: list[str] = field(default_factory=list)
    """What was not shown."""
    notes: list[str] = field(default_factory=list)


class _Rejected(Exception):
    def __init__(self, reason: str, state: int | None = None) -> None:
        super().__init__(reason)
        self.state = state


def shape_of(system: EventSystem) -> Shape:
    """Return what a system looks like from outside."""
    return Shape(
        tuple((s.name, s.bits, None if s.codes is None else len(s.codes)) for s in system.slots),
        tuple(
            (a.operation, ", ".join(f"{n}={show_value(v)}" for n, v in a.arguments), len(looks(a)))
            for a in system.actions
        ),
        tuple((c.kind.value, c.name) for c in system.checks),
    )


def audit(certificate: Certificate, system: EventSystem, bound: int = BOUND) -> Audit:
    """Return whether a certificate shows what it claims about a system."""
    auditor = _Auditor(certificate, system, bound)
    try:
        auditor.run()
    except _Rejected as rejected:
        auditor.found.outcome = Outcome.REJECTED
        auditor.found.reason, auditor.found.state = str(rejected), rejected.state
    except Misfit as misfit:
        auditor.found.outcome = Outcome.REJECTED
        auditor.found.reason = f"a state has no room for a value of {misfit.place}"
    return auditor.found


class _Auditor:
    def __init__(self, certificate: Certificate, system: EventSystem, bound: int) -> None:
        self.certificate = certificate
        self.system = system
        self.bound = bound
        self.records = certificate.records
        self.found = Audit(states=len(self.records))
        self.strict = TRAPPED in self.records.values()
        """Whether a state was passed in which nobody knows what an action does."""
        self.states = States(system, certificate.kinds)
        self.wrong: dict[tuple[str, str], int] = {}
        """What is wrong in recorded states, with the first of them."""
        self.reduced: dict[int, int] = {}
        """The states in which something is left out, with what is chosen."""
        self.initial: list[int] = []
        self._codes = [
            (slot.bits, None if slot.codes is None else frozenset(slot.codes))
            for slot in system.slots
        ]
        self.before: set[tuple[str, str]] = set()
        """What is wrong before there is a state."""
        self.counts = Counts(recorded=len(self.records))
        self.reached: set[int] = set()
        """The states that steps from recorded ones lead to, and the initial ones."""

    def run(self) -> None:
        if self.certificate.shape != shape_of(self.system):
            raise _Rejected("its slots, actions and checks are not those of the model")
        claimed = self.certificate.claimed
        misfit = misfit_of(claimed)
        if misfit is not None:
            raise _Rejected(misfit)
        self._start()
        for state, chosen in self.records.items():
            self._record(state, chosen)
        self._reach()
        if claimed.verdict == "violated" and not claimed.exhaustive:
            self._violated()
            self._counted()
            return
        if not claimed.exhaustive:
            self.found.doubts += [f"the run is incomplete: {r}" for r in claimed.reasons]
            self.found.doubts += [] if claimed.reasons else ["the run is incomplete"]
            for what in (*sorted(self.before), *self.wrong):
                self._doubt(f"{told_violation(what)}, which the run did not come to say")
        else:
            self._closed()
            self._as_claimed()
        self._counted()
        around = self._conditions()
        self._proviso(around)
        self._surroundings()
        if self.found.doubts:
            self.found.outcome = Outcome.BOUNDED

    def _doubt(self, what: str) -> None:
        """Note what is not shown, once."""
        if what not in self.found.doubts:
            self.found.doubts.append(what)

    # -- states -----------------------------------------------------------------------------------

    def _start(self) -> None:
        """Find the initial states, and what is wrong before them."""
        todo: list[State] = [None]
        while todo:
            state = todo.pop(0)
            stuck = True
            items = list(self.system.initial() if state is None else self.system.successors(state))
            self.counts.begin([item for item in items if isinstance(item, Transition)])
            for item in items:
                stuck = False
                match item:
                    case Transition(_, target) if not self.system.is_initialised(target):
                        todo.append(target)
                        self.counts.setups += 1
                    case Transition(_, int(target)):
                        self.initial.append(target)
                    case Fault(where):
                        self.before.add((PropertyKind.WELL_DEFINEDNESS.value, where))
                    case Breach(kind, name) if kind in self.certificate.kinds:
                        self.before.add((kind.value, name))
                    case Gap(where, reason):
                        self._doubt(f"{where}: {reason}")
            if stuck and PropertyKind.DEADLOCK in self.certificate.kinds:
                self.before.add(
                    (PropertyKind.DEADLOCK.value, _NOTHING if state is None else _STUCK)
                )
        self.initial = list(dict.fromkeys(self.initial))
        self.found.initial = len(self.initial)

    def _record(self, state: int, chosen: tuple[int, ...] | str) -> None:
        """Look at one state: what happens there, and whether the evaluator agrees."""
        if not self._lawful(state):
            raise _Rejected("something is recorded that is no state")
        look = self.states.look(state)
        evaluated = self._evaluate(look)
        self.counts.add(self.system, look, chosen, evaluated)
        seen = seen_at(self.states, state, by_evaluator=True)
        for what in seen.wrong:
            self.wrong.setdefault(what, state)
        for gap in seen.gaps:
            if self.certificate.claimed.exhaustive:
                raise _Rejected(f"the run claims to be complete, and here is open: {gap}", state)
            self._doubt(gap)
        if look.faulty:
            if chosen != TRAPPED:
                names = ", ".join(called(self.system.actions[a]) for a in sorted(look.faulty))
                raise _Rejected(
                    f"{names} cannot be told here, and the state is not `trapped`", state
                )
        elif isinstance(chosen, tuple):
            mask = mask_of(chosen)
            if mask & ~look.enabled:
                action = self.system.actions[members(mask & ~look.enabled)[0]]
                raise _Rejected(f"{called(action)} is chosen and does not happen", state)
            if mask != look.enabled:
                if not mask and self.certificate.reduction not in _MAY_END:
                    reason = "something happens, and nothing is chosen"
                    raise _Rejected(
                        f"{reason}: '{self.certificate.reduction}' does not do so", state
                    )
                self.reduced[state] = mask
        self.found.reduced = len(self.reduced)

    def _lawful(self, state: int) -> bool:
        """Whether every slot has one of its codes, and nothing is beside them."""
        rest = state
        for slot, codes in self._codes:
            if codes is not None and state & slot not in codes:
                return False
            rest &= ~slot
        try:
            self.system.values(state)
        except (LookupError, ValueError):  # a number for which there is no value
            return False
        return not rest

    def _evaluate(self, look: Look) -> Evaluated:
        """Compare what actions do with what the evaluator says of their operations."""
        found = self.states.evaluated(look.state)
        if found.gaps:
            for gap in found.gaps:
                self._doubt(gap)
            return found
        if look.faulty:
            return found
        ours: dict[str, set[int]] = {}
        for a, results in look.results.items():
            ours.setdefault(self.system.actions[a].operation, set()).update(results)
        if found.wrong:
            raise _Rejected(
                f"{found.wrong[0][1]} is wrong here, and its actions are not", look.state
            )
        for operation in {*ours, *found.targets}:
            if ours.get(operation, set()) != found.targets.get(operation, set()):
                raise _Rejected(
                    f"the actions of {operation} lead elsewhere than it does", look.state
                )
        return found

    def _targets(self, state: int) -> set[int]:
        look = self.states.look(state)
        if look.faulty:
            return set().union(*self.states.evaluated(state).targets.values())
        chosen = self.reduced.get(state, look.enabled)
        return set(look.targets(members(chosen)))

    def _closed(self) -> None:
        """See that nothing is missing that was to be visited."""
        for state in self.initial:
            if state not in self.records:
                raise _Rejected("an initial state is not recorded", state)
        for state in self.records:
            for target in sorted(self._targets(state)):
                if target not in self.records:
                    raise _Rejected("what an expanded action leads to is not recorded", target)

    def _as_claimed(self) -> None:
        """Compare what is wrong in recorded states with what the run said."""
        claimed = set(self.certificate.claimed.violations)
        for what in sorted(self.before - claimed):
            raise _Rejected(f"{told_violation(what)}, which the run did not say")
        for what, state in self.wrong.items():
            if what not in claimed:
                raise _Rejected(f"{told_violation(what)}, which the run did not say", state)
        for what in sorted(claimed - self.wrong.keys() - self.before):
            raise _Rejected(f"no recorded state shows that {told_violation(what)}")

    def _reach(self) -> None:
        """See that recorded states are no inventions: steps from others lead there.

        Any steps will do: of a state that was opened again, the choice made before is not known.
        """
        todo = list(self.initial)
        self.reached.update(todo)
        while todo:
            state = todo.pop()
            if state in self.records:
                fresh = (self.states.next_to(state) or set()) - self.reached
                self.reached |= fresh
                todo += fresh
        for state in self.records:
            if state not in self.reached:
                raise _Rejected("no steps between recorded states lead here", state)
        self.counts.reached = len(self.reached)

    def _counted(self) -> None:
        claimed = self.certificate.claimed
        objection = self.counts.objection(claimed, reopened=self.certificate.reopened)
        if objection is not None:
            raise _Rejected(objection)

    def _violated(self) -> None:
        """See that all violations are real, whatever was left out: recorded steps lead to them."""
        missing = set(self.certificate.claimed.violations) - self.before - self.wrong.keys()
        for state in sorted(self.reached - self.records.keys()) if missing else ():
            missing.difference_update(seen_at(self.states, state).wrong)
        for what in sorted(missing):
            raise _Rejected(f"no state that was reached shows that {told_violation(what)}")
        self.found.doubts.clear()  # that everything was looked at is not claimed
        self.found.notes.append("what is violated was seen again; nothing else is claimed")

    # -- choices ----------------------------------------------------------------------------------

    def _conditions(self) -> dict[int, Moves]:
        """See that choices suffice; return the states in which something is put off."""
        claims = Claims(self.system, self.certificate.facts)
        self.conditions = Conditions(self.states, claims)
        around: dict[int, Moves] = {}
        for state, chosen in self.reduced.items():
            look = self.states.look(state)
            try:
                way = self.conditions.judge(look, chosen)
            except Lacking as lacking:
                raise _Rejected(str(lacking), state) from None
            if way is Way.AROUND:
                around[state] = {a: look.results[a] for a in members(chosen)}
        self.found.cyclic = len(around)
        return around

    def _proviso(self, around: dict[int, Moves]) -> None:
        state = put_off(around)
        if state is not None:
            raise _Rejected("what is left out here may be put off for ever", state)
        if self.certificate.proviso in STRICT:
            state = on_cycle(around)
            if state is not None:
                name = self.certificate.proviso
                raise _Rejected(
                    f"a cycle of reduced states, which proviso '{name}' rules out", state
                )

    # -- facts, and what is around ----------------------------------------------------------------

    def _surroundings(self) -> None:
        facts = self._unproven()
        # where all is proved, states around the recorded ones are no more than a precaution
        most = self.bound if facts else self.bound // 10
        start = list(dict.fromkeys([*self.records, *self.initial]))
        around = explore(self.states, start, most, self._meet)
        self.found.around = around
        refuted = Reached(self.states).refuted(facts, around.looked)
        if refuted is not None:
            raise _Rejected(f"not a fact: {told_fact(refuted[0], self.system)}", refuted[1])
        if facts and around.complete:
            self.found.facts[f"on all {around.found} reachable states"] = len(facts)
        elif facts:
            self.found.facts[f"checked on {len(around.looked)} states only"] = len(facts)
            self.found.doubts.append(
                f"{len(facts)} facts were neither proved nor refuted ({around.why}), such as: "
                f"{told_fact(facts[0], self.system)}"
            )
        self._follow()

    def _unproven(self) -> list[Fact]:
        """Return the facts that are used and do not hold in all lawful states, as far as is known."""
        if not self.initial:
            return []
        facts = sorted(self.conditions.used, key=_order)
        facts = self._try(facts, Within(self.system), "by trying all values of the slots concerned")
        if facts and not self.strict and self.certificate.within:
            closing = Closing(self.system, self.initial, self.bound)
            within = closing.shown(self._candidates())
            if within.conditions:
                how = f"in a set that no action leaves ({len(within.conditions)} conditions)"
                facts = self._try(facts, within, how)
        return facts

    def _candidates(self) -> list[Condition]:
        checks = self.system.checks
        return [
            c if c.patterns is not None else c._replace(mask=checks[c.check].reads)
            for c in self.certificate.within
        ]

    def _try(self, facts: list[Fact], within: Within, how: str) -> list[Fact]:
        """Return the facts that are not proved within a set."""
        everywhere = Everywhere(within, self.initial[0], self.bound, strict=self.strict)
        left = [fact for fact in facts if not everywhere.proves(fact)]
        if len(left) < len(facts):
            self.found.facts[how] = len(facts) - len(left)
        return left

    def _meet(self, state: int) -> None:
        """Look at a state that the run has left out: it must not be wrong in a way of its own."""
        if not self.certificate.claimed.exhaustive:
            return
        # a property that fails in one state and has no value in another is found once
        known = {name for _, name in self.certificate.claimed.violations}
        seen = seen_at(self.states, state)
        for what in seen.wrong:
            if what[1] not in known:
                raise _Rejected(f"{told_violation(what)} in a state that the run left out", state)
        for gap in seen.gaps:
            self._doubt(f"{gap}, in a state that the run left out")

    def _follow(self) -> None:
        """Follow left-out actions from reduced states."""
        paths = Paths(self.states, _EACH, 10 * self.bound)
        for state, chosen in self.reduced.items():
            if not chosen:
                continue
            met = paths.follow(state, chosen)
            if met is None:
                continue
            where, a, e = met
            names = self.system.actions
            if e < 0:
                reason = f"{called(names[a])} was chosen, and others keep it from happening"
            else:
                reason = f"{called(names[e])} comes before {called(names[a])}, which was chosen, and clashes with it"
            raise _Rejected(reason, where)
        self.found.paths = paths.explored, paths.bounded


def _order(fact: Fact) -> tuple[str, int, int, int]:
    return fact.verb.value, fact.first, fact.second, fact.conjunct
