"""The kinds of relations that B has an arrow for."""

from __future__ import annotations

from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """What is demanded of a relation, and its arrow."""

    arrow: str
    total: bool = False
    surjective: bool = False
    functional: bool = False
    injective: bool = False

    def implies(self, other: Kind) -> bool:
        """Whether a relation of this kind is one of the `other`, between the same sets."""
        return (
            self.total >= other.total
            and self.surjective >= other.surjective
            and self.functional >= other.functional
            and self.injective >= other.injective
        )


RELATION = Kind("<->")
TOTAL_RELATION = Kind("<<->", total=True)
SURJECTIVE_RELATION = Kind("<->>", surjective=True)
TOTAL_SURJECTIVE_RELATION = Kind("<<->>", total=True, surjective=True)
PARTIAL_FUNCTION = Kind("+->", functional=True)
TOTAL_FUNCTION = Kind("-->", total=True, functional=True)
PARTIAL_INJECTION = Kind(">+>", functional=True, injective=True)
TOTAL_INJECTION = Kind(">->", total=True, functional=True, injective=True)
PARTIAL_SURJECTION = Kind("+->>", surjective=True, functional=True)
TOTAL_SURJECTION = Kind("-->>", total=True, surjective=True, functional=True)
PARTIAL_BIJECTION = Kind(">+>>", surjective=True, functional=True, injective=True)
TOTAL_BIJECTION = Kind(">->>", total=True, surjective=True, functional=True, injective=True)
