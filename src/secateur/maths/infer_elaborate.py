"""The second pass of type inference: the tree with its types and meanings filled in."""

from __future__ import annotations

from dataclasses import replace

from secateur.maths.ast import (
    Apply,
    Binder,
    Comprehension,
    Exists,
    Expr,
    Forall,
    Lambda,
    Let,
    Name,
    Number,
    Quantified,
    Text,
    rebuild,
)
from secateur.maths.infer import Inference
from secateur.maths.infer_carrier import carrier
from secateur.maths.operators.eventb import OF_TYPE, WITH_OPERANDS
from secateur.maths.substitution import AnyWhere, LetBe, Substitution, VarIn
from secateur.maths.substitution import rebuild as rebuild_substitution


def elaborate(e: Expr, inference: Inference) -> Expr:
    """Return `e` with typed binders and resolved operators; `inference` has settled."""

    def visit(node: Expr) -> Expr:
        match node:
            case Name() | Number() | Text():
                return node
            case Apply(operator, (inner, _)) if operator is OF_TYPE:
                return visit(inner)
            case Apply() if id(node) in inference.chosen:
                operator = inference.chosen[id(node)][1]
                return Apply(operator, tuple(map(visit, node.args)), node.span)
            case Apply() if id(node) in inference.carriers:
                types = map(inference.types.resolve, inference.carriers[id(node)][1])
                sets = tuple(carrier(t, node.span) for t in types)
                operator = WITH_OPERANDS.get(node.operator, node.operator)
                return Apply(operator, (*map(visit, node.args), *sets), node.span)
            case Forall() | Exists() | Comprehension() | Lambda() | Quantified() | Let():
                binders = typed(node.binders, inference)
                return rebuild(replace(node, binders=binders), visit)
            case _:
                return rebuild(node, visit)

    return visit(e)


def typed(binders: tuple[Binder, ...], inference: Inference) -> tuple[Binder, ...]:
    """Return `binders` with the types that were found for them."""
    return tuple(
        Binder(b.name, inference.ground(b.name, inference.bound[id(b)][1], b.span), b.span)
        for b in binders
    )


def elaborate_substitution(s: Substitution, inference: Inference) -> Substitution:
    """Return `s` with typed binders and resolved operators; `inference` has settled."""

    def expression(e: Expr) -> Expr:
        return elaborate(e, inference)

    def visit(node: Substitution) -> Substitution:
        if isinstance(node, AnyWhere | LetBe | VarIn):
            node = replace(node, binders=typed(node.binders, inference))
        return rebuild_substitution(node, expression, visit)

    return visit(s)
