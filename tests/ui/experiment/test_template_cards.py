"""The cards of studies to start from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel import jobs
from musicrel.experiment.study import estimate, study, study_folder
from musicrel.experiment.study.estimate import Speed
from musicrel.presentation.study import study_text
from musicrel.ui.experiment.study_jobs import StudyService
from musicrel.ui.experiment.template_cards import TemplateCards

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: size hints


@pytest.fixture
def cards(qtbot: QtBot) -> TemplateCards:
    """Return three cards on screen."""
    shown = TemplateCards()
    qtbot.addWidget(shown)
    shown.resize(500, 100)
    shown.set_cards([("Quick", "Small models."), ("Full", "Large models."), ("Bytes", "")])
    with qtbot.waitExposed(shown):
        shown.show()
    return shown


def test_a_card_is_chosen_by_mouse_and_by_keyboard(cards: TemplateCards) -> None:
    """The row is emitted; the mark is set by the form."""
    chosen: list[int] = []
    cards.chosen.connect(chosen.append)

    place = cards.visualItemRect(cards.item(1)).center()
    QTest.mouseClick(cards.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert set(chosen) == {1}
    chosen.clear()
    cards.setFocus()
    QTest.keyClick(cards, Qt.Key.Key_Right)
    QTest.keyClick(cards, Qt.Key.Key_Space)

    assert chosen == [2]
    assert cards.marked == -1


def test_cards_fill_the_width_in_rows(cards: TemplateCards) -> None:
    """Three side by side; in a narrow window one below the other, none clipped."""
    tops = {cards.visualItemRect(cards.item(row)).top() for row in range(3)}
    assert len(tops) == 1

    cards.resize(200, 100)

    boxes = [cards.visualItemRect(cards.item(row)) for row in range(3)]
    assert len({box.top() for box in boxes}) == 3
    assert boxes[-1].bottom() <= cards.viewport().height()


def test_a_card_has_its_time(cards: TemplateCards) -> None:
    """For screen readers, too; the description is in the tooltip."""
    cards.set_time(0, "About 3 min of training")

    item = cards.item(0)
    assert cards.time(0) == "About 3 min of training"
    assert item.toolTip() == "Small models.\nAbout 3 min of training"
    spoken = item.data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Quick, About 3 min of training"


def test_the_time_is_estimated_from_earlier_runs_only(
    home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It is not known without any; a damaged study is named as such."""
    del home
    quick, broken = study_folder.find("quick"), tmp_path / "broken.toml"
    broken.write_text("name =")
    service, texts = StudyService(), list[str]()

    def note(event: object) -> None:
        texts.append(getattr(event, "text", ""))

    files = [quick, study_folder.find("memory"), broken]
    jobs.run(service.time_templates(files), note)
    assert texts == ["Time not known yet", "Minutes, no training", "Cannot be read"]

    wanted = study.load("quick")
    speeds = {
        tmp_path / arm.name: Speed(
            recipe=replace(arm.recipe, name="earlier"), parameters=arm.parameters,
            per_token=1e-4, per_step=0.01,
        )
        for arm in wanted.arms
    }  # fmt: skip
    monkeypatch.setattr(estimate, "known_speeds", lambda *_: speeds)
    texts.clear()
    jobs.run(service.time_templates([quick]), note)

    seconds = estimate.seconds(wanted, speeds.values())
    assert texts == [study_text.template_time(seconds, trains=True)]
    assert texts[0].startswith("About ")
