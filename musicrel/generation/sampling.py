"""Choosing one token for each of several sequences, each by chance of its own.

A sequence's chance is a row of numbers made from its seed and way alone, one for every place; so
what is chosen at a place depends on that place's number and on the model, never on the sequences
beside it.

Dimensions: B sequences, N places, V vocabulary.

This file knows logits; it knows nothing of music.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Flags

Numbers: TypeAlias = npt.NDArray[np.float64]
Tokens: TypeAlias = npt.NDArray[np.int64]

_WAYS: Final = 2
"""Sets the chance of other ways apart from what else begins with a seed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How one sequence is sampled.

    Attributes:
        temperature: divides the logits; 0 takes the largest.
        top_k: keep so many of the largest, 0: all.
        top_p: keep the largest whose probabilities sum to at least this (Holtzman et al. 2020).
    """

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0


def chance(seed: int, places: int, way: int = 0) -> Numbers:
    """The numbers of one sequence, (N,), in [0, 1); more places begin with the same numbers.

    Args:
        seed: of the sequence.
        places: N.
        way: every other way has other numbers.
    """
    source = [seed, _WAYS, way] if way else seed
    return np.random.Generator(np.random.PCG64(source)).random(places)


class Sampler:
    """Chooses a token for every sequence.

    Args:
        rows: how each is sampled.
    """

    def __init__(self, rows: Sequence[Sampling]) -> None:
        temperature_B1 = np.array([[row.temperature] for row in rows], dtype=np.float64)
        self._is_cold = temperature_B1[:, 0] == 0.0
        self._temperature_B1 = np.where(temperature_B1 == 0.0, 1.0, temperature_B1)
        self._top_p_B1 = np.array([[row.top_p] for row in rows], dtype=np.float64)
        self._top_k_B1 = np.array([[row.top_k or np.iinfo(np.int64).max] for row in rows])
        self._narrows = any(row.top_k or row.top_p < 1.0 for row in rows)

    def choose(self, logits_BV: Numbers, legal_BV: Flags, chance_B: Numbers) -> Tokens:
        """One legal token for each sequence: int64 (B,).

        The tokens kept stand side by side on a line, each as long as it is probable; the one taken
        lies at ``chance_B`` of the way.

        Args:
            logits_BV: unnormalised log-probabilities.
            legal_BV: True where a token may be chosen; at least one a row is.
            chance_B: numbers in [0, 1); not used at temperature 0.
        """
        legal_logits_BV = np.where(legal_BV, logits_BV, -np.inf)
        below_BV = legal_logits_BV - legal_logits_BV.max(axis=1, keepdims=True)
        with np.errstate(over="ignore"):  # towards temperature 0 the others go to -inf
            length_BV = np.exp(below_BV / self._temperature_B1)
        if self._narrows:
            length_BV = narrowed(length_BV, self._top_k_B1, self._top_p_B1)
        reach_BV = length_BV.cumsum(axis=1)
        end_B1 = reach_BV[:, -1:]
        aim_B1 = np.minimum(chance_B[:, None] * end_B1, np.nextafter(end_B1, 0.0))
        chosen_B: Tokens = (reach_BV <= aim_B1).sum(axis=1)
        if not self._is_cold.any():
            return chosen_B
        likeliest_B: Tokens = legal_logits_BV.argmax(axis=1)
        return np.where(self._is_cold, likeliest_B, chosen_B)


def narrowed(length_BV: Numbers, top_k_B1: npt.ArrayLike, top_p_B1: npt.ArrayLike) -> Numbers:
    """Zero where top-k or top-p leaves a token out.

    Args:
        length_BV: how probable each token is, up to a factor a row.
        top_k_B1: keep so many of the largest.
        top_p_B1: keep the largest whose probabilities sum to at least this.
    """
    order_BV = np.argsort(-length_BV, axis=1, kind="stable")
    sorted_BV = np.take_along_axis(length_BV, order_BV, axis=1)
    share_BV = sorted_BV / sorted_BV.sum(axis=1, keepdims=True)
    before_BV = share_BV.cumsum(axis=1) - share_BV
    kept_BV = (before_BV < top_p_B1) & (np.arange(share_BV.shape[1]) < top_k_B1)
    narrowed_BV = np.zeros_like(length_BV)
    np.put_along_axis(narrowed_BV, order_BV, np.where(kept_BV, sorted_BV, 0.0), axis=1)
    return narrowed_BV


def log_probabilities(logits_BV: Numbers) -> Numbers:
    """The model's own distributions: log p, (B, V)."""
    below_BV = logits_BV - logits_BV.max(axis=1, keepdims=True)
    normalised: Numbers = below_BV - np.log(np.exp(below_BV).sum(axis=1, keepdims=True))
    return normalised
