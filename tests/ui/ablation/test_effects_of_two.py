"""Effects in one of two models: the choice, heads and mutes of each, arcs, measurements."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.generation.heads.mutes import Head
from musicrel.ui.ablation.ablation import Ablation
from musicrel.ui.ablation.mattered_controller import MATTERED
from musicrel.ui.app_controller import AppController
from musicrel.ui.controllers.attention_controller import AttentionController
from musicrel.ui.document.document import Document
from musicrel.ui.roll.roll_arcs import RollArcs
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.ablation.test_ablation import mutes_of, study


def compare(ablation: Ablation, attention: AttentionController, qtbot: QtBot) -> None:
    """Have model B, "plain", read the piece, too."""
    attention.models.follow("plain")
    qtbot.waitUntil(lambda: attention.shown_second is not None)
    qtbot.waitUntil(lambda: not ablation.controller.busy, timeout=30_000)


def test_the_effects_are_those_of_a_or_b(
    *,
    ablation: Ablation,
    attention: AttentionController,
    document: Document,
    window: MainWindow,
    qtbot: QtBot,
) -> None:
    """Two buttons choose the model whose note is studied; without B there are none."""
    study(ablation, document, window, qtbot)
    panel = ablation.panel
    assert [button.isVisible() for button in panel.sides] == [False, False]
    compare(ablation, attention, qtbot)
    assert [button.isVisible() for button in panel.sides] == [True, True]
    assert ablation.controller.model == "full"

    panel.sides[1].click()
    qtbot.waitUntil(lambda: not ablation.controller.busy, timeout=30_000)

    assert [button.isChecked() for button in panel.sides] == [False, True]
    assert panel.sides[1].toolTip().startswith("Show the effects in plain")
    assert panel.effects_of == "plain"
    attention.models.follow("")
    qtbot.waitUntil(lambda: not ablation.controller.busy, timeout=30_000)
    assert panel.effects_of == "full"


def test_heads_of_b_are_chosen_and_muted_in_its_effects(
    *,
    ablation: Ablation,
    attention: AttentionController,
    document: Document,
    window: MainWindow,
    qtbot: QtBot,
) -> None:
    """The key works in the roll, too; on other views it is about A again."""
    study(ablation, document, window, qtbot)
    compare(ablation, attention, qtbot)
    panel, page, roll = ablation.panel, window.attention, window.compose_page.roll
    panel.sides[1].click()
    panel.grid.chosen.emit(Head(1, 1))
    QTest.keyClick(roll, Qt.Key.Key_M)

    assert str(document.form.muted.of("plain")) == "2.2"
    assert not mutes_of(document)
    assert panel.muted.text() == "Muted: 2.2"
    page.switch.open("maps")
    assert (page.plots.grid.head, page.plots.second.grid.head) == (None, Head(1, 1))
    page.head_chosen.emit(Head(0, 0))
    QTest.keyClick(roll, Qt.Key.Key_M)
    assert str(mutes_of(document)) == "1.1"
    page.switch.open(MATTERED)
    panel.clear.click()
    assert not document.form.muted.of("plain")
    assert str(mutes_of(document)) == "1.1"


def test_arcs_are_those_of_the_model_of_the_effects(
    *,
    ablation: Ablation,
    attention: AttentionController,
    document: Document,
    window: MainWindow,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The strips of the grid are about the same heads."""
    study(ablation, document, window, qtbot)
    compare(ablation, attention, qtbot)
    drawn: list[tuple[object, ...]] = []
    monkeypatch.setattr(RollArcs, "show_cell", lambda _self, *shown: drawn.append(shown[:2]))

    ablation.panel.sides[1].click()
    ablation.panel.grid.chosen.emit(Head(1, 0))

    assert drawn[-1][0] is attention.shown_second
    assert drawn[-1][1] == Head(1, 0)
    window.attention.switch.open("maps")
    assert drawn[-1][0] is attention.shown
    assert drawn[-1][1] is None


def test_a_measurement_stays_while_the_other_model_is_shown(
    *,
    ablation: Ablation,
    attention: AttentionController,
    document: Document,
    window: MainWindow,
    qtbot: QtBot,
) -> None:
    """It is that of its own model only."""
    study(ablation, document, window, qtbot)
    compare(ablation, attention, qtbot)
    panel, piece = ablation.panel, ablation.panel.details.piece
    panel.details.measure.click()
    qtbot.waitUntil(lambda: not ablation.controller.busy, timeout=30_000)
    assert "whole piece" in piece.accessibleDescription()

    panel.sides[1].click()
    assert piece.accessibleDescription() == ""
    panel.sides[0].click()
    assert "whole piece" in piece.accessibleDescription()


def test_the_difference_is_listened_to_with_the_model_of_the_effects(
    *,
    ablation: Ablation,
    app_controller: AppController,
    attention: AttentionController,
    document: Document,
    window: MainWindow,
    qtbot: QtBot,
) -> None:
    """Its muted heads count, not those of A."""
    study(ablation, document, window, qtbot)
    compare(ablation, attention, qtbot)
    ablation.mutes.toggle(Head(0, 0))
    ablation.panel.sides[1].click()
    assert not ablation.panel.listen.isEnabled()
    ablation.mutes.toggle(Head(0, 1))
    assert ablation.panel.listen.isEnabled()

    ablation.comparison.new.trigger()

    builder = app_controller.candidates.builder
    assert builder is not None
    assert builder.form.model == "plain"
    app_controller.candidates.cancel()
