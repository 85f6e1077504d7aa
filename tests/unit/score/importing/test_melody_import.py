"""One tune out of any file, in reach of the voice that is to sing it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from musicrel.chorale import RANGES, REST, Chorale, Key, Voice
from musicrel.corpus import bundled, melodies
from musicrel.errors import DataError
from musicrel.score.importing import melody_import
from musicrel.score.importing.source import Line, Sound, Source, of_chorale
from musicrel.score.notes import Note, notes
from tests.helpers.music import random_chorale


def line(*sounds: tuple[float, float, int], name: str = "") -> Line:
    """A line of start, stop and pitch, in quarters."""
    exact = [Sound(float(4 * a), float(4 * b), pitch) for a, b, pitch in sounds]
    return Line(name=name, sounds=tuple(exact), end=max(sound.stop for sound in exact))


def scale(*pitches: int, name: str = "") -> Line:
    """A quarter for each of ``pitches``."""
    return line(*[(i, i + 1, pitch) for i, pitch in enumerate(pitches)], name=name)


def test_a_tune_in_range_is_taken_as_it_is() -> None:
    """Only the voice sings, and nothing is said."""
    read = melody_import.reading(
        Source(lines=(scale(67, 69, 71),), key=Key("G", "major"), title="Air")
    )

    assert notes(read.chorale, Voice.SOPRANO) == [Note(0, 4, 67), Note(4, 4, 69), Note(8, 4, 71)]
    assert (read.chorale.pitches[:, 1:] == REST).all()
    assert (read.report, read.semitones) == ((), 0)
    assert (read.chorale.key, read.chorale.title) == (Key("G", "major"), "Air")


def test_a_bundled_tune_comes_back_unchanged() -> None:
    """Every one of them is one."""
    for name in melodies.names():
        piece = melodies.load(name)
        assert melody_import.reading(of_chorale(piece)).chorale == piece


@pytest.mark.parametrize("voice", Voice)
def test_of_a_chorale_the_voice_that_is_asked_for_is_taken(voice: Voice) -> None:
    """By its name."""
    piece = bundled.load("test")[0]

    read = melody_import.reading(of_chorale(piece), voice)

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
def test_a_tune_moves_by_few_semitones_or_by_octaves(pitches: tuple[int, ...], shift: int) -> None:
    """Octaves where it stands in a wrong one and they fit."""
    assert melody_import.fitting_shift(pitches, Voice.SOPRANO) == shift


@pytest.mark.parametrize("voice", Voice)
@pytest.mark.parametrize("top", [12, 40, 60, 90, 127])
def test_any_tune_comes_into_the_range_of_any_voice_and_back(voice: Voice, top: int) -> None:
    """What is made from it can be moved back to where it stood."""
    source = Source(lines=(scale(top, top - 5, top - 12),), key=Key("G", "major"))

    read = melody_import.reading(source, voice)

    low, high = RANGES[voice]
    assert all(low <= note.pitch <= high for note in notes(read.chorale, voice))
    back = read.moved_back(read.chorale)
    assert [note.pitch for note in notes(back, voice)] == [top, top - 5, top - 12]
    assert back.key is not None
    assert back.key.pitch_class == 7


def test_moving_is_said() -> None:
    """In octaves or semitones."""
    assert melody_import.reading(Source(lines=(scale(48, 60),))).report == (
        "it was moved up by 1 octave into the range of the soprano",
    )
    assert melody_import.reading(Source(lines=(scale(70, 83),))).report == (
        "it was moved down by 2 semitones into the range of the soprano",
    )


def test_a_tune_wider_than_the_voice_is_folded_and_its_bars_are_named() -> None:
    """Few notes pay, by octaves."""
    read = melody_import.reading(Source(lines=(scale(62, 64, 65, 67, 50, 69, 81),)))

    assert [note.pitch for note in notes(read.chorale, Voice.SOPRANO)] == [
        62, 64, 65, 67, 62, 69, 81,
    ]  # fmt: skip
    assert read.report == (
        "notes too high or too low for the voice were moved by octaves in bar 1",
    )


def test_silence_before_the_tune_is_cut_off_and_its_bar_line_kept() -> None:
    """A tune from a sequencer that begins on the fourth beat of bar 3."""
    read = melody_import.reading(Source(lines=(line((11, 12, 67), (12, 16, 72)),)))

    assert (read.chorale.pickup, read.chorale.steps) == (4, 20)
    assert notes(read.chorale, Voice.SOPRANO)[0] == Note(0, 4, 67)
    assert read.report == ("2.75 bars of silence before its first note were cut off",)


def test_of_chords_the_top_note_is_the_tune_and_for_the_bass_the_lowest() -> None:
    """A right hand that plays thirds; bars are named."""
    chords = line((0, 1, 64), (0, 1, 67), (1, 2, 60), (1, 2, 71))

    for voice, pitches in ((Voice.SOPRANO, [67, 71]), (Voice.BASS, [64, 60])):
        read = melody_import.reading(Source(lines=(chords,)), voice)
        assert [note.pitch for note in notes(read.chorale, voice)] == pitches
        assert read.report[0].endswith("only the outer one was kept in bar 1")


def test_an_accompaniment_below_a_held_note_is_left_out() -> None:
    """Only what reaches beyond the held note could be the tune."""
    read = melody_import.reading(
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
def test_the_tune_is_found_by_name_or_by_height(names: tuple[str, ...], chosen: int) -> None:
    """And it is said which one was taken."""
    lines = tuple(replace(scale(76 - i, name=name), staff=i) for i, name in enumerate(names))

    read = melody_import.reading(Source(lines=lines))

    assert read.chorale.pitches[0, 0] == 76 - chosen
    called = f"'{names[chosen]}'" if names[chosen] else "that on staff or track 1"
    assert read.report == (f"of its 3 lines with notes {called} was taken as the melody",)


def test_of_a_piano_the_upper_staff_is_the_tune() -> None:
    """All its lines where none has most notes, else the one that has."""
    upper = [scale(72, 74), line((2, 3, 76), (3, 4, 77))]
    lower = replace(scale(48, 50, 52, 53), staff=1)

    split = melody_import.reading(Source(lines=(*upper, lower)))
    led = melody_import.reading(Source(lines=(scale(72, 74, 76, 77), scale(64), lower)))

    for read in (split, led):
        assert [n.pitch for n in notes(read.chorale, Voice.SOPRANO)] == [72, 74, 76, 77]


def test_forty_minutes_of_music_are_cut() -> None:
    """To whole bars of the longest piece."""
    long = line(*[(i, i + 1, 60 + i % 12) for i in range(4800)])

    read = melody_import.reading(Source(lines=(long,)))

    assert read.chorale.steps == 16_384
    assert read.report == (
        "it is 19,200 sixteenths long, too long for a piece: the first 16,384 were kept",
    )


def test_an_empty_melody_is_one_sentence() -> None:
    """Also one whose notes have no length, or begin after the longest piece."""
    with pytest.raises(DataError, match="it has no notes: expected a melody"):
        melody_import.reading(Source(lines=()))
    with pytest.raises(DataError, match="no notes within the longest piece"):
        melody_import.reading(Source(lines=(line((1, 1, 60)),)))
    with pytest.raises(DataError, match="no notes within the longest piece"):
        melody_import.reading(Source(lines=(line((9000, 9001, 60)),)))


@pytest.mark.parametrize("seed", range(20))
def test_any_piece_of_ours_is_its_own_source(seed: int) -> None:
    """Four voices and back, whatever they sing."""
    from musicrel.score.importing import satb_import

    piece: Chorale = random_chorale(seed, 40)

    assert satb_import.reading(of_chorale(piece)).chorale == piece
