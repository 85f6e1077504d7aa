"""XML of strangers -> a tree of elements, within limits.

No entity is declared or expanded and nothing is fetched: a document type may be named, as every
notation program does, but must not bring declarations of its own. Size, depth and the number of
elements are capped, so that whatever the bytes hold ends soon, in a tree or in one sentence.

This file knows XML; it knows nothing of music.
"""

from __future__ import annotations

from typing import Final
from xml.etree.ElementTree import Element, TreeBuilder  # a builder: expat below does the parsing
from xml.parsers import expat

from musicrel.errors import FileError

MAX_BYTES: Final = 24_000_000
MAX_ELEMENTS: Final = 300_000
MAX_DEPTH: Final = 48
"""MusicXML needs a dozen."""

_UNREADABLE: Final = (expat.ExpatError, ValueError, LookupError, OverflowError)
"""What expat raises for bytes that are no XML, and for encodings Python does not know."""


def parse(content: bytes) -> Element:
    """The root element of the XML ``content``.

    Raises:
        FileError: it is no XML, declares entities or passes one of the limits above.
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
        raise FileError(f"it is damaged or no XML: {reason}") from reason
    return builder.root()


class _Builder:
    """Builds the tree and counts."""

    def __init__(self) -> None:
        self._tree = TreeBuilder()
        self._elements = 0
        self._depth = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An element opens."""
        self._elements += 1
        self._depth += 1
        if self._elements > MAX_ELEMENTS:
            raise FileError(f"it has more than {MAX_ELEMENTS:,} elements, too many for a chorale")
        if self._depth > MAX_DEPTH:
            raise FileError(
                f"its elements are nested more than {MAX_DEPTH} deep, no score needs it"
            )
        self._tree.start(tag, attributes)

    def end(self, tag: str) -> None:
        """It closes."""
        self._depth -= 1
        self._tree.end(tag)

    def data(self, text: str) -> None:
        """Text within it."""
        self._tree.data(text)

    def root(self) -> Element:
        """The whole tree."""
        return self._tree.close()


def _doctype(_name: str, _system: str | None, _public: str | None, declares: bool) -> None:
    if declares:
        raise FileError("it brings declarations of its own (a DTD), which is refused for safety")


def _refuse_entity(*_of: object) -> int:
    raise FileError("it uses entities of its own, which is refused for safety")
