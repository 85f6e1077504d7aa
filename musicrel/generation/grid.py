"""A piece while it is filled in: its tokens, what is hidden, and the drawing of hidden notes.

A block is drawn from its beginning. Its first note is drawn as the model says; whether it goes on
at the next step is drawn too, and where another note begins the block waits to be read anew, unless
it is to be finished at once. So the notes of a block know each other.

Dimensions: T steps, 4 voices, N cells in raster order, V vocabulary.

This file knows tokens, locks and rules; it knows nothing of models or of the order of blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Flags
from musicrel.generation.blocks import Block
from musicrel.generation.constraints import Constraints
from musicrel.generation.locks import EITHER, HELD, UNKNOWN
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
        self.temperature, self._top_p, self._top_k = temperature, top_p, top_k
        self._legal_T4V = constraints.of_cells.reshape(-1, VOICES, vocabulary.size)
        self.tokens = _given(constraints, vocabulary)
        self.free: Flags = self.tokens == MASK

    @property
    def pitches(self) -> npt.NDArray[np.int16]:
        """MIDI numbers, REST, or UNKNOWN where nothing is written: int16 (T, 4)."""
        column = (self.tokens - self._vocabulary.first_onset) % PITCHES + LOWEST_PITCH
        pitches = np.where(self.tokens > REST_TOKEN, column, _SILENT)
        return np.where(self.tokens == MASK, UNKNOWN, pitches).astype(np.int16)

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
        """Write the first note of each block, or all of it.

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
            stop = self._drawn(block, logits_NV, chance_T4, finish=finish)
            if stop < block.stop:
                left.append(Block(block.voice, stop, block.stop))
        return left

    def _drawn(self, block: Block, logits_NV: Logits, chance_T4: Logits, *, finish: bool) -> int:
        """Write a block as far as its first note goes; the step where the next one begins."""
        voice = block.voice
        for step in range(block.start, block.stop):
            legal_V = self._legal(step, voice)
            share_V = self._shares(logits_NV[step * VOICES + voice], legal_V)
            if step > block.start:
                share_V = self._going_on(logits_NV[step * VOICES + voice], share_V, legal_V)
            token = _chosen(share_V, chance_T4[step, voice])
            if step > block.start and not finish and self._begins(token, step, voice):
                return step
            self.tokens[step, voice] = token
        return block.stop

    def _begins(self, token: int, step: int, voice: int) -> bool:
        """Whether ``token`` is no continuation of what sounds before it."""
        is_hold = token >= self._vocabulary.first_hold
        return not is_hold and not token == REST_TOKEN == self.tokens[step - 1, voice]

    def _shares(self, logits_V: Logits, legal_V: Flags) -> Logits:
        """The chance of each token, by temperature, top-k and top-p."""
        logits_V = np.where(legal_V, logits_V, -np.inf)
        below_V = logits_V - logits_V.max()
        if self.temperature == 0:
            return np.asarray(below_V == 0, dtype=np.float64)
        share_V: Logits = np.exp(below_V / self.temperature)
        return _narrowed(share_V, self._top_k, self._top_p)

    def _going_on(self, logits_V: Logits, share_V: Logits, legal_V: Flags) -> Logits:
        """``share_V`` where the note before was drawn from the same logits.

        The model did not know that note, so that what it gives to all holds together is the chance
        of this one to be held.
        """
        first = self._vocabulary.first_hold
        held = np.flatnonzero(legal_V[first:]) + first
        if not held.size or not share_V.sum():
            return share_V
        all_V = np.exp((logits_V - logits_V.max()) / (self.temperature or 1.0))
        held_share = all_V[first:].sum() / all_V[REST_TOKEN:].sum()
        begun_V = share_V.copy()
        begun_V[first:] = 0.0
        total = begun_V.sum()
        going_V = begun_V * ((1.0 - held_share) / total) if total else begun_V
        going_V[held] = held_share if total else 1.0
        if self.temperature == 0:
            return np.asarray(going_V == going_V.max(), dtype=np.float64)
        return going_V

    def _legal(self, step: int, voice: int) -> Flags:
        """What may stand in a cell, given its neighbours: bool (V,)."""
        legal_V: Flags = self._legal_T4V[step, voice].copy()
        first, tokens = self._vocabulary.first_hold, self.tokens[:, voice]
        before = int(tokens[step - 1]) if step else REST_TOKEN
        if before != MASK:
            pitch = (before - self._vocabulary.first_onset) % PITCHES
            goes_on = bool(before > REST_TOKEN and legal_V[first + pitch])
            legal_V[first:] = False
            legal_V[first + pitch] = goes_on
        after = int(tokens[step + 1]) if step + 1 < len(tokens) else MASK
        if after >= first:
            only = np.zeros_like(legal_V)
            only[[after, after - PITCHES]] = True
            legal_V &= only
        if not self._constraints.is_about_two:
            return legal_V
        beside_V: Flags = legal_V & self._constraints.beside(voice, self._near(step))
        return beside_V if beside_V.any() else legal_V

    def _near(self, step: int) -> npt.NDArray[np.int64]:
        """The pitches one step before, now, and one step after, UNKNOWN beyond the ends: (3, 4)."""
        near = np.full((3, VOICES), UNKNOWN, dtype=np.int64)
        first, stop = max(step - 1, 0), min(step + 2, len(self.tokens))
        near[first - step + 1 : stop - step + 1] = self.pitches_of(first, stop)
        return near

    def pitches_of(self, start: int, stop: int) -> npt.NDArray[np.int64]:
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


def _narrowed(share_V: Logits, top_k: int, top_p: float) -> Logits:
    """Zero where top-k or top-p leaves a token out."""
    if not top_k and top_p == 1.0:
        return share_V
    order = np.argsort(-share_V, kind="stable")
    before = np.cumsum(share_V[order]) / share_V.sum() - share_V[order] / share_V.sum()
    kept = order[(before < top_p) & (np.arange(len(order)) < (top_k or len(order)))]
    narrowed_V = np.zeros_like(share_V)
    narrowed_V[kept] = share_V[kept]
    return narrowed_V


def _chosen(share_V: Logits, chance: float) -> int:
    """The token at ``chance`` of the way along the shares."""
    reach_V = share_V.cumsum()
    aim = min(chance * reach_V[-1], float(np.nextafter(reach_V[-1], 0.0)))
    return int((reach_V <= aim).sum())
