"""Compressed MusicXML (.mxl): a zip archive whose container names the score.

An archive is written with its media type first and uncompressed, and without times, so that equal
scores have equal bytes. Everything stays in memory: names in an archive are looked up, never used
as paths. Sizes and the compression ratio are checked before and during decompression. Content that
is not a zip archive is treated as plain MusicXML, whatever the name of the file.

The format: W3C Music Notation Community Group, *MusicXML 4.0*, "Compressed .MXL files".
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from typing import Final

from musicrel import gate
from musicrel.errors import DataError, FileError
from musicrel.score.musicxml import xml_tree

MAX_BYTES: Final = gate.LIMITS["mxl"]
MAX_ENTRIES: Final = 2_000
MAX_RATIO: Final = 100
"""Scores compress about 20:1, a zip bomb 1000:1."""

_MAGIC: Final = b"PK"
_CONTAINER: Final = "META-INF/container.xml"
_MAX_CONTAINER_BYTES: Final = 100_000
_SMALL: Final = 100_000
"""Decompressed size in bytes up to which the ratio is not checked."""
_SCORE: Final = "score.musicxml"
_MEDIA_TYPE: Final = "application/vnd.recordare.musicxml"
_CONTAINER_TEXT: Final = f"""<?xml version="1.0" encoding="UTF-8"?>
<container>
 <rootfiles>
  <rootfile full-path="{_SCORE}" media-type="{_MEDIA_TYPE}+xml"/>
 </rootfiles>
</container>
"""
_READABLE: Final = 0o644 << 16
"""Unix permissions as an archive stores them."""
_SCORES: Final = (".musicxml", ".xml")
_BESIDE: Final = re.compile(r"(?i)(.*[/\\])?(META-INF[/\\]|__MACOSX[/\\]|\.)")
"""Entries that are no scores, whatever their suffix: of the archive, of macOS, hidden files."""
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
    """Return the MusicXML in ``content``, an archive or plain MusicXML.

    Raises:
        FileError: the archive is damaged, too large, or holds no score.
    """
    if not content.startswith(_MAGIC):
        return content
    if len(content) > MAX_BYTES:
        raise FileError(f"it has {len(content):,} bytes, but at most {MAX_BYTES:,} are read here")
    try:
        with gate.unpacking(), zipfile.ZipFile(io.BytesIO(content)) as archive:
            if len(archive.infolist()) > MAX_ENTRIES:
                raise FileError(f"it holds more than {MAX_ENTRIES:,} files, too many for a score")
            return _entry(archive, _score_name(archive), xml_tree.MAX_BYTES)
    except DataError as reason:
        raise FileError(str(reason)) from reason


def _score_name(archive: zipfile.ZipFile) -> str:
    """Return the name of the entry given by the container, else of the first score."""
    names = archive.namelist()
    scores = [n for n in names if n.lower().endswith(_SCORES) and not _BESIDE.match(n)]
    name = next(iter([*_contained(archive, names), *scores]), "")
    if not name:
        raise FileError("it is an archive without a score: expected a .musicxml file in it")
    return name


def _contained(archive: zipfile.ZipFile, names: Sequence[str]) -> Iterator[str]:
    """Yield the scores that the container names; none if it is missing or damaged.

    An archive may be zipped with its folder: names are relative to that of the container.
    """
    container = min((n for n in names if n.endswith(_CONTAINER)), key=len, default="")
    if not container:
        return
    try:
        root = xml_tree.parse(_entry(archive, container, _MAX_CONTAINER_BYTES))
    except FileError:
        return
    for rootfile in root.iter("rootfile"):
        name = container.removesuffix(_CONTAINER) + rootfile.get("full-path", "")
        is_score = rootfile.get("media-type", "") in _SCORE_TYPES or name.lower().endswith(_SCORES)
        if is_score and name in names:
            yield name


def _entry(archive: zipfile.ZipFile, name: str, limit: int) -> bytes:
    """Decompress the entry ``name``, at most ``limit`` bytes."""
    entry = archive.getinfo(name)
    if entry.file_size > min(limit, max(_SMALL, MAX_RATIO * entry.compress_size)):
        raise FileError(
            f"its entry of {entry.compress_size:,} bytes decompresses to {entry.file_size:,}, too "
            "many for a score"
        )
    with archive.open(entry) as file:
        # one byte more than declared, since the declared size comes from the file
        content = file.read(entry.file_size + 1)
    if len(content) != entry.file_size:
        raise FileError("it is a damaged archive: the size of an entry is not the declared one")
    return content
