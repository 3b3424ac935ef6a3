"""Small models with something to write down of every kind: sets, records, sequences, strings, results."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import secateur
from secateur.app.evidence import Run, gather, of_formulas
from secateur.app.model import Model
from secateur.app.temporal.claims import Claim
from secateur.report.envelope import enveloped
from secateur.report.formats.protocol import Evidence
from secateur.report.json import result_to_json
from secateur.report.temporal import temporal_to_json, with_formulas
from secateur.report.text import render_result
from secateur.system.system import PropertyKind

VALUES = """
MACHINE Values
SETS COLOUR = {red, green}; PERSON; ID
CONSTANTS most, home
PROPERTIES most : 1..2 & home : PERSON --> COLOUR
VARIABLES queue, who, seat, card_, mood, free
INVARIANT
  queue : seq(PERSON) & who <: PERSON & seat : PERSON +-> 0..2 & mood : STRING & free : BOOL &
  card_ : struct(age : INTEGER, owner : POW(PERSON)) & size(queue) <= 1 + card(who)
INITIALISATION
  queue := [] || who := {} || seat := {} || mood := "a \\"b\\" c" || free := TRUE ||
  card_ := rec(age : -1, owner : {})
OPERATIONS
  join(p) = PRE p : PERSON & size(queue) < 3 THEN queue := queue <- p || free := FALSE END;
  sit(p, n) = PRE p : PERSON & n : 0..most & p /: dom(seat) THEN seat(p) := n END;
  take(g) = PRE g : struct(age : {10**20}, owner : {PERSON}) THEN card_ := g END;
  r, n <-- ask(p) = PRE p : PERSON THEN r := (p |-> home(p)) || n := size(queue) END;
  shuffle = ANY s WHERE s <: PERSON & s /= {} THEN who := s END
END
"""

EVENTS = """
context colours
sets COLOUR
constants red green
axioms
  @axm1 partition(COLOUR, {red}, {green})
end
machine light sees colours
variables shown, count, last
invariants
  @inv1 shown ⊆ COLOUR
  @inv2 count ∈ ℕ
  @inv3 count < 3
  @inv4 last ∈ COLOUR ⇸ ℤ
events
  event INITIALISATION
    then
      @act1 shown ≔ ∅
      @act2 count ≔ 0
      @act3 last ≔ ∅
  end
  event show
    any c n
    where
      @grd1 c ∈ COLOUR
      @grd2 n ∈ 1‥2
      @grd3 c ∉ shown
    then
      @act1 shown ≔ shown ∪ {c}
      @act2 count ≔ count + n
      @act3 last ≔ last ∪ {c ↦ −n}
  end
end
"""

STUCK = """
MACHINE Stuck
VARIABLES x
INVARIANT x : 0..2
INITIALISATION x :: 0..1
OPERATIONS
  up = PRE x < 2 THEN x := x + 1 END
END
"""

ROUND = """
MACHINE Round
SETS PHASE = {one, two, three}
VARIABLES at, laps
INVARIANT at : PHASE & laps : 0..1
INITIALISATION at := one || laps := 0
OPERATIONS
  go = SELECT at = one THEN at := two END;
  on = SELECT at = two THEN at := three || laps := 1 END;
  back = SELECT at = three THEN at := two END;
  stay = skip
END
"""

MODELS: Mapping[str, str] = {
    "Values.mch": VALUES,
    "light.eventb": EVENTS,
    "Stuck.mch": STUCK,
}
"""Models in which something is violated."""


def loaded(folder: Path, name: str, text: str) -> Model:
    """Return a model that is written to a file first."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return secateur.load(path)


def checked(folder: Path, name: str, text: str, *, all: bool = False) -> tuple[Model, Evidence]:
    """Return a model and what files about its check are written from."""
    model = loaded(folder, name, text)
    result = model.check(all=all, native=False)
    run = Run(
        "check",
        folder / name,
        ("secateur", "check", name),
        lambda: enveloped("check", with_formulas(result_to_json(name, result), result.temporal)),
        lambda: render_result(model.name, result),
        frozenset(PropertyKind),
    )
    return model, gather(model, run, result)


def judged(folder: Path, formulas: Mapping[str, str]) -> tuple[Model, Evidence]:
    """Return the model that goes round, and what files about its formulas are written from."""
    model = loaded(folder, "Round.mch", ROUND)
    claims = [Claim(text, logic, text) for text, logic in formulas.items()]
    results = model.temporal(claims)
    run = Run(
        "ltl",
        folder / "Round.mch",
        ("secateur", "ltl", "Round.mch"),
        lambda: enveloped("ltl", temporal_to_json(model.name, results)),
        lambda: "",
    )
    return model, gather(model, run, of_formulas(results))
