"""What users ask of a piece they have."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Key, Meter, Voice
from musicrel.errors import UsageError
from musicrel.generation import edit_requests
from tests.helpers.music import random_chorale


def tune() -> Chorale:
    """Two bars of a soprano, the others silent."""
    pitches = np.full((32, 4), REST)
    pitches[:, 0] = np.repeat([60, 62, 64, 65, 67, 65, 62, 60], 4)
    return Chorale.of(pitches)


def test_harmonising_gives_one_voice_and_frees_three() -> None:
    """The silence of the others is not kept."""
    request = edit_requests.harmony(tune(), seed=4)
    assert request.locks is not None
    assert request.locks.mask.all(axis=0).tolist() == [True, False, False, False]
    assert (request.seed, request.steps) == (4, 32)


def test_a_melody_without_a_key_has_the_one_it_speaks_for() -> None:
    """Unless it names one, or one is asked for."""
    assert str(edit_requests.harmony(tune()).key) == "C major"
    named = replace(tune(), key=Key("A", "minor"))
    assert edit_requests.harmony(named).key == Key("A", "minor")
    assert edit_requests.harmony(named, key=Key("F", "major")).key == Key("F", "major")


def test_a_silent_melody_is_refused() -> None:
    """There is nothing to harmonise."""
    with pytest.raises(UsageError, match="the Tenor has no notes: expected a melody"):
        edit_requests.harmony(tune(), Voice.TENOR)


def test_filling_in_frees_the_named_cells_alone() -> None:
    """Voices over steps, half-open."""
    request = edit_requests.infilling(random_chorale(0, 32), (Voice.ALTO, Voice.TENOR), 8, 12)
    assert request.locks is not None
    free = np.argwhere(~request.locks.mask)
    assert sorted(set(free[:, 0].tolist())) == [8, 9, 10, 11]
    assert sorted(set(free[:, 1].tolist())) == [1, 2]


@pytest.mark.parametrize(("start", "stop"), [(-1, 4), (4, 4), (8, 33)])
def test_steps_outside_the_piece_are_refused(start: int, stop: int) -> None:
    """With those it has."""
    with pytest.raises(UsageError, match=f"steps {start}:{stop} are not in the piece: expected 0 "):
        edit_requests.infilling(random_chorale(0, 32), (Voice.ALTO,), start, stop)


def test_a_continuation_keeps_all_and_adds_bars() -> None:
    """Of the piece's meter."""
    request = edit_requests.continuation(tune(), 3)
    assert request.steps == 32 + 3 * 16
    assert request.locks is not None
    assert request.locks.mask[:32].all()
    assert not request.locks.mask[32:].any()
    with pytest.raises(UsageError, match="bars is 0: expected at least 1"):
        edit_requests.continuation(tune(), 0)


@pytest.mark.parametrize("change", [0.0, 0.2, 0.5, 1.0])
def test_a_variation_frees_about_the_share_asked_for(change: float) -> None:
    """Whole notes of the voices named; at 0 one note, at 1 all."""
    piece = random_chorale(3, 200, margin=2)
    request = edit_requests.variation(piece, change, (Voice.ALTO, Voice.BASS), seed=1)
    assert request.locks is not None
    free = ~request.locks.mask
    assert not free[:, [0, 2]].any()
    assert free.any()
    assert abs(free[:, [1, 3]].mean() - change) < 0.05
    begins = free[1:] & ~free[:-1]
    assert (piece.onsets[1:] | (piece.pitches[1:] == REST))[begins].all()


def test_a_variation_is_its_seeds() -> None:
    """Another seed frees other notes; a share beyond 1 is refused."""
    piece = random_chorale(3, 60, margin=2)
    masks = [
        request.locks.mask
        for seed in (1, 1, 2)
        if (request := edit_requests.variation(piece, 0.3, seed=seed)).locks
    ]
    assert np.array_equal(masks[0], masks[1])
    assert not np.array_equal(masks[0], masks[2])
    with pytest.raises(UsageError, match=r"change is 1.5: expected 0 \(similar\) to 1"):
        edit_requests.variation(piece, 1.5)


def test_a_piece_out_of_the_models_span_is_moved_into_it() -> None:
    """By as little as will do; one that is too wide stays."""
    high = tune().transposed(20)
    moved, semitones = edit_requests.within_span(high)
    assert semitones == 81 - 87
    assert int(moved.pitches.max()) == 81
    assert edit_requests.within_span(tune())[1] == 0
    wide = Chorale.of([[90, 60, 50, 30]])
    assert edit_requests.within_span(wide) == (wide, 0)


def test_of_a_very_long_piece_the_beginning_is_taken() -> None:
    """As many bars as can be written at once; other pieces whole."""
    long = Chorale.of(np.full((5000, 4), 60))
    assert edit_requests.beginning(long).steps == 255 * 16
    assert edit_requests.beginning(tune()) == tune()


def test_phrases_may_be_given_to_a_melody_that_has_none() -> None:
    """A fermata ends each; with a pickup the last bar is the shorter for it."""
    pitches = np.full((32, 4), 60)
    plain = edit_requests.phrased(Chorale.of(pitches), (1, 1))
    assert np.flatnonzero(plain.fermatas).tolist() == [*range(8, 16), *range(24, 32)]
    hymn = edit_requests.phrased(Chorale.of(pitches, meter=Meter(3, 4), pickup=4), (1, 2))
    assert np.flatnonzero(hymn.fermatas).tolist() == [*range(4, 12), *range(28, 32)]
    assert edit_requests.phrased(plain, ()) is plain
    with pytest.raises(UsageError, match=r"phrases 1,2 sum to 3 bars: .* that sum to bars, 2"):
        edit_requests.phrased(plain, (1, 2))


def test_more_bars_than_can_be_written_at_once_are_refused() -> None:
    """Of a continuation, and of a piece like another one that is too long."""
    long = Chorale.of(np.full((255 * 16, 4), 60))
    assert edit_requests.continuation(long, 1).bars == 256
    with pytest.raises(UsageError, match="would have 257 bars: expected at most 256 of 4/4"):
        edit_requests.continuation(long, 2)
    with pytest.raises(UsageError, match="the piece has 313 bars: expected at most 256 of 4/4"):
        edit_requests.infilling(Chorale.of(np.full((5000, 4), 60)), [Voice.ALTO], 0, 4)


def test_voices_and_steps_are_read() -> None:
    """Letters or names; half-open sixteenths."""
    assert edit_requests.voices_named("T, a") == (Voice.ALTO, Voice.TENOR)
    assert edit_requests.voices_named("Soprano") == (Voice.SOPRANO,)
    assert edit_requests.span("16:32") == (16, 32)
    with pytest.raises(UsageError, match="'X' names no voices"):
        edit_requests.voices_named("X")
    with pytest.raises(UsageError, match="'16-32' are no steps"):
        edit_requests.span("16-32")
