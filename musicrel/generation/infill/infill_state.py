"""The tokens of a piece while it is filled: hidden cells, and the sampling of hidden blocks.

A block is sampled from its beginning: a note, then, after another forward pass, its duration, then
the next note, unless the block has to be finished in this pass. The notes of a block are therefore
sampled given each other.

Dimensions: T steps, 4 voices, N cells in raster order or notes, P pitches, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from musicrel.chorale import REST, STEPS_PER_QUARTER, Chorale, Flags, Key, Voice
from musicrel.generation.cell_constraints import Constraints
from musicrel.generation.constraints.locks import EITHER, HELD, UNKNOWN
from musicrel.generation.infill.gibbs_blocks import Block
from musicrel.generation.infill.masked_reader import Logits
from musicrel.generation.infill.span_sampler import CellSpanSampler
from musicrel.generation.phrasing import openings
from musicrel.generation.sampling import Floats, Sampler
from musicrel.model.tokens import codec
from musicrel.model.tokens.codec import VOICES
from musicrel.model.tokens.conditions import Rows
from musicrel.model.tokens.vocabulary import LOWEST_PITCH, MASK, PITCHES, REST_TOKEN, START


class InfillState:
    """The tokens of one candidate, of a vocabulary with holds.

    Attributes:
        legal_T4V: the legal tokens of each cell regardless of the others.
        pitch_V: the pitch of every token, REST if it has none.
        tokens: int64 (T, 4), MASK where nothing is written.
        free: bool (T, 4), the cells to fill.
    """

    def __init__(
        self, constraints: Constraints, conditions_NC: Rows, rng: np.random.Generator
    ) -> None:
        self._constraints, self.conditions_NC, self.rng = constraints, conditions_NC, rng
        self._pair_rules = constraints.pair_rules
        self._vocabulary, self.pitch_V = constraints.vocabulary, constraints.pitch_V
        shape = (-1, VOICES, self._vocabulary.size)
        self.legal_T4V = self._widest_T4V = constraints.legal_tokens_per_cell.reshape(shape)
        self._is_off_beat = constraints.plan.bar_positions() % STEPS_PER_QUARTER != 0
        self.tokens = _initial_tokens(constraints)
        self.free: Flags = self.tokens == MASK

    @property
    def pitches(self) -> npt.NDArray[np.int16]:
        return self._pitches_of(0, len(self.tokens)).astype(np.int16)

    @property
    def onsets(self) -> Flags:
        return np.asarray((self.tokens > REST_TOKEN) & (self.tokens < self._vocabulary.first_hold))

    def narrow(self, start: int, mask_L4V: Flags) -> None:
        """Allow fewer tokens from a step on; a cell that would be left none keeps its own."""
        steps = slice(start, start + len(mask_L4V))
        both_L4V = self.legal_T4V[steps] & mask_L4V
        own_L4V = np.where(both_L4V.any(axis=-1, keepdims=True), both_L4V, self.legal_T4V[steps])
        self.legal_T4V = self.legal_T4V.copy()
        self.legal_T4V[steps] = own_L4V

    def narrow_opening(self, begins_on: str, key: Key | None) -> None:
        """Allow only tones of the chord on which the piece begins; see ``openings``."""
        if key is None or begins_on == openings.ANY:
            return
        needed, others, bass = openings.OPENINGS[begins_on, key.mode]
        above_V = np.where(self.pitch_V == REST, REST, (self.pitch_V - key.pitch_class) % 12)
        mask_4V = np.tile(np.isin(above_V, [*needed, *others]), (VOICES, 1))
        mask_4V[Voice.BASS] = np.isin(above_V, bass)
        self.narrow(0, mask_4V[None])
        self._widest_T4V = self.legal_T4V

    def widen(self) -> None:
        """Allow again what ``narrow`` and ``forbid_parallels`` have ruled out."""
        self.legal_T4V, self._pair_rules = self._widest_T4V, self._constraints.pair_rules

    def forbid_parallels(self) -> None:
        self._pair_rules = (*self._constraints.pair_rules, "parallels")

    def hide(self, blocks: Sequence[Block]) -> None:
        for block in blocks:
            self.tokens[block.start : block.stop, block.voice] = MASK

    def draw(
        self, blocks: Sequence[Block], logits_T4V: Logits, sampler: Sampler
    ) -> list[Block | None]:
        """Sample each hidden block as far as the logits allow, in its last pass to its end.

        The remaining part of each block is returned; None where it is filled.
        """
        uniforms_T4 = self.rng.random(self.tokens.shape)
        return [self._draw_block(block, logits_T4V, sampler, uniforms_T4) for block in blocks]

    def _draw_block(
        self, block: Block, logits_T4V: Logits, sampler: Sampler, uniforms_T4: Floats
    ) -> Block | None:
        start, stop, column = block.start, block.stop, self.tokens[:, block.voice]
        span = self._span(block, logits_T4V, sampler)
        written, new_note = span.draw(
            uniforms_T4[start:stop, block.voice], finish=block.passes == 1
        )
        next_start = start + len(written)
        column[start:next_start] = written
        if next_start == stop:
            self._hold_on(column, stop)
            return None
        return Block(block.voice, next_start, stop, new_note, block.passes - 1)

    def _span(self, block: Block, logits_T4V: Logits, sampler: Sampler) -> CellSpanSampler:
        """Return the sampler of a block.

        With a given rhythm a block within a note has to hold it, which rules and masks may forbid.
        They are then waived for this block, and so is what follows it.
        """
        start, stop, column = block.start, block.stop, self.tokens[:, block.voice]
        make = partial(
            CellSpanSampler,
            logits_T4V[start:stop, block.voice].astype(np.float64),
            before=int(column[start - 1]) if start else REST_TOKEN,
            new_note=block.new_note,
            vocabulary=self._vocabulary,
            sampler=sampler,
        )
        after = int(column[stop]) if stop < len(column) else MASK
        span = make(self._legal(block), after=after)
        for known in (after, MASK):
            if not span.is_possible:
                span = make(self._widest_T4V[start:stop, block.voice], after=known)
        return span

    def _hold_on(self, column: npt.NDArray[np.int64], stop: int) -> None:
        """Give holds from ``stop`` on the pitch of the note that they hold."""
        held = self._vocabulary.first_hold + self.pitch_V[column[stop - 1]] - LOWEST_PITCH
        while stop < len(column) and column[stop] >= self._vocabulary.first_hold:
            column[stop] = held
            stop += 1

    def resample_pitches(
        self, blocks: Sequence[Block], logits_T4V: Logits, sampler: Sampler
    ) -> None:
        """Resample the pitch of each block, a hidden note with fixed onset and duration.

        Only the logits of the first and the last cell of each are read.
        """
        uniforms_T4 = self.rng.random(self.tokens.shape)
        at_once = 1 if self._pair_rules else len(blocks)  # a rule sees the others
        for first in range(0, len(blocks), max(at_once, 1)):
            self._resample(blocks[first : first + at_once], logits_T4V, sampler, uniforms_T4)

    def _resample(
        self, blocks: Sequence[Block], logits_T4V: Logits, sampler: Sampler, uniforms_T4: Floats
    ) -> None:
        """Resample blocks independently of each other.

        The logits of a note's first cell depend on the context before it, those of its last cell
        on the context after it: both are added.
        """
        start, stop, voice = np.array([(one.start, one.stop, one.voice) for one in blocks]).T
        first, hold = self._vocabulary.first_onset, self._vocabulary.first_hold
        before_NP = logits_T4V[start, voice, first:hold].astype(np.float64)
        after_NP = logits_T4V[stop - 1, voice, hold:].astype(np.float64)
        logits_NP = before_NP + np.where((stop > start + 1)[:, None], after_NP, 0.0)
        legal_NP = np.stack([self._legal_pitches(block) for block in blocks])
        pitch_N = sampler.choose(logits_NP, legal_NP, uniforms_T4[start, voice])
        for block, pitch in zip(blocks, pitch_N.tolist(), strict=True):
            self.tokens[block.start : block.stop, block.voice] = hold + pitch
            self.tokens[block.start, block.voice] = first + pitch

    def _legal_pitches(self, block: Block) -> Flags:
        """Return the legal pitches of a note, bool (P,); at least one.

        Off the beat no pitch is struck again where there is another: the logits of a note's last
        cell also speak for the note before it, held through, which the fixed onset rules out.
        """
        first, hold = self._vocabulary.first_onset, self._vocabulary.first_hold
        own_P = self.legal_T4V[block.start, block.voice, first:hold]
        legal_LV = self._legal(block)
        legal_P: Flags = legal_LV[0, first:hold] & legal_LV[1:, hold:].all(axis=0)
        new_P = legal_P & ~self._repeats(block)
        return next((mask_P for mask_P in (new_P, legal_P) if mask_P.any()), own_P)

    def _repeats(self, block: Block) -> Flags:
        """Return the pitches that would be struck twice in a row, once off the beat, bool (P,)."""
        repeats_P = np.zeros(PITCHES, dtype=np.bool_)
        for onset, neighbour in ((block.start, block.start - 1), (block.stop, block.stop)):
            if 0 < onset < len(self.tokens) and self._is_off_beat[onset]:
                token = int(self.tokens[neighbour, block.voice])
                if token > REST_TOKEN:
                    repeats_P[(token - self._vocabulary.first_onset) % PITCHES] = True
        return repeats_P

    def _legal(self, block: Block) -> Flags:
        legal_LV = self.legal_T4V[block.start : block.stop, block.voice]
        if not self._pair_rules:
            return legal_LV
        near = self._near(block.start, block.stop)
        both_LV = legal_LV & self._constraints.pair_mask(self._pair_rules, block.voice, near)
        return np.where(both_LV.any(axis=1, keepdims=True), both_LV, legal_LV)

    def _near(self, start: int, stop: int) -> npt.NDArray[np.int64]:
        """Return the pitches of some steps and of one more on both sides, int64 (L + 2, 4)."""
        near = np.full((stop - start + 2, VOICES), UNKNOWN, dtype=np.int64)
        known = self._pitches_of(max(start - 1, 0), stop + 1)
        first = int(start == 0)
        near[first : first + len(known)] = known
        return near

    def _pitches_of(self, start: int, stop: int) -> npt.NDArray[np.int64]:
        tokens = self.tokens[start:stop]
        return np.where(tokens == MASK, UNKNOWN, self.pitch_V[tokens])

    def piece(self) -> Chorale:
        """Return the piece, silent from the first step with a hidden cell on."""
        hidden = np.flatnonzero((self.tokens == MASK).any(axis=1))
        steps = int(hidden[0]) if hidden.size else len(self.tokens)
        piece = self._constraints.piece(self.ids()[: 1 + steps * VOICES])
        # it has no steps where nothing is written
        return self._constraints.plan if piece is None else piece.padded(len(self.tokens) - steps)

    def repeat(self, steps: int, same: int) -> None:
        """Write the first steps, at most ``same``, again after the first ``steps``."""
        self.tokens[steps : steps + same] = self.tokens[:same]

    def free_within(self, stop: int) -> None:
        """Set the cells to fill: those that are hidden before a step."""
        self.free = self.tokens == MASK
        self.free[stop:] = False

    def ids(self) -> codec.Ids:
        return np.concatenate([[START], self.tokens.reshape(-1)]).astype(np.int64)


def _initial_tokens(constraints: Constraints) -> npt.NDArray[np.int64]:
    """Return the tokens of locked cells, MASK elsewhere; without a locked onset a note begins."""
    pitches, onsets = constraints.locks.with_implied_cells()
    onset_tokens = pitches - LOWEST_PITCH + constraints.vocabulary.first_onset
    tokens = np.where(pitches < 0, REST_TOKEN, onset_tokens)
    held = onsets == HELD
    held[1:] |= (onsets[1:] == EITHER) & (pitches[1:] == pitches[:-1])
    tokens = np.where(held & (pitches >= 0), tokens + PITCHES, tokens)
    return np.where(pitches == UNKNOWN, MASK, tokens).astype(np.int64)
