"""One model, explored in full and reduced, for one class of properties at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from secateur import load
from secateur.app.model import CheckOptions, Model
from secateur.source import InputError
from secateur.system.result import Result
from tools.corpus.runner import Seen

NOTHING: Final[CheckOptions] = {
    "deadlock": False,
    "invariant": False,
    "assertions": False,
    "goal": False,
    "refinement": False,
    "variant": False,
    "native": True,
}
CLASSES: Final[dict[str, CheckOptions]] = {
    # all deadlocks are collected, so that their number can be compared
    "deadlock": {**NOTHING, "deadlock": True, "all": True},
    "invariant": {**NOTHING, "invariant": True},
}


def compare(file: Path, por: str, seconds: float, tell: Callable[[Seen], None]) -> Seen:
    """Return, for each class, both sizes and both verdicts, or why there is nothing to compare.

    What is being done is told before it is begun, so that it is known of a process that
    had to be ended.
    """
    tell({"at": "loading"})
    try:
        model = load(file)
    except InputError as error:
        return {"skipped": f"not loaded: {str(error).splitlines()[0]}"}
    seen: Seen = {"operations": len(model.system.operations), "classes": {}, "unfinished": {}}
    for name, options in CLASSES.items():
        both = _Both(name, {**options, "max_seconds": seconds}, por)
        found = both.run(model, lambda at: tell({**seen, "at": at}))
        seen["unfinished" if isinstance(found, str) else "classes"][name] = found
    return seen


@dataclass(frozen=True, slots=True)
class _Both:
    """A full search and a reduced one that are asked the same."""

    name: str
    options: CheckOptions
    por: str

    def run(self, model: Model, tell: Callable[[str], None]) -> Seen | str:
        """Return both, or which was not finished and why.

        Without a full search there is nothing to compare with, so that the reduced one is left
        out.
        """
        tell(f"{self.name} in full")
        full = self._search(model, "none")
        if isinstance(full, str):
            return f"in full: {full}"
        tell(f"{self.name} reduced")
        reduced = self._search(model, self.por)
        if isinstance(reduced, str):
            return f"reduced: {reduced}"
        return {
            "full": full.statistics.states,
            "reduced": reduced.statistics.states,
            "transitions": [full.statistics.transitions, reduced.statistics.transitions],
            "verdict": type(full.verdict).__name__,
            "reasons": list(full.reasons),
            "violated": bool(full.violations),
            "differences": _differences(self.name, full, reduced),
            "analysis": sum(r.seconds for r in reduced.reductions),
            "seconds": [full.seconds, reduced.seconds],
        }

    def _search(self, model: Model, por: str) -> Result | str:
        """Return the result, or why it does not tell what a search to the end would."""
        asked: CheckOptions = {**self.options, "por": por}
        result = model.check(**asked)
        for reason in result.reasons:
            if "seconds was reached" in reason:
                return reason
        return result


def _differences(name: str, full: Result, reduced: Result) -> list[str]:
    found: list[str] = []
    if type(full.verdict) is not type(reduced.verdict):
        found.append(f"{type(full.verdict).__name__}, reduced {type(reduced.verdict).__name__}")
    if name == "deadlock":
        ours, theirs = _counts(full), _counts(reduced)
        if ours != theirs:
            found.append(f"{ours}, reduced {theirs}")
    return found


def _counts(result: Result) -> dict[str, int]:
    """Return in how many states there is a deadlock."""
    return {v.name: v.count for v in result.violations if v.kind.value == "deadlock"}
