"""Names of tokens for people, and the most probable ones."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Key
from musicrel.presentation.words import names
from musicrel.tokens.vocabulary import LOWEST_PITCH, PITCHES, REST_TOKEN, Vocabulary

Distribution = npt.NDArray[np.floating]
_HELD: Final = "{pitch} held"
_REST: Final = "rest"


class Choice(NamedTuple):
    """A token with its probability."""

    token: int
    name: str  # in words, as "F♯4" or "F♯4 held"
    probability: float  # 0 to 1


def token_name(token: int, vocabulary: Vocabulary, key: Key | None = None) -> str:
    """Return the name of a token, as 'F♯4', 'F♯4 held' or 'rest'."""
    if token < vocabulary.first_onset:
        return _REST if token == REST_TOKEN else vocabulary.symbols()[token]
    pitch = names.pitch((token - vocabulary.first_onset) % PITCHES + LOWEST_PITCH, key)
    is_held = vocabulary.holds and token >= vocabulary.first_hold
    return _HELD.format(pitch=pitch) if is_held else pitch


def most_probable(
    log_p: Distribution,
    most: int,
    vocabulary: Vocabulary,
    key: Key | None = None,
) -> tuple[Choice, ...]:
    """Return the most probable tokens, the first one first.

    Args:
        log_p: log-probabilities of all tokens in nats, (V,).
        key: of the piece; it decides between sharps and flats.
    """
    order = np.argsort(-log_p, kind="stable")[:most]
    return tuple(
        Choice(int(token), token_name(int(token), vocabulary, key), float(np.exp(log_p[token])))
        for token in order
    )
