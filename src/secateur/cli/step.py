"""`secateur step`: walk through a model by hand, on a terminal or from a pipe."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from secateur.app.animate import Animation
from secateur.app.deep import run_deep
from secateur.app.load import load
from secateur.app.model import Model
from secateur.cli.arguments import add_model, add_output, load_options
from secateur.cli.exit import ExitCode
from secateur.cli.output import emit, style_for
from secateur.report.answer import render_answer
from secateur.report.diagnostics import render_diagnostics
from secateur.report.style import PLAIN, Style
from secateur.report.text import render_trace, show_step, show_values
from secateur.report.trouble import render_trouble
from secateur.source import InputError

HELP: Final = """\
  N             take the transition number N
  undo, u       go back one step
  state, s      show the whole state
  list, l       show the enabled transitions again
  eval EXPR     evaluate an expression or a predicate here
  trace, t      show the path so far
  random N      take N random steps (1 if left out)
  help, h       show this
  quit, q       leave"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_model(parser)
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="decides random choices")
    add_output(parser)


def run(args: argparse.Namespace) -> ExitCode:
    """Show where we are, ask where to go, until there is nothing more to read."""
    model = load(args.model, **load_options(args))
    session = Session(model, Animation(model.system, args.seed), style_for(sys.stdout))
    session.show_choices()
    for line in _lines():
        if not session.obey(line):
            break
    return ExitCode.HOLDS


def _lines() -> Iterator[str]:
    """Yield what the user types; the end of input and Ctrl-C end it."""
    prompt = "> " if sys.stdin.isatty() else ""
    while True:
        try:
            yield input(prompt)
        except (EOFError, KeyboardInterrupt):
            return


@dataclass(slots=True)
class Session:
    """One walk: every word of the user is a method."""

    model: Model
    walk: Animation
    style: Style = PLAIN
    _words: dict[str, Callable[[str], None]] = field(init=False)

    def __post_init__(self) -> None:
        self._words = {
            "undo": self._undo,
            "state": self._state,
            "list": lambda _: self.show_choices(),
            "eval": self._eval,
            "trace": self._trace,
            "random": self._random,
            "help": lambda _: emit(HELP),
        }

    def obey(self, line: str) -> bool:
        """Do what `line` says; False if it says to leave."""
        word, _, rest = line.strip().partition(" ")
        if word in ("quit", "q", "exit"):
            return False
        if word.isdigit():
            self._choose(int(word))
        elif word:
            self._call(word, rest.strip())
        return True

    def _call(self, word: str, rest: str) -> None:
        meant = [known for known in self._words if known == word or known[0] == word]
        if not meant:
            emit(f"'{word}' is not understood; `help` shows what is")
            return
        try:
            self._words[meant[0]](rest)
        except InputError as error:
            emit(render_diagnostics(error.diagnostics, self.style))

    def show_choices(self) -> None:
        """Print the enabled transitions with numbers, and what is wrong with the state."""
        for item in self.walk.trouble():
            emit("\n".join(render_trouble(item, self.style)))
        enabled = self.walk.enabled()
        width = len(str(len(enabled)))
        for number, transition in enumerate(enabled, 1):
            emit(f"  {number:>{width}}  {show_step(transition.step)}")
        if not enabled:
            emit("no operation is enabled" if self.walk.trace.transitions else "no initial state")

    def _choose(self, number: int) -> None:
        enabled = self.walk.enabled()
        if not 1 <= number <= len(enabled):
            emit(f"there is no transition {number}; there are {len(enabled)}")
            return
        self.walk.take(enabled[number - 1])
        self._show_last()
        self.show_choices()

    def _show_last(self) -> None:
        trace = self.walk.trace
        changed = run_deep(lambda _: trace.changes()[-1])
        emit(self.style.strong(show_step(trace.steps[-1])))
        for line in show_values(changed) or ["nothing changed"]:
            emit(f"    {line}")

    def _undo(self, _: str) -> None:
        emit("back one step" if self.walk.undo() else "this is the beginning")
        self.show_choices()

    def _state(self, _: str) -> None:
        if not self.walk.trace.transitions:
            emit("  nothing is set up yet")
            return
        for name, value in self.model.system.values(self.walk.trace.states[-1]):
            emit(f"  {show_values([(name, value)])[0]}")

    def _eval(self, text: str) -> None:
        if not text:
            emit("eval what?")
            return
        answer = self.model.evaluate(text, self.walk.state)
        emit(render_answer(answer, self.style))

    def _trace(self, _: str) -> None:
        lines = render_trace(self.walk.trace, self.style)
        emit("\n".join(lines) if lines else "  the trace is empty")

    def _random(self, text: str) -> None:
        wanted = int(text) if text.isdigit() else 1
        taken = self.walk.wander(wanted)
        for line in render_trace(self.walk.trace, self.style)[-3:]:
            emit(line)
        emit(f"{taken} random steps taken" if taken == wanted else f"stuck after {taken} steps")
        self.show_choices()
