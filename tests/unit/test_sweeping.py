"""Garbage is looked for seldom, but it is."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest

from secateur.app.checking import sweeping
from secateur.app.checking.sweeping import seldom_swept
from secateur.app.deep import run_deep
from secateur.system.collecting import SOLVING


class Knot:
    """Something that refers to itself."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def collecting() -> Iterator[None]:
    before = gc.isenabled()
    gc.enable()
    yield
    (gc.enable if before else gc.disable)()


@pytest.mark.usefixtures("collecting")
def test_python_does_not_look_by_itself_while_work_goes_on() -> None:
    assert not run_deep(lambda _: gc.isenabled())
    assert gc.isenabled()


@pytest.mark.usefixtures("collecting")
def test_it_is_as_before_after_an_error() -> None:
    with pytest.raises(ZeroDivisionError), seldom_swept():
        raise ZeroDivisionError
    assert gc.isenabled()


@pytest.mark.usefixtures("collecting")
def test_what_was_made_meanwhile_is_not_looked_through_at_once() -> None:
    made: list[list[int]] = []
    with seldom_swept():
        made.extend([i] for i in range(100_000))
    assert gc.get_count()[0] < 100_000
    assert len(gc.get_objects(generation=0)) < 10_000
    assert gc.get_freeze_count() == 0


@pytest.mark.usefixtures("collecting")
def test_who_wants_no_sweeping_gets_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeping, "EVERY", 0.0)
    gc.disable()
    with seldom_swept() as sweep:
        knot = weakref.ref(Knot())
        sweep()
        assert knot() is not None
    assert not gc.isenabled()


@pytest.mark.usefixtures("collecting")
def test_knots_are_swept_when_it_is_time(monkeypatch: pytest.MonkeyPatch) -> None:
    with seldom_swept() as sweep:
        knot = weakref.ref(Knot())
        sweep()
        assert knot() is not None
    monkeypatch.setattr(sweeping, "EVERY", 0.0)
    with seldom_swept() as sweep:
        sweep()
        assert knot() is None


@pytest.mark.usefixtures("collecting")
def test_sweeping_takes_a_small_part_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    swept = []

    def collect() -> None:
        swept.append(now[0])
        now[0] += 3.0

    monkeypatch.setattr("secateur.app.checking.sweeping.time.monotonic", lambda: now[0])
    monkeypatch.setattr("secateur.app.checking.sweeping.gc.collect", collect)
    with seldom_swept() as sweep:
        for _ in range(1000):
            sweep()
            now[0] += 0.1
    assert len(swept) == 2


@pytest.mark.usefixtures("collecting")
def test_nothing_is_collected_while_a_solver_is_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeping, "EVERY", 0.0)
    monkeypatch.setattr(sweeping, "SHARE", 0)
    asked, answered = threading.Event(), threading.Event()

    def ask() -> None:
        with SOLVING:
            asked.set()
            answered.wait()

    solver = threading.Thread(target=ask)
    with seldom_swept() as sweep:
        knot = weakref.ref(Knot())
        solver.start()
        asked.wait()
        sweep()
        assert knot() is not None
        answered.set()
        solver.join()
        sweep()
        assert knot() is None
