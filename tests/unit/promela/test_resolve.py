"""Names, scopes, structures and declarations as Spin has them."""

from __future__ import annotations

import pytest

from secateur.lang.promela import ast
from secateur.lang.promela.ast import Basic, Number, Special, Use
from tests.unit.promela.models import program_of


def init_of(text: str) -> ast.Proctype:
    """Return the last process of a model, resolved."""
    return program_of(text).proctypes[-1]


def names_of(process: ast.Proctype) -> list[str]:
    return [variable.name for variable in process.variables]


def target(statement: ast.Statement) -> Use:
    """Return the variable that a statement assigns to."""
    assert isinstance(statement, ast.Assign)
    assert isinstance(statement.target, Use)
    return statement.target


def test_the_last_name_of_an_mtype_has_the_smallest_number() -> None:
    program = program_of("mtype = {a, b, c}; mtype = {d, e}; mtype:k = {f, g}; init { skip }")
    assert program.mtypes == (("", ("c", "b", "a", "e", "d")), ("k", ("g", "f")))


def test_names_of_mtype_and_special_names_are_no_variables() -> None:
    process = init_of("mtype = {a, b}; init { int x; x = a; x = _pid + _nr_pr; _ = 1 }")
    first, second, third = process.body.statements
    assert isinstance(first, ast.Assign)
    assert first.value == Number(2, "a")
    pid, number = ast.Known(Special.PID), ast.Known(Special.NR_PR)
    assert isinstance(second, ast.Assign)
    assert second.value == ast.Binary("+", pid, number)
    assert isinstance(third, ast.Assign)
    assert third.target == ast.Known(Special.SCRATCH)


def test_blocks_have_a_scope_and_options_have_none() -> None:
    text = "init { byte z; { byte x; x = 1 } { byte x; x = 2 } if :: byte y; y = 1 :: y = 2 fi; y = 3 }"
    process = init_of(text)
    assert names_of(process) == ["z", "x", "x_2", "y"]
    assert len({id(variable) for variable in process.variables}) == 4


def test_an_inline_has_a_scope_of_its_own_per_call() -> None:
    process = init_of("inline f() { byte q; q = 1 } init { f(); f() }")
    assert names_of(process) == ["q", "q_2"]


def test_at_the_beginning_a_variable_has_an_initial_value() -> None:
    process = init_of("byte g; init { byte x = g + 1, y; byte a[3] = 2; byte b[4] = {7, 8}; skip }")
    x, y, a, b = process.variables
    assert isinstance(x.initial[0], ast.Binary)
    assert (y.initial, a.initial) == ((), (Number(2),))
    assert b.initial == (Number(7), Number(8), Number(8), Number(8))
    assert process.body.statements == (ast.Condition(Number(1)),)


def test_elsewhere_a_declaration_is_an_assignment() -> None:
    text = "typedef T { byte f = 3 }; init { byte y; y = 1; byte x = y, w; byte a[3]; T t; skip }"
    process = init_of(text)
    found = process.body.statements
    assert [target(s).variable.name for s in found[:4]] == ["y", "x", "w", "a"]
    assert isinstance(found[2], ast.Assign)
    assert found[2].value == Number(0)
    assert target(found[3]).indices == (Number(0),)
    assert found[4:] == (ast.Condition(Number(1)), ast.Condition(Number(1)))
    assert [v.initial for v in process.variables] == [(), (), (), (), (Number(3),)]


def test_in_an_inner_block_too() -> None:
    process = init_of("init { { byte x = 5; x = 3 } }")
    (block,) = process.body.statements
    assert isinstance(block, ast.Sequence)
    first = block.statements[0]
    assert isinstance(first, ast.Assign)
    assert first.value == Number(5)
    assert process.variables[0].initial == ()


def test_structures_become_variables_with_dimensions() -> None:
    text = """
    typedef In { short p; byte q[2] = {1, 2} };
    typedef T { byte a; In i[3]; chan c = [1] of {byte} };
    T t[4];
    init { t[1].i[2].q[0] = t[0].a; t[3].c!1 }
    """
    program = program_of(text)
    found = {v.name: v.dimensions for v in program.globals}
    assert found == {"t.a": (4,), "t.i.p": (4, 3), "t.i.q": (4, 3, 2), "t.c": (4,)}
    by_name = {v.name: v for v in program.globals}
    assert len(by_name["t.i.q"].initial) == 24
    assert by_name["t.c"].channel == ast.Channel(1, (ast.ChannelField(Basic.BYTE),))
    first = program.proctypes[0].body.statements[0]
    assert target(first).variable is by_name["t.i.q"]
    assert target(first).indices == (Number(1), Number(2), Number(0))


def test_structures_in_messages_are_their_numbers() -> None:
    text = """
    typedef T { byte a; short b[2] };
    chan c = [1] of {T, int, mtype:k};
    init { T s[2]; c!s[1], 7, 0; c?s[0], _, 0 }
    """
    program = program_of(text)
    channel = program.globals[0].channel
    assert channel is not None
    kinds = [Basic.BYTE, Basic.SHORT, Basic.SHORT, Basic.INT, Basic.MTYPE]
    assert [f.type for f in channel.fields] == kinds
    assert channel.fields[4].subtype == "k"
    send, receive = program.proctypes[0].body.statements
    assert isinstance(send, ast.Send)
    indices = [a.indices for a in send.args if isinstance(a, Use)]
    assert indices == [(Number(1),), (Number(1), Number(0)), (Number(1), Number(1))]
    assert isinstance(receive, ast.Receive)
    assert receive.args[3:] == (ast.Known(Special.SCRATCH), Number(0))


def test_structures_as_arguments_of_run_are_their_numbers() -> None:
    text = "typedef T { byte a, b }; proctype P(T t; byte x) { x = t.b } init { T s; run P(s, 1) }"
    program = program_of(text)
    assert [p.name for p in program.proctypes[0].parameters] == ["t.a", "t.b", "x"]
    (run,) = program.proctypes[1].body.statements
    assert isinstance(run, ast.Condition)
    assert isinstance(run.condition, ast.Run)
    assert len(run.condition.args) == 3


def test_a_short_message_is_noted_where_it_is_sent_or_received() -> None:
    text = "chan c = [1] of {byte, byte}; init { byte x; c!1; c?[x]; c?<x>; c??[1]; c?x }"
    notes = program_of(text).notes
    assert len(notes) == 2
    assert all("a message of c has 2 fields, not 1" in note for note in notes)
    assert notes[0].startswith("m.pml:1:")


def test_a_loop_over_an_array_runs_over_its_indices() -> None:
    (loop,) = init_of("byte a[3]; init { byte i; for (i in a) { a[i] = 1 } }").body.statements
    assert isinstance(loop, ast.ForRange)
    assert (loop.low, loop.high) == (Number(0), Number(2))


def test_a_loop_over_a_channel_passes_its_messages_round() -> None:
    text = "typedef T { byte a, b }; chan c = [2] of {T}; init { T m; for (m in c) { skip } }"
    process = init_of(text)
    (loop,) = process.body.statements
    assert isinstance(loop, ast.ForRange)
    kinds = [type(s) for s in loop.body.statements]
    assert kinds == [ast.Receive, ast.Send, ast.Condition]
    assert target(ast.Assign(loop.variable, loop.low)).variable is process.variables[-1]


def test_remote_references_see_the_outer_variables_of_a_process() -> None:
    text = """
    active proctype P() { byte x[2]; l: skip; if :: byte y; y = P[1]:x[0] fi }
    never { do :: P[0]:y == 1 && P:x[1] && P[1]@l od }
    """
    program = program_of(text)
    (loop,) = program.nevers[0].body.statements
    assert isinstance(loop, ast.Do)
    (condition,) = loop.options[0].statements
    assert "'l'" in str(condition)
    assert str(condition).count("RemoteVariable") == 2
    assert "Name(" not in str(condition)


def test_later_names_are_known_to_formulas() -> None:
    program = program_of("ltl p { [] (x > P:y) } byte x; active proctype P() { byte y; skip }")
    assert "Name(" not in str(program.ltl[0].formula)


def test_later_names_are_not_known_to_processes() -> None:
    process = init_of("init { byte x; x = 1 } byte x;")
    assert target(process.body.statements[0]).variable.owner == "init"


def test_declarations_know_their_kind() -> None:
    text = "hidden byte h; unsigned u : 5; mtype:k m; active [3] proctype P(byte a) { skip }"
    program = program_of(text)
    h, u, m = program.globals
    assert (h.hidden, u.width, m.subtype) == (True, 5, "k")
    (process,) = program.proctypes
    assert (process.active, process.parameters[0].parameter) == (3, True)


def test_sizes_are_constant_expressions() -> None:
    program = program_of(
        "#define N 2\nmtype = {a}; byte n = 3; byte x[N * 2 + a]; byte y[n]; init { skip }"
    )
    assert [v.dimensions for v in program.globals] == [(), (5,), (3,)]
    assert len(program.notes) == 1


def test_the_priority_of_a_process_can_be_read_and_set() -> None:
    first, second = init_of("init { byte x; x = _priority; _priority = 2 }").body.statements
    own = ast.Known(Special.PID)
    assert isinstance(first, ast.Assign)
    assert first.value == ast.Priority(own)
    assert second == ast.Condition(ast.Priority(own, Number(2)))


@pytest.mark.parametrize("text", ["x[0] = 1", "x[1 - 1] = 1"])
def test_a_scalar_is_an_array_of_length_one(text: str) -> None:
    (statement,) = init_of(f"init {{ byte x; {text} }}").body.statements
    assert target(statement).indices == ()


def test_a_label_with_a_block_keeps_its_place() -> None:
    (statement,) = init_of("init { l: { byte x; x = 1 } }").body.statements
    assert isinstance(statement, ast.Labelled)
    assert isinstance(statement.statement, ast.Sequence)


def test_long_chains_and_deep_blocks_are_no_trouble() -> None:
    chain = " + ".join(["x"] * 3000)
    blocks = "if :: " * 60 + "x = 1" + " fi" * 60
    brackets = "(" * 90 + "x" + ")" * 90
    process = init_of(f"init {{ int x; x = {chain}; {blocks}; x = {brackets} }}")
    assert len(process.body.statements) == 3
