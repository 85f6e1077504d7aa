"""Steps and seconds: each from the other, and what a performer does to the notes."""

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


def test_whole_steps_come_back_exactly_and_fractions_nearly() -> None:
    """Seconds of a step give the step, whatever fermatas do in between."""
    times = TempoMap.of(random_chorale(1, steps=300), Style(tempo_factor=1.3))

    assert all(times.step_at(times.seconds_at(step)) == step for step in range(301))
    fractions = np.linspace(0, 300, 4001)
    back = [times.step_at(times.seconds_at(step)) for step in fractions]
    assert np.allclose(back, fractions, rtol=0, atol=1e-10)


def test_seconds_come_back_too() -> None:
    """The other way round."""
    times = TempoMap.of(random_chorale(2, steps=50), Style())

    seconds = np.linspace(0, times.seconds, 777)

    assert np.allclose([times.seconds_at(times.step_at(second)) for second in seconds], seconds)


def test_outside_the_piece_its_nearer_end_counts() -> None:
    """Neither a step before the first nor one after the last exists."""
    times = TempoMap.of(minuet(), Style())

    assert (times.seconds_at(-1), times.seconds_at(99)) == (0.0, times.seconds)
    assert (times.step_at(-1.0), times.step_at(99.0)) == (0.0, 7.0)
    assert times.steps == 7


def test_a_piece_of_the_greatest_length_keeps_its_time() -> None:
    """No drift after hours: the sum of the steps is the length."""
    long = Chorale.of(np.full((MAX_STEPS, 4), 60), tempo=5.1)

    assert TempoMap.of(long, AS_WRITTEN).seconds == pytest.approx(long.seconds, abs=1e-6)


def test_fermatas_are_held_longer_unless_that_is_switched_off() -> None:
    """Three of the minuet's seven steps are under one."""
    step = 60 / 80 / 4

    assert perform(minuet()).times.seconds == pytest.approx(step * (4 + 3 * FERMATA_STRETCH))
    assert perform(minuet(), AS_WRITTEN).times.seconds == pytest.approx(step * 7)


def test_time_runs_as_in_the_midi_file(hymn: Chorale) -> None:
    """Played with fermatas held, a MIDI file is as long, to a millisecond."""
    content = midi_writer.to_bytes(hymn, stretch_fermatas=True)
    length = mido.MidiFile(file=io.BytesIO(content), charset="utf-8").length

    assert perform(hymn).times.seconds == pytest.approx(length, abs=1e-3)


def test_the_tempo_factor_multiplies_the_written_tempo() -> None:
    """Twice the tempo, half the time."""
    assert perform(minuet(), Style(tempo_factor=2)).times.seconds == pytest.approx(
        perform(minuet()).times.seconds / 2
    )


def test_notes_are_struck_at_their_steps(hymn: Chorale) -> None:
    """Each begins to the second where its step does."""
    performance = perform(hymn)

    struck = [note.start for note in performance.notes[Voice.SOPRANO]]

    assert struck == [performance.times.begins[step] for step in (0, 4, 8, 12)]
    assert [note.pitch for note in performance.notes[Voice.SOPRANO]] == [67, 67, 69, 71]


def test_a_note_lasts_until_the_next_but_lets_go_before_a_repeat_and_to_breathe() -> None:
    """Legato otherwise; the last note and one before a rest are held to their end."""
    pitches = [[60, -1, -1, -1]] * 8 + [[62, -1, -1, -1]] * 4 + [[64, 50, -1, -1]] * 4
    onsets = np.zeros((16, 4), dtype=bool)
    onsets[[0, 4, 8, 12], 0], onsets[12, 1] = True, True
    fermatas = np.arange(16) // 4 == 2
    piece = Chorale.of(pitches, onsets=onsets, fermatas=fermatas, tempo=60)

    performance = perform(piece, AS_WRITTEN)

    assert [note.stop for note in performance.notes[0]] == pytest.approx([0.9, 2, 2.84, 4])
    assert [note.stop for note in performance.notes[1]] == pytest.approx([4])


def test_a_short_note_keeps_most_of_its_length() -> None:
    """Sixteenths that repeat in a presto do not vanish."""
    piece = Chorale.of(np.full((8, 4), 60), onsets=np.ones((8, 4), dtype=bool), tempo=600)

    first = perform(piece).notes[0][0]

    assert first.stop - first.start == pytest.approx(0.7 * 60 / 600 / 4)


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"tempo_factor": 0.1}, "tempo factor is 0.1: expected 0.25 to 4"),
        ({"tempo_factor": float("nan")}, "tempo factor is nan: expected 0.25 to 4"),
        ({"fermata_stretch": 0.5}, "fermata stretch is 0.5: expected 1 to 4"),
    ],
    ids=str,
)
def test_a_style_outside_its_range_is_refused(values: dict[str, float], told: str) -> None:
    """The sentence names the value and the range."""
    with pytest.raises(UsageError, match=told):
        replace(Style(), **values)
