"""Sets of relations and functions between two sets."""

from __future__ import annotations

from functools import partial
from typing import Final

from secateur.maths.operators.build import A, B, infix, signature
from secateur.maths.operators.protocol import Operator
from secateur.maths.symbolic import FunctionSpace, kinds
from secateur.maths.symbolic.kinds import Kind
from secateur.maths.types import Power, relation

_SPACE: Final = signature(Power(A), Power(B), Power(relation(A, B)))


def _space(name: str, kind: Kind, math: str = "") -> Operator:
    spellings = f"{kind.arrow} {math}"
    return infix(name, spellings, 125, _SPACE, partial(FunctionSpace, kind))


RELATIONS: Final = _space("relations", kinds.RELATION, "↔")
TOTAL_RELATIONS: Final = _space("total relations", kinds.TOTAL_RELATION, "\ue100")
SURJECTIVE_RELATIONS: Final = _space("surjective relations", kinds.SURJECTIVE_RELATION, "\ue101")
TOTAL_SURJECTIVE_RELATIONS: Final = _space(
    "total surjective relations", kinds.TOTAL_SURJECTIVE_RELATION, "\ue102"
)
PARTIAL_FUNCTIONS: Final = _space("partial functions", kinds.PARTIAL_FUNCTION, "⇸")
TOTAL_FUNCTIONS: Final = _space("total functions", kinds.TOTAL_FUNCTION, "→")
PARTIAL_INJECTIONS: Final = _space("partial injections", kinds.PARTIAL_INJECTION, "⤔")
TOTAL_INJECTIONS: Final = _space("total injections", kinds.TOTAL_INJECTION, "↣")
PARTIAL_SURJECTIONS: Final = _space("partial surjections", kinds.PARTIAL_SURJECTION, "⤀")
TOTAL_SURJECTIONS: Final = _space("total surjections", kinds.TOTAL_SURJECTION, "↠")
PARTIAL_BIJECTIONS: Final = _space("partial bijections", kinds.PARTIAL_BIJECTION)
TOTAL_BIJECTIONS: Final = _space("total bijections", kinds.TOTAL_BIJECTION, "⤖")

OPERATORS: Final[tuple[Operator, ...]] = (
    RELATIONS,
    TOTAL_RELATIONS,
    SURJECTIVE_RELATIONS,
    TOTAL_SURJECTIVE_RELATIONS,
    PARTIAL_FUNCTIONS,
    TOTAL_FUNCTIONS,
    PARTIAL_INJECTIONS,
    TOTAL_INJECTIONS,
    PARTIAL_SURJECTIONS,
    TOTAL_SURJECTIONS,
    PARTIAL_BIJECTIONS,
    TOTAL_BIJECTIONS,
)

OF_TOTAL_FUNCTIONS: Final = frozenset(
    {TOTAL_FUNCTIONS, TOTAL_INJECTIONS, TOTAL_SURJECTIONS, TOTAL_BIJECTIONS}
)
OF_PARTIAL_FUNCTIONS: Final = frozenset(
    {PARTIAL_FUNCTIONS, PARTIAL_INJECTIONS, PARTIAL_SURJECTIONS, PARTIAL_BIJECTIONS}
)
"""Where a function need not be defined for all of the left operand."""
