"""Formulas as users write them."""

from __future__ import annotations

import pytest

from secateur.ltl.ctl import parse_ctl, show_ctl
from secateur.ltl.parse import parse_ltl
from secateur.source import InputError


@pytest.mark.parametrize(
    ("text", "understood"),
    [
        ("G {x=1}", "G {x=1}"),
        ("GF[Enter]", "G (F [Enter])"),
        ("XXX{x=0}", "X (X (X {x=0}))"),
        ("[] <> {p}", "G (F {p})"),
        ("□⋄{p}", "G (F {p})"),
        ("globally finally next {p}", "G (F (X {p}))"),
        ("{p} & {q} or {r}", "({p} & {q}) or {r}"),
        ("{p} or {q} & {r}", "({p} or {q}) & {r}"),
        ("{p} => {q} => {r}", "({p} => {q}) => {r}"),
        ("{p} -> {q} <-> {r}", "({p} => {q}) <=> {r}"),
        ("{p} U {q} & {r}", "({p} U {q}) & {r}"),
        ("not {p} U {q}", "(not {p}) U {q}"),
        ("!{p} & ¬{q}", "(not {p}) & (not {q})"),
        ("{p} ~> {q}", "G ({p} => (F {q}))"),
        ("H O Y {p} S {q}", "(H (O (Y {p}))) S {q}"),
        ("G(e(op) => O [op(1,_)])", "G (e(op) => (O [op(1,_)]))"),
        ("deadlock or deadlock(a,b) or sink", "(deadlock or deadlock(a,b)) or sink"),
        ("changed({x+{1}(1)})", "changed({x+{1}(1)})"),
        ('{s = "}"}', '{s = "}"}'),
        ("!x,y.({x:S & y:S} => G [op(x)])", "!x,y.({x:S & y:S} => (G [op(x)]))"),
        ("#x.({x:S} & F [op(x)])", "#x.({x:S} & (F [op(x)]))"),
        ("WF(a) & SF(b) => F {p}", "((SF(b) & WF(a))) => (F {p})"),
        ("(SF(a) & SF(b)) or WEF => {p}", "((SF(a) & SF(b)) or (WEF)) => ({p})"),
    ],
)
def test_ltl(text: str, understood: str) -> None:
    assert str(parse_ltl(text)) == understood


@pytest.mark.parametrize(
    ("text", "code", "column"),
    [
        ("", "SEC320", 1),
        ("G", "SEC320", 2),
        ("G {x", "SEC320", 3),
        ("G x", "SEC320", 3),
        ("{p} {q}", "SEC320", 5),
        ("({p}", "SEC320", 5),
        ("{p} $ {q}", "SEC320", 5),
        ("e()", "SEC320", 3),
        ("[ ]", "SEC320", 2),
        ("#x.({x:S} => {p})", "SEC320", 11),
        ("G WF(a)", "SEC321", 6),
        ("WF(a) & {p} => {q}", "SEC321", 4),
    ],
)
def test_what_is_no_formula(text: str, code: str, column: int) -> None:
    with pytest.raises(InputError) as caught:
        parse_ltl(text)
    diagnostic = caught.value.diagnostics[0]
    assert str(diagnostic.code) == code
    assert diagnostic.span is not None
    assert diagnostic.span.source.line_and_column(diagnostic.span.start) == (1, column)


@pytest.mark.parametrize(
    ("text", "understood"),
    [
        ("AGEFEX[Set(aa)]{xx=aa}", "AG (EF (EX[Set(aa)] {xx=aa}))"),
        ("EX[Move]true", "EX[Move] true"),
        ("AG (EX true or {p})", "AG ((EX true) or {p})"),
        ("E {p} U {q}", "E ({p} U {q})"),
        ("A ({p} or {q} U EG {r})", "A (({p} or {q}) U (EG {r}))"),
        ("not AF deadlock => e(a)", "(not (AF deadlock)) => e(a)"),
    ],
)
def test_ctl(text: str, understood: str) -> None:
    assert show_ctl(parse_ctl(text)) == understood


@pytest.mark.parametrize("text", ["AG", "E {p}", "[op]", "AG WF(a)", "EF[op] true", "AG {p} {q}"])
def test_what_is_no_ctl(text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_ctl(text)
    assert str(caught.value.diagnostics[0].code) == "SEC320"
