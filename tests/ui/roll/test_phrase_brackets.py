"""The phrases above the roll as brackets."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.figures import roll
from musicrel.presentation.compose import phrases
from musicrel.presentation.compose.form import Form
from musicrel.presentation.compose.phrases import PhraseLane
from musicrel.ui.roll import phrase_brackets as module
from musicrel.ui.roll.phrase_brackets import PhraseBrackets
from musicrel.ui.roll.roll_view import RollView

LEFT, SHIFT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier
FORM = Form(bars=8, pickup=0, phrases=(2, 2, 4), cadence="half,,authentic")


@pytest.fixture
def brackets(qtbot: QtBot) -> PhraseBrackets:
    view = RollView()
    qtbot.addWidget(view)
    brackets = PhraseBrackets(view)
    view.resize(900, 400)
    with qtbot.waitExposed(view):
        view.show()
    view.show_roll(roll.draw(FORM.request().plan(), written=0))
    brackets.show_lane(phrases.of_form(FORM))
    return brackets


def at_end(brackets: PhraseBrackets, index: int) -> QPoint:
    return QPoint(round(brackets.box(brackets.lane.phrases[index]).right()) + 1, 8)


def inside(brackets: PhraseBrackets, index: int) -> QPoint:
    return QPoint(round(brackets.box(brackets.lane.phrases[index]).center().x()), 8)


def entry(brackets: PhraseBrackets, start: str) -> QAction:
    actions = brackets.menu.actions()
    return next(one for one in actions if one.text().replace("&", "").startswith(start))


def test_brackets_span_their_phrases(brackets: PhraseBrackets) -> None:
    first, second, third = (brackets.box(phrase) for phrase in brackets.lane.phrases)

    assert 0 <= first.left() < first.right() < second.left() < second.right() < third.left()
    assert third.width() == pytest.approx(2 * first.width(), abs=8)
    assert brackets.accessibleDescription().startswith("3 phrases of 2, 2, 4 bars. Phrase 1")


@pytest.mark.parametrize(("bars", "bar"), [(1.2, 3), (-0.8, 1), (0.3, 2)])
def test_dragged_end_snaps_to_a_bar(brackets: PhraseBrackets, bars: float, bar: int) -> None:
    found: list[tuple[int, int]] = []
    brackets.end_moved.connect(lambda index, to: found.append((index, to)))
    place = at_end(brackets, 0)
    target = place + QPoint(round(bars * brackets.box(brackets.lane.phrases[0]).width() / 2), 0)
    QTest.mousePress(brackets, LEFT, pos=place)
    QTest.mouseMove(brackets, target)
    before = brackets.grab().toImage()
    QTest.mouseRelease(brackets, LEFT, pos=target)
    brackets.menu.close()

    assert found == ([(0, bar)] if bar != 2 else [])
    assert (brackets.grab().toImage() != before) == bool(found)


def test_pointer_shows_what_a_press_does(brackets: PhraseBrackets) -> None:
    QTest.mouseMove(brackets, at_end(brackets, 1))
    assert brackets.cursor().shape() == Qt.CursorShape.SplitHCursor
    QTest.mouseMove(brackets, inside(brackets, 1))
    assert brackets.cursor().shape() == Qt.CursorShape.PointingHandCursor


def test_click_offers_the_cadences(brackets: PhraseBrackets, qtbot: QtBot) -> None:
    QTest.mouseClick(brackets, LEFT, pos=inside(brackets, 0))
    assert brackets.menu.isVisible()
    checked = [action.text() for action in brackets.menu.actions() if action.isChecked()]
    assert checked == ["&Half cadence\t–V"]
    with qtbot.waitSignal(brackets.menu.cadence_chosen) as chosen:
        entry(brackets, "Plagal").trigger()

    assert chosen.args == [0, "plagal"]
    brackets.menu.close()


def test_phrases_are_split_and_joined(brackets: PhraseBrackets, qtbot: QtBot) -> None:
    brackets.menu.offer(brackets.lane, 2)
    assert not entry(brackets, "Join").isEnabled()
    with qtbot.waitSignal(brackets.menu.split_wanted) as split:
        entry(brackets, "Split").trigger()
    brackets.menu.offer(brackets.lane, 1)
    with qtbot.waitSignal(brackets.menu.join_wanted) as join:
        entry(brackets, "Join").trigger()

    assert (split.args, join.args) == ([2], [1])


def test_menu_without_phrases_draws_some(brackets: PhraseBrackets, qtbot: QtBot) -> None:
    brackets.show_lane(PhraseLane())
    QTest.mouseClick(brackets, LEFT, pos=QPoint(40, 8))
    assert len(brackets.menu.actions()) == 1
    with qtbot.waitSignal(brackets.menu.redraw_wanted):
        entry(brackets, "All phrases as in Bach").trigger()

    assert brackets.tip_at(QPoint(40, 8)) == module.NO_PHRASES
    brackets.menu.close()


def test_keyboard_reaches_everything(brackets: PhraseBrackets, qtbot: QtBot) -> None:
    brackets.setFocus()
    for _ in range(5):
        QTest.keyClick(brackets, Qt.Key.Key_Right)
    assert brackets.selected == 2
    QTest.keyClick(brackets, Qt.Key.Key_Left)
    assert "Phrase 2" in brackets.accessibleDescription()
    with qtbot.waitSignal(brackets.end_moved) as moved:
        QTest.keyClick(brackets, Qt.Key.Key_Right, SHIFT)
    assert moved.args == [1, 5]
    with qtbot.waitSignal(brackets.end_moved) as moved:
        QTest.keyClick(brackets, Qt.Key.Key_Left, SHIFT)
    assert moved.args == [1, 3]
    QTest.keyClick(brackets, Qt.Key.Key_Return)
    assert brackets.menu.isVisible()
    brackets.menu.close()


def test_tooltip_explains_the_phrase(brackets: PhraseBrackets) -> None:
    assert brackets.tip_at(inside(brackets, 2)).splitlines() == [
        "Phrase 3: bars 5 to 8, authentic cadence (V–I)", module.NEXT_TIP, module.EDIT_TIP,
    ]  # fmt: skip


def test_phrases_that_cannot_be_edited_say_why(brackets: PhraseBrackets) -> None:
    brackets.disabled_reason = "This model is not conditioned on fermatas."
    found: list[int] = []
    brackets.end_moved.connect(lambda index, _: found.append(index))
    QTest.mousePress(brackets, LEFT, pos=at_end(brackets, 0))
    QTest.mouseMove(brackets, at_end(brackets, 1))
    QTest.mouseRelease(brackets, LEFT, pos=at_end(brackets, 1))
    QTest.keyClick(brackets, Qt.Key.Key_Right, SHIFT)

    assert found == []
    assert not brackets.menu.isVisible()
    assert brackets.disabled_reason in brackets.tip_at(inside(brackets, 0))


def test_planned_phrases_look_different(brackets: PhraseBrackets) -> None:
    before = brackets.grab().toImage()
    planned = brackets.lane
    written = PhraseLane(phrases=planned.phrases, planned=False)
    brackets.show_lane(written)

    assert brackets.grab().toImage() != before
    assert module.NEXT_TIP not in brackets.tip_at(inside(brackets, 0))


@pytest.mark.parametrize("number", [1, 64])
def test_many_phrases_fit(brackets: PhraseBrackets, number: int) -> None:
    lengths = (128 // number,) * number
    form = Form(bars=128, pickup=0, phrases=lengths, cadence="deceptive")
    brackets.show_lane(phrases.of_form(form))
    for phrase in brackets.lane.phrases:
        assert brackets.box(phrase).width() >= 1
    assert not brackets.grab().isNull()
