"""Checks of a causal model, on the device beside torch on the CPU.

On the CPU they compare the compiled step with torch.

Dimensions: N tokens, C conditions, L layers, H heads, S tokens seen, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from musicrel import jobs
from musicrel.checkup.findings import NotTriedError, Outcome, Work
from musicrel.checkup.subject import BARS, Floats, Subject, compared_numbers
from musicrel.chorale import Chorale
from musicrel.generation import kernel
from musicrel.generation.candidates import candidate_job
from musicrel.generation.causal import causal_generator
from musicrel.generation.causal.step_reader import StepReader, open_reader
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest

_CANDIDATES: Final = 4
_ONLY_CPU: Final = "the compiled step is for the CPU"
_ONLY_CUDA: Final = "only CUDA records a step and replays it"


def whole_piece(subject: Subject) -> Outcome:
    """Read a piece at once."""
    found_NV = subject.model.logits(subject.ids_N, subject.rows_NC)
    return compared_numbers("logits", found_NV, subject.expected_logits_NV)


def step_by_step(subject: Subject) -> Outcome:
    """Read a piece token by token, as in writing."""
    found_NV, _ = _read(subject, _open(subject, record=False))
    return compared_numbers("logits", found_NV, subject.expected_logits_NV)


def recorded_attention(subject: Subject) -> Outcome:
    """Record attention while a piece is read token by token."""
    _, rows = _read(subject, _open(subject, record=True))
    found_LHNN = np.zeros_like(subject.expected_attention_LHNN)
    for n, row_LHS in enumerate(rows):
        found_LHNN[:, :, n, : row_LHS.shape[-1]] = row_LHS
    return compared_numbers("attention weights", found_LHNN, subject.expected_attention_LHNN)


def compiled_step(subject: Subject) -> Outcome:
    """Check that the compiled step is used."""
    if subject.model.device.type != "cpu":
        raise NotTriedError(_ONLY_CPU)
    if kernel.is_switched_off():
        raise NotTriedError(kernel.reason())
    _open(subject, record=False)  # compiles it
    is_used = kernel.available() and subject.model.compiled is not None
    return Outcome(finding="it is used" if is_used else kernel.reason(), holds=is_used)


def replayed_step(subject: Subject) -> Outcome:
    """Check that CUDA replays recorded steps."""
    if subject.model.device.type != "cuda":
        raise NotTriedError(_ONLY_CUDA)
    reader = _open(subject, record=False)
    _read(subject, reader)
    return Outcome(finding=reader.failure or "it is used", holds=reader.failure is None)


def greedy_piece(subject: Subject) -> Outcome:
    """Write a piece at temperature 0."""
    return subject.compared_notes(_write)


def ranked_candidates(subject: Subject) -> Outcome:
    """Write several pieces in a batch and rank them."""
    request = GenerationRequest(bars=BARS // 2)
    job = candidate_job.generate_candidates(subject.model, request, _CANDIDATES)
    found = len(jobs.run(job).ranked)
    return Outcome(finding=f"{found} of {_CANDIDATES} are ranked", holds=found == _CANDIDATES)


CHECKS: Final[Mapping[str, Work[Subject]]] = {
    "logits, whole piece": whole_piece,
    "logits, step by step": step_by_step,
    "attention recorded": recorded_attention,
    "compiled step": compiled_step,
    "replayed step": replayed_step,
    "notes at temperature 0": greedy_piece,
    "candidates": ranked_candidates,
}
"""By name."""


def _open(subject: Subject, *, record: bool) -> StepReader:
    return open_reader(subject.model, subject.rows_NC[None], record=record, replay=True)


def _read(subject: Subject, reader: StepReader) -> tuple[Floats, list[Floats]]:
    """Return the logits of all steps, (N, V), and the attention weights of each, (L, H, S)."""
    logits, attention = [], []
    for token in subject.ids_N:
        logits_1V, weights_1LHS = reader.step(np.array([token]))
        logits.append(logits_1V[0].copy())
        if weights_1LHS is not None:
            attention.append(weights_1LHS[0].copy())
    return np.stack(logits), attention


def _write(model: LoadedModel) -> Chorale:
    request = GenerationRequest(bars=BARS, quality="draft", temperature=0.0)
    return jobs.run(causal_generator.generate(model, request)).chorale
