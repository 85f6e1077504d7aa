"""The job that analyses a piece with a model: surprisal, and attention as it becomes known."""

from __future__ import annotations

import time
from typing import Final

import numpy as np

from musicrel.chorale import Chorale, Flags, Voice
from musicrel.generation.ablation import sources
from musicrel.generation.infill import cell_nats
from musicrel.generation.infill.masked_reader import open_masked_reader
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.scoring.teacher_forcing import conditions_of, score_cells
from musicrel.jobs import Job
from musicrel.presentation.attention.analysis_progress import AnalysisProgress
from musicrel.presentation.attention.attention_record import MAX_RECORDED_TOKENS
from musicrel.presentation.attention.piece_analysis import PieceAnalysis
from musicrel.presentation.attention.step_analysis import CROSS, INFILL, StepAnalysis
from musicrel.presentation.roll import lock_cells

_PROGRESS_SECONDS: Final = 0.15
"""Least time between two events of an analysis that is shown while it grows."""


def analyse(
    model: LoadedModel, chorale: Chorale, *, weights: bool = True
) -> Job[AnalysisProgress, PieceAnalysis]:
    """Compute attention and surprisal of ``model`` on a piece.

    Args:
        weights: False: only surprisal; also for pieces that are too long for their weights.
    """
    fits = chorale.steps * len(Voice) <= MAX_RECORDED_TOKENS
    shape = (model.config.layers, model.config.heads) if weights and fits else (0, 0)
    if model.config.family == "infill":
        return (yield from _analyse_infill(model, chorale, shape))
    model.require_causal()
    return (yield from _analyse_causal(model, chorale, shape))


def given_cells(chorale: Chorale) -> Flags:
    """Return the cells that an encoder reads, bool (T, 4): the locked ones, else the soprano."""
    locked = lock_cells.locks_from_provenance(chorale)
    if locked.any() and not locked.all():
        return locked
    return np.tile(np.arange(len(Voice)) == Voice.SOPRANO, (chorale.steps, 1))


def _analyse_causal(
    model: LoadedModel, chorale: Chorale, shape: tuple[int, int]
) -> Job[AnalysisProgress, PieceAnalysis]:
    """Read the piece from left to right."""
    wrote = _wrote(model, chorale)
    analysis = PieceAnalysis(chorale, model.name, *shape, wrote=wrote)
    locked, cross = None, None
    if model.config.cross and analysis.has_weights:
        given = given_cells(chorale)
        locked = np.where(given.ravel(), model.encode(chorale)[1:-1], -1)
        cross = analysis.cross = StepAnalysis(
            chorale, model.name, *shape, wrote=wrote, kind=CROSS, given=given
        )
    rows = score_cells(model, chorale, conditions_of(chorale), locked, record=analysis.has_weights)
    for part in rows:
        for place, nats in enumerate(part.nats.tolist()):
            cell = part.first + place
            weights = part.weights
            analysis.add(None if weights is None else weights[:, :, place, : cell + 1], nats)
            if cross is not None and part.cross_weights is not None:
                cross.add_at(cell, part.cross_weights[:, :, place])
        yield AnalysisProgress(share=analysis.cells / analysis.tokens)
    if cross is not None:
        cross.set_nats(analysis.nats)
    return analysis


def _analyse_infill(
    model: LoadedModel, chorale: Chorale, shape: tuple[int, int]
) -> Job[AnalysisProgress, PieceAnalysis]:
    """Compute the surprisal first, then the attention of one hidden note after the other."""
    analysis = StepAnalysis(chorale, model.name, *shape, wrote=_wrote(model, chorale), kind=INFILL)
    given, cells = conditions_of(chorale), analysis.tokens
    analysis.set_nats(cell_nats.of_piece(open_masked_reader(model), model, chorale, given))
    if not analysis.has_weights:
        return analysis
    from musicrel.generation.infill import masked_attention  # noqa: PLC0415  # it imports torch

    notes = sources.note_numbers(chorale)
    reader, last = masked_attention.MaskedAttention(model, chorale, given, notes), 0.0
    while (cell := analysis.next_cell()) is not None:
        for place, row in zip(*reader.rows(cell), strict=True):
            analysis.add_at(int(place), row)
        if time.monotonic() - last >= _PROGRESS_SECONDS or cell == analysis.wanted:
            last = time.monotonic()
            yield AnalysisProgress(share=analysis.cells / cells, analysis=analysis)
    return analysis


def _wrote(model: LoadedModel, chorale: Chorale) -> bool:
    return chorale.provenance is not None and chorale.provenance.sha256 == model.sha256
