"""The tokens of a piece while it is filled: hidden cells, and the sampling of hidden blocks.

A block is sampled from its beginning: a note, then, after another forward pass, its duration, then
the next note, unless the block has to be finished in this pass. The notes of a block are therefore
sampled given each other.

Dimensions: T steps, 4 voices, N cells in raster order, V vocabulary.
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
from musicrel.generation.infill.span_sampler import CellSpanSampler
from musicrel.generation.sampling import Floats, Sampler
from musicrel.tokens import codec
from musicrel.tokens.codec import VOICES
from musicrel.tokens.conditions import Rows
from musicrel.tokens.vocabulary import LOWEST_PITCH, MASK, PITCHES, REST_TOKEN, START

_SILENT: Final = -1


class InfillState:
    """The tokens of one candidate.

    Args:
        constraints: legal tokens by locks and rules, of a vocabulary with holds.
        sampler: the sampler of the first filling.
        conditions_NC: condition rows of every cell, (N, C).
        rng: random numbers of this candidate.

    Attributes:
        conditions_NC, rng: as given.
        tokens: int64 (T, 4), MASK where nothing is written.
        free: bool (T, 4), the cells to fill.
    """

    def __init__(
        self,
        constraints: Constraints,
        sampler: Sampler,
        conditions_NC: Rows,
        rng: np.random.Generator,
    ) -> None:
        self._constraints, self._sampler = constraints, sampler
        self.conditions_NC, self.rng = conditions_NC, rng
        self._vocabulary = constraints.vocabulary
        shape = (-1, VOICES, self._vocabulary.size)
        self._legal_T4V = constraints.legal_tokens_per_cell.reshape(shape)
        self.tokens = _initial_tokens(constraints)
        self.free: Flags = self.tokens == MASK

    @property
    def pitches(self) -> npt.NDArray[np.int16]:
        """Return MIDI numbers, REST, or UNKNOWN where nothing is written, int16 (T, 4)."""
        return self._pitches_of(0, len(self.tokens)).astype(np.int16)

    @property
    def onsets(self) -> Flags:
        """Return the onsets of notes, bool (T, 4)."""
        return np.asarray((self.tokens > REST_TOKEN) & (self.tokens < self._vocabulary.first_hold))

    def hide(self, blocks: Sequence[Block]) -> None:
        """Mask the cells of ``blocks``."""
        for block in blocks:
            self.tokens[block.start : block.stop, block.voice] = MASK

    def draw(self, blocks: Sequence[Block], logits_NV: Floats, *, finish: bool) -> list[Block]:
        """Sample each block as far as the logits allow, or to its end.

        Args:
            blocks: entirely hidden, and apart in time.
            logits_NV: float64 (N, V), logits of every cell.
            finish: sample every block to its end.

        Returns:
            The remaining parts of the blocks.
        """
        left: list[Block] = []
        uniforms_T4 = self.rng.random(self.tokens.shape)
        for block in blocks:
            start, stop, voice = block.start, block.stop, block.voice
            column = self.tokens[:, voice]
            span = CellSpanSampler(
                logits_NV[start * VOICES + voice : stop * VOICES : VOICES],
                self._legal(block),
                before=int(column[start - 1]) if start else REST_TOKEN,
                new_note=block.new_note,
                after=int(column[stop]) if stop < len(column) else MASK,
                vocabulary=self._vocabulary,
                sampler=self._sampler,
            )
            written, new_note = span.draw(uniforms_T4[start:stop, voice], finish=finish)
            column[start : start + len(written)] = written
            if start + len(written) < stop:
                left.append(Block(voice, start + len(written), stop, new_note))
        return left

    def resample_pitch(self, blocks: Sequence[Block], logits_NV: Floats, sampler: Sampler) -> None:
        """Resample the pitch of each block, a hidden note with fixed onset and duration.

        The logits of the note's first cell depend on the context before it, those of its last cell
        on the context after it: both are added.

        Args:
            blocks: the notes.
            logits_NV: float64 (N, V), logits of every cell.
            sampler: the sampler of the pitches.
        """
        uniforms_T4 = self.rng.random(self.tokens.shape)
        for block in blocks:
            start, voice = block.start, block.voice
            legal_LV = self._legal(block)
            first, hold = self._vocabulary.first_onset, self._vocabulary.first_hold
            logits_P = logits_NV[start * VOICES + voice, first:hold]
            legal_P = legal_LV[0, first:hold]
            if block.stop > start + 1:
                logits_P = logits_P + logits_NV[(block.stop - 1) * VOICES + voice, hold:]
                legal_P = legal_P & legal_LV[:, first:hold].all(axis=0)
            if not legal_P.any():
                legal_P = self._legal_T4V[start, voice, first:hold]
            pitch = int(sampler.choose(logits_P, legal_P, uniforms_T4[start, voice]))
            self.tokens[start : block.stop, voice] = hold + pitch
            self.tokens[start, voice] = first + pitch

    def _legal(self, block: Block) -> Flags:
        """Return the legal tokens of each cell of a block, given the other voices, bool (L, V)."""
        legal_LV = self._legal_T4V[block.start : block.stop, block.voice]
        if not self._constraints.pair_rules.rules:
            return legal_LV
        pair_mask = [
            self._constraints.pair_mask(block.voice, self._near(step))
            for step in range(block.start, block.stop)
        ]
        both_LV = legal_LV & np.stack(pair_mask)
        return np.where(both_LV.any(axis=1, keepdims=True), both_LV, legal_LV)

    def _near(self, step: int) -> npt.NDArray[np.int64]:
        """Return the pitches one step before, now and one step after, int64 (3, 4).

        Steps beyond the ends are UNKNOWN.
        """
        near = np.full((3, VOICES), UNKNOWN, dtype=np.int64)
        first, stop = max(step - 1, 0), min(step + 2, len(self.tokens))
        near[first - step + 1 : stop - step + 1] = self._pitches_of(first, stop)
        return near

    def _pitches_of(self, start: int, stop: int) -> npt.NDArray[np.int64]:
        """Return the pitches of some steps, int64 (T, 4)."""
        tokens = self.tokens[start:stop]
        column = (tokens - self._vocabulary.first_onset) % PITCHES + LOWEST_PITCH
        pitches = np.where(tokens > REST_TOKEN, column, _SILENT)
        return np.where(tokens == MASK, UNKNOWN, pitches)

    def ids(self) -> codec.Ids:
        """Return the tokens as a sequence, START first."""
        return np.concatenate([[START], self.tokens.reshape(-1)]).astype(np.int64)


def _initial_tokens(constraints: Constraints) -> npt.NDArray[np.int64]:
    """Return the tokens of locked cells, MASK elsewhere.

    Cells without a locked onset begin a note.
    """
    pitches, onsets = constraints.locks.with_implied_cells()
    onset_tokens = pitches - LOWEST_PITCH + constraints.vocabulary.first_onset
    tokens = np.where(pitches < 0, REST_TOKEN, onset_tokens)
    held = onsets == HELD
    held[1:] |= (onsets[1:] == EITHER) & (pitches[1:] == pitches[:-1])
    tokens = np.where(held & (pitches >= 0), tokens + PITCHES, tokens)
    return np.where(pitches == UNKNOWN, MASK, tokens).astype(np.int64)
