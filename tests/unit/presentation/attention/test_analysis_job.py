"""The job that analyses a piece with a model of any family."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from musicrel import jobs
from musicrel.chorale import Provenance
from musicrel.generation.infill.cell_nats import cell_nats
from musicrel.generation.infill.masked_reader import open_masked_reader
from musicrel.generation.loaded_model import load_model
from musicrel.generation.scoring import teacher_forcing
from musicrel.presentation.attention import analysis_job
from musicrel.presentation.attention.analysis_progress import AnalysisProgress
from musicrel.presentation.attention.step_analysis import CROSS, INFILL, StepAnalysis
from tests.helpers.models import (
    tiny_cross_attention_directory,
    tiny_infill_directory,
    tiny_model_directory,
)
from tests.helpers.music import random_chorale

PIECE = random_chorale(4, 12)


def test_causal_model_has_weights_of_all_cells_before(tmp_path: Path) -> None:
    """They are those of the whole piece read at once, quantised."""
    model = load_model(str(tiny_model_directory(tmp_path / "m")))
    found = jobs.run(analysis_job.analyse(model, PIECE))
    rows = model.condition_rows(PIECE, teacher_forcing.conditions_of(PIECE))
    whole = model.attention(model.encode(PIECE), rows).mean(axis=(0, 1))

    assert found.is_complete
    assert found.cross is None
    np.testing.assert_allclose(found.attention_row(30, None), whole[30, :31], atol=0.005)
    assert np.isfinite(found.nats).all()


def test_infilling_model_is_shown_while_it_reads(tmp_path: Path) -> None:
    """Surprisal is known from the first event on, weights cell by cell."""
    model = load_model(str(tiny_infill_directory(tmp_path / "both")))
    job = analysis_job.analyse(model, PIECE)
    first = next(job)
    assert isinstance(first, AnalysisProgress)
    growing = first.analysis
    assert isinstance(growing, StepAnalysis)
    assert 1 <= growing.cells < 48
    assert growing.kind == INFILL
    growing.wanted = 33
    found = jobs.run(job)

    tokens = model.encode(PIECE)[1:-1].reshape(12, 4)
    rows = model.condition_rows(PIECE, teacher_forcing.conditions_of(PIECE))[:48]
    expected = cell_nats(open_masked_reader(model), tokens, rows)
    assert found is growing
    assert found.is_complete
    np.testing.assert_allclose(found.nats, expected, rtol=1e-5)


def test_encoder_decoder_has_cross_attention_to_the_soprano(tmp_path: Path) -> None:
    """Or to the locked cells of a piece that has some."""
    model = load_model(str(tiny_cross_attention_directory(tmp_path / "harmoniser")))
    cross = jobs.run(analysis_job.analyse(model, PIECE)).cross

    assert isinstance(cross, StepAnalysis)
    assert cross.kind == CROSS
    assert cross.is_complete
    assert cross.given[:, 0].all()
    assert not cross.given[:, 1:].any()
    settings = {"locked": [[3, 0, 12]]}
    locked = replace(PIECE, provenance=Provenance(model="m", sha256="", seed=1, settings=settings))
    assert analysis_job.given_cells(locked)[:, 3].all()


@pytest.mark.parametrize("make", [tiny_model_directory, tiny_infill_directory])
def test_weights_may_be_left_out(tmp_path: Path, make: Callable[[Path], Path]) -> None:
    """The surprisal is the same."""
    model = load_model(str(make(tmp_path / "m")))
    found = jobs.run(analysis_job.analyse(model, PIECE, weights=False))
    with_weights = jobs.run(analysis_job.analyse(model, PIECE))

    assert not found.has_weights
    assert found.is_complete
    np.testing.assert_allclose(found.nats, with_weights.nats, rtol=1e-5)
