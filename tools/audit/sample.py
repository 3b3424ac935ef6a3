"""Models of the corpus in which reductions leave something out, small enough to be audited soon."""

from __future__ import annotations

from typing import Final

QUICK: Final = (
    "prob-examples/B/LTL/Fairness/MutualExclusion.mch",
    "prob-examples/B/Benchmarks/Doors.mch",
    "prob-examples/B/Laws/BoolLaws.mch",
    "prob-examples/EventBPrologPackages/ABZ_Landing_Gear/Mch0_GearDoor_mch.eventb",
    "prob-examples/EventBPrologPackages/KKS/Ablauf_mch.eventb",
    "prob-examples/B/Benchmarks/Chapter13/Allocate.mch",
)
"""These are audited with every change."""

SAMPLE: Final = (
    *QUICK,
    "prob-examples/B/PerformanceTests/ConstraintPropagation/RangeRelTest.mch",
    "prob-examples/B/PerformanceTests/SATLIB/uf20-903_MYBOOL.mch",
    "prob-examples/B/PerformanceTests/CommonSubexpressions/Sequence_CSE_Test1.mch",
    "prob-examples/B/Corinna/Errors/symm_setv2.mch",
    "prob-examples/B/SymmetryReduction/Login_with_expire.mch",
    "prob-examples/B/Benchmarks/DSP0_complicated_constants.mch",
    "prob-examples/B/Mathematical/TLA/TLA_Graph.mch",
    "prob-examples/B/Mathematical/GCD_v2.mch",
    "prob-examples/B/LTL/Counter.mch",
    "prob-examples/B/LTL/Fairness/RecursiveSCCs2.mch",
    "prob-examples/B/Puzzles/WhoKilledAgatha.mch",
    "prob-examples/B/Puzzles/Farmer.mch",
    "prob-examples/B/Tickets/Valerio6/Test.mch",
    "prob-examples/B/Tickets/FiveWayTraffic/FiveWay_new_mch.eventb",
    "prob-examples/B/Tester/NonDetCstChoicesOpViewTest.mch",
    "prob-examples/B/Tester/UndefinedFunctions.mch",
    "prob-examples/B/Tester/SELECT_CASE.mch",
    "prob-examples/B/CBC/DeadlockIntBools.mch",
    "prob-examples/B/Ivo/ActivatingDepAction1.mch",
    "prob-examples/TLC/NoError/TrafficLight_tlm2.mch",
    "prob-examples/TLC/Laws/BoolWithArithLaws.mch",
    "prob-examples/CSP/Tickets/WilliamsCSPB2/Airports.mch",
    "prob-examples/EventBPrologPackages/TrafficLight/tlm_2.eventb",
    "prob-examples/EventBPrologPackages/Tickets/PROB-351/m2_mch.eventb",
    "prob-examples/EventBPrologPackages/ProofDirected/model/mc1_mch_v2.eventb",
    "prob-examples/EventBPrologPackages/BMS/RussianPostalSystemPuzzle/RussianPostalPuzzle_mch.eventb",
    "prob-examples/EventBPrologPackages/ConfigChooser/PetChooser_mch.eventb",
    "prob-examples/B/Ivo/BenchmarksPOR/Concurrent/phil_mch_v1_mch.eventb",
    "prob-examples/B/Ivo/BenchmarksPOR/Concurrent/phil_mch_v2_mch.eventb",
)
