"""Repair of the faults in what an infilling model has written.

A Gibbs sweep draws each note given all others. So no sweep sees a cadence as a whole, and parallels
and chords stay where each of the notes alone fits. The cells of such a fault are therefore hidden
and drawn again, given each other and the rest of the piece. The first draw that leaves fewer faults
there is kept: rejection sampling, in a few attempts.

Dimensions: T steps, 4 voices.
"""

from __future__ import annotations

import numpy as np

from musicrel.analysis import keys
from musicrel.chorale import Flags
from musicrel.generation.infill import faults, gibbs_blocks
from musicrel.generation.infill.close_mask import close_mask
from musicrel.generation.infill.faults import Fault, FaultFinder
from musicrel.generation.infill.gibbs_blocks import Block
from musicrel.generation.infill.infill_state import InfillState
from musicrel.generation.phrasing.phrase_ends import PhraseEnd


class Repair:
    """An attempt to repair the faults of a candidate.

    Args:
        state: the candidate, entirely filled.
        finder: finds its faults.
    """

    def __init__(self, state: InfillState, finder: FaultFinder) -> None:
        self._state, self._finder = state, finder
        self._before = state.tokens.copy()
        self._piece = state.piece()
        self._found = finder.faults(self._piece)
        self._places = faults.apart(
            [fault for fault in self._found if fault.is_repaired and self._is_free(fault)]
        )

    def begin(self, passes: int, *, masked: bool) -> list[list[Block]]:
        """Hide the cells of the faults, and return them as places to fill.

        Args:
            passes: number of forward passes in which a block is filled.
            masked: allow only tokens with which phrases close as wanted.
        """
        places = [
            gibbs_blocks.blocks_between(self._cells(place), place.start, place.stop, passes)
            for place in self._places
        ]
        for place, blocks in zip(self._places, places, strict=True):
            self._state.forbid_parallels()
            self._state.hide(blocks)
            if masked and place.end is not None:
                self._state.narrow(place.start, self._mask(place.end, place.start))
        return places

    def end(self) -> None:
        """Take back each place that is not better than before."""
        self._state.widen()
        found = self._finder.faults(self._state.piece()) if self._places else []
        for place in self._places:
            if not faults.is_better(found, self._found, place):
                steps = slice(place.start, place.stop)
                self._state.tokens[steps] = self._before[steps]

    def _mask(self, end: PhraseEnd, start: int) -> Flags:
        key = self._finder.key or keys.estimate(self._piece.pitches)
        return close_mask(end, self._piece, key, start, self._state.pitch_V)

    def _is_free(self, fault: Fault) -> bool:
        return bool(self._cells(fault).any())

    def _cells(self, fault: Fault) -> Flags:
        """Return the free cells that are drawn again, bool (T, 4)."""
        cells = np.zeros_like(self._state.free)
        cells[fault.start : fault.stop, list(fault.voices)] = True
        return np.asarray(cells & self._state.free)
