"""Heads whose output is replaced by fixed values, such as their mean over the training pieces.

Dimensions: L layers, H heads, d head width, 5 four voices and their mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

ANY: Final = 4
"""Row of the values at a position that predicts no note, or notes of several voices."""
ROWS: Final = ANY + 1


@dataclass(frozen=True, eq=False, slots=True)
class ReplacedHeads:
    """The heads of a model that are replaced.

    Attributes:
        is_replaced_LH: bool, whether a head is replaced.
        values_5LHd: float32, what replaces its output, the weighted values before the output
            projection: a row for each voice of the predicted note, and ``ANY``.
    """

    is_replaced_LH: npt.NDArray[np.bool_]
    values_5LHd: npt.NDArray[np.float32]
