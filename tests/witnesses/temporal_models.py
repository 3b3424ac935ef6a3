"""Models and formulas on which reduced liveness checking goes wrong if a condition is forgotten."""

from __future__ import annotations

from dataclasses import dataclass

from secateur.ltl.atoms import Atom
from secateur.ltl.formula import Formula, atoms
from secateur.ltl.parse import parse_ltl
from secateur.ltl.tableau import Position
from secateur.system.system import PropertyKind
from tests.agreement.exact_relations import ExactRelations
from tests.agreement.temporal import ASSUMING_NOTHING, Case, Fair
from tests.witnesses.models import event, inconsistent_events
from tests.witnesses.tables import Condition, Event, Tabulated


def formula(text: str) -> Formula:
    """Return a formula; `{p}` is the property called p."""
    return parse_ltl(text, "witness").formula


def case(
    domains: dict[str, int],
    events: list[Event],
    properties: dict[str, Condition],
    text: str,
    fair: Fair = ASSUMING_NOTHING,
) -> Case:
    """Return a small model with a formula about it."""
    kinds = {name: (PropertyKind.ASSERTION, holds) for name, holds in properties.items()}
    system = Tabulated(domains, events, kinds)
    return Case(system, ExactRelations(system), formula(text), fair)


def alternating() -> Case:
    """2b: e a a a … is lost if one action of {a, b} that leads to something new is enough."""
    return case(
        {"x": 2, "y": 2},
        [
            event("a", lambda v: v["y"] == 0),
            event("b", lambda v: v["y"] == 0, to={"y": 1}),
            event("e", lambda v: v["x"] == 0, to={"x": 1}),
            event("f", lambda v: v["x"] == 1, to={"x": 0}),
        ],
        {"p": lambda v: v["x"] == 1},
        "not (F G {p})",
    )


def setting() -> Tabulated:
    """2d, T1: what `set` does is seen, and skip may go on for ever."""
    return Tabulated(
        {"x": 2},
        [event("skip"), event("set", lambda v: v["x"] == 0, to={"x": 1})],
        {"p": (PropertyKind.ASSERTION, lambda v: v["x"] == 1)},
    )


def toggling() -> Tabulated:
    """2d, T2: x changes again and again, or not."""
    return Tabulated(
        {"x": 2},
        [event("skip"), event("tog", to=lambda v: {"x": 1 - v["x"]})],
        {"p": (PropertyKind.ASSERTION, lambda v: v["x"] == 1)},
    )


def unbroken() -> Case:
    """2d, D4: the atoms of the tableau in which beta is due are left with alpha alone."""
    return case(
        {"x": 2},
        [event("alpha"), event("beta", lambda v: v["x"] == 0, to={"x": 1})],
        {"p": lambda v: v["x"] == 1},
        "G not ({p} U {p})",
    )


def inconsistent() -> Case:
    """2e: {a, k} is weakly stubborn at first; f after a1, a, a2 with p in between is lost."""
    return case(
        {"m": 3, "w": 2, "z": 2, "d": 2},
        inconsistent_events(),
        {"p": lambda v: v["m"] == 1 and v["w"] == 0, "q": lambda v: v["d"] == 1},
        "G ({p} => G not {q})",
    )


def _two_steps(text: str) -> Case:
    """Return a model in which a and b each happen once, in either order; b sets p."""
    return case(
        {"x": 2, "y": 2},
        [
            event("a", lambda v: v["y"] == 0, to={"y": 1}),
            event("b", lambda v: v["x"] == 0, to={"x": 1}),
        ],
        {"p": lambda v: v["x"] == 1, "q": lambda v: v["y"] == 1},
        text,
    )


def both_visible() -> Case:
    """p without q: b must be allowed to come first."""
    return _two_steps("G ({p} => {q})")


def at_the_end() -> Case:
    """p before the deadlock: a makes the state one, so that it is visible, too."""
    return _two_steps("G ({p} => deadlock)")


def an_event() -> Case:
    """A after b: that a happens is seen, though nothing that it changes is."""
    return _two_steps("G not ([a] & {p})")


def first_of_all() -> Case:
    """B at once: no silent step may come before it."""
    return _two_steps("not [b]")


def could_happen() -> Case:
    """P while a could happen: that a ends this is seen, though a itself is not looked for."""
    return _two_steps("G not (e(a) & {p})")


def waiting() -> Case:
    """Idle and b: without a proviso b waits for ever."""
    return case(
        {"x": 2},
        [event("idle"), event("b", lambda v: v["x"] == 0, to={"x": 1})],
        {"p": lambda v: v["x"] == 1},
        "G not {p}",
    )


def ending() -> Case:
    """A path that ends: what is left of it must end, too, and not before."""
    return _two_steps("F {p} & F {q}")


def unfair() -> Case:
    """C never happens if a never does: a, which lets paths be unfair to c, must not come first."""
    return case(
        {"x": 2, "y": 2, "w": 2},
        [
            event("a", lambda v: v["y"] == 0, to={"y": 1}),
            event("b", to=lambda v: {"x": 1 - v["x"]}),
            event("c", lambda v: v["y"] == 1, lambda v: v["w"] == 0, to={"w": 1}),
        ],
        {"p": lambda v: v["w"] == 1},
        "F {p}",
        Fair(weak=("c",)),
    )


def fair() -> Case:
    """There and back again is not fair to b, which could happen all the time."""
    return case(
        {"x": 2, "y": 2},
        [
            event("there", lambda v: v["y"] == 0, to={"y": 1}),
            event("back", lambda v: v["y"] == 1, to={"y": 0}),
            event("b", lambda v: v["x"] == 0, to={"x": 1}),
        ],
        {"p": lambda v: v["x"] == 1},
        "F {p}",
        Fair(weak=("b",)),
    )


WITNESSES: dict[str, Case] = {
    "fair": fair(),
    "unfair": unfair(),
    "2b, C2o and liveness": alternating(),
    "2d, D4": unbroken(),
    "2e, inconsistent labels": inconsistent(),
    "both visible": both_visible(),
    "at the end": at_the_end(),
    "an event": an_event(),
    "first of all": first_of_all(),
    "could happen": could_happen(),
    "waiting": waiting(),
    "ending": ending(),
}


@dataclass
class Hand:
    """A Büchi automaton written by hand: its letters are the values of one predicate.

    It has the manners of a tableau; a mark is on each edge out of an accepting state.
    """

    edges: dict[tuple[int, bool], tuple[int, ...]]
    accepting: int
    predicate: Atom
    start: int = 0

    def __post_init__(self) -> None:
        self.untils = [None]
        self.atoms = [self.predicate]

    def letter(self, truths: dict[Atom, bool]) -> int:
        """Return the letter."""
        return int(truths[self.predicate])

    def positions(self, letter: int, promise: int, _memory: int) -> tuple[Position, ...]:
        """Return the states after one."""
        kept = int(promise == self.accepting)
        return tuple(Position(q, kept, 0) for q in self.edges.get((promise, bool(letter)), ()))

    def ends(self, _letter: int, _promise: int, _memory: int) -> bool:
        """No path of these models ends."""
        return False

    def done(self, _promise: int) -> bool:
        """Nobody knows."""
        return False


P = atoms(formula("{p}"))[0]

FINALLY_SET = Hand(
    {
        (0, False): (1, 2),
        (0, True): (0,),
        (1, False): (2,),
        (2, False): (1,),
        (2, True): (0,),
    },
    accepting=0,
    predicate=P,
)
"""T1: FG p."""

CHANGES_FOR_EVER = Hand(
    {(0, False): (0, 2), (0, True): (0, 2), (2, False): (1,), (1, True): (0,)},
    accepting=1,
    predicate=P,
)
"""T2: p begins to hold again and again."""
