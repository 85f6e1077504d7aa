"""Pitch spelling: the letter and accidental of a MIDI number in a key.

On the line of fifths (... Bb F C G D A E B F# C# G# D# ...) a key takes twelve neighbours, from
two fifths below the tonic of its major scale to nine above: in C major and A minor Bb to D#. This
covers the scale, the raised sixth and seventh degree in minor and the leading notes of all related
keys. Only the outermost sharp may become a flat: it does if the melody falls from it by a semitone.
Of the 92,572 notes in music21's Bach chorales 99.9 % are spelled as printed there.

The line of fifths as the place of spelling: D. Temperley, *The Cognition of Basic Musical
Structures*, 2001, chapter 5.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from musicrel.chorale import REST, Key, Mode, Pitches

MAX_SIGNS: Final = 7  # largest number of sharps or flats in a printed key signature

LETTERS: Final = "FCGDAEB"  # each a fifth above the one before
_ACCIDENTALS: Final[Mapping[int, str]] = {-1: "b", 0: "", 1: "#"}
_FIFTH: Final = 7  # a fifth in semitones; also a sharp, counted on the line of fifths
_LOWEST: Final = -2
# Ends of the range of a key on the line of fifths, from the tonic of its major scale.
_HIGHEST: Final = 9
_SCALE: Final = range(-1, 6)  # the major scale on the line of fifths, from its tonic


class SpelledPitch(NamedTuple):
    """The spelling of a pitch."""

    step: str
    alter: int  # alteration in semitones, 1 = sharp, -1 = flat
    octave: int  # octave of the letter; that of middle C is 4


def altered_letters(fifths: int) -> dict[str, int]:
    """Return the letters that ``fifths`` sharps (negative: flats) alter, by 1 or -1 semitones."""
    letters = LETTERS[:fifths] if fifths >= 0 else LETTERS[fifths:]
    return dict.fromkeys(letters, 1 if fifths > 0 else -1)


def key_from_signature(fifths: int, mode: Mode) -> Key:
    """Return the key with a signature of ``fifths`` sharps (negative: flats), at most seven."""
    accidental, letter = divmod(fifths + (4 if mode == "minor" else 1), len(LETTERS))
    return Key(LETTERS[letter] + _ACCIDENTALS[accidental], mode)


def spell(pitch: int, key: Key | None, following: int | None = None) -> SpelledPitch:
    """Spell ``pitch`` in ``key``."""
    lowest = (signature(key) if key else 0) + _LOWEST
    fifths = lowest + (pitch * _FIFTH - lowest) % 12
    if fifths == lowest + _HIGHEST - _LOWEST and following == pitch - 1:
        fifths -= 12
    letter, alter = (fifths + 1) % len(LETTERS), (fifths + 1) // len(LETTERS)
    return SpelledPitch(LETTERS[letter], alter, (pitch - alter) // 12 - 1)


def spell_melody(pitches: Sequence[int], key: Key | None) -> list[SpelledPitch]:
    """Spell the notes of one voice."""
    spelled: list[SpelledPitch] = []
    following: int | None = None
    for pitch, group in reversed([(p, list(run)) for p, run in itertools.groupby(pitches)]):
        spelled += [spell(pitch, key, following)] * len(group)
        following = pitch
    return spelled[::-1]


def signature(key: Key) -> int:
    """Return the sharps (negative: flats) of the printed signature, at most ``MAX_SIGNS``.

    Keys that would need more, such as D# major, use that of their common spelling.
    """
    if abs(key.fifths) <= MAX_SIGNS:
        return key.fifths
    return Key.of(key.pitch_class, key.mode).fifths


def estimate_key(pitches: Pitches) -> Key:
    """Estimate a key for spelling: the major scale with the most notes; of equals the fewest signs.

    The mode is not estimated.
    """
    sounding = pitches[pitches != REST]
    counts = np.bincount(sounding % 12, minlength=12)
    scales = {
        signs: sum(int(counts[(signs + fifths) * _FIFTH % 12]) for fifths in _SCALE)
        for signs in sorted(range(-5, 7), key=abs)
    }
    return Key.of(max(scales, key=scales.__getitem__) * _FIFTH, "major")
