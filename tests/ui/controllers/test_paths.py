"""The modules that a value passes through from the window to the place where it takes effect.

A short path is what makes the app easy to follow; CONTRIBUTING.md names the bounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale
from musicrel.generation.cell_constraints import Constraints
from musicrel.generation.constraints.locks import Locks
from musicrel.generation.sampling import Sampler
from musicrel.model import checkpoint
from musicrel.model.tokens.conditions import CONDITIONS
from musicrel.playback.player import Player
from musicrel.settings import Settings
from musicrel.ui.app_controller import AppController
from musicrel.ui.document.document import Document
from musicrel.ui.jobs.generation_service import ModelCache
from musicrel.ui.jobs.worker import LatestJob
from musicrel.ui.shell.main_window import MainWindow
from tests.helpers.models import tiny_card, tiny_config, tiny_model
from tests.helpers.sound import ManualOutput
from tests.helpers.trace import modules_passing

PIECE = Chorale.of([(72, 67, 64, 48)] * 32, title="Air")
LOCKED = np.zeros(PIECE.pitches.shape, dtype=np.bool_)
LOCKED[:, 3] = True
TEMPERATURE = 1.35
LONGEST = {"lock": 6, "temperature": 6}
"""Most modules on the way of each."""
LOAD_MS = 60_000


@pytest.fixture
def app(window: MainWindow, home: Path, qtbot: QtBot) -> Iterator[AppController]:
    for family in ("infill", "causal"):
        conditions = tuple(name for name in CONDITIONS if name != "voice" or family == "causal")
        model = tiny_model(tiny_config("relative", conditions=conditions, family=family))
        checkpoint.save(home / "models" / f"tiny-{family}", model, tiny_card(model))
    cache = ModelCache()
    app = AppController(
        window,
        cache,
        settings=Settings(model="tiny-infill", device="cpu"),
        player=Player(ManualOutput(), threaded=False),
    )
    with qtbot.waitExposed(window):
        window.show()
    qtbot.waitUntil(lambda: "CPU" in window.model_status, timeout=LOAD_MS)
    yield app
    window.close()


def is_lock(value: object) -> bool:
    value = getattr(value, "locks", value)  # of a request
    if isinstance(value, Locks):
        value = value.mask
    if not isinstance(value, np.ndarray) or value.shape != LOCKED.shape:
        return False
    return value.dtype == np.bool_ and bool((value == LOCKED).all() or (value != LOCKED).all())


def has_temperature(value: object) -> bool:
    """Return True for the number and for every object that carries it."""
    return value == TEMPERATURE or getattr(value, "temperature", None) == TEMPERATURE


def test_lock_from_the_mouse_to_the_constraints(
    app: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """A click on the bass in the legend locks it; rewriting builds the constraints."""
    app.document.show_piece(PIECE)
    legend = window.compose_page.legend
    legend.resize(legend.sizeHint())
    stations = (Document.set_locks, LatestJob.request, Constraints.__init__)
    with modules_passing(is_lock, *stations) as path:
        QTest.mouseClick(legend, Qt.MouseButton.LeftButton, pos=QPoint(legend.width() - 20, 8))
        assert app.document.locks is not None
        assert (app.document.locks == LOCKED).all()
        window.compose_page.strip.rewrite.click()
        qtbot.waitUntil(lambda: not app.writer.busy, timeout=LOAD_MS)
    assert app.document.take is not None  # the only candidate is accepted at once

    way = path[: path.index("musicrel.generation.cell_constraints") + 1]
    assert "musicrel.ui.document.document" in way
    assert len(way) <= LONGEST["lock"], path


def test_temperature_from_the_form_to_the_sampler(
    app: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    form = window.compose_page.controls.compose_form
    form.model.setCurrentIndex(form.model.findData("tiny-causal"))
    form.bars.setValue(1)
    qtbot.waitUntil(lambda: window.model_status.startswith("tiny-causal"), timeout=LOAD_MS)
    stations = (Document.set_form, LatestJob.request, Sampler.of)
    with modules_passing(has_temperature, *stations) as path:
        form.temperature.set_value(TEMPERATURE)
        window.compose_page.controls.generate_button.click()
        qtbot.waitUntil(lambda: app.document.piece is not None, timeout=LOAD_MS)

    assert path[-1] == "musicrel.generation.sampling"
    assert len(path) <= LONGEST["temperature"], path
