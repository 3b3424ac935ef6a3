"""ProB's preferences: the ones that have a meaning here, and what becomes of the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Final

from secateur.lang.b.codes import BAD_SPECIAL_DEFINITION
from secateur.maths.operators.protocol import Settings
from secateur.source import fail

HONOURED: Final[Mapping[str, str]] = {
    "MAXINT": "the greatest element of INT and NAT",
    "MININT": "the least element of INT",
    "DEFAULT_SETSIZE": "the size of deferred sets of which nobody says it",
    "USE_STATIC_SYMMETRY_DETECTION": "FALSE: tell constants apart that differ by names only",
}
"""The preferences that are honoured."""

OTHERWISE: Final[Mapping[str, str]] = {
    "MAX_OPERATIONS": "not truncated: all instances of an operation are computed",
    "MAX_INITIALISATIONS": "not truncated: all initialisations are computed (--max-setups N limits)",
    "TIME_OUT": "no operation is cut short (--max-seconds S limits a whole run)",
    "SYMMETRY_MODE": "--symmetry decides; `secateur probcli` follows the preference",
    "POR": "--por decides; `secateur probcli` follows the preference",
    "COMPRESSION": "--compress decides; `secateur probcli` follows the preference",
    "INVARIANT_CHECKING": "--no-invariant decides",
    "NUMBER_OF_ANIMATED_ABSTRACTIONS": "all abstractions are executed (--no-refinement: none)",
    "ALLOW_INCOMPLETE_SETUP_CONSTANTS": "constants always get values; none is an error",
    "FORGET_STATE_SPACE": "states are kept (--fingerprint keeps hashes)",
    "IGNORE_HASH_COLLISIONS": "states are compared in full (--fingerprint compares hashes)",
    "TLC_WORKERS": "--threads N sets the number of threads",
}
"""What has another way here, told for each that is set."""

_SOLVING: Final = (
    "CLPFD",
    "SMT",
    "CHR",
    "CSE",
    "CSE_PRED",
    "CSE_SUBST",
    "CSE_WD_ONLY",
    "KODKOD",
    "KODKOD_MAX_NR_SOLS",
    "KODKOD_ONLY_FULL",
    "KODKOD_RAISE_WARNINGS",
    "KODKOD_SAT_SOLVER",
    "KODKOD_SYMMETRY",
    "KODKOD_FOR_COMPONENTS",
    "SMT_SUPPORTED_INTERPRETER",
    "SOLVER_STRENGTH",
    "SYMBOLIC",
    "SYMBOLIC_MC_TRY_OTHER_SOLVERS",
    "STATIC_ORDERING",
    "DATA_VALIDATION",
    "DETECT_LAMBDAS",
    "DISPROVER_MODE",
    "DOUBLE_EVALUATION",
    "ENUMERATE_INFINITE_TYPES",
    "EXPAND_FORALL_UPTO",
    "EXPAND_CLOSURES_FOR_STATE",
    "FILTER_UNUSED",
    "MEMO",
    "NORMALIZE_AST",
    "OPTIMIZE_AST",
    "OPERATION_REUSE",
    "PARTITION_PROPERTIES",
    "PARTITION_PROPERTIES_INLINE",
    "PGE",
    "PROOF_INFO",
    "RAISE_ABORT_IMMEDIATELY",
    "RANDOMISE_ENUMERATION_ORDER",
    "RANDOMISE_OPERATION_ORDER",
    "RECURSIVE",
    "REMOVE_IMPLIED_CONSTRAINTS",
    "STRICT_RAISE_ENUM_WARNINGS",
    "STRICT_RAISE_WARNINGS",
    "TRY_FIND_ABORT",
    "TRY_ATELIERB_PROVERS",
    "USE_RECORD_CONSTRUCTION",
    "USE_COMMON_SUBEXPRESSION_ELIMINATION",
    "WARN_WHEN_EXPANDING_INFINITE_CLOSURES",
    "LIFT_EXISTS",
    "MAX_NR_OF_SOLUTIONS",
    "CACHE_OPERATIONS",
)

_READING: Final = (
    "ALLOW_COMPLEX_LETS",
    "ALLOW_LOCAL_OPERATION_CALLS",
    "ALLOW_NEW_OPERATIONS_IN_REFINEMENT",
    "ALLOW_OPERATION_CALLS_IN_EXPRESSIONS",
    "ALLOW_OUTPUT_READING",
    "ALLOW_SIMULTANEOUS_ASSIGNMENTS",
    "ALLOW_UNTYPED_IDENTIFIERS",
    "ALLOW_REALS",
    "BOOL_AS_PREDICATE",
    "IGNORE_PRJ_TYPES",
    "REQUIRE_OUTPUT_ASSIGNMENT",
    "REAL_SOLVER",
    "SHOW_EVENTB_ANY_VALUES",
    "STORE_DETAILED_TRANSITION_INFOS",
    "STRICT_CLASH_CHECKING",
    "STRING_AS_SEQUENCE",
    "TYPE_CHECK_DEFINITIONS",
    "TLC_USE_PROB_CONSTANTS",
    "WARN_IF_DEFINITION_HIDES_VARIABLE",
    "EVENTB_USE_FULL_SEQUENCES",
)

_SHOWING: Final = (
    "BBRESULTS",
    "BUGLY",
    "DOT",
    "DOT_ARGUMENTS",
    "DOT_COLOR_ARC",
    "DOT_COLOR_NODE",
    "DOT_COLOR_NODE_ERROR",
    "DOT_COLOR_NODE_GOAL",
    "DOT_COLOR_NODE_OPEN",
    "DOT_EDGE_LABELS",
    "DOT_ENGINE",
    "DOT_FUNCTIONS",
    "DOT_IDS",
    "DOT_INFO",
    "DOT_LOOPS",
    "DOT_PEN_WIDTH",
    "DOT_PROP",
    "DOT_ROOT",
    "DOT_SHOW_OP_READ_WRITES",
    "EDITOR",
    "EDITOR_GUI",
    "INTERNAL_ARGUMENT_PREFIX",
    "LATEX_ENCODING",
    "LATEX_GREEK_IDENTIFIERS",
    "MAX_DISPLAY_SET",
    "MINIMAL_TEST_SUITES",
    "NDJSON_ERROR_LOG_FILE",
    "PERFORMANCE_INFO",
    "PP_CS_STYLE_SEQUENCES",
    "PP_FROZEN_INFOS",
    "PP_SEQUENCES",
    "PP_WITH_TERMINAL_COLOUR",
    "PROB2_TRACE_FILE",
    "PROB2_TRACE_FILE_UNIQUE",
    "PROFILING_INFO",
    "REPL_CACHE_PARSING",
    "REPL_UNICODE",
    "TK_CUSTOM_STATE_VIEW_FONT_NAME",
    "TK_CUSTOM_STATE_VIEW_FONT_SIZE",
    "TK_CUSTOM_STATE_VIEW_PADDING",
    "TK_CUSTOM_STATE_VIEW_STRING_PADDING",
    "TRACE_INFO",
    "TRACE_UPON_ERROR",
    "XML_ENCODING",
    "VISB_SHOW_HEADER",
)

_TOOLS: Final = (
    "ATELIERB_KRT_PATH",
    "CSP_STRIP_SOURCE_LOC",
    "JAVA_PATH",
    "LTSMIN",
    "PATH_TO_LTSMIN",
)

NOT_NEEDED: Final[Mapping[str, str]] = {
    **dict.fromkeys(_SOLVING, "about ProB's solver"),
    **dict.fromkeys(_READING, "about what ProB accepts and stores"),
    **dict.fromkeys(_SHOWING, "about how ProB shows things"),
    **dict.fromkeys(_TOOLS, "about other programs"),
}
"""What is passed over: nothing here depends on it.  One quiet line tells of all of them."""

_OTHER_NAMES: Final = {
    "STATIC_SYMMETRY_DETECTION": "USE_STATIC_SYMMETRY_DETECTION",
    "USE_PGE": "PGE",
    "USE_POR": "POR",
    "USE_CLPFD_SOLVER": "CLPFD",
    "USE_CHR_SOLVER": "CHR",
    "USE_SMT_MODE": "SMT",
    "MAXINITIALISATIONS": "MAX_INITIALISATIONS",
    "MAXNROFINITIALISATIONS": "MAX_INITIALISATIONS",
    "MAXNROFENABLINGSPEROPERATION": "MAX_OPERATIONS",
    "GLOBALSETSIZE": "DEFAULT_SETSIZE",
    "SYMMETRY": "SYMMETRY_MODE",
    "TIMEOUT": "TIME_OUT",
}
"""Names that ProB has for the same within, or that it had."""


def canonical(wanted: Mapping[str, str]) -> dict[str, str]:
    """Return preferences by the names used here; small letters are large ones."""
    return {
        _OTHER_NAMES.get(name.upper(), name.upper() if _known(name.upper()) else name): value
        for name, value in wanted.items()
    }


def _known(name: str) -> bool:
    return name in HONOURED or name in OTHERWISE or name in NOT_NEEDED


def settings_of(wanted: Mapping[str, str]) -> Settings:
    """Return the settings of evaluation that the preferences `wanted` give."""
    default = Settings()
    return Settings(
        _number("MAXINT", wanted, default.maxint), _number("MININT", wanted, default.minint)
    )


def preference_notes(wanted: Mapping[str, str]) -> Sequence[str]:
    """Return what becomes of the preferences that are not honoured."""
    notes = [f"preference {name}: {OTHERWISE[name]}" for name in wanted if name in OTHERWISE]
    notes += [_unknown(name) for name in wanted if not _known(name)]
    ignored = ", ".join(name for name in wanted if name in NOT_NEEDED)
    return [*notes, f"preferences ignored, not needed here: {ignored}"] if ignored else notes


def _unknown(name: str) -> str:
    known = sorted((*HONOURED, *OTHERWISE, *NOT_NEEDED))
    close = get_close_matches(name.upper(), known, n=1, cutoff=0.8)
    hint = f": did you mean {close[0]}?" if close else ""
    return f"there is no preference {name}, it has no effect{hint}"


def _number(name: str, wanted: Mapping[str, str], default: int) -> int:
    text = wanted.get(name)
    if text is None:
        return default
    try:
        return int(text)
    except ValueError:
        message = f"preference {name} must be a number, not {text}"
        raise fail(BAD_SPECIAL_DEFINITION, message) from None
