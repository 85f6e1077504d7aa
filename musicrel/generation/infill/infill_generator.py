"""Writing what is hidden with a model that sees both sides, several proposals beside each other.

First all hidden notes are filled in: where phrases end, then from few places far apart to many
between them. Then every free note's pitch is drawn anew in view of all others, again and again and
by a cooler chance (blocked Gibbs sampling, as in Hadjeres et al. 2017 and Huang et al. 2017, 5; a
block is a note).
How often is a matter of patience. On a CPU every proposal is read by itself, so that a seed's notes
are the same to the last one in every company.

Dimensions: B proposals, T steps, 4 voices, N cells in raster order, V vocabulary.

This file knows the order of the work; blocks are ``blocks``', a proposal's notes ``grid``'s.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias, cast

import numpy as np
import numpy.typing as npt
import torch

from musicrel.chorale import STEPS_PER_QUARTER, Chorale, Flags, Pitches, Voice
from musicrel.generation.causal.batch import Progress
from musicrel.generation.constraints.cell_constraints import Constraints, DeadEnd
from musicrel.generation.infill import gibbs_blocks
from musicrel.generation.infill.gibbs_blocks import Block
from musicrel.generation.infill.infill_state import Grid, Logits
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.generation.sampled_key import settled
from musicrel.jobs import Job
from musicrel.score.notes import spans
from musicrel.tokens import codec
from musicrel.tokens.conditions import Rows
from musicrel.tokens.vocabulary import MASK

if TYPE_CHECKING:
    from musicrel.model.families.infiller import Infiller

Nats: TypeAlias = npt.NDArray[np.float64]

READINGS: Final[Mapping[str, int]] = MappingProxyType({"draft": 2, "normal": 8, "careful": 8})
"""By patience, how often a block of the first filling is read until it is written to its end."""
RESUNG: Final[Mapping[str, int]] = MappingProxyType({"draft": 2, "normal": 8, "careful": 24})
"""How often after that every free note's pitch is drawn anew, its length being kept."""

_COOLED: Final = 0.45
"""What the temperature of pitches is multiplied with when they are drawn anew."""
_LAST: Final = STEPS_PER_QUARTER
"""Steps in which a piece surely ends; what stands longer may have begun with something else."""
_LONGEST: Final = 4 * 1024
"""Cells read at once, 64 bars of 4/4; longer pieces are read in parts."""
_PART: Final = 4 * 512
_MARGIN: Final = 4 * 64
"""Cells that are read beyond either end of what is wanted: as many steps as the shipped model tells
apart. It finds hidden notes as well as from a whole piece, in the time of a short one."""
_HIDDEN_AT_ONCE: Final = 4
"""Steps of a run that is hidden when a finished piece's notes are measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settling(Progress):
    """How the proposals that are being written stand after a pass.

    Attributes:
        pitches: int16 (T, 4) of each proposal, MIDI numbers, REST, or UNKNOWN where nothing is
            written yet.
        onsets: bool (T, 4) of each, where notes begin.
    """

    pitches: tuple[Pitches, ...]
    onsets: tuple[Flags, ...]


class Filling:
    """All proposals for one request on their way; the counterpart of ``batch.Batch``.

    Args:
        model: of family ``infill``.
        request: what to write.
        seeds: one for each proposal.

    Attributes:
        constraints: what locks and rules leave.
        stuck: proposals, by seed, that came to no end: none ever does.
        done: cells written so far, all proposals together; those gone over again count again, rests
            among them.
    """

    def __init__(
        self, model: LoadedModel, request: GenerationRequest, seeds: Sequence[int]
    ) -> None:
        self._model, plan = model, request.plan()
        self._ends = [*spans(plan.fermatas), (max(plan.steps - _LAST, 0), plan.steps)]
        self.constraints: Constraints = request.constraints(model.vocabulary)
        self.stuck: dict[int, DeadEnd] = {}
        self.done = 0
        each = [settled(replace(request, seed=seed), model) for seed in seeds]
        self._told = [_told(model, one.plan(), one) for one in each]
        self._grids = [
            Grid(
                self.constraints,
                model.vocabulary,
                temperature=request.temperature,
                top_k=request.top_k,
                top_p=request.top_p,
            )
            for _ in seeds
        ]
        self._wanted = _around(self._grids[0].free)
        orders = seeds if request.temperature else [0] * len(seeds)  # without chance one order, too
        self._chance = [np.random.default_rng(seed) for seed in orders]
        self._readings, self._resung = READINGS[request.patience], RESUNG[request.patience]
        self._free = int(self._grids[0].free.sum()) * len(seeds)

    def run(self) -> Job[Progress, tuple[list[codec.Ids], Nats]]:
        """The tokens of every proposal, START first, and -log p of its cells, (B, T, 4).

        A cell's -log p is that in view of all others but those of its voice close by.
        """
        for blocks_ in gibbs_blocks.filling(self._grids[0].free, self._ends):
            self._write(blocks_)
            yield self._progress()
        for _ in range(self._resung):
            yield from self._sung()
        nats = [
            nats_of_tokens(self._model, grid.tokens, told_NC)
            for grid, told_NC in zip(self._grids, self._told, strict=True)
        ]
        return [grid.ids() for grid in self._grids], np.stack(nats)

    def _sung(self) -> Job[Progress, None]:
        """Choose the pitch of every free note once more, as it stands between its neighbours."""
        turns = [
            gibbs_blocks.notes(grid.free, grid.onsets, grid.pitches > 0, chance)
            for grid, chance in zip(self._grids, self._chance, strict=True)
        ]
        sung = sum(_cells(group) for of_one in turns for group in of_one)
        self.done += self._free - sung  # rests, and notes that are not free to their end
        for turn in range(max(1, *map(len, turns))):  # where all rests, that is told
            rows = [row for row, of_one in enumerate(turns) if turn < len(of_one)]
            for row in rows:
                self._grids[row].hide(turns[row][turn])
            chance_T4 = self._chances(rows)
            logits = self._read(
                rows, [of_one[turn] if turn < len(of_one) else [] for of_one in turns]
            )
            for row, numbers, logits_NV in zip(rows, chance_T4, logits, strict=True):
                self._grids[row].sing(turns[row][turn], logits_NV, numbers, _COOLED)
                self.done += _cells(turns[row][turn])
            yield self._progress()

    def _write(self, blocks_: Sequence[Block]) -> None:
        """Write the same hidden blocks in every proposal, each note in view of those before it."""
        self.done += _cells(blocks_) * len(self._grids)
        left = [list(blocks_) for _ in self._grids]
        for reading in range(self._readings):
            rows = [row for row, of_one in enumerate(left) if of_one]
            chance_T4 = self._chances(rows)
            logits = self._read(rows, left)
            for row, numbers, logits_NV in zip(rows, chance_T4, logits, strict=True):
                finish = reading == self._readings - 1
                left[row] = self._grids[row].draw(left[row], logits_NV, numbers, finish=finish)

    def _chances(self, rows: Sequence[int]) -> list[Nats]:
        """A number in [0, 1) for every cell, from the chance of each of these proposals."""
        return [self._chance[row].random(self._grids[row].tokens.shape) for row in rows]

    def _progress(self) -> Settling:
        return Settling(
            done=self.done,
            total=self._free * (1 + self._resung),
            pitches=tuple(grid.pitches for grid in self._grids),
            onsets=tuple(grid.onsets for grid in self._grids),
        )

    def _read(self, rows: Sequence[int], each: Sequence[Sequence[Block]]) -> list[Logits]:
        """What the model says of some proposals where their blocks are."""
        if not rows:
            return []
        steps = np.zeros((len(self._grids), len(self._grids[0].tokens)), dtype=np.bool_)
        for row in rows:
            for block in each[row]:
                steps[row, block.start : block.stop] = True
        return read(
            self._model,
            [self._grids[row].tokens for row in rows],
            [self._told[row] for row in rows],
            wanted=self._wanted,
            steps_BT=steps[list(rows)],
        )


def nats_of(model: LoadedModel, piece: Chorale, request: GenerationRequest) -> Nats:
    """-log p of each cell in view of all others but those of its voice close by, (T, 4).

    Args:
        model: of family ``infill``.
        piece: what it reads.
        request: says what it is told.
    """
    ids = codec.encode(piece, model.vocabulary)[1:-1].reshape(-1, len(Voice))
    return nats_of_tokens(model, ids, _told(model, piece, request))


def nats_of_tokens(model: LoadedModel, tokens: npt.NDArray[np.int64], told_NC: Rows) -> Nats:
    """``nats_of`` for tokens (T, 4): in eight readings, each hides every other run of a voice."""
    nats = np.zeros(tokens.shape)
    run = np.arange(len(tokens)) // _HIDDEN_AT_ONCE % 2
    for voice in Voice:
        for phase in range(2):
            steps = np.flatnonzero(run == phase)
            hidden = tokens.copy()
            hidden[steps, voice] = MASK
            logits = read(model, [hidden], [told_NC])[0].reshape(*tokens.shape, -1)[steps, voice]
            log_p = logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True)
            nats[steps, voice] = -log_p[np.arange(len(steps)), tokens[steps, voice]]
    return nats


def read(
    model: LoadedModel,
    tokens: Sequence[npt.NDArray[np.int64]],
    told: Sequence[Rows],
    *,
    wanted: slice | None = None,
    steps_BT: Flags | None = None,
) -> list[Logits]:
    """The logits of each grid (T, 4) at some steps, 0 at all others; float64 (N, V).

    On a CPU one after the other, that a grid's results do not depend on those beside it.

    Args:
        model: of family ``infill``.
        tokens: the grids, MASK where something is hidden.
        told: the conditions of every cell of each, (N, C).
        wanted: the cells that matter; what is far from all of them is not read. None: every cell.
        steps_BT: the steps of each of which something is to be said; None: those with hidden cells.
    """
    tokens_BT4, told_BNC = np.stack(tokens), np.stack(told)
    if steps_BT is None:
        steps_BT = (tokens_BT4 == MASK).any(axis=2)
    wanted = wanted or slice(0, tokens_BT4[0].size)
    at_once = 1 if model.device.type == "cpu" else len(tokens)
    read_: list[Logits] = []
    for first in range(0, len(tokens), at_once):
        some = slice(first, first + at_once)
        steps_T = np.asarray(steps_BT[some].any(axis=0))
        read_ += _logits(model, tokens_BT4[some], told_BNC[some], wanted, steps_T)
    return read_


@torch.inference_mode()
def _logits(
    model: LoadedModel,
    tokens_BT4: npt.NDArray[np.int64],
    told_BNC: Rows,
    wanted: slice,
    steps_T: Flags,
) -> list[Logits]:
    """As ``read``; what is too long to be read at once is read in parts, with bars around each."""
    network = cast("Infiller", model.network)
    ids_BN = torch.from_numpy(tokens_BT4.reshape(len(tokens_BT4), -1)).to(model.device)
    conditions_BNC = torch.from_numpy(told_BNC).to(model.device)
    logits_BT4V = np.zeros((*tokens_BT4.shape, model.vocabulary.size))
    for seen, kept in _parts(wanted, ids_BN.shape[1]):
        first, stop = kept.start // len(Voice), kept.stop // len(Voice)
        steps = np.flatnonzero(steps_T[first:stop]) + first
        if steps.size:
            inside_S = torch.from_numpy(steps - seen.start // len(Voice)).to(model.device)
            said_BS4V = network.said_at(
                ids_BN[:, seen], conditions_BNC[:, seen], inside_S, starts_B=seen.start
            )
            logits_BT4V[:, steps] = said_BS4V.double().cpu().numpy()
    return list(logits_BT4V.reshape(*ids_BN.shape, -1))


def _parts(wanted: slice, cells: int) -> Iterator[tuple[slice, slice]]:
    """What is read together, and what of that is kept."""
    whole = _seen(wanted, cells)
    length = _PART if whole.stop - whole.start > _LONGEST else cells
    for first in range(wanted.start, wanted.stop, length):
        kept = slice(first, min(first + length, wanted.stop))
        yield _seen(kept, cells), kept


def _seen(wanted: slice, cells: int) -> slice:
    return slice(max(wanted.start - _MARGIN, 0), min(wanted.stop + _MARGIN, cells))


def _cells(blocks_: Sequence[Block]) -> int:
    return sum(block.stop - block.start for block in blocks_)


def _around(free: Flags) -> slice:
    """The cells from the first free step to the last, all of them where none is free."""
    steps = np.flatnonzero(free.any(axis=1))
    first, last = (int(steps[0]), int(steps[-1])) if steps.size else (0, len(free) - 1)
    return slice(first * len(Voice), (last + 1) * len(Voice))


def _told(model: LoadedModel, plan: Chorale, request: GenerationRequest) -> Rows:
    """The conditions of every cell, (N, C)."""
    return model.condition_rows(plan, request.told())[:-2]
