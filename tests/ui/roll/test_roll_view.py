"""The piano roll on the screen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QHelpEvent, QImage, QPainter, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale, Key
from musicrel.figures import roll
from musicrel.figures.paint import sized_font
from musicrel.figures.roll import KEYBOARD_WIDTH, KEYS_WIDTH, RULER_HEIGHT, RollPainter, Viewport
from musicrel.generation.request import GenerationRequest
from musicrel.interpretability.piece_analysis import PieceAnalysis
from musicrel.presentation.words.palette import DARK, LIGHT, Theme
from musicrel.ui.controllers.writer import Composition
from musicrel.ui.roll import roll_overlay
from musicrel.ui.roll.roll_overlay import Arc
from musicrel.ui.roll.roll_view import RollLayers, RollView, ViewState
from musicrel.ui.widgets import stylesheet
from tests.ui.fakes import steps_of

REQUEST = GenerationRequest(bars=4, phrases=(2, 2))
NO_KEYS = Qt.KeyboardModifier.NoModifier
MEETING = [[72, 67, 64, 48], [72, 67, 67, 48], [71, 67, 67, 50], [-1, 65, 62, 50]]
PIECE = Chorale.of(np.resize(MEETING, (64, 4)), fermatas=REQUEST.plan().fermatas)


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[RollView]:
    view = RollView()
    qtbot.addWidget(view)
    view.resize(KEYBOARD_WIDTH + 650, RULER_HEIGHT + 530)
    with qtbot.waitExposed(view):
        view.show()
    yield view
    view.close()


def growing(cells: int) -> roll.Roll:
    composition = Composition(REQUEST.plan())
    for step in steps_of(PIECE)[:cells]:
        composition.add(step)
    return roll.draw(composition.padded_piece(), written=composition.started_steps)


def wheel(view: RollView, notches: float, *, x: int = 300, keys: str = "") -> None:
    modifiers = Qt.KeyboardModifier.NoModifier
    if "c" in keys:
        modifiers |= Qt.KeyboardModifier.ControlModifier
    if "s" in keys:
        modifiers |= Qt.KeyboardModifier.ShiftModifier
    place = QPointF(KEYBOARD_WIDTH + x, RULER_HEIGHT + 100)
    event = QWheelEvent(
        place,
        view.viewport().mapToGlobal(place),
        QPoint(),
        QPoint(0, round(notches * 120)),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view.viewport(), event)


def place_of(view: RollView, step: float, pitch: int) -> QPoint:
    x = KEYBOARD_WIDTH + view.seen.x(step)
    return QPoint(round(x), round(RULER_HEIGHT + view.seen.y(pitch) + view.seen.row_height / 2))


def test_without_a_picture_it_is_plain(view: RollView) -> None:
    image = view.grab().toImage()

    assert image.pixelColor(5, 5) == image.pixelColor(400, 300) == QColor(LIGHT.panel)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_notes_have_the_colour_of_their_voice(view: RollView, theme: Theme) -> None:
    stylesheet.apply(theme)
    view.show_roll(roll.draw(Chorale.of([MEETING[0]] * 64)))
    image = view.grab().toImage()

    for voice, pitch in enumerate(MEETING[0]):
        assert image.pixelColor(place_of(view, 30, pitch)) == QColor(theme.voices[voice])


def test_growing_step_by_step_looks_like_the_whole(view: RollView) -> None:
    view.show_roll(growing(0))
    for cells in range(0, 4 * 40, 3):
        view.show_roll(growing(cells))
        view.grab()
    grown = view.grab().toImage()
    view.zoom_in()
    view.grab()
    view.fit()

    assert view.grab().toImage() == grown


def test_growing_does_not_redraw_the_paper(view: RollView, monkeypatch: pytest.MonkeyPatch) -> None:
    redrawn: list[int] = []
    view.show_roll(growing(0))
    view.grab()
    monkeypatch.setattr(RollPainter, "backdrop", lambda _self: redrawn.append(-1))
    monkeypatch.setattr(RollPainter, "notes", lambda _self, first=0: redrawn.append(first))

    view.show_roll(growing(4 * 8))
    view.show_roll(growing(4 * 8))
    view.show_roll(growing(4 * 8 + 1))
    view.grab()

    assert redrawn == [0, 8]


def test_a_key_found_at_the_end_renames_notes_and_leaves_the_paper(
    view: RollView, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = np.resize([72, 67, 64, 48], (64, 4))
    notes[20:24, 0] = 70  # A sharp, in a key with flats B flat
    view.show_roll(roll.draw(Chorale.of(notes)))
    view.grab()
    redrawn: list[int] = []
    draw = RollPainter.notes

    def noted(painter: RollPainter, first: int = 0) -> None:
        redrawn.append(first)
        draw(painter, first)

    monkeypatch.setattr(RollPainter, "backdrop", lambda _self: redrawn.append(-1))
    monkeypatch.setattr(RollPainter, "notes", noted)

    view.show_roll(roll.draw(Chorale.of(notes, key=Key("G", "major"))))
    assert redrawn == []
    view.show_roll(roll.draw(Chorale.of(notes, key=Key("F", "major"))))
    assert redrawn == [20]

    monkeypatch.undo()
    named = view.grab().toImage()
    view.zoom_in()
    view.fit()
    assert view.grab().toImage() == named


def test_only_an_empty_sheet_shows_the_hint(view: RollView) -> None:
    view.set_hint("An empty sheet", "Press Generate")
    view.show_roll(growing(0))
    middle = view.viewport().rect().center() + QPoint(KEYBOARD_WIDTH // 2 - 200, 0)
    assert view.grab().toImage().pixelColor(middle) == QColor(LIGHT.panel)

    view.show_roll(growing(1))
    assert view.grab().toImage().pixelColor(middle) != QColor(LIGHT.panel)


def test_write_position_is_marked(view: RollView) -> None:
    view.show_roll(growing(4 * 10))
    place = QPoint(KEYBOARD_WIDTH + round(view.seen.x(10)), RULER_HEIGHT + 3)

    assert view.grab().toImage().pixelColor(place) == QColor(LIGHT.accent)
    view.show_roll(roll.draw(PIECE))
    assert view.grab().toImage().pixelColor(place) != QColor(LIGHT.accent)


def test_control_and_wheel_zoom_around_the_mouse(view: RollView) -> None:
    view.show_roll(roll.draw(PIECE))
    before = view.seen
    wheel(view, 2, x=200, keys="c")

    assert view.seen.step_width > before.step_width
    assert view.seen.step_at(200) == pytest.approx(before.step_at(200))
    assert view.horizontalScrollBar().maximum() > 0
    wheel(view, 2, keys="cs")
    assert view.seen.row_height > before.row_height
    assert view.verticalScrollBar().maximum() > 0


def test_wheel_scrolls(view: RollView) -> None:
    """It scrolls in time if all pitches are visible, and vertically otherwise."""
    view.show_roll(roll.draw(PIECE))
    wheel(view, 4, keys="c")
    left = view.seen.left
    wheel(view, -1)
    assert view.seen.left > left

    wheel(view, 4, keys="cs")
    top = view.seen.top
    wheel(view, -1)
    assert view.seen.top > top


def test_scroll_bars_disappear_when_everything_is_visible(view: RollView, qtbot: QtBot) -> None:
    bars = (view.horizontalScrollBar(), view.verticalScrollBar())
    view.resize(KEYBOARD_WIDTH + 100, RULER_HEIGHT + 100)
    view.show_roll(roll.draw(Chorale.of(np.tile(MEETING, (500, 1)))))
    qtbot.waitUntil(lambda: all(bar.isVisible() for bar in bars))

    view.resize(KEYBOARD_WIDTH + 650, RULER_HEIGHT + 530)
    view.show_roll(roll.draw(PIECE))
    qtbot.waitUntil(lambda: not any(bar.isVisible() for bar in bars))
    assert (view.seen.width, view.seen.height) == (650, 530)


def test_keys_zoom_and_jump(view: RollView) -> None:
    view.show_roll(roll.draw(PIECE))
    fitted = view.seen
    QTest.keyClick(view, Qt.Key.Key_Plus)
    assert view.seen.step_width > fitted.step_width
    QTest.keyClick(view, Qt.Key.Key_End)
    assert view.seen.left + view.seen.width == pytest.approx(view.seen.content_width)
    QTest.keyClick(view, Qt.Key.Key_Home)
    assert view.seen.left == 0
    QTest.keyClick(view, Qt.Key.Key_Minus)
    assert view.seen.step_width == pytest.approx(fitted.step_width)
    QTest.keyClick(view, Qt.Key.Key_Plus)
    QTest.keyClick(view, Qt.Key.Key_0)
    assert view.seen == fitted


def test_arrow_keys_scroll(view: RollView) -> None:
    view.show_roll(roll.draw(PIECE))
    wheel(view, 4, x=0, keys="c")
    QTest.keyClick(view, Qt.Key.Key_Right)

    assert view.seen.left == view.horizontalScrollBar().value() > 0


def test_middle_button_drags_the_sheet(view: RollView) -> None:
    view.show_roll(roll.draw(PIECE))
    wheel(view, 4, x=0, keys="c")
    port, middle = view.viewport(), Qt.MouseButton.MiddleButton
    QTest.mousePress(port, middle, NO_KEYS, QPoint(400, 200))
    QTest.mouseMove(port, QPoint(300, 200))
    assert view.seen.left == pytest.approx(100)

    QTest.mouseRelease(port, middle, NO_KEYS, QPoint(300, 200))
    QTest.mouseMove(port, QPoint(100, 200))
    assert view.seen.left == pytest.approx(100)


def test_view_follows_the_generation(view: RollView) -> None:
    view.show_roll(growing(0))
    wheel(view, 6, x=0, keys="c")
    view.show_roll(growing(4 * 50))

    assert 0 <= view.seen.x(50) <= view.seen.width


def test_view_stays_where_the_user_scrolled(view: RollView) -> None:
    view.show_roll(growing(0))
    wheel(view, 6, x=0, keys="c")
    wheel(view, -0.1)
    left = view.seen.left
    view.show_roll(growing(4 * 50))
    assert view.seen.left == left

    view.show_roll(growing(0))
    view.show_roll(growing(4 * 50))
    assert view.seen.left > left


def test_time_and_pitch_are_zoomed_apart(view: RollView) -> None:
    view.show_roll(growing(0))
    before = view.seen
    wheel(view, 2, keys="c")
    assert view.seen.step_width > before.step_width
    assert view.seen.row_height == before.row_height
    wide = view.seen.step_width
    wheel(view, 2, x=-20, keys="c")  # over the keys
    high = view.seen.row_height
    assert high > before.row_height
    view.stretch(1.25)
    assert view.seen.row_height > high
    wheel(view, -1, keys="cs")
    assert view.seen.row_height == pytest.approx(high)
    assert view.seen.step_width == wide
    view.show_beginning()
    assert view.seen == before


def test_the_voices_stay_in_the_middle_when_the_height_changes(view: RollView) -> None:
    """Below the height at which all rows are legible, as beside the maps of the Attention page."""
    view.resize(view.width(), RULER_HEIGHT + 120)
    view.show_roll(roll.draw(PIECE))
    view.show_beginning()
    view.resize(view.width(), RULER_HEIGHT + 200)
    seen = view.seen
    view.show_beginning()
    assert view.seen == seen


def test_the_whole_piece_fits_and_the_first_view_comes_back(view: RollView) -> None:
    view.show_roll(roll.draw(Chorale.of([MEETING[0]] * 16 * 20)))
    assert len(view.seen.seen_steps) <= 8 * 16 + 1
    view.fit()
    assert len(view.seen.seen_steps) > 12 * 16
    view.show_beginning()
    assert len(view.seen.seen_steps) <= 8 * 16 + 1


def test_resizing_keeps_the_whole_piece_visible(view: RollView, qtbot: QtBot) -> None:
    view.show_roll(roll.draw(PIECE))
    view.resize(KEYBOARD_WIDTH + 400, 500)
    qtbot.waitUntil(lambda: view.seen.width == 400)
    assert view.seen.seen_steps == range(64)

    view.zoom_in()
    step_width = view.seen.step_width
    view.resize(KEYBOARD_WIDTH + 600, 500)
    qtbot.waitUntil(lambda: view.seen.width == 600)
    assert view.seen.step_width == step_width


def test_note_under_the_mouse_is_described(view: RollView, qtbot: QtBot) -> None:
    view.show_roll(roll.draw(PIECE))
    for place, expected in (
        (place_of(view, 0.5, 48), "Bass C3, bar 1, beat 1, eighth"),
        (QPoint(3, 3), ""),
    ):
        event = QHelpEvent(QEvent.Type.ToolTip, place, view.viewport().mapToGlobal(place))
        QApplication.sendEvent(view.viewport(), event)
        qtbot.waitUntil(lambda text=expected: QToolTip.text() == text)  # type: ignore[misc]


def test_edges_have_no_notes(view: RollView) -> None:
    view.show_roll(roll.draw(PIECE))

    assert view.note_at(QPoint(KEYBOARD_WIDTH - 1, 300)) is None
    assert view.note_at(QPoint(300, RULER_HEIGHT - 1)) is None


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_layers_have_the_pixels_of_the_screen(scale: float) -> None:
    shown = ViewState(
        view=Viewport(width=300, height=200, steps=64).fitted(),
        theme=LIGHT,
        font=QFont(),
        scale=scale,
    )

    paper, notes = RollLayers().pixmaps(roll.draw(PIECE), shown)

    assert (notes.width(), notes.height()) == (300 * scale, 200 * scale)
    assert paper.width() == (300 + KEYBOARD_WIDTH) * scale
    assert paper.devicePixelRatio() == notes.devicePixelRatio() == scale


@pytest.mark.parametrize("step_width", [1.0, 3.0, 8.0, 20.0, 60.0])
def test_every_zoom_can_be_drawn(step_width: float) -> None:
    view = Viewport(width=300, height=500, steps=64, step_width=step_width, row_height=11.0)
    shown = ViewState(view=view, theme=DARK, font=QFont(), scale=1.0)

    _, notes = RollLayers().pixmaps(roll.draw(PIECE), shown)

    colours = {notes.toImage().pixelColor(x, y).name() for x in range(64) for y in range(0, 500, 3)}
    assert DARK.voices[0] in colours


@pytest.mark.parametrize("height", [144, 150, 200, 470, 1700])
@pytest.mark.parametrize("top", [0.0, 13.0])
def test_names_of_octaves_are_whole_on_the_white_keys(height: int, top: float) -> None:
    picture = roll.draw(PIECE)
    view = Viewport(width=500, height=height, low=picture.low, high=picture.high)
    view = replace(view.with_fitted_rows().stretched(1.2 if top else 1.0, 0), top=top).clipped()
    image = QImage(600, height + RULER_HEIGHT, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        boxes = list(RollPainter(painter, picture, view, DARK).octave_boxes())

    metrics = QFontMetricsF(sized_font(QFont(), 11, QFont.Weight.DemiBold))
    assert "C4" in {name for _, name in boxes}
    for box, name in boxes:
        assert 0.6 * KEYS_WIDTH < box.left() < box.right() < KEYS_WIDTH
        assert 0 <= box.top() < box.bottom() <= height
        assert metrics.horizontalAdvance(name) <= box.width()
    assert not any(one.intersects(other) for (one, _), (other, _) in pairwise(boxes))


@pytest.mark.parametrize(
    "ends", [(3, 8, 14), (3, 4, 5, 6), (140, 150, 160), (296, 298), (-200, 3, 700)]
)
def test_labels_of_arcs_are_whole(ends: tuple[int, ...]) -> None:
    arcs = [
        Arc(QRectF(x - 4, 40, 8, 6), QPointF(80, 0), 0.1, f"{10 + place} %")
        for place, x in enumerate(ends)
    ]
    letter = QRectF(150, 0, 17, 17)
    metrics = QFontMetricsF(sized_font(QFont(), 11))
    boxes = roll_overlay.label_boxes(arcs, metrics, 300, letter)

    assert len(boxes) == sum(-4 < x < 304 for x in ends)
    for box, _ in boxes:
        assert 0 <= box.left() < box.right() <= 300
        assert box.top() >= 0
    places = [letter, *(box for box, _ in boxes)]
    assert not any(one.intersects(two) for at, one in enumerate(places) for two in places[:at])


LONG_NOTES = Chorale.of(np.tile([[72, 67, 64, -1]], (8, 1)))
LANES = Viewport(width=800, height=470, steps=8, low=36, high=82, step_width=100, row_height=10)


def arcs_at(row: dict[int, float], cell: int) -> list[Arc]:
    """Return the arcs of a cell that attends to some columns."""
    reading = PieceAnalysis(LONG_NOTES, "bach", 1, 1, wrote=True)
    for place in range(cell + 1):
        weights = np.zeros((1, 1, place + 1), dtype=np.float32)
        if place == cell:
            weights[0, 0, list(row)] = list(row.values())
        reading.add(weights, nats=1.0)
    source = roll_overlay.cell_box(reading, *divmod(cell, 4), LANES)
    return roll_overlay.arcs_of(reading, None, cell, source, LANES) if source else []


def test_an_arc_goes_to_the_middle_of_a_cell_and_is_bent_upwards() -> None:
    """The strongest comes last, on top, with its percent; START and rests have no place."""
    weak, strong = arcs_at({0: 0.05, 1: 0.7, 4: 0.05, 6: 0.2}, 8)

    assert (strong.target.center(), strong.label) == (QPointF(50, 105), "70 %")
    assert strong.bend.y() < strong.target.center().y()
    assert (weak.target.center(), weak.label) == (QPointF(150, 155), "20 %")
    assert arcs_at({1: 1.0}, 3) == []


def test_faint_arcs_are_left_out_and_few_are_labelled() -> None:
    looks = {column: 0.05 - column / 1000 for column in range(1, 21)}
    arcs = arcs_at(looks | {21: 0.004}, 28)

    assert len([arc for arc in arcs if arc.label]) == 3
    assert len(arcs) == 9  # of the twelve strongest, three are rests
