"""What the paper prints, in states.

> D. Bošnački, S. Leue, A. Lluch Lafuente: *Partial-Order Reduction for General State Exploring
> Algorithms*, STTT 11 (2009), Tables 1 and 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PROVISOS: Final = ("no", "C2i", "C2v", "C2s", "C2o")
"""No reduction; a reduction without proviso, with the visited, the static and the open one."""

COMPLETE: Final[Mapping[str, tuple[int, ...]]] = {
    "marriers(3)": (96_295, 29_501, 56_345, 57_067, 29_501),
    "leader(6)": (445_776, 3_160, 5_209, 11_921, 3_160),
    "giop(2,1)": (664_376, 65_964, 209_382, 231_102, 66_160),
    "pots": (450_765, 448_629, 448_730, 448_629, 448_629),
    "brp": (848_662, 425_736, 589_877, 432_648, 518_473),
    "bus(4)": (32_920, 27_919, 31_206, 27_919, 27_919),
    "dbm(2)": (277_206, 241_355, 257_345, 265_924, 242_391),
    "sgc": (295_070, 230_039, 292_265, 262_065, 242_030),
}
"""Table 1: everything explored, breadth-first, in the order of `PROVISOS`."""

VIOLATION: Final[Mapping[str, tuple[int, ...]]] = {
    "marriers(4)": (225_404, 37_220, 100_278, 37_220, 58_500, 155_894),
    "pots": (6_654, 5_429, 5_574, 5_429, 5_429, 22_786),
    "leader(8)": (558_214, 104, 104, 104, 104, 128),
    "giop(3,1)": (485_907, 90_412, 314_964, 191_805, 117_846, 120_132),
    "brp": (16_577, 11_021, 11_669, 11_021, 11_830, 24_881),
    "bus(4)": (2_825, 723, 878, 723, 723, 2_242),
    "dbm(5)": (50_577, 135_694, 96_063, 315_006, 135_694, 179_026),
    "sgc": (14_310, 9_395, 12_540, 11_470, 10_175, 88_504),
}
"""Table 2: until a violation is found, A* in the order of `PROVISOS`, then BFS with C2o."""
