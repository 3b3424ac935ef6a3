"""Which processes there are: who creates whom, under which number, and with which arguments.

A new process gets the least number that is free, and only the youngest process can go; so which
number it gets depends on who is alive.  The first guess is that processes are created in the
order written and live on.  Whoever gets another number is noticed (`Variant.unprovided`), and
the model is made anew with room for it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Final

from secateur.lang.options import Creation
from secateur.lang.promela.ast import Program
from secateur.lang.promela.automaton import Automaton
from secateur.lang.promela.companion import MOST_PROCESSES
from secateur.lang.promela.variants import Birth
from secateur.lang.promela.world import Births, Site, edges_of, run_of
from secateur.source.records import dataclass

Passed = Mapping[tuple[int, str], tuple[int | None, ...]]
"""What each process (number and proctype) is given, where that is always the same known number."""


_MANY: Final = 16
"""Where a statement has made so many processes, room is made for more of them than were met."""
_SHARE: Final = 4
"""A statement that has made n processes is expected to make n / _SHARE more."""


@dataclass(slots=True)
class Met:
    """What is seen of creations on some walks."""

    born: dict[Site, set[int]] = field(default_factory=dict)
    """The numbers that processes have got, by where they were created."""
    after: set[int] = field(default_factory=set)
    """How many processes there were at the ends of the walks."""

    def expected(self, guessed: Collection[int]) -> Collection[int]:
        """Return the numbers of a process that nobody was seen to create.

        It comes after those of whom that was seen.
        """
        return self.after | {pid for pid in guessed if pid >= min(self.after, default=0)}


@dataclass(frozen=True)
class Room:
    """The processes that a model is made for."""

    births: Births
    passed: Passed = field(default_factory=dict)

    def grown(self, site: Site, pid: int, automata: Mapping[str, Automaton]) -> Room:
        """Return the same with a process that there was no room for.

        If there was for others of its kind, it is the arguments that were not the expected ones:
        nothing more is expected of them.
        """
        pids = self.births.get(site, frozenset())
        if pid not in pids:
            return replace(self, births={**self.births, site: pids | {pid}})
        _, creator, number = site
        run = run_of(edges_of(automata[creator])[number])
        assert run is not None
        unknown = (None,) * len(run.args)
        return replace(self, passed={**self.passed, (pid, run.proctype): unknown})

    def expected(
        self, met: Sequence[Creation], automata: Mapping[str, Automaton]
    ) -> tuple[Creation, ...]:
        """Return what is to be expected beyond some creations that there was no room for.

        A loop that makes process after process, or one that makes the next, would have the model
        made anew for each of them.
        """
        found: dict[Creation, None] = {}
        for creator, proctype, statement, pid in met:
            numbers = self.births.get((creator, proctype, statement), frozenset())
            makers = sum(site[1:] == (proctype, statement) for site in self.births)
            run = run_of(edges_of(automata[proctype])[statement])
            ahead: Iterable[Creation] = ()
            if len(numbers) >= _MANY:
                following = range(pid + 1, pid + 1 + len(numbers) // _SHARE)
                ahead = ((creator, proctype, statement, i) for i in following)
            elif makers >= _MANY and run is not None and run.proctype == proctype:
                step = pid - creator
                following = range(pid, pid + step * (makers // _SHARE), step)
                ahead = ((i, proctype, statement, i + step) for i in following)
            found |= dict.fromkeys(c for c in ahead if c[3] < MOST_PROCESSES)
        known = {(*site, pid) for site, pids in self.births.items() for pid in pids}
        return tuple(c for c in found if c not in met and c not in known)

    def trimmed(
        self, met: Met, first: Sequence[tuple[int, str]], automata: Mapping[str, Automaton]
    ) -> Room:
        """Return the same without guesses that have not come true."""
        births: dict[Site, frozenset[int]] = {}
        alive, todo = set(first), list(first)
        while todo:
            creator = todo.pop()
            for site in self.births:
                run = run_of(edges_of(automata[site[1]])[site[2]])
                if site[:2] != creator or site in births or run is None:
                    continue
                births[site] = frozenset(met.born.get(site) or met.expected(self.births[site]))
                new = {(pid, run.proctype) for pid in births[site]} - alive
                alive |= new
                todo += new
        passed = {key: values for key, values in self.passed.items() if key in alive}
        return replace(
            self, births={s: births[s] for s in self.births if s in births}, passed=passed
        )

    def with_arguments(self, born: Sequence[Birth]) -> Room:
        """Return what is known after processes were created with some arguments."""
        passed = dict(self.passed)
        for birth in born:
            key = birth.created.pid, birth.created.proctype.name
            values = tuple(a.constant for a in birth.arguments)
            known = passed.get(key, values)
            passed[key] = tuple(a if a == b else None for a, b in zip(known, values, strict=True))
        return self if passed == self.passed else replace(self, passed=passed)


def first_processes(program: Program) -> list[tuple[int, str]]:
    """Return the processes that there are to begin with."""
    names = [p.name for p in program.proctypes for _ in range(p.active)]
    return list(enumerate(names))


def first_guess(program: Program, automata: Mapping[str, Automaton]) -> Room:
    """Return the numbers of processes if they are created in the order written."""
    births: dict[Site, frozenset[int]] = {}
    todo = first_processes(program)
    passed = {
        key: (0,) * len(p.parameters) for key in todo for p in program.proctypes if p.name == key[1]
    }
    next_pid = len(todo)
    created: set[str] = set()
    while todo:
        pid, name = todo.pop(0)
        numbered = enumerate(edges_of(automata[name]))
        for number, edge in sorted(numbered, key=lambda pair: pair[1].span.start):
            run = run_of(edge)
            if run is None or (name in created and run.proctype in created):
                continue
            births[pid, name, number] = frozenset({next_pid})
            todo.append((next_pid, run.proctype))
            next_pid += 1
        created.add(name)
    return Room(births, passed)
