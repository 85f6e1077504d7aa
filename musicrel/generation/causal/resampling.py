"""Weights of particles: effective sample size, systematic resampling, a draw.

Source: Chopin and Papaspiliopoulos, *An Introduction to Sequential Monte Carlo* (2020), 8 to 10.

Dimensions: K particles.
"""

from __future__ import annotations

import numpy as np

from musicrel.generation.sampling import Floats, Tokens


def normalised(log_weight_K: Floats) -> Floats:
    """Return weights that sum to 1, float64 (K,), from log-weights in nats."""
    weight_K = np.exp(log_weight_K - log_weight_K.max())
    return np.asarray(weight_K / weight_K.sum())


def effective_size(log_weight_K: Floats) -> float:
    """Return the effective sample size, 1 (one particle has all the weight) to K (all are equal).

    1 / sum of the squared normalised weights (Kong, Liu and Wong 1994).
    """
    return float(1 / (normalised(log_weight_K) ** 2).sum())


def systematic(log_weight_K: Floats, uniform: float) -> Tokens:
    """Draw the particle that each one continues, by systematic resampling (Kitagawa 1996).

    Particles that are drawn stay in their place; the others become copies of those drawn again.

    Args:
        log_weight_K: log-weights in nats.
        uniform: a random number in [0, 1).

    Returns:
        int64 (K,).
    """
    count = len(log_weight_K)
    places_K = (np.arange(count) + uniform) / count
    times_K = np.bincount(_indices(log_weight_K, places_K), minlength=count)
    rows_K = np.arange(count)
    rows_K[times_K == 0] = np.repeat(rows_K, np.maximum(times_K - 1, 0))
    return rows_K


def draw(log_weight_K: Floats, uniform: float) -> int:
    """Draw a particle with a probability in proportion to its weight.

    Args:
        log_weight_K: log-weights in nats.
        uniform: a random number in [0, 1).
    """
    return int(_indices(log_weight_K, np.array([uniform]))[0])


def _indices(log_weight_K: Floats, places: Floats) -> Tokens:
    """Return the particle at each of ``places``, 0 to 1, of the cumulative weights."""
    cumulative_K = normalised(log_weight_K).cumsum()
    found = np.searchsorted(cumulative_K / cumulative_K[-1], places, side="right")
    return np.asarray(np.minimum(found, len(log_weight_K) - 1))
