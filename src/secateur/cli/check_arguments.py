"""The arguments of `secateur check`."""

from __future__ import annotations

import argparse

from secateur.cli import certificates
from secateur.cli.arguments import add_engine, add_model, add_output, memory_size
from secateur.cli.files import add_options
from secateur.cli.gates import add_baseline, add_expectation
from secateur.cli.sweep import add_sweep
from secateur.cli.traces import add_traces
from secateur.engine.heuristics.registry import HEURISTICS
from secateur.engine.merging import NO_SYMMETRY
from secateur.engine.plan import DEFAULT_SEARCH
from secateur.engine.provisos.registry import PROVISOS
from secateur.engine.pruning import AUTO, RANDOM, SMALLEST
from secateur.engine.reduce.registry import REDUCTIONS
from secateur.engine.search.registry import ALL_SEARCHES
from secateur.engine.symbolic.images.registry import IMAGES
from secateur.engine.symmetry.registry import STRATEGIES
from secateur.system.system import PropertyKind


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments; the choices come from the tables."""
    add_model(parser)
    _add_search(parser)
    _add_reduction(parser)
    _add_symmetry(parser)
    _add_sets(add_engine(parser))
    _add_storage(parser)
    _add_properties(parser)
    _add_limits(parser)
    add_traces(parser)
    add_sweep(parser)
    certificates.add_options(parser)
    add_baseline(add_expectation(parser))
    add_output(parser)
    add_options(parser)


def _add_search(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("search")
    group.add_argument(
        "--search",
        choices=[row.name for row in ALL_SEARCHES],
        default=DEFAULT_SEARCH,
        help="the order in which states are visited: "
        + ", ".join(f"{row.name} {row.title}" for row in ALL_SEARCHES),
    )
    group.add_argument("--seed", type=int, default=0, metavar="N", help="decides random choices")
    group.add_argument(
        "--ratio",
        type=float,
        metavar="A",
        help="share of depth-first steps in a mixed search, 0 to 1",
    )
    group.add_argument(
        "--threads",
        type=int,
        default=1,
        metavar="N",
        help="explore with N threads (breadth-first search, native engine)",
    )


def _add_reduction(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("partial order reduction and directed search")
    group.add_argument(
        "--por",
        choices=[AUTO, *(row.name for row in REDUCTIONS)],
        default=AUTO,
        help="leave out what need not be visited: auto (the default) once a search takes long "
        "and not with --all, " + ", ".join(f"{row.name} {row.title}" for row in REDUCTIONS),
    )
    group.add_argument(
        "--proviso",
        choices=[AUTO, *(row.name for row in PROVISOS)],
        default=AUTO,
        help="what keeps actions from being left out for ever: "
        + ", ".join(f"{row.name} {row.title}" for row in PROVISOS),
    )
    group.add_argument(
        "--choice",
        choices=[SMALLEST, RANDOM],
        default=SMALLEST,
        help="which of several sets of actions is taken",
    )
    group.add_argument(
        "--heuristic",
        choices=[AUTO, *(row.name for row in HEURISTICS)],
        default=AUTO,
        help="what guides a directed search: "
        + ", ".join(f"{row.name} {row.title}" for row in HEURISTICS),
    )
    group.add_argument(
        "--experiment",
        action="store_true",
        help="allow what would miss errors; the verdict is then never `holds`",
    )


def _add_symmetry(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("symmetry reduction")
    group.add_argument(
        "--symmetry",
        choices=[AUTO, NO_SYMMETRY, *(row.name for row in STRATEGIES)],
        default=AUTO,
        help="take states for the same that differ by the names of elements only: auto (the "
        "default) where that pays and not with --all, none, "
        + ", ".join(f"{row.name} {row.title}" for row in STRATEGIES),
    )


def _add_sets(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--image",
        choices=[AUTO, *(row.name for row in IMAGES)],
        default=AUTO,
        help="how sets grow: " + ", ".join(f"{row.name} {row.title}" for row in IMAGES),
    )
    group.add_argument(
        "--count",
        action="store_true",
        help="print the exact number of reachable states, and check nothing",
    )


def _add_storage(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("storage (breadth-first search, native engine)")
    group.add_argument(
        "--compress",
        action="store_true",
        help="keep less of each state, exactly: more states fit into memory, "
        "and a trace takes two more searches to find",
    )
    group.add_argument(
        "--fingerprint",
        action="store_true",
        help="keep only a hash of 63 bits of each state (hash compaction): an error found is one, "
        "but a state may be left out, so that the verdict is never `holds`; "
        "for states of more than 63 bits, others are smaller with --compress; "
        "--seed chooses another hash",
    )


def _add_properties(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("properties")
    for name in ("deadlock", "invariant", "assertions", "goal", "refinement", "variant"):
        group.add_argument(f"--no-{name}", action="store_true", help=f"do not check: {name}")
    group.add_argument("--goal", metavar="P", help="look for a state in which P holds")
    group.add_argument(
        "--scope",
        metavar="P",
        help="explore only from states in which P holds, instead of the model's SCOPE",
    )
    group.add_argument(
        "--no-scope", action="store_true", help="explore all states, in spite of SCOPE"
    )
    for logic in ("ltl", "ctl"):
        group.add_argument(
            f"--{logic}",
            action="append",
            default=[],
            metavar="F",
            help=f"check a formula of {logic.upper()} as well, as `secateur ltl` does; may be repeated",
        )
    group.add_argument(
        "--coverage",
        action="store_true",
        help="look for what makes no difference: parts of guards that never block, premises that "
        "never hold, variables that never change; and what the states are spent on. "
        "This takes a second exploration, in full",
    )
    group.add_argument("--all", action="store_true", help="go on after the first violation")
    group.add_argument(
        "--stop-at",
        action="append",
        metavar="KIND",
        choices=[kind.value for kind in PropertyKind],
        help="go on after violations of other kinds; may be repeated: "
        + ", ".join(kind.value for kind in PropertyKind),
    )


def _add_limits(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("limits (none by default; one that is hit is reported)")
    group.add_argument("--max-states", type=int, metavar="N", help="visit at most N states")
    group.add_argument(
        "--max-seconds",
        type=float,
        metavar="S",
        help="read, and search, for at most S seconds each",
    )
    group.add_argument(
        "--max-memory", type=memory_size, metavar="SIZE", help="use at most SIZE (500M, 2G)"
    )
