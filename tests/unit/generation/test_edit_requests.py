"""Requests that start from a piece."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Key, Meter, Voice
from musicrel.errors import UsageError
from musicrel.generation import edit_requests
from musicrel.generation.constraints.locks import Locks
from musicrel.score import files
from tests.helpers.music import random_chorale


def tune() -> Chorale:
    """Return two bars of a soprano, the other voices silent."""
    pitches = np.full((32, 4), REST)
    pitches[:, 0] = np.repeat([60, 62, 64, 65, 67, 65, 62, 60], 4)
    return Chorale.of(pitches)


def test_harmonising_gives_one_voice_and_frees_three() -> None:
    """The rests of the others are not kept."""
    request = edit_requests.harmony_request(tune(), seed=4)
    assert request.locks is not None
    assert request.locks.mask.all(axis=0).tolist() == [True, False, False, False]
    assert (request.seed, request.steps) == (4, 32)


def test_the_key_of_a_melody_is_estimated() -> None:
    """The key is estimated unless the melody or the request has one."""
    assert str(edit_requests.harmony_request(tune()).key) == "C major"
    named = replace(tune(), key=Key("A", "minor"))
    assert edit_requests.harmony_request(named).key == Key("A", "minor")
    assert edit_requests.harmony_request(named, key=Key("F", "major")).key == Key("F", "major")


def test_a_silent_melody_is_refused() -> None:
    """There is nothing to harmonise."""
    with pytest.raises(UsageError, match="the Tenor has no notes: expected a melody"):
        edit_requests.harmony_request(tune(), Voice.TENOR)


def test_filling_in_frees_the_named_cells_alone() -> None:
    """Voices over steps, half-open."""
    request = edit_requests.infill_request(random_chorale(0, 32), (Voice.ALTO, Voice.TENOR), 8, 12)
    assert request.locks is not None
    free = np.argwhere(~request.locks.mask)
    assert sorted(set(free[:, 0].tolist())) == [8, 9, 10, 11]
    assert sorted(set(free[:, 1].tolist())) == [1, 2]


@pytest.mark.parametrize(("start", "stop"), [(-1, 4), (4, 4), (8, 33)])
def test_steps_outside_the_piece_are_refused(start: int, stop: int) -> None:
    """The message gives those of the piece."""
    with pytest.raises(UsageError, match=f"steps {start}:{stop} are not in the piece: expected 0 "):
        edit_requests.infill_request(random_chorale(0, 32), (Voice.ALTO,), start, stop)


def test_a_continuation_keeps_all_and_adds_bars() -> None:
    """The new bars have the meter of the piece."""
    request = edit_requests.continuation_request(tune(), 3)
    assert request.steps == 32 + 3 * 16
    assert request.locks is not None
    assert request.locks.mask[:32].all()
    assert not request.locks.mask[32:].any()
    with pytest.raises(UsageError, match="bars is 0: expected 1 to 256"):
        edit_requests.continuation_request(tune(), 0)


@pytest.mark.parametrize("change", [0.0, 0.2, 0.5, 1.0])
def test_a_variation_frees_the_requested_share(change: float) -> None:
    """Whole notes of the named voices are free; at 0 one note, at 1 all."""
    piece = random_chorale(3, 200, margin=2)
    request = edit_requests.variation_request(piece, change, (Voice.ALTO, Voice.BASS), seed=1)
    assert request.locks is not None
    free = ~request.locks.mask
    assert not free[:, [0, 2]].any()
    assert free.any()
    assert abs(free[:, [1, 3]].mean() - change) < 0.05
    starts = free[1:] & ~free[:-1]
    assert (piece.onsets[1:] | (piece.pitches[1:] == REST))[starts].all()


def test_a_variation_depends_on_its_seed() -> None:
    """Another seed frees other notes; a share above 1 is refused."""
    piece = random_chorale(3, 60, margin=2)
    masks = [
        request.locks.mask
        for seed in (1, 1, 2)
        if (request := edit_requests.variation_request(piece, 0.3, seed=seed)).locks
    ]
    assert np.array_equal(masks[0], masks[1])
    assert not np.array_equal(masks[0], masks[2])
    with pytest.raises(UsageError, match=r"change is 1.5: expected 0 to 1: 0 is similar"):
        edit_requests.variation_request(piece, 1.5)


def test_named_parts_are_rewritten() -> None:
    """Locks are kept beside the named parts."""
    piece = random_chorale(3, 32, margin=2)
    locks = Locks.of(piece, np.arange(32)[:, None] < [0, 4, 0, 0])
    request = edit_requests.part_request(piece, ["soprano"], ["s,a"], locks=locks, seed=2)
    assert request.locks is not None
    free = np.argwhere(~request.locks.mask)
    assert sorted(set(free[:, 0].tolist())) == list(range(4, 32))
    assert (set(free[:, 1].tolist()), request.seed) == ({1}, 2)


def test_a_very_long_piece_is_truncated() -> None:
    """Other pieces are unchanged."""
    long = Chorale.of(np.full((5000, 4), 60))
    assert edit_requests.truncated(long).steps == 255 * 16
    assert edit_requests.truncated(tune()) == tune()


def test_phrases_replace_the_fermatas_of_a_melody() -> None:
    """A fermata ends each; with a pickup the last bar is shorter by it."""
    pitches = np.full((32, 4), 60)
    plain = edit_requests.with_phrases(Chorale.of(pitches), (1, 1))
    assert np.flatnonzero(plain.fermatas).tolist() == [*range(8, 16), *range(24, 32)]
    hymn = edit_requests.with_phrases(Chorale.of(pitches, meter=Meter(3, 4), pickup=4), (1, 2))
    assert np.flatnonzero(hymn.fermatas).tolist() == [*range(4, 12), *range(28, 32)]
    assert edit_requests.with_phrases(plain, ()) is plain
    with pytest.raises(UsageError, match=r"phrases 1,2 sum to 3 bars: .* that sum to bars, 2"):
        edit_requests.with_phrases(plain, (1, 2))


def test_too_many_bars_are_refused() -> None:
    """In a continuation, and in a request like a longer piece."""
    long = Chorale.of(np.full((255 * 16, 4), 60))
    assert edit_requests.continuation_request(long, 1).bars == 256
    with pytest.raises(UsageError, match="would have 257 bars: expected at most 256 of 4/4"):
        edit_requests.continuation_request(long, 2)
    with pytest.raises(UsageError, match="the piece has 313 bars: expected at most 256 of 4/4"):
        edit_requests.infill_request(Chorale.of(np.full((5000, 4), 60)), [Voice.ALTO], 0, 4)


def test_voices_and_steps_are_read() -> None:
    """Voices are letters or names; steps are half-open."""
    assert edit_requests.parse_voices("T, a") == (Voice.ALTO, Voice.TENOR)
    assert edit_requests.parse_voices("Soprano") == (Voice.SOPRANO,)
    assert edit_requests.parse_steps("16:32") == (16, 32)
    with pytest.raises(UsageError, match="'X' names no voices"):
        edit_requests.parse_voices("X")
    with pytest.raises(UsageError, match="'16-32' is not a range of steps"):
        edit_requests.parse_steps("16-32")


@pytest.mark.parametrize("suffix", [".json", ".musicxml", ".mid"])
@pytest.mark.parametrize(("meter", "pickup"), [("3/4", 4), ("6/8", 2), ("4/4", 12), ("2/4", 0)])
def test_bar_lines_and_pickup_of_a_file_are_in_the_request(
    meter: str, pickup: int, suffix: str, tmp_path: Path
) -> None:
    """The request keeps them as they were written, with the fermatas."""
    given = Meter.parse(meter)
    steps = pickup + 4 * given.steps
    pitches = np.full((steps, 4), REST)
    pitches[:, 0] = np.resize(np.repeat([60, 62, 64, 65, 67, 65], 2), steps)
    held = np.arange(steps) >= steps - 2
    key = Key("F", "major")
    piece = Chorale.of(pitches, meter=given, pickup=pickup, key=key, fermatas=held)
    files.write(piece, tmp_path / f"tune{suffix}")

    melody = files.import_melody(tmp_path / f"tune{suffix}").chorale
    request = edit_requests.harmony_request(melody)

    assert (request.meter, request.pickup, request.steps) == (given, pickup, steps)
    assert (request.key, request.fermatas) == (key, ((steps - 2, steps),))
