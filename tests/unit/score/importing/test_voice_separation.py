"""Voices assigned by pitch and motion."""

from __future__ import annotations

from musicrel.chorale import Voice
from musicrel.corpus import bundled
from musicrel.score.importing.import_report import Report
from musicrel.score.importing.source import Source
from musicrel.score.importing.voice_separation import Placed, separate_voices
from musicrel.score.notes import Note, notes


def test_bachs_voices_are_recovered() -> None:
    """At least 98 % of the pooled notes of the test chorales get their voice."""
    right = total = 0
    for piece in bundled.load("test"):
        pool = [Placed(note, 0) for voice in Voice for note in notes(piece, voice)]

        found = separate_voices(pool, Report(Source(lines=())))

        for voice in Voice:
            right += len(set(notes(piece, voice)) & set(found[voice]))
            total += len(notes(piece, voice))
    assert right / total > 0.98


def test_four_simultaneous_notes_are_all_kept() -> None:
    """Every note is assigned to a voice."""
    piece = bundled.load("test")[1]
    pool = [Placed(note, 0) for voice in Voice for note in notes(piece, voice)]

    found = separate_voices(pool, Report(Source(lines=())))

    assert sorted(note for voice in found for note in voice) == sorted(p.note for p in pool)


def test_doubled_and_inner_notes_of_large_chords_are_left_out() -> None:
    """The outer notes are kept; the report names the bar."""
    chord = [Placed(Note(0, 4, pitch), 0) for pitch in (48, 52, 55, 60, 64, 67)]
    report = Report(Source(lines=()))

    found = separate_voices(chord, report)

    assert [voice[0].pitch for voice in found] == [67, 64, 52, 48]
    assert report.sentences() == (
        "more than four notes sound together, inner notes were left out in bar 1",
    )


def test_doubled_pitches_are_merged_in_large_chords() -> None:
    """A piano that doubles the choir adds no notes."""
    chord = [Placed(Note(0, 4, pitch), 0) for pitch in (48, 55, 64, 72) * 2]
    report = Report(Source(lines=()))

    found = separate_voices(chord, report)

    assert [[note.pitch for note in voice] for voice in found] == [[72], [64], [55], [48]]
    assert report.sentences() == ()


def test_a_voice_continues_near_its_last_pitch_after_a_rest() -> None:
    """It does not take the place of its neighbour."""
    pool = [Placed(Note(0, 4, pitch), 0) for pitch in (72, 64, 55, 48)]
    pool += [Placed(Note(4, 4, pitch), 0) for pitch in (74, 56)]

    found = separate_voices(pool, Report(Source(lines=())))

    assert [[note.pitch for note in voice] for voice in found] == [[72, 74], [64], [55, 56], [48]]


def test_the_staff_decides_between_equally_close_voices() -> None:
    """A first note between alto and tenor belongs to the voice of its staff."""
    for side, voice in ((-1, Voice.ALTO), (1, Voice.TENOR)):
        found = separate_voices([Placed(Note(0, 4, 62), side)], Report(Source(lines=())))
        assert [bool(voice_notes) for voice_notes in found].index(True) == voice
