"""Models that see both sides, beside those that write from left to right."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from musicrel import jobs as running
from musicrel.editing.selection import Selection
from musicrel.model import checkpoint
from musicrel.presentation.compose import rewrite_form
from musicrel.tokens.conditions import CONDITIONS
from musicrel.ui.app_controller import AppController
from musicrel.ui.jobs.generation_service import Loaded, ModelCache
from musicrel.ui.shell.main_window import MainWindow
from tests.helpers.models import tiny_card, tiny_config, tiny_model
from tests.ui.controllers.user_actions import PIECE
from tests.ui.fakes import FakeJobs

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints


def test_infill_models_have_no_warning_about_lookahead(
    both: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """Neither tooltips nor the candidate panel show it."""
    both.document.show_piece(PIECE)
    window.compose_page.selecting.select(Selection(voices=(1,), start=4, stop=8))
    window.compose_page.strip.rewrite.click()
    qtbot.waitUntil(lambda: not both.candidates.busy)
    act, strip = window.commands.rewriting, window.compose_page.strip
    window.compose_page.candidates.close_button.click()
    act.voices[0].trigger()
    texts = [strip.rewrite.toolTip(), act.rewrite.statusTip(), act.lock.toolTip()]
    texts += [strip.status.toolTip(), window.compose_page.candidates.title.toolTip()]

    assert window.compose_page.candidates.remark.text() == ""
    assert [text for text in texts if rewrite_form.BOTH_SIDES not in text] == []
    window.compose_page.controls.compose_form.model_rewrite.setCurrentIndex(0)
    assert "reads on" in strip.rewrite.toolTip()
    assert "reads on" in act.lock.toolTip()


def test_every_model_has_a_quality(both: AppController, window: MainWindow) -> None:
    """The selected quality stays when another model is selected."""
    compose_form = window.compose_page.controls.compose_form
    compose_form.quality.setCurrentIndex(0)
    compose_form.model.setCurrentIndex(0)
    assert compose_form.quality.isEnabled()
    assert compose_form.form().quality == "draft"
    del both


def test_infill_model_generates_candidates(
    both: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """A single one, too, which becomes the piece at once."""
    window.compose_page.controls.generate_button.click()
    qtbot.waitUntil(lambda: both.document.piece is not None)
    assert both.document.form_is_used
    assert window.compose_page.candidates.isHidden()

    ((_, _, builder),) = jobs.candidate_requests
    assert builder.is_new
    assert jobs.requests == []


@pytest.fixture
def tiny_infill(home: Path) -> str:
    """Return the name of a small, untrained infill model in the user's folder."""
    conditions = tuple(name for name in CONDITIONS if name != "voice")
    model = tiny_model(tiny_config("relative", conditions=conditions, family="infill"))
    checkpoint.save(home / "models" / "tiny-infill", model, tiny_card(model))
    return "tiny-infill"


def test_an_infill_model_is_loaded(tiny_infill: str) -> None:
    """The warm-up job works as for causal models."""
    events: list[object] = []
    running.run(ModelCache().warm_up(tiny_infill, "cpu"), events.append)
    assert isinstance(events[-1], Loaded)


def test_an_infill_model_analyses_a_piece(tiny_infill: str) -> None:
    """Every note gets a surprisal and weights on the steps around it."""
    analysis = running.run(ModelCache().analyse(tiny_infill, "cpu", PIECE))
    assert np.isfinite(analysis.nats).all()
    assert analysis.has_weights


def test_candidates_have_their_own_model_and_speed(
    both: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """Nothing is left of the run before while they are written."""
    window.compose_page.controls.compose_form.model.setCurrentIndex(0)
    qtbot.waitUntil(lambda: window.model_status.startswith("full   ·   CPU   ·   "))
    both.compose.generate()
    qtbot.waitUntil(lambda: "tokens/s" in window.model_status)
    qtbot.waitUntil(lambda: not both.document.generating)
    facts = window.compose_page.controls.facts
    assert facts.isVisible()

    jobs.hold_candidates = True
    window.compose_page.strip.rewrite.click()
    qtbot.waitUntil(lambda: window.model_status.startswith("both   ·   CPU   ·   "))
    assert "tokens/s" not in window.model_status
    assert facts.isHidden()

    jobs.gate.set()
    qtbot.waitUntil(lambda: "tokens/s" in window.model_status)


def test_loading_that_ends_late_does_not_hide_the_model_that_writes(
    both: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """Otherwise the speed of the candidates would stand beside the name of another model."""
    both.document.show_piece(PIECE)
    jobs.hold_candidates = True
    window.compose_page.strip.rewrite.click()
    qtbot.waitUntil(lambda: window.model_status.startswith("both   ·   CPU   ·   "))
    late = Loaded(model="full", sha256="0", device="CPU")
    both.model._on_load_progress((late,))  # noqa: SLF001  # no job can be made to end here

    assert window.model_status.startswith("both   ·   CPU   ·   ")
    jobs.gate.set()
    qtbot.waitUntil(lambda: "tokens/s" in window.model_status)
    assert window.model_status.startswith("both   ·   CPU   ·   ")
