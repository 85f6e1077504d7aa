"""Pieces put together of the phrases of two."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import Chorale, Key, Meter
from musicrel.corpus import bundled
from musicrel.errors import DataError
from musicrel.experiment.splicing import splices

_CHORD = (67, 64, 60, 48)
_WIDE = (81, 76, 60, 36)
"""From the lowest note of the bass to the highest of the soprano: it cannot be moved."""


def _piece(
    key: Key,
    semitones: int,
    meter: Meter | None = None,
    chord: tuple[int, ...] = _CHORD,
) -> Chorale:
    """Three phrases of four quarters each, one chord, a fermata on each last quarter."""
    steps = 3 * 16
    piece = Chorale.of(
        np.tile(chord, (steps, 1)) + semitones,
        fermatas=np.arange(steps) % 16 >= 12,
        meter=meter or Meter(4, 4),
        key=key,
        title=f"of {key}",
    )
    return replace(piece, onsets=np.tile((np.arange(steps) % 4 == 0)[:, None], (1, 4)))


C_MAJOR = _piece(Key("C", "major"), 0)
D_MAJOR = _piece(Key("D", "major"), 2)


def test_the_rest_of_another_piece_follows_in_the_key_of_the_first() -> None:
    (made,) = splices([C_MAJOR, D_MAJOR], 1, seed=0)

    assert made.key in (C_MAJOR.key, D_MAJOR.key)
    assert made.title in ("of C major / of D major", "of D major / of C major")
    assert len({tuple(chord) for chord in made.pitches.tolist()}) == 1  # moved, it is one chord


def test_a_splice_begins_at_the_end_of_a_phrase_and_ends_as_the_other_piece_does() -> None:
    for made in splices([C_MAJOR, D_MAJOR], 20, seed=1):
        assert made.steps % 16 == 0
        assert 32 <= made.steps <= 64
        assert made.fermatas[-1]
        assert (made.onsets.all(axis=1) == (np.arange(made.steps) % 4 == 0)).all()


def test_the_same_seed_puts_the_same_pieces_together() -> None:
    pieces = bundled.load("train")

    assert splices(pieces, 10, seed=3) == splices(pieces, 10, seed=3)
    assert splices(pieces, 10, seed=3) != splices(pieces, 10, seed=4)


def test_bars_of_real_pieces_go_on_without_a_break() -> None:
    pieces = {piece.title: piece for piece in bundled.load("train")}

    for made in splices(list(pieces.values()), 40, seed=5):
        first, second = (pieces[title] for title in made.title.split(" / "))
        left = (made.steps - made.pickup) % made.meter.steps
        assert made.meter == second.meter
        assert (made.pickup, made.key) == (first.pickup, first.key)
        assert left == (second.steps - second.pickup) % second.meter.steps


@pytest.mark.parametrize(
    "pieces",
    [
        [C_MAJOR],
        [C_MAJOR, replace(D_MAJOR, key=None)],
        [C_MAJOR, replace(D_MAJOR, fermatas=np.zeros(D_MAJOR.steps, dtype=np.bool_))],
        [C_MAJOR, _piece(Key("D", "minor"), 2)],
        [C_MAJOR, _piece(Key("D", "major"), 2, Meter(3, 4))],
        [C_MAJOR, replace(D_MAJOR, pickup=4)],
        [_piece(Key(tonic, "major"), 0, chord=_WIDE) for tonic in ("C", "D")],
    ],
    ids=["one", "no key", "no fermata", "another mode", "another meter", "other bars", "too far"],
)
def test_pieces_that_do_not_fit_are_refused_in_one_sentence(pieces: list[Chorale]) -> None:
    with pytest.raises(DataError, match=r"only 0 could be put together by phrases: expected 3"):
        splices(pieces, 3, seed=0)
