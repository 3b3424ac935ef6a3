"""Rodin's XML: elements and attributes named `org.eventb.core.*`, read without trust."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from secateur.lang.eventb.codes import BAD_XML, UNSAFE_XML
from secateur.source import InputError, Source, Span, fail
from secateur.source.read import decode
from secateur.source.records import dataclass

CORE: Final = "org.eventb.core."


@dataclass(frozen=True, slots=True)
class Node:
    """An element with its file's name for messages."""

    element: Element
    file: str

    @property
    def kind(self) -> str:
        """The tag without its name space; checked files say `sc` in front of the same words."""
        tag = self.element.tag.removeprefix(CORE)
        return tag[2].lower() + tag[3:] if re.match(r"sc[A-Z]", tag) else tag

    def get(self, attribute: str) -> str | None:
        """Return an attribute, or None."""
        return self.element.get(f"{CORE}{attribute}")

    def need(self, attribute: str) -> str:
        """Return an attribute that must be there."""
        found = self.get(attribute)
        if found is None:
            tag = self.element.tag
            raise self.fault(f"an element {tag} of '{self.file}' has no attribute '{attribute}'")
        return found

    def flag(self, attribute: str) -> bool:
        """Whether an attribute is there and true."""
        return self.get(attribute) == "true"

    def fault(self, message: str) -> InputError:
        """Return a complaint about this file."""
        return fail(BAD_XML, message, Span(Source(self.file, ""), 0, 0))

    def children(self, *kinds: str) -> Iterator[Node]:
        """Yield the elements of some kinds that are directly inside."""
        for child in self.element:
            node = Node(child, self.file)
            if node.kind in kinds and child.tag.startswith(CORE):
                yield node

    def comes_from(self, component: str) -> bool:
        """Whether a checked element was written in this component, not copied from another."""
        source = self.get("source")
        return source is None or handle_file(source) == component

    def target(self) -> str:
        """Return the name of the component or event that a reference mentions."""
        target = self.get("target")
        return target if target is not None else handle_file(self.need("scTarget"))


def handle_file(handle: str) -> str:
    """Return the component in a handle such as `/project/M.bcm|...`."""
    return PurePosixPath(handle.partition("|")[0]).stem


def handle_element(handle: str) -> str:
    """Return the internal name that a handle ends with."""
    _, _, name = handle.rpartition(f"{CORE}scEvent#")
    return re.sub(r"\\(.)", r"\1", name)


def parse_xml(data: bytes, file: str) -> Node:
    """Return the root element of a file; refuse what declares entities."""
    try:
        return Node(fromstring(data, forbid_dtd=True), file)
    except DefusedXmlException as error:
        message = f"'{file}' declares entities or a document type, which no Rodin file does"
        raise fail(UNSAFE_XML, message) from error
    except ParseError as error:
        raise _malformed(data, file, error) from error
    except (LookupError, ValueError) as error:  # an encoding that does not exist
        raise fail(BAD_XML, f"'{file}' is no XML: {error}") from error


def _malformed(data: bytes, file: str, error: ParseError) -> InputError:
    source = Source(file, decode(data.replace(b"\0", b" "), file))
    line, column = error.position
    lines = source.text.split("\n")
    start = sum(len(each) + 1 for each in lines[: line - 1]) + column
    start = min(start, len(source.text))
    reason = str(error).partition(":")[0]
    message = f"'{file}' is no well-formed XML: {reason}"
    return fail(BAD_XML, message, Span(source, start, start), "is the file cut off?")
