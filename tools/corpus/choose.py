"""Which models of the corpus a tool looks at, as options of its command line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tools.corpus.records import Record, corpus_folder, records


def add_choice(parser: argparse.ArgumentParser, tiers: str) -> None:
    """Declare the options."""
    parser.add_argument("--tier", default=tiers, help="tiers, separated by commas")
    parser.add_argument("--formalism", default="b,eventb", help="b, eventb or both")
    parser.add_argument("--filter", default="", metavar="TEXT", help="only paths that contain it")
    parser.add_argument("--jobs", type=int, default=2, help="models at a time (2)")


def chosen(args: argparse.Namespace) -> tuple[Path, list[Record]] | None:
    """Return the folder and the models; None, with a complaint, if there is no corpus."""
    folder = corpus_folder()
    if not folder.is_dir():
        print(f"no corpus at {folder}; set SECATEUR_CORPUS", file=sys.stderr)
        return None
    return folder, [
        r
        for r in records(folder)
        if r.tier in args.tier.split(",")
        and r.formalism in args.formalism.split(",")
        and args.filter in r.path
    ]
