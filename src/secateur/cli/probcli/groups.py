"""-p and -pref_group: what becomes of preferences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from secateur.cli.codes import BAD_FLAG_ARGUMENT
from secateur.cli.probcli.request import Request
from secateur.source import fail

_GROUPS: Final[Mapping[str, Mapping[str, Mapping[str, str]]]] = {
    "integer": {
        "int32": {"MAXINT": "2147483647", "MININT": "-2147483648"},
        "sint32": {"MAXINT": "2147483647", "MININT": "-2147483648"},
        "int16": {"MAXINT": "32767", "MININT": "-32768"},
        "int8": {"MAXINT": "127", "MININT": "-128"},
    },
    "time_out": {"disable_time_out": {}},
    "model_check": {"disable_max": {}, "unlimited": {}},
}
"""The groups that mean something here, and what each setting sets."""

_LOOKS: Final = ("dot_colors", "dot_edges", "dot_nodes", "dot")
"""Groups that are about pictures: any setting will do."""


def preferences_of(request: Request) -> dict[str, str]:
    """Return what the flags set; raise InputError for a group that there is none of."""
    found: dict[str, str] = {}
    for group, setting in request.all("pref_group"):
        if group in _LOOKS:
            continue
        known = _GROUPS.get(group)
        if known is None:
            names = ", ".join((*_GROUPS, *_LOOKS))
            message = f"there is no group of preferences called {group}"
            raise fail(BAD_FLAG_ARGUMENT, message, help=f"there are {names}")
        if setting not in known:
            message = f"the group {group} has no setting {setting}"
            raise fail(BAD_FLAG_ARGUMENT, message, help=f"there is {', '.join(known)}")
        found |= known[setting]
    return found | {name.upper(): value for name, value in request.all("p")}
