"""The Wasserstein distance of two distributions of symbols.

The symbols are ordered by their frequency in the reference, most frequent first, and the distance
is the work of moving one distribution's mass to the other's along that order. Rare symbols are far
out, so missing the common ones costs little and using unknown ones costs much. The grade of Fang et
al. 2020, "Bach or Mock?" (arXiv 2006.13329), compares music this way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

SymbolCounts: TypeAlias = Mapping[str, int]
"""The count of each symbol, in the order of their first occurrence; there is at least one."""


def by_rank(counts: SymbolCounts) -> list[str]:
    """List the symbols, most frequent first; ties in the order of first occurrence."""
    return sorted(counts, key=lambda symbol: -counts[symbol])


def distance(counts: SymbolCounts, reference: SymbolCounts) -> float:
    """Compute the Wasserstein distance of two distributions over the reference's ranks.

    sum over bins n of |F(n) - G(n)|, F and G the shares of all mass in bins 0 to n. The bins are
    the reference's symbols by rank, then those it lacks by their share in ``counts``.

    Args:
        counts: counts of the music that is measured.
        reference: counts of the music it is compared with.

    Returns:
        0.0 for the same shares; the unit is one rank.
    """
    lacking = {symbol: count for symbol, count in counts.items() if symbol not in reference}
    bins = by_rank(reference) + by_rank(lacking)
    difference = _shares(counts, bins) - _shares(reference, bins)
    return float(np.abs(np.cumsum(difference)).sum())


def _shares(counts: SymbolCounts, bins: Sequence[str]) -> npt.NDArray[np.float64]:
    mass = np.array([counts.get(symbol, 0) for symbol in bins], dtype=np.float64)
    return np.asarray(mass / mass.sum())
