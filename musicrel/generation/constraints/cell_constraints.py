"""Masks of the legal tokens of each cell.

Never legal are PAD, MASK, START and END, a hold of another pitch than that of the same voice one
step before, and any other token than the locked one. Hard rules (``rules``) restrict the rest.
Locked cells ahead count too: a note that would break a rule with one is not legal, so that every
lock can be kept.

Dimensions: B sequences, N tokens so far, V vocabulary, T steps.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.chorale import REST, Chorale, Flags, Voice
from musicrel.generation.constraints import last_chord as closing
from musicrel.generation.constraints import rules as hard
from musicrel.generation.constraints.locks import BEGINS, EITHER, HELD, LockedCells, Locks
from musicrel.generation.constraints.rules import REST_COLUMN, Columns, PairRules, columns_of
from musicrel.generation.constraints.voice_ranges import FULL, Ranges
from musicrel.tokens import codec
from musicrel.tokens.vocabulary import LOWEST_PITCH, PITCHES, REST_TOKEN, Vocabulary

VOICES: Final = codec.VOICES


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadEnd:
    """A cell without a legal token.

    Attributes:
        rules: rules that together left no token.
    """

    step: int
    voice: int
    bar: str
    rules: tuple[str, ...]

    def __str__(self) -> str:
        """Return a sentence for the user."""
        named = " and ".join(map(repr, self.rules))
        rules = f"the rule{'s' * (len(self.rules) > 1)} {named}"
        return (
            f"no note is left for the {Voice(self.voice).title} in {self.bar}, step {self.step}: "
            f"{rules} and the locks forbid all; switch a rule off, free a cell near or take "
            "another seed"
        )


class Constraints:
    """Masks of legal tokens for sequences that are written side by side.

    ``legal_next_tokens`` is called before each token; it reads the tokens so far and keeps no state
    of them. A mask always has a legal token: if the rules leave none, those about two voices are
    waived for that cell, and ``dead_ends`` records it by the row of the sequence.

    Args:
        plan: length, meter, pickup and key of the piece.
        rules: names of the hard rules that are on, which the locks must not break.
        ranges: of the voices, for the rule ``range``; None: ``voice_ranges.FULL``.
        last_chord: one of ``last_chord.CHORDS``. Cells that it would leave no token keep theirs.

    Attributes:
        pitch_V: int64 (V,), the pitch of every token, REST if it has none.
        column_V: int64 (V,), its column in ``rules``.
        legal_tokens_per_cell: bool (4 T, V), the legal tokens of each cell regardless of others.
        locked_tokens: int64 (4 T,), the only legal token of each cell regardless of the others; -1
            if there are several.
        dead_ends: cells without a legal token, by the row of their sequence.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        plan: Chorale,
        *,
        locks: Locks | None = None,
        rules: Collection[str] = hard.DEFAULT,
        ranges: Ranges | None = None,
        last_chord: str = closing.FREE,
    ) -> None:
        self.vocabulary, self.plan, self.rules = vocabulary, plan, tuple(rules)
        self.locks = locks or Locks(steps=plan.steps)
        locked = self.locks.with_implied_cells()
        self.pair_rules = PairRules(self.rules)
        self.pitch_V, self.column_V = _pitches_and_columns(vocabulary)
        voice_masks = hard.pitch_masks(self.rules, plan.key, ranges or FULL)
        self.legal_tokens_per_cell = _legal_tokens_per_cell(vocabulary, locked, voice_masks)
        if last_chord != closing.FREE:
            end_NV = self.legal_tokens_per_cell & closing.mask(
                last_chord, plan, locked, self.pitch_V
            )
            np.copyto(self.legal_tokens_per_cell, end_NV, where=end_NV.any(axis=1, keepdims=True))
        self._hold_mask_VV = _hold_mask(vocabulary, self.column_V)
        self._is_locked = locked.mask.reshape(-1)
        is_only = self.legal_tokens_per_cell.sum(axis=1) == 1
        self.locked_tokens: codec.Ids = np.where(
            is_only, self.legal_tokens_per_cell.argmax(axis=1), -1
        )
        self._ahead_T4 = np.pad(
            columns_of(locked.pitches), [(0, 1), (0, 0)], constant_values=REST_COLUMN
        )
        self.dead_ends: dict[int, DeadEnd] = {}

    def legal_next_tokens(self, ids_BN: codec.Ids) -> Flags:
        """Return the legal tokens of the next cell of each sequence.

        Args:
            ids_BN: int64 (B, N), tokens so far, START first; the next has index N.

        Returns:
            bool (B, V), a new array.
        """
        cell = ids_BN.shape[1] - 1
        before_B = ids_BN[:, -VOICES] if cell >= VOICES else np.full(len(ids_BN), REST_TOKEN)
        mask_BV: Flags = self.legal_tokens_per_cell[cell] & self._hold_mask_VV[before_B]
        if self._is_locked[cell] or not self.pair_rules.rules:
            return mask_BV
        paired_BV: Flags = mask_BV & self._pair_mask(self.pair_rules, ids_BN)
        legal_B: Flags = np.asarray(paired_BV.any(axis=1))
        if legal_B.all():
            return paired_BV
        for row in np.flatnonzero(~legal_B).tolist():
            self.dead_ends.setdefault(row, self._dead_end(ids_BN[row : row + 1], mask_BV[row]))
        return np.where(legal_B[:, None], paired_BV, mask_BV)

    def pair_mask(self, rules: PairRules, voice: int, columns_34: Columns) -> Flags:
        """Return the tokens that break no rule about two voices, bool (V,).

        Args:
            columns_34: columns of the cells one step before, now and one step after.
        """
        legal_1P = rules.legal_columns(voice, *columns_34[:, None])
        return np.asarray(legal_1P[0, self.column_V])

    def piece(self, ids: npt.ArrayLike) -> Chorale | None:
        """Return the piece of some tokens in whole steps, with all locks applied.

        Args:
            ids: tokens so far, START first.

        Returns:
            None where the tokens make no whole step.
        """
        cells = np.asarray(ids, dtype=np.int64)[1:]
        steps = len(cells) // VOICES
        if not steps:
            return None
        whole = steps == self.plan.steps
        plan = self.plan if whole else self.plan.cropped(0, steps)
        spelt = codec.decode(cells[: steps * VOICES], self.vocabulary, like=plan)
        return self.locks.applied(spelt)

    def _pair_mask(self, pair_rules: PairRules, ids_BN: codec.Ids) -> Flags:
        """Return the tokens that break no rule about two voices, (B, V)."""
        step, voice = codec.cell_of(ids_BN.shape[1])
        first = codec.index_of(step, 0)
        now_B4 = np.repeat(self._ahead_T4[step : step + 1], len(ids_BN), axis=0)
        now_B4[:, :voice] = self.column_V[ids_BN[:, first:]]
        before_B4 = np.full((1, VOICES), REST_COLUMN)
        if step:
            before_B4 = self.column_V[ids_BN[:, first - VOICES : first]]
        after_14 = self._ahead_T4[step + 1 : step + 2]
        return pair_rules.legal_columns(voice, before_B4, now_B4, after_14)[:, self.column_V]

    def _dead_end(self, ids_1N: codec.Ids, mask_V: Flags) -> DeadEnd:
        step, voice = codec.cell_of(ids_1N.shape[1])
        blocking = [
            rule
            for rule in self.pair_rules.rules
            if (mask_V & ~self._pair_mask(PairRules((rule,)), ids_1N)[0]).any()
        ]
        single_voice = [name for name in ("scale", "rests") if name in self.rules]
        return DeadEnd(
            step=step,
            voice=voice,
            bar=hard.bar_name(self.plan, step),
            rules=(*blocking, *single_voice),
        )


def _pitches_and_columns(vocabulary: Vocabulary) -> tuple[codec.Ids, codec.Ids]:
    """Return for every token its pitch (REST if it is not a note) and its column in ``rules``."""
    tokens = np.arange(vocabulary.size)
    is_note = tokens > REST_TOKEN
    column = np.where(is_note, (tokens - vocabulary.first_onset) % PITCHES, REST_COLUMN)
    return np.where(is_note, column + LOWEST_PITCH, REST), column


def _hold_mask(vocabulary: Vocabulary, column_V: codec.Ids) -> Flags:
    """Return the tokens that can follow each token in a voice as far as holds go, (V, V)."""
    tokens = np.arange(vocabulary.size)
    is_hold = (tokens >= vocabulary.first_hold) & vocabulary.holds
    same_pitch = (column_V[:, None] == column_V) & (tokens > REST_TOKEN)[:, None]
    return np.asarray(~is_hold | same_pitch)


def _legal_tokens_per_cell(
    vocabulary: Vocabulary, locked: LockedCells, voice_masks: Flags
) -> Flags:
    """Return the legal tokens of each cell regardless of other cells, bool (4 T, V)."""
    pitch_V, column_V = _pitches_and_columns(vocabulary)
    tokens = np.arange(vocabulary.size)
    masks = np.tile(voice_masks[:, column_V] & (tokens >= REST_TOKEN), (len(locked.mask), 1))
    locked_places = np.flatnonzero(locked.mask.reshape(-1))
    same_pitch = locked.pitches.reshape(-1, 1)[locked_places] == pitch_V
    masks[locked_places] = same_pitch & (tokens >= REST_TOKEN)
    if vocabulary.holds:
        onset = np.where(locked.pitches < 0, EITHER, locked.onsets).reshape(-1)
        masks[onset == BEGINS] &= tokens < vocabulary.first_hold
        masks[onset == HELD] &= tokens >= vocabulary.first_hold
    return masks
