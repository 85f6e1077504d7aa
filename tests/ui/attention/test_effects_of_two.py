"""Effects in one of two models: the choice, heads and mutes of each, arcs, measurements."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.generation.heads.mutes import Head
from musicrel.ui.controllers.attention_controller import AttentionController
from musicrel.ui.controllers.effects_controller import EFFECTS, EffectsController
from musicrel.ui.roll.roll_overlay import RollArcs
from tests.ui.attention.test_effects import mutes_of
from tests.ui.user import User


def compare(ablation: EffectsController, attention: AttentionController, qtbot: QtBot) -> None:
    attention.models.follow("plain")
    qtbot.waitUntil(lambda: attention.shown_second is not None)
    qtbot.waitUntil(lambda: not ablation.busy, timeout=30_000)


def test_the_effects_are_those_of_a_or_b(
    studied: EffectsController, attention: AttentionController, qtbot: QtBot
) -> None:
    """Two buttons choose the model whose note is studied; without B there are none."""
    panel = studied.panel
    assert [button.isVisible() for button in panel.sides] == [False, False]
    compare(studied, attention, qtbot)
    assert [button.isVisible() for button in panel.sides] == [True, True]
    assert attention.model == "full"

    panel.sides[1].click()
    qtbot.waitUntil(lambda: not studied.busy, timeout=30_000)

    assert [button.isChecked() for button in panel.sides] == [False, True]
    assert panel.sides[1].toolTip().startswith("Show the effects in plain")
    assert panel.effects_of == "plain"
    attention.models.follow("")
    qtbot.waitUntil(lambda: not studied.busy, timeout=30_000)
    assert panel.effects_of == "full"


def test_heads_of_b_are_chosen_and_muted_in_its_effects(
    studied: EffectsController, attention: AttentionController, user: User
) -> None:
    """The key works in the roll, too; on other views it is about A again."""
    compare(studied, attention, user.qtbot)
    panel, page, roll = studied.panel, user.window.attention, user.roll
    panel.sides[1].click()
    panel.grid.chosen.emit(Head(1, 1))
    QTest.keyClick(roll, Qt.Key.Key_M)

    assert str(user.document.form.muted.of("plain")) == "2.2"
    assert not mutes_of(user.document)
    assert panel.muted.text() == "Muted: 2.2"
    page.switch.open("maps")
    assert (page.plots.halves[0].grid.heads.chosen, page.plots.halves[1].grid.heads.chosen) == (
        None,
        Head(1, 1),
    )
    page.choices.head_chosen.emit(0, Head(0, 0))
    QTest.keyClick(roll, Qt.Key.Key_M)
    assert str(mutes_of(user.document)) == "1.1"
    page.switch.open(EFFECTS)
    panel.clear.click()
    assert not user.document.form.muted.of("plain")
    assert str(mutes_of(user.document)) == "1.1"


def test_arcs_are_those_of_the_model_of_the_effects(
    studied: EffectsController,
    attention: AttentionController,
    user: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compare(studied, attention, user.qtbot)
    drawn: list[tuple[object, ...]] = []
    monkeypatch.setattr(RollArcs, "show_cell", lambda _self, *shown: drawn.append(shown[:2]))

    studied.panel.sides[1].click()
    studied.panel.grid.chosen.emit(Head(1, 0))

    assert drawn[-1][0] is attention.shown_second
    assert drawn[-1][1] == Head(1, 0)
    user.window.attention.switch.open("maps")
    assert drawn[-1][0] is attention.shown
    assert drawn[-1][1] is None


def test_a_measurement_stays_while_the_other_model_is_shown(
    studied: EffectsController, attention: AttentionController, qtbot: QtBot
) -> None:
    compare(studied, attention, qtbot)
    panel, piece = studied.panel, studied.panel.piece_grid
    panel.piece.start.click()
    qtbot.waitUntil(lambda: not studied.busy, timeout=30_000)
    assert "whole piece" in piece.accessibleDescription()

    panel.sides[1].click()
    assert piece.accessibleDescription() == ""
    panel.sides[0].click()
    assert "whole piece" in piece.accessibleDescription()


def test_the_difference_is_listened_to_with_the_model_of_the_effects(
    studied: EffectsController, user: User, attention: AttentionController
) -> None:
    compare(studied, attention, user.qtbot)
    studied.mutes.toggle(0, Head(0, 0))
    studied.panel.sides[1].click()
    assert not studied.panel.listen.isEnabled()
    studied.mutes.toggle(0, Head(0, 1))
    assert studied.panel.listen.isEnabled()

    studied.comparison.new.trigger()

    builder = user.writing.builder
    assert builder is not None
    assert builder.form.model == "plain"
    user.writing.cancel()
