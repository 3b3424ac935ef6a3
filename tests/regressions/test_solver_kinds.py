"""Values that Python takes for equal must not be mixed up by the solver."""

from pathlib import Path

import secateur

MACHINE = """
MACHINE Kinds
SETS INSTR = {plus, minus, one}
CONSTANTS program, input
PROPERTIES
  program : 1..3 --> INSTR & input : 1..3 --> 0..2 &
  !i.(i : 1..3 => input(i) < i) &
  !i.(i : 1..3 => (program(i) = plus => input(i) = 0)) &
  program(3) = one & input(3) = 2
END
"""


def test_elements_and_numbers_in_one_problem(tmp_path: Path) -> None:
    path = tmp_path / "Kinds.mch"
    path.write_text(MACHINE)
    result = secateur.load(path).check(deadlock=False)
    # input(1) = 0; input(2) is 0, or 1 unless program(2) = plus: 3 * (3 + 2) solutions,
    # each a state after SETUP_CONSTANTS and one after INITIALISATION.
    assert result.statistics.states == 30
