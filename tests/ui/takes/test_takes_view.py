"""The strip of cards alone."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QColor, QFont, QFontMetrics, QWheelEvent
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from musicrel.presentation.words.palette import LIGHT
from musicrel.ui.takes.take_card import TakeCard
from musicrel.ui.takes.takes_view import TakesView
from musicrel.ui.takes.thumbnails import MAX_KEPT
from musicrel.ui.widgets import stylesheet
from tests.ui.takes.pieces import rows

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def strip(qtbot: QtBot) -> TakesView:
    """Return a visible strip with five takes."""
    view = TakesView()
    qtbot.addWidget(view)
    view.resize(900, view.height())
    view.show_rows(rows(5))
    with qtbot.waitExposed(view):
        view.show()
    return view


def card(view: TakesView, place: int) -> TakeCard:
    """Return the card at a place of the strip."""
    return view.cards.card(view.visualRect(view.takes.index(place, 0)))


def test_the_model_follows_the_rules_of_qt(strip: TakesView) -> None:
    """Also when takes are added and changed."""
    mode = QAbstractItemModelTester.FailureReportingMode.Warning
    tester = QAbstractItemModelTester(strip.takes, mode)
    strip.show_rows(rows(6))
    strip.show_rows(rows(6))
    strip.show_rows(())
    assert strip.takes.rowCount() == 0
    del tester


def test_arrow_keys_select_and_enter_requests_the_use(strip: TakesView, qtbot: QtBot) -> None:
    """Shift extends the selection."""
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
    """The star at the right is the third."""
    strip.select([5])
    place = card(strip, 1).rating
    with qtbot.waitSignal(strip.star_clicked) as click:
        QTest.mouseClick(strip.viewport(), LEFT, pos=QPoint(place.right() - 2, place.center().y()))
    assert click.args == [4, 3]
    assert strip.selected_numbers == (5,)


def test_a_double_click_uses_a_take_or_renames_it(strip: TakesView, qtbot: QtBot) -> None:
    """On the name it opens a field."""
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
    """The keyboard continues at the same take."""
    strip.select([3, 2], current=2)
    strip.show_rows(rows(8))

    assert list(strip.selected_numbers) == [3, 2]
    assert strip.current_row is not None
    assert strip.current_row.number == 2
    strip.show_rows(rows(8)[-1:])
    assert list(strip.selected_numbers) == []


def test_some_of_many_takes_are_selected(strip: TakesView) -> None:
    """In stretches and alone; one that is not shown is left out."""
    strip.show_rows(rows(1000))
    wanted = [*range(900, 400, -1), 300, 2]
    strip.select([*wanted, 5000], current=300)

    assert list(strip.selected_numbers) == wanted
    assert strip.current_row is not None
    assert strip.current_row.number == 300
    strip.select([7])
    assert list(strip.selected_numbers) == [7]


def test_the_wheel_scrolls_sideways(strip: TakesView) -> None:
    """A step moves by one card."""
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
    """Thumbnails far out of view are dropped."""
    strip.show_rows(rows(1000))
    bar = strip.horizontalScrollBar()
    for share in range(50):
        bar.setValue(bar.maximum() * share // 49)
        strip.grab()

    assert bar.maximum() > 1000 * 150
    assert 0 < len(strip.cards.thumbnails) <= MAX_KEPT


def test_the_current_take_is_marked(strip: TakesView) -> None:
    """By a badge with a word, not by a colour alone."""
    image = strip.viewport().grab().toImage()
    metrics = QFontMetrics(stylesheet.scaled_font(0.76, QFont.Weight.DemiBold))
    corners = [card(strip, place).badge(metrics, "current").topLeft() for place in (0, 1)]
    badges = [corner.toPoint() + QPoint(3, 6) for corner in corners]
    colours = [image.pixelColor(place * image.devicePixelRatio()).name() for place in badges]

    assert [colour == QColor(LIGHT.accent).name() for colour in colours] == [True, False]


def test_a_low_strip_has_the_name_and_the_rating(strip: TakesView) -> None:
    """It takes half of the height."""
    high = strip.height()
    strip.set_low(low=True)
    QApplication.processEvents()

    low = card(strip, 0)
    assert strip.height() < 0.65 * high
    assert low.frame.contains(low.name)
    assert low.frame.contains(low.rating)


def test_a_screen_reader_gets_a_description_of_each_take(strip: TakesView) -> None:
    """The strip has a name."""
    reader = QAccessible.queryAccessibleInterface(strip)
    spoken = strip.takes.data(strip.takes.index(0, 0), Qt.ItemDataRole.AccessibleTextRole)

    assert reader.text(QAccessible.Text.Name) == "Takes"
    assert spoken == "Take 5, current take, generated, rated 1 of 3"
