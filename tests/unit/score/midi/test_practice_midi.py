"""Practice versions as MIDI files: volumes, clicks and the count-in."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from musicrel.chorale import Chorale, Meter, Voice
from musicrel.score import files
from musicrel.score.midi import midi_events, practice_midi
from musicrel.score.midi.midi_events import Event
from musicrel.score.midi.midi_writer import TICKS_PER_STEP
from musicrel.score.practice import Practice


def _tracks(path: Path) -> tuple[tuple[Event, ...], ...]:
    return midi_events.parse(path.read_bytes()).tracks


def _volumes(path: Path) -> list[int]:
    """Return the channel volumes of S, A, T, B."""
    content = path.read_bytes()
    return [content[content.index(bytes([0xB0 + channel, 7])) + 2] for channel in range(4)]


def _velocities(path: Path, voice: Voice) -> set[int]:
    return {event.data[1] for event in _tracks(path)[1 + voice] if event.kind == "note_on"}


def _clicks(path: Path) -> list[tuple[float, int]]:
    """Return step and note of the clicks."""
    last = _tracks(path)[-1]
    return [(e.tick / TICKS_PER_STEP, e.data[0]) for e in last if e.kind == "note_on" and e.data[1]]


def test_the_voice_has_a_louder_channel_and_harder_notes(hymn: Chorale, tmp_path: Path) -> None:
    """Read back, the file is the piece."""
    path = tmp_path / "alto.mid"
    practice_midi.write(hymn, path, Practice(voice=Voice.ALTO))

    assert _volumes(path) == [40, 127, 40, 40]
    assert max(_velocities(path, Voice.TENOR)) + 20 < min(_velocities(path, Voice.ALTO))
    assert files.read(path) == hymn


def test_a_voice_that_is_left_out_keeps_its_notes_on_a_silent_channel(
    hymn: Chorale, tmp_path: Path
) -> None:
    """So that it can be read along, or faded in."""
    path = tmp_path / "minus.mid"
    practice_midi.write(hymn, path, Practice(voice=Voice.BASS, kind="left out"))

    assert _volumes(path) == [100, 100, 100, 0]
    assert files.read(path) == hymn


def test_a_track_of_clicks_is_no_voice(hymn: Chorale, tmp_path: Path) -> None:
    """The bar line is higher; the piece is read without it."""
    path = tmp_path / "clicks.mid"
    practice_midi.write(hymn, path, clicks=True)

    assert _clicks(path) == [(0, 77), (4, 76), (8, 77), (12, 77), (16, 77), (20, 76)]
    assert files.read(path) == hymn


def test_the_count_in_moves_everything_by_whole_bars(hymn: Chorale, tmp_path: Path) -> None:
    """A bar and the missing beats of the pickup; the piece is read without them."""
    path = tmp_path / "counted.mid"
    piece = replace(hymn, composer="Anonymous")
    practice_midi.write(piece, path, count_in=True, stretch_fermatas=True)

    assert [step for step, _ in _clicks(path)] == [0, 4, 8, 12, 16, 20, 24]
    found = files.read(path)
    assert (found.pickup, found.meter, found.steps) == (4, Meter(4, 4), hymn.steps)
    assert np.array_equal(found.pitches, hymn.pitches)
    assert np.array_equal(found.fermatas, hymn.fermatas)
    assert (found.title, found.composer, found.provenance) == (hymn.title, "Anonymous", None)
    tempos = [(e.tick // TICKS_PER_STEP, e.kind) for e in _tracks(path)[0] if e.kind == "tempo"]
    assert [step for step, _ in tempos] == [0, 28 + 12, 28 + 16, 28 + 22, 28 + 24]


def test_a_fermata_at_the_beginning_does_not_slow_the_count_in(
    hymn: Chorale, tmp_path: Path
) -> None:
    """The count-in has the tempo of the piece."""
    path = tmp_path / "fermata.mid"
    fermatas = np.arange(hymn.steps) < 4
    piece = replace(hymn, fermatas=fermatas)
    practice_midi.write(piece, path, count_in=True, stretch_fermatas=True)

    tempos = [
        (e.tick // TICKS_PER_STEP, int.from_bytes(e.data))
        for e in _tracks(path)[0]
        if e.kind == "tempo"
    ]
    assert [step for step, _ in tempos] == [0, 28, 32]
    assert tempos[0][1] == tempos[2][1] < tempos[1][1]
