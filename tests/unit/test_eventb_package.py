"""ProB's packages and the Prolog terms they are made of."""

from __future__ import annotations

import pytest

from secateur.lang.eventb.package import read_project
from secateur.lang.eventb.parse_formula import parse_action, parse_formula
from secateur.lang.eventb.prolog import Reader
from secateur.maths.ast import Expr
from secateur.maths.evaluate.compiler import Compiler
from secateur.maths.evaluate.universe import Universe
from secateur.maths.infer import Inference
from secateur.maths.infer_elaborate import elaborate
from secateur.source import InputError, Source


def package(machine: str = "", context: str = "", rest: str = "") -> Source:
    """Return a package with a machine M and a context C."""
    return Source(
        "m.eventb",
        f"package(load_event_b_project([event_b_model(none,'M',[{machine}])],"
        f"[event_b_context(none,'C',[{context}])],[{rest}],_Error)).\n",
    )


def test_terms() -> None:
    """Quoted atoms with escapes, numbers, lists, variables, strings and comments."""
    text = "f('it''s', 'a\\344\\\\'', -3, [x, g(_Y)], \"s\") % end"
    term = Reader(Source("t", text)).term()
    assert [a.name for a in term.args] == ["it's", "aä'", "-3", ".", "s"]
    assert term.args[3].is_list
    assert term.args[3].args[1].args[0].name == "_"


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("equal(none,identifier(none,x),integer(none,-1))", "x=−1"),
        ("conjunct(none,truth(none),conjunct(none,truth(none),falsity(none)))", "⊤∧⊤∧⊥"),
        (
            "member(none,couple(none,[identifier(none,a),integer(none,1)]),identifier(none,'S'))",
            "a↦1∈S",
        ),
        (
            (
                "forall(none,[identifier(none,a)],implication(none,member(none,identifier(none,a),"
                "natural_set(none)),greater_equal(none,identifier(none,a),integer(none,0))))"
            ),
            "∀a·a∈ℕ⇒a≥0",
        ),
        (
            (
                "equal(none,event_b_comprehension_set(none,[identifier(none,s)],couple(none,"
                "[identifier(none,s),integer(none,1)]),member(none,identifier(none,s),"
                "identifier(none,'S'))),empty_set(none))"
            ),
            "(λs·s∈S∣1)=∅",
        ),
        (
            "partition(none,identifier(none,'S'),[set_extension(none,[identifier(none,a)])])",
            "partition(S,{a})",
        ),
        ("finite(none,range(none,identifier(none,f)))", "finite(ran(f))"),
        (
            "equal(none,function(none,identifier(none,f),[identifier(none,x)]),convert_bool(none,truth(none)))",
            "f(x)=bool(⊤)",
        ),
        (
            "equal(none,ring(none,identifier(none,f),identifier(none,g)),event_b_identity(none))",
            "f∘g=id",
        ),
    ],
)
def test_formulas(term: str, text: str) -> None:
    """A term and the formula that it stands for."""
    found = read_project(package(f"invariant(none,[{term}])")).machines["M"].invariants[0]
    assert found.predicate == parse_formula(Source("f", text))


def test_events_of_all_exporters() -> None:
    """The oldest ones write neither a status nor theorems."""
    guard = "less(rodinpos('M',grd1,a),identifier(none,x),integer(none,9))"
    act = "becomes_such(rodinpos('M',act7,a),[identifier(none,x)],less(none,identifier(none,'x\\''),identifier(none,x)))"
    parts = f"[],[identifier(none,p)],[{guard}]"
    events = (
        f"event(none,a,{parts},[{act}],[]),event(none,b,ordinary(none),{parts},[{act}],[]),"
        f"event(none,c,convergent(none),{parts},[{guard}],[{act}],"
        f"[witness(none,identifier(none,q),equal(none,identifier(none,q),identifier(none,p)))])"
    )
    found = read_project(package(f"variables(none,[identifier(none,x)]),events(none,[{events}])"))
    a, b, c = found.machines["M"].events
    assert a.guards == b.guards
    assert [g.theorem for g in c.guards] == [False, True]
    assert [w.label for w in c.witnesses] == ["q"]
    for event in (a, b, c):
        assert event.actions[0].label == "act7"
        assert event.actions[0].substitution == parse_action(Source("a", "x :∣ x' < x"))


def test_inherited_invariants_are_left_out() -> None:
    """Older exporters repeat those of the abstraction."""
    one = "equal(rodinpos('A',inv1,a),identifier(none,x),integer(none,1))"
    text = (
        f"package(load_event_b_project([event_b_model(none,'M',[refines(none,'A'),"
        f"invariant(none,[{one}])]),event_b_model(none,'A',[invariant(none,[{one}])])],[],[],_))."
    )
    found = read_project(Source("m", text))
    assert found.machines["M"].invariants == ()
    assert len(found.machines["A"].invariants) == 1
    assert found.main == "M"


def test_contexts() -> None:
    """Sets, both kinds of constants, axioms and theorems."""
    found = read_project(
        package(
            context="extends(none,['D']),sets(none,[deferred_set(none,'S')]),"
            "constants(none,[identifier(none,c)]),abstract_constants(none,[identifier(none,d)]),"
            "axioms(none,[truth(rodinpos(axm1,x))]),theorems(none,[truth(none)])"
        )
    ).contexts["C"]
    assert [n.text for n in (*found.extends, *found.sets, *found.constants)] == ["D", "S", "c", "d"]
    assert [(a.label, a.theorem) for a in found.axioms] == [("axm1", False), ("theorems1", True)]


def test_operators_of_theories() -> None:
    """A direct definition is put in; what has none is named."""
    theory = (
        "theory(theory_name(a,b),[],[],[],[operator(twice,[argument(a,integer_set(none))],"
        "truth(none),[add(none,identifier(none,a),identifier(none,a))],[])],[],[])"
    )
    use = "equal(none,extended_expr(none,{},[integer(none,4)],[]),integer(none,8))"
    found = read_project(package(f"invariant(none,[{use.format('twice')}])", rest=theory))
    expected = parse_formula(Source("f", "4+4=8"))
    assert found.machines["M"].invariants[0].predicate == expected
    with pytest.raises(InputError, match="thrice"):
        read_project(package(f"invariant(none,[{use.format('thrice')}])", rest=theory))


@pytest.mark.parametrize(
    "text",
    [
        "package(load_event_b_project([event_b_model(none",
        "package(load_event_b_project([event_b_model(none,'M',[invariant(none,[bag(none)])])],[],[],_)).",
        "package(load_event_b_project([event_b_model(none,'M',[invariant(none,[integer(none)])])],[],[],_)).",
        "package(load_event_b_project([event_b_model(none,'M',[events(none,[event(a)])])],[],[],_)).",
        "package(nothing).",
    ],
)
def test_broken_packages(text: str) -> None:
    """Nothing but an InputError comes of them."""
    with pytest.raises(InputError):
        read_project(Source("m", text))


LIST = "extended_expr(none,'List',[identifier(none,'T')],[])"
LISTS = (
    "theory(theory_name(a,b),[],['T'],[datatype('List',[identifier(none,'T')],[constructor(nil,[]),"
    f"constructor(cons,[destructor(head,identifier(none,'T')),destructor(tail,{LIST})])])],["
    f"operator(len,[argument(l,{LIST})],truth(none),[],["
    "case(l,[],extended_expr(none,nil,[],[]),integer(none,0)),"
    "case(l,[t,h],extended_expr(none,cons,[identifier(none,h),identifier(none,t)],[]),"
    "add(none,integer(none,1),extended_expr(none,len,[identifier(none,t)],[])))]),"
    f"operator(mirror,[argument(l,{LIST}),argument(a,{LIST})],truth(none),[],["
    "case(l,[],extended_expr(none,nil,[],[]),identifier(none,a)),"
    "case(l,[t,h],extended_expr(none,cons,[identifier(none,h),identifier(none,t)],[]),"
    "extended_expr(none,mirror,[identifier(none,t),extended_expr(none,cons,"
    "[identifier(none,h),identifier(none,a)],[])],[]))]),"
    f"operator(others,[argument(l,{LIST})],truth(none),[],["
    "case(l,[],extended_expr(none,nil,[],[]),identifier(none,'T')),"
    "case(l,[t,h],extended_expr(none,cons,[identifier(none,h),identifier(none,t)],[]),"
    "set_subtraction(none,extended_expr(none,others,[identifier(none,t)],[]),"
    "set_extension(none,[identifier(none,h)])))])],[],[])"
)
"""Among them an operator that speaks of all values of its type parameter."""


def listed(*items: str) -> str:
    """Return a list of a theory, as a term."""
    found = "extended_expr(none,nil,[],[])"
    for item in reversed(items):
        found = f"extended_expr(none,cons,[{item},{found}],[])"
    return found


ONE, TWO = "integer(none,1)", "integer(none,2)"


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (f"extended_expr(none,len,[{listed(ONE, TWO)}],[])", 2),
        (f"extended_expr(none,len,[{listed('boolean_true(none)')}],[])", 1),
        (f"extended_expr(none,head,[extended_expr(none,tail,[{listed(ONE, TWO)}],[])],[])", 2),
        (
            f"extended_expr(none,head,[extended_expr(none,mirror,[{listed(ONE, TWO)},{listed()}],[])],[])",
            2,
        ),
        ("card(none,extended_expr(none,'List',[empty_set(none)],[]))", 1),
        (f"card(none,extended_expr(none,others,[{listed('boolean_true(none)')}],[]))", 1),
    ],
)
def test_data_types(term: str, expected: int) -> None:
    """Constructors, destructors, the set of values and operators by recursion."""
    invariant = f"invariant(none,[equal(none,{term},identifier(none,x))])"
    found = read_project(package(invariant, rest=LISTS)).machines["M"].invariants[0].predicate
    assert value_of(found.args[0]) == expected  # type: ignore[union-attr]


def value_of(e: Expr) -> object:
    """Infer, compile and evaluate a closed expression."""
    inference = Inference()
    inference.infer(e, {})
    inference.settle()
    inference.finish()
    compiler = Compiler(Universe())
    code = compiler.code(elaborate(e, inference))
    return code(compiler.environment(None))
