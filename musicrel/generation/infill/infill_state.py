"""A piece while it is filled in: its tokens, what is hidden, and the drawing of hidden notes.

A block is drawn from its beginning: a note, then, when the model has been asked again, how long it
lasts, then the next one, unless the block is to be finished at once. So a block's notes know each
other.

Dimensions: T steps, 4 voices, N cells in raster order, V vocabulary.

This file knows tokens, locks and rules; it knows nothing of models or of the order of blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Flags
from musicrel.generation.constraints.cell_constraints import Constraints
from musicrel.generation.constraints.locks import EITHER, HELD, UNKNOWN
from musicrel.generation.infill.gibbs_blocks import Block
from musicrel.generation.infill.run_sampler import Chain, chosen, kept, weights
from musicrel.tokens import codec
from musicrel.tokens.codec import VOICES
from musicrel.tokens.vocabulary import LOWEST_PITCH, MASK, PITCHES, REST_TOKEN, START, Vocabulary

Logits = npt.NDArray[np.float64]

_SILENT: Final = -1


class Grid:
    """One proposal on its way.

    Args:
        constraints: what locks and rules leave to choose from.
        vocabulary: with holds.
        temperature: divides the logits; 0 takes the likeliest.
        top_p: choose among the likeliest tokens that together have this probability.
        top_k: choose among so many likeliest tokens, 0: among all.

    Attributes:
        tokens: int64 (T, 4), MASK where nothing is written.
        free: bool (T, 4), the cells to be written.
    """

    def __init__(
        self,
        constraints: Constraints,
        vocabulary: Vocabulary,
        *,
        temperature: float,
        top_p: float = 1.0,
        top_k: int = 0,
    ) -> None:
        self._constraints, self._vocabulary = constraints, vocabulary
        self._temperature, self._top_p, self._top_k = temperature, top_p, top_k
        self._legal_T4V = constraints.of_cells.reshape(-1, VOICES, vocabulary.size)
        self.tokens = _given(constraints, vocabulary)
        self.free: Flags = self.tokens == MASK

    @property
    def pitches(self) -> npt.NDArray[np.int16]:
        """MIDI numbers, REST, or UNKNOWN where nothing is written: int16 (T, 4)."""
        return self._pitches_of(0, len(self.tokens)).astype(np.int16)

    @property
    def onsets(self) -> Flags:
        """Where notes begin, bool (T, 4)."""
        return np.asarray((self.tokens > REST_TOKEN) & (self.tokens < self._vocabulary.first_hold))

    def hide(self, blocks: Sequence[Block]) -> None:
        """Forget what is written in ``blocks``."""
        for block in blocks:
            self.tokens[block.start : block.stop, block.voice] = MASK

    def draw(
        self, blocks: Sequence[Block], logits_NV: Logits, chance_T4: Logits, *, finish: bool
    ) -> list[Block]:
        """Write each block as far as can be told from what the model says now, or all of it.

        Args:
            blocks: hidden throughout, and apart in time.
            logits_NV: what the model says of every cell.
            chance_T4: a number in [0, 1) for every cell.
            finish: whether a block is written to its end.

        Returns:
            What is left of the blocks.
        """
        left: list[Block] = []
        for block in blocks:
            rest = self._drawn(block, logits_NV, chance_T4, finish=finish)
            if rest.start < rest.stop:
                left.append(rest)
        return left

    def _drawn(self, block: Block, logits_NV: Logits, chance_T4: Logits, *, finish: bool) -> Block:
        """Write a block as far as it can be drawn now; what is left of it."""
        start, stop, voice = block.start, block.stop, block.voice
        column = self.tokens[:, voice]
        chain = Chain(
            logits_NV[start * VOICES + voice : stop * VOICES : VOICES],
            self._legal(block),
            before=int(column[start - 1]) if start else REST_TOKEN,
            begins=block.begins,
            after=int(column[stop]) if stop < len(column) else MASK,
            vocabulary=self._vocabulary,
            temperature=self._temperature,
            top_k=self._top_k,
            top_p=self._top_p,
        )
        written, begins = chain.draw(chance_T4[start:stop, voice], finish=finish)
        column[start : start + len(written)] = written
        return Block(voice, start + len(written), stop, begins)

    def sing(
        self, blocks: Sequence[Block], logits_NV: Logits, chance_T4: Logits, cooling: float
    ) -> None:
        """Give each block, a hidden note of which only the pitch is to be chosen, another pitch.

        What the model says of its first cell knows what stands before it, what it says of its last
        one what comes after: a pitch weighs what both give it. Its chance is that of the
        temperature times ``cooling``.
        """
        for block in blocks:
            begin, voice = block.start, block.voice
            legal_LV = self._legal(block)
            first, hold = self._vocabulary.first_onset, self._vocabulary.first_hold
            said_P = logits_NV[begin * VOICES + voice, first:hold]
            legal_P = legal_LV[0, first:hold]
            if block.stop > begin + 1:
                said_P = said_P + logits_NV[(block.stop - 1) * VOICES + voice, hold:]
                legal_P = legal_P & legal_LV[:, first:hold].all(axis=0)
            if not legal_P.any():
                legal_P = self._legal_T4V[begin, voice, first:hold]
            weight_P = weights(np.where(legal_P, said_P, -np.inf), self._temperature * cooling)
            weight_P = kept(weight_P, self._top_k, self._top_p)
            pitch = chosen(weight_P, float(chance_T4[begin, voice]))
            self.tokens[begin : block.stop, voice] = hold + pitch
            self.tokens[begin, voice] = first + pitch

    def _legal(self, block: Block) -> Flags:
        """What may stand in each cell of a block, other voices considered: bool (L, V)."""
        legal_LV = self._legal_T4V[block.start : block.stop, block.voice]
        if not self._constraints.is_about_two:
            return legal_LV
        beside = [
            self._constraints.beside(block.voice, self._near(step))
            for step in range(block.start, block.stop)
        ]
        both_LV = legal_LV & np.stack(beside)
        return np.where(both_LV.any(axis=1, keepdims=True), both_LV, legal_LV)

    def _near(self, step: int) -> npt.NDArray[np.int64]:
        """The pitches one step before, now, and one step after, UNKNOWN beyond the ends: (3, 4)."""
        near = np.full((3, VOICES), UNKNOWN, dtype=np.int64)
        first, stop = max(step - 1, 0), min(step + 2, len(self.tokens))
        near[first - step + 1 : stop - step + 1] = self._pitches_of(first, stop)
        return near

    def _pitches_of(self, start: int, stop: int) -> npt.NDArray[np.int64]:
        """``pitches`` of some steps."""
        tokens = self.tokens[start:stop]
        column = (tokens - self._vocabulary.first_onset) % PITCHES + LOWEST_PITCH
        pitches = np.where(tokens > REST_TOKEN, column, _SILENT)
        return np.where(tokens == MASK, UNKNOWN, pitches)

    def ids(self) -> codec.Ids:
        """The tokens as a sequence, START first."""
        return np.concatenate([[START], self.tokens.reshape(-1)]).astype(np.int64)


def _given(constraints: Constraints, vocabulary: Vocabulary) -> npt.NDArray[np.int64]:
    """The tokens of what is given, MASK elsewhere; a note begins where nothing else is said."""
    pitches, onsets = constraints.locks.implied()
    tokens = np.where(pitches < 0, REST_TOKEN, pitches - LOWEST_PITCH + vocabulary.first_onset)
    held = onsets == HELD
    held[1:] |= (onsets[1:] == EITHER) & (pitches[1:] == pitches[:-1])
    tokens = np.where(held & (pitches >= 0), tokens + PITCHES, tokens)
    return np.where(pitches == UNKNOWN, MASK, tokens).astype(np.int64)
