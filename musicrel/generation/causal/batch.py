"""Batched generation of candidates for one request, with the log-probability of each cell."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from musicrel import jobs
from musicrel.chorale import Chorale, Voice
from musicrel.generation.causal.batch_forward import DecodeSequence
from musicrel.generation.causal.causal_generator import decode
from musicrel.generation.causal.decoder import Column, DecodingEvent, Notice
from musicrel.generation.cell_constraints import Constraints, DeadEnd
from musicrel.generation.heads.replacement import replaced_heads
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.generation.scoring.teacher_forcing import score_cells
from musicrel.jobs import Job
from musicrel.model.tokens import codec
from musicrel.model.tokens.vocabulary import START

Nats: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """Progress of a job: notes written in all candidates, locked ones between them included."""

    done: int
    total: int
    notice: str = ""  # a change of method for the user


class CausalBatch:
    """The candidates for one request, decoded in one batch.

    Locked cells before the first free cell are the prompt. If locked cells follow the last free
    one, each finished candidate is scored again by teacher forcing: candidates are ranked by the
    log-probability of the whole piece. A candidate at a dead end is decoded to its end, so that the
    batch keeps its shape.

    Attributes:
        stuck: dead ends by the seed of the candidate.
        done: tokens written so far in all candidates.
    """

    def __init__(
        self,
        model: LoadedModel,
        request: GenerationRequest,
        constraints: Constraints,
        seeds: Sequence[int],
    ) -> None:
        self._model, self._request, self._seeds = model, request, seeds
        self._constraints = constraints
        self.stuck: dict[int, DeadEnd] = {}
        self.done = self._total = 0

    def run(self) -> Job[Progress, tuple[list[codec.Ids], Nats]]:
        """Decode all; return their tokens, START first, and -log p of their cells, (B, T, 4)."""
        locked_tokens = self._constraints.locked_tokens
        free = np.flatnonzero(locked_tokens < 0)
        first, stop = int(free[0]), int(free[-1]) + 1
        self._total = (stop - first) * len(self._seeds)
        nats_BN = np.zeros((len(self._seeds), len(locked_tokens)))
        sequences = self._sequences(np.concatenate([[START], locked_tokens[:first]]))
        job = decode(self._model, self._request, self._constraints, sequences, stop)
        decoded = yield from jobs.map_events(job, partial(self._add, nats_BN))
        ids = [np.concatenate([row, locked_tokens[stop:]]) for row in decoded]
        nats_BT4 = nats_BN.reshape(len(ids), -1, len(Voice))
        if stop < len(locked_tokens):
            for row, tokens in enumerate(ids):
                nats_BT4[row] = self.nats(self._piece(tokens))
                yield self._progress()
        elif first:
            nats_BN[:, :first] = self.nats(self._piece(ids[0]), first).reshape(-1)[:first]
        return ids, nats_BT4

    def nats(self, piece: Chorale, cells: int | None = None) -> Nats:
        """Return -log p of each cell of ``piece`` under the conditions of the request, (T, 4).

        If fewer ``cells`` are needed, from the first, the others may be 0.
        """
        nats_N = np.zeros(piece.steps * len(Voice))
        given, locked_tokens = self._request.given_conditions(), self._constraints.locked_tokens
        replaced = replaced_heads(self._model, self._request.mutes)
        job = score_cells(self._model, piece, given, locked_tokens, record=False, replaced=replaced)
        with closing(job):
            for rows in job:
                stop = rows.first + len(rows.nats)
                nats_N[rows.first : stop] = rows.nats
                if cells is not None and stop >= cells:
                    break
        return nats_N.reshape(-1, len(Voice))

    def _add(self, nats_BN: Nats, event: DecodingEvent) -> Progress:
        """Note the newest tokens: their -log p, and the dead ends by seed instead of row."""
        if isinstance(event, Column):
            for row, end in event.dead_ends.items():
                self.stuck.setdefault(self._seeds[event.rows[row]], end)
            self.done += len(event.rows)
            nats_BN[event.rows, event.index - 1] = -event.choice.log_probability
        return self._progress(event.sentence if isinstance(event, Notice) else "")

    def _progress(self, notice: str = "") -> Progress:
        return Progress(done=self.done, total=self._total, notice=notice)

    def _piece(self, ids: codec.Ids) -> Chorale:
        return self._constraints.piece(ids) or self._constraints.plan

    def _sequences(self, prompt: codec.Ids) -> list[DecodeSequence]:
        sequences = []
        for seed in self._seeds:
            request = replace(self._request, seed=seed).with_sampled_key(self._model.conditions)
            sequence = DecodeSequence.of(self._model, request, self._constraints.locked_tokens)
            sequences.append(replace(sequence, prompt=prompt))
        return sequences
