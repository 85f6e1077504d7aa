"""``musicrel convert`` for practice: voices, metronome, count-in and fermatas."""

from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Voice
from musicrel.cli.main import main
from musicrel.presentation.files.practice_files import practice_mix
from musicrel.score.audio import wav
from musicrel.score.audio.metronome import Metronome
from musicrel.score.audio.mixer import Mix
from musicrel.score.midi import midi_events
from musicrel.score.performance import Style
from musicrel.score.practice import Practice

PIECE = Chorale.of([[72, 67, 64, 48]] * 16, title="A bar", tempo=120, fermatas=np.arange(16) >= 12)

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def file(tmp_path: Path) -> str:
    """Write a bar; return its file."""
    PIECE.write(tmp_path / "bar.json")
    return str(tmp_path / "bar.json")


def test_a_wav_file_for_one_voice(file: str, tmp_path: Path) -> None:
    """The same bytes as with its mix, a metronome and a count-in."""
    out, expected = tmp_path / "bar.wav", tmp_path / "expected.wav"
    mix = practice_mix(Mix(), Practice(voice=Voice.SOPRANO))
    wav.write(PIECE, expected, mix=mix, beat=Metronome(on=True, count_in="start"))

    options = ["--practice", "soprano", "--metronome", "--count-in"]
    assert main(["convert", file, str(out), *options]) == 0

    assert out.read_bytes() == expected.read_bytes()


def test_a_file_for_each_voice(file: str, tmp_path: Path, capsys: Capture) -> None:
    """Their names are printed."""
    assert main(["convert", file, str(tmp_path / "bar.mid"), "--practice", "all"]) == 0
    assert (
        main(["convert", file, str(tmp_path / "bar.mid"), "--practice", "all", "--minus-one"]) == 0
    )

    names = [Path(line).name for line in capsys.readouterr().out.splitlines()]
    assert names[0] == "bar – Soprano practice.mid"
    assert names[7] == "bar – without Bass.mid"
    assert {path.name for path in tmp_path.glob("*.mid")} == set(names)


@pytest.mark.parametrize("asked", ["all", "alto"])
def test_practice_files_that_exist_are_replaced_only_if_asked(
    file: str, tmp_path: Path, capsys: Capture, asked: str
) -> None:
    """Of several, none is written."""
    words = ["convert", file, str(tmp_path / "bar.mid"), "--practice", asked]
    assert main(words) == 0
    written = sorted(tmp_path.glob("*.mid"))
    written[-1].write_bytes(b"old")

    assert main(words) == 1
    assert "exists: choose another name, or add --force" in capsys.readouterr().err
    assert [path.read_bytes() == b"old" for path in written].count(True) == 1
    assert main([*words, "--force"]) == 0
    assert b"old" not in [path.read_bytes() for path in written]


def test_voices_without_notes_get_no_file(tmp_path: Path, capsys: Capture) -> None:
    """A sentence names them."""
    Chorale.of([[72, REST, REST, 48]] * 16).write(tmp_path / "two.json")
    words = ["convert", str(tmp_path / "two.json"), str(tmp_path / "two.mid"), "--practice", "all"]

    assert main(words) == 0

    names = [path.name for path in sorted(tmp_path.glob("*.mid"))]
    assert names == ["two – Bass practice.mid", "two – Soprano practice.mid"]
    assert capsys.readouterr().err.splitlines() == [
        "no file “Alto practice”: the Alto has no notes",
        "no file “Tenor practice”: the Tenor has no notes",
    ]


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("alto", "there is nothing to practise: the Alto has no notes; choose another voice"),
        ("soprano --minus-one", "no voice is left without the Soprano"),
        ("all --minus-one", "no voice is left without the Soprano, the Alto has no notes"),
    ],
)
def test_nothing_to_practise_is_refused(
    tmp_path: Path, capsys: Capture, asked: str, sentence: str
) -> None:
    """No file is written."""
    Chorale.of([[72, REST, REST, REST]] * 16).write(tmp_path / "one.json")
    words = ["convert", str(tmp_path / "one.json"), str(tmp_path / "one.wav"), "--practice"]

    assert main([*words, *asked.split()]) == 2

    assert sentence in capsys.readouterr().err
    assert list(tmp_path.glob("*.wav")) == []


@pytest.mark.parametrize(("fermatas", "tempos"), [("held", 3), ("written", 1), (None, 1)])
def test_midi_with_and_without_held_fermatas(
    file: str, tmp_path: Path, fermatas: str | None, tempos: int
) -> None:
    """Held ones slow the tempo down; the notes keep their written lengths."""
    out = tmp_path / "bar.mid"
    options = ["--fermatas", fermatas] if fermatas else []

    assert main(["convert", file, str(out), *options]) == 0

    events = midi_events.parse(out.read_bytes()).tracks[0]
    assert sum(event.kind == "tempo" for event in events) == tempos
    assert Chorale.read(out) == PIECE


def test_audio_with_fermatas_as_written(file: str, tmp_path: Path) -> None:
    """The same bytes as in that style."""
    out, expected = tmp_path / "bar.wav", tmp_path / "expected.wav"
    wav.write(PIECE, expected, style=Style(fermata_stretch=1.0))

    assert main(["convert", file, str(out), "--fermatas", "written"]) == 0

    assert out.read_bytes() == expected.read_bytes()


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("a.svg --practice alto", "is neither audio nor MIDI: expected a name that ends"),
        ("a.svg --metronome", "--metronome: "),
        ("a.json --fermatas held --count-in", "--count-in, --fermatas: "),
        ("a.wav --metronome --numerals", "has no place for Roman numerals"),
        ("a.wav --minus-one", "--minus-one needs a voice to leave out: add --practice"),
        ("a.wav --practice viola", "expected soprano, alto, tenor, bass or all"),
    ],
)
def test_what_makes_no_sense_is_refused(
    file: str, tmp_path: Path, capsys: Capture, asked: str, sentence: str
) -> None:
    """In one sentence, before anything is written."""
    target, *options = asked.split()
    with contextlib.suppress(SystemExit):  # of argparse
        assert main(["convert", file, str(tmp_path / target), *options]) == 2

    assert sentence in capsys.readouterr().err
    assert not (tmp_path / target).exists()
