"""Compressed MusicXML (.mxl): a zip archive whose container names the score.

Everything stays in memory: names in the archive are looked up, never used as paths. Sizes and the
ratio of compression are checked before and while an entry is unpacked. Content that is no zip
archive is taken for plain MusicXML, whatever the file is called.

The format: W3C Music Notation Community Group, *MusicXML 4.0*, "Compressed .MXL files".
"""

from __future__ import annotations

import io
import zipfile
import zlib
from typing import Final

from musicrel.errors import FileError
from musicrel.score.musicxml import xml_tree

MAX_BYTES: Final = 8_000_000
MAX_ENTRIES: Final = 2_000
MAX_RATIO: Final = 100
"""Scores shrink to a twentieth; a bomb to a thousandth."""

_MAGIC: Final = b"PK"
_CONTAINER: Final = "META-INF/container.xml"
_LONGEST_CONTAINER: Final = 100_000
_SMALL: Final = 100_000
"""Bytes that may come out of any ratio."""
_SCORES: Final = (".musicxml", ".xml")
_SCORE_TYPES: Final = ("", "application/vnd.recordare.musicxml+xml")
_DAMAGES: Final = (
    zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, OSError,
    ValueError, KeyError, OverflowError,
)  # fmt: skip
"""What zipfile raises for damaged, encrypted or exotic archives."""


def unpacked(content: bytes) -> bytes:
    """The MusicXML in ``content``, which may be an archive or MusicXML itself.

    Raises:
        FileError: the archive is damaged, too large, or holds no score.
    """
    if not content.startswith(_MAGIC):
        return content
    if len(content) > MAX_BYTES:
        raise FileError(f"it has {len(content):,} bytes, but at most {MAX_BYTES:,} are read here")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if len(archive.infolist()) > MAX_ENTRIES:
                raise FileError(f"it holds more than {MAX_ENTRIES:,} files, too many for a score")
            return _entry(archive, _score_name(archive), xml_tree.MAX_BYTES)
    except _DAMAGES as reason:
        raise FileError(f"it is a damaged archive: {reason}") from reason


def _score_name(archive: zipfile.ZipFile) -> str:
    """The entry that the container names, else the first that looks like a score."""
    names = archive.namelist()
    if _CONTAINER in names:
        root = xml_tree.parse(_entry(archive, _CONTAINER, _LONGEST_CONTAINER))
        for rootfile in root.iter("rootfile"):
            name = rootfile.get("full-path", "")
            if rootfile.get("media-type", "") in _SCORE_TYPES and name in names:
                return name
    scores = (n for n in names if n.lower().endswith(_SCORES) and not n.startswith("META-INF"))
    name = next(scores, "")
    if not name:
        raise FileError("it is an archive without a score: expected a .musicxml file in it")
    return name


def _entry(archive: zipfile.ZipFile, name: str, limit: int) -> bytes:
    """What ``name`` holds, at most ``limit`` bytes."""
    entry = archive.getinfo(name)
    if entry.file_size > min(limit, max(_SMALL, MAX_RATIO * entry.compress_size)):
        raise FileError(
            f"its score would grow from {entry.compress_size:,} to {entry.file_size:,} bytes, "
            "more than any score does"
        )
    with archive.open(entry) as file:
        # one byte more than promised, since the promise stands in the file
        content = file.read(entry.file_size + 1)
    if len(content) != entry.file_size:
        raise FileError("it is a damaged archive: an entry is not as long as it says")
    return content
