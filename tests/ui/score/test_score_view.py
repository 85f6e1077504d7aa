"""The engraved score on the screen, and on paper."""

from __future__ import annotations

import itertools
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel import jobs
from musicrel.chorale import Chorale, Voice
from musicrel.errors import FileError
from musicrel.presentation.roll import roll
from musicrel.presentation.roll.marks import Mark
from musicrel.presentation.roll.selection import Selection
from musicrel.presentation.score import engraver
from musicrel.presentation.score.score_picture import Head
from musicrel.presentation.score.score_window import USUAL_SPACE
from musicrel.presentation.words.palette import DARK, LIGHT, Theme
from musicrel.score.musicxml.musicxml_writer import Layout
from musicrel.ui.score import score_pdf
from musicrel.ui.score.score_view import ScoreView

BAR = np.repeat([[72, 67, 64, 48], [74, 65, 62, 50]] * 2, 4, axis=0)
PIECE = Chorale.of(np.tile(BAR, (16, 1)), title="Zu Händen — 16")
LONG = Chorale.of(np.tile(BAR, (44, 1)), title="Wär Gott nicht mit uns")
LEFT = Qt.MouseButton.LeftButton
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[ScoreView]:
    view = ScoreView()
    qtbot.addWidget(view)
    view.resize(900, 500)
    with qtbot.waitExposed(view):
        view.show()
    score = jobs.run(engraver.engrave(PIECE, width=view.seen.wish))
    view.show_score(score, roll.draw(PIECE).describe)
    yield view
    view.close()


def head(view: ScoreView, voice: int, step: int) -> Head:
    """The head of a voice that sounds at a step."""
    assert view.score is not None
    system = view.score.systems[view.seen.system_of(step) or 0]
    return next(h for h in system.sounding(step) if h.note.voice == voice)


def place(view: ScoreView, voice: int, step: int) -> QPoint:
    found = head(view, voice, step)
    x, y = view.seen.point(view.seen.system_of(step) or 0, found.x, found.y)
    return QPoint(round(x), round(y))


def colours(view: ScoreView) -> set[str]:
    image = view.viewport().grab().toImage()
    across, down = range(image.width()), range(0, image.height(), 2)
    return {image.pixelColor(x, y).name() for x in across for y in down}


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_ink_and_paper_follow_the_theme(view: ScoreView, theme: Theme) -> None:
    """Dark ink on light paper, or the other way round."""
    view.set_theme(theme)

    assert {theme.lane, theme.text} <= colours(view)
    assert theme.accent not in colours(view)


def test_staff_lines_are_sharp(view: ScoreView) -> None:
    """One pixel each, of the full colour, at equal distances."""
    image = view.viewport().grab().toImage()
    x = round(view.seen.point(0, view.score.systems[0].lines[1].x, 0)[0]) - 4  # type: ignore[union-attr]
    rows = [y for y in range(image.height()) if image.pixelColor(x, y) == QColor(LIGHT.text)]

    assert len(rows) >= 10
    assert {b - a for a, b in itertools.pairwise(rows[:5])} <= {7, 8}


def test_click_on_a_note_chooses_it_and_seeks(view: ScoreView) -> None:
    """To where it begins; with Shift it is added to the selection, and nothing is sought."""
    chosen: list[tuple[object, bool]] = []
    sought: list[float] = []
    view.note_chosen.connect(lambda note, extends: chosen.append((note, extends)))
    view.sought.connect(sought.append)

    QTest.mouseClick(view.viewport(), LEFT, pos=place(view, 3, 8))
    QTest.mouseClick(view.viewport(), LEFT, SHIFT, place(view, 0, 20))

    assert chosen == [(head(view, 3, 8).note, False), (head(view, 0, 20).note, True)]
    assert sought == [8.0]


def test_click_beside_the_notes_seeks_in_that_bar(view: ScoreView) -> None:
    """Between the staves; between two systems it means nothing."""
    sought: list[float] = []
    view.sought.connect(sought.append)
    upper, lower = place(view, 1, 12), place(view, 2, 12)

    QTest.mouseClick(view.viewport(), LEFT, pos=(upper + lower) / 2)
    QTest.mouseClick(view.viewport(), LEFT, pos=QPoint(400, 1))

    assert sought == [12.0]


def test_drag_means_nothing(view: ScoreView, qtbot: QtBot) -> None:
    """Nor does the right button."""
    with qtbot.assertNotEmitted(view.sought):
        QTest.mousePress(view.viewport(), LEFT, pos=place(view, 0, 0))
        QTest.mouseRelease(view.viewport(), LEFT, pos=place(view, 0, 8))
        QTest.mouseClick(view.viewport(), Qt.MouseButton.RightButton, pos=place(view, 0, 0))


def test_stale_score_pales_and_takes_no_clicks(view: ScoreView, qtbot: QtBot) -> None:
    """Its notes are not those of the piece that is meant."""
    view.set_stale(stale=True)

    with qtbot.assertNotEmitted(view.sought):
        QTest.mouseClick(view.viewport(), LEFT, pos=place(view, 0, 0))
    assert LIGHT.text not in colours(view)


def test_selected_notes_have_the_colour_of_what_is_selected(view: ScoreView) -> None:
    """Heads, stems and accidentals."""
    view.set_selection(Selection(voices=(0,), start=4, stop=8))
    at = place(view, 0, 4)
    image = view.viewport().grab().toImage()

    near = [image.pixelColor(at.x() + x, at.y() + y) for x in range(-3, 4) for y in range(-2, 3)]
    assert QColor(LIGHT.accent) in near
    view.set_selection(None)
    assert LIGHT.accent not in colours(view)


def test_playhead_stands_at_the_heads_that_sound(view: ScoreView) -> None:
    """A line in the colour of text, through both staves and what is between."""
    upper, lower = place(view, 1, 12), place(view, 2, 12)
    middle = (upper + lower) / 2

    def inked() -> bool:
        image = view.viewport().grab().toImage()
        return QColor(LIGHT.text) in [image.pixelColor(middle.x() + x, middle.y()) for x in (-1, 0)]

    assert not inked()
    view.set_step(12)
    assert inked()
    view.set_step(None)
    assert not inked()


def test_following_turns_to_the_system_that_sounds(view: ScoreView) -> None:
    """And stays where it is while that one is seen."""
    view.set_step(0)
    view.follow(0)
    assert view.verticalScrollBar().value() == 0
    view.follow(PIECE.steps - 1)
    assert view.verticalScrollBar().value() > 0


def test_zoom_asks_for_another_score(view: ScoreView, qtbot: QtBot) -> None:
    """Fewer bars on a line; 0 goes back, and the wheel with Ctrl does both."""
    usual = view.seen.wish
    with qtbot.waitSignal(view.room_changed):
        QTest.keyClick(view, Qt.Key.Key_Plus)
    assert view.seen.wish < usual
    with qtbot.waitSignal(view.room_changed):
        QTest.keyClick(view, Qt.Key.Key_0)
    assert (view.seen.wish, view.seen.space) == (usual, USUAL_SPACE)
    with qtbot.waitSignal(view.room_changed):
        QTest.keyClick(view, Qt.Key.Key_Minus)
    assert view.seen.wish > usual


def test_keys_go_to_both_ends(view: ScoreView) -> None:
    """As everywhere."""
    bar = view.verticalScrollBar()
    QTest.keyClick(view, Qt.Key.Key_End)
    assert bar.value() == bar.maximum() > 0
    QTest.keyClick(view, Qt.Key.Key_Home)
    assert bar.value() == 0


def test_empty_view_says_what_will_be_there(view: ScoreView) -> None:
    """On a card in the middle."""
    view.show_score(None)
    blank = view.viewport().grab().toImage()
    view.set_hint("No score yet", "Generate a piece.")

    assert view.viewport().grab().toImage() != blank


# ---------------------------------------------------------------------- on paper


def streams(path: Path) -> bytes:
    """All that is drawn in a PDF."""
    content = path.read_bytes()
    packed = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", content, re.DOTALL)
    found = []
    for part in packed:
        try:
            found.append(zlib.decompress(part))
        except zlib.error:
            continue
    return b"".join(found)


@pytest.mark.parametrize(("layout", "pages"), [("staves", 2), ("parts", 3)])
def test_pdf_has_pages_of_outlines(tmp_path: Path, layout: Layout, pages: int) -> None:
    """Curves and embedded fonts, no picture made of dots."""
    path = tmp_path / "piece.pdf"
    shares = list(score_pdf.writing(LONG, path, layout))

    content = path.read_bytes()
    assert content.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type\s*/Page\b", content)) == pages
    assert b"/Subtype /Image" not in content
    assert b"/FontFile2" in content
    assert len(re.findall(rb" c$", streams(path), re.MULTILINE)) > 1_000
    assert shares[-1] == 1.0


def test_a_long_title_fits_on_the_page(qtbot: QtBot) -> None:
    """It is set smaller; one that could not be read then is cut at its end."""
    del qtbot  # fonts need an application
    width = 8_000.0
    sizes = []
    for words in (1, 8, 40):
        title = " ".join(["Lobgesang"] * words)
        font, shown = score_pdf.fitting(title, 17, width)
        assert QFontMetricsF(font).horizontalAdvance(shown) <= width
        assert shown == title or (words == 40 and shown.endswith("…"))
        sizes.append(font.pixelSize())
    assert sizes[0] > sizes[1] > sizes[2] >= 9 / 72 * 1200


def test_pdf_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    """And says where it was to be."""
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(FileError, match="piece"):
        list(score_pdf.writing(PIECE, tmp_path / "file" / "piece.pdf"))
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def changed_columns(before: QImage, after: QImage) -> list[int]:
    """Where two pictures differ."""
    return [
        x
        for x in range(before.width())
        if any(before.pixel(x, y) != after.pixel(x, y) for y in range(before.height()))
    ]


def test_heads_at_fault_have_a_ring(view: ScoreView) -> None:
    """Not while another piece is meant."""
    fifths = Mark(
        step=4, stop=5, previous=0, voices=(Voice.SOPRANO, Voice.BASS), rule="parallel_fifths",
        sentence="Parallel fifths.", bach="Bach: never",
    )  # fmt: skip
    plain = view.grab().toImage()
    view.set_marks((fifths,))
    ringed = view.grab().toImage()
    changed = changed_columns(plain, ringed)
    middles = [place(view, voice, 4).x() for voice in (0, 3)]

    assert changed
    assert min(changed) >= min(middles) - 20
    assert max(changed) <= max(middles) + 20
    view.set_marks(())
    assert view.grab().toImage() == plain
    view.set_stale(stale=True)
    pale = view.grab().toImage()
    view.set_marks((fifths,))
    assert view.grab().toImage() == pale
