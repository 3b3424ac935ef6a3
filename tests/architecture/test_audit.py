"""Audits share no code with what they audit."""

from __future__ import annotations

from tests.architecture.tree import imports, modules

AUDITED = ("secateur.engine.reduce", "secateur.engine.provisos", "secateur.analysis")
ROOTS = (
    "secateur.audit",
    "secateur.app.certificates.audited",
    "secateur.app.certificates.audit_report",
)


def _within(name: str, packages: tuple[str, ...]) -> bool:
    return any(name == p or name.startswith(f"{p}.") for p in packages)


def test_an_audit_uses_nothing_of_the_reductions() -> None:
    """Not even by way of others; the root of the package, which offers everything, aside."""
    known = {m.name for m in modules()}
    uses: dict[str, set[str]] = {}
    for each in imports():
        uses.setdefault(each.home.name, set()).add(each.target)
    todo = [name for name in known if _within(name, ROOTS)]
    seen = set(todo)
    while todo:
        name = todo.pop()
        for target in uses.get(name, ()):
            home = target if target in known else target.rpartition(".")[0]
            assert not _within(home, AUDITED), f"{name} imports {target}"
            if home not in seen and home != "secateur":
                seen.add(home)
                todo.append(home)
    assert any(name.startswith("secateur.lang.unfold") for name in seen)
