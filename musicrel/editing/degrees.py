"""Degrees of the scale: letters of the key signature, and their distance in pitch."""

from __future__ import annotations

from typing import Final

from musicrel.chorale import Key
from musicrel.score.notation.spelling import altered_letters, signature, spell

LETTERS: Final = "CDEFGAB"
"""The letters of an octave, from the lowest."""

_NATURALS: Final = (0, 2, 4, 5, 7, 9, 11)
_OCTAVE: Final = 12


def degree(pitch: int, key: Key | None) -> int:
    """Return the letter of ``pitch`` in ``key``, counted from the C of octave 0: 7 an octave."""
    spelled = spell(pitch, key)
    return len(LETTERS) * spelled.octave + LETTERS.index(spelled.step)


def pitch_of(number: int, key: Key | None) -> int:
    """Return the pitch of a letter, counted as in ``degree``, with the key signature applied."""
    octave, index = divmod(number, len(LETTERS))
    altered = altered_letters(signature(key)) if key else {}
    return _OCTAVE * (octave + 1) + _NATURALS[index] + altered.get(LETTERS[index], 0)


def by_degrees(pitch: int, key: Key | None, degrees: int) -> int:
    """Return the pitch ``degrees`` higher in the scale of ``key``; None: in C major.

    An altered note moves to the notes of the key signature: in A minor G sharp goes up to A.
    """
    return pitch_of(degree(pitch, key) + degrees, key) if degrees else pitch


def nearest(letter: str, pitch: int, key: Key | None) -> int:
    """Return the pitch of ``letter`` that is nearest to ``pitch``: a fourth away at most.

    Args:
        key: its signature is applied; None: no signature.
    """
    number, octave = degree(pitch, key), len(LETTERS)
    away = (LETTERS.index(letter) - number + octave // 2) % octave - octave // 2
    return pitch_of(number + away, key)
