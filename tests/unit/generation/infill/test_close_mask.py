"""Chords of a cadence as legal tokens."""
# ruff: noqa: N803, N806  # shape suffixes: mask_L4V

from __future__ import annotations

import numpy as np

from musicrel.chorale import Chorale, Flags, Key, Voice
from musicrel.generation.infill.close_mask import close_mask
from musicrel.generation.phrasing.phrase_ends import PhraseEnd
from musicrel.generation.request import GenerationRequest
from musicrel.tokens.vocabulary import ARTICULATED

C_MAJOR, C_MINOR = Key.parse("C major"), Key.parse("C minor")
PITCH_V = GenerationRequest(bars=1).constraints(ARTICULATED).pitch_V
G_CHORD = (71, 67, 62, 55)
PIECE = Chorale.of(np.repeat([G_CHORD] * 4, 4, axis=0))
ANY = set(range(12))


def classes(legal_V: Flags) -> set[int]:
    """Return the pitch classes of the legal tokens."""
    return {pitch % 12 for pitch in PITCH_V[legal_V].tolist() if pitch >= 0}


def test_an_authentic_close_is_a_dominant_and_the_tonic() -> None:
    """The upper voices reach the triad at the last step; a piece in major ends in major."""
    mask_L4V = close_mask(PhraseEnd(12, 16, "authentic"), PIECE, C_MAJOR, 4, PITCH_V)
    assert mask_L4V.shape == (12, 4, ARTICULATED.size)
    for voice in Voice:
        bass = voice == Voice.BASS
        assert [classes(mask_L4V[step, voice]) for step in (0, 5)] == [ANY, ANY]
        approach = {7, 11} if bass else {7, 11, 2, 5}
        assert [classes(mask_L4V[step, voice]) for step in (6, 7)] == [approach] * 2
        assert [classes(mask_L4V[step, voice]) for step in (8, 10)] == [{0} if bass else ANY] * 2
        assert classes(mask_L4V[11, voice]) == ({0} if bass else {0, 4, 7})
    in_minor = close_mask(PhraseEnd(12, 16, "authentic"), PIECE, C_MINOR, 4, PITCH_V)
    assert classes(in_minor[11, Voice.ALTO]) == {0, 3, 4, 7}


def test_within_a_piece_the_root_is_that_of_the_bass() -> None:
    """A phrase can close in another key; any cadence is taken for an authentic one."""
    for kind in ("authentic", ""):
        mask_L4V = close_mask(PhraseEnd(4, 8, kind), PIECE, C_MAJOR, 0, PITCH_V)
        assert classes(mask_L4V[7, Voice.BASS]) == {7}
        assert classes(mask_L4V[3, Voice.BASS]) == {2, 6}
    in_f_sharp = Key.parse("F# minor")
    assert close_mask(PhraseEnd(4, 8, "authentic"), PIECE, in_f_sharp, 0, PITCH_V).all()


def test_a_half_close_is_on_the_dominant() -> None:
    """The approach is free."""
    mask_L4V = close_mask(PhraseEnd(12, 16, "half"), PIECE, C_MAJOR, 8, PITCH_V)
    assert classes(mask_L4V[-1, Voice.BASS]) == {7}
    assert classes(mask_L4V[-1, Voice.ALTO]) == {7, 11, 2}
    assert mask_L4V[:4].all()


def test_a_plagal_close_is_a_subdominant_and_the_tonic() -> None:
    """Major or minor before the end."""
    mask_L4V = close_mask(PhraseEnd(12, 16, "plagal"), PIECE, C_MAJOR, 8, PITCH_V)
    assert classes(mask_L4V[3, Voice.BASS]) == {5}
    assert classes(mask_L4V[3, Voice.TENOR]) == {5, 8, 9, 0}
    assert classes(mask_L4V[-1, Voice.BASS]) == {0}


def test_a_deceptive_close_is_left_to_the_model() -> None:
    """No token is ruled out."""
    assert close_mask(PhraseEnd(12, 16, "deceptive"), PIECE, C_MAJOR, 4, PITCH_V).all()
