"""WAV files: their content, and atomic replacement."""

from __future__ import annotations

import os
import wave
from pathlib import Path

import numpy as np
import pytest

from musicrel.chorale import MAX_STEPS, REST, Chorale
from musicrel.errors import DataError, FileError, UsageError
from musicrel.score import files
from musicrel.score.audio import wav
from musicrel.score.audio.mixer import Mix
from musicrel.score.audio.synth import render
from musicrel.score.performance import Style
from tests.helpers.music import minuet


def _samples(path: Path) -> tuple[int, np.ndarray]:
    """Read the sample rate and the samples, int16 (frames, 2)."""
    with wave.open(str(path), "rb") as file:
        assert (file.getnchannels(), file.getsampwidth()) == (2, 2)
        content = file.readframes(file.getnframes())
        assert len(content) == 4 * file.getnframes()
        return file.getframerate(), np.frombuffer(content, dtype="<i2").reshape(-1, 2)


@pytest.mark.parametrize("rate", [44_100, 48_000])
def test_the_file_holds_the_rendered_sound(tmp_path: Path, rate: int) -> None:
    """Rounded to 16 bits; dither adds at most one more."""
    expected = render(minuet(), Mix(sound="organ"), style=Style(tempo_factor=2), rate=rate) * 32_767

    for name, dither in (("plain.wav", False), ("dithered.wav", True)):
        wav.write(
            minuet(),
            tmp_path / name,
            mix=Mix(sound="organ"),
            style=Style(tempo_factor=2),
            rate=rate,
            dither=dither,
        )

    assert _samples(tmp_path / "plain.wav")[0] == rate
    assert np.array_equal(_samples(tmp_path / "plain.wav")[1], np.rint(expected))
    assert np.abs(_samples(tmp_path / "dithered.wav")[1] - expected).max() <= 1.5


def test_the_same_piece_gives_the_same_file(tmp_path: Path) -> None:
    """The dither has a fixed seed."""
    for name in ("a.wav", "b.wav"):
        wav.write(minuet(), tmp_path / name)

    assert (tmp_path / "a.wav").read_bytes() == (tmp_path / "b.wav").read_bytes()


def test_silence_stays_silent(tmp_path: Path) -> None:
    """Digital silence gets no dither."""
    wav.write(Chorale.of(np.full((4, 4), REST)), tmp_path / "rest.wav")

    assert not _samples(tmp_path / "rest.wav")[1].any()


def test_the_suffix_wav_writes_sound_and_cannot_be_read(tmp_path: Path) -> None:
    """Through the table of formats; folders are created."""
    path = tmp_path / "new" / "Minuet.WAV"

    files.write(minuet(), path)

    assert len(_samples(path)[1]) > 44_100
    assert [found.name for found in path.parent.iterdir()] == ["Minuet.WAV"]
    with pytest.raises(UsageError, match=r"cannot read .*Minuet\.WAV"):
        files.read(path)


def test_a_file_that_fails_to_be_written_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk does not damage it, and no temporary file is left."""
    path = tmp_path / "a.wav"
    path.write_bytes(b"old")

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileError, match=r"cannot write .*a\.wav: the disk is full; make room"):
        wav.write(minuet(), path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_interruption_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """During the writing of the sound."""
    path = tmp_path / "a.wav"
    path.write_bytes(b"old")

    def interrupt(*_arguments: object, **_named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(wav, "_rounded", interrupt)
    with pytest.raises(KeyboardInterrupt):
        wav.write(minuet(), path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    """The message suggests another folder."""
    (tmp_path / "file").write_bytes(b"")

    with pytest.raises(FileError, match=r"cannot write .*a\.wav: .*; choose a folder"):
        wav.write(minuet(), tmp_path / "file" / "a.wav")


def test_a_piece_longer_than_a_wav_file_is_refused_before_any_work(tmp_path: Path) -> None:
    """The longest piece at the slowest tempo."""
    endless = Chorale.of(np.full((MAX_STEPS, 4), 60), tempo=5)

    with pytest.raises(DataError, match="lasts 819 minutes: a WAV file holds at most 406"):
        wav.write(endless, tmp_path / "a.wav")
    assert list(tmp_path.iterdir()) == []
