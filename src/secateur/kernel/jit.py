"""From kernel code to functions in memory.

The only module that knows llvmlite; importing it takes 50 ms, so import this module only
when there is something to compile.

Code that is soon ready runs at about a third of the speed of optimised code, which takes
five to ten times as long to compile.  So: `compile_program(p, optimise=False)` at once, and
`Later(compiled)`, which compiles the same groups again on another thread.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Sequence
from dataclasses import field
from typing import Any, Final

import llvmlite.binding as llvm  # type: ignore[import-untyped]

from secateur.kernel.events import EventProgram, verify_events
from secateur.kernel.language import Program
from secateur.kernel.llvm_events import events_to_llvm
from secateur.kernel.to_llvm import Groups, Module, to_llvm
from secateur.kernel.unroll import unrolled
from secateur.kernel.verify import verify
from secateur.source.records import dataclass

_QUICK: Final = 0
_THOROUGH: Final = 1
"""Levels of code generation; a higher one takes longer and gains nothing here (measured)."""

_SHORT: Final = 200_000
"""Characters of code up to which instructions are combined: it gains a tenth, and of many actions,
few of which run in one state, takes as long as all the rest."""


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
    effort: float
    """Seconds of the processor: fewer, where others have it as well."""
    module: Module = field(repr=False)
    engines: tuple[Loaded, ...] = field(repr=False)


class _Started:
    """When this thread has begun to compile."""

    def __init__(self) -> None:
        self.clock = time.perf_counter()
        self.thread = time.thread_time()


def compile_program(program: Program, *, optimise: bool = True) -> Compiled:
    """Compile a program; raise Unlawful if it is not one."""
    started = _Started()
    verify(program)
    module = to_llvm(unrolled(program) if optimise else program)
    engine = _compile(module.text, optimise=optimise)
    return _linked(program, module, [engine] * len(module.functions), started)


@dataclass(frozen=True, slots=True)
class CompiledEvents:
    """The machine code of events; addresses are valid as long as this object lives."""

    program: EventProgram
    guards: tuple[int, ...]
    performs: tuple[int, ...]
    seconds: float
    engine: Loaded = field(repr=False)


def compile_events(program: EventProgram) -> CompiledEvents:
    """Compile events; raise Unlawful if one is none."""
    started = time.perf_counter()
    verify_events(program)
    engine = _compile(events_to_llvm(program), optimise=True)
    places = range(len(program.events))
    return CompiledEvents(
        program,
        tuple(engine.address(f"guard{i}") for i in places),
        tuple(engine.address(f"perform{i}") for i in places),
        time.perf_counter() - started,
        engine,
    )


class Later:
    """Optimised code of a program, compiled on another thread, function by function."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled
        self._result: Compiled | None = None
        self._failure: Exception | None = None
        self._cancelled = threading.Event()
        self._thread = threading.Thread(target=self._run, name="kernel compiler")
        self._thread.start()

    def _run(self) -> None:
        started = _Started()
        program, groups = self._compiled.program, self._compiled.module.groups
        engines = []
        try:
            module = to_llvm(unrolled(program), groups)
            for function in module.functions:
                if self._cancelled.is_set():
                    return
                engines.append(_compile(f"{module.head}\n{function}", optimise=True))
            self._result = _linked(program, module, engines, started)
        except Exception as failure:  # noqa: BLE001  (it is raised where the result is asked for)
            self._failure = failure

    def result(self, *, wait: bool = False) -> Compiled | None:
        """Return the code if it is ready (or, with `wait`, as soon as it is)."""
        if wait:
            self._thread.join()
        if self._failure is not None:
            raise self._failure
        return self._result

    def cancel(self) -> None:
        """Give up after the function that is being compiled, and wait for that."""
        self._cancelled.set()
        self._thread.join()


def _linked(
    program: Program, module: Module, engines: Sequence[Loaded], started: _Started
) -> Compiled:
    """Return the addresses of the functions, each of which is in one of the engines."""
    groups: Groups = module.groups
    count = len(groups.actions)
    actions = [e.address(f"group{i}") for i, e in enumerate(engines[:count])]
    predicates = [e.address(f"check{i}") for i, e in enumerate(engines[count:])]
    return Compiled(
        program,
        tuple(map(Group, actions, groups.actions)),
        tuple(map(Group, predicates, groups.predicates)),
        time.perf_counter() - started.clock,
        time.thread_time() - started.thread,
        module,
        tuple(engines),
    )


class Loaded:
    """A module of machine code in memory.

    LLVM wants an engine to be disposed of before the context that its module was made in.  The
    garbage collector keeps no order, so that neither is left to it: the finaliser holds both.
    """

    def __init__(self, engine: Any, context: Any) -> None:
        self._engine = engine
        weakref.finalize(self, _dispose, engine, context)

    def address(self, function: str) -> int:
        """Return where a function is."""
        return int(self._engine.get_function_address(function))


def _dispose(engine: Any, context: Any) -> None:
    engine.close()
    context.close()


def _compile(text: str, *, optimise: bool) -> Loaded:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=_THOROUGH if optimise else _QUICK,
        jit=True,
    )
    # a context of its own: modules of one context must not be worked on at the same time
    context = llvm.create_context()
    module = llvm.parse_assembly(text, context)
    module.verify()
    if optimise:
        _run_passes(module, machine, thoroughly=len(text) <= _SHORT)
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    return Loaded(engine, context)


def _run_passes(module: Any, machine: Any, *, thoroughly: bool) -> None:
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options())
    passes = llvm.create_new_module_pass_manager()
    passes.add_sroa_pass()
    if thoroughly:
        passes.add_instruction_combine_pass()
        passes.add_simplify_cfg_pass()
    passes.run(module, builder)
