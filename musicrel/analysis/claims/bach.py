"""Bach's own repetition, shown beside that of a piece.

The figures are those of the bundled test pieces, with the intervals of ``intervals`` at seed 0;
``tests/unit/analysis/claims/test_bach.py`` computes them again.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from musicrel.analysis.claims.intervals import Estimate

PIECES: Final = 75
"""Number of test pieces."""
REPETITION: Final[Mapping[str, Estimate]] = MappingProxyType(
    {
        "repeated_notes": Estimate(0.14335, 0.13345, 0.15387),
        "longest_pitch": Estimate(5.0967, 4.7267, 5.5000),
    }
)
"""By measure; see ``measures``."""
