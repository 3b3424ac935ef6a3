"""Of constants that differ by a permutation none is chosen where CHOOSE tells elements apart."""

from pathlib import Path

import secateur

MACHINE = """
MACHINE Chosen
DEFINITIONS "CHOOSE.def"
SETS S
CONSTANTS c
PROPERTIES c : S
VARIABLES x
INVARIANT x : S & x = c
INITIALISATION x := CHOOSE(S)
OPERATIONS op = skip
END
"""


def test_a_constant_need_not_be_what_is_chosen(tmp_path: Path) -> None:
    path = tmp_path / "Chosen.mch"
    path.write_text(MACHINE)
    model = secateur.load(path, set_sizes={"S": 3})
    for native in (True, False):
        result = model.check(native=native, all=True)
        assert [(v.name, v.count) for v in result.violations] == [("x = c", 2)]
