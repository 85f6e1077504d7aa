"""The features of the discriminator: what a beat counts towards.

They follow set G of ``training.examination.features``, which guides decisions. Its other set, R,
shares none of them, so that its figures stay those of a judge who had no part in the writing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from musicrel.chorale import Chorale
from musicrel.generation.discriminator import counterpoint, harmony, note_words, rhythm
from musicrel.generation.discriminator.beat import Beat, beats


def features(beat: Beat) -> Iterator[str]:
    """Yield the features of a beat, some of them more than once."""
    yield from rhythm.features(beat)
    yield from harmony.features(beat)
    yield from counterpoint.features(beat)
    yield from note_words.words(beat)


def counts(piece: Chorale) -> Counter[str]:
    """Return how often each feature occurs in a piece."""
    return Counter(feature for beat in beats(piece) for feature in features(beat))
