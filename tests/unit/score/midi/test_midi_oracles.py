"""MIDI files checked with other libraries: pretty_midi and music21."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from musicrel.chorale import Chorale, Key, Meter, Voice
from musicrel.score import files
from musicrel.score.midi import midi_writer
from musicrel.score.notes import notes

pytestmark = [
    # pretty_midi reads its version through pkg_resources, which setuptools deprecates
    pytest.mark.filterwarnings("ignore:pkg_resources is deprecated"),
    pytest.mark.filterwarnings("ignore:Deprecated call to `pkg_resources"),
    # pretty_midi warns of key signatures outside the tempo track, where MuseScore needs them
    pytest.mark.filterwarnings("ignore:Tempo, Key or Time signature change events found"),
]


@pytest.fixture
def path(hymn: Chorale, tmp_path: Path) -> Path:
    """Write the hymn to a file."""
    target = tmp_path / "hymn.mid"
    midi_writer.write(hymn, target)
    return target


def _music21(path: Path) -> Any:
    """Parse the bytes with music21, whose converter would cache a copy in a shared folder."""
    from music21.midi import MidiFile
    from music21.midi.translate import midiFileToStream

    file = MidiFile()
    file.readstr(path.read_bytes())
    return midiFileToStream(file)


def _pretty_midi(path: Path) -> Any:
    from pretty_midi import PrettyMIDI

    return PrettyMIDI(str(path))


def test_pretty_midi_finds_the_four_voices_and_their_notes(hymn: Chorale, path: Path) -> None:
    """Names, program, and pitch and time of each note, repeats included."""
    file = _pretty_midi(path)
    quarter = 60 / hymn.tempo

    assert [(line.name, line.program) for line in file.instruments] == [
        (voice.title, 52) for voice in Voice
    ]
    for voice, line in zip(Voice, file.instruments, strict=True):
        expected = [(n.start, n.stop, n.pitch) for n in notes(hymn, voice)]
        found = [(n.start / quarter * 4, n.end / quarter * 4, n.pitch) for n in line.notes]
        assert found == [pytest.approx(note, abs=1e-4) for note in expected]


def test_pretty_midi_finds_tempo_key_meter_and_bar_lines(hymn: Chorale, path: Path) -> None:
    """The first bar is the pickup."""
    file = _pretty_midi(path)
    quarter = 60 / hymn.tempo

    assert np.allclose(file.get_tempo_changes()[1], [72.5], atol=1e-4)
    assert [sign.key_number for sign in file.key_signature_changes] == [10]
    signs = [(sign.numerator, sign.denominator) for sign in file.time_signature_changes]
    assert signs == [(1, 4), (4, 4)]
    assert np.allclose(file.get_downbeats(), [0, quarter, 5 * quarter], atol=1e-4)


def test_pretty_midi_finds_stretched_fermatas(hymn: Chorale, tmp_path: Path) -> None:
    """Six of 24 steps are under a fermata."""
    plain, stretched = tmp_path / "plain.mid", tmp_path / "stretched.mid"
    midi_writer.write(hymn, plain)
    midi_writer.write(hymn, stretched, stretch_fermatas=True)

    added = 6 / 4 * 60 / hymn.tempo * (midi_writer.FERMATA_STRETCH - 1)
    difference = _pretty_midi(stretched).get_end_time() - _pretty_midi(plain).get_end_time()
    assert difference == pytest.approx(added, abs=1e-3)


def test_music21_finds_the_four_voices_and_their_notes(hymn: Chorale, path: Path) -> None:
    """Names, and pitch, offset and length of each note, with ties at bar lines."""
    score = _music21(path)

    assert [part.partName for part in score.parts] == [voice.title for voice in Voice]
    for voice, part in zip(Voice, score.parts, strict=True):
        found = [
            (n.offset * 4, n.quarterLength * 4, n.pitch.midi)
            for n in part.stripTies().flatten().notes
        ]
        assert found == [(n.start, n.length, n.pitch) for n in notes(hymn, voice)]


def test_music21_finds_tempo_key_meter_and_the_pickup_bar(path: Path) -> None:
    """The first bar is a quarter long, the others are complete."""
    part = _music21(path).parts[-1]
    flat = part.flatten()

    assert [mark.number for mark in flat.getElementsByClass("MetronomeMark")] == [72.5]
    assert {key.sharps for key in flat.getElementsByClass("KeySignature")} == {-2}
    signs = [sign.ratioString for sign in flat.getElementsByClass("TimeSignature")]
    assert signs == ["1/4", "4/4"]
    assert [bar.offset for bar in part.getElementsByClass("Measure")] == [0, 1, 5]


@pytest.mark.parametrize(
    ("meter", "key", "sharps"),
    [
        ("3/4", "F# minor", 3),
        ("6/8", "Cb major", -7),
        ("3/2", "A# minor", 7),
        ("4/4", "G# major", -4),
    ],
)
def test_music21_agrees_on_other_meters_and_keys(
    tmp_path: Path, meter: str, key: str, sharps: int
) -> None:
    """G# major has eight sharps, more than MIDI supports: it is written as A flat major."""
    piece = Chorale.of([[72, 65, 55, 48]] * 48, meter=Meter.parse(meter), key=Key.parse(key))
    path = tmp_path / "piece.mid"
    midi_writer.write(piece, path)

    flat = _music21(path).parts[0].flatten()

    assert [sign.ratioString for sign in flat.getElementsByClass("TimeSignature")] == [meter]
    assert {sign.sharps for sign in flat.getElementsByClass("KeySignature")} == {sharps}


def test_a_file_rewritten_by_pretty_midi_is_read(hymn: Chorale, path: Path, tmp_path: Path) -> None:
    """Notes, tempo and signatures are preserved."""
    again = tmp_path / "again.mid"
    _pretty_midi(path).write(str(again))

    piece = files.read(again)

    assert np.array_equal(piece.pitches, hymn.pitches)
    assert np.array_equal(piece.onsets, hymn.onsets)
    assert (piece.meter, piece.pickup, piece.key) == (hymn.meter, hymn.pickup, hymn.key)
    assert piece.tempo == pytest.approx(hymn.tempo, abs=1e-3)
