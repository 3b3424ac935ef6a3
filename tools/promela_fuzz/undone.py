"""Whether answers differ because Spin takes a received message back wrongly.

Spin reads the message off the variables that got it, and another one comes back where these do not
tell: states follow that no run has.  Of a `d_step` it keeps the whole state.  So the same
program is asked about with each receive statement in a `d_step` of its own, which is the same step.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from tools.promela import spin
from tools.promela_fuzz.judges import Asked, Judgement, Late, by_spin

_CHANNEL: Final = re.compile(r"chan (\w+) = \[(\d+)\]")
_RECEIVE: Final = re.compile(r"^(\s*(?:::\s*)?)((\w+)\?\??(?!\?|\s*\[)[^;]*?)(;| ->)$")
_BEHIND: Final = frozenset({"od;", "fi;", "};"})
_ALIAS: Final = "d"
"""The parameter of some processes, which is always the first channel."""


def kept(text: str, *, everywhere: bool = False) -> str:
    """Return a program whose received messages Spin need not guess.

    Behind a loop or a choice a `d_step` is refused if something in there jumps to it; only if
    `everywhere` is so, it is tried there as well.
    """
    rooms = {name: int(room) for name, room in _CHANNEL.findall(text)}
    rooms[_ALIAS] = next(iter(rooms.values()), 0)

    def line(before: str, given: str) -> str:
        found = _RECEIVE.match(given)
        if found is None or not rooms.get(found[3]):  # a rendezvous is no step of a d_step
            return given
        if not everywhere and before.strip() in _BEHIND and "::" not in found[1]:
            return given
        return f"{found[1]}d_step {{ {found[2]} }}{found[4]}"

    lines = text.split("\n")
    return "\n".join(map(line, ["", *lines], lines))


def by_spin_kept(asked: Asked, compiler: str) -> Judgement | None:
    """Return what Spin says where it takes back nothing that was received; None if it does not."""
    file = asked.file.with_suffix(".kept.pml")
    for everywhere in (True, False):
        text = kept(asked.program.text, everywhere=everywhere)
        file.write_text(text, encoding="utf-8")
        try:
            return by_spin(Asked(replace(asked.program, text=text), file), compiler)
        except spin.Refused:
            continue
        except Late:
            return None
    return None
