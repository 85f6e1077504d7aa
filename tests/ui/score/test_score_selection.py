"""Selection on the engraved score with the mouse."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel import jobs
from musicrel.chorale import Chorale
from musicrel.editing.note_input import Cursor
from musicrel.editing.selection import Selection
from musicrel.presentation.score import engraver
from musicrel.presentation.score.score_picture import SPACE
from musicrel.ui.score.score_selection import ScoreSelection
from musicrel.ui.score.score_view import ScoreView

BAR = np.repeat([[72, 67, 64, 48], [74, 65, 62, 50]] * 2, 4, axis=0)
PIECE = Chorale.of(np.tile(BAR, (8, 1)))
LEFT = Qt.MouseButton.LeftButton
SHIFT = Qt.KeyboardModifier.ShiftModifier
BETWEEN = QPoint(400, 1)


class Chosen:
    """The selections that the mouse makes on a score, and the steps that it seeks."""

    def __init__(self, view: ScoreView) -> None:
        self.view, self.selecting = view, ScoreSelection(view)
        self.selections: list[tuple[Selection | None, bool]] = []
        self.steps: list[float] = []
        self.selecting.chosen.connect(lambda *found: self.selections.append(found))
        self.selecting.seek_requested.connect(self.steps.append)

    def point(self, voice: int, step: int, *, right: float = 0, up: float = 0) -> QPoint:
        """Return a point beside the head of a voice at a step, in staff spaces."""
        assert self.view.score is not None
        index = self.view.seen.system_of(step) or 0
        heads = self.view.score.systems[index].sounding(step)
        found = next(head for head in heads if head.note.voice == voice)
        x, y = self.view.seen.point(index, found.x + right * SPACE, found.y - up * SPACE)
        return QPoint(round(x), round(y))

    def drag(self, start: QPoint, stop: QPoint, *, shift: bool = False) -> None:
        """Drag with the left button."""
        port = self.view.viewport()
        keys = SHIFT if shift else Qt.KeyboardModifier.NoModifier
        QTest.mousePress(port, LEFT, keys, start)
        QTest.mouseMove(port, (start + stop) / 2)
        QTest.mouseMove(port, stop)
        QTest.mouseRelease(port, LEFT, keys, stop)


@pytest.fixture
def chosen(qtbot: QtBot) -> Iterator[Chosen]:
    view = ScoreView()
    qtbot.addWidget(view)
    view.resize(900, 500)
    with qtbot.waitExposed(view):
        view.show()
    view.show_score(jobs.run(engraver.engrave(PIECE, width=view.seen.page_width)))
    yield Chosen(view)
    view.close()


def of(voices: tuple[int, ...], start: int, stop: int) -> Selection:
    return Selection(voices=voices, start=start, stop=stop)


def test_click_selects_the_note_and_seeks(chosen: Chosen) -> None:
    """With Shift it only extends the selection."""
    QTest.mouseClick(chosen.view.viewport(), LEFT, pos=chosen.point(3, 8))
    QTest.mouseClick(chosen.view.viewport(), LEFT, SHIFT, chosen.point(0, 20))

    assert chosen.selections == [(of((3,), 8, 12), False), (of((0,), 20, 24), True)]
    assert chosen.steps == [8.0]


def test_click_in_an_empty_place_selects_the_cell_of_the_nearest_voice(chosen: Chosen) -> None:
    """It seeks the step, too."""
    QTest.mouseClick(chosen.view.viewport(), LEFT, pos=chosen.point(1, 12, up=-2))
    QTest.mouseClick(chosen.view.viewport(), LEFT, pos=chosen.point(0, 4, up=2))

    assert chosen.selections == [(of((1,), 12, 13), False), (of((0,), 4, 5), False)]
    assert chosen.steps == [12.0, 4.0]


def test_click_between_two_systems_clears_the_selection(chosen: Chosen) -> None:
    """With Shift nothing happens."""
    QTest.mouseClick(chosen.view.viewport(), LEFT, SHIFT, BETWEEN)
    QTest.mouseClick(chosen.view.viewport(), LEFT, pos=BETWEEN)

    assert chosen.selections == [(None, False)]
    assert chosen.steps == []


def test_double_click_selects_the_bar(chosen: Chosen) -> None:
    """In all voices."""
    place = chosen.point(2, 24, up=-2)
    QTest.mouseClick(chosen.view.viewport(), LEFT, pos=place)
    QTest.mouseDClick(chosen.view.viewport(), LEFT, pos=place)

    assert chosen.selections[-1] == (of((0, 1, 2, 3), 16, 32), False)


def test_rubber_band_selects_the_notes_in_it(chosen: Chosen) -> None:
    """An empty one clears the selection; Shift extends it."""
    start, stop = chosen.point(0, 4, right=-1.5, up=1.5), chosen.point(1, 8, right=1.5, up=-1.5)
    chosen.drag(start, stop)
    chosen.drag(stop, start, shift=True)
    chosen.drag(QPoint(5, 1), QPoint(60, 5))

    assert chosen.selections == [
        (of((0, 1), 4, 12), False),
        (of((0, 1), 4, 12), True),
        (None, False),
    ]


def test_rubber_band_can_be_cancelled(chosen: Chosen) -> None:
    """The next one works again."""
    start, stop = chosen.point(0, 4, right=-1.5, up=1.5), chosen.point(1, 8, right=1.5, up=-1.5)
    port = chosen.view.viewport()
    assert not chosen.selecting.cancel()
    QTest.mousePress(port, LEFT, pos=start)
    QTest.mouseMove(port, (start + stop) / 2)
    assert chosen.selecting.cancel()
    QTest.mouseMove(port, stop)
    QTest.mouseRelease(port, LEFT, pos=stop)
    assert chosen.selections == []

    chosen.drag(start, stop)
    assert len(chosen.selections) == 1


def test_drag_of_a_note_selects_nothing(chosen: Chosen) -> None:
    """It belongs to those who edit; the right button is ignored, too."""
    chosen.drag(chosen.point(0, 0), chosen.point(0, 8))
    QTest.mouseClick(chosen.view.viewport(), Qt.MouseButton.RightButton, pos=chosen.point(0, 0))

    assert chosen.selections == []


def test_nothing_is_selected_while_notes_are_written(chosen: Chosen) -> None:
    """Clicks write."""
    chosen.view.set_input_cursor(Cursor(voice=0, step=0))
    QTest.mouseClick(chosen.view.viewport(), LEFT, pos=chosen.point(0, 0))
    QTest.mouseDClick(chosen.view.viewport(), LEFT, pos=chosen.point(0, 0))
    chosen.drag(QPoint(5, 1), QPoint(60, 5))

    assert chosen.selections == []
