"""Events as LLVM IR: two functions each, `@guardN` and `@performN` (see native/ABI.md)."""

from __future__ import annotations

from typing import Final

from secateur.kernel.events import Event, EventProgram
from secateur.kernel.language import Emit
from secateur.kernel.llvm_buffers import Buffers
from secateur.kernel.llvm_expressions import truth
from secateur.kernel.llvm_frame import Given, Tables, Unit, begin
from secateur.kernel.llvm_function import Function
from secateur.kernel.llvm_sets import element
from secateur.kernel.llvm_statements import Writer
from secateur.kernel.to_llvm import FULL, TRAPPED, head_of
from secateur.kernel.walk import Survey, uses_of

_GUARD: Final = (
    "define void @guard{}(ptr noalias readonly %state, ptr noalias readonly %parameters,"
    " ptr noalias %found) nounwind"
)
_PERFORM: Final = (
    "define i64 @perform{}(ptr noalias readonly %state, ptr noalias readonly %parameters,"
    " ptr noalias %records, i64 %capacity) nounwind"
)


def events_to_llvm(program: EventProgram) -> str:
    """Return the text of a module with the functions of all events."""
    tables, survey = Tables(), Survey()

    def unit(head: str) -> Unit:
        fn = Function(head)
        plain = program.program
        return Unit(fn, plain, tables, survey, Buffers(fn, plain, survey), program.words)

    functions: list[str] = []
    for number, event in enumerate(program.events):
        functions.append(_guard(unit(_GUARD.format(number)), event))
        functions.append(_perform(unit(_PERFORM.format(number)), event))
    return "\n".join((head_of(tables, functions), *functions))


def _parameters(unit: Unit, event: Event) -> dict[str, Given]:
    fn = unit.fn
    places = [
        fn.at_entry(f"getelementptr i64, ptr %parameters, i64 {i}")
        for i in range(len(event.parameters))
    ]
    return {
        p.name: Given(fn.at_entry(f"load i64, ptr {place}, align 8"), bounds)
        for p, bounds, place in zip(event.parameters, event.bounds, places, strict=True)
    }


def _guard(unit: Unit, event: Event) -> str:
    """Write what sets, for each conjunct, the bit of the word that its value asks for."""
    fn = unit.fn
    false, trapped = fn.slot("i64", "false"), fn.slot("i64", "trapped")
    fn.line(f"store i64 0, ptr {false}")
    fn.line(f"store i64 0, ptr {trapped}")
    parameters = _parameters(unit, event)
    for j, conjunct in enumerate(event.guard):
        frame = begin(unit, f"trap{j}", conjunct.body, conjunct.result, parameters=parameters)
        Writer(frame, _no_successors).block(conjunct.body)
        frame.buffers.prepare(uses_of(conjunct.result))
        bit = fn.select(truth(frame, conjunct.result), 0, 1 << j)
        fn.line(f"store i64 {fn.or_(fn.new(f'load i64, ptr {false}'), bit)}, ptr {false}")
        fn.jump(f"conjunct{j + 1}")
        fn.begin(f"trap{j}")
        fn.line(f"store i64 {fn.or_(fn.new(f'load i64, ptr {trapped}'), 1 << j)}, ptr {trapped}")
        fn.jump(f"conjunct{j + 1}")
        fn.forget(0)
        fn.begin(f"conjunct{j + 1}")
    for place, slot in enumerate((false, trapped)):
        fn.line(f"store i64 {fn.new(f'load i64, ptr {slot}')}, ptr {element(fn, '%found', place)}")
    fn.line("ret void")
    return fn.text()


def _perform(unit: Unit, event: Event) -> str:
    """Write what puts the results one after the other and returns their number."""
    fn = unit.fn
    count = fn.slot("i64", "count")
    fn.line(f"store i64 0, ptr {count}")
    frame = begin(unit, "trap", event.body, parameters=_parameters(unit, event))

    def emit(e: Emit) -> None:
        number = fn.new(f"load i64, ptr {count}")
        room = fn.label("room")
        fn.branch(fn.compare("slt", number, "%capacity"), room, "full")
        fn.begin(room)
        frame.buffers.write_state(
            e.buffer, element(fn, "%records", fn.mul(number, unit.program.words))
        )
        fn.line(f"store i64 {fn.add(number, 1)}, ptr {count}")

    Writer(frame, emit).block(event.body)
    fn.line(f"ret i64 {fn.new(f'load i64, ptr {count}')}")
    for label, code in (("trap", TRAPPED), ("full", FULL)):
        fn.begin(label)
        fn.line(f"ret i64 {code}")
    return fn.text()


def _no_successors(e: Emit) -> None:
    raise AssertionError(f"a guard has no successors: {e}")
