"""What a report shows besides words: the states, the events, a state as its model draws it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from secateur.app.deep import run_deep
from secateur.app.evaluate import first_initial_state
from secateur.app.events import EventsAnalysis
from secateur.app.model import Model
from secateur.app.pictures.animation import animation_functions, animation_picture
from secateur.app.pictures.drawn import enable_graph, overview_picture
from secateur.engine.limits import Limits
from secateur.report.events import EventsOverview
from secateur.report.events_svg import dependency_to_svg
from secateur.report.formats.protocol import Gallery, Picture
from secateur.report.graphs.layout import TooLarge
from secateur.report.graphs.svg import render_svg
from secateur.source import InputError
from secateur.source.read import read_source
from secateur.system.trace import Trace

STATES: Final = Limits(states=200_000, seconds=60)
"""How much of the states a picture is made of; it says so where these are hit."""
ANALYSIS_SECONDS: Final = 10.0
MOST_EVENTS: Final = 60
"""A matrix of more events cannot be read."""


def gallery_of(model: Model, path: Path, trace: Trace | None) -> Gallery:
    """Return the pictures for a report; what cannot be drawn is said instead."""
    return run_deep(lambda _: _Gallery(model, trace).gathered(path))


class _Gallery:
    """Pictures, and remarks on those that there are none of."""

    def __init__(self, model: Model, trace: Trace | None) -> None:
        self._model = model
        self._trace = trace
        self._pictures: list[Picture] = []
        self._remarks: list[str] = []

    def gathered(self, path: Path) -> Gallery:
        self._tried("the states", self._states)
        self._tried("the events", self._events)
        if animation_functions(self._model):
            self._tried("the state as the model draws it", self._animation)
        source = read_source(path).text if path.is_file() and path.suffix in _TEXTS else None
        return Gallery(tuple(self._pictures), tuple(self._remarks), source)

    def _tried(self, what: str, draw: Callable[[], None]) -> None:
        try:
            draw()
        except InputError as error:
            self._remarks.append(f"no picture of {what}: {error.diagnostics[0].message}")

    def _states(self) -> None:
        svg = overview_picture(self._model, STATES, self._trace)
        if svg is None:
            self._remarks.append("no picture of the states: there is nothing to draw, or too much")
            return
        self._pictures.append(Picture("The states", svg))

    def _events(self) -> None:
        count = len(self._model.system.operations)
        if count > MOST_EVENTS:
            self._remarks.append(f"no picture of the events: {count} are too many to be read")
            return
        analysis = EventsAnalysis(self._model.system, ANALYSIS_SECONDS, use_cache=True)
        events = analysis.overview(instances=False)
        caption = "the darker, the more pairs of instances depend on each other; point at a square"
        self._pictures.append(
            Picture("How the events depend on each other", dependency_to_svg(events), caption)
        )
        self._enabling(events)

    def _enabling(self, events: EventsOverview) -> None:
        try:
            svg = render_svg(enable_graph(events))
        except TooLarge:
            self._remarks.append("no picture of what enables what: it would be too large")
            return
        self._pictures.append(Picture("What enables and disables what", svg))

    def _animation(self) -> None:
        trace = self._trace
        at_end = trace is not None and trace.transitions
        state = trace.states[-1] if trace and at_end else first_initial_state(self._model.system)
        where = "at the end of the trace" if at_end else "at the beginning"
        self._pictures.append(Picture(f"The state {where}", animation_picture(self._model, state)))


_TEXTS: Final = frozenset({".mch", ".ref", ".imp", ".sys", ".eventb", ".bumx", ".bucx"})
