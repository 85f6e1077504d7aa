"""Writing several proposals for one request side by side, and how likely each is, as a job.

This file knows tokens and probabilities; it knows nothing of what makes a proposal good.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Chorale, Voice
from musicrel.generation.causal import decoder
from musicrel.generation.causal.causal_generator import line_of
from musicrel.generation.causal.decode_sequence import Line
from musicrel.generation.causal.decoder import Column, Notice
from musicrel.generation.causal.phrase_ends import Endings
from musicrel.generation.constraints.cell_constraints import Constraints, DeadEnd
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.generation.sampled_key import settled
from musicrel.generation.scoring.teacher_forcing import attend
from musicrel.jobs import Job
from musicrel.tokens import codec
from musicrel.tokens.vocabulary import START

Nats: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far the writing is.

    Attributes:
        done: notes written, locked ones between them included; all proposals together.
        total: all of them.
        notice: something goes on in another way than asked for; "" most of the time.
    """

    done: int
    total: int
    notice: str = ""


class Batch:
    """All proposals for one request on their way through the decoder.

    What is locked before the first free cell is read as a prompt. Where something is locked after
    the last one, each finished proposal is read once more, in a few large steps, to its end: how
    likely all of it is then is what they are ranked by. A proposal that is stuck is written on, so
    that the others lose nothing.
    """

    def __init__(
        self, model: LoadedModel, request: GenerationRequest, seeds: Sequence[int]
    ) -> None:
        self._model, self._request, self._seeds = model, request, seeds
        self.constraints: Constraints = request.constraints(model.vocabulary)
        self.stuck: dict[int, DeadEnd] = {}
        self.done = self._total = 0

    def run(self) -> Job[Progress, tuple[list[codec.Ids], Nats]]:
        """The tokens of every proposal, START first, and -log p of its cells, (B, T, 4).

        Raises:
            GenerationError: the model gives no distribution to choose from.
        """
        fixed = self.constraints.fixed
        free = np.flatnonzero(fixed < 0)
        first, stop = int(free[0]), int(free[-1]) + 1
        prompt = np.concatenate([[START], fixed[:first]])
        nats_BN = np.zeros((len(self._seeds), len(fixed)))
        decoded = yield from self._decoded(prompt, stop, nats_BN)
        ids = [np.concatenate([row, fixed[stop:]]) for row in decoded]
        if stop < len(fixed):
            for row, tokens in enumerate(ids):
                nats_BN[row] = self._nats(tokens)
                yield self._progress()
        elif first:
            nats_BN[:, :first] = self._nats(ids[0], first)[:first]
        return ids, nats_BN.reshape(len(ids), -1, len(Voice))

    def _decoded(
        self, prompt: codec.Ids, length: int, nats_BN: Nats
    ) -> Job[Progress, list[codec.Ids]]:
        """The tokens up to index ``length``; fills in -log p of all but the prompt's."""
        self._total = (length + 1 - len(prompt)) * len(self._seeds)
        turning = Endings(self._model, self.constraints, self._request.patience, len(prompt))
        job = decoder.decode(
            self._model, self._lines(prompt), length, self.constraints, turning=turning
        )
        with closing(job):
            while True:
                try:
                    event = next(job)
                except StopIteration as end:
                    written: list[codec.Ids] = end.value
                    return written
                if isinstance(event, Column):
                    self._note_dead_ends(event)
                    self.done += len(event.tokens)
                    nats_BN[event.rows, event.index - 1] = -event.log_probability
                notice = event.sentence if isinstance(event, Notice) else ""
                yield self._progress(notice)

    def _progress(self, notice: str = "") -> Progress:
        return Progress(done=self.done, total=self._total, notice=notice)

    def _nats(self, ids: codec.Ids, cells: int | None = None) -> Nats:
        """-log p of the cells of one proposal, (4 T,)."""
        piece = self.constraints.piece(ids) or self.constraints.plan
        fixed = self.constraints.fixed
        return nats_of(self._model, piece, self._request, cells, fixed).reshape(-1)

    def _lines(self, prompt: codec.Ids) -> list[Line]:
        each = [settled(replace(self._request, seed=seed), self._model) for seed in self._seeds]
        fixed = self.constraints.fixed
        lines = [line_of(self._model, request, request.plan(), fixed) for request in each]
        return [replace(line, prompt=prompt) for line in lines]

    def _note_dead_ends(self, column: Column) -> None:
        """Dead ends are told by the row of those written together; keep them by seed."""
        for row, end in self.constraints.dead_ends.items():
            self.stuck.setdefault(self._seeds[column.rows[row]], end)
        self.constraints.dead_ends.clear()


def nats_of(
    model: LoadedModel,
    piece: Chorale,
    request: GenerationRequest,
    cells: int | None = None,
    fixed: codec.Ids | None = None,
) -> Nats:
    """-log p of each cell when the model is told what it is told in writing, (T, 4).

    Args:
        model: one that writes in order.
        piece: what it reads.
        request: says what it is told.
        cells: how many, from the first, are needed; the others may be 0. None: all.
        fixed: int64 (4 T,), the token of every cell it was given, -1 elsewhere; None: as the
            request has it.
    """
    nats_N = np.zeros(piece.steps * len(Voice))
    if fixed is None:
        fixed = request.constraints(model.vocabulary).fixed
    with closing(attend(model, piece, request.told(), fixed, record=False)) as job:
        for rows in job:
            nats_N[rows.first : rows.first + len(rows.nats)] = rows.nats
            if cells is not None and rows.first + len(rows.nats) >= cells:
                break
    return nats_N.reshape(-1, len(Voice))
