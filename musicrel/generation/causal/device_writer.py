"""Writing on a GPU: tokens are read and chosen there, and the host waits once for a stretch.

A step of ``TorchReader`` goes on to the choice of the next token, so that a captured step has both.
``compiled_choice`` is the reference: the same rules, recurrences and sampler, in double precision.
All shapes are fixed, and nothing asks the host; what is looked up lies in tables on the device.

Dimensions: B sequences, G pieces, N cells, T steps, V vocabulary, P recurrences of a voice, R kinds
of matches, S steps back from the newest first, C columns of ``rules``, K results, 4 or 8 voices.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple, Self

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor

from musicrel.generation.causal import compiled_choice
from musicrel.generation.causal.compiled_choice import Choosing
from musicrel.generation.causal.recurrence import LONGEST, NATS
from musicrel.generation.causal.written import Written
from musicrel.generation.constraints import rules as hard
from musicrel.generation.sampling import Floats, Tokens
from musicrel.model.blocks.kv_cache import ID_CONTEXT
from musicrel.model.tokens.codec import VOICES
from musicrel.model.tokens.vocabulary import REST_TOKEN, VOCABULARIES
from musicrel.model.torch_reader import TorchReader

_RESULTS: Final = 6
"""Token, log-probability, entropy, legal share, whether it is a dead end or a logit is broken."""
_RECURRENCES: Final = 2  # of a voice at most: its notes and its rhythm
_KINDS: Final = len(next(iter(NATS.values()))) // 2
_TOKEN_BITS: Final = 8


def loops(reader: TorchReader) -> Callable[[Written, int, int, Choosing], int]:
    """Return ``write`` for the sequences of a reader, the steps of which are captured.

    A reader that shares its steps with others has its own (``device_pieces``).
    """
    return getattr(reader, "write", None) or partial(DeviceWriter(reader).write, reader)


class _Tables(NamedTuple):
    """The tables of pieces; see ``RuleTables``, ``Recurrence`` and ``Sampler``.

    The first are those of each piece, the others are the same for all.
    """

    per_cell_GNV: Tensor
    is_paired_GN: Tensor  # whether rules about two voices hold in a cell
    ahead_GT4: Tensor
    since_GT: Tensor
    bar_G: Tensor
    given_GNP4: Tensor
    nearest_GNP: Tensor  # steps back where matches begin
    nats_GNPR: Tensor  # all zero where the voice of a cell may not recur
    hold_VV: Tensor
    column_V: Tensor
    at_once_44C: Tensor
    moved_CCC: Tensor
    is_note_V: Tensor  # whether a token begins a note
    is_hold_V: Tensor  # whether it holds one
    class_P4V: Tensor
    temperature: Tensor
    top_k: Tensor
    top_p: Tensor

    @classmethod
    def of(cls, by: Choosing) -> Self:
        """Return those of one piece, without the dimension of pieces."""
        rules, past, s = by.rules, by.pasts[0], by.sampler
        tokens_V, is_filtered = np.arange(len(rules.column_V)), s.top_k or s.top_p < 1.0
        class_P4V, *of_cells = _recurrences(by)
        tables = (
            rules.per_cell_NV,
            ~rules.locked_N & bool(rules.moved_PPP.size),
            rules.ahead_T4,
            past.since_T,
            past.bar,
            *of_cells,
            rules.hold_VV,
            rules.column_V,
            rules.at_once_44P.astype(np.int64),
            rules.moved_PPP.astype(np.int64),
            (tokens_V >= past.first_onset) & (tokens_V < past.first_hold),
            tokens_V >= (s.first_hold or len(tokens_V)),
            class_P4V,
            s.temperature,
            s.top_k or len(tokens_V),
            s.top_p if is_filtered else np.inf,
        )
        return cls(*(torch.from_numpy(np.array(table)) for table in tables))


_LEAST: Final = torch.finfo(torch.float64).tiny
_OF_A_PIECE: Final = _Tables._fields.index("nats_GNPR") + 1


def _recurrences(by: Choosing) -> tuple[np.ndarray[Any, Any], ...]:
    """Return ``class_P4V``, then (N, P, ...) of cells, each with the recurrences of its voice."""
    cells, tokens = by.rules.per_cell_NV.shape
    class_P4V = np.zeros((_RECURRENCES, VOICES, tokens), dtype=np.int64)
    given_NP4 = np.full((cells, _RECURRENCES, VOICES), -1)
    nearest_NP = np.ones((cells, _RECURRENCES), dtype=np.int64)
    nats_NPR = np.zeros((cells, _RECURRENCES, 2 * _KINDS))
    seen = Counter[int]()
    for past in by.pasts:
        number, own = seen[past.voice], slice(past.voice, None, VOICES)
        class_P4V[number, past.voice] = past.class_V
        given_NP4[own, number] = past.given_TV
        nearest_NP[own, number] = past.nearest * past.bar
        nats_NPR[own, number] = past.free_T[:, None] * past.nats_R
        seen[past.voice] += 1
    return class_P4V, given_NP4, nearest_NP, nats_NPR


class DeviceWriter:
    """The choice of tokens as a part of the steps of a reader.

    The tables have their places before a piece is known: those of an empty piece as long. The
    reader refers to this, but not this to it: its memory is freed at once.

    Args:
        pieces: number of pieces, as many sequences of each, that differ in form and locks.
    """

    @torch.inference_mode()
    def __init__(self, reader: TorchReader, pieces: int = 1) -> None:
        cache, self._ids_B1, self._place_1 = reader.cache, reader.ids_B1, reader.place_1
        self._ids_BL = cache.ids_BL
        device, batch = self._ids_BL.device, len(self._ids_BL)
        self._steps = -(-cache.capacity // VOICES)
        vocabulary = next(one for one in VOCABULARIES.values() if one.size == reader.tokens)
        _, trial = compiled_choice.trial(vocabulary, self._steps, ("crossing",))
        self._by = [trial] * pieces
        own = [torch.stack([one] * pieces) for one in _Tables.of(trial)[:_OF_A_PIECE]]
        shared = _Tables.of(trial)[_OF_A_PIECE:]
        self._tables = _Tables(*(one.to(device, copy=True) for one in (*own, *shared)))
        self._piece_B = torch.arange(batch, device=device) // (batch // pieces)
        self._voice_4 = torch.arange(VOICES, device=device)
        self._time_T = torch.arange(self._steps, device=device)
        self._back_S = torch.arange(1, LONGEST + 1, device=device)
        self._rank_V = torch.arange(reader.tokens, device=device)
        uniform_BN = torch.zeros(batch, cache.capacity, dtype=torch.float64, device=device)
        self._uniform_BN = uniform_BN
        self._found_KBN = uniform_BN.new_zeros(_RESULTS, batch, cache.capacity + 1)
        reader.follow(self._choose)

    def write(
        self, reader: TorchReader, written: Written, first: int, stop: int, by: Choosing
    ) -> int:
        """Read and choose the tokens from ``first`` up to ``stop``.

        Return the index of a token with a logit that is not finite; 0: there is none.
        """
        self.follow(0, by)
        before = slice(first - 1, stop - 1)
        self.begin(first, written.ids_BN[:, first - 1], written.uniforms_BN[:, before])
        for _ in range(first, stop):
            reader.advance()
        return note(written, self.found(first, stop), first)

    @torch.inference_mode()
    def follow(self, piece: int, by: Choosing) -> None:
        """Choose the tokens of a piece by these rules from now on."""
        if by is self._by[piece]:
            return
        self._by[piece] = by
        for number, (table, new) in enumerate(zip(self._tables, _Tables.of(by), strict=True)):
            own = table[piece] if number < _OF_A_PIECE else table
            own[tuple(map(slice, new.shape))].copy_(new)

    @torch.inference_mode()
    def begin(self, first: int, ids_B: Tokens, uniforms_BT: Floats) -> None:
        """Let the next step read ``ids_B``; the tokens from ``first`` on get random numbers."""
        part = slice(first - 1, first - 1 + uniforms_BT.shape[1])
        self._uniform_BN[:, part].copy_(torch.from_numpy(uniforms_BT))
        self._ids_B1.copy_(torch.from_numpy(ids_B[:, None]))

    def found(self, first: int, stop: int) -> Floats:
        """Return what the steps for the tokens from ``first`` up to ``stop`` found, (K, B, N)."""
        return self._found_KBN[:, :, first:stop].cpu().numpy()

    def _choose(self, logits_BV: Tensor) -> None:
        """Choose the token after the one at the place of the reader; the next step reads it."""
        cell_1 = self._place_1
        logit_BV = logits_BV.float().double()
        legal_BV, is_dead_B = self._legal(cell_1)
        uniform_B1 = self._uniform_BN.index_select(1, cell_1)
        token_B1 = self._drawn(self._raised(logit_BV, cell_1), legal_BV, uniform_B1)
        log_p_BV = logit_BV.log_softmax(1)
        p_BV = log_p_BV.exp()
        results = (
            token_B1[:, 0],
            log_p_BV.gather(1, token_B1)[:, 0],
            -(p_BV * log_p_BV).sum(1),
            (p_BV * legal_BV).sum(1),
            is_dead_B,
            (legal_BV & ~logit_BV.isfinite()).any(1),
        )
        found_KB1 = torch.stack([result.double() for result in results])[..., None]
        self._found_KBN.index_copy_(2, cell_1 + 1, found_KB1)
        self._ids_B1.copy_(token_B1)

    def _legal(self, cell_1: Tensor) -> tuple[Tensor, Tensor]:
        """Return the legal tokens, (B, V), and where rules about two voices leave none, (B,)."""
        tables, ids_BL, piece_B = self._tables, self._ids_BL, self._piece_B
        step_1, voice_1 = cell_1 // VOICES, cell_1 % VOICES
        newest = ID_CONTEXT + 1 + step_1 * VOICES  # where the step begins; ids after it may be old
        around_8 = newest + torch.arange(-VOICES, VOICES, device=ids_BL.device)
        around_B8 = ids_BL.index_select(1, around_8.clamp(max=ids_BL.shape[1] - 1))
        before_B1 = around_B8.index_select(1, voice_1).where(step_1 > 0, REST_TOKEN)
        legal_BV = tables.per_cell_GNV[piece_B, cell_1] & tables.hold_VV[before_B1[:, 0]]

        column_B8 = tables.column_V[around_B8]
        locked_B4 = tables.ahead_GT4[piece_B, step_1]
        after_B4 = tables.ahead_GT4[piece_B, step_1 + 1]
        before_B4 = column_B8[:, :VOICES].where(step_1 > 0, hard.REST_COLUMN)
        now_B4 = column_B8[:, VOICES:].where(self._voice_4 < voice_1, locked_B4)
        own_before_B1 = before_B4.index_select(1, voice_1)
        own_after_B1 = after_B4.index_select(1, voice_1)
        sets_B4 = tables.at_once_44C[voice_1, self._voice_4, now_B4]
        sets_B4 = sets_B4 & tables.moved_CCC[own_before_B1, before_B4, now_B4]
        sets_B4 = sets_B4 & tables.moved_CCC[own_after_B1, after_B4, now_B4]
        sets_B4 = sets_B4.where(self._voice_4 != voice_1, -1)
        both_BV = legal_BV & ((sets_B4[..., None] >> tables.column_V) & 1).bool().all(1)

        is_left_B1 = both_BV.any(1, keepdim=True)
        is_paired_B1 = tables.is_paired_GN[piece_B, cell_1][:, None]
        legal_BV = both_BV.where(is_paired_B1 & is_left_B1, legal_BV)
        return legal_BV, (is_paired_B1 & ~is_left_B1)[:, 0]

    def _raised(self, logit_BV: Tensor, cell_1: Tensor) -> Tensor:
        """Return the logits, raised for the class of a token that recurs; see ``find_match``."""
        tables, voice_1 = self._tables, cell_1 % VOICES
        cells_BN = self._ids_BL[:, ID_CONTEXT + 1 :]
        cells_BN = F.pad(cells_BN, (0, VOICES * self._steps - cells_BN.shape[1]))
        grid_BT4 = cells_BN.view(len(cells_BN), self._steps, VOICES)
        own_BT = grid_BT4.index_select(2, voice_1)[..., 0]
        class_PV = tables.class_P4V[:, voice_1, :][:, 0]
        kind_PBT = self._kinds(grid_BT4, own_BT, class_PV, cell_1)
        best_PB = (kind_PBT * self._steps + self._time_T).amax(2)  # of equal ones the latest
        kind_PB = best_PB.div(self._steps, rounding_mode="floor")
        start_PB1 = (best_PB % self._steps)[..., None]
        token_PB = own_BT.expand(len(class_PV), -1, -1).gather(2, start_PB1)[..., 0]
        nats_PBR = tables.nats_GNPR[self._piece_B, cell_1].transpose(0, 1)
        nats_PB = nats_PBR.gather(2, kind_PB.clamp(min=0)[..., None])[..., 0]
        recurs_PBV = class_PV[:, None] == class_PV.gather(1, token_PB)[..., None]
        for nats_B, recurs_BV in zip(nats_PB.where(kind_PB >= 0, 0.0), recurs_PBV, strict=True):
            logit_BV = logit_BV + nats_B[:, None] * recurs_BV
        return logit_BV

    def _kinds(self, grid_BT4: Tensor, own_BT: Tensor, class_PV: Tensor, cell_1: Tensor) -> Tensor:
        """Return the kinds of the matches that end before each step, (P, B, T); -1: none."""
        tables, step_1, time_T = self._tables, cell_1 // VOICES, self._time_T
        here = self._piece_B, cell_1
        given_PB14 = tables.given_GNP4[here].transpose(0, 1)[:, :, None]
        is_given_PB14 = given_PB14 >= 0
        nearest_PB1 = tables.nearest_GNP[here].T[..., None]
        is_bar_BT = (step_1 - time_T) % tables.bar_G[self._piece_B, None] == 0
        is_start_PBT = (time_T <= step_1 - nearest_PB1) & is_bar_BT
        fits_PBT = ((grid_BT4 == given_PB14) | ~is_given_PB14).all(3) & is_start_PBT

        # one number for all that must be the same in a step
        given_PBT = (grid_BT4.where(is_given_PB14, 0) << _TOKEN_BITS * self._voice_4).sum(3)
        alike_PBT = (given_PBT << _TOKEN_BITS) + class_PV[:, own_BT]
        past_PBTS = _before_each(alike_PBT, -1)
        newest_PB1S = past_PBTS.index_select(2, step_1)
        run_PBTS = ((past_PBTS == newest_PB1S) & (past_PBTS >= 0)).flip(3)
        run_PBTS = run_PBTS.cumprod(3, dtype=torch.uint8)[:, :, : self._steps]

        is_note_BS = _before_each(tables.is_note_V[own_BT], 0)[:, step_1, :][:, 0].flip(1)
        since_BT = tables.since_GT[self._piece_B]
        since_B1 = since_BT.index_select(1, step_1)
        steps_PBT = run_PBTS.sum(3)
        notes_PBTS = run_PBTS * is_note_BS[:, None]
        in_phrase_PBT = (notes_PBTS * (self._back_S <= since_B1)[:, None]).sum(3)
        is_phrase_PBT = (since_BT == since_B1) & (steps_PBT >= since_B1.clamp(max=LONGEST))
        kind_PBT = torch.where(
            is_phrase_PBT,
            _KINDS + in_phrase_PBT.clamp(max=_KINDS - 1),
            notes_PBTS.sum(3).clamp(max=_KINDS - 1),
        )
        return kind_PBT.where(fits_PBT, -1)

    def _drawn(self, logit_BV: Tensor, legal_BV: Tensor, uniform_B1: Tensor) -> Tensor:
        """Draw a legal token, (B, 1); see ``Sampler.choose``."""
        tables = self._tables
        logit_BV = logit_BV.where(legal_BV, -torch.inf)
        likeliest_B1 = logit_BV.argmax(1, keepdim=True)
        shifted_BV = logit_BV - logit_BV.gather(1, likeliest_B1)
        weight_BV = (shifted_BV / tables.temperature).exp().where(legal_BV, 0.0)
        begun_BV = weight_BV.where(~tables.is_hold_V, 0.0)
        sorted_BV, order_BV = begun_BV.sort(dim=1, descending=True, stable=True)
        total_B1 = begun_BV.sum(1, keepdim=True)
        share_BV = sorted_BV / total_B1.clamp(min=_LEAST)
        is_out_BV = share_BV.cumsum(1) - share_BV >= tables.top_p
        is_out_BV = is_out_BV | (self._rank_V >= tables.top_k)
        kept_BV = torch.zeros_like(weight_BV).scatter(1, order_BV, sorted_BV.where(~is_out_BV, 0.0))
        scale_B1 = total_B1 / kept_BV.sum(1, keepdim=True).clamp(min=_LEAST)
        cumulative_BV = weight_BV.where(tables.is_hold_V, kept_BV * scale_B1).cumsum(1)
        end_B1 = cumulative_BV[:, -1:]
        target_B1 = (uniform_B1 * end_B1).minimum(end_B1.nextafter(torch.zeros_like(end_B1)))
        drawn_B1 = (cumulative_BV <= target_B1).sum(1, keepdim=True)
        drawn_B1 = drawn_B1.clamp(max=len(self._rank_V) - 1)  # where no token is legal
        return likeliest_B1.where(tables.temperature == 0.0, drawn_B1)


def note(written: Written, found_KBN: Floats, first: int) -> int:
    """Note what steps found for some sequences; return a number as ``DeviceWriter.write``."""
    part = slice(first, first + found_KBN.shape[2])
    for own_BN, new_BN in zip((*written.choices, written.is_dead_BN), found_KBN, strict=False):
        own_BN[:, part] = new_BN
    is_broken_N = found_KBN[-1].any(axis=0)
    return first + int(is_broken_N.argmax()) if is_broken_N.any() else 0


def _before_each(row: Tensor, padding: int) -> Tensor:
    """Return what stands in the steps before each step and after the last: (..., T + 1, S)."""
    return F.pad(row, (LONGEST, 0), value=padding).unfold(-1, LONGEST, 1)
