"""`python -m tools.probcli_page`: write the tables of docs/probcli.md from those in the source."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from secateur.cli.probcli.flags import ACCEPTED, REFUSED, Flag
from secateur.cli.probcli.help import usage
from secateur.lang.b.preferences import HONOURED, NOT_NEEDED, OTHERWISE
from secateur.lang.b.specials import SPECIAL

PAGE = Path(__file__).resolve().parent.parent / "docs" / "probcli.md"


def _flags(flags: Iterable[Flag]) -> str:
    rows = [f"| `{usage(flag)}` | {flag.instead or flag.does} |" for flag in flags]
    return "\n".join(["| flag | |", "|---|---|", *rows])


def _names(table: Mapping[str, str]) -> str:
    return "\n".join(["| name | |", "|---|---|", *(f"| `{n}` | {s} |" for n, s in table.items())])


def _not_needed() -> str:
    groups = dict.fromkeys(NOT_NEEDED.values())
    rows = [
        f"| {group} | {', '.join(f'`{n}`' for n, g in NOT_NEEDED.items() if g == group)} |"
        for group in groups
    ]
    return "\n".join(["| | names |", "|---|---|", *rows])


def tables() -> dict[str, str]:
    """Return the tables by the names of their places in the page."""
    return {
        "accepted": _flags(ACCEPTED),
        "refused": _flags(REFUSED),
        "honoured": _names(HONOURED),
        "otherwise": _names(OTHERWISE),
        "not-needed": _not_needed(),
        "special": _names(SPECIAL),
    }


def filled(text: str) -> str:
    """Return a page with the tables as they are now."""
    for name, table in tables().items():
        before, _, rest = text.partition(f"<!-- {name} -->\n")
        _, end, after = rest.partition("<!-- end -->")
        text = f"{before}<!-- {name} -->\n{table}\n{end}{after}"
    return text


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
