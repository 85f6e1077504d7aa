"""The real way from a model directory to a piece, with a tiny model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel import jobs, settings
from musicrel.chorale import Chorale, Key
from musicrel.errors import ModelError, UsageError
from musicrel.generation.events import GenerationStep, Trying
from musicrel.generation.request import GenerationRequest
from musicrel.model.card import WEIGHTS
from musicrel.playback.player import Player
from musicrel.presentation.compose.form import Form
from musicrel.presentation.compose.request_builder import Continuation
from musicrel.score import files
from musicrel.settings import Settings
from musicrel.ui.app_controller import House
from musicrel.ui.jobs.generation_service import Loaded, Loading, ModelShelf
from musicrel.ui.shell.main_window import MainWindow
from tests.helpers.models import tiny_model_directory
from tests.helpers.sound import ManualOutput

REQUEST = GenerationRequest(bars=1, seed=3)


@pytest.fixture
def tiny(home: Path) -> Path:
    """A model by chance in the user's own folder."""
    return tiny_model_directory(home / "models" / "tiny")


def test_compose_tells_of_loading_then_of_every_token(tiny: Path) -> None:
    """And of trying; it returns the piece with its provenance."""
    events: list[object] = []

    generated = jobs.run(ModelShelf().compose(tiny.name, "cpu", REQUEST), events.append)

    assert events[0] == Loading(model="tiny")
    assert isinstance(events[1], Loaded)
    assert events[1].device == "CPU"
    assert sum(isinstance(event, GenerationStep) for event in events) == 64
    assert {type(event) for event in events[2:]} == {GenerationStep, Trying}
    assert generated.chorale.provenance is not None
    assert generated.chorale.provenance.sha256 == events[1].sha256


def test_same_seed_gives_the_same_piece(tiny: Path) -> None:
    """Whether the model was at hand or not."""
    shelf = ModelShelf()
    first, second = (jobs.run(shelf.compose(tiny.name, "cpu", REQUEST)) for _ in range(2))

    assert first.chorale == second.chorale


def test_model_is_loaded_once(tiny: Path) -> None:
    """As long as its files stay as they are."""
    shelf = ModelShelf()
    jobs.run(shelf.warm_up(tiny.name, "cpu"))
    (tiny / WEIGHTS).unlink()

    assert jobs.run(shelf.compose(tiny.name, "cpu", REQUEST)).tokens == 64


def test_model_that_changed_is_loaded_again(tiny: Path) -> None:
    """A training run may write over it."""
    shelf = ModelShelf()
    relative = jobs.run(shelf.compose(tiny.name, "cpu", REQUEST))
    tiny_model_directory(tiny, "sinusoidal")
    vanilla = jobs.run(shelf.compose(tiny.name, "cpu", REQUEST))

    assert relative.chorale.provenance != vanilla.chorale.provenance


def test_a_piece_beyond_the_models_span_is_continued_where_it_is(tiny: Path) -> None:
    """It is moved for the model alone; one that is too wide is a sentence."""
    high = Chorale.of([(86, 79, 76, 62)] * 16, key=Key("Gb", "major"))
    wish = Continuation(piece=high, bars=1, form=Form(model="tiny", rules=()), count=2)

    made = jobs.run(ModelShelf().propose(tiny.name, "cpu", wish))

    for one in made.ranked:
        assert (one.chorale.pitches[:16] == high.pitches).all()
        assert (one.chorale.steps, one.chorale.key) == (32, high.key)
    wide = replace(wish, piece=Chorale.of([(86, 79, 76, 30)] * 16))
    with pytest.raises(UsageError, match="the piece goes from F♯1 to D6, and models know"):
        jobs.run(ModelShelf().propose(tiny.name, "cpu", wide))


def test_damaged_model_is_an_error_of_the_job(tiny: Path) -> None:
    """After it was said that it is being loaded."""
    (tiny / WEIGHTS).write_bytes(b"broken")
    events: list[object] = []

    with pytest.raises(ModelError, match="truncated"):
        jobs.run(ModelShelf().warm_up(tiny.name, "cpu"), events.append)
    assert events == [Loading(model="tiny")]


def test_whole_app_writes_with_a_real_model(
    tiny: Path, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """From the folder to the file, through the window."""
    shelf = ModelShelf()
    house = House(
        window,
        shelf.compose,
        shelf.warm_up,
        read=shelf.read,
        propose=shelf.propose,
        settings=Settings(model=tiny.name, device="cpu"),
        player=Player(ManualOutput(), threaded=False),
    )
    studio = house.studio
    entries = window.page.controls.entries
    entries.bars.setValue(2)
    entries.phrases.setText("1,1")
    entries.key.setCurrentText("G major")
    entries.seed.set_value(3)
    with qtbot.waitExposed(window):
        window.show()
    qtbot.waitUntil(lambda: window.state == "Ready" and "CPU" in window.machine, timeout=30_000)
    QTest.mouseClick(window.page.controls.main, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: studio.piece is not None, timeout=30_000)

    assert studio.piece is not None
    assert (studio.piece.steps, str(studio.piece.key)) == (32, "G major")
    house.filing.save_as(studio.piece, tmp_path / "piece.mid")
    qtbot.waitUntil(lambda: not house.filing.busy)
    assert files.read(tmp_path / "piece.mid").steps == 32
    assert settings.load().save_folder == str(tmp_path)
