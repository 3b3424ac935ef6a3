"""The native explorer, and the search of products; native/README.md says more.

A state is a sequence of 64-bit words; states are known by their index once found.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

Seen = tuple[int, int | None]
"""In how many states something was seen, and in which first."""

Step = Callable[[int, tuple[int, ...]], tuple[Sequence[Sequence[int]], Sequence[int]]]
"""From an action and a state to the successors (states) and the notes made on the way."""

Check = Callable[[int, tuple[int, ...]], tuple[bool, Sequence[int]]]
"""From a property and a state to whether it holds there, and the notes made on the way."""

Row = Callable[[str, int, int], Sequence[int]]
"""From a relation, a number and a conjunct to the numbers that are related to it."""

class _Model:
    """What is known of a model."""

    def add_group(self, address: int, actions: Sequence[int], distinct: Sequence[bool]) -> None:
        """Add a compiled group of actions (native/ABI.md)."""

    def add_checks(self, address: int, properties: Sequence[int]) -> None:
        """Add a compiled group of predicates (native/ABI.md)."""

    def replace_group(self, group: int, address: int) -> None:
        """Let another function do what that of a group of actions does, also during a run."""

    def replace_checks(self, group: int, address: int) -> None:
        """Let another function do what that of a group of predicates does, also during a run."""

    def set_masks(self, action: int, read: Sequence[int], write: Sequence[int]) -> None:
        """Say which bits an action reads and may write; all, unless this is called."""

    def set_check_mask(self, property: int, read: Sequence[int]) -> None:
        """Say which bits a property reads; all, unless this is called."""

    def set_affected(self, action: int, properties: Sequence[int]) -> None:
        """Say which properties may fail after an action where all held before; all, unless this is called."""

    def add_note(self, stops: bool) -> int:
        """Return the number of a new note; with `stops`, the search ends where it is made."""

    def add_initial(self, state: Sequence[int]) -> None:
        """Add an initial state; one that is there already does not count."""

    # -- what is left out

    def add_instance(
        self,
        guard: int,
        perform: int,
        parameters: Sequence[int],
        action: int,
        conjuncts: int,
        ordered: int,
        total: bool,
    ) -> None:
        """Add an event instance for a reduction (native/ABI.md); addresses are 0 if it is evaluated."""

    def set_reads(self, instance: int, mask: Sequence[int]) -> None:
        """Say which bits of a state the guard of an instance looks at.

        The guard may then be asked once for each value of these, and no more.
        """

    def set_process(self, instance: int, process: int) -> None:
        """Say which process an instance belongs to."""

    def set_sticky(self, instance: int) -> None:
        """Say that an instance may be part of a cycle."""

    def reduce(
        self,
        method: str,
        proviso: str,
        deadlocks: bool,
        properties: Sequence[int],
        faults: Sequence[int],
        visible: Sequence[int] | None = None,
    ) -> None:
        """Say how to choose among the instances, and what must be found nevertheless.

        `visible` are the instances that a temporal formula can see, ascending.
        """

    @property
    def pruned(self) -> tuple[int, int, int, int, int, int]:
        """States expanded, reduced, sets refused, states with faults; instances enabled, taken."""

    # -- symmetry

    def set_symmetry(
        self, merge: str, elements: int, image: Callable[[int, int, list[int]], int]
    ) -> None:
        """Take symmetric states for the same: by `canonical` forms, by `flood`ing or by `markers`.

        `image` is asked what becomes of an opaque value: its space, its number, and the names
        that elements get.
        """

    def add_space(
        self, kind: str, members: Sequence[int], left: int, right: int, right_size: int
    ) -> None:
        """Add a space of values: `plain`, `element`, `pair`, `subset` or `opaque`."""

    def add_unit(
        self,
        bits: tuple[int, int, int],
        presence: tuple[int, int, int],
        least: int,
        space: int,
        place: int,
        coordinates: Sequence[tuple[int, int, int]],
        mentions: Sequence[tuple[int, int]],
    ) -> None:
        """Add a number in states that permutations move, or change."""

    def set_solutions(self, bits: tuple[int, int, int]) -> None:
        """Say where the number of the constants' solution is; no bits if it does not matter."""

    def add_stabiliser(
        self, cells: Sequence[Sequence[int]], renamings: Sequence[Sequence[int]]
    ) -> None:
        """Add the permutations that keep the next solution."""

    def canonical(self, state: Sequence[int]) -> list[int]:
        """Return the canonical form of a state."""

    def orbit(self, state: Sequence[int]) -> float:
        """Return how many states have the same one."""

class Explorer(_Model):
    """Explores one model, once."""

    search: str
    """`bf`, `df`, `mixed`, `random` or `priority`; `bf` unless set."""
    threads: int
    """How many threads a breadth-first search uses; 1 unless set."""
    seed: int
    ratio: float
    """The share of depth-first choices in a mixed search."""
    keep_edges: bool
    lean: bool
    """Whether states that fit into the table are kept nowhere else, as with `compress`."""
    compress: bool
    """Whether a breadth-first search keeps no more of a state than it must to know it again."""
    fingerprint: bool
    """The same, but no more than a hash of 63 bits, which `seed` changes: states may be left out."""
    max_states: int | None
    max_seconds: float | None
    max_memory: int | None
    """In bytes, of what `memory` says."""

    def __init__(
        self, bits: Sequence[int], label_words: int, actions: int, properties: int
    ) -> None:
        """`bits[i]` is the number of low bits that word i of a state uses."""

    # -- the model

    def stop_at(self, properties: Sequence[int], deadlock: bool) -> None:
        """Say which violations end the search; none, unless this is called."""

    def set_end(self, property: int) -> None:
        """Say which property, which is no other then, holds where a run may end (no deadlock)."""

    def set_rank(self, address: int) -> None:
        """Say how urgent states are in a search by priority (native/ABI.md)."""

    # -- the run

    def run(
        self,
        step: Step | None,
        check: Check | None,
        row: Row | None = None,
        poll: Callable[[Sequence[int]], None] | None = None,
    ) -> str:
        """Explore, and return how it ended.

        `complete`, `violation`, `states`, `seconds`, `memory` or `interrupted`; what a
        callback raises is raised again, with the results so far in place.  `poll` is called
        now and then with the state expanded last, when nothing else is under way.
        """

    def interrupt(self) -> None:
        """End the run soon; for another thread."""

    @property
    def states(self) -> int:
        """States found so far."""

    @property
    def transitions(self) -> int:
        """Transitions found so far."""

    @property
    def code_seconds(self) -> float:
        """About how long compiled code has been expanding states; of all threads together."""

    @property
    def flooded(self) -> int:
        """States that are stored and need not be expanded; not among `states`."""

    @property
    def waiting(self) -> int:
        """States found and not expanded."""

    @property
    def depth(self) -> int:
        """The number of the last level, in a breadth-first search."""

    @property
    def memory(self) -> int:
        """The bytes that states, the table and remembered answers take."""

    # -- the results

    @property
    def asked(self) -> int:
        """How often a callback was called."""

    @property
    def transitions_by_action(self) -> list[int]: ...
    @property
    def fresh_by_action(self) -> list[int]:
        """How many of them led to a state that was new then."""
    @property
    def violations(self) -> list[Seen]:
        """By property, where it fails."""

    @property
    def notes(self) -> list[Seen]:
        """By note, where it was made."""

    @property
    def deadlocks(self) -> Seen:
        """States with no transition and no note on the way out."""

    def state(self, index: int) -> list[int]:
        """Return the words of a state."""

    def retrace(self, step: Step | None, check: Check | None, sparing: bool = False) -> bool:
        """Where parents were not kept: find the ways to the states that were seen first.

        The search is done once more, with one thread and no limits; and once again if states are
        not kept meanwhile: with `fingerprint`, with `compress` if that makes a tree, where it is
        to be `sparing` with memory or runs out of it, and where there are very many.  Those
        states get
        other indices, and `path` and `state` know the states on the way to them.  Return
        whether that worked: it may be interrupted and, with `fingerprint`, by very bad luck
        leave out one of these states.
        """

    def path(self, index: int) -> list[int]:
        """Return the states from an initial one to this one."""

    def sample(self, most: int) -> list[list[int]]:
        """Return up to so many states, evenly spread; none where states are not kept."""

    def count_distinct(self, mask: Sequence[int], most: int) -> int | None:
        """Return how many different values a part of the state has, None if more than `most`."""
    def distinct_values(
        self, masks: Sequence[Sequence[int]], most: int
    ) -> list[list[list[int]] | None]:
        """Return the different values of `state & mask` for each mask, None if more than `most`.

        Not with `fingerprint`, nor after `retrace`.
        """

    def edges(self) -> list[tuple[int, int, int]]:
        """Return (source, action, target), with `keep_edges`."""

class Automaton(Protocol):
    """What a product asks about an automaton; places are numbers, it begins in 0."""

    def ways(self, place: int, letter: int) -> Sequence[tuple[int, int]]:
        """Return the places that follow, each with the marks that the way there gets."""

    def ends(self, place: int, letter: int) -> bool:
        """Return whether a path may end here."""

    def done(self, place: int) -> bool:
        """Return whether it does not matter how a path goes on."""

class Product(_Model):
    """Searches the product of one model and an automaton, once.

    An atom added is the next bit of a letter.  A note about a state means that something is not
    known of it: no path goes on or ends there.
    """

    max_states: int | None
    """States of the model that are expanded."""
    max_seconds: float | None
    max_memory: int | None
    patience: int | None
    """After so many states in which nothing could be left out nobody tries any more."""

    def __init__(
        self, bits: Sequence[int], label_words: int, actions: int, properties: int
    ) -> None:
        """`bits[i]` is the number of low bits that word i of a state uses."""

    def add_property(self, property: int) -> None:
        """Add an atom that holds where a property does."""

    def add_event(self, event: int) -> None:
        """Add an atom that holds where an event happens next."""

    def add_count(self, events: int, least: int, most: int) -> None:
        """Add an atom that holds where so many of some events (bits) are enabled."""

    def add_deadlock(self) -> None:
        """Add an atom that holds where there is no step."""

    def add_sink(self) -> None:
        """Add an atom that holds where no step leads to another state."""

    def set_events(self, action: int, always: int, marked: int) -> None:
        """Say which events (bits) the steps of an action are, and which their marks tell.

        Marks are the word after a state, in records and in what `step` returns: of all actions
        if there are any.
        """

    def assume(self, untils: int, weak: Sequence[int], strong: Sequence[int]) -> None:
        """Say how many marks the automaton has, and to which events paths are fair."""

    def run(
        self,
        step: Step | None,
        check: Check | None,
        automaton: Automaton,
        row: Row | None = None,
    ) -> str:
        """Search; return how it ended: `complete`, `violation`, `states`, `seconds`, `memory`, `interrupted`."""

    def interrupt(self) -> None:
        """End the search soon; for other threads."""

    @property
    def states(self) -> int:
        """The states that were expanded."""

    @property
    def transitions(self) -> int:
        """The transitions out of them."""

    @property
    def nodes(self) -> int:
        """The nodes of the product that were visited."""

    @property
    def memory(self) -> int:
        """The bytes that states and their steps take."""

    def state(self, index: int) -> list[int]:
        """Return the words of a state."""

    @property
    def lasso(self) -> tuple[int, list[tuple[int, int, int, int]], int, bool] | None:
        """A path that was found: its start, its steps, how many of them are repeated, `open`.

        A step is its target, its letter, its marks of weak fairness, and the strongly fair events
        that it is.
        """

Wanted = tuple[bool, int, Sequence[int]]
"""Whether a variable is a truth, its number, and the truths under which it is needed."""

class Solver:
    """Goes through the solutions of a network; native/README.md says more.

    A truth is known by a number, its negation by the next one.  Propagators are numbered, too;
    they are woken by what watches them.
    """

    def __init__(self) -> None: ...
    def truth(self, value: bool | None) -> int: ...
    def scalar(self, low: int, high: int, values: Sequence[int]) -> int:
        """Add the numbers between two, of these only `values` if there are any, in order."""

    def watch_truth(self, truth: int, propagator: int) -> None: ...
    def watch_scalar(self, scalar: int, propagator: int, on_fix: bool) -> None: ...
    def all_of(self, result: int, parts: Sequence[int]) -> int: ...
    def same(self, result: int, left: int, right: int) -> int: ...
    def count(self, total: int, parts: Sequence[int], certain: int) -> int: ...
    def value_truths(self, scalar: int, truths: Sequence[tuple[int, int]]) -> int: ...
    def among(self, truth: int, scalar: int, values: Sequence[int]) -> int: ...
    def select(self, result: int, index: int, options: Sequence[tuple[int, int, int]]) -> int:
        """Add what is selected: of index, scalar (-1 if there is none) and number, in order."""

    def extreme(self, result: int, numbers: Sequence[int], sign: int) -> int: ...
    def different(self, parts: Sequence[tuple[int | None, int]], truth: int) -> int: ...
    def linear(
        self, terms: Sequence[tuple[int, int]], constant: int, relation: int, truth: int | None
    ) -> int: ...
    def product(self, result: int, left: int, right: int) -> int: ...
    def ask(
        self,
        is_truth: bool,
        result: int,
        needed: Sequence[Wanted],
        answer: Callable[[Sequence[int]], int | None],
    ) -> int: ...
    def begin(self, cells: Sequence[Wanted], told: Sequence[Wanted]) -> None: ...
    def next(self, most: int) -> list[int] | None:
        """Return the values of what is told; None if there are no more, or if it is paused."""

    @property
    def paused(self) -> bool: ...
    @property
    def settled(self) -> int: ...
