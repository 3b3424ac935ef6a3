"""Sets of relations and functions between two sets."""

from __future__ import annotations

from typing import Final

from secateur.maths.operators.build import A, B, infix, signature
from secateur.maths.operators.protocol import Operator
from secateur.maths.types import Power, relation
from secateur.maths.values import SetValue

_SPACE: Final = signature(Power(A), Power(B), Power(relation(A, B)))


def _space(name: str, spellings: str) -> Operator:
    def apply(a: SetValue, b: SetValue) -> SetValue:
        raise NotImplementedError

    return infix(name, spellings, 125, _SPACE, apply)


RELATIONS: Final = _space("relations", "<-> ↔")
TOTAL_RELATIONS: Final = _space("total relations", "<<-> \ue100")
SURJECTIVE_RELATIONS: Final = _space("surjective relations", "<->> \ue101")
TOTAL_SURJECTIVE_RELATIONS: Final = _space("total surjective relations", "<<->> \ue102")
PARTIAL_FUNCTIONS: Final = _space("partial functions", "+-> ⇸")
TOTAL_FUNCTIONS: Final = _space("total functions", "--> →")
PARTIAL_INJECTIONS: Final = _space("partial injections", ">+> ⤔")
TOTAL_INJECTIONS: Final = _space("total injections", ">-> ↣")
PARTIAL_SURJECTIONS: Final = _space("partial surjections", "+->> ⤀")
TOTAL_SURJECTIONS: Final = _space("total surjections", "-->> ↠")
PARTIAL_BIJECTIONS: Final = _space("partial bijections", ">+>>")
TOTAL_BIJECTIONS: Final = _space("total bijections", ">->> ⤖")

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
