"""Generation with an infill model, a batch of candidates at a time.

All hidden notes are filled first: phrase endings, then from few blocks far apart to many between
them. Then the pitch of every free note is resampled given all others in several sweeps, at a lower
temperature (blocked Gibbs sampling, as in Hadjeres et al. 2017 and Huang et al. 2017, section 5; a
block is a note). The number of sweeps depends on the quality level. On a CPU each candidate has a
forward pass of its own, so that its notes do not depend on the batch.

Dimensions: B candidates, T steps, 4 voices, N cells in raster order, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Final, cast

import numpy as np
import numpy.typing as npt
import torch

from musicrel.chorale import STEPS_PER_QUARTER, Chorale, Flags, Pitches, Voice, spans
from musicrel.generation.causal.batch import Nats, Progress
from musicrel.generation.constraints.cell_constraints import Constraints, DeadEnd
from musicrel.generation.infill import gibbs_blocks
from musicrel.generation.infill.gibbs_blocks import Block
from musicrel.generation.infill.infill_state import InfillState
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.quality import QUALITIES
from musicrel.generation.request import GenerationRequest
from musicrel.generation.sampling import Floats
from musicrel.jobs import Job
from musicrel.tokens import codec
from musicrel.tokens.conditions import Rows
from musicrel.tokens.vocabulary import MASK

if TYPE_CHECKING:
    from musicrel.model.families.infiller import Infiller

_GIBBS_COOLING: Final = 0.45
"""Factor of the temperature at which pitches are resampled."""
_FINAL_STEPS: Final = STEPS_PER_QUARTER
"""Length of the piece's ending in steps; a longer final chord may begin within a phrase."""
_MAX_CELLS: Final = 4 * 1024
"""Cells of one forward pass, 64 bars of 4/4; longer pieces are read in parts."""
_PART_CELLS: Final = 4 * 512
_MARGIN: Final = 4 * 64
"""Cells of context on both sides of the wanted cells: as many steps as the positions of the bundled
model distinguish. Predictions are as good as with the whole piece, and faster."""
_HIDDEN_AT_ONCE: Final = 4
"""Steps of a hidden run when the notes of a finished piece are scored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InfillProgress(Progress):
    """The state of all candidates after a forward pass.

    Attributes:
        pitches: int16 (T, 4) of each candidate, MIDI numbers, REST, or UNKNOWN where nothing is
            written yet.
        onsets: bool (T, 4) of each candidate, onsets of notes.
    """

    pitches: tuple[Pitches, ...]
    onsets: tuple[Flags, ...]


class InfillBatch:
    """The candidates for one request, filled side by side; the counterpart of ``CausalBatch``.

    Args:
        model: a model of family ``infill``.
        request: the request.
        constraints: legal tokens by locks and rules of the request.
        seeds: one for each candidate.

    Attributes:
        stuck: dead ends by seed; always empty for this family.
        done: cells written so far in all candidates; every sweep counts each free cell again.
    """

    def __init__(
        self,
        model: LoadedModel,
        request: GenerationRequest,
        constraints: Constraints,
        seeds: Sequence[int],
    ) -> None:
        self._model, self._request, plan = model, request, constraints.plan
        self._ends = [*spans(plan.fermatas), (max(plan.steps - _FINAL_STEPS, 0), plan.steps)]
        self.stuck: dict[int, DeadEnd] = {}
        self.done = 0
        each = [replace(request, seed=seed).with_sampled_key(model.conditions) for seed in seeds]
        sampler = request.sampler()
        self._cool_sampler = replace(sampler, temperature=sampler.temperature * _GIBBS_COOLING)
        self._states = [
            InfillState(
                constraints,
                sampler,
                _conditions(model, one.plan(), one),
                np.random.default_rng(one.seed if sampler.temperature else 0),  # 0: deterministic
            )
            for one in each
        ]
        self._wanted = _region(self._states[0].free)
        self._quality = QUALITIES[request.quality]
        self._free_cells = int(self._states[0].free.sum()) * len(seeds)

    def run(self) -> Job[Progress, tuple[list[codec.Ids], Nats]]:
        """Fill and resample all candidates.

        Returns:
            The tokens of every candidate, START first, and -log p of its cells in nats, (B, T, 4),
            each given all cells except its neighbours in the same voice.
        """
        for blocks in gibbs_blocks.filling_blocks(self._states[0].free, self._ends):
            self._write(blocks)
            yield self._progress()
        for _ in range(self._quality.gibbs_sweeps):
            yield from self._gibbs_sweep()
        nats = [token_nats(self._model, one.tokens, one.conditions_NC) for one in self._states]
        return [state.ids() for state in self._states], np.stack(nats)

    def nats(self, piece: Chorale) -> Nats:
        """Return -log p of each cell of ``piece``, given all but its neighbours, (T, 4)."""
        ids = codec.encode(piece, self._model.vocabulary)[1:-1].reshape(-1, len(Voice))
        return token_nats(self._model, ids, _conditions(self._model, piece, self._request))

    def _gibbs_sweep(self) -> Job[Progress, None]:
        """Resample the pitch of every free note given its neighbours."""
        schedules = [
            gibbs_blocks.note_blocks(state.free, state.onsets, state.pitches > 0, state.rng)
            for state in self._states
        ]
        resampled = sum(_cells(group) for schedule in schedules for group in schedule)
        self.done += self._free_cells - resampled  # rests, and notes that are not free to their end
        groups = list(zip_longest(*schedules, fillvalue=[]))
        for blocks in groups or [()]:  # one event also where all cells rest
            for state, hidden in zip(self._states, blocks, strict=False):
                state.hide(hidden)
            for row, logits_NV in self._read(blocks):
                self._states[row].resample_pitch(blocks[row], logits_NV, self._cool_sampler)
                self.done += _cells(blocks[row])
            yield self._progress()

    def _write(self, blocks: Sequence[Block]) -> None:
        """Fill the same hidden blocks of every candidate, each note given those before it."""
        self.done += _cells(blocks) * len(self._states)
        left = [list(blocks) for _ in self._states]
        for fill_pass in range(self._quality.fill_passes):
            finish = fill_pass == self._quality.fill_passes - 1
            for row, logits_NV in self._read(left):
                left[row] = self._states[row].draw(left[row], logits_NV, finish=finish)

    def _progress(self) -> InfillProgress:
        return InfillProgress(
            done=self.done,
            total=self._free_cells * (1 + self._quality.gibbs_sweeps),
            pitches=tuple(state.pitches for state in self._states),
            onsets=tuple(state.onsets for state in self._states),
        )

    def _read(self, blocks: Sequence[Sequence[Block]]) -> Iterator[tuple[int, Floats]]:
        """Yield the number of each candidate with blocks, and its logits at their steps."""
        rows = [row for row, some in enumerate(blocks) if some]
        if not rows:
            return
        states = [self._states[row] for row in rows]
        steps_BT = np.zeros((len(rows), len(self._states[0].tokens)), dtype=np.bool_)
        for steps_T, row in zip(steps_BT, rows, strict=True):
            for block in blocks[row]:
                steps_T[block.start : block.stop] = True
        logits = masked_logits(
            self._model,
            [state.tokens for state in states],
            [state.conditions_NC for state in states],
            wanted=self._wanted,
            steps_BT=steps_BT,
        )
        yield from zip(rows, logits, strict=True)


def token_nats(model: LoadedModel, tokens: npt.NDArray[np.int64], conditions_NC: Rows) -> Nats:
    """Return -log p of tokens (T, 4), each given all but its neighbours in its voice, in nats.

    Each of eight passes hides every other run of a voice.
    """
    nats = np.zeros(tokens.shape)
    run = np.arange(len(tokens)) // _HIDDEN_AT_ONCE % 2
    for voice in Voice:
        for phase in range(2):
            steps = np.flatnonzero(run == phase)
            hidden = tokens.copy()
            hidden[steps, voice] = MASK
            logits = masked_logits(model, [hidden], [conditions_NC])[0].reshape(*tokens.shape, -1)[
                steps, voice
            ]
            log_p = logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True)
            nats[steps, voice] = -log_p[np.arange(len(steps)), tokens[steps, voice]]
    return nats


def masked_logits(
    model: LoadedModel,
    tokens: Sequence[npt.NDArray[np.int64]],
    conditions: Sequence[Rows],
    *,
    wanted: slice | None = None,
    steps_BT: Flags | None = None,
) -> list[Floats]:
    """Return the logits of each state, float64 (N, V), zero at steps that are not asked for.

    On a CPU the states are read one by one, so that results do not depend on the batch.

    Args:
        model: a model of family ``infill``.
        tokens: int64 (T, 4) of each state, MASK in hidden cells.
        conditions: condition rows of each state, (N, C).
        wanted: range of cells that matter; cells far from it are not read. None: all.
        steps_BT: bool (B, T), steps to predict; None: steps with hidden cells.
    """
    tokens_BT4, conditions_BNC = np.stack(tokens), np.stack(conditions)
    if steps_BT is None:
        steps_BT = (tokens_BT4 == MASK).any(axis=2)
    wanted = wanted or slice(0, tokens_BT4[0].size)
    at_once = 1 if model.device.type == "cpu" else len(tokens)
    results: list[Floats] = []
    for first in range(0, len(tokens), at_once):
        some = slice(first, first + at_once)
        steps_T = np.asarray(steps_BT[some].any(axis=0))
        results += _logits(model, tokens_BT4[some], conditions_BNC[some], wanted, steps_T)
    return results


@torch.inference_mode()
def _logits(
    model: LoadedModel,
    tokens_BT4: npt.NDArray[np.int64],
    rows_BNC: Rows,
    wanted: slice,
    steps_T: Flags,
) -> list[Floats]:
    """Return ``masked_logits`` of one batch.

    Long pieces are read in parts with a margin of context.
    """
    network = cast("Infiller", model.network)
    ids_BN = torch.from_numpy(tokens_BT4.reshape(len(tokens_BT4), -1)).to(model.device)
    conditions_BNC = torch.from_numpy(rows_BNC).to(model.device)
    logits_BT4V = np.zeros((*tokens_BT4.shape, model.vocabulary.size))
    for seen, kept in _parts(wanted, ids_BN.shape[1]):
        first, stop = kept.start // len(Voice), kept.stop // len(Voice)
        steps = np.flatnonzero(steps_T[first:stop]) + first
        if steps.size:
            inside_S = torch.from_numpy(steps - seen.start // len(Voice)).to(model.device)
            logits_BS4V = network.logits_at(
                ids_BN[:, seen], conditions_BNC[:, seen], inside_S, starts_B=seen.start
            )
            logits_BT4V[:, steps] = logits_BS4V.double().cpu().numpy()
    return list(logits_BT4V.reshape(*ids_BN.shape, -1))


def _parts(wanted: slice, cells: int) -> Iterator[tuple[slice, slice]]:
    """Yield slices of the cells to read together and of those to keep of them."""
    whole = _seen(wanted, cells)
    length = _PART_CELLS if whole.stop - whole.start > _MAX_CELLS else cells
    for first in range(wanted.start, wanted.stop, length):
        kept = slice(first, min(first + length, wanted.stop))
        yield _seen(kept, cells), kept


def _seen(wanted: slice, cells: int) -> slice:
    return slice(max(wanted.start - _MARGIN, 0), min(wanted.stop + _MARGIN, cells))


def _cells(blocks: Sequence[Block]) -> int:
    return sum(block.stop - block.start for block in blocks)


def _region(free: Flags) -> slice:
    """Return the cells from the first to the last free step, all cells where none is free."""
    steps = np.flatnonzero(free.any(axis=1))
    first, last = (int(steps[0]), int(steps[-1])) if steps.size else (0, len(free) - 1)
    return slice(first * len(Voice), (last + 1) * len(Voice))


def _conditions(model: LoadedModel, plan: Chorale, request: GenerationRequest) -> Rows:
    """Return the condition rows of every cell, (N, C)."""
    return model.condition_rows(plan, request.given_conditions())[:-2]
