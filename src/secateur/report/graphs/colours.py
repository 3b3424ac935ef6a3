"""The names of colours that browsers and Graphviz agree on."""

from __future__ import annotations

import re
from typing import Final

_WORDS: Final = """
    aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet
    brown burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan
    darkblue darkcyan darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta
    darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue
    darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey
    dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray
    green greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender lavenderblush
    lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen
    lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray lightslategrey
    lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue
    mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise
    mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive
    olivedrab orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred
    papayawhip peachpuff peru pink plum powderblue purple red rosybrown royalblue saddlebrown
    salmon sandybrown seagreen seashell sienna silver skyblue slateblue slategray slategrey snow
    springgreen steelblue tan teal thistle tomato turquoise violet wheat white whitesmoke yellow
    yellowgreen transparent
"""
NAMES: Final = frozenset(_WORDS.split())
NUMBERED: Final = (
    *("gray95", "blue", "red", "green", "lightgray", "orange", "yellow", "brown", "violet"),
    *("tomato", "darkslateblue", "maroon", "olive", "teal", "pink", "gold"),
)
"""Colours for those who give a number instead."""

_GRAY: Final = re.compile(r"gr[ae]y(\d{1,2}|100)")
_HEX: Final = re.compile(r"#[0-9a-fA-F]{3}([0-9a-fA-F]{3})?")


def is_colour(text: str) -> bool:
    """Whether this is a colour, by name or by numbers."""
    return css(text) is not None


def css(text: str) -> str | None:
    """Return a colour as style sheets have it; None if it is none."""
    name = text.lower()
    if name in NAMES or _HEX.fullmatch(text):
        return name
    if match := _GRAY.fullmatch(name):
        return "#" + f"{round(int(match[1]) * 2.55):02x}" * 3
    return None
