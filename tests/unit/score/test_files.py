"""Choice of the file format by suffix."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from musicrel.chorale import Chorale, Voice
from musicrel.errors import FileError, UsageError
from musicrel.score import files


@pytest.mark.parametrize("name", ["a.mid", "a.midi", "a.MID", "a.json", "deep/er/b.Json"])
def test_a_chorale_round_trips(hymn: Chorale, tmp_path: Path, name: str) -> None:
    """All fields are preserved for any case of the suffix; folders are created."""
    path, piece = tmp_path / name, replace(hymn, composer="Johann Crüger (1598–1662) ♭")

    files.write(piece, path)

    assert files.read(path) == piece


@pytest.mark.parametrize("name", ["a.musicxml", "a.mxl"])
def test_a_score_keeps_title_and_composer(hymn: Chorale, tmp_path: Path, name: str) -> None:
    """And the notes."""
    piece = replace(hymn, composer="Johann Crüger <1598> & J. S. Bach")
    files.write(piece, tmp_path / name)

    read = files.read(tmp_path / name)

    assert (read.title, read.composer) == (piece.title, piece.composer)
    assert np.array_equal(read.pitches, piece.pitches)


@pytest.mark.parametrize("name", ["a.mid", "a.json", "a.musicxml", "a.mxl"])
def test_a_piece_without_a_composer_has_none_again(
    hymn: Chorale, tmp_path: Path, name: str
) -> None:
    """Neither the title nor the model takes the place."""
    files.write(hymn, tmp_path / name)

    assert files.read(tmp_path / name).composer == ""


def test_suffixes_in_the_table_are_lower_case() -> None:
    """The lookup converts a suffix to lower case."""
    assert set(files.FORMATS) == {suffix.lower() for suffix in files.FORMATS}
    assert {".mid", ".json"} <= set(files.READABLE) & set(files.WRITABLE)


@pytest.mark.parametrize("name", ["a.doc", "a", ".mid"])
def test_an_unknown_suffix_is_a_usage_error_that_names_the_known(
    hymn: Chorale, tmp_path: Path, name: str
) -> None:
    """Nothing is written, and the message lists the supported suffixes."""
    known = r"expected a name that ends in \.mid, .* or \.\w+"

    with pytest.raises(UsageError, match=f"cannot write .*{known}"):
        files.write(hymn, tmp_path / name)
    with pytest.raises(UsageError, match=f"cannot read .*{known}"):
        files.read(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a.mid", "a.json"])
def test_a_missing_file_is_a_file_error(tmp_path: Path, name: str) -> None:
    """The message names the file."""
    with pytest.raises(FileError, match=f"cannot read .*{name}: No such file"):
        files.read(tmp_path / name)


@pytest.mark.parametrize("name", ["a.mid", "a.json"])
def test_a_file_that_fails_to_be_written_leaves_the_old_one(
    hymn: Chorale, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk does not damage the existing file."""
    path = tmp_path / name
    path.write_bytes(b"old")

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)

    with pytest.raises(FileError, match="the disk is full; make room on it"):
        files.write(hymn, path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_writer_is_found_without_a_piece(tmp_path: Path) -> None:
    """A wrong suffix is refused before a long job starts, and nothing is written."""
    assert files.writer(tmp_path / "a.MID") is files.FORMATS[".mid"].write
    with pytest.raises(UsageError, match=r"cannot write .*a\.doc: expected a name that ends in"):
        files.writer(tmp_path / "a.doc")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a.mid", "a.json", "a.musicxml"])
def test_a_melody_is_read_from_every_kind_of_file(hymn: Chorale, tmp_path: Path, name: str) -> None:
    """The line of the voice, named in the report."""
    files.write(hymn, tmp_path / name)

    read = files.import_melody(tmp_path / name, Voice.TENOR)

    assert set(read.chorale.pitches[:, Voice.TENOR]) == {59}
    assert read.report == ("of its 4 lines with notes 'Tenor' was taken as the melody",)


def test_import_only_formats_are_not_written(hymn: Chorale, tmp_path: Path) -> None:
    """MusicXML is written with its own suffixes only."""
    assert ".xml" in files.READABLE
    with pytest.raises(UsageError, match="cannot write"):
        files.write(hymn, tmp_path / "a.xml")


def test_a_file_without_music_is_a_file_error_that_names_it(tmp_path: Path) -> None:
    """For imports of four voices and of a melody."""
    path = tmp_path / "a.musicxml"
    path.write_text('<score-partwise><part id="a"><measure/></part></score-partwise>')

    with pytest.raises(FileError, match=r"cannot read .*a\.musicxml: it has no notes"):
        files.read(path)
    with pytest.raises(FileError, match=r"a\.musicxml: it has no notes: expected a melody"):
        files.import_melody(path)
