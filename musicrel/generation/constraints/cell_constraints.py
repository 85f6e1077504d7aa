"""Which tokens may stand in a cell.

Always: no PAD, MASK, START or END; a hold only of the pitch that sounded in the same voice one step
before; what is locked. Then the hard rules that are on (``rules``). Locked cells ahead are looked
at too: no note is legal that would break a rule with one, so that every lock can be kept.

Dimensions: B sequences side by side, N tokens of each so far, V vocabulary.

This file turns locks and rules into masks of tokens; it knows nothing of models or chance.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.chorale import REST, Chorale, Flags, Voice
from musicrel.generation.constraints import rules as hard
from musicrel.generation.constraints.locks import BEGINS, EITHER, HELD, UNKNOWN, Given, Locks
from musicrel.generation.constraints.rules import REST_COLUMN, Neighbours
from musicrel.tokens import codec
from musicrel.tokens.vocabulary import LOWEST_PITCH, PITCHES, REST_TOKEN, Vocabulary

VOICES: Final = codec.VOICES


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadEnd:
    """A cell for which no token was legal.

    Attributes:
        step, voice: the cell.
        bar: its bar in words.
        rules: those that together left nothing.
    """

    step: int
    voice: int
    bar: str
    rules: tuple[str, ...]

    def __str__(self) -> str:
        named = " and ".join(map(repr, self.rules))
        rules = f"the rule{'s' * (len(self.rules) > 1)} {named}"
        return (
            f"no note is left for the {Voice(self.voice).title} in {self.bar}, step {self.step}: "
            f"{rules} and the locks forbid all; switch a rule off, free a cell near or take "
            "another seed"
        )


class Constraints:
    """Masks of legal tokens for sequences that are written side by side.

    Ask ``allowed`` before each token; it looks at the tokens so far and keeps nothing of them. A
    mask always has a legal token: where the rules leave none, those about two voices are waived
    for that cell, and ``dead_ends`` tells of it by the number of the sequence.

    Args:
        vocabulary: the tokens' meaning.
        plan: length, meter, pickup and key of the piece.
        locks: the given cells.
        rules: names of the hard rules that are on.

    Attributes:
        fixed: int64 (4 T,), for every cell the token that is given whatever comes before it; -1
            where there is none.

    Raises:
        UsageError: the locks break a rule, or a rule lacks its key.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        plan: Chorale,
        *,
        locks: Locks | None = None,
        rules: Collection[str] = hard.DEFAULT,
    ) -> None:
        self.plan, self.rules = plan, hard.checked(rules, plan.key)
        self.locks = locks or Locks(steps=plan.steps)
        given = self.locks.implied()
        hard.refuse_contradictions(given, self.rules, plan)
        self._vocabulary, self._neighbours = vocabulary, Neighbours(self.rules)
        self._pitch_V, self._column_V = _meaning(vocabulary)
        self._of_cell_NV = _masks_of_cells(vocabulary, given, self.rules, plan)
        self._after_VV = _holds_after(vocabulary)
        self._known = given.known.reshape(-1)
        self.fixed = _only_tokens(self._of_cell_NV)
        ahead = np.full((1, VOICES), UNKNOWN)
        self._ahead = np.concatenate([given.pitches, ahead]).astype(np.int64)
        self.dead_ends: dict[int, DeadEnd] = {}

    def allowed(self, ids_BN: codec.Ids) -> Flags:
        """The legal tokens for the next cell of each sequence.

        Args:
            ids_BN: int64 (B, N), the tokens so far, START first: the next has index N.

        Returns:
            bool (B, V), the caller's own.
        """
        cell = ids_BN.shape[1] - 1
        mask_BV: Flags = self._of_cell_NV[cell] & self._after_VV[self._before(ids_BN)]
        if self._known[cell] or not self._neighbours.rules:
            return mask_BV
        beside_BV: Flags = mask_BV & self._beside(self._neighbours, ids_BN)
        legal_B: Flags = np.asarray(beside_BV.any(axis=1))
        if legal_B.all():
            return beside_BV
        for row in np.flatnonzero(~legal_B).tolist():
            self.dead_ends.setdefault(row, self._dead_end(ids_BN[row : row + 1], mask_BV[row]))
        return np.where(legal_B[:, None], beside_BV, mask_BV)

    @property
    def of_cells(self) -> Flags:
        """What may stand in each cell whatever the others are: bool (4 T, V)."""
        return self._of_cell_NV

    def beside(self, voice: int, near: codec.Ids) -> Flags:
        """What breaks no rule about two voices, the others being known or not: bool (V,).

        Args:
            voice: whose note is chosen.
            near: int64 (3, 4), the pitches one step before, now and one step after.
        """
        columns = self._neighbours.allowed(voice, *near[:, None])
        return np.asarray(columns[0, self._column_V])

    @property
    def is_about_two(self) -> bool:
        """Whether a rule about two voices is on."""
        return bool(self._neighbours.rules)

    def piece(self, ids: npt.ArrayLike) -> Chorale | None:
        """What tokens spell, as far as they make whole steps, with the locks exactly as given.

        Args:
            ids: those so far, START first; None comes back where there is no whole step.
        """
        cells = np.asarray(ids, dtype=np.int64)[1:]
        steps = len(cells) // VOICES
        if not steps:
            return None
        whole = steps == self.plan.steps
        plan = self.plan if whole else self.plan.cropped(0, steps)
        spelt = codec.decode(cells[: steps * VOICES], self._vocabulary, like=plan)
        return self.locks.applied(spelt)

    def _before(self, ids_BN: codec.Ids) -> codec.Ids:
        """The token of the same voice one step earlier; at the first step any that is no note."""
        reach = ids_BN.shape[1] - VOICES
        return ids_BN[:, reach] if reach > 0 else np.full(len(ids_BN), REST_TOKEN)

    def _beside(self, neighbours: Neighbours, ids_BN: codec.Ids) -> Flags:
        """Tokens that break no rule about two voices, (B, V)."""
        step, voice = codec.cell_of(ids_BN.shape[1])
        first = codec.index_of(step, 0)
        now = np.repeat(self._ahead[step : step + 1], len(ids_BN), axis=0)
        now[:, :voice] = self._pitch_V[ids_BN[:, first:]]
        before = np.full((1, VOICES), UNKNOWN)
        if step:
            before = self._pitch_V[ids_BN[:, first - VOICES : first]]
        columns = neighbours.allowed(voice, before, now, self._ahead[step + 1 : step + 2])
        return columns[:, self._column_V]

    def _dead_end(self, ids_1N: codec.Ids, mask_V: Flags) -> DeadEnd:
        step, voice = codec.cell_of(ids_1N.shape[1])
        guilty = [
            rule
            for rule in self._neighbours.rules
            if (mask_V & ~self._beside(Neighbours((rule,)), ids_1N)[0]).any()
        ]
        alone = [name for name in ("scale", "rests") if name in self.rules]
        return DeadEnd(
            step=step, voice=voice, bar=hard.bar_name(self.plan, step), rules=(*guilty, *alone)
        )


def _meaning(vocabulary: Vocabulary) -> tuple[codec.Ids, codec.Ids]:
    """For every token its pitch, REST for those that are none, and its column in ``rules``."""
    tokens = np.arange(vocabulary.size)
    is_note = tokens > REST_TOKEN
    column = np.where(is_note, (tokens - vocabulary.first_onset) % PITCHES, REST_COLUMN)
    return np.where(is_note, column + LOWEST_PITCH, REST), column


def _holds_after(vocabulary: Vocabulary) -> Flags:
    """Row n: what may follow token n in the same voice, holds being the question, (V, V)."""
    _, column_V = _meaning(vocabulary)
    tokens = np.arange(vocabulary.size)
    is_hold = (tokens >= vocabulary.first_hold) & vocabulary.holds
    same_pitch = (column_V[:, None] == column_V) & (tokens > REST_TOKEN)[:, None]
    return np.asarray(~is_hold | same_pitch)


def _masks_of_cells(
    vocabulary: Vocabulary, given: Given, rules: tuple[str, ...], plan: Chorale
) -> Flags:
    """What may stand in each cell whatever the others are: bool (4 T, V)."""
    pitch_V, column_V = _meaning(vocabulary)
    tokens = np.arange(vocabulary.size)
    of_voice = hard.columns(rules, plan.key)[:, column_V] & (tokens >= REST_TOKEN)
    masks = np.tile(of_voice, (plan.steps, 1))
    known = np.flatnonzero(given.known.reshape(-1))
    exact = given.pitches.reshape(-1, 1)[known] == pitch_V
    masks[known] = exact & (tokens >= REST_TOKEN)
    if vocabulary.holds:
        onset = np.where(given.pitches < 0, EITHER, given.onsets).reshape(-1)
        masks[onset == BEGINS] &= tokens < vocabulary.first_hold
        masks[onset == HELD] &= tokens >= vocabulary.first_hold
    return masks


def _only_tokens(masks_NV: Flags) -> codec.Ids:
    """The one legal token of each cell, -1 where there are more: int64 (4 T,)."""
    return np.where(masks_NV.sum(axis=1) == 1, masks_NV.argmax(axis=1), -1).astype(np.int64)
