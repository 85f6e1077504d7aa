"""A bounded parser for untrusted XML.

Nothing is fetched: a document type may be named, as every notation program does, and may declare
entities that stand for a few characters, but none that refer to others or to files. Size, depth and
the number of elements are limited, so that parsing ends soon, with a tree or a ``FileError``.

The encoding is the declared one, in any of Python's character sets, unless the bytes show another.

Compressed MusicXML (.mxl): a zip archive whose container names the score.

An archive is written with its media type first and uncompressed, and without times, so that equal
scores have equal bytes. Everything stays in memory: names in an archive are looked up, never used
as paths. Sizes and the compression ratio are checked before and during decompression. Content that
is not a zip archive is treated as plain MusicXML, whatever the name of the file.

The format: W3C Music Notation Community Group, *MusicXML 4.0*, "Compressed .MXL files".
"""

from __future__ import annotations

import codecs
import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final, Never
from xml.etree.ElementTree import Element, TreeBuilder  # a builder: expat below does the parsing
from xml.parsers import expat

from musicrel import untrusted
from musicrel.errors import DataError, FileError
from musicrel.language import tr

MAX_ARCHIVE_BYTES: Final = untrusted.LIMITS["mxl"]
MAX_ENTRIES: Final = 2_000
MAX_RATIO: Final = 100  # scores compress about 20:1, a zip bomb 1000:1

_MAGIC: Final = b"PK"
_CONTAINER: Final = "META-INF/container.xml"
_MAX_CONTAINER_BYTES: Final = 100_000
_SMALL: Final = 100_000  # decompressed size in bytes up to which the ratio is not checked
_SCORE: Final = "score.musicxml"
_MEDIA_TYPE: Final = "application/vnd.recordare.musicxml"
_CONTAINER_TEXT: Final = f"""<?xml version="1.0" encoding="UTF-8"?>
<container>
 <rootfiles>
  <rootfile full-path="{_SCORE}" media-type="{_MEDIA_TYPE}+xml"/>
 </rootfiles>
</container>
"""
_READABLE: Final = 0o644 << 16  # Unix permissions as an archive stores them
_SCORES: Final = (".musicxml", ".xml")
# Entries that are no scores, whatever their suffix: of the archive, of macOS, hidden files.
_BESIDE: Final = re.compile(r"(?i)(.*[/\\])?(META-INF[/\\]|__MACOSX[/\\]|\.)")
_SCORE_TYPES: Final = ("", f"{_MEDIA_TYPE}+xml")


def pack(text: str) -> bytes:
    """Return an archive with the MusicXML ``text``."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, inside, method in (
            ("mimetype", _MEDIA_TYPE, zipfile.ZIP_STORED),
            (_CONTAINER, _CONTAINER_TEXT, zipfile.ZIP_DEFLATED),
            (_SCORE, text, zipfile.ZIP_DEFLATED),
        ):
            entry = zipfile.ZipInfo(name)  # of 1980, the first time of the format
            entry.external_attr = _READABLE
            archive.writestr(entry, inside, method)
    return content.getvalue()


def unpack(content: bytes) -> bytes:
    """Return the MusicXML in ``content``, an archive or plain MusicXML."""
    if not content.startswith(_MAGIC):
        return content
    if len(content) > MAX_ARCHIVE_BYTES:
        sentence = tr("it has {size:,} bytes, but at most {most:,} are read here")
        raise FileError(sentence.format(size=len(content), most=MAX_ARCHIVE_BYTES))
    try:
        with untrusted.unpacking(), zipfile.ZipFile(io.BytesIO(content)) as archive:
            if len(archive.infolist()) > MAX_ENTRIES:
                raise FileError(
                    tr("it holds more than {most:,} files, too many for a score", most=MAX_ENTRIES)
                )
            return _entry(archive, _score_name(archive), MAX_BYTES)
    except DataError as reason:
        raise FileError(str(reason)) from reason


def _score_name(archive: zipfile.ZipFile) -> str:
    """Return the name of the entry given by the container, else of the first score."""
    names = archive.namelist()
    scores = [n for n in names if n.lower().endswith(_SCORES) and not _BESIDE.match(n)]
    name = next(iter([*_contained(archive, names), *scores]), "")
    if not name:
        raise FileError(tr("it is an archive without a score: expected a .musicxml file in it"))
    return name


def _contained(archive: zipfile.ZipFile, names: Sequence[str]) -> Iterator[str]:
    """Yield the scores that the container names; none if it is missing or damaged.

    An archive may be zipped with its folder: names are relative to that of the container.
    """
    container = min((n for n in names if n.endswith(_CONTAINER)), key=len, default="")
    if not container:
        return
    try:
        root = parse(_entry(archive, container, _MAX_CONTAINER_BYTES))
    except FileError:
        return
    for rootfile in root.iter("rootfile"):
        name = container.removesuffix(_CONTAINER) + rootfile.get("full-path", "")
        is_score = rootfile.get("media-type", "") in _SCORE_TYPES or name.lower().endswith(_SCORES)
        if is_score and name in names:
            yield name


def _entry(archive: zipfile.ZipFile, name: str, limit: int) -> bytes:
    entry = archive.getinfo(name)
    if entry.file_size > min(limit, max(_SMALL, MAX_RATIO * entry.compress_size)):
        raise FileError(
            tr(
                "its entry of {packed:,} bytes decompresses to {size:,}, too many for a score",
                packed=entry.compress_size,
                size=entry.file_size,
            )
        )
    with archive.open(entry) as file:
        # one byte more than declared, since the declared size comes from the file
        content = file.read(entry.file_size + 1)
    if len(content) != entry.file_size:
        raise FileError(tr("it is a damaged archive: the size of an entry is not the declared one"))
    return content


MAX_BYTES: Final = untrusted.LIMITS["musicxml"]
MAX_ELEMENTS: Final = 300_000
MAX_DEPTH: Final = 48  # MusicXML needs about a dozen levels

_MAX_EXPANDED: Final = 1_000_000  # characters that all uses of a declared entity may add
_DECLARED: Final = re.compile(rb"""\s*<\?xml[^>]{0,99}?encoding\s*=\s*["']([\w.:-]{1,40})["']""")
# Python's names of the encodings of texts; others decode data or programs.
_CHARACTER_SET: Final = re.compile(
    r"utf[-_]8|utf-8-sig|ascii|cp\d+|iso8859-\d+|iso2022_\w+|shift_jis\w*|euc_\w+|gb\w+|big5\w*"
    r"|koi8-\w|mac-\w+|kz1048|ptcp154|tis-620|hz|johab"
)
# Encodings that programs declare for a larger one.
_SUPERSETS: Final = {
    "ascii": "utf-8", "iso8859-1": "cp1252", "shift_jis": "cp932", "gb2312": "gb18030",
    "gbk": "gb18030", "big5": "cp950", "euc_kr": "cp949",
}  # fmt: skip
_BYTE_ORDERS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"),
)  # fmt: skip
# Characters that XML cannot represent, although some programs write them into titles.
NOT_IN_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# References to control characters.
_REFERENCES: Final = re.compile(
    r"&#(?:0*(?:[0-8]|1[124-9]|2\d|3[01])|[xX]0*(?:[0-8bcefBCEF]|1[0-9a-fA-F]));"
)
# Exceptions of expat for invalid XML and unknown encodings.
_UNREADABLE: Final = (expat.ExpatError, ValueError, LookupError, OverflowError)


def parse(content: bytes) -> Element:
    """Parse ``content`` and return the root element.

    Raises:
        FileError: it is not XML, declares dangerous entities or exceeds one of the limits above.
    """
    if len(content) > MAX_BYTES:
        sentence = tr("it has {size:,} bytes, but at most {most:,} are read here")
        raise FileError(sentence.format(size=len(content), most=MAX_BYTES))
    text = _REFERENCES.sub("", NOT_IN_XML.sub("", _decoded(content))).strip("\ufeff \t\r\n")
    builder = _Builder()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    parser.EntityDeclHandler = partial(_check_entity, text.count("&"))
    parser.AttlistDeclHandler = _refuse_default
    parser.ExternalEntityRefHandler = _refuse_entity
    parser.SkippedEntityHandler = _refuse_entity
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.data
    try:
        parser.Parse(text, True)
    except _UNREADABLE as reason:
        raise FileError(tr("it is damaged or not XML: {reason}", reason=reason)) from reason
    return builder.close()


def _decoded(content: bytes) -> str:
    """Decode a document; what its encoding cannot decode becomes replacement characters."""
    for mark, wide in _BYTE_ORDERS:
        if content.startswith(mark):
            return content.decode(wide, errors="replace")
    if 0 in content[:2]:
        width, order = 32 if content[:4].count(0) == 3 else 16, "le" if content[0] else "be"  # noqa: PLR2004
        return content.decode(f"utf-{width}-{order}", errors="replace")
    encoding = _declared(content.removeprefix(codecs.BOM_UTF8))
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        return content.decode("cp1252" if encoding == "utf-8" else encoding, errors="replace")


def _declared(content: bytes) -> str:
    """Return Python's name of the encoding that is declared, UTF-8 if it is not that of bytes."""
    match = _DECLARED.match(content)
    name = match[1].decode("ascii").lower().removeprefix("x-") if match else "utf-8"
    if name.startswith(("utf-16", "utf-32", "ucs-2")):
        return "utf-8"
    try:
        encoding = codecs.lookup(name).name
    except LookupError:
        encoding = ""
    if not _CHARACTER_SET.fullmatch(encoding):
        raise FileError(
            tr("it is damaged or not XML: unknown encoding {name!r}; save it as UTF-8", name=name)
        )
    return _SUPERSETS.get(encoding, encoding)


def _check_entity(
    uses: int, _name: str, is_parameter: bool, value: str | None, *_of_file: object
) -> None:
    """Check the declaration of an entity; ``uses`` is the most uses that it can have."""
    if is_parameter or value is None or "&" in value or "<" in value:
        _refuse_declaration()
    if len(value) * uses > _MAX_EXPANDED:
        _refuse_declaration()


class _Builder(TreeBuilder):
    """Builds the tree and enforces the limits."""

    def __init__(self) -> None:
        super().__init__()
        self._elements = self._depth = 0

    def start(self, tag: str, attrs: dict[str, str], /) -> Element:
        self._elements += 1
        self._depth += 1
        if self._elements > MAX_ELEMENTS:
            raise FileError(
                tr("it has more than {most:,} elements, too many for a chorale", most=MAX_ELEMENTS)
            )
        if self._depth > MAX_DEPTH:
            raise FileError(
                tr(
                    "its elements are nested more than {most} levels deep, too deep for a score",
                    most=MAX_DEPTH,
                )
            )
        return super().start(tag, attrs)

    def end(self, tag: str, /) -> Element:
        self._depth -= 1
        return super().end(tag)


def _refuse_default(_element: str, _name: str, _type: str, default: str | None, _: object) -> None:
    if default is not None:
        _refuse_declaration()


def _refuse_declaration() -> Never:
    raise FileError(
        tr(
            "it contains a document type with declarations (DTD) that are more than short texts, "
            "which is refused for safety"
        )
    )


def _refuse_entity(*_of: object) -> int:
    raise FileError(tr("it uses entities of a document type that is not read, for safety"))
