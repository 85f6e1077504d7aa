"""The comparison of infilling models."""

from __future__ import annotations

import numpy as np
import pytest

import musicrel
from musicrel.chorale import Voice
from musicrel.corpus import bundled
from musicrel.errors import UsageError
from training.comparisons import infill


@pytest.mark.slow
def test_pieces_are_those_of_the_public_defaults() -> None:
    """The seeds count from 2000."""
    (piece,), seconds = infill.written("relative-infill:draft", "harmonise", 1)
    melody = bundled.load("valid")[0]
    model = musicrel.load_model("relative-infill")
    same = musicrel.harmonise(melody, model=model, seed=2000, quality="draft")
    assert np.array_equal(piece.pitches, same.pitches)
    assert np.array_equal(piece.pitches[:, Voice.SOPRANO], melody.pitches[:, Voice.SOPRANO])
    assert seconds > 0


@pytest.mark.slow
def test_a_new_piece_has_phrases() -> None:
    """They are drawn, as by default."""
    (piece,), _ = infill.written("relative-infill:draft", "new", 1)
    assert piece.bars - bool(piece.pickup) == 8
    assert piece.fermatas.any()


def test_an_unknown_quality_is_refused() -> None:
    """By the request of the first piece."""
    with pytest.raises(UsageError, match="quality is 'best': expected draft, normal, high"):
        infill.written("relative-infill:best", "harmonise", 1)
