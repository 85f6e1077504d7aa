"""Files: the suffix decides."""

from __future__ import annotations

from pathlib import Path

import pytest

from musicrel.chorale import Chorale, Voice
from musicrel.errors import FileError, UsageError
from musicrel.score import files


@pytest.mark.parametrize("name", ["a.mid", "a.midi", "a.MID", "a.json", "deep/er/b.Json"])
def test_what_is_written_is_read_back(hymn: Chorale, tmp_path: Path, name: str) -> None:
    """Every field survives, whatever the case of the suffix; folders are made."""
    path = tmp_path / name

    files.write(hymn, path)

    assert files.read(path) == hymn


def test_every_format_read_here_has_a_suffix_in_small_letters() -> None:
    """The table is looked up in small letters."""
    assert set(files.FORMATS) == {suffix.lower() for suffix in files.FORMATS}
    assert {".mid", ".json"} <= set(files.READABLE) & set(files.WRITABLE)


@pytest.mark.parametrize("name", ["a.doc", "a", ".mid"])
def test_an_unknown_suffix_is_a_usage_error_that_names_the_known(
    hymn: Chorale, tmp_path: Path, name: str
) -> None:
    """Nothing is written, and the sentence says what would do."""
    known = r"expected a name that ends in \.mid, .* or \.\w+"

    with pytest.raises(UsageError, match=f"cannot write .*{known}"):
        files.write(hymn, tmp_path / name)
    with pytest.raises(UsageError, match=f"cannot read .*{known}"):
        files.read(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a.mid", "a.json"])
def test_a_missing_file_is_a_file_error(tmp_path: Path, name: str) -> None:
    """It says which file."""
    with pytest.raises(FileError, match=f"cannot read .*{name}: No such file"):
        files.read(tmp_path / name)


@pytest.mark.parametrize("name", ["a.mid", "a.json"])
def test_a_file_that_fails_to_be_written_leaves_the_old_one(
    hymn: Chorale, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk costs nothing that was there."""
    path = tmp_path / name
    path.write_bytes(b"old")

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)

    with pytest.raises(FileError, match="No space left on device"):
        files.write(hymn, path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_writer_can_be_asked_for_before_there_is_a_piece(tmp_path: Path) -> None:
    """A wrong suffix is known before a long job begins, and nothing is written."""
    assert files.writer(tmp_path / "a.MID") is files.FORMATS[".mid"].write
    with pytest.raises(UsageError, match=r"cannot write .*a\.doc: expected a name that ends in"):
        files.writer(tmp_path / "a.doc")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a.mid", "a.json", "a.musicxml"])
def test_a_melody_is_read_from_every_kind_of_file(hymn: Chorale, tmp_path: Path, name: str) -> None:
    """The voice's own line, and which one that was."""
    files.write(hymn, tmp_path / name)

    read = files.melody(tmp_path / name, Voice.TENOR)

    assert set(read.chorale.pitches[:, Voice.TENOR]) == {59}
    assert read.report == ("of its 4 lines with notes 'Tenor' was taken as the melody",)


@pytest.mark.parametrize("name", ["a.mxl", "a.xml"])
def test_what_is_only_read_is_not_written(hymn: Chorale, tmp_path: Path, name: str) -> None:
    """Compressed MusicXML is for input."""
    assert Path(name).suffix in files.READABLE
    with pytest.raises(UsageError, match="cannot write"):
        files.write(hymn, tmp_path / name)


def test_a_file_without_music_is_a_file_error_that_names_it(tmp_path: Path) -> None:
    """Whether four voices or a melody are asked for."""
    path = tmp_path / "a.musicxml"
    path.write_text('<score-partwise><part id="a"><measure/></part></score-partwise>')

    with pytest.raises(FileError, match=r"cannot read .*a\.musicxml: it has no notes"):
        files.read(path)
    with pytest.raises(FileError, match=r"a\.musicxml: it has no notes: expected a melody"):
        files.melody(path)
