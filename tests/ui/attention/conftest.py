"""Analyses for tests of the attention page; the page with a piece, or with a studied note."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from musicrel import jobs
from musicrel.chorale import Chorale
from musicrel.generation.heads.mutes import Mutes
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.interpretability import effects
from musicrel.interpretability.piece_analysis import PieceAnalysis
from musicrel.jobs import Job
from musicrel.score.editing.selection import Selection
from musicrel.ui.controllers.attention_controller import AttentionController
from musicrel.ui.effects.effects_controller import EFFECTS, EffectsController
from musicrel.ui.jobs.generation_service import LoadEvent, Loading, ModelCache
from tests.helpers.models import tiny_model_directory
from tests.helpers.music import random_chorale
from tests.ui.fakes import earlier_piece
from tests.ui.user import User

BARS = 2
CELLS = 64 * BARS

Analyse = Callable[[int], PieceAnalysis]


def add_cells(analysis: PieceAnalysis, cells: int, nats: float = 1.0) -> None:
    """Extend an analysis to ``cells``: head n of layer m attends to n + 2 m + 1 columns back."""
    for cell in range(analysis.cells, cells):
        row = np.zeros((2, 2, cell + 1), dtype=np.float32)
        for head in range(4):
            row[head // 2, head % 2, max(cell - head, 0)] = 1
        analysis.add(row, nats=nats)


@pytest.fixture
def analyse() -> Analyse:
    def analysed(cells: int = CELLS) -> PieceAnalysis:
        piece = Chorale.of(np.tile([[72, 67, 64, 48]], (16 * BARS, 1)), title="Two bars")
        analysis = PieceAnalysis(piece, "full", 2, 2, wrote=True)
        add_cells(analysis, cells)
        return analysis

    return analysed


@pytest.fixture
def analysis(analyse: Analyse) -> PieceAnalysis:
    return analyse(CELLS)


@pytest.fixture
def opened(attention: AttentionController, user: User) -> AttentionController:
    user.document.show_piece(earlier_piece(), action="opened")
    user.wait(lambda: attention.shown is not None)
    return attention


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> LoadedModel:
    """Load a model with random weights, two layers of two heads, that has studied a note.

    The kernel is compiled the first time.
    """
    model = load_model(str(tiny_model_directory(tmp_path_factory.mktemp("models") / "tiny")))
    reader = effects.open_reader(model, random_chorale(4, 16, margin=2))
    effects.measure(reader, 20, Mutes.parse("1.1", "zero"))
    jobs.run(effects.find_sources(reader, 20))
    return model


@pytest.fixture
def loads_tiny(tiny: LoadedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    def load(_self: ModelCache, name: str, _device: str) -> Job[LoadEvent, LoadedModel]:
        yield Loading(model=name)
        return replace(tiny, name=name)

    monkeypatch.setattr(ModelCache, "load", load)


@pytest.fixture
def ablation(
    loads_tiny: None, attention: AttentionController, user: User
) -> Iterator[EffectsController]:
    """Yield the controller with a generated piece; heads are replaced by zero."""
    del loads_tiny  # before the window, which keeps the method
    user.app.writing.generate()
    user.wait(lambda: user.document.piece is not None)
    user.wait(lambda: attention.shown is not None)
    user.app.effects.choose_by("zero")
    yield user.app.effects
    user.wait(lambda: not user.app.effects.busy)


@pytest.fixture
def studied(ablation: EffectsController, user: User) -> EffectsController:
    """Open the view and choose a note of bar 2."""
    user.window.attention.switch.open(EFFECTS)
    user.document.select(Selection(voices=(1,), start=20, stop=21))
    user.wait(lambda: not ablation.busy, timeout=30_000)
    return ablation
