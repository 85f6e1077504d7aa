"""How far one distribution is from another, when both only count symbols.

The symbols are put in a row, the reference's commonest first, and the distance is the work of
carrying one distribution's mass to the other's along that row: rare symbols lie far out, so
missing the common ones costs little and using unheard ones costs much. This is how the grade of
Fang et al. 2020, "Bach or Mock?" (arXiv 2006.13329), compares music.

This file knows counts; it knows nothing of music.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Counts: TypeAlias = Mapping[str, int]
"""How often each symbol occurs, in the order of their first occurrence; at least one does."""


def ranked(counts: Counts) -> list[str]:
    """The symbols, the commonest first; of equally common ones the one that occurred first."""
    return sorted(counts, key=lambda symbol: -counts[symbol])


def distance(counts: Counts, reference: Counts) -> float:
    """The Wasserstein distance of two distributions over the reference's ranks.

    sum over bins n of |F(n) - G(n)|, F and G the shares of all mass in bins 0 to n, the bins being
    the reference's symbols by rank, then those it lacks by their share in ``counts``.

    Args:
        counts: of the music that is asked about.
        reference: of the music it is compared with.

    Returns:
        0.0 for the same shares; the unit is one rank.
    """
    lacking = {symbol: count for symbol, count in counts.items() if symbol not in reference}
    bins = ranked(reference) + ranked(lacking)
    difference = _shares(counts, bins) - _shares(reference, bins)
    return float(np.abs(np.cumsum(difference)).sum())


def _shares(counts: Counts, bins: Sequence[str]) -> npt.NDArray[np.float64]:
    mass = np.array([counts.get(symbol, 0) for symbol in bins], dtype=np.float64)
    return np.asarray(mass / mass.sum())
