"""The cards of studies to start from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from musicrel import jobs
from musicrel.experiment.study import estimate, study, study_folder
from musicrel.experiment.study.estimate import Speed
from musicrel.presentation.study import study_text
from musicrel.ui.experiment.study_form_view import TemplateCards
from musicrel.ui.experiment.study_jobs import StudyService

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: size hints


@pytest.fixture
def cards(qtbot: QtBot) -> TemplateCards:
    shown = TemplateCards()
    qtbot.addWidget(shown)
    shown.resize(500, 100)
    shown.set_cards([("Quick", "Small models."), ("Full", "Large models."), ("Bytes", "")])
    with qtbot.waitExposed(shown):
        shown.show()
    return shown


def test_a_card_is_chosen_by_mouse_and_by_keyboard(cards: TemplateCards) -> None:
    chosen: list[int] = []
    cards.chosen.connect(chosen.append)

    QTest.mouseClick(cards.boxes[1], Qt.MouseButton.LeftButton)
    QTest.keyClick(cards.boxes[2], Qt.Key.Key_Space)

    assert chosen == [1, 2]
    assert not any(card.isChecked() for card in cards.boxes)


@pytest.mark.parametrize(("width", "rows"), [(500, 1), (200, 3)])
def test_cards_fill_the_width_in_rows(cards: TemplateCards, width: int, rows: int) -> None:
    cards.resize(width, 300)
    QApplication.processEvents()

    assert len({card.geometry().top() for card in cards.boxes}) == rows


def test_a_card_has_its_time(cards: TemplateCards) -> None:
    cards.set_time(0, "About 3 min of training")

    assert cards.boxes[0].text() == "Quick\nAbout 3 min of training"
    assert cards.boxes[0].toolTip() == "Small models.\nAbout 3 min of training"
    assert cards.boxes[0].accessibleName() == "Quick"
    assert cards.boxes[0].accessibleDescription() == "About 3 min of training"


def test_the_time_is_estimated_from_earlier_runs_only(
    home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    del home
    quick, broken = study_folder.find("quick"), tmp_path / "broken.toml"
    broken.write_text("name =")
    service, texts = StudyService(), list[str]()

    def note(event: tuple[Path, str]) -> None:
        texts.append(event[1])

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
