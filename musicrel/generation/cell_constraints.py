"""Masks of the legal tokens of each cell, also as tables for loops that look a token up.

Never legal are PAD, MASK, START and END, a hold of another pitch than that of the same voice one
step before, and any other token than the locked one. Hard rules (``rules``) restrict the rest.
Locked cells ahead count too: a note that would break a rule with one is not legal, so that every
lock can be kept. The tables are made by what computes the masks.

Dimensions: B sequences, N tokens so far or cells, V vocabulary, T steps, P columns of ``rules``,
the last one for a rest or an unknown pitch.
"""

from __future__ import annotations

import copy
import functools
import itertools
from collections.abc import Collection
from typing import Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from musicrel import meter_beats
from musicrel.chorale import REST, Chorale, Flags, Voice
from musicrel.errors import UsageError
from musicrel.generation.constraints import last_chord as closing
from musicrel.generation.constraints import rules as hard
from musicrel.generation.constraints.locks import BEGINS, EITHER, HELD, UNKNOWN, LockedCells, Locks
from musicrel.generation.constraints.rules import COLUMNS, REST_COLUMN
from musicrel.generation.constraints.voice_ranges import FULL, Ranges
from musicrel.generation.request import GenerationRequest
from musicrel.language import tr
from musicrel.model.tokens import codec
from musicrel.model.tokens.vocabulary import LOWEST_PITCH, PITCHES, REST_TOKEN, Vocabulary

Sets = npt.NDArray[np.uint64]  # Sets of columns, one bit each

_BITS: Final = np.uint64(1) << np.arange(COLUMNS, dtype=np.uint64)


class RuleTables(NamedTuple):
    """The tables of ``Constraints``; the last two are empty without a rule about two voices."""

    per_cell_NV: Flags  # legal tokens of each cell regardless of others
    hold_VV: Flags  # tokens that can follow each token in a voice
    locked_N: Flags
    column_V: codec.Ids
    ahead_T4: codec.Ids  # columns of the locked cells, with a step of unknown pitches at the end
    at_once_44P: Sets  # legal columns of a voice by the pitch of another voice in the same step
    moved_PPP: Sets
    """Legal columns of a voice by its pitch and that of another voice in an adjacent step, and by
    the present one of that voice."""


def columns_of(pitches: codec.Ids) -> codec.Ids:
    """Return the columns of MIDI numbers, REST and UNKNOWN."""
    return np.where(pitches < 0, REST_COLUMN, pitches - LOWEST_PITCH)


@functools.lru_cache(maxsize=8)
def pair_tables(rules: tuple[str, ...]) -> tuple[Sets, Sets]:
    """Return ``at_once_44P``, which depends on crossing, and ``moved_PPP``, on parallels."""
    if not rules:
        return np.zeros((*[len(Voice)] * 2, 0), np.uint64), np.zeros((0, 0, 0), np.uint64)
    at_once_44P = np.full((*[len(Voice)] * 2, COLUMNS), _BITS.sum())
    moved_PPP = np.full((COLUMNS,) * 3, _BITS.sum())
    now_P4 = _unknown(COLUMNS)
    now_P4[:, Voice.ALTO] = _PITCHES
    for own, other in itertools.product(
        range(REST_COLUMN if "parallels" in rules else 0), repeat=2
    ):
        before_14 = _unknown(1)
        before_14[0, [Voice.SOPRANO, Voice.ALTO]] = _PITCHES[[own, other]]
        moved_PPP[own, other] = _legal("parallels", Voice.SOPRANO, before_14, now_P4)
    for voice, other in itertools.product(Voice if "crossing" in rules else (), repeat=2):
        now_P4 = _unknown(COLUMNS)
        now_P4[:, other] = _PITCHES
        at_once_44P[voice, other] = _legal("crossing", voice, _unknown(1), now_P4)
    return at_once_44P, moved_PPP


_PITCHES: Final = np.array([*range(LOWEST_PITCH, LOWEST_PITCH + REST_COLUMN), REST])


def _unknown(rows: int) -> codec.Ids:
    return np.full((rows, len(Voice)), UNKNOWN)


def _legal(rule: str, voice: int, before: codec.Ids, now: codec.Ids) -> Sets:
    legal_RP = hard.legal_pitches((rule,), voice, before, now, _unknown(1))
    sets: Sets = (legal_RP * _BITS).sum(axis=1, dtype=np.uint64)
    return sets


VOICES: Final = codec.VOICES


class DeadEnd(NamedTuple):
    """A cell without a legal token."""

    step: int
    sentence: str  # for the user


class Constraints:
    """Masks of legal tokens for sequences that are written side by side.

    A mask always has a legal token: if the rules leave none, a ``dead_end``, those about two voices
    are waived for that cell. Compiled loops read the same masks as ``tables``.

    Args:
        plan: length, meter, pickup and key of the piece.
        rules: names of the hard rules that are on, which the locks must not break.
        ranges: of the voices, for the rule ``range``; None: ``voice_ranges.FULL``.
        last_chord: one of ``last_chord.CHORDS``. Cells that it would leave no token keep theirs,
            and so do those in which the soprano holds a note of ``rhythm``.
        rhythm: steps at which the notes of the soprano begin where it has no locks; empty: any.
        moves: steps at which notes of the lower voices may begin; empty, or without holds: any.
            If some are given, each voice begins a note where its first cell without a lock is.

    Raises:
        UsageError: a rhythm is given, and the vocabulary has no holds.

    Attributes:
        pitch_V: int64 (V,), the pitch of every token, REST if it has none.
        legal_tokens_per_cell: bool (4 T, V), the legal tokens of each cell regardless of others.
        locked_tokens: int64 (4 T,), the only legal token of each cell regardless of the others; -1
            if there are several.
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
        rhythm: Collection[int] = (),
        moves: Collection[int] = (),
    ) -> None:
        self.vocabulary, self.plan, self.rules = vocabulary, plan, tuple(rules)
        self.locks = locks or Locks(steps=plan.steps)
        self._locked_cells, locked = self.locks.locked_cells, self.locks.with_implied_cells()
        self.pair_rules = hard.about_pairs(self.rules)
        self.pitch_V, self._column_V = _pitches_and_columns(vocabulary)
        voice_masks = hard.pitch_masks(self.rules, plan.key, ranges or FULL)
        self.legal_tokens_per_cell = _legal_tokens_per_cell(vocabulary, locked, voice_masks)
        if last_chord != closing.FREE:
            end_NV = self.legal_tokens_per_cell & closing.mask(
                last_chord, plan, locked, self.pitch_V
            )
            if rhythm:
                is_held_T = ~np.isin(np.arange(plan.steps), list(rhythm))
                end_NV[Voice.SOPRANO :: VOICES][is_held_T] = False  # they keep theirs
            np.copyto(self.legal_tokens_per_cell, end_NV, where=end_NV.any(axis=1, keepdims=True))
        if rhythm:
            self.legal_tokens_per_cell[Voice.SOPRANO :: VOICES] &= (
                _rhythm_mask(vocabulary, plan.steps, rhythm) | locked.mask[:, Voice.SOPRANO, None]
            )
        if moves and vocabulary.holds:
            self.legal_tokens_per_cell = self._moving(moves, locked)
        self._hold_mask_VV = _hold_mask(vocabulary, self._column_V)
        self._is_locked = locked.mask.reshape(-1)
        is_only = self.legal_tokens_per_cell.sum(axis=1) == 1
        self.locked_tokens: codec.Ids = np.where(
            is_only, self.legal_tokens_per_cell.argmax(axis=1), -1
        )
        ahead = np.full((1, VOICES), UNKNOWN)
        self._ahead = np.concatenate([locked.pitches, ahead]).astype(np.int64)

    @classmethod
    def of(cls, request: GenerationRequest, vocabulary: Vocabulary) -> Self:
        """Return the masks of the tokens that the locks and rules of ``request`` allow."""
        return cls(
            vocabulary,
            request.plan(),
            locks=request.locks,
            rules=request.rules,
            ranges=request.ranges,
            last_chord=request.last_chord,
            rhythm=_kept_rhythm(request, vocabulary),
            moves=request.moves,
        ).on_beats()

    @classmethod
    def of_repeat(
        cls, request: GenerationRequest, vocabulary: Vocabulary, passage: Chorale, same: int
    ) -> Self:
        """Return the masks of a piece that begins with ``passage``; see ``Locks.of_repeat``."""
        locks = Locks.of_repeat(passage, same, request.steps)
        return cls(
            vocabulary,
            request.plan(),
            locks=locks,
            rules=request.rules,
            ranges=request.ranges,
            rhythm=_kept_rhythm(request, vocabulary),
        ).on_beats()

    def on_beats(self) -> Self:
        """Return masks with which lower voices keep to the beats of a compound meter.

        In 6/8 their notes begin on a dotted quarter or on the eighth before it, and on each dotted
        quarter on which the soprano is sure to begin one, as 99 % do in hymns. Models count
        quarters, and would change the chord against the beat. Vocabularies without holds are left
        alone. With the rule ``crossing`` they may also move with a locked voice.
        """
        beat, unit = meter_beats.beat(self.plan.meter), meter_beats.written_unit(self.plan.meter)
        if beat == unit or not self.vocabulary.holds:
            return self
        place_T = self.plan.bar_positions() % beat
        is_between_T4 = np.tile(((place_T != 0) & (place_T != beat - unit))[:, None], VOICES)
        if "crossing" in self.pair_rules:
            moves = np.diff(self._locked_cells.pitches, axis=0).any(axis=1)
            is_between_T4[1:][moves] = False
        narrowed = copy.copy(self)
        narrowed.legal_tokens_per_cell = self._held(is_between_T4)
        legal_T4V = narrowed.legal_tokens_per_cell.reshape(-1, VOICES, self.vocabulary.size)
        begins_V = _begins(self.vocabulary)
        is_sure_T = ~legal_T4V[:, Voice.SOPRANO, ~begins_V].any(axis=1) & (place_T == 0)
        is_new_T4 = legal_T4V[..., begins_V].any(axis=2) & is_sure_T[:, None]
        legal_T4V[is_new_T4 & ~self._is_locked.reshape(-1, VOICES)] &= begins_V
        return narrowed

    def _moving(self, moves: Collection[int], locked: LockedCells) -> Flags:
        """Return the legal tokens of lower voices that move at some steps, first without a lock."""
        is_still_T1 = ~np.isin(np.arange(self.plan.steps), list(moves))[:, None]
        legal_NV = self._held(np.tile(is_still_T1, VOICES))
        first = locked.mask.argmin(axis=0) * VOICES + np.arange(VOICES)
        legal_NV[first, self.vocabulary.first_hold :] = False
        return legal_NV

    def _held(self, is_still_T4: Flags) -> Flags:
        """Return the legal tokens without those that begin a note of a lower voice in some cells.

        Locked cells, those after them, and others with tokens of their own keep theirs.
        """
        legal_T4V = self.legal_tokens_per_cell.reshape(-1, VOICES, self.vocabulary.size)
        is_held_T4 = is_still_T4[1:] & (legal_T4V[1:] == legal_T4V[:-1]).all(axis=2)
        is_held_T4[:, Voice.SOPRANO] = False
        is_new_NV = np.pad(is_held_T4, ((1, 0), (0, 0))).reshape(-1, 1) & _begins(self.vocabulary)
        return self.legal_tokens_per_cell & ~is_new_NV

    def legal_next_tokens(self, ids_BN: codec.Ids) -> Flags:
        """Return the legal tokens of the next cell of each sequence, bool (B, V), a new array.

        Args:
            ids_BN: tokens so far, START first; the next has index N.
        """
        mask_BV = self._single_mask(ids_BN)
        if self._is_locked[ids_BN.shape[1] - 1] or not self.pair_rules:
            return mask_BV
        paired_BV = mask_BV & self._pair_mask(self.pair_rules, ids_BN)
        return np.where(paired_BV.any(axis=1, keepdims=True), paired_BV, mask_BV)

    def _single_mask(self, ids_BN: codec.Ids) -> Flags:
        """Return the tokens that are legal regardless of other voices, bool (B, V)."""
        cell = ids_BN.shape[1] - 1
        first_step = np.full((len(ids_BN), VOICES), REST_TOKEN)
        before_B = (ids_BN[:, 1:] if cell >= VOICES else first_step)[:, -VOICES]
        mask_BV: Flags = self.legal_tokens_per_cell[cell] & self._hold_mask_VV[before_B]
        return mask_BV

    def tables(self) -> RuleTables:
        """Return the masks as compiled loops read them, contiguous: one code serves all."""
        at_once_44P, moved_PPP = pair_tables(self.pair_rules)
        return RuleTables(
            per_cell_NV=np.ascontiguousarray(self.legal_tokens_per_cell),
            hold_VV=self._hold_mask_VV,
            locked_N=self._is_locked,
            column_V=self._column_V,
            ahead_T4=columns_of(self._ahead),
            at_once_44P=at_once_44P,
            moved_PPP=moved_PPP,
        )

    def pair_mask(self, rules: Collection[str], voice: int, pitches: codec.Ids) -> Flags:
        """Return the tokens that break no rule about two voices at some steps, bool (L, V).

        Args:
            pitches: those of the step before, of these and of the step after, int64 (L + 2, 4).
        """
        columns = hard.legal_pitches(rules, voice, pitches[:-2], pitches[1:-1], pitches[2:])
        return columns[:, self._column_V]

    def piece(self, ids: npt.ArrayLike) -> Chorale | None:
        """Return the piece of the whole steps of ``ids``, START first, with all locks applied.

        It is None where there is no whole step.
        """
        cells = np.asarray(ids, dtype=np.int64)[1:]
        steps = len(cells) // VOICES
        if not steps:
            return None
        whole = steps == self.plan.steps
        plan = self.plan if whole else self.plan.cropped(0, steps)
        spelt = codec.decode(cells[: steps * VOICES], self.vocabulary, like=plan)
        return self._locked_cells.applied(spelt)

    def _pair_mask(self, rules: Collection[str], ids_BN: codec.Ids) -> Flags:
        step, voice = codec.cell_of(ids_BN.shape[1])
        first = codec.index_of(step, 0)
        now = np.repeat(self._ahead[step : step + 1], len(ids_BN), axis=0)
        now[:, :voice] = self.pitch_V[ids_BN[:, first:]]
        before = np.full((1, VOICES), UNKNOWN)
        if step:
            before = self.pitch_V[ids_BN[:, first - VOICES : first]]
        after = self._ahead[step + 1 : step + 2]
        columns = hard.legal_pitches(rules, voice, before, now, after)
        return columns[:, self._column_V]

    def dead_end(self, ids_N: codec.Ids) -> DeadEnd:
        """Return the dead end of a sequence for whose next cell the rules leave no token."""
        ids_1N = ids_N[None]
        step, voice = codec.cell_of(ids_1N.shape[1])
        mask_1V = self._single_mask(ids_1N)
        blocking = [
            rule for rule in self.pair_rules if (mask_1V & ~self._pair_mask((rule,), ids_1N)).any()
        ]
        single_voice = [name for name in ("scale", "rests") if name in self.rules]
        rules = [hard.HARD_RULES[rule].quoted for rule in (*blocking, *single_voice)]
        why = tr("the locks forbid all")
        if len(rules) == 1:
            why = tr("the rule {rule} and the locks forbid all", rule=rules[0])
        elif rules:
            why = tr("the rules {rules} and the locks forbid all", rules=tr(" and ").join(rules))
        sentence = tr(
            "no note is left for the {voice} in {bar}, step {step}: {why}; switch a rule off, "
            "free a cell near or take another seed",
            voice=Voice(voice).title,
            bar=hard.bar_name(self.plan, step),
            step=step,
            why=why,
        )
        return DeadEnd(step, sentence)


def _pitches_and_columns(vocabulary: Vocabulary) -> tuple[codec.Ids, codec.Ids]:
    """Return for every token its pitch (REST if it is not a note) and its column in ``rules``."""
    tokens = np.arange(vocabulary.size)
    is_note = tokens > REST_TOKEN
    column = np.where(is_note, (tokens - vocabulary.first_onset) % PITCHES, REST_COLUMN)
    return np.where(is_note, column + LOWEST_PITCH, REST), column


def _hold_mask(vocabulary: Vocabulary, column_V: codec.Ids) -> Flags:
    tokens = np.arange(vocabulary.size)
    is_hold = (tokens >= vocabulary.first_hold) & vocabulary.holds
    same_pitch = (column_V[:, None] == column_V) & (tokens > REST_TOKEN)[:, None]
    return np.asarray(~is_hold | same_pitch)


def _kept_rhythm(request: GenerationRequest, vocabulary: Vocabulary) -> tuple[int, ...]:
    """Return the rhythm of ``request``; the one of a compound meter is drawn, thus no condition."""
    is_left_out = meter_beats.is_compound(request.meter) and not vocabulary.holds
    return () if is_left_out else request.rhythm


def _rhythm_mask(vocabulary: Vocabulary, steps: int, rhythm: Collection[int]) -> Flags:
    """Return the tokens that begin notes at the steps of ``rhythm`` and hold them after, (T, V)."""
    if not vocabulary.holds:
        raise UsageError(
            tr(
                "this model cannot keep a given rhythm, as it does not distinguish held notes from "
                "repeated ones: choose another, such as relative"
            )
        )
    is_begun_T1 = np.isin(np.arange(steps), list(rhythm))[:, None]
    is_hold_V = np.arange(vocabulary.size) >= vocabulary.first_hold
    return np.where(is_begun_T1, _begins(vocabulary), is_hold_V)


def _begins(vocabulary: Vocabulary) -> Flags:
    """Return which tokens begin a note, (V,)."""
    tokens = np.arange(vocabulary.size)
    return (tokens >= vocabulary.first_onset) & (tokens < vocabulary.first_hold)


def _legal_tokens_per_cell(
    vocabulary: Vocabulary, locked: LockedCells, voice_masks: Flags
) -> Flags:
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
