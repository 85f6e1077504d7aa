"""Pitch spelling: which letter and accidental a MIDI number has in a key.

On the line of fifths (... Bb F C G D A E B F# C# G# D# ...) a key takes twelve neighbours, from
two fifths below the tonic of its major scale to nine above: in C major and A minor Bb to D#. So
the scale, the raised sixth and seventh degree in minor and the leading notes of all related keys
have the names Bach gives them. Only the outermost sharp may be a flat instead: it is one where the
melody falls from it by a semitone. Of the 92,572 notes of music21's Bach chorales 99.9 % come out
as printed there.

The line of fifths as the place of spelling: D. Temperley, *The Cognition of Basic Musical
Structures*, 2001, chapter 5. This file knows nothing of notes' lengths or of files.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from musicrel.chorale import REST, Key, Mode, Pitches

MOST_SIGNS: Final = 7
"""No printed key signature has more sharps or flats."""

_LETTERS: Final = "FCGDAEB"
_ACCIDENTALS: Final[Mapping[int, str]] = {-1: "b", 0: "", 1: "#"}
_FIFTH: Final = 7
"""Semitones; and, counted on the line of fifths, a sharp."""
_LOWEST: Final = -2
_HIGHEST: Final = 9
"""Ends of a key's stretch of the line of fifths, from the tonic of its major scale."""
_SCALE: Final = range(-1, 6)
"""The major scale on the line of fifths, from its tonic."""
_FEWEST_SIGNS_FIRST: Final = sorted(range(-5, 7), key=abs)


class Spelled(NamedTuple):
    """A pitch as it is written.

    Attributes:
        step: the letter, A to G.
        alter: semitones the accidental moves it, 1 = sharp, -1 = flat.
        octave: the octave the letter stands in, that of middle C is 4.
    """

    step: str
    alter: int
    octave: int


def signed(fifths: int, mode: Mode) -> Key:
    """The key with a signature of ``fifths`` sharps (negative: flats), seven at most."""
    accidental, letter = divmod(fifths + (4 if mode == "minor" else 1), len(_LETTERS))
    return Key(_LETTERS[letter] + _ACCIDENTALS[accidental], mode)


def spell(pitch: int, key: Key | None, following: int | None = None) -> Spelled:
    """How ``pitch`` is written in ``key``.

    Args:
        pitch: MIDI number.
        key: the key; None is spelled as C major.
        following: the next other pitch the voice sings, None where there is none.
    """
    lowest = (signature(key) if key else 0) + _LOWEST
    fifths = lowest + (pitch * _FIFTH - lowest) % 12
    if fifths == lowest + _HIGHEST - _LOWEST and following == pitch - 1:
        fifths -= 12
    letter, alter = (fifths + 1) % len(_LETTERS), (fifths + 1) // len(_LETTERS)
    return Spelled(_LETTERS[letter], alter, (pitch - alter) // 12 - 1)


def spell_melody(pitches: Sequence[int], key: Key | None) -> list[Spelled]:
    """How the notes of one voice are written.

    Args:
        pitches: the MIDI number of each note in turn, repeated notes each for itself.
        key: the key; None is spelled as C major.
    """
    spelled: list[Spelled] = []
    following: int | None = None
    for pitch, group in reversed([(p, list(run)) for p, run in itertools.groupby(pitches)]):
        spelled += [spell(pitch, key, following)] * len(group)
        following = pitch
    return spelled[::-1]


def signature(key: Key) -> int:
    """Sharps (positive) or flats (negative) of the printed signature, at most ``MOST_SIGNS``.

    Keys that would need more, as D# major, take that of their usual spelling.
    """
    if abs(key.fifths) <= MOST_SIGNS:
        return key.fifths
    return Key.of(key.pitch_class, key.mode).fifths


def likely_key(pitches: Pitches) -> Key:
    """The major key in whose scale the most of ``pitches`` lie; of equals the fewest signs.

    It serves to spell a piece whose key is not known; whether that is major or minor, it does not
    say.

    Args:
        pitches: int16 (T, 4), MIDI numbers or REST.
    """
    sung = pitches[pitches != REST]
    counts = np.bincount(sung % 12, minlength=12)
    best = max(_FEWEST_SIGNS_FIRST, key=lambda signs: _in_scale(counts, signs))
    return Key.of(best * _FIFTH, "major")


def _in_scale(counts: np.ndarray[tuple[int], np.dtype[np.intp]], signs: int) -> int:
    """How many notes lie in the major scale with ``signs``; ``counts`` (12,) by pitch class."""
    return sum(int(counts[(signs + fifths) * _FIFTH % 12]) for fifths in _SCALE)
