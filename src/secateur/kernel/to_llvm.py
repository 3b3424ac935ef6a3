"""Machine code: groups of actions and of predicates as LLVM IR (see native/ABI.md).

Functions are `@group0`, `@group1`, ... and `@check0`, `@check1`, ...; each group is a range
of the program's actions or predicates, in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from secateur.kernel.dispatch import Guarded, Questions
from secateur.kernel.language import Action, Block, Emit, Expr, Load, Predicate, Program
from secateur.kernel.llvm_buffers import Buffers
from secateur.kernel.llvm_expressions import branch, number, truth
from secateur.kernel.llvm_frame import Frame, Tables, Unit, begin
from secateur.kernel.llvm_function import Function
from secateur.kernel.llvm_sets import element
from secateur.kernel.llvm_statements import Writer, label_words
from secateur.kernel.walk import Survey, uses_of
from secateur.source.records import dataclass

TRAPPED: Final = -1
FULL: Final = -2
_FULL: Final = "full"

_MOST_PARTS: Final = 50
_MOST_SIZE: Final = 6000
"""The limits of one function: compilers take more than linear time for large ones."""
_APART: Final = 8
"""Actions of which a jump finds the right ones count so much less: each is for itself."""

Piece = Sequence[int]
"""The sizes of one action or predicate, or of several that a jump decides between."""

_GROUP: Final = (
    "define i64 @group{}(ptr noalias readonly %state, ptr noalias %records,"
    " i64 %capacity, ptr noalias %by, ptr noalias %trapped) nounwind"
)
_CHECK: Final = "define void @check{}(ptr noalias readonly %state, ptr noalias %holds) nounwind"

_HEAD: Final = """
declare {i64, i1} @llvm.sadd.with.overflow.i64(i64, i64)
declare {i64, i1} @llvm.ssub.with.overflow.i64(i64, i64)
declare {i64, i1} @llvm.smul.with.overflow.i64(i64, i64)
declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.ctlz.i64(i64, i1)
declare i64 @llvm.fshl.i64(i64, i64, i64)
declare i64 @llvm.fshr.i64(i64, i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
"""

# Squares are computed only as long as bits of the exponent are left, so that one that
# overflows means that the power does.
_POWER: Final = """
define internal {i64, i1} @power(i64 %base, i64 %exponent) {
start:
  %negative = icmp slt i64 %exponent, 0
  br i1 %negative, label %none, label %head
head:
  %b = phi i64 [ %base, %start ], [ %square, %more ]
  %e = phi i64 [ %exponent, %start ], [ %half, %more ]
  %r = phi i64 [ 1, %start ], [ %result, %more ]
  %done = icmp eq i64 %e, 0
  br i1 %done, label %out, label %body
body:
  %odd = trunc i64 %e to i1
  %factor = select i1 %odd, i64 %b, i64 1
  %p = call {i64, i1} @llvm.smul.with.overflow.i64(i64 %r, i64 %factor)
  %result = extractvalue {i64, i1} %p, 0
  %large = extractvalue {i64, i1} %p, 1
  br i1 %large, label %none, label %halve
halve:
  %half = lshr i64 %e, 1
  %last = icmp eq i64 %half, 0
  br i1 %last, label %found, label %go
go:
  %s = call {i64, i1} @llvm.smul.with.overflow.i64(i64 %b, i64 %b)
  %square = extractvalue {i64, i1} %s, 0
  %over = extractvalue {i64, i1} %s, 1
  br i1 %over, label %none, label %more
more:
  br label %head
found:
  br label %out
out:
  %value = phi i64 [ %r, %head ], [ %result, %found ]
  %with = insertvalue {i64, i1} { i64 0, i1 false }, i64 %value, 0
  ret {i64, i1} %with
none:
  ret {i64, i1} { i64 0, i1 true }
}
"""


@dataclass(frozen=True, slots=True)
class Groups:
    """Which actions and predicates are in which function, in order."""

    actions: tuple[range, ...]
    predicates: tuple[range, ...]


def _divide(pieces: Sequence[Piece]) -> tuple[range, ...]:
    """Return groups within the limits; what is in one piece is in one group if it can be."""
    groups: list[range] = []
    start = end = 0
    parts = size = 0.0
    for sizes in pieces:
        apart = _APART if len(sizes) > 1 else 1
        fits = _within(parts + len(sizes) / apart, size + sum(sizes) / apart)
        for i, each in enumerate(sizes):
            if end > start and not (
                _within(parts + 1 / apart, size + each / apart) and (fits or i > 0)
            ):
                groups.append(range(start, end))
                start, parts, size = end, 0.0, 0.0
            end, parts, size = end + 1, parts + 1 / apart, size + each / apart
    if start < end:
        groups.append(range(start, end))
    return tuple(groups)


def _within(parts: float, size: float) -> bool:
    return parts <= _MOST_PARTS and size <= _MOST_SIZE


@dataclass(frozen=True, slots=True)
class Module:
    """The functions of a program, and what is in which of them; each can stand alone."""

    head: str
    functions: tuple[str, ...]
    groups: Groups

    @property
    def text(self) -> str:
        """All functions together."""
        return "\n".join((self.head, *self.functions))


def to_llvm(program: Program, groups: Groups | None = None) -> Module:
    """Return the module of a program, with its parts in these groups or in new ones."""
    survey = Survey()
    shared = _Shared(program, program.words + program.label_words, Tables(), survey)
    questions = Questions()
    guarded = [questions.guarded(action.body) for action in program.actions]
    if groups is None:
        groups = Groups(
            _divide(
                [
                    [survey.size(program.actions[j].body) for j in run.members]
                    for run in questions.runs(guarded, conditions=False)
                ]
            ),
            _divide([[survey.size(p.body) + uses_of(p.result).size] for p in program.predicates]),
        )
    functions = [
        _group(
            shared.unit(_GROUP.format(i)),
            [program.actions[j] for j in group],
            [guarded[j] for j in group],
            questions,
        )
        for i, group in enumerate(groups.actions)
    ]
    functions += [
        _check(shared.unit(_CHECK.format(i)), [program.predicates[j] for j in group])
        for i, group in enumerate(groups.predicates)
    ]
    return Module(head_of(shared.tables, functions), tuple(functions), groups)


def head_of(tables: Tables, functions: Sequence[str]) -> str:
    """Return what functions refer to: intrinsics, tables, and a power if one is needed."""
    power = _POWER if any("@power(" in text for text in functions) else ""
    return f"{_HEAD}{tables.text()}{power}"


@dataclass(slots=True)
class _Shared:
    """What the functions of a module share."""

    program: Program
    stride: int
    tables: Tables
    survey: Survey

    def unit(self, head: str) -> Unit:
        """Begin another function."""
        fn = Function(head)
        buffers = Buffers(fn, self.program, self.survey)
        return Unit(fn, self.program, self.tables, self.survey, buffers, self.stride)


def _group(unit: Unit, actions: list[Action], guarded: list[Guarded], questions: Questions) -> str:
    fn = unit.fn
    group = _Group(unit, actions, questions, fn.slot("i64", "count"))
    fn.line(f"store i64 0, ptr {group.count}")
    group.all(list(enumerate(guarded)))
    fn.line(f"ret i64 {fn.new(f'load i64, ptr {group.count}')}")
    if fn.aimed_at(_FULL):
        fn.begin(_FULL)
        fn.line(f"ret i64 {FULL}")
    return fn.text()


_Member = tuple[int, Guarded]
"""An action, by its place in the group."""


@dataclass(slots=True)
class _Group:
    """A function that runs actions one after the other."""

    unit: Unit
    actions: list[Action]
    questions: Questions
    count: str
    """Where the number of records is."""

    def all(self, members: Sequence[_Member]) -> None:
        """Write actions; jumps find those that need be looked at."""
        for run in self.questions.runs([guarded for _, guarded in members]):
            self._run([members[i] for i in run.members], run.question)

    def _run(self, members: Sequence[_Member], question: int | None) -> None:
        if question is None:
            for j, guarded in members:
                if guarded.body:
                    self._action(j, guarded.block())
            return
        fn = self.unit.fn
        after = fn.label("after")
        cases: dict[int, list[_Member]] = {}
        for j, guarded in members:
            if guarded.body:
                cases.setdefault(guarded.tests[question], []).append((j, guarded.at(question)))
        labels = {c: fn.label("case") for c in cases}
        self._decide(self.questions.asked[question], labels, after)
        for c, label in labels.items():
            fn.forget(0)
            fn.begin(label)
            self.all(cases[c])
            fn.jump(after)
        fn.forget(0)
        fn.begin(after)

    def _decide(self, asked: Expr, labels: Mapping[int, str], after: str) -> None:
        """Go where the answer to a question says."""
        frame = begin(self.unit, "", ())
        if isinstance(asked, Load):
            ways = " ".join(f"i64 {c}, label %{label}" for c, label in labels.items())
            found = number(frame, asked)
            self.unit.fn.line(f"switch i64 {found}, label %{after} [ {ways} ]")
        else:
            branch(frame, asked, labels.get(1, after), labels.get(0, after))

    def _action(self, j: int, body: Block) -> None:
        fn, trap = self.unit.fn, f"trap{j}"
        before = fn.new(f"load i64, ptr {self.count}")
        frame = begin(self.unit, trap, body)
        Writer(frame, self._emitter(frame, j)).block(body)
        if fn.aimed_at(trap):
            after = fn.label("action")
            fn.jump(after)
            fn.begin(trap)
            fn.line(f"store i64 {before}, ptr {self.count}")
            self._note_trap(j)
            fn.jump(after)
            fn.begin(after)
        # sharing with the actions before would save little and cost registers (measured)
        fn.forget(0)

    def _note_trap(self, j: int) -> None:
        fn = self.unit.fn
        times = fn.new(f"add i32 {fn.new('load i32, ptr %trapped')}, 1")
        fn.line(f"store i32 {times}, ptr %trapped")
        place = fn.new(f"getelementptr i32, ptr %trapped, i32 {times}")
        fn.line(f"store i32 {j}, ptr {place}")

    def _emitter(self, frame: Frame, j: int) -> Callable[[Emit], None]:
        """Return what writes a record at the end of those that are there."""
        fn, program, action = frame.fn, frame.unit.program, self.actions[j]

        def emit(e: Emit) -> None:
            labels = label_words(frame, action, e)
            written = fn.new(f"load i64, ptr {self.count}")
            room = fn.label("room")
            fn.branch(fn.compare("slt", written, "%capacity"), room, _FULL)
            fn.begin(room)
            record = element(fn, "%records", fn.mul(written, frame.unit.stride))
            frame.buffers.write_state(e.buffer, record)
            if not action.distinct:  # its records are compared as a whole
                labels += [0] * (program.label_words - len(labels))
            for i, label in enumerate(labels):
                place = element(fn, record, program.words + i)
                fn.line(f"store i64 {label}, ptr {place}, align 8")
            by = fn.new(f"getelementptr i32, ptr %by, i64 {written}")
            fn.line(f"store i32 {j}, ptr {by}")
            fn.line(f"store i64 {fn.add(written, 1)}, ptr {self.count}")

        return emit


def _check(unit: Unit, predicates: list[Predicate]) -> str:
    fn = unit.fn
    for j, predicate in enumerate(predicates):
        at = fn.pure(f"getelementptr i8, ptr %holds, i64 {j}")
        frame = begin(unit, f"trap{j}", predicate.body, predicate.result)
        Writer(frame, _no_successors).block(predicate.body)
        frame.buffers.prepare(uses_of(predicate.result))
        holds = truth(frame, predicate.result)
        fn.line(f"store i8 {fn.pure(f'zext i1 {holds} to i8')}, ptr {at}")
        fn.jump(f"predicate{j + 1}")
        fn.begin(f"trap{j}")
        fn.line(f"store i8 2, ptr {at}")
        fn.jump(f"predicate{j + 1}")
        fn.forget(0)
        fn.begin(f"predicate{j + 1}")
    fn.line("ret void")
    return fn.text()


def _no_successors(e: Emit) -> None:
    raise AssertionError(f"a predicate has no successors: {e}")
