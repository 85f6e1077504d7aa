"""Import of one melody, in the range of a voice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from musicrel.chorale import RANGES, REST, Chorale, Key, Voice
from musicrel.corpus import bundled, melodies
from musicrel.errors import DataError
from musicrel.score import files
from musicrel.score.importing import melody_import
from musicrel.score.importing.source import Line, RawNote, Source, from_chorale
from musicrel.score.notes import Note, notes
from tests.helpers.music import random_chorale


def line(*notes_: tuple[float, float, int], name: str = "") -> Line:
    """Build a line from start, stop and pitch, in quarters."""
    exact = [RawNote(float(4 * a), float(4 * b), pitch) for a, b, pitch in notes_]
    return Line(name=name, notes=tuple(exact), end=max(sound.stop for sound in exact))


def scale(*pitches: int, name: str = "") -> Line:
    """Build a line with a quarter for each of ``pitches``."""
    return line(*[(i, i + 1, pitch) for i, pitch in enumerate(pitches)], name=name)


def test_a_melody_in_range_is_unchanged() -> None:
    """Only the given voice has notes, and the report is empty."""
    read = melody_import.import_melody(
        Source(lines=(scale(67, 69, 71),), key=Key("G", "major"), title="Air")
    )

    assert notes(read.chorale, Voice.SOPRANO) == [Note(0, 4, 67), Note(4, 4, 69), Note(8, 4, 71)]
    assert (read.chorale.pitches[:, 1:] == REST).all()
    assert (read.report, read.semitones) == ((), 0)
    assert (read.chorale.key, read.chorale.title) == (Key("G", "major"), "Air")


def test_bundled_melodies_are_unchanged() -> None:
    """Each of them is a single line in range."""
    for name in melodies.names():
        piece = files.read(melodies.path(name))
        assert melody_import.import_melody(from_chorale(piece)).chorale == piece


@pytest.mark.parametrize("voice", Voice)
def test_the_requested_voice_of_a_chorale_is_chosen(voice: Voice) -> None:
    """By its name."""
    piece = bundled.load("test")[0]

    read = melody_import.import_melody(from_chorale(piece), voice)

    assert notes(read.chorale, voice) == notes(piece, voice)
    assert read.report == (f"of its 4 lines with notes '{voice.title}' was taken as the melody",)


@pytest.mark.parametrize(
    ("pitches", "shift"),
    [
        ((60, 81), 0),
        ((59, 71), 1),
        ((70, 83), -2),
        ((48, 60), 12),
        ((36, 48), 24),
        ((43, 59), 17),
        ((84, 96), -24),
        ((90, 108), -27),
        ((50, 80, 79, 82), -1),
        ((55, 57, 59, 62), 12),
    ],
)
def test_a_melody_is_transposed_by_few_semitones_or_by_octaves(
    pitches: tuple[int, ...], shift: int
) -> None:
    """By octaves if most of it is out of range and they suffice."""
    assert melody_import.shift_into_range(pitches, Voice.SOPRANO) == shift


@pytest.mark.parametrize("voice", Voice)
@pytest.mark.parametrize("top", [12, 40, 60, 90, 127])
def test_any_melody_fits_any_voice_and_can_be_restored(voice: Voice, top: int) -> None:
    """A result can be transposed back to the key of the file."""
    source = Source(lines=(scale(top, top - 5, top - 12),), key=Key("G", "major"))

    read = melody_import.import_melody(source, voice)

    low, high = RANGES[voice]
    assert all(low <= note.pitch <= high for note in notes(read.chorale, voice))
    back = read.chorale.transposed(-read.semitones)
    assert [note.pitch for note in notes(back, voice)] == [top, top - 5, top - 12]
    assert back.key is not None
    assert back.key.pitch_class == 7


def test_the_transposition_is_reported() -> None:
    """In octaves or semitones."""
    assert melody_import.import_melody(Source(lines=(scale(48, 60),))).report == (
        "it was transposed up by 1 octave into the range of the soprano",
    )
    assert melody_import.import_melody(Source(lines=(scale(71, 84),))).report == (
        "it was transposed down by 3 semitones into the range of the soprano",
    )


@pytest.mark.parametrize(("lowest", "highest"), [(58, 70), (70, 83), (60, 81)])
def test_a_melody_near_the_range_stays_where_it_was_written(lowest: int, highest: int) -> None:
    """Up to two semitones outside."""
    read = melody_import.import_melody(Source(lines=(scale(lowest, highest),)))
    assert [note.pitch for note in notes(read.chorale, Voice.SOPRANO)] == [lowest, highest]
    assert (read.semitones, read.report) == (0, ())


def test_a_melody_wider_than_the_range_is_folded_and_the_bars_named() -> None:
    """The number of notes transposed by octaves is minimal."""
    read = melody_import.import_melody(Source(lines=(scale(62, 64, 65, 67, 50, 69, 81),)))

    assert [note.pitch for note in notes(read.chorale, Voice.SOPRANO)] == [
        62, 64, 65, 67, 62, 69, 81,
    ]  # fmt: skip
    assert read.report == (
        "notes outside the range of the voice were transposed by octaves in bar 1",
    )


def test_silence_before_the_melody_is_removed_and_the_bar_lines_kept() -> None:
    """A melody that starts on the fourth beat of bar 3 gets a pickup."""
    read = melody_import.import_melody(Source(lines=(line((11, 12, 67), (12, 16, 72)),)))

    assert (read.chorale.pickup, read.chorale.steps) == (4, 20)
    assert notes(read.chorale, Voice.SOPRANO)[0] == Note(0, 4, 67)
    assert read.report == ("2.75 bars of silence before the first note were removed",)


def test_the_top_note_of_chords_is_the_melody_and_the_lowest_for_the_bass() -> None:
    """The report names the bars."""
    chords = line((0, 1, 64), (0, 1, 67), (1, 2, 60), (1, 2, 71))

    for voice, pitches in ((Voice.SOPRANO, [67, 71]), (Voice.BASS, [64, 60])):
        read = melody_import.import_melody(Source(lines=(chords,)), voice)
        assert [note.pitch for note in notes(read.chorale, voice)] == pitches
        assert read.report[0].endswith("were reduced to the outer note in bar 1")


def test_an_accompaniment_below_a_held_note_is_left_out() -> None:
    """Only notes that outlast the held note can belong to the melody."""
    read = melody_import.import_melody(
        Source(lines=(line((0, 4, 72), (1, 2, 60), (2, 3, 64), (4, 5, 71)),))
    )

    assert notes(read.chorale, Voice.SOPRANO) == [Note(0, 16, 72), Note(16, 4, 71)]


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        (("Piano", "Melody", "Strings"), 1),
        (("Piano", "Bass", "Soprano"), 2),
        (("", "", ""), 0),
    ],
)
def test_the_melody_is_found_by_name_or_by_pitch(names: tuple[str, ...], chosen: int) -> None:
    """The report names the chosen line."""
    lines = tuple(replace(scale(76 - i, name=name), staff=i) for i, name in enumerate(names))

    read = melody_import.import_melody(Source(lines=lines))

    assert read.chorale.pitches[0, 0] == 76 - chosen
    called = f"'{names[chosen]}'" if names[chosen] else "the one on track 1"
    assert read.report == (f"of its 3 lines with notes {called} was taken as the melody",)


def test_the_upper_staff_of_a_piano_is_the_melody() -> None:
    """All its lines, unless one has most of the notes."""
    upper = [scale(72, 74), line((2, 3, 76), (3, 4, 77))]
    lower = replace(scale(48, 50, 52, 53), staff=1)

    split = melody_import.import_melody(Source(lines=(*upper, lower)))
    led = melody_import.import_melody(Source(lines=(scale(72, 74, 76, 77), scale(64), lower)))

    for read in (split, led):
        assert [n.pitch for n in notes(read.chorale, Voice.SOPRANO)] == [72, 74, 76, 77]


def test_a_piece_beyond_the_length_limit_is_cut() -> None:
    """To complete bars within the limit."""
    long = line(*[(i, i + 1, 60 + i % 12) for i in range(4800)])

    read = melody_import.import_melody(Source(lines=(long,)))

    assert read.chorale.steps == 16_384
    assert read.report == (
        "it is 19,200 sixteenths long, too long for a piece: the first 16,384 were kept",
    )


def test_an_empty_melody_is_refused() -> None:
    """Also with notes of zero length only, or beyond the length limit."""
    with pytest.raises(DataError, match="it has no notes: expected a melody"):
        melody_import.import_melody(Source(lines=()))
    with pytest.raises(DataError, match="no notes within the longest piece"):
        melody_import.import_melody(Source(lines=(line((1, 1, 60)),)))
    with pytest.raises(DataError, match="no notes within the longest piece"):
        melody_import.import_melody(Source(lines=(line((9000, 9001, 60)),)))


@pytest.mark.parametrize("seed", range(20))
def test_any_chorale_round_trips_through_a_source(seed: int) -> None:
    """Four voices of random notes."""
    from musicrel.score.importing import satb_import

    piece: Chorale = random_chorale(seed, 40)

    assert satb_import.import_satb(from_chorale(piece)).chorale == piece
