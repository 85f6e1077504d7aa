"""Voices told apart by height and motion."""

from __future__ import annotations

from musicrel.chorale import Voice
from musicrel.corpus import bundled
from musicrel.score.importing.import_report import Report
from musicrel.score.importing.source import Source
from musicrel.score.importing.voice_separation import Placed, separated
from musicrel.score.notes import Note, notes


def test_bachs_voices_are_found_again() -> None:
    """Of all notes of the test chorales, pooled, at least 98 % find their voice."""
    right = total = 0
    for piece in bundled.load("test"):
        pool = [Placed(note, 0) for voice in Voice for note in notes(piece, voice)]

        found = separated(pool, Report(Source(lines=())))

        for voice in Voice:
            right += len(set(notes(piece, voice)) & set(found[voice]))
            total += len(notes(piece, voice))
    assert right / total > 0.98


def test_nothing_is_lost_where_four_notes_sound() -> None:
    """Every note is some voice's."""
    piece = bundled.load("test")[1]
    pool = [Placed(note, 0) for voice in Voice for note in notes(piece, voice)]

    found = separated(pool, Report(Source(lines=())))

    assert sorted(note for voice in found for note in voice) == sorted(p.note for p in pool)


def test_of_more_than_four_notes_doubled_and_inner_ones_go_first() -> None:
    """Outer voices stay; the bar is named."""
    chord = [Placed(Note(0, 4, pitch), 0) for pitch in (48, 52, 55, 60, 64, 67)]
    report = Report(Source(lines=()))

    found = separated(chord, report)

    assert [voice[0].pitch for voice in found] == [67, 64, 52, 48]
    assert report.sentences() == (
        "more than four notes sound together, inner ones were left out in bar 1",
    )


def test_a_doubled_pitch_is_sung_once_where_there_is_no_room() -> None:
    """As from a piano that plays along with the choir."""
    chord = [Placed(Note(0, 4, pitch), 0) for pitch in (48, 55, 64, 72) * 2]
    report = Report(Source(lines=()))

    found = separated(chord, report)

    assert [[note.pitch for note in voice] for voice in found] == [[72], [64], [55], [48]]
    assert report.sentences() == ()


def test_a_voice_that_rests_comes_back_where_it_was() -> None:
    """Not in the place of its neighbour."""
    pool = [Placed(Note(0, 4, pitch), 0) for pitch in (72, 64, 55, 48)]
    pool += [Placed(Note(4, 4, pitch), 0) for pitch in (74, 56)]

    found = separated(pool, Report(Source(lines=())))

    assert [[note.pitch for note in voice] for voice in found] == [[72, 74], [64], [55, 56], [48]]


def test_the_staff_decides_where_height_does_not() -> None:
    """A first note between alto and tenor belongs to the hand that plays it."""
    for side, voice in ((-1, Voice.ALTO), (1, Voice.TENOR)):
        found = separated([Placed(Note(0, 4, 62), side)], Report(Source(lines=())))
        assert [bool(sung) for sung in found].index(True) == voice
