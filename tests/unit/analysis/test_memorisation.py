"""Chunks found in other music, in any key."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel import paths
from musicrel.analysis import memorisation
from musicrel.chorale import REST, Chorale
from musicrel.corpus import jsb

PUBLISHED = paths.shared_data() / "jsb" / jsb.FILE_NAME


def melody(*soprano: int) -> Chorale:
    return Chorale.of([[pitch, 60, 55, 48] for pitch in soprano])


def test_a_piece_is_found_in_itself() -> None:
    """Its share is 1."""
    piece = melody(67, 69, 71, 72)
    assert memorisation.share_found(piece, memorisation.chunk_set([piece], 2), 2) == 1.0


def test_a_transposition_is_found() -> None:
    """Only the intervals count, all voices moving together."""
    piece = melody(67, 69, 71, 72)
    reference = memorisation.chunk_set([piece.transposed(3)], 4)
    assert memorisation.share_found(piece, reference, 4) == 1.0


def test_one_voice_alone_transposed_is_not_found() -> None:
    """A chunk is all four voices."""
    reference = memorisation.chunk_set([melody(67, 69, 71, 72)], 4)
    assert memorisation.share_found(melody(69, 71, 73, 74), reference, 4) == 0.0


def test_chunks_begin_at_every_step_and_the_share_counts_them() -> None:
    """Of three chunks of two steps one is known."""
    reference = memorisation.chunk_set([melody(67, 69)], 2)
    found = memorisation.count_found([melody(65, 67, 69, 76)], reference, 2)
    assert (found.found, found.total) == (1, 3)
    assert found.share == pytest.approx(1 / 3)


def test_rests_stay_rests_in_every_key() -> None:
    """A transposed rest is the same rest; a sounding voice is not."""
    piece = Chorale.of([[REST, 60, 55, 48], [67, 60, 55, 48]])
    reference = memorisation.chunk_set([piece], 2)
    assert memorisation.share_found(piece.transposed(-2), reference, 2) == 1.0
    assert memorisation.share_found(melody(66, 67), reference, 2) == 0.0


def test_repeated_and_held_notes_are_the_same() -> None:
    """The published data do not distinguish them."""
    held = melody(67, 67)
    repeated = Chorale.of(held.pitches, onsets=np.ones((2, 4), dtype=np.bool_))
    assert memorisation.chunks(held, 2) == memorisation.chunks(repeated, 2)


def test_silence_is_no_chunk() -> None:
    """It does not count as a chunk that was not found, either."""
    silence = [[REST] * 4]
    piece = Chorale.of([[67, 60, 55, 48], *silence * 3])
    assert len(memorisation.chunks(piece, 2)) == 1


def test_a_held_chord_can_be_left_out() -> None:
    """Every chunk must have two sonorities."""
    assert len(memorisation.chunks(melody(67, 67, 67, 69), 2, least_sonorities=2)) == 1


def test_a_piece_shorter_than_a_chunk_has_share_zero() -> None:
    """There is no chunk to find."""
    assert memorisation.share_found(melody(67), frozenset(), 2) == 0.0


@pytest.mark.skipif(not PUBLISHED.exists(), reason="no shared data: the published JSB16 file")
@pytest.mark.parametrize(
    ("steps", "test", "valid"), [(16, 3.31, 5.59), (32, 0.24, 1.71), (64, 0.01, 1.22)]
)
def test_the_shares_of_jsb16_are_the_published_ones(steps: int, test: float, valid: float) -> None:
    """Shares of test and valid found in train, in per cent, by length of chunk."""
    pieces = jsb.read(PUBLISHED)
    reference = memorisation.chunk_set(pieces["train"], steps)
    shares = [
        100 * memorisation.count_found(pieces[split], reference, steps).share
        for split in ("test", "valid")
    ]
    assert shares == pytest.approx([test, valid], abs=0.005)
