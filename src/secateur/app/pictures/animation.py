"""ANIMATION_FUNCTION: a state as a grid, as the author of a model wants it shown."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from pathlib import Path
from struct import unpack
from typing import Final

from secateur.app.codes import BAD_PICTURE
from secateur.app.deep import run_deep
from secateur.app.model import Model
from secateur.app.pictures.special_values import require, value_of
from secateur.maths.ast import Text
from secateur.maths.print_value import show_value
from secateur.maths.values import Element, Value, ordered
from secateur.report.grid import Grid, GridCell, Image, render_grid
from secateur.source import Diagnostic, InputError, fail
from secateur.system.system import State

FUNCTION: Final = "ANIMATION_FUNCTION"
_NUMBERED: Final = re.compile(rf"{FUNCTION}(_DEFAULT|\d*)")
_MOST_CELLS: Final = 10_000
_MOST_BYTES: Final = 1 << 20
_LARGEST: Final = 96.0
"""Images are not drawn larger than this."""

_KINDS: Final = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"GIF8", "image/gif"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"<svg", "image/svg+xml"),
    (b"<?xml", "image/svg+xml"),
)

Cells = dict[tuple[Value, Value], Value]


def animation_functions(model: Model) -> list[str]:
    """Return the functions that a model defines: the default first, then as they are numbered."""

    def rank(name: str) -> int:
        ending = name.removeprefix(FUNCTION)
        return -1 if ending == "_DEFAULT" else int(ending or 0)

    return sorted((n for n in model.typed.definitions if _NUMBERED.fullmatch(n)), key=rank)


def animation_picture(model: Model, state: State, remarks: tuple[str, ...] = ()) -> str:
    """Return the picture (SVG) of an initialised state; raise InputError if there is none."""
    return render_grid(animation_grid(model, state, remarks))


def animation_grid(model: Model, state: State, remarks: tuple[str, ...] = ()) -> Grid:
    """Return a state as a grid; what a later function says of a cell replaces what others say.

    Raise InputError if there is nothing to show.
    """
    names = animation_functions(model)
    require(model, names, FUNCTION)

    def work(_: object) -> Grid:
        cells: Cells = {}
        wrong: list[Diagnostic] = []
        for name in names:
            try:
                cells.update(_cells(model, name, state))
            except InputError as error:
                wrong += error.diagnostics
        # The others are shown where one of them has no value yet.
        if wrong and not cells:
            raise InputError(*wrong)
        return _grid(model, cells, (*remarks, *(each.message for each in wrong)))

    return run_deep(work)


def _cells(model: Model, name: str, state: State) -> Iterator[tuple[tuple[Value, Value], Value]]:
    """Yield row and column with what is there; a function of one number is a single row."""
    found = value_of(model, name, state)
    wrong = fail(
        BAD_PICTURE,
        f"{name} is no function from rows and columns",
        model.typed.definitions[name].span,
        help="it should have the type INTEGER * INTEGER +-> INTEGER, say",
    )
    if not isinstance(found, frozenset):
        raise wrong
    if len(found) > _MOST_CELLS:
        raise fail(BAD_PICTURE, f"{name} has more than {_MOST_CELLS} cells")
    for item in ordered(found):
        if type(item) is not tuple:
            raise wrong
        key, value = item
        yield (key if type(key) is tuple else (1, key)), value


def _grid(model: Model, cells: Cells, remarks: tuple[str, ...]) -> Grid:
    rows = _axis([row for row, _ in cells])
    columns = _axis([column for _, column in cells])
    if len(rows) * len(columns) > _MOST_CELLS:
        raise fail(BAD_PICTURE, f"the grid of {FUNCTION} has more than {_MOST_CELLS} cells")
    pictures: dict[Value, GridCell] = {}

    def cell(row: Value, column: Value) -> GridCell | None:
        if (row, column) not in cells:
            return None
        value = cells[row, column]
        key = show_value(value)
        if key not in pictures:
            pictures[key] = _cell(model, value)
        return pictures[key]

    return Grid(
        model.name,
        tuple(map(_plain, rows)),
        tuple(map(_plain, columns)),
        tuple(tuple(cell(row, column) for column in columns) for row in rows),
        _justify(model),
        remarks,
    )


def _axis(used: list[Value]) -> list[Value]:
    """Return rows or columns in order; of numbers, those between are there as well."""
    found = ordered(set(used))
    numbers = all(type(value) is int for value in found)
    if found and numbers and found[-1] - found[0] < _MOST_CELLS:
        return list(range(found[0], found[-1] + 1))
    return found


def _justify(model: Model) -> str:
    definitions = model.typed.definitions
    for side, anchor in (("LEFT", "start"), ("RIGHT", "end")):
        found = definitions.get(f"ANIMATION_STR_JUSTIFY_{side}")
        if found is not None and found.span.text.strip() != "FALSE":
            return anchor
    return "middle"


def _plain(value: Value) -> str:
    return value if isinstance(value, str) else show_value(value)


def _cell(model: Model, value: Value) -> GridCell:
    """Return what is drawn for a value: an image or a text that belongs to its number, or itself."""
    if type(value) is int:
        image = model.typed.definitions.get(f"ANIMATION_IMG{value}")
        if isinstance(image, Text):
            return _image(image)
        text = model.typed.definitions.get(f"ANIMATION_STR{value}")
        if isinstance(text, Text):
            return GridCell(text.value)
    if isinstance(value, Element):
        return GridCell(value.name)
    return GridCell(_plain(value))


def _image(named: Text) -> GridCell:
    """Return the image of a file next to the one that names it; its name if it cannot be read."""
    path = Path(named.value.replace("\\", "/"))
    name = path.stem or named.value
    home = Path(named.span.source.name).parent
    for folder in (home, home / "images"):
        image = embedded(folder / path)
        if image is not None:
            return GridCell(name, image)
    return GridCell(name)


def embedded(path: Path) -> Image | None:
    """Return an image as part of a picture; None if there is none, or it is of another kind."""
    try:
        if not path.is_file() or path.stat().st_size > _MOST_BYTES:
            return None
        data = path.read_bytes()
    except (OSError, ValueError):
        return None
    kind = next((kind for magic, kind in _KINDS if data.lstrip().startswith(magic)), None)
    if kind is None or (kind == "image/svg+xml" and b"<svg" not in data):
        return None
    width, height = _size(data, kind)
    scale = min(1.0, _LARGEST / max(width, height, 1.0))
    coded = base64.b64encode(data).decode("ascii")
    return Image(f"data:{kind};base64,{coded}", width * scale, height * scale)


def _size(data: bytes, kind: str) -> tuple[float, float]:
    if kind == "image/png" and len(data) >= 24:
        width, height = unpack(">II", data[16:24])
    elif kind == "image/gif" and len(data) >= 10:
        width, height = unpack("<HH", data[6:10])
    else:
        width, height = 32, 32
    return float(width), float(height)
