"""The definitions that mean something to the tool: GOAL, SET_PREF_*, scope_*, ASSERT_LTL*, ..."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from secateur.lang.b.definitions import Definitions
from secateur.lang.b.preferences import canonical
from secateur.maths.ast import Apply, Expr, Name, Number, Text
from secateur.maths.infer import Inference
from secateur.maths.infer_elaborate import elaborate
from secateur.maths.infer_findings import Scope
from secateur.maths.operators.protocol import Operator, Settings
from secateur.maths.substitution import Substitution
from secateur.maths.values import IllDefined
from secateur.source import InputError
from secateur.source.records import dataclass

PREFERENCE: Final = "SET_PREF_"

SPECIAL: Final[Mapping[str, str]] = {
    "GOAL": "a state to look for",
    "SCOPE": "the states from which a search goes on; the verdict is incomplete if there are others",
    "scope_*": "the size of a deferred set",
    "SET_PREF_*": "a preference",
    "HEURISTIC_FUNCTION*": "guides `--search best` and `astar`",
    "ASSERT_LTL*": "checked by `secateur ltl`",
    "ASSERT_CTL*": "checked by `secateur ltl`",
    "MAX_OPERATIONS_*": "not truncated: all instances of the operation are computed",
    "FORCE_SYMMETRY_*": "not needed: `--symmetry` finds which elements may be exchanged",
    "OPERATION_REUSE_OFF_*": "not needed: about ProB's cache",
    "ANIMATION_*": "pictures of states",
    "CUSTOM_GRAPH*": "pictures of states",
    "VISB_*": "pictures of states",
    "SEQUENCE_CHART_*": "pictures of traces",
    "GAME_*": "about ProB's way to play games",
    "SHIELD_INTERVENTION*": "about reinforcement learning with ProB",
    "PROB_REQUIRED_VERSION": "about versions of ProB",
    "EXTERNAL_FUNCTION_*": "the type of an external function",
    "EXTERNAL_PREDICATE_*": "the type of an external predicate",
    "EXTERNAL_SUBSTITUTION_*": "the type of an external substitution",
}
"""The definitions that mean something to ProB, and what they mean here; `*` is the rest of a name."""

_NAMES: Final = frozenset(name for name in SPECIAL if not name.endswith("*"))
_PREFIXES: Final = tuple(
    name.removesuffix("*")
    for name in SPECIAL
    if name.endswith("*") and not name.startswith("EXTERNAL_")
)

_ELSEWHERE: Final = ("ASSERT_LTL", "ASSERT_CTL")
"""What another command looks at."""

_WITHOUT_EFFECT: Final = ("FORCE_SYMMETRY_*", "MAX_OPERATIONS_*")
"""What ProB acts on, and what is not needed here."""


def is_special(name: str) -> bool:
    """Whether the tool gives a meaning to a definition of this name."""
    return name in _NAMES or name.startswith(_PREFIXES)


@dataclass(frozen=True)
class Specials:
    """The definitions without parameters that have a type, and remarks on those that should."""

    definitions: Mapping[str, Expr]
    notes: tuple[str, ...]


def collect(definitions: Definitions, scope: Scope) -> Specials:
    """Return the definitions that type-check in `scope`, which is fully typed."""
    found: dict[str, Expr] = {}
    notes: list[str] = []
    for name, definition in definitions.table.items():
        if definition.parameters or isinstance(definition.body, Substitution):
            continue
        if name.startswith(_ELSEWHERE):
            notes.append(f"definition {name} is not checked here: `secateur ltl` does that")
        notes += [
            f"definition {name}: {SPECIAL[pattern]}"
            for pattern in _WITHOUT_EFFECT
            if name.startswith(pattern.removesuffix("*"))
        ]
        try:
            found[name] = _typed(definitions, name, scope)
        except InputError as error:
            if is_special(name):
                notes.append(f"definition {name} is left out: {error.diagnostics[0].message}")
    return Specials(found, tuple(notes))


def _typed(definitions: Definitions, name: str, scope: Scope) -> Expr:
    body = definitions.body(name, definitions.table[name].span)
    inference = Inference()
    inference.infer(body, scope)
    inference.settle()
    result = elaborate(body, inference)
    inference.finish()
    return result


def preferences(specials: Specials, given: Mapping[str, str]) -> dict[str, str]:
    """Return the preferences by name: the file's, overridden by those `given`."""
    stated = {
        name.removeprefix(PREFERENCE): _as_text(e)
        for name, e in specials.definitions.items()
        if name.startswith(PREFERENCE)
    }
    return {**canonical(stated), **canonical(given)}


def _as_text(e: Expr) -> str:
    if isinstance(e, Text):
        return e.value
    number = integer(e)
    return str(number) if number is not None else e.span.text


def integer(e: Expr, settings: Settings | None = None) -> int | None:
    """Return the value of a typed expression made of numbers only, None if it has others."""
    match e:
        case Number(value):
            return value
        case Apply(operator, ()) if operator.constant is not None and settings is not None:
            value = operator.constant(settings)
            return value if type(value) is int else None
        case Apply(operator, args) if args and operator.apply is not None:
            return _applied(operator, [integer(a, settings) for a in args])
        case _:
            return None


def _applied(operator: Operator, values: Sequence[int | None]) -> int | None:
    if None in values or operator.apply is None:
        return None
    try:
        result = operator.apply(*values)
    except IllDefined:
        return None
    return result if type(result) is int else None


def is_name(e: Expr, name: str) -> bool:
    """Whether `e` is the identifier `name`."""
    return isinstance(e, Name) and e.text == name
