"""The job that analyses a piece with a model: surprisal, and attention as it becomes known."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

import numpy as np

from musicrel.analysis.claims.claim_shares import STEPS
from musicrel.chorale import Chorale, Flags, Voice
from musicrel.generation.infill import masked_reader
from musicrel.generation.infill.masked_reader import open_masked_reader
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.scoring.teacher_forcing import conditions_of, score_cells
from musicrel.interpretability import places
from musicrel.interpretability.piece_analysis import (
    CROSS,
    INFILL,
    MAX_RECORDED_TOKENS,
    AnalysisProgress,
    PieceAnalysis,
)
from musicrel.jobs import Job
from musicrel.model.card import learns_places
from musicrel.presentation import lock_cells

_PROGRESS_SECONDS: Final = 0.15
"""Least time between two events of an analysis that is shown while it grows."""


def analyse(
    model: LoadedModel, chorale: Chorale, *, weights: bool = True
) -> Job[AnalysisProgress, PieceAnalysis]:
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
    wrote = _wrote(model, chorale)
    analysis = PieceAnalysis(chorale, model.name, *shape, wrote=wrote)
    locked, cross = None, None
    if model.config.cross and analysis.has_weights:
        given = given_cells(chorale)
        locked = np.where(given.ravel(), model.encode(chorale)[1:-1], -1)
        cross = analysis.cross = PieceAnalysis(
            chorale, model.name, *shape, wrote=wrote, columns=STEPS, kind=CROSS, given=given
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
    if analysis.has_weights and learns_places(model.config):
        analysis.places = places.find(model, chorale)
    return analysis


def _analyse_infill(
    model: LoadedModel, chorale: Chorale, shape: tuple[int, int]
) -> Job[AnalysisProgress, PieceAnalysis]:
    wrote = _wrote(model, chorale)
    analysis = PieceAnalysis(chorale, model.name, *shape, wrote=wrote, columns=STEPS, kind=INFILL)
    given, cells = conditions_of(chorale), analysis.tokens
    analysis.set_nats(masked_reader.piece_nats(open_masked_reader(model), model, chorale, given))
    if not analysis.has_weights:
        return analysis
    from musicrel.interpretability import torch_reader

    reader, last = torch_reader.TorchInfillReader(model, chorale, given), 0.0
    next_cell = cells_to_read(analysis)
    while (cell := next_cell()) is not None:
        for place in reader.note(cell).tolist():
            analysis.add_at(place, reader.weights(place))
        if time.monotonic() - last >= _PROGRESS_SECONDS or cell == analysis.wanted:
            last = time.monotonic()
            yield AnalysisProgress(share=analysis.cells / cells, analysis=analysis)
    return analysis


def cells_to_read(analysis: PieceAnalysis) -> Callable[[], int | None]:
    """Return a function that returns the cell to be read next; None after the last.

    It is the wanted one, then one of the onsets, then of the held cells, each in random order: the
    shares of the part that is known are about those of the whole.
    """
    is_onset = analysis.chorale.onsets.ravel()
    random = np.random.default_rng(0).random(analysis.tokens)
    order: list[int] = np.lexsort((random, is_onset)).tolist()  # the last is read first

    def next_cell() -> int | None:
        wanted = analysis.wanted
        if wanted is not None and 0 <= wanted < analysis.tokens and not analysis.has_cell(wanted):
            return wanted
        while order and analysis.has_cell(order[-1]):
            order.pop()
        return order[-1] if order else None

    return next_cell


def _wrote(model: LoadedModel, chorale: Chorale) -> bool:
    return chorale.provenance is not None and chorale.provenance.sha256 == model.sha256
