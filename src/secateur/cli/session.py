"""A walk through a model, word by word: what the user says, and what is to be shown then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from secateur.app.animate import Animation
from secateur.app.deep import run_deep
from secateur.app.model import Model
from secateur.source import Diagnostic, InputError
from secateur.source.records import dataclass
from secateur.system.answer import Answer
from secateur.system.system import Transition

HELP: Final = """\
  N             take the transition number N
  undo, u       go back one step; so does `back`
  state, s      show the whole state
  list, l       show the enabled transitions again
  eval EXPR     evaluate an expression or a predicate here
  trace, t      show the path so far
  random N      take N random steps (1 if left out)
  help, h       show this
  quit, q       leave"""


@dataclass(frozen=True, slots=True)
class Reply:
    """What to show after a word of the user.

    `shown_from` is the first step of the trace to show, `choices` whether to show what
    is enabled now.
    """

    message: str | None = None
    shown_from: int | None = None
    state: bool = False
    choices: bool = False
    answer: Answer | None = None
    errors: Sequence[Diagnostic] = ()


class Session:
    """One walk: every word of the user is a method."""

    def __init__(self, model: Model, walk: Animation) -> None:
        self.model = model
        self.walk = walk
        self._words: dict[str, Callable[[str], Reply]] = {
            "undo": self._undo,
            "back": self._undo,
            "state": lambda _: Reply(state=True),
            "list": lambda _: Reply(choices=True),
            "eval": self._eval,
            "trace": lambda _: Reply(shown_from=0),
            "random": self._random,
            "help": lambda _: Reply(HELP),
        }

    def obey(self, line: str) -> Reply | None:
        """Do what `line` says; None if it says to leave."""
        word, _, rest = line.strip().partition(" ")
        if word in ("quit", "q", "exit"):
            return None
        if word.isdigit():
            return self._choose(int(word))
        known = [k for k in self._words if word in (k, k[0])]
        if not known:
            return Reply(f"'{word}' is not understood; `help` shows what is" if word else None)
        try:
            return self._words[known[0]](rest.strip())
        except InputError as error:
            return Reply(errors=error.diagnostics)

    def values(self) -> Sequence[tuple[str, Any]]:
        """Return the values in the present state; none before anything is set up."""
        trace = self.walk.trace
        return self.model.system.values(trace.states[-1]) if trace.transitions else ()

    def shown(self) -> Sequence[tuple[str, Any]]:
        """Return the same as people read it."""
        trace = self.walk.trace
        return self.model.system.shown(trace.states[-1]) if trace.transitions else ()

    def outcome(self, transition: Transition) -> Sequence[tuple[str, Any]]:
        """Return what `transition` would change."""
        trace = self.walk.trace
        longer = type(trace)(trace.system, (*trace.transitions[-1:], transition))
        return run_deep(lambda _: longer.changes()[-1])

    def _choose(self, number: int) -> Reply:
        enabled = self.walk.enabled()
        if not 1 <= number <= len(enabled):
            return Reply(f"there is no transition {number}; there are {len(enabled)}")
        self.walk.take(enabled[number - 1])
        return Reply(shown_from=len(self.walk.trace) - 1, choices=True)

    def _undo(self, _: str) -> Reply:
        done = self.walk.undo()
        return Reply("back one step" if done else "this is the beginning", choices=True)

    def _eval(self, text: str) -> Reply:
        if not text:
            return Reply("eval what?")
        if self.walk.state is None:
            return Reply("nothing is set up yet: choose a transition first")
        return Reply(answer=self.model.evaluate(text, self.walk.state))

    def _random(self, text: str) -> Reply:
        wanted = int(text) if text.isdigit() else 1
        start = len(self.walk.trace)
        taken = self.walk.wander(wanted)
        message = None if taken == wanted else f"stuck after {taken} steps"
        return Reply(message, shown_from=start, choices=True)
