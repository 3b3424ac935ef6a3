"""Arguments that several commands share."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Final

from secateur.app.load import Options
from secateur.engine.limits import Limits, refuse_bad_limits
from secateur.engine.symbolic.diagrams.registry import PACKAGES
from secateur.engine.symbolic.wish import AUTO, ENGINES

_UNITS: Final = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
_SIZE: Final = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:I?B)?", re.IGNORECASE)


def add_model(parser: argparse.ArgumentParser, *, optional: bool = False) -> None:
    """Declare the model and what may be set about it."""
    number = "?" if optional else None
    parser.add_argument("model", type=path, nargs=number, metavar="MODEL", help="the file to read")
    parser.add_argument(
        "-p",
        nargs=2,
        action="append",
        default=[],
        metavar=("PREF", "VALUE"),
        dest="preferences",
        help="set a preference, as SET_PREF_... in the model would",
    )
    parser.add_argument(
        "--set-size",
        type=set_size,
        action="append",
        default=[],
        metavar="S=N",
        dest="set_sizes",
        help="give the deferred set S exactly N elements",
    )
    parser.add_argument(
        "-m", metavar="COMPONENT", dest="component", help="the component to look at"
    )
    parser.add_argument(
        "-D",
        type=macro,
        action="append",
        default=[],
        metavar="NAME[=VALUE]",
        dest="defines",
        help="define a macro for the preprocessor of Promela",
    )
    parser.add_argument(
        "--max-setups",
        type=count,
        metavar="N",
        help="look at the first N valuations of the constants only; incomplete if there are more",
    )


def add_limits(parser: argparse.ArgumentParser, what: str) -> None:
    """Declare what bounds `what` is to be explored."""
    group = parser.add_argument_group(f"limits for {what} (none by default; one hit is reported)")
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


def add_output(parser: argparse.ArgumentParser) -> None:
    """Declare how the result is to be told."""
    parser.add_argument("--json", action="store_true", help="print one JSON object on stdout")
    parser.add_argument("--quiet", action="store_true", help="print nothing on stderr")


def load_options(args: argparse.Namespace) -> Options:
    """Return what `add_model` declared, and the limits of commands that have some."""
    limits: Options = {}
    if hasattr(args, "max_seconds"):
        refuse_bad_limits(Limits(args.max_states, args.max_seconds, args.max_memory))
        limits = {"max_seconds": args.max_seconds, "max_memory": args.max_memory}
    return {
        **limits,
        "preferences": dict(args.preferences),
        "set_sizes": dict(args.set_sizes),
        "component": args.component,
        "max_setups": args.max_setups,
        "defines": dict(args.defines),
    }


def count(text: str) -> int:
    """Read a number that is not zero."""
    if not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of at least 1")
    return int(text)


def path(text: str) -> Path:
    """Read the name of a file, which is not empty: `Path("")` would be the present folder."""
    if not text:
        raise argparse.ArgumentTypeError("the name of the file is empty")
    return Path(text)


def macro(text: str) -> tuple[str, str]:
    """Read `NAME=VALUE`, or `NAME` for a macro that is 1."""
    name, equals, value = text.partition("=")
    if not name.strip().isidentifier():
        raise argparse.ArgumentTypeError(f"'{text}' does not look like NAME=VALUE")
    return name.strip(), value if equals else "1"


def set_size(text: str) -> tuple[str, int]:
    """Read `S=N`."""
    name, equals, number = text.partition("=")
    if not (name.strip() and equals and number.strip().isdigit()):
        raise argparse.ArgumentTypeError(f"'{text}' does not look like S=3")
    return name.strip(), int(number)


def memory_size(text: str) -> int:
    """Read a number of bytes such as `500M` or `2GiB`."""
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise argparse.ArgumentTypeError(f"'{text}' is no size such as 500M or 2G")
    return int(float(match[1]) * _UNITS[match[2].upper()])


def add_engine(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Declare how states are explored, one by one or as sets; return where more can be said of it."""
    group = parser.add_argument_group("engine")
    group.add_argument(
        "--engine",
        choices=ENGINES,
        default=AUTO,
        help="explicit: states one by one; symbolic: sets of states as decision diagrams; auto (the "
        "default): one by one; `check` tries sets where that takes long and the model is fit for it",
    )
    group.add_argument(
        "--diagrams",
        choices=[AUTO, *(row.name for row in PACKAGES)],
        default=AUTO,
        help="the package of decision diagrams: "
        + ", ".join(f"{row.name} {row.title}" for row in PACKAGES),
    )
    group.add_argument(
        "--reorder",
        action="store_true",
        help="change the order of variables on the way, where the package can",
    )
    return group
