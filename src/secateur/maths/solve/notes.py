"""What is worth remembering about expressions from one solving to the next."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from itertools import count

from secateur.maths import ast
from secateur.maths.ast import Expr


class Notes:
    """Free identifiers, expressions alike, and expressions made from others."""

    def __init__(self) -> None:
        self._names: dict[int, tuple[Expr, frozenset[str]]] = {}
        self._derived: dict[tuple[int, Hashable], tuple[Expr, Expr]] = {}
        self._first: dict[Expr, Expr] = {}
        self._alike: dict[int, tuple[Expr, Expr]] = {}
        self._simple: dict[int, tuple[Expr, bool]] = {}
        self._numbers = count(1)

    def names(self, e: Expr) -> frozenset[str]:
        """Return the free identifiers of `e`."""
        found = self._names.get(id(e))
        if found is None:
            # The expression is kept: an id is only unique while its object lives.
            found = self._names[id(e)] = (e, self._find_names(e))
        return found[1]

    def _find_names(self, e: Expr) -> frozenset[str]:
        if isinstance(e, ast.Name | ast.Before):
            return ast.free_names(e)
        inner = frozenset[str]().union(*map(self.names, ast.children(e)))
        if isinstance(e, ast.Binding):
            return inner - {b.name for b in e.binders}
        return inner

    def is_simple(self, e: Expr) -> bool:
        """Whether nothing in `e` binds identifiers."""
        found = self._simple.get(id(e))
        if found is None:
            simple = not any(isinstance(x, ast.Binding) for x in ast.walk(e))
            found = self._simple[id(e)] = (e, simple)
        return found[1]

    def alike(self, e: Expr) -> Expr:
        """Return the first expression seen that is written like `e`."""
        found = self._alike.get(id(e))
        if found is None:
            found = self._alike[id(e)] = (e, self._first.setdefault(e, e))
        return found[1]

    def derived(self, e: Expr, key: Hashable, make: Callable[[], Expr]) -> Expr:
        """Return what was made from `e` for `key`."""
        found = self._derived.get((id(e), key))
        if found is None:
            found = self._derived[id(e), key] = (e, make())
        return found[1]

    def fresh(self, name: str) -> str:
        """Return a name that no user can have written; the same one in each run."""
        return f"{name} (witness {next(self._numbers)})"
