"""Models on which a reduction goes wrong if one condition is forgotten.

Each is as small as it could be made, and says what is lost and where it comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from secateur.engine.heuristics.protocol import Heuristic
from secateur.system.system import PropertyKind, State
from tests.witnesses.judge import BOTH, DEADLOCK, INVARIANT
from tests.witnesses.tables import Condition, Event, Tabulated, Undefined, Values

Body = Callable[[Values], Mapping[str, int]]


@dataclass(frozen=True)
class Witness:
    """A model and what is asked about it."""

    system: Tabulated
    kinds: frozenset[PropertyKind]
    heuristic: Heuristic | None = None


def event(name: str, *guard: Condition, to: Mapping[str, int] | Body | None = None) -> Event:
    """Return a deterministic action; a mapping sets constants, None changes nothing."""
    if callable(to):
        return Event(name, guard, to)
    constants = dict(to or {})
    return Event(name, guard, lambda v: constants)


def invariant(condition: Condition) -> dict[str, tuple[PropertyKind, Condition]]:
    """Return the only property of a model."""
    return {"I": (PropertyKind.INVARIANT, condition)}


def _beta() -> Event:
    """Return what violates `b /= 1` and repairs it: an action that A3 does not allow alone."""
    return event("beta", lambda v: v["b"] < 2, to=lambda v: {"b": v["b"] + 1})


def _back_in_time() -> Tabulated:
    """Algorithm 5, line 7: with a stack for a queue, two states leave beta to each other."""
    return Tabulated(
        {"p": 3, "b": 3},
        [
            event("a1", lambda v: v["p"] == 0, to={"p": 1}),
            event("a2", lambda v: v["p"] == 0, to={"p": 2}),
            event("c", lambda v: v["p"] == 1, to={"p": 2}),
            event("d", lambda v: v["p"] == 2, to={"p": 1}),
            _beta(),
        ],
        invariant(lambda v: v["b"] != 1),
    )


def _preserving() -> Tabulated:
    """S3: alpha preserves the invariant, and still must not be done first."""
    return Tabulated(
        {"x": 2, "y": 2},
        [
            event("alpha", lambda v: v["y"] == 0, to={"y": 1}),
            event("beta", lambda v: v["x"] == 0, to={"x": 1}),
        ],
        invariant(lambda v: not (v["x"] == 1 and v["y"] == 0)),
    )


def _violating_first() -> Tabulated:
    """S4: alpha may violate the invariant itself; it only must not repair it."""
    return Tabulated(
        {"x": 2, "y": 2},
        [
            event("alpha", lambda v: v["y"] == 0, to={"y": 1}),
            event("beta", lambda v: v["x"] == 0, to={"x": 1}),
        ],
        invariant(lambda v: not (v["x"] == 1 and v["y"] == 1)),
    )


def inconsistent_events() -> list[Event]:
    """The set {a, k} is weakly stubborn at first; a strong one must contain a1."""
    return [
        event("a1", lambda v: v["m"] == 0, to={"m": 1}),
        event("a2", lambda v: v["m"] == 1, to={"m": 2}),
        event(
            "a",
            lambda v: v["m"] != 1,
            lambda v: v["w"] == 0,
            lambda v: v["z"] == 0,
            to={"w": 1},
        ),
        event("k", lambda v: v["w"] == 0, lambda v: v["z"] == 0, to={"z": 1}),
        event(
            "f",
            lambda v: v["m"] == 2,
            lambda v: v["w"] == 1,
            lambda v: v["d"] == 0,
            to={"d": 1},
        ),
    ]


def _inconsistent_labels() -> Tabulated:
    """The set {a, k} is weakly stubborn at first; a strong one must contain a1."""
    return Tabulated(
        {"m": 3, "w": 2, "z": 2, "d": 2},
        inconsistent_events(),
        invariant(lambda v: v["d"] == 0),
    )


def _parameter() -> Tabulated:
    """Algorithm 2 with a parameter: that beta cannot disable e is not enough.

    S is a set of 1 and 2, s1 and s2 say who is in it; e sets x to one of them.
    """
    return Tabulated(
        {"s2": 2, "x": 3},
        [
            Event(
                "e",
                (lambda v: v["x"] == 0,),
                lambda v: [{"x": 1}, *([{"x": 2}] if v["s2"] else [])],
            ),
            event("beta", lambda v: v["s2"] == 0, to={"s2": 1}),
            event("g", lambda v: v["x"] == 1),
        ],
    )


def _instances() -> Tabulated:
    """The same with e unfolded: e(2) is enabled by beta."""
    return Tabulated(
        {"s2": 2, "x": 3},
        [
            Event("e", (lambda v: v["x"] == 0,), lambda v: {"x": 1}, (("p", 1),)),
            Event(
                "e",
                (lambda v: v["s2"] == 1, lambda v: v["x"] == 0),
                lambda v: {"x": 2},
                (("p", 2),),
            ),
            event("beta", lambda v: v["s2"] == 0, to={"s2": 1}),
            event("g", lambda v: v["x"] == 1),
        ],
    )


def _which_result() -> Tabulated:
    """C2o with a choice: one new result does not help if the path goes on from the other."""

    def e(v: Values) -> list[dict[str, int]]:
        if v["x"] == 2:
            return [{"x": 0}]
        return [{"x": 2}] if v["y"] == 2 else [{"x": 1}, {"x": 2}]

    def beta(v: Values) -> list[dict[str, int]]:
        return [{"y": 1}] if v["x"] == 1 else [{"y": 1}, {"y": 2}]

    return Tabulated(
        {"x": 3, "y": 3},
        [
            Event("e", (lambda v: v["x"] != 1,), e),
            Event("beta", (lambda v: v["y"] == 0,), beta),
        ],
        invariant(lambda v: v["y"] != 2),
        start=({"x": 2},),
    )


def _unchecked_invariant() -> Tabulated:
    """Under an invariant that nobody checks alpha and beta would be independent."""
    return Tabulated(
        {"x": 3, "a": 2, "b": 2},
        [
            event("alpha", lambda v: v["a"] == 0, to={"a": 1}),
            event("beta", lambda v: v["b"] == 0, lambda v: v["x"] != 2 or v["a"] == 0, to={"b": 1}),
            event("delta", lambda v: v["a"] == 1, lambda v: v["b"] == 0),
        ],
        {"x <= 1": (PropertyKind.INVARIANT, lambda v: v["x"] <= 1)},
        start=({"x": 2},),
    )


def _infeasible() -> Tabulated:
    """H4: e2 chooses from a set that is empty until e1 fills it."""
    return Tabulated(
        {"s": 2, "k": 3},
        [
            event("a", lambda v: v["k"] == 0, to={"k": 2}),
            Event(
                "e2",
                (lambda v: v["k"] == 0,),
                lambda v: [{"k": 1}] if v["s"] else [],
                total=False,
            ),
            event("g", lambda v: v["k"] == 2),
            event("e1", lambda v: v["s"] == 0, to={"s": 1}),
        ],
    )


def _ill_defined() -> Tabulated:
    """H6: the guard y = 0 => 10/x > 1 has no value in a state that w would skip."""

    def guard(v: Values) -> bool:
        if v["y"] == 0 and v["x"] == 0:
            raise Undefined
        return v["y"] != 0 or 10 // v["x"] > 1

    return Tabulated(
        {"x": 2, "y": 2},
        [
            Event("check", (guard,), lambda v: {}),
            event("w", lambda v: v["y"] == 0, to={"y": 1}),
            event("a", lambda v: v["x"] == 1, to={"x": 0}),
        ],
        start=({"x": 1},),
    )


def _ill_defined_body() -> Tabulated:
    """The same in a body: the fault of an action that is not chosen."""

    def divide(v: Values) -> Mapping[str, int]:
        if v["x"] == 0:
            raise Undefined
        return {"q": 1}

    return Tabulated(
        {"x": 2, "y": 2, "q": 2},
        [
            Event("divide", (lambda v: v["y"] == 0, lambda v: v["q"] == 0), divide),
            event("w", lambda v: v["y"] == 0, to={"y": 1}),
            event("a", lambda v: v["x"] == 1, to={"x": 0}),
        ],
        invariant(lambda v: True),
        start=({"x": 1},),
    )


def _out_of_codes() -> Tabulated:
    """A fault that is only met where x has grown: its value has no code."""
    return Tabulated(
        {"x": 3, "y": 2},
        [
            event("grow", to=lambda v: {"x": v["x"] + 1}),
            event("w", lambda v: v["y"] == 0, to={"y": 1}),
            event("back", lambda v: v["y"] == 1, to={"x": 0}),
        ],
    )


def _reopened() -> Tabulated:
    """A*: two states that each rely on the other if the first keeps its set when reopened.

    Where to go from each place; beta is independent of all that.
    """
    edges = [
        (0, 1), (1, 2), (2, 3), (3, _FIRST), (0, _Z), (_Z, _SECOND), (_Z, _W),
        (_W, _FIRST), (_W, _X), (_X, _SECOND), (_FIRST, _SECOND), (_SECOND, _FIRST),
    ]  # fmt: skip

    def edge(a: int, b: int) -> Event:
        return event(f"from {a} to {b}", lambda v: v["p"] == a, to={"p": b})

    return Tabulated(
        {"p": 9, "b": 3},
        [*(edge(a, b) for a, b in edges), _beta()],
        invariant(lambda v: v["b"] != 1),
    )


_FIRST, _SECOND, _Z, _W, _X = 4, 5, 6, 7, 8


def _misleading(state: State) -> float:
    assert isinstance(state, int)
    return {_FIRST: 5.0, _SECOND: 5.0, _Z: 8.5}.get(state & 15, 0.0)


def _mutually_disabling() -> Tabulated:
    """Definition 3 of Bošnački, Leue, Lluch Lafuente 2009 as printed calls a and b independent."""
    return Tabulated(
        {"x": 3},
        [
            event("a", lambda v: v["x"] == 0, to={"x": 1}),
            event("b", lambda v: v["x"] == 0, to={"x": 2}),
            event("g", lambda v: v["x"] == 1),
        ],
    )


def _commuting_here() -> Tabulated:
    """Alpha and beta commute at first; after gamma they do not."""
    return Tabulated(
        {"x": 3, "y": 2, "w": 2},
        [
            event("alpha", lambda v: v["x"] == 0, to={"x": 1}),
            event(
                "beta",
                lambda v: v["w"] == 0,
                to=lambda v: {"w": 1, "x": 2 if v["y"] and not v["x"] else v["x"]},
            ),
            event("gamma", lambda v: v["y"] == 0, to={"y": 1}),
            event("g", lambda v: v["x"] == 1),
        ],
    )


def _enabled_later() -> Tabulated:
    """A2.2: beta enables gamma, which depends on alpha."""
    return Tabulated(
        {"x": 3, "y": 2},
        [
            event("alpha", lambda v: v["x"] == 0, to={"x": 1}),
            event("beta", lambda v: v["y"] == 0, to={"y": 1}),
            event("gamma", lambda v: v["y"] == 1, lambda v: v["x"] == 0, to={"x": 2}),
            event("g", lambda v: v["x"] == 1),
        ],
    )


def _two_conjuncts() -> Tabulated:
    """The enabling set must be that of a conjunct that is not true: y = 1, not z = 0."""
    return Tabulated(
        {"x": 3, "y": 2, "z": 2},
        [
            event("alpha", lambda v: v["x"] == 0, to={"x": 1}),
            event("beta", lambda v: v["y"] == 0, to={"y": 1}),
            event(
                "gamma",
                lambda v: v["z"] == 0,
                lambda v: v["y"] == 1,
                lambda v: v["x"] == 0,
                to={"x": 2},
            ),
            event("g", lambda v: v["x"] == 1),
        ],
    )


def _for_ever() -> Tabulated:
    """The ignoring problem: two actions go round, beta waits."""
    return Tabulated(
        {"p": 2, "b": 2},
        [
            event("there", lambda v: v["p"] == 0, to={"p": 1}),
            event("back", lambda v: v["p"] == 1, to={"p": 0}),
            event("beta", lambda v: v["b"] == 0, to={"b": 1}),
        ],
        invariant(lambda v: v["b"] == 0),
    )


def _idle() -> Tabulated:
    """The same with one action that changes nothing: its result is the state itself."""
    return Tabulated(
        {"b": 2},
        [event("idle"), event("beta", lambda v: v["b"] == 0, to={"b": 1})],
        invariant(lambda v: v["b"] == 0),
    )


def _alternating() -> Tabulated:
    """C2o is not enough for liveness: e a a a … is lost if {a, b} is taken at first."""
    return Tabulated(
        {"x": 2, "y": 2},
        [
            event("a", lambda v: v["y"] == 0),
            event("b", lambda v: v["y"] == 0, to={"y": 1}),
            event("e", lambda v: v["x"] == 0, to={"x": 1}),
            event("f", lambda v: v["x"] == 1, to={"x": 0}),
        ],
        invariant(lambda v: v["x"] == 0 or v["y"] == 0),
    )


def _stuck_unseen() -> Tabulated:
    """Deadlocks by up-sets: one that nothing visible leads to."""
    return Tabulated(
        {"x": 2, "y": 3},
        [
            event("quiet", lambda v: v["x"] == 0, to={"x": 1}),
            event("end", lambda v: v["y"] == 0, lambda v: v["x"] == 1, to={"y": 1}),
        ],
        invariant(lambda v: v["y"] != 2),
    )


def _disturbed() -> Tabulated:
    """Deadlocks by up-sets: an action that would go on for ever is ended by another."""
    return Tabulated(
        {"x": 2, "y": 2},
        [
            event("tick", lambda v: v["x"] == 0, to={"y": 1}),
            event("end", lambda v: v["x"] == 0, to={"x": 1}),
        ],
    )


def _two_errors() -> Tabulated:
    """Find-all: the state with the first error must be expanded, or else not be relied on."""
    return Tabulated(
        {"p": 2, "b": 2},
        [
            event("alpha", lambda v: v["p"] == 0, to={"p": 1}),
            event("beta", lambda v: v["b"] == 0, to={"b": 1}),
        ],
        {
            "p = 0": (PropertyKind.INVARIANT, lambda v: v["p"] == 0),
            "b = 0": (PropertyKind.INVARIANT, lambda v: v["b"] == 0),
        },
    )


def _counters() -> Tabulated:
    """Three counters: what ample sets were made for."""
    counters = [
        event(f"inc {n}", lambda v, n=n: v[n] < 3, to=lambda v, n=n: {n: v[n] + 1})  # type: ignore[misc]
        for n in "xyz"
    ]
    return Tabulated(
        {"x": 4, "y": 4, "z": 4},
        counters,
        invariant(lambda v: v["x"] + v["y"] < 5),
    )


def _against_the_upset() -> Tabulated:
    """D1 of up-sets: bad can violate; spoil, done first, keeps it from that; so does wait.

    Only after help has happened bad violates, and help must not be left out for it.
    """
    return Tabulated(
        {"x": 3, "h": 2},
        [
            event("bad", lambda v: v["x"] == 0, to=lambda v: {"x": 2 if v["h"] else 1}),
            event("help", lambda v: v["h"] == 0, to={"h": 1}),
        ],
        invariant(lambda v: v["x"] != 2),
    )


def _for_best() -> Tabulated:
    """The ignoring problem where the up-set is larger than what goes round."""
    return Tabulated(
        {"p": 2, "b": 2, "c": 2},
        [
            event("there", lambda v: v["p"] == 0, to={"p": 1}),
            event("back", lambda v: v["p"] == 1, to={"p": 0}),
            event("beta", lambda v: v["b"] == 0, to={"b": 1}),
            event("gamma", lambda v: v["c"] == 0, to={"c": 1}),
        ],
        {
            "b": (PropertyKind.INVARIANT, lambda v: v["b"] == 0),
            "c": (PropertyKind.INVARIANT, lambda v: v["c"] == 0),
        },
    )


def _processes() -> Tabulated:
    """Another process can enable what a process waits for."""

    def of(process: int, name: str, *guard: Condition, to: Mapping[str, int]) -> Event:
        return Event(name, guard, lambda v: dict(to), (("p", process),))

    return Tabulated(
        {"x": 3, "y": 2},
        [
            of(1, "alpha", lambda v: v["x"] == 0, to={"x": 1}),
            of(2, "beta", lambda v: v["y"] == 0, to={"y": 1}),
            of(1, "gamma", lambda v: v["y"] == 1, lambda v: v["x"] == 0, to={"x": 2}),
            of(1, "g", lambda v: v["x"] == 1, to={}),
        ],
    )


WITNESSES: dict[str, Witness] = {
    "a, a queue that is a stack": Witness(_back_in_time(), INVARIANT),
    "b, S3 is not enough": Witness(_preserving(), INVARIANT),
    "b, S4 is": Witness(_violating_first(), INVARIANT),
    "b, C2o and liveness": Witness(_alternating(), BOTH),
    "b, two errors": Witness(_two_errors(), INVARIANT),
    "b, ignored for ever": Witness(_for_ever(), INVARIANT),
    "b, a step to itself": Witness(_idle(), INVARIANT),
    "e, inconsistent labels": Witness(_inconsistent_labels(), BOTH),
    "f, a parameter": Witness(_parameter(), DEADLOCK),
    "f, instances": Witness(_instances(), DEADLOCK),
    "f, which result": Witness(_which_result(), INVARIANT),
    "g, an unchecked invariant": Witness(_unchecked_invariant(), DEADLOCK),
    "h, H4 infeasible": Witness(_infeasible(), DEADLOCK),
    "h, H6 ill-defined guard": Witness(_ill_defined(), INVARIANT),
    "h, ill-defined body": Witness(_ill_defined_body(), INVARIANT),
    "h, out of its codes": Witness(_out_of_codes(), DEADLOCK),
    "k, reopened": Witness(_reopened(), INVARIANT, _misleading),
    "m, A2.2": Witness(_enabled_later(), DEADLOCK),
    "m, two conjuncts": Witness(_two_conjuncts(), DEADLOCK),
    "n1, mutually disabling": Witness(_mutually_disabling(), DEADLOCK),
    "n2, commuting here": Witness(_commuting_here(), DEADLOCK),
    "3, deadlocks by up-sets": Witness(_stuck_unseen(), BOTH),
    "3, deadlocks by disturbance": Witness(_disturbed(), DEADLOCK),
    "3, D1 of up-sets": Witness(_against_the_upset(), INVARIANT),
    "b, ignored for ever, and best": Witness(_for_best(), INVARIANT),
    "003, waiting for another process": Witness(_processes(), DEADLOCK),
    "counters": Witness(_counters(), BOTH),
}
