"""The size of all texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from musicrel.ui.app_controller import AppController
from musicrel.ui.experiment.curve_panel import CurvePanel
from musicrel.ui.shell.main_window import MainWindow
from musicrel.ui.widgets import stylesheet
from tests.ui.shell.test_clipping import check, clipped, finished_study, shown_box
from tests.ui.user import User


@pytest.fixture(autouse=True)
def usual_size() -> Iterator[None]:
    yield
    stylesheet.set_text_size(100)


@pytest.mark.parametrize("sizes", [("150", "125", "100"), ("110", "150")])
def test_all_widgets_follow_under_the_style_sheet(sizes: tuple[str, ...], user: User) -> None:
    usual = QApplication.font().pointSizeF()
    form = user.form
    plain = (
        user.window.menuBar(),
        user.window.takes,
        form.bars,
        form.key,
        form.meter,
        user.controls.harmonise,
        user.page.heading,
        user.window.statusBar(),
    )
    title = user.page.title.font().pointSizeF()

    for size in sizes:
        user.app.preferences.remember(text_size=size)

        expected = usual * int(size) / 100
        assert [part.font().pointSizeF() for part in plain] == pytest.approx(
            [expected] * len(plain)
        )
        assert user.page.title.font().pointSizeF() == pytest.approx(title * int(size) / 100)


def scroller_of(form: QWidget) -> QScrollArea:
    return next(part for part in form.window().findChildren(QScrollArea) if part.widget() is form)


@pytest.mark.parametrize("width", [1440, 1100])
def test_the_form_grows_with_its_texts(width: int, user: User) -> None:
    user.app.preferences.remember(text_size="150")
    user.window.resize(width, 700)

    form = user.form
    scroller = scroller_of(form)
    bar = scroller.horizontalScrollBar()
    user.wait(lambda: not bar.isVisible() and scroller.width() >= form.minimumSizeHint().width())


@pytest.mark.parametrize("sizes", [("125",), ("150", "100"), ("125", "90", "110")])
@pytest.mark.parametrize("page", ["compose", "attention"])
def test_the_legend_outlives_a_change(sizes: tuple[str, ...], page: str, user: User) -> None:
    user.window.resize(1320, 840)
    user.window.pages.open(page)
    legend, head = user.page.legend, "F♯ minor  ·  4/4  ·  16 bars"
    user.page.set_heading("Chorale 90278", head)
    user.wait(lambda: legend.voice_at(legend.width() - 4) == 3)

    for size in sizes:
        user.app.preferences.remember(text_size=size)
        for _ in range(3):  # layouts settle
            QApplication.processEvents()

    assert legend.voice_at(legend.width() - 4) == 3
    assert not user.page.heading.is_elided


def test_the_title_is_whole_above_the_scale_of_surprisal(user: User) -> None:
    page = user.page
    user.app.preferences.remember(text_size="150")
    user.window.resize(1100, 700)
    user.generate()

    page.surprisal.click()

    user.wait(lambda: page.heat_legend.isVisible() and not page.title.is_elided)


def test_the_window_follows_the_preferences(user: User) -> None:
    usual = user.window.font().pointSizeF()

    user.app.preferences.remember(text_size="125", theme="dark")

    assert user.window.font().pointSizeF() == pytest.approx(1.25 * usual)
    assert stylesheet.current_theme().name == "dark"
    assert [act.data() for act in user.commands.themes.actions() if act.isChecked()] == ["dark"]


def test_the_curves_of_a_study_are_named_in_the_size_of_all_texts(qtbot: QtBot) -> None:
    panel = CurvePanel()
    qtbot.addWidget(panel)
    panel.view.ensure()
    assert panel.plot is not None
    names, axis = panel.plot.names.label.item, panel.plot.plot.getAxis("left").label
    usual = names.font().pointSizeF()

    stylesheet.set_text_size(150)

    sizes = [text.font().pointSizeF() for text in (names, axis)]
    assert sizes == pytest.approx([1.5 * usual] * 2)


def pages(window: MainWindow, folder: Path) -> Iterator[None]:
    """Open one page after the other: also a finished study, and the attention of two models."""
    window.pages.open("experiment")
    yield
    window.experiment.show_study()
    window.experiment.study.show_study(finished_study(folder))
    yield
    window.pages.open("attention")
    yield
    second = window.attention.second_model
    second.setCurrentIndex(second.findData("plain"))
    second.activated.emit(second.currentIndex())
    yield
    window.pages.open("compose")
    yield


@pytest.mark.parametrize("place", [(1100, 700, "light"), (1100, 700, "dark"), (1320, 840, "dark")])
@pytest.mark.parametrize("size", ["100", "125", "150"])
def test_nothing_is_clipped_on_any_page(
    size: str, place: tuple[int, int, str], user: User, tmp_path: Path
) -> None:
    page = user.page
    user.app.preferences.remember(text_size=size)
    user.app.preferences.remember(theme=place[2])
    user.window.resize(*place[:2])
    page.controls.generate_button.click()
    user.wait(lambda: user.document.piece is not None)
    user.wait(lambda: not user.document.generating)

    for _ in pages(user.window, tmp_path):
        user.wait(lambda: [one for one in clipped(user.window) if "ElidedBox" not in one] == [])
    for card in user.window.experiment.form.templates.boxes:
        assert card.width() >= card.sizeHint().width()
    user.wait(lambda: not page.heading.is_elided)
    assert page.strip.compare.isVisible()
    assert page.strip.more.isVisible()
    for part in (page.controls.generate_button, page.controls.harmonise, page.title):
        assert part.font().pointSizeF() >= QApplication.font().pointSizeF()
    assert page.roll.seen == page.roll.seen.opened()


@pytest.mark.parametrize("low", [True, False])
@pytest.mark.parametrize("size", ["100", "125", "150"])
def test_cards_of_takes_grow_with_their_texts(size: str, low: bool, app: AppController) -> None:
    app.preferences.remember(text_size=size)
    view = app.window.takes.view
    view.set_low(low=low)
    card = view.cards.card(QRect(QPoint(), view.cards.size))
    badge = QFontMetrics(stylesheet.scaled_font(0.76, QFont.Weight.DemiBold))

    assert card.badge(badge, "current").width() > badge.horizontalAdvance("current")
    assert card.thumbnail.contains(card.badge(badge, "current").toRect())
    assert card.name.height() >= QFontMetrics(stylesheet.scaled_font(0.94)).height()
    last = card.name if low else card.source
    assert last.bottom() < card.frame.bottom() < view.height()


@pytest.mark.parametrize("left_open", [False, True])
def test_the_advanced_part_is_in_view_when_it_is_opened(
    left_open: bool, window: MainWindow, make_app: Callable[[], AppController], qtbot: QtBot
) -> None:
    stylesheet.set_text_size(150)
    window.resize(1100, 700)
    advanced = window.compose_page.controls.compose_form.advanced
    app = make_app()
    app.preferences.remember(text_size="150")
    advanced.set_open(on=left_open)
    window.show()
    window.grab()
    if not left_open:
        advanced.heading.click()

    bar = scroller_of(window.compose_page.controls.compose_form).verticalScrollBar()
    qtbot.waitUntil(lambda: bar.value() > 0 and shown_box(advanced, window).height() > 100)


def test_dialogs_fit_at_a_larger_size(user: User) -> None:
    user.app.preferences.remember(text_size="125")
    library, acts = user.app.library, user.commands.library
    acts.models.trigger()
    acts.preferences.trigger()
    for dialog in (library.models.dialog, library.preferences):
        assert dialog is not None
        check(dialog, user.qtbot)
        assert (dialog.width() <= 1100, dialog.height() <= 700) == (True, True)
        dialog.close()
