"""A machine of Event-B together with those that it refines."""

from __future__ import annotations

from dataclasses import replace

from secateur.lang.eventb.assemble import behaviour
from secateur.lang.eventb.typecheck import Typed
from secateur.lang.model import Alone, Model
from secateur.lang.refinement import Refinement
from secateur.maths.substitution import Skip


def refinement(model: Model, typed: Typed) -> Refinement:
    """Return the last step of refinement of a chain of machines.

    The events already take those along that they refine.  What is left to check of states
    is the invariant of the refinement, which relates the two.
    """
    abstract, concrete = (machine.machine for machine in typed.machines[-2:])
    own = {f"{concrete.name}.{i.label}" for i in typed.machines[-1].invariants}
    joint = replace(
        model,
        invariants=tuple(p for p in model.invariants if p.name in own),
        assertions=(),
    )
    above = replace(typed, machines=typed.machines[:-1])
    return Refinement(
        concrete.name,
        abstract.name,
        joint,
        replace(
            joint,
            initialisation=Skip(),
            initial_levels=(),
            operations=behaviour(above)[2],
            companion=Alone(),
        ),
        tuple((m.machine.name, tuple(v.text for v in m.machine.variables)) for m in typed.machines),
        native=True,
    )
