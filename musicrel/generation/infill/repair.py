"""Repair of the faults in what an infilling model has written.

A Gibbs sweep draws each note given all others. So no sweep sees a cadence as a whole, and parallels
and chords stay where each of the notes alone fits. The cells of such a fault are therefore hidden
and drawn again, given each other and the rest of the piece. The first draw that leaves fewer faults
there is kept: rejection sampling, in a few attempts.

Dimensions: T steps, 4 voices.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.analysis import keys
from musicrel.chorale import REST, STEPS_PER_QUARTER, Chorale, Flags, Key, Mode, Voice
from musicrel.generation.infill import faults, gibbs_blocks
from musicrel.generation.infill.faults import Fault, FaultFinder
from musicrel.generation.infill.gibbs_blocks import Block
from musicrel.generation.infill.infill_state import InfillState
from musicrel.generation.phrasing.phrase_ends import PhraseEnd

_APPROACH_STEPS: Final = STEPS_PER_QUARTER // 2
_TRIADS: Final[Mapping[str, tuple[int, ...]]] = MappingProxyType(
    {"authentic": (0, 3, 4, 7), "plagal": (0, 3, 4, 7), "half": (0, 4, 7)}
)
"""Semitones of the last chord above its root, within a piece."""
_ROOTS: Final[Mapping[str, int]] = MappingProxyType({"authentic": 0, "plagal": 0, "half": 7})
"""Semitones of that root above the tonic of the piece."""
_APPROACHES: Final[Mapping[str, tuple[tuple[int, ...], tuple[int, ...]]]] = MappingProxyType(
    {"authentic": ((7, 11, 2, 5), (7, 11)), "plagal": ((5, 8, 9, 0), (5,))}
)
"""Semitones of the chord before it above its root: of all voices and of the bass."""
_DEGREES: Final[Mapping[Mode, frozenset[int]]] = MappingProxyType(
    {"major": frozenset({0, 2, 4, 5, 7, 9}), "minor": frozenset({0, 3, 5, 7, 8, 10})}
)
"""Degrees of a key on which phrases close authentically, in semitones above its tonic."""


def close_mask(
    end: PhraseEnd, piece: Chorale, key: Key, start: int, pitch_V: npt.NDArray[np.int64]
) -> Flags:
    """Return the tokens with which a phrase closes as wanted, bool (L, 4, V), from ``start`` on.

    An authentic cadence within a piece is on the root that its bass has now, if Bach closes there.

    Args:
        start: the first step of the mask; the last one is that of ``end``.
        pitch_V: pitch of every token, REST for those without one.
    """
    legal_L4V = np.ones((end.stop - start, len(Voice), len(pitch_V)), dtype=np.bool_)
    kind = end.kind or "authentic"
    root = _root(kind, end, piece, key)
    if root is None:
        return legal_L4V
    above_V = np.where(pitch_V == REST, REST, (pitch_V - root) % 12)
    first = end.step - start
    legal_L4V[first:, Voice.BASS] = above_V == 0
    is_last = end.stop == piece.steps and kind != "half"
    triad = keys.last_triad(key) if is_last else _TRIADS[kind]
    legal_L4V[-1, : Voice.BASS] = np.isin(above_V, triad)
    if kind in _APPROACHES:
        chord, roots = _APPROACHES[kind]
        approach = slice(max(first - _APPROACH_STEPS, 0), first)
        legal_L4V[approach] = np.isin(above_V, chord)
        legal_L4V[approach, Voice.BASS] = np.isin(above_V, roots)
    return legal_L4V


def _root(kind: str, end: PhraseEnd, piece: Chorale, key: Key) -> int | None:
    """Return the pitch class of the root of the last chord; None where it is left to the model."""
    if kind not in _ROOTS:
        return None
    bass = int(piece.pitches[end.stop - 1, Voice.BASS])
    if kind != "authentic" or end.stop == piece.steps or bass == REST:
        return (key.pitch_class + _ROOTS[kind]) % 12
    return bass % 12 if (bass - key.pitch_class) % 12 in _DEGREES[key.mode] else None


class Repair:
    """An attempt to repair the faults of a candidate.

    Args:
        state: the candidate, entirely filled.
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
