"""Whether local variables are assigned before they are read.

To read one that has no value is an error, which compiled code would not notice.
"""

from __future__ import annotations

from collections.abc import Mapping

from secateur.lang.compile.values import NotCompiled
from secateur.lang.model import Operation
from secateur.lang.readwrite import of_substitution
from secateur.maths import substitution as sub
from secateur.maths.ast import Expr, Name, free_names
from secateur.maths.substitution import Substitution

Names = frozenset[str]
Callees = Mapping[str, Operation]


def check_assigned(
    s: Substitution, names: Names, callees: Callees, *, finally_all: bool = False
) -> None:
    """Raise `NotCompiled` unless `names` are assigned by `s` before it reads them.

    With `finally_all`, all of them must have been assigned at its end.
    """
    left = _after(s, names, callees)
    if finally_all and left:
        raise NotCompiled(f"{min(left)} may have no value")


def _after(s: Substitution, unset: Names, callees: Callees) -> Names:
    """Return which of the names that have no value before `s` may have none after it."""
    if not unset:
        return unset
    match s:
        case sub.Assign(targets, values):
            _demand(unset, *values, *(t for t in targets if not isinstance(t, Name)))
            return unset - {t.text for t in targets if isinstance(t, Name)}
        case sub.BecomesElement(targets, set_):
            _demand(unset, set_, *(t for t in targets if not isinstance(t, Name)))
            return unset - {t.text for t in targets if isinstance(t, Name)}
        case sub.OperationCall(targets, _, args):
            _demand(unset, *args, *(t for t in targets if not isinstance(t, Name)))
            return unset - {t.text for t in targets if isinstance(t, Name)}
        case sub.Sequential(parts):
            for part in parts:
                unset = _after(part, unset, callees)
            return unset
        case sub.Parallel(parts):
            after = [_after(part, unset, callees) for part in parts]
            return frozenset.intersection(*after)
        case sub.IfThen(branches, otherwise) | sub.Select(branches, otherwise):
            _demand(unset, *(b.condition for b in branches))
            ends = [_after(b.body, unset, callees) for b in branches]
            if otherwise is not None:
                ends.append(_after(otherwise, unset, callees))
            elif isinstance(s, sub.IfThen):
                ends.append(unset)
            return frozenset[str]().union(*ends)
        case sub.Case(subject, branches, otherwise):
            _demand(unset, subject, *(v for b in branches for v in b.values))
            ends = [_after(b.body, unset, callees) for b in branches]
            ends.append(unset if otherwise is None else _after(otherwise, unset, callees))
            return frozenset[str]().union(*ends)
        case _:
            return _after_others(s, unset, callees)


def _after_others(s: Substitution, unset: Names, callees: Callees) -> Names:
    match s:
        case sub.Choice(bodies):
            return frozenset[str]().union(*(_after(body, unset, callees) for body in bodies))
        case sub.Precondition(condition, body) | sub.Assertion(condition, body):
            _demand(unset, condition)
            return _after(body, unset, callees)
        case sub.AnyWhere(binders, condition, body) | sub.LetBe(binders, condition, body):
            local = {b.name for b in binders}
            _demand(unset - local, condition)
            return _after(body, unset - local, callees) | (unset & local)
        case sub.VarIn(binders, body):
            local = {b.name for b in binders}
            return _after(body, unset - local, callees) | (unset & local)
        case _:
            if of_substitution(s, callees).reads & unset:
                raise NotCompiled("a local variable may be read before it has a value")
            return unset


def _demand(unset: Names, *expressions: Expr) -> None:
    for e in expressions:
        if free_names(e) & unset:
            raise NotCompiled("a local variable may be read before it has a value")
