"""How fast the explorer is by itself: counters that only count up, as machine code.

    python -m bench.native_counters [--counters 7] [--values 10] [--threads 1]

Seven counters of 0..9 have 10,000,000 states and 63,000,000 transitions.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

import llvmlite.binding as llvm  # type: ignore[import-untyped]

from secateur._native import Explorer

WIDTH = 4


def _action(i: int, shift: int, layout: Layout) -> list[str]:
    n = f"%n{i}"
    lines = [f"  %r{i} = mul i64 {n}, {layout.words}"]
    for word in range(layout.words):
        value = f"%t{i}" if word == layout.words - 1 else f"%w{word}"
        if word == layout.words - 1:
            lines += [f"  %t{i} = add i64 %s, {1 << shift}"]
        lines += [
            f"  %o{i}_{word} = add i64 %r{i}, {word}",
            f"  %p{i}_{word} = getelementptr i64, ptr %records, i64 %o{i}_{word}",
            f"  store i64 {value}, ptr %p{i}_{word}",
        ]
    return [
        *lines,
        f"  %a{i} = lshr i64 %s, {shift}",
        f"  %v{i} = and i64 %a{i}, {2**WIDTH - 1}",
        f"  %g{i} = icmp ult i64 %v{i}, {layout.values - 1}",
        f"  %z{i} = zext i1 %g{i} to i64",
        f"  %n{i + 1} = add i64 {n}, %z{i}",
        f"  %e{i} = getelementptr i32, ptr %by, i64 {n}",
        f"  store i32 {i}, ptr %e{i}",
    ]


def _predicate(i: int, shift: int, layout: Layout) -> list[str]:
    return [
        f"  %a{i} = lshr i64 %s, {shift}",
        f"  %v{i} = and i64 %a{i}, {2**WIDTH - 1}",
        f"  %g{i} = icmp ult i64 %v{i}, {layout.values}",
        f"  %z{i} = zext i1 %g{i} to i8",
        f"  %h{i} = getelementptr i8, ptr %holds, i64 {i}",
        f"  store i8 %z{i}, ptr %h{i}",
    ]


@dataclass(frozen=True)
class Layout:
    """Counters of 0..values-1 from bit `shift` of the last of some words on."""

    counters: int = 7
    values: int = 10
    words: int = 1
    shift: int = 0

    @property
    def bits(self) -> list[int]:
        """What each word uses."""
        return [64] * (self.words - 1) + [self.counters * WIDTH + self.shift]

    def ir(self) -> str:
        """Return a group of one action for each counter, and a check for each."""
        shifts = [self.shift + i * WIDTH for i in range(self.counters)]
        load = [
            line
            for word in range(self.words)
            for line in (
                f"  %q{word} = getelementptr i64, ptr %state, i64 {word}",
                f"  %{'s' if word == self.words - 1 else f'w{word}'} = load i64, ptr %q{word}",
            )
        ]
        head = "(ptr %state, ptr %records, i64 %capacity, ptr %by, ptr %trapped)"
        lines = [f"define i64 @group{head} {{"]
        lines += [*load, "  %n0 = add i64 0, 0"]
        lines += [line for i, shift in enumerate(shifts) for line in _action(i, shift, self)]
        lines += [
            f"  ret i64 %n{self.counters}",
            "}",
            "define void @check(ptr %state, ptr %holds) {",
            *load,
        ]
        lines += [line for i, shift in enumerate(shifts) for line in _predicate(i, shift, self)]
        return "\n".join([*lines, "  ret void", "}"])

    def explorer(self, code: llvm.ExecutionEngine) -> Explorer:
        """Return an explorer of the counters."""
        every = list(range(self.counters))
        explorer = Explorer(self.bits, 0, len(every), len(every))
        explorer.add_group(code.get_function_address("group"), every, [True for _ in every])
        explorer.add_checks(code.get_function_address("check"), every)
        for i in every:
            explorer.set_affected(i, [i])
        explorer.add_initial([2**64 - 1 - word for word in range(self.words - 1)] + [0])
        return explorer


def compiled(ir: str) -> llvm.ExecutionEngine:
    """Return machine code for the functions of `ir`."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(opt=2)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(ir), machine)
    engine.finalize_object()
    return engine


def main() -> None:
    """Explore, and print what that took."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--counters", type=int, default=7)
    parser.add_argument("--values", type=int, default=10)
    parser.add_argument("--words", type=int, default=1, help="words of a state")
    parser.add_argument("--shift", type=int, default=0, help="unused bits below the counters")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--search", default="bf")
    parser.add_argument("--compress", action="store_true")
    given = parser.parse_args()
    layout = Layout(given.counters, given.values, given.words, given.shift)
    code = compiled(layout.ir())
    explorer = layout.explorer(code)
    explorer.threads = given.threads
    explorer.search = given.search
    explorer.compress = given.compress
    wall, cpu = time.perf_counter(), time.process_time()
    ending = explorer.run(None, None)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"{ending}: {explorer.states:,} states, {explorer.transitions:,} transitions")
    print(f"{wall:.2f} s, {cpu:.2f} s of the processors")
    print(f"{explorer.states / cpu / 1e6:.2f} million states a second of a processor")
    print(f"{explorer.memory / explorer.states:.1f} bytes a state")


if __name__ == "__main__":
    main()
