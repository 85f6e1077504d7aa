"""Compressed MusicXML: valid and hostile archives."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from music21 import converter

from musicrel.chorale import Chorale
from musicrel.corpus import bundled
from musicrel.errors import FileError
from musicrel.score import files
from musicrel.score.musicxml import musicxml_writer, mxl

CONTAINER = (
    '<?xml version="1.0"?><container><rootfiles><rootfile full-path="score.pdf" '
    'media-type="application/pdf"/><rootfile full-path="{name}"/></rootfiles></container>'
)


def archive(entries: dict[str, bytes]) -> bytes:
    """Build a zip archive with ``entries``."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as file:
        for name, inside in entries.items():
            file.writestr(name, inside)
    return content.getvalue()


def contained(name: str, score: bytes) -> bytes:
    """Build an archive whose container names ``name``."""
    container = CONTAINER.format(name=name).encode()
    return archive({"mimetype": b"x", "META-INF/container.xml": container, name: score})


def test_a_compressed_chorale_is_read(tmp_path: Path) -> None:
    """With any suffix, as saved by MuseScore."""
    piece: Chorale = bundled.load("test")[0]
    content = contained("score.xml", musicxml_writer.to_xml(piece).encode())
    for name in ("a.mxl", "b.xml", "c.musicxml"):
        (tmp_path / name).write_bytes(content)
        assert files.read(tmp_path / name) == piece


def test_a_written_archive_is_what_the_format_asks_for(hymn: Chorale, tmp_path: Path) -> None:
    """The media type comes first, uncompressed; the container names the score."""
    path = tmp_path / "a.mxl"
    files.write(hymn, path)

    with zipfile.ZipFile(path) as file:
        first, container, inside = file.infolist()
        assert file.testzip() is None
        assert b'full-path="score.musicxml"' in file.read(container)
        assert file.read(inside).decode() == musicxml_writer.to_xml(hymn)
    assert (first.filename, first.compress_type) == ("mimetype", zipfile.ZIP_STORED)
    assert path.read_bytes()[38:].startswith(b"application/vnd.recordare.musicxmlPK")
    assert container.filename == "META-INF/container.xml"
    assert path.stat().st_size < len(musicxml_writer.to_xml(hymn)) / 4
    assert path.read_bytes() == mxl.pack(musicxml_writer.to_xml(hymn))


def test_music21_reads_a_written_archive(hymn: Chorale, tmp_path: Path) -> None:
    """With its title and its composer."""
    files.write(replace(hymn, composer="Jörg"), tmp_path / "a.mxl")

    score = converter.parse(tmp_path / "a.mxl")

    assert (score.metadata.title, score.metadata.composer) == (hymn.title, "Jörg")
    assert len(score.parts) == 4


def test_the_container_names_the_score() -> None:
    """Without a container the first score is used."""
    both = {"a.xml": b"<a/>", "b.xml": b"<b/>"}
    container = CONTAINER.format(name="b.xml").encode()

    assert mxl.unpack(archive({**both, "META-INF/container.xml": container})) == b"<b/>"
    assert mxl.unpack(archive(both)) == b"<a/>"
    folder = {f"hymn/{name}": score for name, score in both.items()}
    assert mxl.unpack(archive({"hymn/META-INF/container.xml": container, **folder})) == b"<b/>"
    assert mxl.unpack(b"<plain/>") == b"<plain/>"


@pytest.mark.parametrize(
    "others",
    [
        {"__MACOSX/._hymn.xml": b"\0\5\x16\7"},
        {"__MACOSX/": b"", "__MACOSX/META-INF/._container.xml": b"\0\5\x16\7"},
        {"._hymn.xml": b"\0\5\x16\7", ".DS_Store": b""},
        {"hymns/._hymn.xml": b"\0\5\x16\7"},
        {"META-INF/container.xml": b"<damaged"},
        {"a/META-INF/container.xml": b"<damaged", "a/__MACOSX/._b.xml": b"\0\5\x16\7"},
        {"meta-inf/container.xml": b"<damaged"},
        {"META-INF\\container.xml": b"<damaged"},
        {"META-INF/container.xml": CONTAINER.format(name="missing.xml").encode()},
        {"META-INF/container.xml": CONTAINER.replace("application/pdf", "text/xml").encode()},
    ],
)
def test_files_beside_the_score_do_not_matter(others: dict[str, bytes]) -> None:
    """Those of macOS, hidden ones, and a container that is damaged or names no score."""
    assert mxl.unpack(archive({**others, "hymn.xml": b"<a/>"})) == b"<a/>"


def test_names_are_looked_up_and_never_used_as_paths() -> None:
    """A name with ``..`` reads the entry of that name."""
    climbing = contained("../../etc/passwd.xml", b"<a/>")
    outside = archive({"META-INF/container.xml": CONTAINER.format(name="/etc/passwd").encode()})

    assert mxl.unpack(climbing) == b"<a/>"
    with pytest.raises(FileError, match="an archive without a score"):
        mxl.unpack(outside)


def with_wrong_size() -> bytes:
    """Build an archive whose directory declares a size that is too small."""
    content = bytearray(contained("s.xml", b"<a>" + b"x" * 3000 + b"</a>"))
    place = content.rindex(b"PK\x01\x02")
    content[place + 24 : place + 28] = (99).to_bytes(4, "little")
    return bytes(content)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (contained("s.xml", b" " * 20_000_000), "decompresses to .* too many for a score"),
        (contained("s.xml", b" " * 30_000_000), "too many for a score"),
        (b"PK\x03\x04" + bytes(40), "a damaged archive"),
        (contained("s.xml", b"<a/>")[:-30], "a damaged archive"),
        (archive({}), "an archive without a score"),
        (archive({f"{n}": b"" for n in range(2001)}), "more than 2,000 files"),
        (with_wrong_size(), "a damaged archive"),
        (b"PK" + bytes(mxl.MAX_BYTES), "at most 8,000,000 are read"),
    ],
    ids=range(8),
)
def test_a_hostile_or_broken_archive_is_refused(content: bytes, sentence: str) -> None:
    """Before it uses much memory."""
    with pytest.raises(FileError, match=sentence):
        mxl.unpack(content)


def test_any_wrong_byte_is_a_file_error_or_harmless(tmp_path: Path) -> None:
    """No other exception is raised."""
    good = contained(
        "score.xml", musicxml_writer.to_xml(bundled.load("test")[0].cropped(0, 16)).encode()
    )
    path = tmp_path / "a.mxl"
    for place in range(0, len(good), 11):
        path.write_bytes(good[:place] + bytes([good[place] ^ 0x5A]) + good[place + 1 :])
        try:
            files.read(path)
        except FileError as reason:
            assert str(reason).startswith(f"cannot read {path}: ")  # noqa: PT017
