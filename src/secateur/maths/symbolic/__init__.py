"""Sets known by a rule: infinite ones, and those too large to list."""

from secateur.maths.symbolic.algebra import difference, intersection, union
from secateur.maths.symbolic.functions import FunctionSpace, function_space
from secateur.maths.symbolic.kinds import Kind
from secateur.maths.symbolic.lazy import Difference, Intersection, RelationUnion, Selection, Union
from secateur.maths.symbolic.numbers import (
    ALL_REALS,
    ALL_STRINGS,
    INTEGERS,
    NATURALS,
    POSITIVES,
    Integers,
    integers,
    interval,
    is_universal,
)
from secateur.maths.symbolic.powers import PowerSet, power_set
from secateur.maths.symbolic.products import Cartesian, RecordSpace, cartesian, lazy_product
from secateur.maths.symbolic.relation import (
    DerivedRelation,
    SymbolicRelation,
    domain_of,
    images_of,
    range_of,
)
from secateur.maths.symbolic.sequences import (
    Repetition,
    SequenceSpace,
    as_sequence,
    known_items,
    sequence_table,
)
from secateur.maths.symbolic.space import Space, elements, is_empty, is_small

__all__ = [
    "ALL_REALS",
    "ALL_STRINGS",
    "INTEGERS",
    "NATURALS",
    "POSITIVES",
    "Cartesian",
    "DerivedRelation",
    "Difference",
    "FunctionSpace",
    "Integers",
    "Intersection",
    "Kind",
    "PowerSet",
    "RecordSpace",
    "RelationUnion",
    "Repetition",
    "Selection",
    "SequenceSpace",
    "Space",
    "SymbolicRelation",
    "Union",
    "as_sequence",
    "cartesian",
    "difference",
    "domain_of",
    "elements",
    "function_space",
    "images_of",
    "integers",
    "intersection",
    "interval",
    "is_empty",
    "is_small",
    "is_universal",
    "known_items",
    "lazy_product",
    "power_set",
    "range_of",
    "sequence_table",
    "union",
]
