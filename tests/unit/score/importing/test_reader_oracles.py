"""Files of other programs: MusicXML by music21, piano MIDI by mido."""

from __future__ import annotations

from pathlib import Path

import mido
import numpy as np
import pytest
from music21 import converter, note, pitch, stream

from musicrel.chorale import Chorale, Key, Meter, Voice
from musicrel.corpus import bundled
from musicrel.score import files
from musicrel.score.musicxml import musicxml_writer
from musicrel.score.notes import notes


@pytest.mark.parametrize("index", [0, 7, 19])
@pytest.mark.parametrize("suffix", ["musicxml", "mxl"])
def test_a_chorale_rewritten_by_music21_is_read(index: int, suffix: str, tmp_path: Path) -> None:
    """Notes, fermatas, meter, pickup and key are preserved."""
    piece = bundled.load("test")[index]
    path = tmp_path / f"again.{suffix}"
    score = converter.parseData(musicxml_writer.to_xml(piece), format="musicxml")
    score.write("mxl" if suffix == "mxl" else "musicxml", path)

    read = files.import_satb(path)

    again = read.chorale
    assert np.array_equal(again.pitches, piece.pitches)
    assert np.array_equal(again.onsets, piece.onsets)
    assert np.array_equal(again.fermatas, piece.fermatas)
    assert (again.meter, again.pickup, again.key) == (piece.meter, piece.pickup, piece.key)
    assert (again.title, again.tempo, read.report) == (piece.title, piece.tempo, ())


def test_a_melody_written_by_music21_is_read(tmp_path: Path) -> None:
    """With triplets, an octave too low."""
    part = stream.Part()
    for name, quarters in (("G3", 1), ("A3", 1 / 3), ("B3", 1 / 3), ("C4", 1 / 3), ("D4", 2)):
        part.append(note.Note(pitch.Pitch(name), quarterLength=quarters))
    stream.Score([part]).write("musicxml", tmp_path / "tune.musicxml")

    read = files.import_melody(tmp_path / "tune.musicxml")

    assert [n.pitch for n in notes(read.chorale, Voice.SOPRANO)] == [67, 69, 71, 72, 74]
    assert read.semitones == 12
    assert len(read.report) == 2


def _played(piece: Chorale, path: Path, *, hands: int) -> None:
    """Write ``piece`` as a pianist plays it: unisons once, slightly late, slightly legato."""
    file = mido.MidiFile(ticks_per_beat=480)
    for hand in range(hands):
        keys = {
            (n.start, n.pitch): n
            for voice in Voice
            if hands == 1 or voice // 2 == hand
            for n in notes(piece, voice)
        }
        events: list[tuple[int, str, int]] = []
        for index, n in enumerate(keys.values()):
            late = 7 * index % 23
            events += [
                (120 * n.start + late, "note_on", n.pitch),
                (120 * n.stop + late - 5, "note_off", n.pitch),
            ]
        track = mido.MidiTrack()
        now = 0
        for tick, kind, key in sorted(events, key=lambda event: event[:2]):
            track.append(mido.Message(kind, note=key, velocity=64, time=tick - now))
            now = tick
        file.tracks.append(track)
    file.save(path)


@pytest.mark.parametrize("hands", [1, 2])
def test_piano_music_is_separated_into_four_voices(hands: int, tmp_path: Path) -> None:
    """Over 90 % of the cells are correct; a unison is one key and leaves a rest."""
    piece = bundled.load("test")[3]
    _played(piece, tmp_path / "piano.mid", hands=hands)

    read = files.import_satb(tmp_path / "piano.mid")

    steps = min(read.chorale.steps, piece.steps)
    assert (read.chorale.pitches[:steps] == piece.pitches[:steps]).mean() > 0.9
    assert any("assigned by pitch and motion" in sentence for sentence in read.report)


def test_the_top_line_of_piano_music_is_the_melody(tmp_path: Path) -> None:
    """The highest notes of the right hand."""
    piece = bundled.load("test")[3]
    _played(piece, tmp_path / "piano.mid", hands=2)

    read = files.import_melody(tmp_path / "piano.mid")

    soprano = read.chorale.pitches[:, Voice.SOPRANO]
    steps = min(len(soprano), piece.steps)
    assert (soprano[:steps] == piece.pitches[:steps, Voice.SOPRANO]).mean() > 0.95


def test_a_sequencer_melody_in_three_four_is_read(tmp_path: Path) -> None:
    """One track with meter, tempo and notes, and one change of meter."""
    track = mido.MidiTrack()
    track.append(mido.MetaMessage("time_signature", numerator=3, denominator=4))
    track.append(mido.MetaMessage("set_tempo", tempo=mido.bpm2tempo(90)))
    track.append(mido.MetaMessage("key_signature", key="F"))
    for key in (65, 67, 69, 70, 72, 69):
        track.append(mido.Message("note_on", note=key, velocity=64))
        track.append(mido.Message("note_off", note=key, time=480))
    track.append(mido.MetaMessage("time_signature", numerator=2, denominator=4))
    track.append(mido.Message("note_on", note=65, velocity=64))
    track.append(mido.Message("note_off", note=65, time=960))
    file = mido.MidiFile(type=0, ticks_per_beat=480)
    file.tracks.append(track)
    file.save(tmp_path / "tune.mid")

    read = files.import_melody(tmp_path / "tune.mid")

    assert (read.chorale.meter, read.chorale.key) == (Meter(3, 4), Key("F", "major"))
    assert read.chorale.tempo == pytest.approx(90, abs=0.01)
    assert [n.pitch for n in notes(read.chorale, Voice.SOPRANO)] == [65, 67, 69, 70, 72, 69, 65]
    assert read.report == ("meter changes (2/4 from bar 3) were dropped: 3/4 throughout",)
