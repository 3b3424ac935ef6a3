"""A plugin of pytest: models are tests, if that is asked for.

Nothing but names is looked at, and nothing else of secateur imported, before it is.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from importlib import import_module
from pathlib import Path, PurePath
from typing import Any, Final

import pytest

SUFFIXES: Final = frozenset({".mch", ".ref", ".imp", ".sys", ".eventb", ".bum"})
"""What is collected; archives only if `pyproject.toml` names them."""

_ARCHIVE: Final = ".zip"
_SETTINGS: Final = pytest.StashKey[dict[str, Any]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare how to ask for it."""
    group = parser.getgroup("secateur", "models as tests")
    group.addoption(
        "--secateur",
        action="store_true",
        help="collect B and Event-B models as tests; so do `secateur = true` among pytest's "
        "settings and `collect = true` in [tool.secateur] of pyproject.toml",
    )
    parser.addini("secateur", "collect B and Event-B models as tests", type="bool", default=False)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a model if models are collected, or if it was named on the command line."""
    if file_path.suffix not in SUFFIXES and file_path.suffix != _ARCHIVE:
        return None
    settings = _settings(parent.config)
    named = parent.session.isinitpath(file_path)
    if not (_is_asked_for(parent.config, settings) or named):
        return None
    if file_path.suffix == _ARCHIVE and not (named or _told(parent.config, file_path)):
        return None
    collector: pytest.Collector = ModelFile.from_parent(parent, path=file_path)
    return collector


def _is_asked_for(config: pytest.Config, settings: dict[str, Any]) -> bool:
    wanted = config.getoption("--secateur") or config.getini("secateur")
    return bool(wanted or settings.get("collect", False))


def _settings(config: pytest.Config) -> dict[str, Any]:
    """Return [tool.secateur] of the project; read once."""
    if _SETTINGS not in config.stash:
        file = config.rootpath / "pyproject.toml"
        found: Any = {}
        if file.is_file():
            try:
                found = tomllib.loads(file.read_text(encoding="utf-8"))
            except (OSError, ValueError) as error:
                raise pytest.UsageError(f"{file} cannot be read: {error}") from None
        config.stash[_SETTINGS] = found.get("tool", {}).get("secateur", {})
    return config.stash[_SETTINGS]


def _told(config: pytest.Config, path: Path) -> dict[str, Any]:
    """Return what [tool.secateur.models."pattern"] says of a model; the last pattern wins."""
    name = path.relative_to(config.rootpath) if path.is_relative_to(config.rootpath) else path
    found: dict[str, Any] = {}
    for pattern, told in _settings(config).get("models", {}).items():
        if _matches(name.parts, PurePath(pattern).parts):
            found |= told
    return found


def _matches(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    """Whether a pattern is one of the whole path; `**` stands for any folders, or none."""
    if not pattern:
        return not parts
    if pattern[0] == "**":
        return any(_matches(parts[i:], pattern[1:]) for i in range(len(parts) + 1))
    return bool(parts) and fnmatch(parts[0], pattern[0]) and _matches(parts[1:], pattern[1:])


class ModelFile(pytest.File):
    """A model: one test for its states and, if its formulas are asked for, one for these."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield what the model, or the project, says is to be tested."""
        settings = _settings(self.config)
        plans = import_module("secateur.cli.model_tests")
        try:
            found = plans.plans_of(self.path, settings, _told(self.config, self.path))
        except ValueError as error:
            raise self.CollectError(f"{self.path}: {error}") from None
        for plan in found:
            yield ModelItem.from_parent(self, name=plan.command, plan=plan)


class UnexpectedOutcome(Exception):
    """A run did not end as it was expected to; the argument is what it printed."""


class ModelItem(pytest.Item):
    """One run of `secateur check` or `secateur ltl`."""

    def __init__(self, *, plan: Any, **others: Any) -> None:
        super().__init__(**others)
        self.plan = plan

    def runtest(self) -> None:
        """Run it; fail with its report."""
        if self.plan.skip is not None:
            pytest.skip(self.plan.skip or "as the model says")
        failure = import_module("secateur.cli.model_tests").failure_of(self.plan)
        if failure is not None:
            raise UnexpectedOutcome(failure)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the report, without our own frames."""
        if isinstance(excinfo.value, UnexpectedOutcome):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return where it is, and how it is called."""
        return self.path, 0, f"{self.path.stem} {self.name}"
