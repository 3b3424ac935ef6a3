"""Small models for graphs."""

from __future__ import annotations

from pathlib import Path

import secateur

COUNTERS = """MACHINE Counters
SETS COLOUR = {red, green}
VARIABLES x, y, c
INVARIANT x : 0..20 & y : 0..20 & c : COLOUR & x + y < 30
INITIALISATION x, y, c := 0, 0, red
OPERATIONS
  east = SELECT x < 20 THEN x := x + 1 END;
  north(n) = SELECT n : 1..2 & y + n <= 20 THEN y := y + n END;
  paint = SELECT c = red & x = y THEN c := green END;
  look = SELECT c = green THEN skip END
END
"""

TWO_STARTS = """MACHINE TwoStarts
CONSTANTS k
PROPERTIES k : 1..2
VARIABLES x
INVARIANT x : 0..5
INITIALISATION x :: {0, k}
OPERATIONS
  up = SELECT x < 3 THEN x := x + k END
END
"""

FAULTY = """MACHINE Faulty
DEFINITIONS GOAL == (x = 2 & y = 0)
VARIABLES x, y
INVARIANT x : 0..12 & y : 0..12 & x /= 7
INITIALISATION x, y := 0, 0
OPERATIONS
  up = SELECT x < 12 THEN x := x + 1 END;
  side = SELECT y < 12 THEN y := y + 1 END;
  divide(d) = SELECT d : 0..1 & x = 3 & 10 / d > 5 THEN y := 0 END
END
"""

QUEER = """MACHINE Queer
VARIABLES s
INVARIANT s : STRING
INITIALISATION s := "a\\"b<c>&d"
OPERATIONS
  r <-- say(t) = SELECT s /= "Zürich ∀" & t : {"x\\ny", "<&>"} THEN s, r := "Zürich ∀", t END
END
"""


def model(text: str, folder: Path) -> secateur.Model:
    """Return a model that was written to a file."""
    path = folder / f"{text.split()[1]}.mch"
    path.write_text(text, encoding="utf-8")
    return secateur.load(path)
