"""The table of probcli's flags: what each does here, or why it is refused and what does its job."""

from __future__ import annotations

from typing import Final

from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag by name, the arguments that it takes, and what it does.

    A flag that is refused has `instead`: what of ours does the job, or that nothing does.
    """

    name: str
    arguments: tuple[str, ...]
    does: str
    aliases: tuple[str, ...] = ()
    instead: str | None = None


def _flag(usage: str, does: str, *aliases: str) -> Flag:
    name, *arguments = usage.split()
    return Flag(name, tuple(arguments), does, aliases)


def _refused(usage: str, does: str, instead: str) -> Flag:
    name, *arguments = usage.split()
    return Flag(name, tuple(arguments), does, (), instead)


_CHECKING: Final = (
    _flag("mc N", "look for errors in at most N states"),
    _flag("model_check", "look for errors in all states", "modelcheck"),
    _flag("bf", "explore breadth-first (the default here)", "breadth", "breadth_first"),
    _flag("df", "explore depth-first", "depth", "depth_first"),
    _flag("mc_mode MODE", "the order of exploration: bf, df, mixed, random, heuristic, ..."),
    _flag("nodead", "do not look for deadlocks", "no_deadlock"),
    _flag("noinv", "do not look for violated invariants", "no_invariant"),
    _flag("nogoal", "do not look for the goal"),
    _flag("noass", "do not look for violated assertions"),
    _flag("noltl", "has no effect: -mc checks no formulas"),
    _flag("goal PRED", "look for a state in which PRED holds, instead of GOAL"),
    _flag("scope PRED", "explore only from states in which PRED holds, instead of SCOPE"),
    _flag("timeout MS", "stop a search after so many milliseconds", "time_out"),
    _flag("disable_timeout", "has no effect: no operation is cut short here", "disable_time_out"),
)

_TEMPORAL: Final = (
    _flag("ltlformula F", "check a formula of LTL", "ltl_formula"),
    _flag("ltlfile FILE", "check the formulas of a file: [Name] formula, ...", "ltl_file"),
    _flag(
        "ltlassertions",
        "check the definitions ASSERT_LTL...; an error if there is none",
        "ltl_assertions",
    ),
    _flag("ltllimit N", "visit at most N states for each formula", "ltl_limit"),
    _flag("ctlformula F", "check a formula of CTL", "ctl_formula"),
)

_ANIMATION: Final = (
    _flag("init", "initialise the model", "initialise"),
    _flag("animate N", "take at most N random steps"),
    _flag("animate_all", "take random steps until there is none"),
    _flag("animate_stats", "say after -animate how often each operation was executed"),
    _flag("execute N", "take at most N steps, always the first one"),
    _flag("execute_all", "take the first step until there is none"),
    _flag("det_check", "it is an error if a step of -init, -animate or -execute has alternatives"),
    _flag("det_constants", "it is an error if the constants have several solutions"),
    _flag("trace_replay KIND FILE", "execute a trace (KIND is json: .prob2trace or .itf.json)"),
    _flag("check_goal", "check GOAL where the animation or the search has ended"),
    _flag("eval E", "evaluate an expression or a predicate there", "evaluate"),
    _flag("eval_file FILE", "evaluate what is in a file"),
    _flag("his FILE", "write the path that was taken, or that of a counterexample", "history"),
    _flag("his_option O", "what -his writes as well: show_init, show_states"),
    _flag("sptxt FILE", "write the values of the state where the path ends"),
)

_PROPERTIES: Final = (
    _flag("assertions", "check the assertions in the initial state"),
    _flag("main_assertions", "the same, those of the main file only"),
    _flag("properties", "check the properties of the constants"),
)

_OUTPUT: Final = (
    _flag("c", "print the coverage", "coverage"),
    _flag("coverage_summary", "print the coverage in words"),
    _flag("cc N T", "print nothing; it is an error if there are not N states and T transitions"),
    _flag("csv KIND FILE", "write a table: quick_operation_coverage or variable_coverage"),
    _flag("spdot FILE", "write the state space as a graph"),
    _flag("dot KIND FILE", "write a graph: state_space, enable_graph or custom_graph"),
    _flag("dotexpr KIND E FILE", "write the state space merged by E; KIND is transition_diagram"),
    _flag("pp FILE", "write what the model was understood as", "ppf", "ppB"),
    _flag("machine_stats", "print how many constants, variables, ... the model has"),
    _flag("statistics", "print time and memory at the end"),
)

_SETTINGS: Final = (
    _flag("p PREF VALUE", "set a preference", "pref", "preference"),
    _flag("pref_group GROUP SETTING", "set several: integer int32, model_check unlimited, ..."),
    _flag("card SET N", "give a deferred set N elements"),
    _flag("strict", "has no effect: an error ends with exit code 1 in any case"),
    _flag("expcterr KIND", "it is an error if no error of this kind occurs", "expect_error"),
    _flag("cache DIR", "has no effect: constants are not kept"),
    _flag("rc", "has no effect: operations are checked where they are executed"),
    _flag("v", "say more", "verbose"),
    _flag("silent", "print only what was asked for", "q"),
    _flag("test_mode", "has no effect: all runs are alike"),
    _flag("check_java_version", "has no effect: no Java is used"),
    _flag("version", "print the version"),
    _flag("svers", "print the version in short", "short_version"),
    _flag("help", "print this list", "h", "?"),
)

ACCEPTED: Final = (*_CHECKING, *_TEMPORAL, *_ANIMATION, *_PROPERTIES, *_OUTPUT, *_SETTINGS)
"""What is done, or need not be done."""

_SEARCHES: Final = "-mc and `secateur check` explore what is reachable"
_NO_CSP: Final = "CSP is not among the languages that are read"
_NO_TESTS: Final = "test cases are not generated; `secateur check --goal P` finds a way to P"
_NO_SERVER: Final = "there is no server; the Python interface (`import secateur`) does that"
_NO_LOG: Final = "`secateur check --json` tells a program what was found"

REFUSED: Final = (
    _refused("cbc OP", "look for a violation from any state", _SEARCHES),
    _refused("cbc_deadlock", "look for a deadlock in any state", _SEARCHES),
    _refused("cbc_deadlock_pred P", "look for a deadlock in any state", _SEARCHES),
    _refused("cbc_assertions", "solve the assertions", "-assertions checks them in each setup"),
    _refused("cbc_assertions_proof", "prove the assertions", "-assertions checks them"),
    _refused("cbc_assertions_tautology_proof", "prove the assertions", "-assertions checks them"),
    _refused("cbc_option O", "what a constraint-based check does", _SEARCHES),
    _refused("cbc_output_file FILE", "where a constraint-based check writes", _SEARCHES),
    _refused(
        "cbc_refinement", "look for a step that refines nothing", "`secateur refine` does that"
    ),
    _refused("cbc_redundant_invariants N", "look for redundant invariants", "nothing does that"),
    _refused(
        "cbc_sequence OPS", "look for a path", "`secateur ltl --ltl` refutes that there is one"
    ),
    _refused("cbc_tests D P FILE", "generate tests", _NO_TESTS),
    _refused("cbc_cover OP", "generate tests", _NO_TESTS),
    _refused("mcm_tests D N P FILE", "generate tests", _NO_TESTS),
    _refused("mcm_cover OP", "generate tests", _NO_TESTS),
    _refused("test_description FILE", "generate tests", _NO_TESTS),
    _refused("bmc N", "bounded model checking", _SEARCHES),
    _refused(
        "symbolic_model_check WAY", "symbolic", "`secateur check --engine symbolic` does that"
    ),
    _refused("mc_with_tlc", "check with TLC", "-model_check needs no other program"),
    _refused("mc_with_lts_sym", "check with LTSmin", "`secateur check --engine symbolic`"),
    _refused("mc_with_lts_seq", "check with LTSmin", "-model_check needs no other program"),
    _refused("stop_at_full_coverage", "stop when all operations occurred", "-mc N stops earlier"),
    _refused("memory", "print the memory used", "`secateur check` says it while it runs"),
    _refused(
        "vacuity_check", "look for vacuous implications", "`secateur check --coverage` does that"
    ),
    _refused("save FILE", "keep the states for -refchk", "`secateur refine` checks refinement"),
    _refused("refchk FILE", "compare with states kept", "`secateur refine` checks refinement"),
    _refused("t", "replay M.trace", "`secateur replay` replays a .prob2trace or ITF file"),
    _refused("state_trace FILE", "find a path by predicates", "`secateur replay` replays a trace"),
    _refused("load_state FILE", "begin in a state", "-goal PRED finds a way to a state"),
    _refused("sstxt DIR", "write all states", "`secateur graph` writes the state space"),
    _refused("csvhist E FILE", "write E along the path", "-his FILE with -his_option show_states"),
    _refused("dot_output PATH", "draw assertions as trees", "-assertions tells which is false"),
    _refused("dot_all", "draw assertions as trees", "-assertions tells which is false"),
    _refused("i", "walk by hand", "`secateur step` does that"),
    _refused("repl", "evaluate by hand", "`secateur step` does that"),
    _refused("prefs FILE", "read preferences from a file", "give each with -p NAME VALUE"),
    _refused("logxml FILE", "write a log", _NO_LOG),
    _refused("logxml_write_vars PREFIX", "write a log", _NO_LOG),
    _refused("l FILE", "write a log", _NO_LOG),
    _refused("ll", "write a log", _NO_LOG),
    _refused("lg FILE", "draw a log", _NO_LOG),
    _refused("bench_csv FILE", "append measurements to a table", _NO_LOG),
    _refused("latex FILE1 FILE2", "fill in a LaTeX document", "-eval prints values"),
    _refused("expcteval E", "what must be evaluated", "-eval evaluates"),
    _refused("csp_assertion A", "check CSP", _NO_CSP),
    _refused("csp_eval E", "evaluate CSP", _NO_CSP),
    _refused("csp_guide FILE", "CSP || B", _NO_CSP),
    _refused("cspref P M Q FILE", "check CSP", _NO_CSP),
    _refused("cspdeadlock P M FILE", "check CSP", _NO_CSP),
    _refused("cspdeterministic P M FILE", "check CSP", _NO_CSP),
    _refused("csplivelock P FILE", "check CSP", _NO_CSP),
    _refused("s PORT", "start a server", _NO_SERVER),
    _refused("ss", "start a server", _NO_SERVER),
    _refused("sf", "start a server", _NO_SERVER),
    _refused("zmq_master2", "check on many machines", "`secateur check --threads N` uses this one"),
    _refused("zmq_worker2", "check on many machines", "`secateur check --threads N` uses this one"),
)
"""What is refused by name."""

FLAGS: Final = {name: flag for flag in (*ACCEPTED, *REFUSED) for name in (flag.name, *flag.aliases)}
"""All flags by all their names."""


def plain(word: str) -> str | None:
    """Return the name that a word may be a flag by; None if it is no flag.

    One or two dashes are alike, and so are `_` and `-` within a name.
    """
    if not word.startswith("-"):
        return None
    bare = word.removeprefix("-").removeprefix("-").replace("-", "_")
    return bare if bare[:1].isalpha() or bare == "?" else None
