"""Promela: from a file to a program with its names resolved."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from secateur.lang.codes import NOTHING_REFINED
from secateur.lang.model import Model
from secateur.lang.options import LoadOptions
from secateur.lang.promela.ast import Program
from secateur.lang.promela.automata import automaton
from secateur.lang.promela.grow import provided
from secateur.lang.promela.parse import parse
from secateur.lang.promela.preprocess import preprocess
from secateur.lang.promela.resolve import resolve
from secateur.lang.promela.walk import labels_asked_for
from secateur.lang.refinement import Refinement
from secateur.source import fail
from secateur.source.read import read_source

_SKIPPED: Final = r"(?>\s|;|/\*(?s:.*?)\*/|//[^\n]*|\#(?:[^\n\\]|\\(?s:.))*)*+"
_BEGINNING: Final = re.compile(
    _SKIPPED + r"(?:(?:(?:hidden|local|show)\s+)?"
    r"(?:bit|bool|byte|pid|short|int|unsigned|mtype|chan)\s*(?:\s[A-Za-z_]|[:={])"
    r"|(?:active|proctype|D_proctype|never|ltl|typedef|inline|c_decl|c_code|c_state|trace|notrace)\b"
    r"|init\s*(?:\{|priority\b))"
)
_PROCESS: Final = re.compile(
    r"^[^\S\n]*(?:(?:active\s*(?:\[[^\]\n]*\])?\s*)?(?:D_)?proctype\s+\w+\s*\(|init\s*\{)",
    re.MULTILINE,
)


def sniff(text: str) -> bool:
    """Whether `text` starts like a model in Promela, or has a process of its kind in it."""
    return _BEGINNING.match(text) is not None or _PROCESS.search(text) is not None


def read_program(path: Path, defines: Mapping[str, str] | None = None) -> Program:
    """Return the model in the file `path`; `defines` are macros, as of `-DNAME=value`."""
    source = read_source(path)
    return resolve(parse(preprocess(source, defines)), path.stem, source)


def load(path: Path, options: LoadOptions) -> Model:
    """Return the model in the file `path`; raise InputError where it is not one."""
    program = read_program(path, options.defines)
    seen = labels_asked_for(program)
    automata = {p.name: automaton(p, seen=seen) for p in program.proctypes}
    model = provided(program, automata, options.room)
    return replace(model, notes=(*model.notes, *_without_meaning(options)))


def _without_meaning(options: LoadOptions) -> Iterator[str]:
    """Yield notes on what was asked for and says nothing about Promela."""
    for name in (*options.preferences, *options.set_sizes):
        yield f"{name} has no meaning for Promela"


def refinements(path: Path, options: LoadOptions) -> list[Refinement]:  # noqa: ARG001
    """Refuse: nothing in Promela refines anything."""
    raise fail(NOTHING_REFINED, f"{path.name} is in Promela, which has no refinement")
