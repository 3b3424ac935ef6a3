"""Groups of numbers that are pairwise different: together they can be told more than in pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from secateur.maths.solve.choice import AllDifferent
from secateur.maths.solve.linear import Linear
from secateur.maths.solve.network import Bool, Network, Scalar

Graph = Mapping[Scalar, dict[Scalar, None]]


def keep_apart(net: Network) -> None:
    """Add a propagator for each group of three or more that differences keep apart."""
    graph: dict[Scalar, dict[Scalar, None]] = {}
    for propagator in net.propagators():
        pair = propagator.apart() if isinstance(propagator, Linear) else None
        if pair is not None:
            v, w = pair
            graph.setdefault(v, {})[w] = None
            graph.setdefault(w, {})[v] = None
    truth = Bool()
    truth.value = True
    for clique in list(_cliques(graph)):
        net.add(AllDifferent(clique, truth), *clique)


def _cliques(graph: Graph) -> Iterator[list[Scalar]]:
    """Yield cliques that cover all edges in groups of three or more, found greedily."""
    covered: set[tuple[Scalar, Scalar]] = set()
    for v, neighbours in graph.items():
        for w in neighbours:
            if (v, w) in covered:
                continue
            clique = [v, w]
            candidates = [u for u in neighbours if u in graph[w]]
            while candidates:
                chosen = candidates.pop(0)
                clique.append(chosen)
                candidates = [u for u in candidates if u in graph[chosen]]
            covered.update((x, y) for x in clique for y in clique)
            if len(clique) > 2:
                yield clique
