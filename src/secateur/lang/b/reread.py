"""A second reading: the formula that a definition's body was taken for, as a substitution.

`f(x)`, `P || Q`, `P ; Q`, `IF C THEN P ELSE Q END`, `LET x BE x = E IN P END` and `x : (C)` are
formulas and substitutions alike.  Only a use of the definition tells which is meant.
"""

from __future__ import annotations

from secateur.maths import substitution as sub
from secateur.maths.ast import Apply, Call, Expr, If, Let, Name
from secateur.maths.substitution import Branch, OperationCall, Substitution


def as_substitution(e: Expr) -> Substitution | None:
    """Return the substitution that is written like `e`, None if there is none."""
    match e:
        case Name(text):
            return OperationCall((), text, (), e.span)
        case Call(Name(text), args):
            return OperationCall((), text, args, e.span)
        case If(condition, then, otherwise):
            first, second = as_substitution(then), as_substitution(otherwise)
            if first is None or second is None:
                return None
            return sub.IfThen((Branch(condition, first, e.span),), second, e.span)
        case Let(binders, condition, body):
            inner = as_substitution(body)
            return None if inner is None else sub.LetBe(binders, condition, inner, e.span)
        case Apply(operator, (left, right)):
            return _joined(operator.name, left, right, e)
        case _:
            return None


def _joined(name: str, left: Expr, right: Expr, whole: Expr) -> Substitution | None:
    if name == "member":
        names = _names(left)
        return None if names is None else sub.BecomesSuch(names, right, whole.span)
    first, second = as_substitution(left), as_substitution(right)
    if first is None or second is None:
        return None
    if name == "parallel product":
        before = first.parts if isinstance(first, sub.Parallel) else (first,)
        return sub.Parallel((*before, second), whole.span)
    if name == "composition":
        before = first.parts if isinstance(first, sub.Sequential) else (first,)
        return sub.Sequential((*before, second), whole.span)
    return None


def _names(e: Expr) -> tuple[Name, ...] | None:
    """Return the identifiers of `x` or of `x, y`, which was read as a pair."""
    match e:
        case Name():
            return (e,)
        case Apply(operator, (left, Name() as last)) if operator.name == "pair":
            before = _names(left)
            return None if before is None else (*before, last)
        case _:
            return None
