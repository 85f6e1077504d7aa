"""Beats as the features of the discriminator read them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from musicrel.chorale import REST, Chorale, Key, Meter, Voice
from musicrel.generation.discriminator.beat import CONTEXT_STEPS, Note, beats
from tests.helpers.music import random_chorale


def soprano(*pitches: int, onsets: set[int]) -> Chorale:
    """Return a piece in which the other voices rest."""
    table = np.full((len(pitches), 4), REST)
    table[:, Voice.SOPRANO] = pitches
    begun = np.zeros(table.shape, dtype=bool)
    begun[sorted(onsets), Voice.SOPRANO] = True
    return Chorale.of(table, onsets=begun)


def test_each_beat_ends_with_its_own_four_steps() -> None:
    piece = replace(random_chorale(1, 48), pickup=0)

    found = list(beats(piece))

    assert [beat.number for beat in found] == [1, 2, 3, 4] * 3
    for number, beat in enumerate(found):
        stop = 4 * number + 4
        assert beat.pitches == piece.pitches[max(stop - CONTEXT_STEPS, 0) : stop].tolist()
        assert beat.onsets == piece.onsets[max(stop - CONTEXT_STEPS, 0) : stop].tolist()
        assert beat.chord == piece.pitches[4 * number].tolist()


def test_beats_are_counted_from_the_bar_line() -> None:
    """A pickup of three quarters begins with the second beat."""
    piece = replace(random_chorale(1, 48), pickup=12)

    assert [beat.number for beat in beats(piece)][:5] == [2, 3, 4, 1, 2]


def test_a_pickup_of_an_eighth_belongs_to_no_beat() -> None:
    piece = replace(random_chorale(1, 18), pickup=2)

    assert [beat.position for beat in beats(piece)] == [0, 4, 8, 12]


def test_a_beat_that_is_cut_off_is_left_out() -> None:
    assert len(list(beats(replace(random_chorale(1, 7), pickup=0)))) == 1


def test_the_first_beat_has_none_before_it() -> None:
    first, second = beats(replace(random_chorale(1, 8), pickup=0))

    assert first.chord_before is None
    assert second.chord_before == first.chord


def test_a_beat_knows_its_fermata_and_its_key() -> None:
    piece = replace(random_chorale(1, 8), key=Key("G", "minor"), pickup=0, meter=Meter(2, 4))
    piece = replace(piece, fermatas=np.arange(8) >= 4)

    assert [(beat.has_fermata, beat.key) for beat in beats(piece)] == [
        (False, piece.key),
        (True, piece.key),
    ]


def test_notes_end_at_the_next_note_at_a_rest_or_at_the_end() -> None:
    piece = soprano(60, 60, 60, REST, 62, 62, 62, 64, onsets={0, 2, 4, 7})

    (_, last) = beats(piece)

    assert last.notes(Voice.SOPRANO, before=2) == [
        Note(0, 2, 60),
        Note(2, 1, 60),
        Note(4, 3, 62),
        Note(7, 1, 64),
    ]
    assert last.notes(Voice.BASS, before=2) == []


def test_notes_far_before_the_beat_are_left_out() -> None:
    piece = soprano(*[60] * 16, onsets=set(range(0, 16, 2)))

    *_, last = beats(piece)

    assert [note.start for note in last.notes(Voice.SOPRANO, before=2)] == [8, 10, 12, 14]
