"""The layout: nothing lies on anything else, edges end at their nodes, few of them cross."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from secateur.report.graphs.layout import Box, Link, TooLarge, ascending, place, ranks

sizes = st.lists(st.builds(Box, st.floats(10, 200), st.floats(10, 60)), min_size=1, max_size=12)


@st.composite
def pictures(draw: st.DrawFn) -> tuple[list[Box], list[Link], list[int]]:
    boxes = draw(sizes)
    number = st.integers(0, len(boxes) - 1)
    pairs = draw(st.lists(st.tuples(number, number), max_size=25, unique=True))
    links = [Link(a, b, Box(draw(st.floats(4, 90)), 13)) for a, b in pairs if a != b]
    return boxes, links, draw(st.lists(number, max_size=3, unique=True))


@given(pictures())
def test_nothing_lies_on_anything(picture: tuple[list[Box], list[Link], list[int]]) -> None:
    boxes, links, roots = picture
    placed = place(boxes, links, roots)
    things = [
        *zip(placed.nodes, boxes, strict=True),
        *((route.label, link.label) for route, link in zip(placed.routes, links, strict=True)),
    ]
    for ((x, y), a), ((u, v), b) in combinations(things, 2):
        apart_across = abs(x - u) >= (a.width + b.width) / 2 - 1e-6
        apart_down = abs(y - v) >= (a.height + b.height) / 2 - 1e-6
        assert apart_across or apart_down
    for (x, y), box in things:
        assert x >= box.width / 2 - 1e-6
        assert x + box.width / 2 <= placed.size.width + 1e-6
        assert y >= box.height / 2 - 1e-6
        assert y + box.height / 2 <= placed.size.height + 1e-6


@given(pictures())
def test_edges_end_at_their_nodes(picture: tuple[list[Box], list[Link], list[int]]) -> None:
    boxes, links, roots = picture
    placed = place(boxes, links, roots)
    for link, route in zip(links, placed.routes, strict=True):
        for node, (x, y) in ((link.source, route.points[0]), (link.target, route.points[-1])):
            middle, box = placed.nodes[node], boxes[node]
            assert abs(x - middle[0]) <= box.width / 2
            assert abs(abs(y - middle[1]) - box.height / 2) < 1e-6
        assert route.label in route.points


@given(pictures())
def test_it_is_the_same_each_time(picture: tuple[list[Box], list[Link], list[int]]) -> None:
    assert place(*picture) == place(*picture)


def test_layers_are_distances() -> None:
    edges = [(0, 1), (0, 2), (1, 3), (3, 0), (2, 3), (4, 5)]
    links = [Link(a, b, Box(1, 1)) for a, b in edges]
    assert ranks(6, links, [0]) == [0, 1, 1, 2, 0, 1]


def test_crossings_are_avoided() -> None:
    boxes = [Box(20, 20)] * 7
    # two trees side by side, with the children named crosswise
    edges = [(0, 4), (0, 6), (1, 3), (1, 5), (2, 0), (2, 1)]
    placed = place(boxes, [Link(a, b, Box(4, 4)) for a, b in edges], [2])
    left, right = sorted((0, 1), key=lambda node: placed.nodes[node][0])
    children = {0: (4, 6), 1: (3, 5)}
    assert max(placed.nodes[c][0] for c in children[left]) < min(
        placed.nodes[c][0] for c in children[right]
    )


def test_too_much_is_refused() -> None:
    chain = [Link(i, i + 1, Box(1, 1)) for i in range(999)]
    back = [Link(i, 0, Box(1, 1)) for i in range(1, 999)]
    with pytest.raises(TooLarge):
        place([Box(1, 1)] * 1000, [*chain, *back], [0])


@given(st.lists(st.floats(-1000, 1000)))
def test_ascending(wanted: list[float]) -> None:
    found = ascending(wanted)
    assert found == sorted(found)
    assert sum(found) == pytest.approx(sum(wanted), abs=1e-6)
    assert ascending(sorted(wanted)) == pytest.approx(sorted(wanted))
