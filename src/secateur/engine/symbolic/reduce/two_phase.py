"""ReachablePOR: the processes alone, one after the other, and then one step of everything."""

from __future__ import annotations

from typing import Final

from secateur.engine.reduce.protocol import Preserved
from secateur.engine.symbolic.diagrams.protocol import Diagram
from secateur.engine.symbolic.product import SymbolicProduct
from secateur.engine.symbolic.reduce.protocol import Processes, Reached, ReachRow


class TwoPhase:
    """Figure 1 of J. Vander Meulen, C. Pecheur 2009.

    After ImProviso (F. Lerda, N. Sinha, M. Theobald: *Symbolic model checking of software*, 2003),
    a symbolic version of the Two-Phase algorithm of R. Nalumasu and G. Gopalakrishnan, 1997.

    Deviations from the figure:

      D1  the order inside the loop.  As printed, `stack` takes in the image before it is compared
          with it, so that everything counts as a cycle, and the reduction is lost;
      D2  deadlocks have no loop added; they have no image, and are `dead` for all processes.

    As in the figure, and not to be "repaired": the last frontier of a process, whose image brings
    nothing new, stays in the frontier, so that it is expanded by the next process or in full; and
    `dead` is about the *product*: a node of which the tableau does not allow the steps of a process
    is passed on, which is what makes Theorem 4 true although Lemma 3 is not.
    """

    def __init__(self, product: SymbolicProduct, processes: Processes) -> None:
        self.product = product
        self.processes = processes
        self.frontier = self.visited = product.initial
        self.rounds = 0

    def reach(self) -> Reached:
        """Alternate between the phases until nothing is new."""
        while self.frontier != self.product.diagrams.false:
            self.rounds += 1
            self.phase1()
            self.phase2()
        return Reached(self.visited, self.rounds)

    def phase1(self) -> None:
        """Expand the frontier by each process alone, as long as that leads on."""
        cycle_approx = self.product.diagrams.false
        stack = self.frontier
        for process in self.processes:
            stack, cycles = self.local(process, stack)
            cycle_approx = cycle_approx | cycles
        self.frontier = self.frontier | cycle_approx
        self.visited = self.visited | stack

    def local(self, process: tuple[int, ...], stack: Diagram) -> tuple[Diagram, Diagram]:
        """Follow one process to its ends; return the new stack, and what may close a cycle."""
        product = self.product
        cycle_approx = product.diagrams.false
        image = product.image(self.frontier, process)
        dead = self.dead_states(process, image)
        while image & ~stack != product.diagrams.false:
            cycle_approx = cycle_approx | (image & stack)
            self.frontier = image & ~stack
            stack = stack | image
            image = product.image(self.frontier, process)
            dead = dead | self.dead_states(process, image)
        self.frontier = self.kept(self.frontier) | dead
        return stack, cycle_approx

    def dead_states(self, process: tuple[int, ...], image: Diagram) -> Diagram:
        """Return the nodes of the frontier that a process does not lead out of."""
        return self.frontier & ~self.product.preimage(image, process)

    def kept(self, last: Diagram, /) -> Diagram:
        """Return the last frontier of a process: others have to go on from there."""
        return last

    def phase2(self) -> None:
        """Expand the frontier in full, once."""
        image = self.product.image(self.frontier)
        self.frontier = image & ~self.visited
        self.visited = self.visited | image


def two_phase(product: SymbolicProduct, processes: Processes) -> Reached:
    """Return a reduced set of nodes."""
    return TwoPhase(product, processes).reach()


TWO_PHASE: Final = ReachRow(
    "two-phase",
    "processes first, then everything (ReachablePOR)",
    two_phase,
    "VanderMeulenPecheur09, Fig. 1",
    frozenset({Preserved.DEADLOCK, Preserved.REACH, Preserved.LTL}),
)
