"""What each operator means, written down from the definitions of set theory.

Slow and plain on purpose, over Python's own sets only; nothing of the package is used
but the exception.  An oracle raises `IllDefined` where the operator must.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import chain, combinations, product
from typing import Any

from secateur.maths.values import IllDefined

Set = frozenset[Any]


def wd(condition: bool) -> None:
    """Demand a condition of well-definedness."""
    if not condition:
        raise IllDefined("oracle")


def subsets(s: Set) -> Set:
    """Return the power set."""
    every = chain.from_iterable(combinations(s, n) for n in range(len(s) + 1))
    return frozenset(map(frozenset, every))


def truncated(a: int, b: int) -> int:
    """Return the quotient rounded towards zero."""
    wd(b != 0)
    return int(Fraction(a, b))


def modulo(a: int, b: int) -> int:
    """Return the remainder for natural numbers."""
    wd(a >= 0 and b > 0)
    return a - b * truncated(a, b)


def power(a: Any, n: int) -> Any:
    """Return repeated multiplication."""
    wd(n >= 0)
    result = a**0
    for _ in range(n):
        result *= a
    return result


def real_power(a: float, n: int) -> float:
    """Return a power; the exponent may be negative."""
    wd(a != 0 or n >= 0)
    return float(Fraction(a) ** n) if n < 0 else float(power(Fraction(a), n))


def greatest(s: Set) -> Any:
    """Return the element that none exceeds."""
    wd(bool(s))
    return next(x for x in s if all(y <= x for y in s))


def least(s: Set) -> Any:
    """Return the element that exceeds none."""
    wd(bool(s))
    return next(x for x in s if all(y >= x for y in s))


def quotient(a: float, b: float) -> float:
    """Return the quotient of reals."""
    wd(b != 0)
    return float(Fraction(a) / Fraction(b))


def general_union(family: Set) -> Set:
    """Return what is in some member."""
    return frozenset(x for s in family for x in s)


def general_intersection(family: Set) -> Set:
    """Return what is in all members."""
    wd(bool(family))
    return frozenset(x for x in general_union(family) if all(x in s for s in family))


def partition(whole: Set, *parts: Set) -> bool:
    """Whether each element of the whole is in exactly one part and parts have no others."""
    everything = whole | general_union(frozenset(parts))
    return all((x in whole) and sum(x in p for p in parts) == 1 for x in everything)


def dom(r: Set) -> Set:
    """Return the first components."""
    return frozenset(x for x, _ in r)


def ran(r: Set) -> Set:
    """Return the second components."""
    return frozenset(y for _, y in r)


def compose(p: Set, q: Set) -> Set:
    """Return what a middle element joins."""
    return frozenset((x, z) for (x, y), (u, z) in product(p, q) if y == u)


def closure1(r: Set) -> Set:
    """Return the union of all iterates."""
    result = r
    for _ in range(len(r)):
        result |= compose(result, r)
    return result


def iterate(r: Set, n: int, carrier: Set) -> Set:
    """Return the n-fold composition."""
    wd(n >= 0)
    result = frozenset((x, x) for x in carrier)
    for _ in range(n):
        result = compose(result, r)
    return result


def overwrite(r: Set, by: Set) -> Set:
    """Return the pairs of `by`, and of `r` where `by` is silent."""
    return by | frozenset(p for p in r if p[0] not in dom(by))


# Sequences


def is_sequence(s: Set) -> bool:
    """Whether the domain is 1..n, and each place has one element."""
    return sorted(i for i, _ in s) == list(range(1, len(s) + 1))


def as_list(s: Set) -> list[Any]:
    """Return the elements in order."""
    wd(is_sequence(s))
    return [x for _, x in sorted(s, key=lambda pair: pair[0])]


def seq(items: list[Any]) -> Set:
    """Return a list as a sequence."""
    return frozenset((i + 1, x) for i, x in enumerate(items))


def nonempty(s: Set) -> list[Any]:
    """Return the elements of a sequence that has some."""
    items = as_list(s)
    wd(bool(items))
    return items


def take(s: Set, n: int) -> Set:
    """Return the pairs up to place n."""
    wd(0 <= n <= len(as_list(s)))
    return frozenset((i, x) for i, x in s if i <= n)


def drop(s: Set, n: int) -> Set:
    """Return the pairs after place n, moved to the front."""
    wd(0 <= n <= len(as_list(s)))
    return frozenset((i - n, x) for i, x in s if i > n)


# Trees: from node (as a tuple) to label


def as_tree(t: Set) -> dict[tuple[int, ...], Any]:
    """Return a tree as a dictionary from paths."""
    wd(all(is_sequence(node) for node, _ in t))
    pairs = [(tuple(as_list(node)), label) for node, label in t]
    nodes = {node for node, _ in pairs}
    wd(len(nodes) == len(pairs) and () in nodes)
    for node in nodes - {()}:
        wd(node[:-1] in nodes and node[-1] >= 1)
        wd(all((*node[:-1], i) in nodes for i in range(1, node[-1])))
    return dict(pairs)


def tree(labels: dict[tuple[int, ...], Any]) -> Set:
    """Return a dictionary from paths as a tree."""
    return frozenset((seq(list(node)), label) for node, label in labels.items())


def below(t: dict[tuple[int, ...], Any], node: tuple[int, ...]) -> dict[tuple[int, ...], Any]:
    """Return the subtree at a node."""
    n = len(node)
    return {k[n:]: v for k, v in t.items() if k[:n] == node}


def sons_of(t: dict[tuple[int, ...], Any]) -> list[dict[tuple[int, ...], Any]]:
    """Return the subtrees below the root."""
    return [below(t, (i,)) for i in range(1, 20) if (i,) in t]


def at(t: Set, node: Set) -> tuple[dict[tuple[int, ...], Any], tuple[int, ...]]:
    """Return a tree with one of its nodes."""
    labels = as_tree(t)
    path = tuple(as_list(node))
    wd(path in labels)
    return labels, path


def const(label: Any, sons: Set) -> Set:
    """Return a root with subtrees."""
    result: dict[tuple[int, ...], Any] = {(): label}
    for i, son in enumerate(as_list(sons), 1):
        for path, below_ in as_tree(son).items():
            result[(i, *path)] = below_
    return tree(result)


def preorder(t: dict[tuple[int, ...], Any]) -> list[Any]:
    """Return the labels, root first."""
    return [t[()], *(x for son in sons_of(t) for x in preorder(son))]


def postorder(t: dict[tuple[int, ...], Any]) -> list[Any]:
    """Return the labels, root last."""
    return [*(x for son in sons_of(t) for x in postorder(son)), t[()]]


def inorder(t: dict[tuple[int, ...], Any]) -> list[Any]:
    """Return the labels of a binary tree from left to right."""
    sons = sons_of(t)
    wd(len(sons) in (0, 2))
    if not sons:
        return [t[()]]
    return [*inorder(sons[0]), t[()], *inorder(sons[1])]


def mirror(t: dict[tuple[int, ...], Any]) -> Set:
    """Return the tree whose sons stand in reverse."""
    return const(t[()], seq([mirror(son) for son in reversed(sons_of(t))]))


def father_path(t: Set, node: Set) -> tuple[int, ...]:
    """Return the path of a node that is not the root."""
    _, path = at(t, node)
    wd(bool(path))
    return path


def son(t: Set, node: Set, i: int) -> Set:
    """Return the path of a son."""
    labels, path = at(t, node)
    wd((*path, i) in labels)
    return seq([*path, i])


def half(t: Set, which: int) -> Set:
    """Return a subtree of a binary node."""
    sons = sons_of(as_tree(t))
    wd(len(sons) == 2)
    return tree(sons[which])


def number_of_sons(t: Set, node: Set) -> int:
    """Return how many nodes are directly below."""
    labels, path = at(t, node)
    return sum(1 for k in labels if len(k) == len(path) + 1 and k[: len(path)] == path)


# Spaces


def total(r: Set, a: Set, _b: Set) -> bool:
    """Whether each source is related."""
    return dom(r) == a


def onto(r: Set, _a: Set, b: Set) -> bool:
    """Whether each target is related."""
    return ran(r) == b


def functional(r: Set, _a: Set, _b: Set) -> bool:
    """Whether images are unique."""
    return all(y == v for (x, y), (u, v) in product(r, r) if x == u)


def injective(r: Set, _a: Set, _b: Set) -> bool:
    """Whether sources are unique."""
    return all(x == u for (x, y), (u, v) in product(r, r) if y == v)


def space(*demands: Callable[[Set, Set, Set], bool]) -> Callable[[Set, Set], Callable[[Set], bool]]:
    """Return the membership test of relations that meet all demands."""

    def of(a: Set, b: Set) -> Callable[[Set], bool]:
        pairs = frozenset(product(a, b))
        return lambda r: r <= pairs and all(demand(r, a, b) for demand in demands)

    return of


def sequences(
    *, empty: bool = True, once: bool = False, every: bool = False
) -> Callable[[Set], Callable[[Set], bool]]:
    """Return the membership test of a kind of sequences."""

    def of(s: Set) -> Callable[[Set], bool]:
        def test(r: Set) -> bool:
            if not is_sequence(r) or not ran(r) <= s:
                return False
            if once and len(ran(r)) != len(r):
                return False
            return (empty or bool(r)) and (not every or ran(r) == s)

        return test

    return of


def trees(*, binary: bool) -> Callable[[Set], Callable[[Set], bool]]:
    """Return the membership test of trees."""

    def of(s: Set) -> Callable[[Set], bool]:
        def test(t: Set) -> bool:
            try:
                labels = as_tree(t)
            except IllDefined:
                return False
            if not set(labels.values()) <= s:
                return False
            return not binary or all(len(sons_of(below(labels, n))) in (0, 2) for n in labels)

        return test

    return of


def _fnc(r: Set) -> Set:
    return frozenset((x, frozenset(y for u, y in r if u == x)) for x in dom(r))


VALUES: dict[str, Callable[..., Any]] = {
    "integer sum": lambda a, b: a + b,
    "real sum": lambda a, b: float(Fraction(a) + Fraction(b)),
    "integer difference": lambda a, b: a + -b,
    "real difference": lambda a, b: float(Fraction(a) - Fraction(b)),
    "set difference": lambda a, b: frozenset(x for x in a if x not in b),
    "set minus": lambda a, b: frozenset(x for x in a if x not in b),
    "integer product": lambda a, b: sum([a] * b) if b >= 0 else -sum([a] * -b),
    "real product": lambda a, b: float(Fraction(a) * Fraction(b)),
    "cartesian product": lambda a, b: frozenset(product(a, b)),
    "integer quotient": truncated,
    "real quotient": quotient,
    "integer power": power,
    "real power": real_power,
    "integer opposite": lambda a: 0 - a,
    "real opposite": lambda a: 0 - a,
    "greatest integer": greatest,
    "greatest real": greatest,
    "least integer": least,
    "least real": least,
    "remainder": modulo,
    "successor": lambda a: a + 1,
    "predecessor": lambda a: a - 1,
    "equal": lambda a, b: a == b,
    "not equal": lambda a, b: not a == b,  # noqa: SIM201
    "member": lambda x, s: any(x == y for y in s),
    "not member": lambda x, s: all(x != y for y in s),
    "subset": lambda a, b: all(x in b for x in a),
    "strict subset": lambda a, b: all(x in b for x in a) and any(x not in a for x in b),
    "not subset": lambda a, b: any(x not in b for x in a),
    "not strict subset": lambda a, b: any(x not in b for x in a) or a == b,
    "integer less": lambda a, b: a < b,
    "real less": lambda a, b: a < b,
    "integer at most": lambda a, b: not b < a,
    "real at most": lambda a, b: not b < a,
    "integer greater": lambda a, b: b < a,
    "real greater": lambda a, b: b < a,
    "integer at least": lambda a, b: not a < b,
    "real at least": lambda a, b: not a < b,
    "set union": lambda a, b: frozenset([*a, *b]),
    "set intersection": lambda a, b: frozenset(x for x in a if x in b),
    "interval": lambda a, b: frozenset(range(a, b + 1)),
    "power set": subsets,
    "non-empty subsets": lambda s: subsets(s) - {frozenset()},
    "finite subsets": subsets,
    "non-empty finite subsets": lambda s: subsets(s) - {frozenset()},
    "cardinality": lambda s: sum(1 for _ in s),
    "generalized union": general_union,
    "generalized intersection": general_intersection,
    "partition": partition,
    "pair": lambda a, b: (a, b),
    "domain": dom,
    "range": ran,
    "inverse": lambda r: frozenset((y, x) for x, y in r),
    "image": lambda r, s: frozenset(y for x, y in r if x in s),
    "identity": lambda s: frozenset((x, y) for x, y in product(s, s) if x == y),
    "first projection": lambda s, t: frozenset(((x, y), x) for x, y in product(s, t)),
    "second projection": lambda s, t: frozenset(((x, y), y) for x, y in product(s, t)),
    "composition": compose,
    "parallel product": lambda p, q: frozenset(
        ((x, u), (y, v)) for (x, y), (u, v) in product(p, q)
    ),
    "direct product": lambda p, q: frozenset(
        (x, (y, v)) for (x, y), (u, v) in product(p, q) if x == u
    ),
    "domain restriction": lambda s, r: frozenset((x, y) for x, y in r if x in s),
    "domain subtraction": lambda s, r: frozenset((x, y) for x, y in r if x not in s),
    "range restriction": lambda r, s: frozenset((x, y) for x, y in r if y in s),
    "range subtraction": lambda r, s: frozenset((x, y) for x, y in r if y not in s),
    "overwriting": overwrite,
    "overwriting from the left": lambda by, r: overwrite(r, by),
    "reflexive closure": lambda r, carrier: closure1(r) | {(x, x) for x in carrier},
    "transitive closure": closure1,
    "iteration": iterate,
    "relation as function": _fnc,
    "function as relation": lambda f: frozenset((x, y) for x, ys in f for y in ys),
    "length of a sequence": lambda s: len(as_list(s)),
    "length of a string": lambda s: sum(1 for _ in s),
    "concatenation of sequences": lambda s, t: seq(as_list(s) + as_list(t)),
    "concatenation of strings": lambda s, t: "".join([*s, *t]),
    "prepending": lambda x, s: seq([x, *as_list(s)]),
    "appending": lambda s, x: seq([*as_list(s), x]),
    "prefix of length": take,
    "without first": drop,
    "reversed sequence": lambda s: frozenset((len(as_list(s)) + 1 - i, x) for i, x in s),
    "reversed string": lambda s: "".join(reversed(s)),
    "first element": lambda s: nonempty(s)[0],
    "last element": lambda s: nonempty(s)[-1],
    "all but the last": lambda s: take(s, len(nonempty(s)) - 1),
    "all but the first": lambda s: drop(s, min(1, len(nonempty(s)))),
    "concatenation of all": lambda s: seq([x for part in as_list(s) for x in as_list(part)]),
    "concatenation of all strings": lambda s: "".join(c for part in as_list(s) for c in part),
    "tree of": const,
    "root label": lambda t: as_tree(t)[()],
    "subtrees of the root": lambda t: seq([tree(s) for s in sons_of(as_tree(t))]),
    "prefix order": lambda t: seq(preorder(as_tree(t))),
    "postfix order": lambda t: seq(postorder(as_tree(t))),
    "number of nodes": lambda t: len(as_tree(t)),
    "mirrored tree": lambda t: mirror(as_tree(t)),
    "rank of a node": lambda t, n: father_path(t, n)[-1],
    "father of a node": lambda t, n: seq(list(father_path(t, n)[:-1])),
    "son of a node": son,
    "subtree at a node": lambda t, n: tree(below(*at(t, n))),
    "number of sons": number_of_sons,
    "binary leaf": lambda x: const(x, seq([])),
    "binary node": lambda a, x, b: const(x, seq([a, b])),
    "left subtree": lambda t: half(t, 0),
    "right subtree": lambda t: half(t, 1),
    "infix order": lambda t: seq(inorder(as_tree(t))),
    "integer as real": Fraction,
    "floor": lambda x: max(n for n in range(-9, 10) if n <= x),
    "ceiling": lambda x: min(n for n in range(-9, 10) if n >= x),
}
"""The value of an operator, by its name."""

SPACES: dict[str, Callable[..., Callable[[Any], bool]]] = {
    "relations": space(),
    "total relations": space(total),
    "surjective relations": space(onto),
    "total surjective relations": space(total, onto),
    "partial functions": space(functional),
    "total functions": space(functional, total),
    "partial injections": space(functional, injective),
    "total injections": space(functional, injective, total),
    "partial surjections": space(functional, onto),
    "total surjections": space(functional, total, onto),
    "partial bijections": space(functional, injective, onto),
    "total bijections": space(functional, injective, total, onto),
    "sequences": sequences(),
    "non-empty sequences": sequences(empty=False),
    "injective sequences": sequences(once=True),
    "non-empty injective sequences": sequences(once=True, empty=False),
    "permutations": sequences(once=True, every=True),
    "trees": trees(binary=False),
    "binary trees": trees(binary=True),
}
"""Whether a value is in the set that an operator makes, by its name."""

CONSTANTS: dict[str, Callable[[int, int], Any]] = {
    "true": lambda _low, _high: True,
    "false": lambda _low, _high: False,
    "true predicate": lambda _low, _high: True,
    "false predicate": lambda _low, _high: False,
    "booleans": lambda _low, _high: lambda x: x in (False, True),
    "integers": lambda _low, _high: lambda x: isinstance(x, int),
    "naturals": lambda _low, _high: lambda x: x >= 0,
    "positive naturals": lambda _low, _high: lambda x: x >= 1,
    "machine integers": lambda low, high: lambda x: low <= x <= high,
    "machine naturals": lambda _low, high: lambda x: 0 <= x <= high,
    "positive machine naturals": lambda _low, high: lambda x: 1 <= x <= high,
    "greatest machine integer": lambda _low, high: high,
    "least machine integer": lambda low, _high: low,
    "strings": lambda _low, _high: lambda x: isinstance(x, str),
    "reals": lambda _low, _high: lambda x: isinstance(x, float),
    "floats": lambda _low, _high: lambda x: isinstance(x, float),
    "empty set": lambda _low, _high: lambda _x: False,
}
"""The value of a constant, or whether a value is in it, by its name and the machine bounds."""
