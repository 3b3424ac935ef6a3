"""The part of a plan that is about certificates: what cannot be certified is refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Protocol

from secateur.engine.codes import NOT_CERTIFIED
from secateur.engine.merging import NO_SYMMETRY
from secateur.engine.pruning import AUTO, NO_REDUCTION
from secateur.engine.symbolic.wish import SYMBOLIC
from secateur.source import Diagnostic, InputError, fail

_WAY_OUT: Final = "leave out that or --certificate"


class Asked(Protocol):
    """The part of a wish that is judged here."""

    @property
    def certified(self) -> bool:
        """Whether a certificate is wanted."""

    @property
    def por(self) -> str:
        """The reduction."""

    @property
    def symmetry(self) -> str:
        """The strategy."""

    @property
    def engine(self) -> str:
        """Whether states are explored one by one or as sets."""

    @property
    def threads(self) -> int:
        """How many threads."""

    @property
    def compress(self) -> bool:
        """Whether less of each state is kept."""

    @property
    def fingerprint(self) -> bool:
        """Whether only a hash of each state is kept."""

    @property
    def experiment(self) -> bool:
        """Whether errors may be missed."""


def objections_to_certificate(asked: Asked) -> list[Diagnostic]:
    """Return why there can be no certificate of what is asked for."""
    if not asked.certified:
        return []
    return [Diagnostic(NOT_CERTIFIED, message, help=_WAY_OUT) for message in _objections(asked)]


def scope_not_certified() -> InputError:
    """Return the error where a certificate is wanted of a run that is limited by a scope.

    Its states are those of another model; what it shows would not be shown of the one given.
    """
    message = "a run that is limited by a scope leaves out what no certificate accounts for"
    help_ = "--no-scope explores all states, in spite of SCOPE; or leave out --certificate"
    return fail(NOT_CERTIFIED, message, help=help_)


def _objections(asked: Asked) -> Iterator[str]:
    if asked.por == NO_REDUCTION:
        yield "without a reduction nothing is left out, and there is nothing to certify (--por none)"
    if asked.symmetry not in (AUTO, NO_SYMMETRY):
        yield (
            "a certificate is about states and actions as they are; where symmetric states are "
            f"taken for the same (--symmetry {asked.symmetry}), a recorded action leads to another "
            "state than the one recorded"
        )
    if asked.engine == SYMBOLIC:
        yield "sets of states (--engine symbolic) make no choices that could be certified"
    if asked.experiment:
        yield "what may miss errors (--experiment) cannot be certified"
    for given, option in (
        (asked.threads > 1, "--threads"),
        (asked.compress, "--compress"),
        (asked.fingerprint, "--fingerprint"),
    ):
        if given:
            yield f"a certificate is written by one thread that keeps every state ({option})"
