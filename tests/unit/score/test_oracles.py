"""MIDI files checked with other libraries: pretty_midi and music21."""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import mido
import numpy as np
import pytest
import verovio
from music21 import converter, expressions, note, pitch, stream

from musicrel.analysis.corpus import bundled
from musicrel.chorale import STEPS_PER_QUARTER, Chorale, Key, Meter, Voice, spans
from musicrel.score import files
from musicrel.score.midi import midi_writer
from musicrel.score.musicxml import musicxml_writer
from musicrel.score.notation.spelling import SpelledPitch, spell_melody
from musicrel.score.notes import Note, notes
from training import music21_reader

pytestmark = [
    # pretty_midi reads its version through pkg_resources, which setuptools deprecates
    pytest.mark.filterwarnings("ignore:pkg_resources is deprecated"),
    pytest.mark.filterwarnings("ignore:Deprecated call to `pkg_resources"),
    # pretty_midi warns of key signatures outside the tempo track, where MuseScore needs them
    pytest.mark.filterwarnings("ignore:Tempo, Key or Time signature change events found"),
]


@pytest.fixture
def path(hymn: Chorale, tmp_path: Path) -> Path:
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


def test_pretty_midi_finds_tempo_key_meter_and_bar_lines(hymn: Chorale, path: Path) -> None:
    file = _pretty_midi(path)
    quarter = 60 / hymn.tempo

    assert np.allclose(file.get_tempo_changes()[1], [72.5], atol=1e-4)
    assert [sign.key_number for sign in file.key_signature_changes] == [10]
    signs = [(sign.numerator, sign.denominator) for sign in file.time_signature_changes]
    assert signs == [(1, 4), (4, 4)]
    assert np.allclose(file.get_downbeats(), [0, quarter, 5 * quarter], atol=1e-4)


def test_pretty_midi_finds_stretched_fermatas(hymn: Chorale, tmp_path: Path) -> None:
    plain, stretched = tmp_path / "plain.mid", tmp_path / "stretched.mid"
    midi_writer.write(hymn, plain)
    midi_writer.write(hymn, stretched, stretch_fermatas=True)

    added = 6 / 4 * 60 / hymn.tempo * (midi_writer.FERMATA_STRETCH - 1)
    difference = _pretty_midi(stretched).get_end_time() - _pretty_midi(plain).get_end_time()
    assert difference == pytest.approx(added, abs=1e-3)


def test_music21_finds_the_four_voices_and_their_notes(hymn: Chorale, path: Path) -> None:
    score = _music21(path)
    assert [part.partName for part in score.parts] == [voice.title for voice in Voice]
    for voice, part in zip(Voice, score.parts, strict=True):
        found = [
            (n.offset * 4, n.quarterLength * 4, n.pitch.midi)
            for n in part.stripTies().flatten().notes
        ]
        assert found == [(n.start, n.length, n.pitch) for n in notes(hymn, voice)]


def test_music21_finds_tempo_key_meter_and_the_pickup_bar(path: Path) -> None:
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
    piece = Chorale.of([[72, 65, 55, 48]] * 48, meter=Meter.parse(meter), key=Key.parse(key))
    path = tmp_path / "piece.mid"
    midi_writer.write(piece, path)

    flat = _music21(path).parts[0].flatten()

    assert [sign.ratioString for sign in flat.getElementsByClass("TimeSignature")] == [meter]
    assert {sign.sharps for sign in flat.getElementsByClass("KeySignature")} == {sharps}


def test_a_file_rewritten_by_pretty_midi_is_read(hymn: Chorale, path: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.mid"
    _pretty_midi(path).write(str(again))

    piece = files.read(again)

    assert np.array_equal(piece.pitches, hymn.pitches)
    assert np.array_equal(piece.onsets, hymn.onsets)
    assert (piece.meter, piece.pickup, piece.key) == (hymn.meter, hymn.pickup, hymn.key)
    assert piece.tempo == pytest.approx(hymn.tempo, abs=1e-3)


SVG = "{http://www.w3.org/2000/svg}"


def corpus() -> list[Chorale]:
    return list(itertools.chain.from_iterable(bundled.load_all().values()))


def some() -> list[Chorale]:
    kinds = {
        (str(piece.meter), piece.pickup > 0, piece.key and piece.key.mode): piece
        for piece in reversed(corpus())
    }
    return list(kinds.values())


def read(chorale: Chorale, layout: musicxml_writer.Layout) -> Any:
    return converter.parseData(musicxml_writer.to_xml(chorale, layout), format="musicxml")


def check_grid(piece: Chorale) -> None:
    score = read(piece, "parts")

    reading = music21_reader.from_score(score)

    again = reading.chorale
    assert np.array_equal(again.pitches, piece.pitches)
    assert np.array_equal(again.onsets, piece.onsets)
    assert np.array_equal(again.fermatas, piece.fermatas)
    assert (again.meter, again.pickup) == (piece.meter, piece.pickup)
    assert (reading.off_grid, reading.bar_lines_off, reading.silent_bars_cut) == (0, 0, 0)
    signature = score.parts[0].recurse().getElementsByClass("Key").first()
    assert piece.key is not None
    assert (signature.sharps, signature.mode) == (piece.key.fifths, piece.key.mode)
    marks = list(score.recurse().getElementsByClass("MetronomeMark"))
    assert [mark.getQuarterBPM() for mark in marks] == [piece.tempo]
    assert score.metadata.title == piece.title


def heads(part: Any, voice: int) -> list[Any]:
    """List the notes of the ``voice``-th voice of a part, from 0, with tied ones separate."""
    found = []
    for measure in part.getElementsByClass(stream.Measure):
        line = list(measure.voices)[voice] if measure.voices else measure
        found += [(measure.offset + note.offset, note) for note in line.notes]
    return [(float(at) * STEPS_PER_QUARTER, note) for at, note in found]


def as_music21_names(pitch: SpelledPitch) -> str:
    return pitch.step + "-#"[pitch.alter > 0] * abs(pitch.alter) + str(pitch.octave)


def check_voice(part: Any, index: int, piece: Chorale, voice: Voice) -> None:
    merged: list[Note] = []
    names: list[str] = []
    marked: list[tuple[float, float]] = []
    for start, head in heads(part, index):
        length = round(float(head.quarterLength) * STEPS_PER_QUARTER)
        if head.tie and head.tie.type in ("stop", "continue"):
            last = merged.pop()
            assert (last.stop, last.pitch) == (start, head.pitch.midi)
            merged.append(Note(last.start, last.length + length, last.pitch))
        else:
            merged.append(Note(round(start), length, head.pitch.midi))
            names.append(head.pitch.nameWithOctave)
        if any(isinstance(mark, expressions.Fermata) for mark in head.expressions):
            marked.append((start, start + length))
    spelled = spell_melody([head.pitch for head in merged], piece.key)
    assert merged == notes(piece, voice)
    assert names == [as_music21_names(one) for one in spelled]
    held = [(a, b) for a, b in spans(piece.fermatas) if (piece.pitches[a:b, voice] >= 0).any()]
    assert len(marked) == len(held)
    for (start, stop), (begin, end) in zip(marked, held, strict=True):
        assert start < end
        assert stop > begin


def check_staves(piece: Chorale) -> None:
    for part, pair in zip(
        read(piece, "staves").parts,
        ((Voice.SOPRANO, Voice.ALTO), (Voice.TENOR, Voice.BASS)),
        strict=True,
    ):
        for index, voice in enumerate(pair):
            check_voice(part, index, piece, voice)


@pytest.mark.parametrize("piece", some(), ids=lambda piece: piece.title.split()[1])
def test_music21_reads_what_was_written(piece: Chorale) -> None:
    check_grid(piece)
    check_staves(piece)


def test_music21_reads_the_whole_corpus_as_it_was_written() -> None:
    for piece in corpus():
        check_grid(piece)
        check_staves(piece)


@pytest.mark.parametrize("layout", ["parts", "staves"])
def test_verovio_draws_every_head_accidental_and_beam(layout: musicxml_writer.Layout) -> None:
    piece = next(piece for piece in some() if piece.key and piece.key.mode == "minor")
    text = musicxml_writer.to_xml(piece, layout)
    written = ET.fromstring(text)  # noqa: S314 (it is our own)
    toolkit = verovio.toolkit()
    toolkit.setOptions({"adjustPageHeight": True, "pageHeight": 20_000})

    assert toolkit.loadData(text)
    drawn = ET.fromstring(toolkit.renderToSVG(1))  # noqa: S314 (it is Verovio's)

    def count(kind: str) -> int:
        groups = [group for group in drawn.iter(f"{SVG}g") if group.get("class") == kind]
        return sum(len(group) > 0 for group in groups)

    assert toolkit.getPageCount() == 1
    assert count("note") == len(written.findall(".//note/pitch"))
    assert count("accid") == len(written.findall(".//accidental"))
    assert count("fermata") == len(written.findall(".//fermata"))
    assert count("beam") == len(
        [b for b in written.iter("beam") if b.text == "begin" and b.get("number") == "1"]
    )


@pytest.mark.parametrize("index", [0, 7, 19])
@pytest.mark.parametrize("suffix", ["musicxml", "mxl"])
def test_a_chorale_rewritten_by_music21_is_read(index: int, suffix: str, tmp_path: Path) -> None:
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
    piece = bundled.load("test")[3]
    _played(piece, tmp_path / "piano.mid", hands=2)

    read = files.import_melody(tmp_path / "piano.mid")

    soprano = read.chorale.pitches[:, Voice.SOPRANO]
    steps = min(len(soprano), piece.steps)
    assert (soprano[:steps] == piece.pitches[:steps, Voice.SOPRANO]).mean() > 0.95
