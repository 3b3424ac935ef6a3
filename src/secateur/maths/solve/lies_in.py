"""In which sets terms lie, as far as the form of constraints tells it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from secateur.maths import ast
from secateur.maths.ast import Apply, Call, Expr, Name
from secateur.maths.evaluate.context import is_partial_node
from secateur.maths.operators import comparison, function_spaces, relations, sequences, sets, trees
from secateur.maths.operators.protocol import Operator


class Spaces:
    """Sets that terms are in, wherever they have values and all constraints hold.

    Where a set has no value, the constraint that names it has none either: that is a question
    about this constraint.  It must not be answered by itself, though (`f : 1..f(1) --> S`).
    """

    def __init__(self, constraints: Sequence[Expr]) -> None:
        self._told: dict[str, tuple[Expr, ...]] = {}
        self._hidden: frozenset[str] = frozenset()
        """Names that mean something else here than in the constraints."""
        said = [
            (e.args[0].text, e.args[1])
            for e in constraints
            if isinstance(e, Apply) and e.operator is comparison.MEMBER
            if isinstance(e.args[0], Name)
        ]
        doubtful = {name for name, space in said if _may_lack_a_value(space)}
        for name, space in said:
            if not (_may_lack_a_value(space) and ast.free_names(space) & doubtful):
                self._told[name] = (*self._told.get(name, ()), space)

    def without(self, names: frozenset[str]) -> Spaces:
        """Return what is known where `names` mean something else."""
        inner = Spaces(())
        inner._hidden = self._hidden | names
        inner._told = self._told
        return inner

    def has(self, element: Expr, s: Expr) -> bool:
        """Whether `element` is certainly in `s`."""
        return self._is_visible(s) and s in self._of(element)

    def is_function(self, e: Expr) -> bool:
        """Whether `e` is certainly a function."""
        return isinstance(e, ast.Lambda) or self._is_in(e, _OF_FUNCTIONS)

    def is_sequence(self, e: Expr) -> bool:
        """Whether `e` is certainly a sequence."""
        if isinstance(e, Apply) and e.operator in _GIVE_SEQUENCES:
            return True
        return isinstance(e, ast.SequenceDisplay) or self._is_in(e, _OF_SEQUENCES)

    def is_tree(self, e: Expr) -> bool:
        """Whether `e` is certainly a tree."""
        if isinstance(e, Apply) and e.operator in _GIVE_TREES:
            return True
        return self._is_in(e, _OF_TREES)

    def is_binary_tree(self, e: Expr) -> bool:
        """Whether `e` is certainly a tree in which nodes have two sons or none."""
        return self._is_in(e, frozenset({trees.BINARY_TREES}))

    def domain(self, function: Expr) -> Expr:
        """Return the domain of `function`, as a set that is known if possible."""
        for space in reversed(self._of(function)):
            match space:
                case Apply(operator, (domain, _)) if operator in _OF_TOTAL_FUNCTIONS:
                    if self._is_visible(domain):
                        return domain
        return _domain(function)

    def _is_visible(self, s: Expr) -> bool:
        return not (ast.free_names(s) & self._hidden)

    def _is_in(self, e: Expr, spaces: frozenset[Operator]) -> bool:
        return any(isinstance(s, Apply) and s.operator in spaces for s in self._of(e))

    def _of(self, e: Expr) -> tuple[Expr, ...]:
        """Return sets in which `e` is; their names mean what they mean in the constraints.

        Those that mean something else here are taken out by `_is_visible`, at the end: what is
        a function is one, whatever the names of its domain mean.
        """
        match e:
            case Name(text):
                return () if text in self._hidden else self._told.get(text, ())
            case Call(function, _):
                values = [_values(space) for space in self._of(function)]
                return (*(s for s in values if s is not None), _range(function))
            case Apply(relations.INVERSE, (relation,)):
                inverses = [_inverse(space, relation) for space in self._of(relation)]
                return tuple(s for s in inverses if s is not None)
            case Apply(trees.SON, (tree, _, _)) | Apply(trees.FATHER, (tree, _)):
                return (_domain(tree),)
            case ast.Field(record, name):
                fields = [s.fields for s in self._of(record) if isinstance(s, ast.RecordSet)]
                return tuple(s for each in fields for field, s in each if field == name)
            case _:
                return ()


def _may_lack_a_value(e: Expr) -> bool:
    return any(
        is_partial_node(x) and not (isinstance(x, Apply) and x.operator is sets.CARD)
        for x in ast.walk(e)
    )


def _domain(function: Expr) -> Expr:
    match function:
        case Apply(relations.INVERSE, (relation,)):
            return Apply(relations.RANGE, (relation,), function.span)
        case _:
            return Apply(relations.DOMAIN, (function,), function.span)


def _range(function: Expr) -> Expr:
    match function:
        case Apply(relations.INVERSE, (relation,)):
            return Apply(relations.DOMAIN, (relation,), function.span)
        case _:
            return Apply(relations.RANGE, (function,), function.span)


def _values(space: Expr) -> Expr | None:
    """Return the set in which the values of the functions in `space` are."""
    match space:
        case Apply(operator, (_, values)) if operator in function_spaces.OPERATORS:
            return values
        case Apply(operator, (values,)) if operator in _OF_SEQUENCES or operator in _OF_TREES:
            return values
        case _:
            return None


def _inverse(space: Expr, relation: Expr) -> Expr | None:
    """Return the set in which the inverse of `relation`, which is in `space`, is."""
    match space:
        case Apply(operator, (left, right)) if operator in function_spaces.OPERATORS:
            inverse = _INVERSES.get(operator, function_spaces.RELATIONS)
            return Apply(inverse, (right, left), space.span)
        case Apply(operator, (values,)) if operator in _INVERSES_OF_SEQUENCES:
            inverse = _INVERSES_OF_SEQUENCES[operator]
            return Apply(inverse, (values, _domain(relation)), space.span)
        case _:
            return None


_OF_TOTAL_FUNCTIONS: Final = function_spaces.OF_TOTAL_FUNCTIONS
_OF_SEQUENCES: Final = frozenset(
    {
        sequences.SEQUENCES,
        sequences.SEQUENCES1,
        sequences.INJECTIVE_SEQUENCES,
        sequences.INJECTIVE_SEQUENCES1,
        sequences.PERMUTATIONS,
    }
)
_OF_TREES: Final = frozenset({trees.TREES, trees.BINARY_TREES})
_OF_FUNCTIONS: Final = (
    _OF_TOTAL_FUNCTIONS | function_spaces.OF_PARTIAL_FUNCTIONS | _OF_SEQUENCES | _OF_TREES
)
_GIVE_SEQUENCES: Final = frozenset(
    {
        sequences.FRONT,
        sequences.TAIL,
        sequences.TAKE,
        sequences.DROP,
        sequences.REVERSE.overloads[0],
        sequences.CONCATENATION.overloads[0],
        sequences.PREPEND,
        sequences.APPEND,
        trees.SONS,
        trees.PREFIX,
        trees.POSTFIX,
        trees.INFIX,
        trees.SON,
        trees.FATHER,
    }
)
_GIVE_TREES: Final = frozenset(
    {
        trees.CONSTRUCT,
        trees.MIRROR,
        trees.SUBTREE,
        trees.LEAF,
        trees.NODE,
        trees.LEFT,
        trees.RIGHT,
    }
)
_INVERSES: Final[Mapping[Operator, Operator]] = {
    function_spaces.PARTIAL_INJECTIONS: function_spaces.PARTIAL_INJECTIONS,
    function_spaces.TOTAL_INJECTIONS: function_spaces.PARTIAL_BIJECTIONS,
    function_spaces.PARTIAL_BIJECTIONS: function_spaces.TOTAL_INJECTIONS,
    function_spaces.TOTAL_BIJECTIONS: function_spaces.TOTAL_BIJECTIONS,
}
"""What the inverses of injections are; those of other functions need not be functions."""
_INVERSES_OF_SEQUENCES: Final[Mapping[Operator, Operator]] = {
    sequences.INJECTIVE_SEQUENCES: function_spaces.PARTIAL_BIJECTIONS,
    sequences.INJECTIVE_SEQUENCES1: function_spaces.PARTIAL_BIJECTIONS,
    sequences.PERMUTATIONS: function_spaces.TOTAL_BIJECTIONS,
}
