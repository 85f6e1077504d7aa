"""``musicrel convert`` with instruments."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Voice
from musicrel.cli import inputs
from musicrel.cli.main import main
from musicrel.presentation.files.practice_files import practice_mix
from musicrel.project.contents import Contents
from musicrel.project.project_file import ProjectFile
from musicrel.score.audio import wav
from musicrel.score.audio.metronome import Metronome
from musicrel.score.audio.mixer import Mix
from musicrel.score.midi import midi_events
from musicrel.score.midi.midi_writer import Practice
from musicrel.score.performance import Style
from tests.helpers.projects import full_contents
from tests.helpers.sound import needs_fluidsynth

PIECE = Chorale.of([[72, 67, 64, 48]] * 16, title="A bar", tempo=120)

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def file(tmp_path: Path) -> str:
    PIECE.write(tmp_path / "bar.json")
    return str(tmp_path / "bar.json")


def test_a_file_that_exists_is_replaced_only_if_asked(
    file: str, tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "bar.mid"
    out.write_bytes(b"old")

    assert main(["convert", file, str(out)]) == 1
    assert "bar.mid exists: choose another name, or add --force" in capsys.readouterr().err
    assert out.read_bytes() == b"old"
    assert main(["convert", file, file]) == 1
    assert main(["convert", file, str(out), "--force"]) == 0
    assert out.read_bytes().startswith(b"MThd")


def test_a_midi_file_has_the_programs_of_the_instruments(file: str, tmp_path: Path) -> None:
    out = tmp_path / "bar.mid"

    assert main(["convert", file, str(out), "--sound", "organ,piano,oboe,brass"]) == 0

    tracks = midi_events.parse(out.read_bytes()).tracks[1:]
    programs = [event.data[0] for track in tracks for event in track if event.kind == "program"]
    assert programs == [19, 0, 68, 61]


def test_a_missing_soundfont_is_one_sentence(file: str, tmp_path: Path, capsys: Capture) -> None:
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


CHORDS = Chorale.of([[72, 67, 64, 48]] * 8 + [[71, 67, 62, 43]] * 8 + [[72, 67, 64, 48]] * 8)


@pytest.fixture
def chords(tmp_path: Path) -> str:
    """Write three chords; return their file."""
    CHORDS.write(tmp_path / "chords.mid")
    return str(tmp_path / "chords.mid")


def test_numerals_are_written(chords: str, tmp_path: Path) -> None:
    out = tmp_path / "chords.musicxml"

    assert main(["convert", chords, str(out), "--numerals"]) == 0

    text = out.read_text(encoding="utf-8")
    assert text.count("<harmony ") == 3
    assert '<kind text="C: I">' in text


def test_without_the_option_there_are_none(chords: str, tmp_path: Path) -> None:
    out = tmp_path / "chords.musicxml"
    assert main(["convert", chords, str(out)]) == 0
    assert "harmony" not in out.read_text(encoding="utf-8")


HYMN = Chorale.of([[72, 67, 64, 48]] * 16, title="A bar", tempo=120, fermatas=np.arange(16) >= 12)


@pytest.fixture
def hymn(tmp_path: Path) -> str:
    HYMN.write(tmp_path / "bar.json")
    return str(tmp_path / "bar.json")


def test_a_file_for_each_voice(hymn: str, tmp_path: Path, capsys: Capture) -> None:
    assert main(["convert", hymn, str(tmp_path / "bar.mid"), "--practice", "all"]) == 0
    assert (
        main(["convert", hymn, str(tmp_path / "bar.mid"), "--practice", "all", "--minus-one"]) == 0
    )

    names = [Path(line).name for line in capsys.readouterr().out.splitlines()]
    assert names[0] == "bar – Soprano practice.mid"
    assert names[7] == "bar – without Bass.mid"
    assert {path.name for path in tmp_path.glob("*.mid")} == set(names)


@pytest.mark.parametrize("asked", ["all", "alto"])
def test_practice_files_that_exist_are_replaced_only_if_asked(
    hymn: str, tmp_path: Path, capsys: Capture, asked: str
) -> None:
    words = ["convert", hymn, str(tmp_path / "bar.mid"), "--practice", asked]
    assert main(words) == 0
    written = sorted(tmp_path.glob("*.mid"))
    written[-1].write_bytes(b"old")

    assert main(words) == 1
    assert "exists: choose another name, or add --force" in capsys.readouterr().err
    assert [path.read_bytes() == b"old" for path in written].count(True) == 1
    assert main([*words, "--force"]) == 0
    assert b"old" not in [path.read_bytes() for path in written]


def test_voices_without_notes_get_no_file(tmp_path: Path, capsys: Capture) -> None:
    Chorale.of([[72, REST, REST, 48]] * 16).write(tmp_path / "two.json")
    words = ["convert", str(tmp_path / "two.json"), str(tmp_path / "two.mid"), "--practice", "all"]

    assert main(words) == 0

    names = [path.name for path in sorted(tmp_path.glob("*.mid"))]
    assert names == ["two – Bass practice.mid", "two – Soprano practice.mid"]
    assert capsys.readouterr().err.splitlines() == [
        "no file “Alto practice”: the Alto has no notes",
        "no file “Tenor practice”: the Tenor has no notes",
    ]


@pytest.mark.parametrize(("fermatas", "tempos"), [("held", 3), ("written", 1), (None, 1)])
def test_midi_with_and_without_held_fermatas(
    hymn: str, tmp_path: Path, fermatas: str | None, tempos: int
) -> None:
    """Held ones slow the tempo down; the notes keep their written lengths."""
    out = tmp_path / "bar.mid"
    options = ["--fermatas", fermatas] if fermatas else []

    assert main(["convert", hymn, str(out), *options]) == 0

    events = midi_events.parse(out.read_bytes()).tracks[0]
    assert sum(event.kind == "tempo" for event in events) == tempos
    assert Chorale.read(out) == HYMN


@pytest.mark.parametrize(
    ("asked", "made"),
    [
        ("", {}),
        ("--sound choir", {}),
        pytest.param(
            "--sound organ,strings,oboe,brass",
            {"mix": Mix(sound=("organ", "strings", "oboe", "brass"))},
            marks=needs_fluidsynth,
        ),
        (
            "--practice soprano --metronome --count-in",
            {
                "mix": practice_mix(Mix(), Practice(voice=Voice.SOPRANO)),
                "beat": Metronome(on=True, count_in="start"),
            },
        ),
        ("--fermatas written", {"style": Style(fermata_stretch=1.0)}),
    ],
)
def test_a_wav_file_sounds_as_asked(
    hymn: str, tmp_path: Path, asked: str, made: dict[str, Any]
) -> None:
    out, expected = tmp_path / "bar.wav", tmp_path / "expected.wav"
    wav.write(HYMN, expected, **made)
    assert main(["convert", hymn, str(out), *asked.split()]) == 0
    assert out.read_bytes() == expected.read_bytes()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "piece.musicrel"
    ProjectFile.create(path, full_contents()).close()
    return path


@pytest.fixture
def folder(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(project.parent)
    Path("fake.musicrel").write_text("no project", encoding="utf-8")
    ProjectFile.create(Path("empty.musicrel")).close()
    full_contents().takes[0].piece.write("piece.mid")
    return project.parent


def several() -> Contents:
    full = full_contents()
    return replace(full, states=full.states[:1], position=0)


def test_the_piece_on_the_sheet_is_converted(project: Path, tmp_path: Path) -> None:
    before = project.read_bytes()
    out = tmp_path / "piece.json"

    assert main(["convert", str(project), str(out)]) == 0

    assert Chorale.read(out) == full_contents().states[1].piece
    assert project.read_bytes() == before


@pytest.mark.parametrize("suffix", ["mid", "musicxml", "json", "svg", "musicrel"])
def test_a_take_is_converted(project: Path, tmp_path: Path, suffix: str) -> None:
    out = tmp_path / f"take.{suffix}"
    assert main(["convert", str(project), str(out), "--take", "日本"]) == 0
    assert out.stat().st_size > 0


def test_a_piece_becomes_a_project_and_a_piece_again(tmp_path: Path) -> None:
    piece = full_contents().takes[0].piece
    there, back = tmp_path / "there.MUSICREL", tmp_path / "back.json"
    piece.write(tmp_path / "piece.json")

    assert main(["convert", str(tmp_path / "piece.json"), str(there)]) == 0
    assert main(["convert", str(there), str(back)]) == 0

    assert Chorale.read(back) == piece


@pytest.mark.usefixtures("folder")
def test_a_project_that_is_open_is_not_replaced(project: Path, capsys: Capture) -> None:
    opened = ProjectFile.open(project)

    assert main(["convert", "piece.mid", project.name]) == 2

    assert "is a project with 1 take" in capsys.readouterr().err
    opened.write(Contents(mixer={"volume": 1}))
    opened.close()


def test_what_is_missing_of_a_damaged_project_is_printed(
    project: Path, tmp_path: Path, capsys: Capture
) -> None:
    with closing(sqlite3.connect(project)) as connection:
        connection.execute("DELETE FROM pieces WHERE id = 1")
        connection.commit()
    assert main(["convert", str(project), str(tmp_path / "piece.mid")]) == 0
    assert capsys.readouterr().err.splitlines() == [
        "piece.musicrel: 1 take cannot be read",
        "piece.musicrel: 1 Undo step cannot be read",
    ]


def test_all_takes_are_written_into_a_folder(folder: Path, tmp_path: Path, capsys: Capture) -> None:
    out = tmp_path / "new" / "takes"
    words = ["convert", "several.musicrel", str(out), "--takes", "all", "--format", "mid,mxl"]
    ProjectFile.create(folder / "several.musicrel", several()).close()

    assert main(words) == 0

    stems = ["Menuett für Änne – Menuett", "random 2 – 日本"]
    expected = [str(out / f"{stem}{suffix}") for stem in stems for suffix in (".mid", ".mxl")]
    assert capsys.readouterr().out.splitlines() == expected
    assert sorted(str(path) for path in out.iterdir()) == sorted(expected)
    first = several().takes[0].piece
    assert Chorale.read(expected[0]) == first


@pytest.mark.parametrize(
    ("which", "stems"),
    [
        ("rated", ["Menuett für Änne – Menuett"]),
        ("日本", ["random 2 – 日本"]),
        ("4, menuett,1", ["Menuett für Änne – Menuett", "random 2 – 日本"]),
    ],
)
def test_takes_are_chosen_by_rating_name_or_number(
    folder: Path, capsys: Capture, which: str, stems: list[str]
) -> None:
    ProjectFile.create(folder / "several.musicrel", several()).close()
    assert main(["convert", "several.musicrel", "out", "--takes", which]) == 0
    written = [Path(line).stem for line in capsys.readouterr().out.splitlines()]
    assert written == stems


def test_existing_files_are_replaced_only_if_asked(folder: Path, capsys: Capture) -> None:
    (folder / "out").mkdir()
    (folder / "out" / "random 2 – 日本.mid").write_bytes(b"old")
    words = ["convert", "piece.musicrel", "out", "--takes", "all"]

    assert main(words) == 1
    assert (
        "random 2 – 日本.mid exists: choose another name, or add --force" in capsys.readouterr().err
    )
    assert (folder / "out" / "random 2 – 日本.mid").read_bytes() == b"old"
    assert main([*words, "--force"]) == 0
    assert (folder / "out" / "random 2 – 日本.mid").read_bytes().startswith(b"MThd")


def test_takes_have_the_requested_instruments(folder: Path) -> None:
    words = ["convert", "piece.musicrel", "out", "--takes", "all", "--sound", "organ"]

    assert main(words) == 0

    tracks = midi_events.parse((folder / "out" / "random 2 – 日本.mid").read_bytes()).tracks[1:]
    programs = [event.data[0] for track in tracks for event in track if event.kind == "program"]
    assert programs == [19] * 4


def test_a_project_is_graded(project: Path, capsys: Capture) -> None:
    assert main(["grade", str(project), "--json"]) == 0
    (piece,) = json.loads(capsys.readouterr().out)["pieces"]
    assert piece["file"] == str(project)


def test_the_melody_of_a_project_is_read(project: Path) -> None:
    found = inputs.read_melody(project, Voice.SOPRANO).chorale
    assert (found.pitches[:, Voice.SOPRANO] >= 0).any()
    assert (found.pitches[:, Voice.ALTO :] < 0).all()
