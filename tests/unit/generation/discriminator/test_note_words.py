"""Notes as words."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Voice
from musicrel.generation.discriminator import note_words
from musicrel.generation.discriminator.beat import beats
from tests.helpers.music import random_chorale


def naive(piece: Chorale) -> Counter[str]:
    """Count the words of whole voices, and their pairs, from the notes of the piece."""
    found: Counter[str] = Counter()
    positions = piece.bar_positions()
    for voice in Voice:
        line, starts = piece.pitches[:, voice], np.flatnonzero(piece.onsets[:, voice])
        words = []
        for start, after in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
            rests = np.flatnonzero(line[start:after] == REST).tolist()
            length = min([after - start, *rests, 12])
            interval = int(np.clip(line[after] - line[start], -7, 7))
            words.append(f"{voice.name[0]}{interval:+d}/{length}@{positions[start] % 4}")
        found.update(words)
        found.update(f"{one} {two}" for one, two in pairwise(words))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_words_of_all_beats_are_those_of_the_voices(seed: int) -> None:
    """Each is counted once, in the beat in which its next note begins."""
    piece = replace(random_chorale(seed, 64), pickup=4 * (seed % 2))

    found = Counter(word for beat in beats(piece) for word in note_words.words(beat))

    assert found == naive(piece)


def test_a_word_names_interval_length_and_place() -> None:
    """A half note, then an eighth off the beat that leaps up an octave."""
    line = np.array([60] * 6 + [62] * 2 + [74] * 4)
    piece = Chorale.of(np.stack([line, *[np.full(12, REST)] * 3], axis=1))

    assert [list(note_words.words(beat)) for beat in beats(piece)] == [
        [],
        ["S+2/6@0"],
        ["S+7/2@2", "S+2/6@0 S+7/2@2"],
    ]
