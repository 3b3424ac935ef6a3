"""Texts as XML has them."""

from __future__ import annotations

import re
from typing import Final
from xml.sax.saxutils import escape, quoteattr

_FORBIDDEN: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def text(content: str) -> str:
    """Return a text as it stands between tags; what XML has no word for becomes U+FFFD."""
    return escape(_FORBIDDEN.sub("\ufffd", content), {"\r": "&#13;"})


def attribute(content: str) -> str:
    """Return a text as the value of an attribute, with its quotes."""
    return quoteattr(_FORBIDDEN.sub("\ufffd", content))
