"""The result of an edit, and how it moves what belongs to cells, such as locks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Chorale, Flags
from musicrel.editing.selection import Selection


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Edit:
    piece: Chorale
    selection: Selection | None = None  # what is selected after the edit; None: nothing
    # for every step of ``piece`` the step of the old piece that it was, or -1 for a new one,
    # int64 (T,). None: steps were at most added at the end
    source_T: npt.NDArray[np.int64] | None = None

    def moved(self, cells: Flags) -> Flags:
        """Return flags of the old piece, bool (T, 4), for the steps of the new one."""
        steps = self.piece.steps
        source_T = self.source_T if self.source_T is not None else np.arange(steps)
        known_T = (source_T >= 0) & (source_T < len(cells))
        moved = np.zeros((steps, cells.shape[1]), dtype=np.bool_)
        moved[known_T] = cells[source_T[known_T]]
        return moved
