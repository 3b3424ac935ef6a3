"""Application of a function to an argument."""

from __future__ import annotations

from secateur.maths.show import brief
from secateur.maths.symbolic.relation import SymbolicRelation, images_of, the_image
from secateur.maths.values import IllDefined, SetValue, Value, explicit, function_table


def apply_function(f: SetValue, argument: Value) -> Value:
    """Return `f(argument)`; raise IllDefined where there is no image, or more than one.

    A relation with several images elsewhere may be applied where it has one.
    """
    if isinstance(f, frozenset):
        try:
            return function_table(f)[argument]
        except KeyError:
            raise IllDefined(
                f"{brief(argument)} is not in the domain of the function {brief(f)}"
            ) from None
        except IllDefined:
            return the_image(images_of(f, argument), argument)
    if isinstance(f, SymbolicRelation):
        return f.apply(argument)
    return apply_function(explicit(f), argument)
