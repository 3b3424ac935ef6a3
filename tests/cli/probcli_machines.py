"""Small machines for what a user of probcli may meet: each is written to a file of its name."""

from __future__ import annotations

from typing import Final

MACHINES: Final = {
    "Holds": """\
MACHINE Holds
VARIABLES x
INVARIANT x : 0..3
INITIALISATION x := 0
OPERATIONS
  Inc = PRE x < 3 THEN x := x + 1 END;
  Dec = PRE x > 0 THEN x := x - 1 END;
  r <-- Get = BEGIN r := x END
END
""",
    "Dead": """\
MACHINE Dead
VARIABLES x
INVARIANT x : 0..3
INITIALISATION x := 0
OPERATIONS
  Inc(d) = SELECT d : 1..2 & x + d <= 3 THEN x := x + d END;
  Never = SELECT x > 10 THEN x := 0 END
END
""",
    "Inv": """\
MACHINE Inv
CONSTANTS c
PROPERTIES c : 2..3
VARIABLES x, y
INVARIANT x : INTEGER & y : BOOL & (x < c)
INITIALISATION x := 0 || y := FALSE
OPERATIONS
  Inc(d) = SELECT d : 1..2 THEN x := x + d END
END
""",
    "Goal": """\
MACHINE Goal
DEFINITIONS GOAL == (x = 2); ASSERT_LTL == "G {x >= 0}"; ASSERT_LTL_1 == "F {x = 3}"; ASSERT_CTL == "EF {x=3}"
VARIABLES x
INVARIANT x : 0..3
ASSERTIONS x < 5; x < 2
INITIALISATION x := 0
OPERATIONS
  Inc = SELECT x < 3 THEN x := x + 1 END;
  Dec = SELECT x > 0 THEN x := x - 1 END
END
""",
    "NoInit": """\
MACHINE NoInit
CONSTANTS c
PROPERTIES c : NATURAL & c < 0
VARIABLES x
INVARIANT x : INTEGER
INITIALISATION x := 0
OPERATIONS Inc = BEGIN x := x + 1 END
END
""",
    "Parse": """\
MACHINE Parse
VARIABLES x
INVARIANT x : : INTEGER
INITIALISATION x := 0
END
""",
    "TypeErr": """\
MACHINE TypeErr
VARIABLES x
INVARIANT x : INTEGER & x = TRUE
INITIALISATION x := 0
END
""",
    "WD": """\
MACHINE WD
VARIABLES x
INVARIANT x : INTEGER
INITIALISATION x := 2
OPERATIONS
 Dec = SELECT x > 0 THEN x := x - 1 END;
 Div = SELECT 4 / x > 3 THEN x := x END
END
""",
    "Unb": """\
MACHINE Unb
VARIABLES x
INVARIANT x : INTEGER
INITIALISATION x := 0
OPERATIONS Inc = BEGIN x := x + 1 END
END
""",
    "Ass": """\
MACHINE Ass
CONSTANTS c
PROPERTIES c = 2
VARIABLES x
INVARIANT x : INTEGER
ASSERTIONS c > 1; c > 5; x < 2
INITIALISATION x := 0
OPERATIONS Inc = SELECT x < 3 THEN x := x + 1 END; Stay = skip
END
""",
    "Deferred": """\
MACHINE Deferred
SETS S; T = {a, b}
VARIABLES s, f
INVARIANT s <: S & f : S +-> T
INITIALISATION s := {} || f := {}
OPERATIONS
 Add(e) = SELECT e : S & e /: s THEN s := s \\/ {e} END;
 r <-- Map(e, t) = SELECT e : s & t : T & e /: dom(f) THEN f(e) := t || r := card(f) END;
 Reset = BEGIN s := {} || f := {} END
END
""",
    "Const": """\
MACHINE Const
CONSTANTS c
PROPERTIES c : 2..3
VARIABLES x
INVARIANT x : 0..c
INITIALISATION x :: 0..1
OPERATIONS
  Inc(d) = SELECT d : 1..2 THEN x := (x + d) mod c END
END
""",
    "Two": """\
MACHINE Two
VARIABLES x
INVARIANT x : 0..9 & x < 2
INITIALISATION x := 0
OPERATIONS
  Inc = SELECT x < 5 THEN x := x + 1 END
END
""",
    "Scope": """\
MACHINE Scope
DEFINITIONS SCOPE == (x < 3)
VARIABLES x
INVARIANT x : INTEGER
INITIALISATION x := 0
OPERATIONS Inc = BEGIN x := x + 1 END; r <-- Get = BEGIN r:= x END
END
""",
}
