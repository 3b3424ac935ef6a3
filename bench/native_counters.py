"""How fast the explorer is by itself: counters that only count up, as machine code.

    python -m bench.native_counters [--counters 7] [--values 10] [--threads 1]

Seven counters of 0..9 have 10,000,000 states and 63,000,000 transitions.
"""

from __future__ import annotations

import argparse
import time

import llvmlite.binding as llvm

from secateur._native import Explorer

WIDTH = 4


def counters_ir(counters: int, values: int) -> str:
    """Return a group of one action for each counter, in one word, and a check for each."""
    lines = [
        "define void @group(ptr %state, ptr %records, i64 %capacity, ptr %ends) {",
        "entry:",
        "  %s = load i64, ptr %state",
        "  br label %try0",
    ]
    for i in range(counters):
        n = "0" if i == 0 else f"%n{i}"
        if i:
            lines += [f"try{i}:", f"  %n{i} = phi i64 [ %m{i - 1}, %next{i - 1} ]"]
        else:
            lines += ["try0:"]
        lines += [
            f"  %a{i} = lshr i64 %s, {i * WIDTH}",
            f"  %v{i} = and i64 %a{i}, {2**WIDTH - 1}",
            f"  %t{i} = add i64 %s, {1 << i * WIDTH}",
            f"  %p{i} = getelementptr i64, ptr %records, i64 {n}",
            f"  store i64 %t{i}, ptr %p{i}",
            f"  %g{i} = icmp ult i64 %v{i}, {values - 1}",
            f"  %z{i} = zext i1 %g{i} to i64",
            f"  %m{i} = add i64 {n}, %z{i}",
            f"  %e{i} = getelementptr i64, ptr %ends, i64 {i}",
            f"  store i64 %m{i}, ptr %e{i}",
            f"  br label %next{i}",
            f"next{i}:",
            f"  br label %try{i + 1}",
        ]
    lines += [f"try{counters}:", "  ret void", "}"]
    lines += ["define void @check(ptr %state, ptr %holds) {", "  %s = load i64, ptr %state"]
    for i in range(counters):
        lines += [
            f"  %a{i} = lshr i64 %s, {i * WIDTH}",
            f"  %v{i} = and i64 %a{i}, {2**WIDTH - 1}",
            f"  %g{i} = icmp ult i64 %v{i}, {values}",
            f"  %z{i} = zext i1 %g{i} to i8",
            f"  %h{i} = getelementptr i8, ptr %holds, i64 {i}",
            f"  store i8 %z{i}, ptr %h{i}",
        ]
    return "\n".join([*lines, "  ret void", "}"])


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
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--search", default="bf")
    given = parser.parse_args()
    n = given.counters
    code = compiled(counters_ir(n, given.values))
    explorer = Explorer([n * WIDTH], 0, n, n)
    explorer.add_group(code.get_function_address("group"), list(range(n)), [True] * n)
    explorer.add_checks(code.get_function_address("check"), list(range(n)))
    for i in range(n):
        explorer.set_affected(i, [i])
    explorer.threads = given.threads
    explorer.search = given.search
    explorer.add_initial([0])
    wall, cpu = time.perf_counter(), time.process_time()
    ending = explorer.run(None, None)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"{ending}: {explorer.states:,} states, {explorer.transitions:,} transitions")
    print(f"{wall:.2f} s, {cpu:.2f} s of the processors")
    print(f"{explorer.states / cpu / 1e6:.2f} million states a second of a processor")
    print(f"{explorer.memory / explorer.states:.1f} bytes a state")


if __name__ == "__main__":
    main()
