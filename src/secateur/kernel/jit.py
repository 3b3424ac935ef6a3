"""From kernel code to functions in memory.

The only module that knows llvmlite; importing it takes 50 ms, so import this module only
when there is something to compile.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, Final

import llvmlite.binding as llvm  # type: ignore[import-untyped]

from secateur.kernel.language import Program
from secateur.kernel.to_llvm import to_llvm

_CODE_GENERATION: Final = (0, 1, 2)
"""How much work code generation does, for each level of `optimise`."""


@dataclass(frozen=True, slots=True)
class Group:
    """A function, and the actions or predicates of the program that it runs."""

    address: int
    members: range


@dataclass(frozen=True, slots=True)
class Compiled:
    """The machine code of a program; addresses are valid as long as this object lives."""

    program: Program
    actions: tuple[Group, ...]
    predicates: tuple[Group, ...]
    seconds: float
    engine: Any = field(repr=False)


def compile_program(program: Program, optimise: int = 1) -> Compiled:
    """Compile a program; `optimise` is 0 (soon ready), 1 or 2 (slow to compile, fast to run)."""
    started = time.perf_counter()
    module = to_llvm(program)
    engine = _compile(module.text, optimise)
    return Compiled(
        program,
        tuple(
            Group(engine.get_function_address(f"group{i}"), members)
            for i, members in enumerate(module.groups.actions)
        ),
        tuple(
            Group(engine.get_function_address(f"check{i}"), members)
            for i, members in enumerate(module.groups.predicates)
        ),
        time.perf_counter() - started,
        engine,
    )


def _compile(text: str, optimise: int) -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=_CODE_GENERATION[optimise],
        jit=True,
    )
    # a context of its own, so that programs can be compiled at the same time
    module = llvm.parse_assembly(text, llvm.create_context())
    module.verify()
    if optimise:
        _run_passes(module, machine, optimise)
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    return engine


def _run_passes(module: Any, machine: Any, optimise: int) -> None:
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(optimise))
    passes = llvm.create_new_module_pass_manager()
    passes.add_sroa_pass()
    if optimise > 1:
        passes.add_instruction_combine_pass()
        passes.add_simplify_cfg_pass()
    passes.run(module, builder)
