"""What the translations of single operators share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from typing import TypeVar

from secateur.maths.ast import Expr
from secateur.maths.operators.protocol import Operator
from secateur.maths.solve.logic import Truth, conjunction, disjunction, equivalence
from secateur.maths.solve.network import Bool, Network, Propagator, Scalar, Variable
from secateur.maths.solve.protocol import Evaluator
from secateur.maths.solve.terms import Env, Term
from secateur.maths.values import Value

T = TypeVar("T")


class Context(ABC):
    """A network being built from expressions.

    `term` and `truth` translate any expression or predicate; what cannot be taken apart
    becomes something that is evaluated later.
    """

    net: Network
    evaluator: Evaluator

    @abstractmethod
    def term(self, e: Expr, env: Env) -> Term:
        """Return what is known of the value of `e`."""

    @abstractmethod
    def truth(self, e: Expr, env: Env) -> Truth:
        """Return what is known of the truth of `e`."""

    @abstractmethod
    def known(self, e: Expr, env: Env) -> Value | None:
        """Return the value of `e` if that is known now, else None."""

    @abstractmethod
    def evaluate(self, e: Expr, env: Env) -> Value:
        """Return the value of `e`, of which everything is known; may raise as the evaluator does."""

    @abstractmethod
    def names(self, e: Expr) -> frozenset[str]:
        """Return the free identifiers of `e`."""

    @abstractmethod
    def is_ground(self, e: Expr, env: Env) -> bool:
        """Whether everything that `e` depends on is known."""

    @abstractmethod
    def has_values(self, e: Expr, env: Env) -> bool:
        """Whether every identifier of `e` has a meaning in `env` or outside."""

    @abstractmethod
    def derived(self, e: Expr, key: Hashable, make: Callable[[], Expr]) -> Expr:
        """Return the expression made earlier from `e` for `key`, or make it.

        The evaluator compiles an expression once as long as it is the same object.
        """

    @abstractmethod
    def indicator(self, p: Truth) -> Scalar:
        """Return the number that is 1 if `p` holds and else 0."""

    @abstractmethod
    def shared(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what was made earlier for `key`, or make it."""

    @abstractmethod
    def membership(self, operator: Operator) -> MemberRule | None:
        """Return how membership in the set that `operator` makes is translated."""

    @abstractmethod
    def unknown(self) -> Truth:
        """Return a truth that only evaluation can find; the predicate at hand is evaluated too."""

    def all_of(self, *parts: Truth) -> Truth:
        """Return whether all hold."""
        return conjunction(self.net, parts)

    def any_of(self, *parts: Truth) -> Truth:
        """Return whether at least one holds."""
        return disjunction(self.net, parts)

    def same(self, p: Truth, q: Truth) -> Truth:
        """Return whether both hold or neither."""
        return equivalence(self.net, p, q)

    def define(self, p: Truth) -> None:
        """Add `p` to what holds: it is about something new and excludes nothing."""
        if isinstance(p, Bool):
            self.net.set(p, True)

    def add(self, propagator: Propagator, *watched: Variable) -> None:
        """Put `propagator` to work."""
        self.net.add(propagator, *watched)


TermRule = Callable[[Context, tuple[Expr, ...], Env], Term | None]
"""Translates an operator with these operands; None if it cannot be taken apart."""
TruthRule = Callable[[Context, tuple[Expr, ...], Env], Truth]
MemberRule = Callable[[Context, Term, tuple[Expr, ...], Env], Truth]
"""Translates membership of a term in the set that an operator makes of these operands."""
