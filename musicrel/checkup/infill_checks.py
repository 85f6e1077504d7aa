"""Checks of an infilling model, on the device beside torch on the CPU.

Both read in float32, so that their notes can be compared; bfloat16 is compared with float32 on the
device itself. On the CPU they compare the compiled kernel with torch.

Dimensions: N cells, T steps, 4 voices, M hidden cells, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from musicrel import jobs
from musicrel.checkup.findings import NotTriedError, Outcome, Work
from musicrel.checkup.subject import BARS, Floats, Subject, compared_numbers, piece, pieces
from musicrel.chorale import Chorale, Voice
from musicrel.generation import edit_requests, kernel
from musicrel.generation.candidates import candidate_job
from musicrel.generation.infill.cell_nats import cell_nats
from musicrel.generation.infill.infill_generator import InfillBatch
from musicrel.generation.infill.masked_reader import MaskedReader, open_masked_reader, read_cells
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.model import devices
from musicrel.tokens.vocabulary import MASK

_VOICES: Final = [Voice.ALTO, Voice.TENOR]
_STEPS: Final = slice(16, 32)
"""Steps that are hidden and rewritten: the second bar."""
_CANDIDATES: Final = 4
_SCORED_PIECES: Final = 4
_MIXED_LIMIT: Final = 1e-3
"""Change of the mean loss by bfloat16 that passes, in nats a note."""


def masked_piece(subject: Subject) -> Outcome:
    """Read a piece with hidden notes."""
    found_MV = _hidden_logits(open_masked_reader(subject.model, "single"), subject)
    with kernel.switched_off():
        expected_MV = _hidden_logits(open_masked_reader(subject.reference, "single"), subject)
    return compared_numbers("logits", found_MV, expected_MV)


def mixed_precision(subject: Subject) -> Outcome:
    """Score pieces in bfloat16 and in float32."""
    if lacking := devices.without_bfloat16(subject.model.device):
        raise NotTriedError(lacking)
    single, mixed = (
        np.mean(_nats(subject.model, open_masked_reader(subject.model, precision)))
        for precision in ("single", "mixed")
    )
    return Outcome(
        finding=f"loss {single:.4f} nats a note in float32, {mixed:.4f} in bfloat16",
        figure=float(abs(mixed - single)),
        limit=_MIXED_LIMIT,
    )


def greedy_piece(subject: Subject) -> Outcome:
    """Write a piece at temperature 0."""
    request = GenerationRequest(bars=BARS, quality="draft", temperature=0.0)
    return subject.compared_notes(lambda model: _write(model, request))


def greedy_rewriting(subject: Subject) -> Outcome:
    """Rewrite two voices of a bar at temperature 0."""
    request = edit_requests.infill_request(
        piece(), _VOICES, _STEPS.start, _STEPS.stop, quality="draft", temperature=0.0
    )
    return subject.compared_notes(lambda model: _write(model, request))


def ranked_candidates(subject: Subject) -> Outcome:
    """Write several pieces in the precision of the device and rank them."""
    request = GenerationRequest(bars=BARS // 2, quality="draft")
    job = candidate_job.generate_candidates(subject.model, request, _CANDIDATES)
    found = len(jobs.run(job).ranked)
    return Outcome(finding=f"{found} of {_CANDIDATES} are ranked", holds=found == _CANDIDATES)


CHECKS: Final[Mapping[str, Work[Subject]]] = {
    "logits": masked_piece,
    "bfloat16": mixed_precision,
    "notes at temperature 0": greedy_piece,
    "rewritten at temperature 0": greedy_rewriting,
    "candidates": ranked_candidates,
}
"""By name."""


def _write(model: LoadedModel, request: GenerationRequest) -> Chorale:
    constraints = request.constraints(model.vocabulary)
    batch = InfillBatch(model, request, constraints, [request.seed], "single")
    (ids,), _ = jobs.run(batch.run())
    return model.decode(ids, constraints.plan)


def _hidden_logits(reader: MaskedReader, subject: Subject) -> Floats:
    """Return the logits of hidden cells, (M, V)."""
    tokens_T4 = subject.cells_T4.copy()
    wanted_T4 = np.zeros(tokens_T4.shape, dtype=np.bool_)
    tokens_T4[_STEPS, _VOICES] = MASK
    wanted_T4[_STEPS, _VOICES] = True
    (logits,) = read_cells(reader, [tokens_T4], [subject.rows_NC], wanted_T4[None])
    return logits.logits_MV.astype(np.float32)


def _nats(model: LoadedModel, reader: MaskedReader) -> Floats:
    """Return -log p of every cell of some pieces."""
    found = []
    for one in pieces()[:_SCORED_PIECES]:
        cells_T4 = model.encode(one)[1:-1].reshape(-1, len(Voice))
        rows_NC = model.condition_rows(one, model.conditions)[: cells_T4.size]
        found.append(cell_nats(reader, cells_T4, rows_NC).ravel())
    return np.concatenate(found)
