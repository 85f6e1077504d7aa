"""Batched generation of candidates for one request, with the log-probability of each cell."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Chorale, Voice
from musicrel.generation.causal import decoder
from musicrel.generation.causal.causal_generator import new_sequence
from musicrel.generation.causal.decode_sequence import DecodeSequence
from musicrel.generation.causal.decoder import Column, Notice
from musicrel.generation.causal.phrase_ends import PhraseEndSearch
from musicrel.generation.constraints.cell_constraints import Constraints, DeadEnd
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.generation.sampled_key import with_sampled_key
from musicrel.generation.scoring.teacher_forcing import score_cells
from musicrel.jobs import Job
from musicrel.tokens import codec
from musicrel.tokens.vocabulary import START

Nats: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """Progress of a job.

    Attributes:
        done: notes written in all candidates, locked ones between them included.
        total: notes to write.
        notice: a change of method for the user; usually "".
    """

    done: int
    total: int
    notice: str = ""


class CausalBatch:
    """The candidates for one request, decoded in one batch.

    Locked cells before the first free cell are the prompt. If locked cells follow the last free
    one, each finished candidate is scored again by teacher forcing: candidates are ranked by the
    log-probability of the whole piece. A candidate at a dead end is decoded to its end, so that the
    batch keeps its shape.

    Args:
        model: a causal model.
        request: the request.
        seeds: one for each candidate.

    Attributes:
        constraints: legal tokens by locks and rules.
        stuck: dead ends by the seed of the candidate.
        done: tokens written so far in all candidates.
    """

    def __init__(
        self, model: LoadedModel, request: GenerationRequest, seeds: Sequence[int]
    ) -> None:
        self._model, self._request, self._seeds = model, request, seeds
        self.constraints: Constraints = request.constraints(model.vocabulary)
        self.stuck: dict[int, DeadEnd] = {}
        self.done = self._total = 0

    def run(self) -> Job[Progress, tuple[list[codec.Ids], Nats]]:
        """Decode all candidates.

        Returns:
            The tokens of every candidate, START first, and -log p of its cells in nats, (B, T, 4).

        Raises:
            GenerationError: a logit is not finite.
        """
        locked_tokens = self.constraints.locked_tokens
        free = np.flatnonzero(locked_tokens < 0)
        first, stop = int(free[0]), int(free[-1]) + 1
        prompt = np.concatenate([[START], locked_tokens[:first]])
        nats_BN = np.zeros((len(self._seeds), len(locked_tokens)))
        decoded = yield from self._decoded(prompt, stop, nats_BN)
        ids = [np.concatenate([row, locked_tokens[stop:]]) for row in decoded]
        if stop < len(locked_tokens):
            for row, tokens in enumerate(ids):
                nats_BN[row] = self._nats(tokens)
                yield self._progress()
        elif first:
            nats_BN[:, :first] = self._nats(ids[0], first)[:first]
        return ids, nats_BN.reshape(len(ids), -1, len(Voice))

    def _decoded(
        self, prompt: codec.Ids, length: int, nats_BN: Nats
    ) -> Job[Progress, list[codec.Ids]]:
        """Decode up to index ``length`` and fill in -log p of all cells after the prompt."""
        self._total = (length + 1 - len(prompt)) * len(self._seeds)
        stream_switch = PhraseEndSearch(
            self._model, self.constraints, self._request.quality, len(prompt)
        )
        job = decoder.decode(
            self._model,
            self._sequences(prompt),
            length,
            self.constraints,
            stream_switch=stream_switch,
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
        """Return -log p of the cells of one candidate, in nats, (4 T,)."""
        piece = self.constraints.piece(ids) or self.constraints.plan
        locked_tokens = self.constraints.locked_tokens
        return cell_nats(self._model, piece, self._request, cells, locked_tokens).reshape(-1)

    def _sequences(self, prompt: codec.Ids) -> list[DecodeSequence]:
        each = [
            with_sampled_key(replace(self._request, seed=seed), self._model) for seed in self._seeds
        ]
        locked_tokens = self.constraints.locked_tokens
        sequences = [
            new_sequence(self._model, request, request.plan(), locked_tokens) for request in each
        ]
        return [replace(sequence, prompt=prompt) for sequence in sequences]

    def _note_dead_ends(self, column: Column) -> None:
        """Move the dead ends, which the constraints number by row, to ``stuck`` by seed."""
        for row, end in self.constraints.dead_ends.items():
            self.stuck.setdefault(self._seeds[column.rows[row]], end)
        self.constraints.dead_ends.clear()


def cell_nats(
    model: LoadedModel,
    piece: Chorale,
    request: GenerationRequest,
    cells: int | None = None,
    locked_tokens: codec.Ids | None = None,
) -> Nats:
    """Return -log p of each cell under the conditions of the request, in nats, (T, 4).

    Args:
        model: a causal model.
        piece: the piece to score.
        request: source of the conditions.
        cells: number of cells needed, from the first; the others may be 0. None: all.
        locked_tokens: int64 (4 T,), the token of every locked cell, -1 elsewhere; None: by the
            request.
    """
    nats_N = np.zeros(piece.steps * len(Voice))
    if locked_tokens is None:
        locked_tokens = request.constraints(model.vocabulary).locked_tokens
    with closing(
        score_cells(model, piece, request.given_conditions(), locked_tokens, record=False)
    ) as job:
        for rows in job:
            nats_N[rows.first : rows.first + len(rows.nats)] = rows.nats
            if cells is not None and rows.first + len(rows.nats) >= cells:
                break
    return nats_N.reshape(-1, len(Voice))
