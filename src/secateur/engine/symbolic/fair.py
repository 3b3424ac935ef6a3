"""Where fair cycles are: forwards and backwards.

Forwards: H. Iwashita, T. Nakata, F. Hirose: *CTL model checking based on forward state traversal*,
ICCAD 1996, as in section 2.3 of J. Vander Meulen, C. Pecheur 2009:

    FwdUntil(h, g) = lfp Z. h or post(Z and g)
    FairEH(h)      = gfp Z. h and post(FwdUntil(F1, Z) and ... and FwdUntil(Fn, Z) and Z)

Backwards: E. A. Emerson, C.-L. Lei: *Efficient model checking in fragments of the propositional
mu-calculus*, LICS 1986: gfp Z. h and, for each F, EX E(Z U (Z and F)).

Neither leaves h, which is the set of nodes that were reached, perhaps with a reduction; both follow
all actions inside it (Lemma 5).  A path that ends is none of their business.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from secateur.engine.symbolic.diagrams.protocol import Diagram
from secateur.engine.symbolic.product import SymbolicProduct
from secateur.source.records import dataclass


def forward_until(product: SymbolicProduct, start: Diagram, within: Diagram) -> Diagram:
    """Return FwdUntil(start, within), as far as it is in `within`; one action after the other."""
    found = new = start & within
    while new != product.diagrams.false:
        source, new = new, product.diagrams.false
        for action in product.actions:
            more = product.image(source | new, (action,)) & within & ~found
            found, new = found | more, new | more
    return found


def fair_eh(product: SymbolicProduct, within: Diagram) -> Diagram:
    """Return the nodes that are reached from a fair cycle, all inside a set."""
    z = within
    while z != product.diagrams.false:
        sources = z
        for fair in product.fair:
            sources = sources & forward_until(product, fair, z)
        smaller = z & product.image(sources)
        if smaller == z:
            break
        z = smaller
    return z


def backward_until(product: SymbolicProduct, goal: Diagram, within: Diagram) -> Diagram:
    """Return E(within U (within and goal)); one action after the other."""
    found = new = goal & within
    while new != product.diagrams.false:
        source, new = new, product.diagrams.false
        for action in reversed(product.actions):
            more = product.preimage(source | new, (action,)) & within & ~found
            found, new = found | more, new | more
    return found


def fair_eg(product: SymbolicProduct, within: Diagram) -> Diagram:
    """Return the nodes from which a fair cycle is reached, all inside a set."""
    product.learn(within)
    z = within
    while z != product.diagrams.false:
        smaller = z
        for fair in product.fair or (product.diagrams.true,):
            smaller = smaller & product.preimage(backward_until(product, fair, smaller))
        if smaller == z:
            break
        z = smaller
    return z


@dataclass(frozen=True, slots=True)
class CyclesRow:
    """A way to find fair cycles: `hull(product, nodes)` is empty if there are none among them."""

    name: str
    title: str
    hull: Callable[[SymbolicProduct, Diagram], Diagram]
    reference: str
    leads: bool
    """Whether the nodes of the hull lead to fair cycles in it; or else they come from some."""


FORWARD: Final = CyclesRow(
    "forward", "FairEH, forwards", fair_eh, "IwashitaNakataHirose96", leads=False
)
BACKWARD: Final = CyclesRow("backward", "fair EG, backwards", fair_eg, "EmersonLei86", leads=True)

CYCLES: Final[tuple[CyclesRow, ...]] = (FORWARD, BACKWARD)
