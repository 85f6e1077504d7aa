"""``musicrel convert`` with instruments."""

from __future__ import annotations

from pathlib import Path

import pytest

from musicrel.chorale import Chorale
from musicrel.cli.main import main
from musicrel.score.audio import wav
from musicrel.score.audio.mixer import Mix
from musicrel.score.midi import midi_events
from tests.helpers.sound import needs_fluidsynth

PIECE = Chorale.of([[72, 67, 64, 48]] * 16, title="A bar", tempo=120)

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def file(tmp_path: Path) -> str:
    """Write a bar; return its file."""
    PIECE.write(tmp_path / "bar.json")
    return str(tmp_path / "bar.json")


def test_without_options_a_wav_file_is_sung(file: str, tmp_path: Path) -> None:
    """The same bytes as with ``--sound choir``."""
    plain, choir = tmp_path / "plain.wav", tmp_path / "choir.wav"

    assert main(["convert", file, str(plain)]) == 0
    assert main(["convert", file, str(choir), "--sound", "choir"]) == 0

    assert plain.read_bytes() == choir.read_bytes()


def test_a_file_that_exists_is_replaced_only_if_asked(
    file: str, tmp_path: Path, capsys: Capture
) -> None:
    """Also the source itself."""
    out = tmp_path / "bar.mid"
    out.write_bytes(b"old")

    assert main(["convert", file, str(out)]) == 1
    assert "bar.mid exists: choose another name, or add --force" in capsys.readouterr().err
    assert out.read_bytes() == b"old"
    assert main(["convert", file, file]) == 1
    assert main(["convert", file, str(out), "--force"]) == 0
    assert out.read_bytes().startswith(b"MThd")


@needs_fluidsynth
def test_a_wav_file_has_the_instrument_of_each_voice(file: str, tmp_path: Path) -> None:
    """The same bytes as with a mix of these instruments."""
    out, expected = tmp_path / "bar.wav", tmp_path / "expected.wav"
    wav.write(PIECE, expected, mix=Mix(sound=("organ", "strings", "oboe", "brass")))

    assert main(["convert", file, str(out), "--sound", "organ,strings,oboe,brass"]) == 0

    assert out.read_bytes() == expected.read_bytes()


def test_a_midi_file_has_the_programs_of_the_instruments(file: str, tmp_path: Path) -> None:
    """They need no SoundFont."""
    out = tmp_path / "bar.mid"

    assert main(["convert", file, str(out), "--sound", "organ,piano,oboe,brass"]) == 0

    tracks = midi_events.parse(out.read_bytes()).tracks[1:]
    programs = [event.data[0] for track in tracks for event in track if event.kind == "program"]
    assert programs == [19, 0, 68, 61]


def test_a_missing_soundfont_is_one_sentence(file: str, tmp_path: Path, capsys: Capture) -> None:
    """Nothing is written."""
    out, font = tmp_path / "bar.wav", tmp_path / "gone.sf2"

    assert main(["convert", file, str(out), "--sound", "piano", "--soundfont", str(font)]) == 1

    printed = capsys.readouterr().err
    assert printed.startswith("musicrel convert: ")
    assert printed.count("\n") == 1
    assert not out.exists()


@needs_fluidsynth
@pytest.mark.parametrize("sound", [[], ["--sound", "organ"]])
def test_a_missing_soundfont_that_no_voice_needs_is_refused(
    file: str, tmp_path: Path, capsys: Capture, sound: list[str]
) -> None:
    """A typing error in its name would pass unnoticed."""
    out, font = tmp_path / "bar.wav", tmp_path / "none.sf2"

    assert main(["convert", file, str(out), *sound, "--soundfont", str(font)]) == 1

    assert str(font) in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("bar.pdf", "; a PDF is exported by the window (File > Export…)"),
        ("bar.foo", ".png or .musicrel\n"),
    ],
)
def test_formats_that_are_not_written_are_wrong_usage(
    file: str, tmp_path: Path, capsys: Capture, name: str, sentence: str
) -> None:
    """The sentence has all that are, projects too."""
    assert main(["convert", file, str(tmp_path / name)]) == 2

    assert sentence in capsys.readouterr().err


def test_numerals_and_instruments_do_not_go_together(
    file: str, tmp_path: Path, capsys: Capture
) -> None:
    """A score has no sound."""
    words = ["convert", file, str(tmp_path / "bar.mxl"), "--numerals", "--sound", "organ"]

    assert main(words) == 2

    assert "has no place for instruments" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words", [["bar.svg", "--sound", "organ"], ["bar.mid", "--soundfont", "mine.sf2"]]
)
def test_instruments_that_do_not_fit_are_wrong_usage(
    words: list[str], file: str, capsys: Capture
) -> None:
    """The message names the formats."""
    assert main(["convert", file, *words]) == 2
    assert "has no place for instruments: expected --sound with .wav" in capsys.readouterr().err


def test_an_unknown_instrument_is_wrong_usage(file: str, capsys: Capture) -> None:
    """The message lists the instruments."""
    with pytest.raises(SystemExit, match=r"^2$"):
        main(["convert", file, "bar.wav", "--sound", "kazoo"])
    assert "sound is 'kazoo': expected choir, organ, piano" in capsys.readouterr().err
