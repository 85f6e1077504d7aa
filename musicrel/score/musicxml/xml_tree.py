"""A bounded parser for untrusted XML.

No entities are declared or expanded and nothing is fetched: a document type may be named, as every
notation program does, but must not contain declarations. Size, depth and the number of elements are
limited, so that parsing ends soon, with a tree or a ``FileError``.
"""

from __future__ import annotations

from typing import Final
from xml.etree.ElementTree import Element, TreeBuilder  # a builder: expat below does the parsing
from xml.parsers import expat

from musicrel import gate
from musicrel.errors import FileError

MAX_BYTES: Final = gate.LIMITS["musicxml"]
MAX_ELEMENTS: Final = 300_000
MAX_DEPTH: Final = 48
"""MusicXML needs about a dozen levels."""

_UNREADABLE: Final = (expat.ExpatError, ValueError, LookupError, OverflowError)
"""Exceptions of expat for invalid XML and unknown encodings."""


def parse(content: bytes) -> Element:
    """Parse ``content`` and return the root element.

    Raises:
        FileError: it is not XML, declares entities or exceeds one of the limits above.
    """
    if len(content) > MAX_BYTES:
        raise FileError(f"it has {len(content):,} bytes, but at most {MAX_BYTES:,} are read here")
    builder = _Builder()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    parser.StartDoctypeDeclHandler = _doctype
    parser.EntityDeclHandler = _refuse_entity
    parser.ExternalEntityRefHandler = _refuse_entity
    parser.SkippedEntityHandler = _refuse_entity
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.data
    try:
        parser.Parse(content, True)
    except _UNREADABLE as reason:
        raise FileError(f"it is damaged or not XML: {reason}") from reason
    return builder.close()


class _Builder(TreeBuilder):
    """Builds the tree and enforces the limits."""

    def __init__(self) -> None:
        super().__init__()
        self._elements = self._depth = 0

    def start(self, tag: str, attrs: dict[str, str], /) -> Element:
        """Open an element."""
        self._elements += 1
        self._depth += 1
        if self._elements > MAX_ELEMENTS:
            raise FileError(f"it has more than {MAX_ELEMENTS:,} elements, too many for a chorale")
        if self._depth > MAX_DEPTH:
            raise FileError(
                f"its elements are nested more than {MAX_DEPTH} levels deep, too deep for a score"
            )
        return super().start(tag, attrs)

    def end(self, tag: str, /) -> Element:
        """Close an element."""
        self._depth -= 1
        return super().end(tag)


def _doctype(_name: str, _system: str | None, _public: str | None, declares: bool) -> None:
    if declares:
        raise FileError(
            "it contains a document type with declarations (DTD), which is refused for safety"
        )


def _refuse_entity(*_of: object) -> int:
    raise FileError("it declares its own entities, which are refused for safety")
