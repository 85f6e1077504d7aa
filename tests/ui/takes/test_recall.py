"""The machine that wrote a piece, where the piece is used again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale, Provenance
from musicrel.generation.request import GenerationRequest
from musicrel.ui.app_controller import AppController
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.fakes import FakeJobs

HERE = {"device": "cpu", "kernel": "compiled", "precision": "single"}
ELSEWHERE = HERE | {"kernel": "torch"}
SENTENCE = "Hymn was made with kernel torch (here compiled): its seed may give other notes here"

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints


def made_with(machine: dict[str, str], model: str = "full") -> Chorale:
    """Return a piece that a model wrote on some machine."""
    provenance = Provenance(model=model, sha256="0", seed=5, machine=machine)
    piece = Chorale.of(np.full((16, 4), [72, 67, 64, 48]), title="Hymn")
    return replace(piece, provenance=provenance)


def use(app_controller: AppController, window: MainWindow, piece: Chorale) -> None:
    """Make a piece a take, and use it again after another one."""
    app_controller.document.show_piece(piece, action="generated")
    app_controller.document.show_piece(Chorale.of([(74, 67, 62, 50)] * 16), action="opened")
    app_controller.takes.show_takes()
    window.takes.view.select([1])
    window.commands.takes.use.trigger()


def test_a_take_from_another_machine_names_the_difference(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """Its model is loaded, because it writes next."""
    jobs.machine = HERE
    before = len(jobs.load_requests)

    use(app_controller, window, made_with(ELSEWHERE, model="plain"))

    qtbot.waitUntil(lambda: window.state == SENTENCE)
    assert jobs.load_requests[before:] == [("plain", "auto")]


def test_a_take_from_this_machine_says_nothing(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The model is loaded all the same."""
    jobs.machine = HERE

    states: list[str] = []
    app_controller.messages.state_changed.connect(states.append)

    use(app_controller, window, made_with(HERE))
    qtbot.waitUntil(lambda: not app_controller.recall.busy)

    assert states
    assert not any("was made with" in sentence for sentence in states)


def test_a_model_that_is_not_installed_is_not_loaded(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs
) -> None:
    """Nothing is compared then."""
    before = len(jobs.load_requests)

    use(app_controller, window, made_with(ELSEWHERE, model="gone"))

    assert not app_controller.recall.busy
    assert len(jobs.load_requests) == before


def test_a_take_with_settings_beside_the_form_names_them(
    app_controller: AppController, window: MainWindow
) -> None:
    """In the status bar, where the settings are used again."""
    settings = GenerationRequest(top_k=5, tempo=76).to_json()
    provenance = Provenance(model="full", sha256="0", seed=5, settings=settings, machine=ELSEWHERE)

    use(app_controller, window, replace(made_with(HERE), provenance=provenance))

    expected = "Hymn was made with top-k 5, not in the form: its seed gives other notes"
    assert window.state == expected
