"""Files as they come."""

from __future__ import annotations

from pathlib import Path

import pytest

from secateur.source import InputError
from secateur.source.read import read_source


def code(path: Path | str) -> str:
    with pytest.raises(InputError) as caught:
        read_source(path)
    return str(caught.value.diagnostics[0].code)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"a\r\nb\rc\n", "a\nb\nc\n"),
        (b"\xef\xbb\xbfa", "a"),
        (b"\xef\xbb\xbfa\xe9", "aé"),
        ("a∈ü".encode(), "a∈ü"),
        (b"\xe9t\xe9", "été"),
        ("a∈b".encode("utf-16"), "a∈b"),
        (b"", ""),
    ],
)
def test_encodings_and_line_ends(tmp_path: Path, data: bytes, text: str) -> None:
    path = tmp_path / "a file.mch"
    path.write_bytes(data)
    assert read_source(path).text == text
    assert read_source(str(path)).name == str(path)


def test_what_cannot_be_read(tmp_path: Path) -> None:
    junk = tmp_path / "junk.mch"
    junk.write_bytes(b"MACHINE\0\x01\xff")
    assert code(tmp_path / "missing.mch") == "SEC001"
    assert code(junk / "below.mch") == "SEC001"
    assert code("a\0b") == "SEC001"
    assert code(tmp_path) == "SEC002"
    assert code(junk) == "SEC004"
