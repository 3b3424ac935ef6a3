"""The substitutions of classical B from tokens."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final

from secateur.lang.b.codes import NOT_A_STATEMENT, NOT_ASSIGNABLE, WRONG_NUMBER_OF_VALUES
from secateur.lang.b.lex import GRAMMAR
from secateur.maths import ast
from secateur.maths import substitution as sub
from secateur.maths.ast import Expr
from secateur.maths.lex import Tokens
from secateur.maths.parse import FormulaParser
from secateur.maths.substitution import Substitution
from secateur.source import fail


class SubstitutionParser(FormulaParser):
    """A parser of B's formulas and substitutions."""

    statements: ClassVar[dict[str, Callable[[SubstitutionParser], Substitution]]] = {}

    def __init__(self, tokens: Tokens) -> None:
        super().__init__(tokens, GRAMMAR)

    def substitution(self) -> Substitution:
        """Parse statements joined by `;` and `||`, which bind alike and to the left."""
        start = self.at
        left = self.statement()
        while (kind := self.kinds[self.at]) in _JOINS and not self.semicolon_ends():
            left = self._joined_statements(start, left, kind)
        return left

    def parallel(self) -> Substitution:
        """Parse statements joined by `||` alone."""
        start = self.at
        left = self.statement()
        if self.kinds[self.at] == "||":
            return self._joined_statements(start, left, "||")
        return left

    def semicolon_ends(self) -> bool:
        """Whether the `;` ahead, if it is one, ends what is being parsed."""
        return False

    def _joined_statements(self, start: int, left: Substitution, kind: str) -> Substitution:
        node = _JOINS[kind]
        parts = [left]
        while self.kinds[self.at] == kind and not self.semicolon_ends():
            self.at += 1
            if kind == ";" and self.kinds[self.at] in _MAY_FOLLOW_LAST:
                break  # `S; END`: a semicolon too many, which ProB lets pass
            parts.append(self.statement())
        if len(parts) == 1:
            return left
        flat = [q for p in parts for q in (p.parts if isinstance(p, node) else (p,))]
        return node(tuple(flat), self.span_from(start))

    def statement(self) -> Substitution:
        """Parse one substitution that is not joined to another."""
        parse = self.statements.get(self.kinds[self.at])
        return self._simple() if parse is None else parse(self)

    def _simple(self) -> Substitution:
        start = self.at
        targets = [self.operand()]
        while self.kinds[self.at] == ",":
            self.at += 1
            targets.append(self.operand())
        kind = self.kinds[self.at]
        if kind == ":=":
            return self._assign(start, tuple(targets))
        if kind == "::":
            self.at += 1
            found = self.formula()
            self._check_targets(targets)
            return sub.BecomesElement(tuple(targets), found, self.span_from(start))
        if kind == ":" and self.kinds[self.at + 1] == "(":
            return self._becomes_such(start, tuple(targets))
        if kind == "<--":
            self.at += 1
            self._check_targets(targets)
            return self._call(start, tuple(targets), self.operand())
        if len(targets) > 1:
            raise self.expected("':=', '::', ':(' or '<--'")
        return self._call(start, (), targets[0])

    def _assign(self, start: int, targets: tuple[Expr, ...]) -> Substitution:
        self.at += 1
        values = self.list_of_formulas()
        self._check_targets(targets)
        span = self.span_from(start)
        if len(values) != len(targets):
            message = f"{len(targets)} variable(s) on the left, {len(values)} value(s) on the right"
            raise fail(WRONG_NUMBER_OF_VALUES, message, span)
        return sub.Assign(targets, values, span)

    def _becomes_such(self, start: int, targets: tuple[Expr, ...]) -> Substitution:
        self.at += 1
        condition = self.bracketed("(", ")")
        names = tuple(t for t in targets if isinstance(t, ast.Name))
        if len(names) != len(targets):
            message = "only variables can stand to the left of ':('"
            raise fail(NOT_ASSIGNABLE, message, self.span_from(start))
        return sub.BecomesSuch(names, condition, self.span_from(start))

    def _call(self, start: int, targets: tuple[Expr, ...], called: Expr) -> Substitution:
        if self.kinds[self.at] in {"=", ":"}:
            raise self.expected("':=', '::' or ':('")
        match called:
            case ast.Name(name):
                return sub.OperationCall(targets, name, (), self.span_from(start))
            case ast.Call(ast.Name(name), args):
                return sub.OperationCall(targets, name, args, self.span_from(start))
        message = "this is an expression where a substitution is expected"
        raise fail(NOT_A_STATEMENT, message, self.span_from(start))

    def _check_targets(self, targets: list[Expr] | tuple[Expr, ...]) -> None:
        for target in targets:
            inner = target
            while isinstance(inner, ast.Call | ast.Field):
                inner = inner.function if isinstance(inner, ast.Call) else inner.record
            if not isinstance(inner, ast.Name):
                message = "only a variable, f(x) or r'field can be assigned to"
                raise fail(NOT_ASSIGNABLE, message, target.span)

    def _skip(self) -> Substitution:
        start = self.take()
        return sub.Skip(self.tokens.span(start))

    def _begin(self) -> Substitution:
        start = self.take()
        body = self.nested()
        self.close("END", start)
        return body

    def nested(self) -> Substitution:
        """Parse a substitution inside brackets of some kind."""
        return self.substitution()

    def _pre(self) -> Substitution:
        start = self.take()
        condition = self.formula()
        self.expect("THEN")
        body = self.nested()
        self.close("END", start)
        node = sub.Precondition if self.kinds[start] == "PRE" else sub.Assertion
        return node(condition, body, self.span_from(start))

    def _branch(self) -> sub.Branch:
        start = self.take()
        condition = self.formula()
        self.expect("THEN")
        return sub.Branch(condition, self.nested(), self.span_from(start))

    def _branching(self) -> Substitution:
        """Parse SELECT or IF with their further branches."""
        start = self.at
        node, more = (
            (sub.Select, "WHEN") if self.kinds[start] == "SELECT" else (sub.IfThen, "ELSIF")
        )
        branches = [self._branch()]
        while self.kinds[self.at] == more:
            branches.append(self._branch())
        otherwise = self._otherwise()
        self.close("END", start)
        return node(tuple(branches), otherwise, self.span_from(start))

    def _otherwise(self) -> Substitution | None:
        if self.kinds[self.at] != "ELSE":
            return None
        self.at += 1
        return self.nested()

    def _case(self) -> Substitution:
        start = self.take()
        subject = self.formula()
        self.expect("OF")
        branches = [self._case_branch("EITHER")]
        while self.kinds[self.at] == "OR":
            branches.append(self._case_branch("OR"))
        otherwise = self._otherwise()
        self.close("END", start)
        self.close("END", start)
        return sub.Case(subject, tuple(branches), otherwise, self.span_from(start))

    def _case_branch(self, word: str) -> sub.CaseBranch:
        start = self.expect(word)
        values = self.list_of_formulas()
        self.expect("THEN")
        return sub.CaseBranch(values, self.nested(), self.span_from(start))

    def _choice(self) -> Substitution:
        start = self.take()
        bodies = [self.nested()]
        while self.kinds[self.at] == "OR":
            self.at += 1
            bodies.append(self.nested())
        self.close("END", start)
        return sub.Choice(tuple(bodies), self.span_from(start))

    def _any(self) -> Substitution:
        start = self.take()
        binders = self.binders()
        self.expect("WHERE")
        condition = self.formula()
        self.expect("THEN")
        body = self.nested()
        self.close("END", start)
        return sub.AnyWhere(binders, condition, body, self.span_from(start))

    def _let_be(self) -> Substitution:
        start = self.take()
        binders = self.binders()
        self.expect("BE")
        condition = self.formula()
        self.expect("IN")
        body = self.nested()
        self.close("END", start)
        return sub.LetBe(binders, condition, body, self.span_from(start))

    def _var(self) -> Substitution:
        start = self.take()
        binders = self.binders()
        self.expect("IN")
        body = self.nested()
        self.close("END", start)
        return sub.VarIn(binders, body, self.span_from(start))

    def _while(self) -> Substitution:
        start = self.take()
        condition = self.formula()
        self.expect("DO")
        body = self.nested()
        parts: dict[str, Expr] = {}
        while (kind := self.kinds[self.at]) in {"INVARIANT", "VARIANT"} and kind not in parts:
            self.at += 1
            parts[kind] = self.formula()
        for missing in ("INVARIANT", "VARIANT"):
            if missing not in parts:
                raise self.expected(f"the {missing} of the WHILE loop")
        self.close("END", start)
        invariant, variant = parts["INVARIANT"], parts["VARIANT"]
        return sub.While(condition, body, invariant, variant, self.span_from(start))


_JOINS: Final[dict[str, type[sub.Parallel] | type[sub.Sequential]]] = {
    "||": sub.Parallel,
    ";": sub.Sequential,
}
_MAY_FOLLOW_LAST: Final = frozenset({"END", "ELSE", "ELSIF", "WHEN", "OR", "INVARIANT", "VARIANT"})

SubstitutionParser.statements.update(
    {
        "skip": SubstitutionParser._skip,
        "BEGIN": SubstitutionParser._begin,
        "PRE": SubstitutionParser._pre,
        "ASSERT": SubstitutionParser._pre,
        "SELECT": SubstitutionParser._branching,
        "IF": SubstitutionParser._branching,
        "CASE": SubstitutionParser._case,
        "CHOICE": SubstitutionParser._choice,
        "ANY": SubstitutionParser._any,
        "LET": SubstitutionParser._let_be,
        "VAR": SubstitutionParser._var,
        "WHILE": SubstitutionParser._while,
    }
)
