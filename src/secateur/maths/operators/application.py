"""Application of a function to an argument."""

from __future__ import annotations

from secateur.maths.function_tables import function_table, indexed
from secateur.maths.show import brief
from secateur.maths.symbolic.relation import SymbolicRelation, images_of, the_image
from secateur.maths.values import IllDefined, SetValue, Value, explicit


def apply_function(f: SetValue, argument: Value) -> Value:
    """Return `f(argument)`; raise IllDefined where there is no image, or more than one.

    A relation with several images elsewhere may be applied where it has one.
    """
    if isinstance(f, frozenset):
        known = indexed.get(id(f))
        try:
            return (function_table(f) if known is None else known[1])[argument]
        except KeyError:
            raise IllDefined(
                f"{brief(argument)} is not in the domain of the function {_shown(f)}"
            ) from None
        except IllDefined:
            return the_image(images_of(f, argument), argument)
    if isinstance(f, SymbolicRelation):
        return f.apply(argument)
    return apply_function(explicit(f), argument)


_last_shown: tuple[frozenset[Value], str] = (frozenset(), brief(frozenset()))


def _shown(f: frozenset[Value]) -> str:
    """Return `brief(f)`; a function that is applied wrongly is so many times in a row."""
    global _last_shown  # noqa: PLW0603 - a memory of one entry, replaced as a whole
    known, text = _last_shown
    if known is f:
        return text
    text = brief(f)
    _last_shown = (f, text)
    return text
