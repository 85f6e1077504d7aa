"""The form of a new study: templates, their cards, checks and keyboard."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from musicrel import jobs
from musicrel.experiment.study import estimate, study, study_folder
from musicrel.experiment.study.estimate import Speed
from musicrel.presentation.words import display_names
from musicrel.ui.experiment.study_form_controller import WAIT_FOR_CHECK
from musicrel.ui.experiment.study_form_view import TemplateCards
from musicrel.ui.experiment.study_jobs import StudyService
from tests.helpers.music import random_chorale
from tests.ui.experiment.study_app import SOON, choose_template, page
from tests.ui.user import User


def test_first_visit_shows_the_form_of_a_shipped_study(user: User) -> None:
    form = page(user.app).form

    user.wait(lambda: "2 runs" in form.plan.text(), timeout=SOON)
    assert page(user.app).form.isVisible()
    card = form.templates.boxes[form.templates.marked]
    assert card.text().startswith("Test run: start here\n")
    assert "No time estimate" in form.plan.text()
    user.wait(lambda: card.text() == "Test run: start here\nAbout 2 min", timeout=SOON)
    assert form.start.isEnabled()
    assert [box.text() for box in form.arms.boxes][:2] == ["Vanilla", "Relative"]


def test_studies_are_offered_by_their_time_the_shortest_first(user: User) -> None:
    """Before anything was run, with the time on a usual computer."""
    boxes = page(user.app).form.templates.boxes
    user.wait(lambda: len(boxes) == 8 and boxes[-1].text().endswith("GPU"), timeout=SOON)

    assert [box.text().split("\n") for box in boxes] == [
        ["Test run: start here", "About 2 min"],
        ["Attention memory", "About 5 min, no training"],
        ["Quick study", "About 20 min"],
        ["Byte sequences", "About 1 h 30 min"],
        ["Published comparison", "About 1 h 30 min"],
        ["Window lengths", "About 3 h"],
        ["Full study", "A night"],
        ["Window lengths (GPU)", "Not timed, needs a GPU"],
    ]


def test_what_a_beginner_needs_is_shown_and_the_rest_is_unfolded(user: User) -> None:
    form = page(user.app).form
    boxes = form.arms.boxes
    user.wait(lambda: len(boxes) > 2 and boxes[-1].isVisible(), timeout=SOON)
    others = (form.amount, form.rates, form.samples, form.runner, *form.numbers.values())
    assert all(entry.isVisible() for entry in (form.name, form.seeds, form.source))
    assert not any(entry.isVisible() for entry in others)

    QTest.mouseClick(form.advanced.heading, Qt.MouseButton.LeftButton)
    assert all(entry.isVisible() for entry in others)


def test_pieces_of_a_chosen_folder_are_read_and_refusals_explained(
    user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the dialog of the button; a folder without any is refused in one sentence."""
    form = page(user.app).form
    user.wait(form.start.isEnabled, timeout=SOON)
    folder, empty = tmp_path / "pieces", tmp_path / "empty"
    folder.mkdir()
    empty.mkdir()
    for seed in range(3):
        random_chorale(seed).write(folder / f"{seed}.json")
    (folder / "broken.mid").write_bytes(b"none")
    form.source.choose("folder")

    def choose(chosen: Path) -> None:
        monkeypatch.setattr(
            QFileDialog, "open", lambda dialog: dialog.fileSelected.emit(str(chosen))
        )
        QTest.mouseClick(form.browse, Qt.MouseButton.LeftButton)

    choose(folder)
    user.wait(lambda: "can be used" in form.read.text(), timeout=SOON)
    assert form.path.text() == str(folder)
    assert form.read.text().startswith("3 of 4 files can be used: ")
    assert "Not used: broken.mid: " in form.read.text()
    assert form.report.toPlainText().startswith("refused broken.mid: ")

    choose(empty)
    user.wait(lambda: "holds no piece that can be used" in form.read.text(), timeout=SOON)
    assert not form.report.isVisible()


def test_all_four_studies_of_the_report_are_offered(user: User) -> None:
    form = page(user.app).form
    user.wait(lambda: "2 runs" in form.plan.text(), timeout=SOON)

    for name, plan in (
        ("published", "Relative (as published) 469,813 parameters (+32,768)"),
        ("window", "10 runs"),
        ("memory", "20 rows: Vanilla, Relative (tiled)"),
        ("bytes", "11 runs"),
    ):
        choose_template(user.app, display_names.study(name))
        user.wait(lambda plan=plan: plan in form.plan.text(), timeout=SOON)  # type: ignore[misc]
        assert form.start.isEnabled()
        assert form.seeds.isEnabled() == (name != "memory")
        assert not form.problem.text()


@pytest.mark.parametrize(
    ("field", "typed", "sentence"),
    [
        ("amount", "0", "budget is 0 steps: expected more than 0"),
        ("seeds", "0-9999", "has 20,000 runs: expected at most 1,000"),
        ("seeds", "x", "expected distinct whole numbers"),
        ("name", "a/b", "expected up to 40 letters"),
    ],
)
def test_invalid_value_is_explained(field: str, typed: str, sentence: str, user: User) -> None:
    form = page(user.app).form
    user.wait(lambda: "2 runs" in form.plan.text(), timeout=SOON)
    getattr(form, field).setText(typed)

    user.wait(lambda: sentence in form.problem.text(), timeout=SOON)
    assert not form.start.isEnabled()
    assert sentence in form.start.toolTip() or sentence in form.problem.text()


def test_invalid_study_file_is_explained(user: User, tmp_path: Path) -> None:
    form = page(user.app).form
    user.wait(form.start.isEnabled, timeout=SOON)
    file = tmp_path / "spiral.toml"
    file.write_text(study.load("smoke").text.replace('scheme = "relative"', 'scheme = "spiral"'))
    user.app.studies.study_form.read(file, -1)

    sentence = "unknown positional scheme 'spiral': expected one of none, sinusoidal"
    user.wait(lambda: sentence in form.start.toolTip(), timeout=SOON)
    assert sentence in form.problem.text()
    assert not form.start.isEnabled()


def test_unchecked_form_cannot_be_started(user: User) -> None:
    form = page(user.app).form
    user.wait(form.start.isEnabled, timeout=SOON)

    form.amount.setText("7")
    assert not form.start.isEnabled()
    assert form.start.toolTip() == WAIT_FOR_CHECK
    user.wait(form.start.isEnabled, timeout=SOON)


def test_everything_is_reached_by_keyboard(user: User) -> None:
    boxes = page(user.app).form.arms.boxes
    user.wait(lambda: len(boxes) > 2 and boxes[-1].isVisible(), timeout=SOON)
    window = user.window
    page(user.app).form.advanced.heading.click()
    seen = set()
    for _ in range(80):
        QTest.keyClick(window, Qt.Key.Key_Tab)
        seen.add(window.focusWidget())
    form = page(user.app).form
    cards = form.templates.boxes
    entries = {form.name, form.seeds, form.amount, form.samples, *form.arms.boxes, *cards}
    assert {page(user.app).list.new, page(user.app).list.list, form.start} | entries <= seen


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
    assert texts == ["About 20 min", "About 5 min, no training", "Cannot be read"]

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

    assert texts == [estimate.on_card(wanted, speeds.values())]
    assert texts[0].startswith("About ")
