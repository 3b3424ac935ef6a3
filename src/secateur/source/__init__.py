"""Input text, places in it, and complaints about it."""

from secateur.source.diagnostic import Code, Diagnostic, InputError, fail
from secateur.source.text import NOWHERE, Source, Span

__all__ = ["NOWHERE", "Code", "Diagnostic", "InputError", "Source", "Span", "fail"]
