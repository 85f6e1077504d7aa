"""The strip of cards alone."""

from __future__ import annotations

import gc
from collections import Counter
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QAccessible, QColor, QFont, QFontMetrics, QWheelEvent
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from musicrel.figures.roll import Roll
from musicrel.figures.score import Score
from musicrel.interpretability.piece_analysis import PieceAnalysis
from musicrel.playback.audio_callback import RenderCache
from musicrel.presentation.words.palette import DARK, LIGHT
from musicrel.project.take_table import TakeRow
from musicrel.ui.takes.takes_view import MAX_KEPT, TakeCard, TakesView, Thumbnails
from musicrel.ui.widgets import stylesheet
from tests.ui.takes.conftest import FIRST, REWRITTEN, rows
from tests.ui.user import User

LEFT = Qt.MouseButton.LeftButton
SIZE = QSize(120, 44)
CHANGED = replace(rows(1, REWRITTEN)[0], before=FIRST, origin="rewritten from “Air”")
GENERATIONS = 200
CACHED = (RenderCache, PieceAnalysis, Roll, Score)
MOST = 4
"""Most objects of one kind: those of the piece, and some that were replaced just now."""


@pytest.fixture
def strip(qtbot: QtBot) -> TakesView:
    view = TakesView()
    qtbot.addWidget(view)
    view.resize(900, view.height())
    view.show_rows(rows(5))
    with qtbot.waitExposed(view):
        view.show()
    return view


def card(view: TakesView, place: int) -> TakeCard:
    return view.cards.card(view.visualRect(view.takes.index(place, 0)))


def test_the_model_follows_the_rules_of_qt(strip: TakesView) -> None:
    mode = QAbstractItemModelTester.FailureReportingMode.Warning
    tester = QAbstractItemModelTester(strip.takes, mode)
    strip.show_rows(rows(6))
    strip.show_rows(rows(6))
    strip.show_rows(())
    assert strip.takes.rowCount() == 0
    del tester


def test_arrow_keys_select_and_enter_requests_the_use(strip: TakesView, qtbot: QtBot) -> None:
    strip.setFocus()
    strip.select([5])
    with qtbot.waitSignal(strip.selection_changed):
        QTest.keyClick(strip, Qt.Key.Key_Right)
    assert list(strip.selected_numbers) == [4]
    QTest.keyClick(strip, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert list(strip.selected_numbers) == [4, 3]
    with qtbot.waitSignal(strip.use_requested):
        QTest.keyClick(strip, Qt.Key.Key_Return)


def test_a_click_on_a_star_rates_and_does_not_select(strip: TakesView, qtbot: QtBot) -> None:
    strip.select([5])
    place = card(strip, 1).rating
    with qtbot.waitSignal(strip.star_clicked) as click:
        QTest.mouseClick(strip.viewport(), LEFT, pos=QPoint(place.right() - 2, place.center().y()))
    assert click.args == [4, 3]
    assert strip.selected_numbers == (5,)


def test_a_double_click_uses_a_take_or_renames_it(strip: TakesView, qtbot: QtBot) -> None:
    with qtbot.waitSignal(strip.use_requested):
        QTest.mouseDClick(strip.viewport(), LEFT, pos=card(strip, 1).thumbnail.center())
    name = card(strip, 2).name
    QTest.mouseDClick(strip.viewport(), LEFT, pos=name.center())
    field = strip.findChild(QLineEdit)
    assert field is not None
    assert field.text() == "Take 3"
    QTest.keyClicks(field, "Best")
    with qtbot.waitSignal(strip.takes.renamed) as renamed:
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert renamed.args == [3, "Best"]


def test_the_selection_stays_when_takes_are_added(strip: TakesView) -> None:
    strip.select([3, 2], current=2)
    strip.show_rows(rows(8))

    assert list(strip.selected_numbers) == [3, 2]
    assert strip.current_row is not None
    assert strip.current_row.number == 2
    strip.show_rows(rows(8)[-1:])
    assert list(strip.selected_numbers) == []


def test_some_of_many_takes_are_selected(strip: TakesView) -> None:
    strip.show_rows(rows(1000))
    wanted = [*range(900, 400, -1), 300, 2]
    strip.select([*wanted, 5000], current=300)

    assert list(strip.selected_numbers) == wanted
    assert strip.current_row is not None
    assert strip.current_row.number == 300
    strip.select([7])
    assert list(strip.selected_numbers) == [7]


def test_the_wheel_scrolls_sideways(strip: TakesView) -> None:
    strip.show_rows(rows(60))
    QApplication.processEvents()
    middle = QPointF(strip.viewport().rect().center())
    wheel = QWheelEvent(
        middle, strip.mapToGlobal(middle), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(strip.viewport(), wheel)

    assert strip.horizontalScrollBar().value() == card(strip, 0).frame.width()


def test_a_thousand_takes_are_painted_only_where_they_are_seen(strip: TakesView) -> None:
    strip.show_rows(rows(1000))
    bar = strip.horizontalScrollBar()
    for share in range(50):
        bar.setValue(bar.maximum() * share // 49)
        strip.grab()

    assert bar.maximum() > 1000 * 150
    assert 0 < len(strip.cards.thumbnails) <= MAX_KEPT


def test_the_current_take_is_marked(strip: TakesView) -> None:
    image = strip.viewport().grab().toImage()
    metrics = QFontMetrics(stylesheet.scaled_font(0.76, QFont.Weight.DemiBold))
    corners = [card(strip, place).badge(metrics, "current").topLeft() for place in (0, 1)]
    badges = [corner.toPoint() + QPoint(3, 6) for corner in corners]
    colours = [image.pixelColor(place * image.devicePixelRatio()).name() for place in badges]

    assert [colour == QColor(LIGHT.accent).name() for colour in colours] == [True, False]


def test_a_low_strip_has_the_name_and_the_rating(strip: TakesView) -> None:
    high = strip.height()
    strip.set_low(low=True)
    QApplication.processEvents()

    low = card(strip, 0)
    assert strip.height() < 0.65 * high
    assert low.frame.contains(low.name)
    assert low.frame.contains(low.rating)


def test_a_screen_reader_gets_a_description_of_each_take(strip: TakesView) -> None:
    reader = QAccessible.queryAccessibleInterface(strip)
    spoken = strip.takes.data(strip.takes.index(0, 0), Qt.ItemDataRole.AccessibleTextRole)

    assert reader.text(QAccessible.Text.Name) == "Takes"
    assert spoken == "Take 5, current take, generated, rated 1 of 3"


def colours(row: TakeRow) -> set[str]:
    image = Thumbnails().picture(row, SIZE, 1.0).pixmap.toImage()
    places = ((x, y) for x in range(image.width()) for y in range(image.height()))
    found = (image.pixelColor(x, y) for x, y in places)
    return {colour.name() for colour in found if colour.alpha() == 255}


def test_changed_notes_have_the_colour_of_their_voice() -> None:
    shown = colours(CHANGED)

    assert {LIGHT.voices[1], QColor(LIGHT.line_bar).name()} <= shown
    assert LIGHT.voices[0] not in shown
    assert set(LIGHT.voices) <= colours(rows(1)[0])


def test_a_thumbnail_is_painted_once() -> None:
    kept = Thumbnails()
    first = kept.picture(CHANGED, SIZE, 1.0)

    assert kept.picture(replace(CHANGED, rating=3), SIZE, 1.0) is first
    assert kept.picture(CHANGED, SIZE * 2, 1.0) is not first
    first = kept.picture(CHANGED, SIZE, 1.0)
    assert kept.picture(CHANGED, SIZE, 2.0).pixmap.width() == 240
    assert kept.picture(rows(1)[0], SIZE, 1.0).changes == ""
    stylesheet.apply(DARK)
    assert kept.picture(CHANGED, SIZE, 1.0) is not first
    stylesheet.apply(LIGHT)
    assert len(kept) == 1


def alive() -> Counter[str]:
    gc.collect()
    return Counter(type(one).__name__ for one in gc.get_objects() if type(one) in CACHED)


def test_caches_are_bounded(user: User) -> None:
    view, seen, before = user.window.takes.view, Counter[str](), alive()
    for number in range(GENERATIONS):
        user.generate()
        user.app.player.work()
        view.horizontalScrollBar().setValue(view.horizontalScrollBar().maximum() * (number % 2))
        view.grab()
        if number % 10 == 0:
            user.commands.score.setChecked(True)
            user.wait(lambda: not user.app.engraving.busy)
            seen |= alive()
            user.commands.score.setChecked(False)

    assert len(user.document.takes.all) == GENERATIONS
    assert set(seen) == {kind.__name__ for kind in CACHED}
    assert {kind: count for kind, count in (alive() - before).items() if count > MOST} == {}
    assert 0 < len(view.cards.thumbnails) <= MAX_KEPT
