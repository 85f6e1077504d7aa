"""The particles of one window: their tokens, weights and random numbers.

A particle is a sequence of tokens that is written beside others and weighted. Weights are
log-weights in nats.

Dimensions: K particles, N tokens.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np

from musicrel.generation.causal.batch_forward import DecodeSequence
from musicrel.generation.causal.search_windows import Window
from musicrel.generation.constraints.cell_constraints import DeadEnd
from musicrel.generation.sampling import Choice, Floats, Tokens, uniforms
from musicrel.tokens import codec

_STREAM: Final = 4  # separates these random numbers from those of the notes
_STREAMS_OF_AN_ATTEMPT: Final = 100_000
"""More streams of random numbers than the particles of a window ever take."""


def effective_size(log_weight_K: Floats) -> float:
    """Return the effective sample size, 1 (one particle has all the weight) to K (all are equal).

    1 / sum of the squared normalised weights (Kong, Liu and Wong 1994).
    """
    return float(1 / (_normalised(log_weight_K) ** 2).sum())


def systematic(log_weight_K: Floats, uniform: float) -> Tokens:
    """Draw the particle, int64 (K,), that each one continues (systematic, Kitagawa 1996).

    Particles that are drawn stay in their place; the others become copies of those drawn again.
    """
    count = len(log_weight_K)
    places_K = (np.arange(count) + uniform) / count
    times_K = np.bincount(_indices(log_weight_K, places_K), minlength=count)
    rows_K = np.arange(count)
    rows_K[times_K == 0] = np.repeat(rows_K, np.maximum(times_K - 1, 0))
    return rows_K


def draw(log_weight_K: Floats, uniform: float) -> int:
    """Draw a particle with a probability in proportion to its weight."""
    return int(_indices(log_weight_K, np.array([uniform]))[0])


def _normalised(log_weight_K: Floats) -> Floats:
    weight_K = np.exp(log_weight_K - log_weight_K.max())
    return np.asarray(weight_K / weight_K.sum())


def _indices(log_weight_K: Floats, places: Floats) -> Tokens:
    """Return the particle at each of ``places``, 0 to 1, of the cumulative weights."""
    cumulative_K = _normalised(log_weight_K).cumsum()
    found = np.searchsorted(cumulative_K / cumulative_K[-1], places, side="right")
    return np.asarray(np.minimum(found, len(log_weight_K) - 1))


class Passage(NamedTuple):
    """The tokens of a window that one particle has chosen, to the last that is kept."""

    choices_N: Choice
    dead_ends: Mapping[int, DeadEnd]  # cells without a legal token, by their place in the choices


class Particles:
    """The particles of one window.

    Args:
        sequence: what is written before the window, as its prompt.
        attempt: number of the search of this window, from 0; each has its own random numbers.

    Attributes:
        log_weight_K: float64 (K,), log-weights since the last resampling.
    """

    def __init__(
        self, sequence: DecodeSequence, window: Window, count: int, attempt: int = 0
    ) -> None:
        self._seed, self._window = sequence.seed, window
        entropy = [sequence.seed, _STREAM, window.first]
        self._random = np.random.default_rng([*entropy, attempt] if attempt else entropy)
        shape = count, window.read + 1
        ids_KN = np.zeros(shape, dtype=np.int64)
        ids_KN[:, : window.first] = sequence.prompt
        self._choices_KN = Choice(ids_KN, np.zeros(shape), np.zeros(shape), np.zeros(shape))
        self.log_weight_K = np.zeros(count)
        self._dead_ends_K: list[dict[int, DeadEnd]] = [{} for _ in range(count)]
        self._streams = attempt * _STREAMS_OF_AN_ATTEMPT
        self._draw_uniforms()

    def __len__(self) -> int:
        return len(self.log_weight_K)

    @property
    def ids_KN(self) -> codec.Ids:  # noqa: N802  # shape suffix
        """Return the tokens, START first, int64 (K, read + 1)."""
        return self._choices_KN.tokens

    def uniforms(self, index: int) -> Floats:
        return np.asarray(self._uniforms_KN[:, index - 1])

    def write(self, index: int, choice: Choice, dead_ends: Mapping[int, DeadEnd]) -> None:
        """Write the token ``index`` of each; dead ends are by the number of the particle."""
        for all_KN, new_K in zip(self._choices_KN, choice, strict=True):
            all_KN[:, index] = new_K
        for row, end in dead_ends.items():
            self._dead_ends_K[row][index - self._window.first] = end

    def resample(self) -> Tokens:
        """Replace particles of little weight by copies of others; all get new random numbers.

        Returns:
            int64 (K,), the particle that each one continues.
        """
        rows_K = systematic(self.log_weight_K, self._random.random())
        self._choices_KN = self._choices_KN.at(rows_K)
        self.log_weight_K = np.zeros(len(self))
        self._dead_ends_K = [{**self._dead_ends_K[row]} for row in rows_K]
        self._draw_uniforms()
        return rows_K

    def drawn(self) -> int:
        return draw(self.log_weight_K, self._random.random())

    def passage(self, row: int) -> Passage:
        kept = slice(self._window.first, self._window.last + 1)
        return Passage(self._choices_KN.at((row, kept)), self._dead_ends_K[row])

    def _draw_uniforms(self) -> None:
        streams = range(self._streams, self._streams + len(self))
        self._streams += len(self)
        length = self._window.read
        self._uniforms_KN = np.stack([uniforms(self._seed, length, stream) for stream in streams])
