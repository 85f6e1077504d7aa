"""Sampling: one token for each of several sequences, each with its own random numbers.

The random numbers of a sequence depend on its seed and stream alone, with one number for each
index. A choice therefore depends on the index and the model, never on the rest of the batch.

Infilling applies the temperature itself, in ``infill.span_sampler.CellSpanSampler`` and, for the
pitches of held notes, in ``infill.infill_state.InfillState.resample_pitch``.

Dimensions: B sequences, N tokens, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Flags

Floats: TypeAlias = npt.NDArray[np.float64]
Tokens: TypeAlias = npt.NDArray[np.int64]

_STREAM_KEY: Final = 2
"""Separates the streams of a seed from other random numbers with the same seed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """Sampling parameters of one sequence.

    Attributes:
        temperature: divisor of the logits; 0 takes the largest logit.
        top_k: number of most probable tokens to choose from; 0: all.
        top_p: cumulative probability of the most probable tokens to choose from (nucleus sampling,
            Holtzman et al. 2020).
    """

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0

    @property
    def is_greedy(self) -> bool:
        """Return True where only the most probable token can be chosen."""
        return self.temperature == 0 or self.top_k == 1


def uniforms(seed: int, length: int, stream: int = 0) -> Floats:
    """Return uniform random numbers in [0, 1), float64 (length,).

    A longer array begins with the same numbers.

    Args:
        seed: seed of the sequence.
        length: number of values.
        stream: number of an independent stream of the same seed.
    """
    source = [seed, _STREAM_KEY, stream] if stream else seed
    return np.random.Generator(np.random.PCG64(source)).random(length)


class Sampler:
    """A sampler of one token for each sequence of a batch.

    Args:
        rows: parameters of each sequence.
    """

    def __init__(self, rows: Sequence[Sampling]) -> None:
        temperature_B1 = np.array([[row.temperature] for row in rows], dtype=np.float64)
        self._is_cold = temperature_B1[:, 0] == 0.0
        self._temperature_B1 = np.where(temperature_B1 == 0.0, 1.0, temperature_B1)
        self._top_p_B1 = np.array([[row.top_p] for row in rows], dtype=np.float64)
        self._top_k_B1 = np.array([[row.top_k or np.iinfo(np.int64).max] for row in rows])
        self._filters = any(row.top_k or row.top_p < 1.0 for row in rows)

    def choose(self, logits_BV: Floats, legal_BV: Flags, uniforms_B: Floats) -> Tokens:
        """Sample a legal token for each sequence by inverting the cumulative distribution.

        Args:
            logits_BV: float64 (B, V), unnormalised log-probabilities.
            legal_BV: bool (B, V), at least one True in each row.
            uniforms_B: float64 (B,) in [0, 1); unused at temperature 0.

        Returns:
            int64 (B,).
        """
        legal_logits_BV = np.where(legal_BV, logits_BV, -np.inf)
        shifted_BV = legal_logits_BV - legal_logits_BV.max(axis=1, keepdims=True)
        with np.errstate(over="ignore"):  # towards temperature 0 the others go to -inf
            weight_BV = np.exp(shifted_BV / self._temperature_B1)
        if self._filters:
            weight_BV = filter_top_k_top_p(weight_BV, self._top_k_B1, self._top_p_B1)
        cumulative_BV = weight_BV.cumsum(axis=1)
        end_B1 = cumulative_BV[:, -1:]
        target_B1 = np.minimum(uniforms_B[:, None] * end_B1, np.nextafter(end_B1, 0.0))
        sampled_B: Tokens = (cumulative_BV <= target_B1).sum(axis=1)
        if not self._is_cold.any():
            return sampled_B
        argmax_B: Tokens = legal_logits_BV.argmax(axis=1)
        return np.where(self._is_cold, argmax_B, sampled_B)


def filter_top_k_top_p(
    weight_BV: Floats, top_k_B1: npt.ArrayLike, top_p_B1: npt.ArrayLike
) -> Floats:
    """Return the weights with zeros where top-k or top-p filters a token out.

    Args:
        weight_BV: float64 (B, V), probabilities up to a factor for each row.
        top_k_B1: number of largest weights to keep.
        top_p_B1: cumulative probability of the largest weights to keep.
    """
    order_BV = np.argsort(-weight_BV, axis=1, kind="stable")
    sorted_BV = np.take_along_axis(weight_BV, order_BV, axis=1)
    share_BV = sorted_BV / sorted_BV.sum(axis=1, keepdims=True)
    before_BV = share_BV.cumsum(axis=1) - share_BV
    kept_BV = (before_BV < top_p_B1) & (np.arange(share_BV.shape[1]) < top_k_B1)
    filtered_BV = np.zeros_like(weight_BV)
    np.put_along_axis(filtered_BV, order_BV, np.where(kept_BV, sorted_BV, 0.0), axis=1)
    return filtered_BV


def log_softmax(logits_BV: Floats) -> Floats:
    """Return the log-probabilities of logits, float64 (B, V)."""
    shifted_BV = logits_BV - logits_BV.max(axis=1, keepdims=True)
    normalised: Floats = shifted_BV - np.log(np.exp(shifted_BV).sum(axis=1, keepdims=True))
    return normalised
