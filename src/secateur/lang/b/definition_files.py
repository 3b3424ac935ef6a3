"""The definitions that a component sees: its own, those of its `.def` files, the libraries'."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from pathlib import Path
from typing import Final

from secateur.lang.b.ast import Component, Definition
from secateur.lang.b.codes import MISSING_DEFINITION_FILE
from secateur.lang.b.definitions import EXTERNAL_PREFIXES, PRINTING, Definitions
from secateur.lang.b.parse import parse_definitions
from secateur.maths.operators.registry import EXTERNALS
from secateur.source import Span, fail
from secateur.source.read import read_source
from secateur.source.records import dataclass

LIBRARIES: Final = frozenset(
    """CHOOSE.def LibraryBits.def LibraryCSV.def LibraryFiles.def LibraryHash.def LibraryIO.def
    LibraryMath.def LibraryMeta.def LibraryProB.def LibraryRandom.def LibraryReals.def
    LibraryRegex.def LibrarySequences.def LibraryStrings.def LibrarySVG.def LibraryTemporal.def
    LibraryXML.def LibraryZMQ_RPC.def SCCS.def SORT.def""".lower().split()
)
"""The definition files that come with ProB: what they declare is built in."""

_LIBRARY_NAMES: Final = frozenset(
    [
        "ABORT",
        "ADD_ERROR",
        "ADD_STATE_ERROR",
        "APPEND",
        "ARGC",
        "ARGV",
        "BAND",
        "BNOT",
        "BOR",
        "BXOR",
        "BLSHIFT",
        "BRSHIFT",
        "CHECK_DET",
        "CLOSURE1",
        "COS",
        "COSx",
        "CPUTIME",
        "DATE",
        "DELTA_WALLTIME",
        "DO_NOT_ENUMERATE",
        "ENABLED_OPERATIONS",
        "EOF",
        "EOF_STREAM",
        "FILE_EXISTS",
        "DIRECTORY_EXISTS",
        "FILES",
        "FULL_FILES",
        "FORCE",
        "GET_CHAR",
        "GET_CODE",
        "GET_CODE_STREAM",
        "GET_INFO",
        "GET_INFO_STR",
        "GET_IS_ENUMERATED",
        "HASH",
        "INTERNAL_HASH",
        "IS_DETERMINED",
        "IS_EVALUATED",
        "IS_STATIC",
        "KODKOD",
        "LABEL",
        "LESS",
        "LEQ_SYM",
        "LEQ_SYM_BREAK",
        "LN",
        "LOGx",
        "LOG",
        "MAXIMIZE",
        "MAXIMIZE_EXPR",
        "MAX_SAT",
        "MINIMIZE",
        "OBSERVE",
        "observe",
        "PROJECT_INFO",
        "PROJECT_STATISTICS",
        "PROLOG_FUN",
        "RANDOM",
        "random_element",
        "READ_CSV",
        "READ_CSV_STRINGS",
        "READ_XML",
        "READ_XML_FROM_STRING",
        "READ_FILE_AS_STRING",
        "READ_FILE_AS_STRINGS",
        "READ_LINE",
        "REC",
        "SCCS",
        "SEE",
        "SEEN",
        "SHA_HASH",
        "SHA_HASH_HEX",
        "SIN",
        "SINx",
        "SOLVE",
        "SQRT",
        "STATE_AS_STRING",
        "STATE_SUCC",
        "STATE_TRANS",
        "STATE_SATISFIES",
        "STRING_TO_UPPER",
        "TAN",
        "TANx",
        "TELL",
        "TOLD",
        "TIME",
        "TIMESTAMP",
        "TIMESTAMP_INFO",
        "TYPED_STRING",
        "UNSAT_CORE",
        "UNSAT_CORE_ACC",
        "UNSAT_CORE_ACC_TIMEOUT",
        "WALLTIME",
        "WRITE_XML",
        "CREATE_DIRECTORY",
        "HISTORY",
        "INVARIANT_VIOLATED",
        "NON_DET_STATE",
        "REGEX_MATCH",
        "REGEX_REPLACE",
        "REGEX_SEARCH",
        "REGEX_SEARCH_STR",
        "REGEX_SEARCH_ALL",
        "REGEX_IMATCH",
        "SEQUENCE_TO_SET",
    ]
)
"""External functions of those files that are not built in: they are named if they are used."""


@dataclass()
class _Gathered:
    table: dict[str, Definition] = field(default_factory=dict)
    externals: set[str] = field(default_factory=set)
    has_library: bool = False
    seen: set[Path] = field(default_factory=set)

    def add(self, definitions: Iterable[Definition]) -> None:
        """Add definitions; those that came first stay."""
        for definition in definitions:
            self.table.setdefault(definition.name, definition)
            for prefix in EXTERNAL_PREFIXES:
                if definition.name.startswith(prefix):
                    self.externals.add(definition.name.removeprefix(prefix))

    def add_files(self, files: Iterable[tuple[str, Span]], directory: Path) -> None:
        """Add the definitions of `files`, and of the files that these name."""
        for name, span in files:
            path = _find(name, directory)
            if path is not None and path not in self.seen:
                self.seen.add(path)
                found = parse_definitions(read_source(path))
                self.add(found.definitions)
                self.add_files(found.files, path.parent)
            elif path is None and Path(name).name.lower() in LIBRARIES:
                self.has_library = True
            elif path is None:
                hint = f"looked in {directory}"
                raise fail(MISSING_DEFINITION_FILE, f"no definition file {name}", span, hint)


def gather(component: Component, directory: Path, inherited: Definitions | None) -> Definitions:
    """Return the definitions that `component`, a file in `directory`, can use.

    `inherited` are those of the machine that it refines.
    """
    gathered = _Gathered()
    gathered.add(component.definitions)
    gathered.add_files(component.definition_files, directory)
    if inherited is not None:
        gathered.add(inherited.table.values())
        gathered.externals.update(inherited.externals)
    gathered.add(
        Definition(s.name, (), s.definition, s.span)
        for s in component.sets
        if s.definition is not None
    )
    if gathered.has_library:
        library = {*EXTERNALS, *PRINTING, *_LIBRARY_NAMES}
        gathered.externals.update(library - gathered.table.keys())
    return Definitions(gathered.table, frozenset(gathered.externals) - _declared(component))


def _declared(component: Component) -> frozenset[str]:
    """Return the names that `component` declares: none of them is an external function."""
    names = [
        *component.parameters,
        *component.concrete_constants,
        *component.abstract_constants,
        *component.concrete_variables,
        *component.abstract_variables,
        *(element for s in component.sets for element in s.elements or ()),
    ]
    others = [
        *(s.name for s in component.sets),
        *(t.name for t in component.freetypes),
        *(o.name for o in component.operations),
    ]
    return frozenset(n.text for n in names).union(others)


def _find(name: str, directory: Path) -> Path | None:
    for candidate in (directory / name, directory / Path(name.replace("\\", "/")).name):
        if candidate.is_file():
            return candidate
    return None
