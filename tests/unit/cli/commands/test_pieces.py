"""``musicrel play`` and ``convert``."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Voice
from musicrel.cli import inputs
from musicrel.cli.commands import pieces
from musicrel.playback import player as player_module
from musicrel.playback.audio import DeviceError
from musicrel.playback.player import Player
from musicrel.presentation.files.practice_files import practice_mix
from musicrel.project.contents import Contents
from musicrel.project.project_file import ProjectFile
from musicrel.score import files
from musicrel.score.audio import audio_file
from musicrel.score.audio.metronome import Metronome
from musicrel.score.audio.mixer import Mix
from musicrel.score.midi import midi_events
from musicrel.score.midi.midi_writer import Practice
from musicrel.score.performance import Style
from tests.helpers.projects import full_contents
from tests.helpers.sound import ManualOutput, needs_fluidsynth
from tests.unit.cli.conftest import Place

PIECE = Chorale.of([[72, 67, 64, 48]] * 16, title="A bar", tempo=120)


def clock(player: Player, output: ManualOutput, waits: list[float]) -> Callable[[float], None]:
    def wait(seconds: float) -> None:
        waits.append(seconds)
        while player.work():
            pass
        output.advance(seconds)

    return wait


@pytest.mark.parametrize(
    ("metronome", "seconds"), [(Metronome(), 2), (Metronome(on=True, count_in="start"), 4)]
)
def test_a_piece_is_played_to_its_end_and_no_longer(metronome: Metronome, seconds: int) -> None:
    output, waits = ManualOutput(), list[float]()
    with Player(output, threaded=False) as player:
        player.metronome = metronome
        pieces.play_to_end(player, PIECE, clock(player, output, waits))
        assert player.position == 16
    assert seconds <= sum(waits) <= seconds + 4


def test_metronome_and_count_in_are_options(here: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[Metronome] = []
    monkeypatch.setattr(player_module, "MiniaudioOutput", ManualOutput)
    monkeypatch.setattr(
        pieces, "play_to_end", lambda player, _piece: found.append(player.metronome)
    )

    for options in ("", "--metronome", "--metronome --count-in"):
        here.run(f"play bar.json {options}")

    assert found == [
        Metronome(), Metronome(on=True), Metronome(on=True, count_in="start"),
    ]  # fmt: skip


def test_an_interrupt_reaches_the_caller() -> None:
    def interrupt(_seconds: float) -> None:
        raise KeyboardInterrupt

    with Player(ManualOutput(), threaded=False) as player, pytest.raises(KeyboardInterrupt):
        pieces.play_to_end(player, PIECE, interrupt)
    assert not player.playing


def test_a_missing_device_is_one_sentence_and_code_1(
    here: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = ManualOutput(missing="no sound: there is no device")
    monkeypatch.setattr(player_module, "MiniaudioOutput", lambda: output)
    printed = here.run("play bar.json", code=1).err
    assert printed == "musicrel play: no sound: there is no device\n"


def test_the_loss_of_the_device_ends_playback() -> None:
    output = ManualOutput()
    with Player(output, threaded=False) as player:
        wait = clock(player, output, [])

        def unplug(seconds: float) -> None:
            output.lost = "the device is gone"
            wait(seconds)

        with pytest.raises(DeviceError, match="is gone"):
            pieces.play_to_end(player, PIECE, unplug)


@pytest.mark.parametrize(
    "command",
    [
        "play bar.json --sound organ,piano,oboe,brass",
        "convert bar.json bar.wav --sound piano",
        pytest.param("convert bar.json bar.wav", marks=needs_fluidsynth),
        pytest.param("convert bar.json bar.wav --sound organ", marks=needs_fluidsynth),
    ],
)
def test_a_missing_soundfont_is_one_sentence(command: str, here: Place) -> None:
    """Even one that no voice needs: a typing error in its name would pass unnoticed."""
    printed = here.run(f"{command} --soundfont gone.sf2", code=1).err
    assert printed.count("\n") == 1
    assert not Path("bar.wav").exists()


def test_a_file_that_exists_is_replaced_only_if_asked(here: Place) -> None:
    Path("old.mid").write_bytes(b"old")

    printed = here.run("convert bar.json old.mid", code=1).err
    assert "old.mid exists: choose another name, or add --force" in printed
    assert Path("old.mid").read_bytes() == b"old"
    here.run("convert bar.json old.mid --force")
    assert Path("old.mid").read_bytes().startswith(b"MThd")


def programs(file: Path) -> list[int]:
    tracks = midi_events.parse(file.read_bytes()).tracks[1:]
    return [event.data[0] for track in tracks for event in track if event.kind == "program"]


def test_a_midi_file_has_the_programs_of_the_instruments(here: Place) -> None:
    here.run("convert bar.json new.mid --sound organ,piano,oboe,brass")
    assert programs(Path("new.mid")) == [19, 0, 68, 61]


@pytest.mark.parametrize(("option", "count"), [("--numerals", 3), ("", 0)])
def test_numerals_are_written_on_demand(option: str, count: int, here: Place) -> None:
    first, second = [72, 67, 64, 48], [71, 67, 62, 43]
    Chorale.of([first] * 8 + [second] * 8 + [first] * 8).write("chords.mid")

    here.run(f"convert chords.mid chords.musicxml {option}")

    text = here.text("chords.musicxml")
    assert text.count("<harmony ") == count
    assert ('<kind text="C: I">' in text) == bool(count)


@pytest.mark.parametrize(("option", "bars"), [("--repeat-signs", 3), ("", 5)])
def test_repeat_signs_are_written_on_demand(option: str, bars: int, here: Place) -> None:
    passage, end = [[72, 67, 64, 48], [71, 65, 62, 43]], [[72, 69, 65, 41]]
    piece = Chorale.of(np.repeat([*passage, *passage, *end], 16, axis=0))
    piece.write("five.json")

    here.run(f"convert five.json five.musicxml {option}")
    answer = here.run(f"convert bar.json bar.musicxml {option}")

    assert ("bar.musicxml has no repeat signs: no bars come" in answer.err) == bool(option)
    text = here.text("five.musicxml")
    assert text.count("<measure ") == 4 * bars
    assert ("<repeat " in text) == bool(option)
    assert np.array_equal(files.read(Path("five.musicxml")).pitches, piece.pitches)


def test_a_file_for_each_voice(here: Place) -> None:
    there = here.run("convert bar.json new.mid --practice all").out
    without = here.run("convert bar.json new.mid --practice all --minus-one").out
    names = (there + without).splitlines()
    assert names[0] == "new – Soprano practice.mid"
    assert names[7] == "new – without Bass.mid"
    assert here.names("new*.mid") == sorted(names)


@pytest.mark.parametrize("asked", ["all", "alto"])
def test_practice_files_that_exist_are_replaced_only_if_asked(here: Place, asked: str) -> None:
    command = f"convert bar.json new.mid --practice {asked}"
    here.run(command)
    written = [Path(name) for name in here.names("new*.mid")]
    written[-1].write_bytes(b"old")

    printed = here.run(command, code=1).err
    assert "exists: choose another name, or add --force" in printed
    assert [path.read_bytes() == b"old" for path in written].count(True) == 1
    here.run(f"{command} --force")
    assert b"old" not in [path.read_bytes() for path in written]


def test_voices_without_notes_get_no_file(here: Place) -> None:
    Chorale.of([[72, REST, REST, 48]] * 16).write("two.json")

    printed = here.run("convert two.json two.mid --practice all").err

    assert here.names("*.mid")[2:] == ["two – Bass practice.mid", "two – Soprano practice.mid"]
    assert printed.splitlines() == [
        "no file “Alto practice”: the Alto has no notes",
        "no file “Tenor practice”: the Tenor has no notes",
    ]


@pytest.mark.parametrize(
    ("option", "tempos"), [("--fermatas held", 3), ("--fermatas written", 1), ("", 1)]
)
def test_midi_with_and_without_held_fermatas(here: Place, option: str, tempos: int) -> None:
    here.run(f"convert hymn.json new.mid {option}")
    events = midi_events.parse(Path("new.mid").read_bytes()).tracks[0]
    assert sum(event.kind == "tempo" for event in events) == tempos
    assert here.read("new.mid") == here.read("hymn.json")


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
def test_a_wav_file_sounds_as_asked(here: Place, asked: str, made: dict[str, Any]) -> None:
    audio_file.write(here.read("hymn.json"), Path("expected.wav"), **made)
    here.run(f"convert hymn.json new.wav {asked}")
    assert Path("new.wav").read_bytes() == Path("expected.wav").read_bytes()


@pytest.fixture
def several(here: Place) -> Place:
    """Write a project with two takes."""
    full = full_contents()
    contents = replace(full, states=full.states[:1], position=0)
    ProjectFile.create(here.folder / "several.musicrel", contents).close()
    return here


def test_the_piece_on_the_sheet_is_converted(here: Place) -> None:
    before = Path("hymn.musicrel").read_bytes()
    here.run("convert hymn.musicrel new.json")
    assert here.read("new.json") == full_contents().states[1].piece
    assert Path("hymn.musicrel").read_bytes() == before


@pytest.mark.parametrize("suffix", ["mid", "musicxml", "json", "svg", "musicrel"])
def test_a_take_is_converted(here: Place, suffix: str) -> None:
    here.run(f"convert hymn.musicrel take.{suffix} --take 日本")
    assert Path(f"take.{suffix}").stat().st_size > 0


def test_a_piece_becomes_a_project_and_a_piece_again(here: Place) -> None:
    piece = full_contents().takes[0].piece
    piece.write("first.json")
    here.run("convert first.json there.MUSICREL")
    here.run("convert there.MUSICREL back.json")
    assert here.read("back.json") == piece


def test_a_project_that_is_open_is_not_replaced(here: Place) -> None:
    opened = ProjectFile.open(Path("hymn.musicrel"))
    assert "is a project with 1 take" in here.run("convert bar.mid hymn.musicrel", code=2).err
    opened.write(Contents(mixer={"volume": 1}))
    opened.close()


def test_what_is_missing_of_a_damaged_project_is_printed(here: Place) -> None:
    with closing(sqlite3.connect("hymn.musicrel")) as connection:
        connection.execute("DELETE FROM pieces WHERE id = 1")
        connection.commit()
    assert here.run("convert hymn.musicrel new.mid").err.splitlines() == [
        "hymn.musicrel: 1 take cannot be read",
        "hymn.musicrel: 1 Undo step cannot be read",
    ]


FIRST, SECOND = "Menuett für Änne – Menuett", "random 2 – 日本"


def test_all_takes_are_written_into_a_folder(several: Place) -> None:
    printed = several.run("convert several.musicrel new/takes --takes all --format mid,mxl").out

    names = [f"{stem}{suffix}" for stem in (FIRST, SECOND) for suffix in (".mid", ".mxl")]
    assert printed.splitlines() == [str(Path("new/takes") / name) for name in names]
    assert several.names("new/takes/*") == sorted(names)
    assert several.read(f"new/takes/{FIRST}.mid") == full_contents().takes[0].piece


@pytest.mark.parametrize(
    ("which", "stems"),
    [("rated", [FIRST]), ("日本", [SECOND]), ("'4, menuett,1'", [FIRST, SECOND])],
)
def test_takes_are_chosen_by_rating_name_or_number(
    several: Place, which: str, stems: list[str]
) -> None:
    printed = several.run(f"convert several.musicrel out --takes {which}").out
    assert [Path(line).stem for line in printed.splitlines()] == stems


def test_existing_files_of_takes_are_replaced_only_if_asked(here: Place) -> None:
    old, command = Path("out") / f"{SECOND}.mid", "convert hymn.musicrel out --takes all"
    old.parent.mkdir()
    old.write_bytes(b"old")

    printed = here.run(command, code=1).err
    assert f"{SECOND}.mid exists: choose another name, or add --force" in printed
    assert old.read_bytes() == b"old"
    here.run(f"{command} --force")
    assert old.read_bytes().startswith(b"MThd")


def test_takes_have_the_requested_instruments(here: Place) -> None:
    here.run("convert hymn.musicrel out --takes all --sound organ")
    assert programs(Path("out") / f"{SECOND}.mid") == [19] * 4


@pytest.mark.usefixtures("here")
def test_the_melody_of_a_project_is_read() -> None:
    found = inputs.read_melody(Path("hymn.musicrel"), Voice.SOPRANO).chorale
    assert (found.pitches[:, Voice.SOPRANO] >= 0).any()
    assert (found.pitches[:, Voice.ALTO :] < 0).all()
