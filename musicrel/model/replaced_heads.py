"""Heads whose output is replaced by fixed values, such as their mean over the training pieces.

Dimensions: L layers, H heads, d head width, 5 four voices and their mean, R rows of a step, S keys.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

ANY: Final = 4
"""Row of the values at a position that predicts no note, or notes of several voices."""
ROWS: Final = ANY + 1


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Ablations:
    """Replaced, removed and omitted parts at the query of each row of a step."""

    # whether the output of a head is replaced; None: nowhere. A single row where it is replaced at
    # all positions
    replaced_RLH: npt.NDArray[np.bool_] | None = None
    # float32, what replaces it, the weighted values before the output projection: a row for each
    # voice of the predicted note, and ``ANY``
    values_5LHd: npt.NDArray[np.float32] | None = None
    # whether a key is removed in all layers; None: none
    removed_RS: npt.NDArray[np.bool_] | None = None
    layers: int | None = None  # number of first layers that are applied; None: all

    def __len__(self) -> int:
        flags = self.removed_RS if self.replaced_RLH is None else self.replaced_RLH
        return 1 if flags is None else len(flags)

    def parts(self, rows: int) -> list[Ablations]:
        return [
            replace(
                self,
                replaced_RLH=None if self.replaced_RLH is None else self.replaced_RLH[part],
                removed_RS=None if self.removed_RS is None else self.removed_RS[part],
            )
            for part in (slice(first, first + rows) for first in range(0, len(self), rows))
        ]


def value_rows(wanted_BT4: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Return the row of the values at each step of an infilling model, (B, T).

    It is the voice of the predicted cell, and ``ANY`` where none or several are predicted.
    """
    return np.where(wanted_BT4.sum(axis=-1) == 1, wanted_BT4.argmax(axis=-1), ANY)
