"""Performance timing: steps to seconds and back, and the articulation of notes."""

from __future__ import annotations

import io
from dataclasses import replace

import mido
import numpy as np
import pytest

from musicrel.chorale import MAX_STEPS, Chorale, Voice
from musicrel.errors import UsageError
from musicrel.score.midi import midi_writer
from musicrel.score.performance import FERMATA_STRETCH, Style, TempoMap, perform
from tests.helpers.music import minuet, random_chorale

AS_WRITTEN = Style(fermata_stretch=1.0)


def test_whole_steps_round_trip_exactly_and_fractions_nearly() -> None:
    """Steps to seconds and back, across fermatas."""
    times = TempoMap.of(random_chorale(1, steps=300), Style(tempo_factor=1.3))

    assert all(times.step_at(times.seconds_at(step)) == step for step in range(301))
    fractions = np.linspace(0, 300, 4001)
    back = [times.step_at(times.seconds_at(step)) for step in fractions]
    assert np.allclose(back, fractions, rtol=0, atol=1e-10)


def test_seconds_round_trip() -> None:
    """Seconds to steps and back."""
    times = TempoMap.of(random_chorale(2, steps=50), Style())

    seconds = np.linspace(0, times.seconds, 777)

    assert np.allclose([times.seconds_at(times.step_at(second)) for second in seconds], seconds)


def test_times_are_clamped_to_the_piece() -> None:
    """Before the first step and after the last one."""
    times = TempoMap.of(minuet(), Style())

    assert (times.seconds_at(-1), times.seconds_at(99)) == (0.0, times.seconds)
    assert (times.step_at(-1.0), times.step_at(99.0)) == (0.0, 7.0)
    assert times.steps == 7


def test_the_longest_piece_does_not_drift() -> None:
    """The last step ends at the duration of the piece."""
    long = Chorale.of(np.full((MAX_STEPS, 4), 60), tempo=5.1)

    assert TempoMap.of(long, AS_WRITTEN).seconds == pytest.approx(long.seconds, abs=1e-6)


def test_fermatas_are_held_longer_unless_that_is_switched_off() -> None:
    """Three of the seven steps are under a fermata."""
    step = 60 / 80 / 4

    assert perform(minuet()).times.seconds == pytest.approx(step * (4 + 3 * FERMATA_STRETCH))
    assert perform(minuet(), AS_WRITTEN).times.seconds == pytest.approx(step * 7)


def test_a_performance_lasts_as_long_as_the_midi_file(hymn: Chorale) -> None:
    """With stretched fermatas, to a millisecond."""
    content = midi_writer.to_bytes(hymn, stretch_fermatas=True)
    length = mido.MidiFile(file=io.BytesIO(content), charset="utf-8").length

    assert perform(hymn).times.seconds == pytest.approx(length, abs=1e-3)


def test_the_tempo_factor_multiplies_the_written_tempo() -> None:
    """Twice the tempo halves the duration."""
    assert perform(minuet(), Style(tempo_factor=2)).times.seconds == pytest.approx(
        perform(minuet()).times.seconds / 2
    )


def test_notes_start_at_their_steps(hymn: Chorale) -> None:
    """Each start is the exact start of its step."""
    performance = perform(hymn)

    starts = [note.start for note in performance.notes[Voice.SOPRANO]]

    assert starts == [performance.times.step_starts[step] for step in (0, 4, 8, 12)]
    assert [note.pitch for note in performance.notes[Voice.SOPRANO]] == [67, 67, 69, 71]


def test_notes_are_legato_except_before_repetitions_and_breaths() -> None:
    """The last note and a note before a rest have their full length."""
    pitches = [[60, -1, -1, -1]] * 8 + [[62, -1, -1, -1]] * 4 + [[64, 50, -1, -1]] * 4
    onsets = np.zeros((16, 4), dtype=bool)
    onsets[[0, 4, 8, 12], 0], onsets[12, 1] = True, True
    fermatas = np.arange(16) // 4 == 2
    piece = Chorale.of(pitches, onsets=onsets, fermatas=fermatas, tempo=60)

    performance = perform(piece, AS_WRITTEN)

    assert [note.stop for note in performance.notes[0]] == pytest.approx([0.9, 2, 2.84, 4])
    assert [note.stop for note in performance.notes[1]] == pytest.approx([4])


def test_a_short_note_keeps_most_of_its_length() -> None:
    """Repeated sixteenths in a presto stay audible."""
    piece = Chorale.of(np.full((8, 4), 60), onsets=np.ones((8, 4), dtype=bool), tempo=600)

    first = perform(piece).notes[0][0]

    assert first.stop - first.start == pytest.approx(0.7 * 60 / 600 / 4)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"tempo_factor": 0.1}, "tempo factor is 0.1: expected 0.25 to 4"),
        ({"tempo_factor": float("nan")}, "tempo factor is nan: expected 0.25 to 4"),
        ({"fermata_stretch": 0.5}, "fermata stretch is 0.5: expected 1 to 4"),
    ],
    ids=str,
)
def test_a_style_outside_its_range_is_refused(values: dict[str, float], sentence: str) -> None:
    """The message names the value and the range."""
    with pytest.raises(UsageError, match=sentence):
        replace(Style(), **values)
