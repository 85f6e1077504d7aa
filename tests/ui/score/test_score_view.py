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
from musicrel.editing.selection import Selection
from musicrel.errors import FileError
from musicrel.presentation.roll import roll
from musicrel.presentation.roll.marks import Mark
from musicrel.presentation.score import engraver
from musicrel.presentation.score.score_picture import Head
from musicrel.presentation.score.score_window import DEFAULT_SPACE
from musicrel.presentation.words.palette import DARK, LIGHT, Theme
from musicrel.score.musicxml.musicxml_writer import Layout
from musicrel.ui.score import score_pdf
from musicrel.ui.score.score_view import ScoreView
from musicrel.ui.widgets import stylesheet

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
    score = jobs.run(engraver.engrave(PIECE, width=view.seen.page_width))
    view.show_score(score, roll.draw(PIECE).describe)
    yield view
    view.close()


def head(view: ScoreView, voice: int, step: int) -> Head:
    """Return the notehead of a voice that sounds at a step."""
    assert view.score is not None
    system = view.score.systems[view.seen.system_of(step) or 0]
    return next(h for h in system.sounding(step) if h.note.voice == voice)


def point_at(view: ScoreView, voice: int, step: int) -> QPoint:
    found = head(view, voice, step)
    x, y = view.seen.point(view.seen.system_of(step) or 0, found.x, found.y)
    return QPoint(round(x), round(y))


def colours(view: ScoreView) -> set[str]:
    image = view.viewport().grab().toImage()
    across, down = range(image.width()), range(0, image.height(), 2)
    return {image.pixelColor(x, y).name() for x in across for y in down}


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_ink_and_paper_follow_the_theme(view: ScoreView, theme: Theme) -> None:
    """Ink is dark on light paper, or light on dark paper."""
    stylesheet.apply(theme)

    assert {theme.lane, theme.text} <= colours(view)
    assert theme.accent not in colours(view)


def test_staff_lines_are_sharp(view: ScoreView) -> None:
    """Each is one pixel of the full colour, and their distances are equal."""
    image = view.viewport().grab().toImage()
    x = round(view.seen.point(0, view.score.systems[0].lines[1].x, 0)[0]) - 4  # type: ignore[union-attr]
    rows = [y for y in range(image.height()) if image.pixelColor(x, y) == QColor(LIGHT.text)]

    assert len(rows) >= 10
    assert {b - a for a, b in itertools.pairwise(rows[:5])} <= {7, 8}


def test_click_on_a_note_chooses_it_and_seeks(view: ScoreView) -> None:
    """The click seeks its onset; with Shift it only extends the selection."""
    chosen: list[tuple[object, bool]] = []
    steps: list[float] = []
    view.note_chosen.connect(lambda note, extends: chosen.append((note, extends)))
    view.seek_requested.connect(steps.append)

    QTest.mouseClick(view.viewport(), LEFT, pos=point_at(view, 3, 8))
    QTest.mouseClick(view.viewport(), LEFT, SHIFT, point_at(view, 0, 20))

    assert chosen == [(head(view, 3, 8).note, False), (head(view, 0, 20).note, True)]
    assert steps == [8.0]


def test_click_beside_the_notes_seeks_in_that_bar(view: ScoreView) -> None:
    """This holds between the staves; between two systems nothing happens."""
    steps: list[float] = []
    view.seek_requested.connect(steps.append)
    upper, lower = point_at(view, 1, 12), point_at(view, 2, 12)

    QTest.mouseClick(view.viewport(), LEFT, pos=(upper + lower) / 2)
    QTest.mouseClick(view.viewport(), LEFT, pos=QPoint(400, 1))

    assert steps == [12.0]


def test_drag_is_ignored(view: ScoreView, qtbot: QtBot) -> None:
    """The right button is ignored, too."""
    with qtbot.assertNotEmitted(view.seek_requested):
        QTest.mousePress(view.viewport(), LEFT, pos=point_at(view, 0, 0))
        QTest.mouseRelease(view.viewport(), LEFT, pos=point_at(view, 0, 8))
        QTest.mouseClick(view.viewport(), Qt.MouseButton.RightButton, pos=point_at(view, 0, 0))


def test_stale_score_pales_and_takes_no_clicks(view: ScoreView, qtbot: QtBot) -> None:
    """Its notes are not those of the current piece."""
    view.set_stale(stale=True)

    with qtbot.assertNotEmitted(view.seek_requested):
        QTest.mouseClick(view.viewport(), LEFT, pos=point_at(view, 0, 0))
    assert LIGHT.text not in colours(view)


def test_selected_notes_have_the_accent_colour(view: ScoreView) -> None:
    """This includes noteheads, stems and accidentals."""
    view.set_selection(Selection(voices=(0,), start=4, stop=8))
    at = point_at(view, 0, 4)
    image = view.viewport().grab().toImage()

    near = [image.pixelColor(at.x() + x, at.y() + y) for x in range(-3, 4) for y in range(-2, 3)]
    assert QColor(LIGHT.accent) in near
    view.set_selection(None)
    assert LIGHT.accent not in colours(view)


def test_playhead_is_at_the_sounding_noteheads(view: ScoreView) -> None:
    """It is a line in the text colour through both staves."""
    upper, lower = point_at(view, 1, 12), point_at(view, 2, 12)
    middle = (upper + lower) / 2

    def inked() -> bool:
        image = view.viewport().grab().toImage()
        return QColor(LIGHT.text) in [image.pixelColor(middle.x() + x, middle.y()) for x in (-1, 0)]

    assert not inked()
    view.set_step(12)
    assert inked()
    view.set_step(None)
    assert not inked()


def test_following_scrolls_to_the_sounding_system(view: ScoreView) -> None:
    """A visible system is not scrolled."""
    view.set_step(0)
    view.follow(0)
    assert view.verticalScrollBar().value() == 0
    view.follow(PIECE.steps - 1)
    assert view.verticalScrollBar().value() > 0


def test_zoom_asks_for_another_score(view: ScoreView, qtbot: QtBot) -> None:
    """Plus narrows the page, minus widens it, and 0 resets it."""
    usual = view.seen.page_width
    with qtbot.waitSignal(view.page_width_changed):
        QTest.keyClick(view, Qt.Key.Key_Plus)
    assert view.seen.page_width < usual
    with qtbot.waitSignal(view.page_width_changed):
        QTest.keyClick(view, Qt.Key.Key_0)
    assert (view.seen.page_width, view.seen.space) == (usual, DEFAULT_SPACE)
    with qtbot.waitSignal(view.page_width_changed):
        QTest.keyClick(view, Qt.Key.Key_Minus)
    assert view.seen.page_width > usual


def test_keys_go_to_both_ends(view: ScoreView) -> None:
    """End scrolls to the bottom, Home to the top."""
    bar = view.verticalScrollBar()
    QTest.keyClick(view, Qt.Key.Key_End)
    assert bar.value() == bar.maximum() > 0
    QTest.keyClick(view, Qt.Key.Key_Home)
    assert bar.value() == 0


def test_empty_view_shows_a_hint(view: ScoreView) -> None:
    """The hint is on a card in the middle."""
    view.show_score(None)
    blank = view.viewport().grab().toImage()
    view.set_hint("No score yet", "Generate a piece.")

    assert view.viewport().grab().toImage() != blank


# ---------------------------------------------------------------------- on paper


def streams(path: Path) -> bytes:
    """Return the decompressed streams of a PDF."""
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
    """Pages contain curves and embedded fonts, no bitmaps."""
    path = tmp_path / "piece.pdf"
    shares = list(score_pdf.export_pdf(LONG, path, layout))

    content = path.read_bytes()
    assert content.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type\s*/Page\b", content)) == pages
    assert b"/Subtype /Image" not in content
    assert b"/FontFile2" in content
    assert len(re.findall(rb" c$", streams(path), re.MULTILINE)) > 1_000
    assert shares[-1] == 1.0


def test_a_long_title_fits_on_the_page(qtbot: QtBot) -> None:
    """It is set smaller, and elided if it would be illegible."""
    del qtbot  # fonts need an application
    width = 8_000.0
    sizes = []
    for words in (1, 8, 40):
        title = " ".join(["Lobgesang"] * words)
        font, shown = score_pdf.fitted_title(title, 17, width)
        assert QFontMetricsF(font).horizontalAdvance(shown) <= width
        assert shown == title or (words == 40 and shown.endswith("…"))
        sizes.append(font.pixelSize())
    assert sizes[0] > sizes[1] > sizes[2] >= 9 / 72 * 1200


def test_pdf_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    """The error names the file."""
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(FileError, match="piece"):
        list(score_pdf.export_pdf(PIECE, tmp_path / "file" / "piece.pdf"))
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def changed_columns(before: QImage, after: QImage) -> list[int]:
    """Return the columns in which two pictures differ."""
    return [
        x
        for x in range(before.width())
        if any(before.pixel(x, y) != after.pixel(x, y) for y in range(before.height()))
    ]


def test_rule_violations_have_a_ring(view: ScoreView) -> None:
    """An out-of-date score has none."""
    fifths = Mark(
        step=4, stop=5, previous=0, voices=(Voice.SOPRANO, Voice.BASS), rule="parallel_fifths",
        sentence="Parallel fifths.", bach="Bach: never",
    )  # fmt: skip
    plain = view.grab().toImage()
    view.set_marks((fifths,))
    ringed = view.grab().toImage()
    changed = changed_columns(plain, ringed)
    middles = [point_at(view, voice, 4).x() for voice in (0, 3)]

    assert changed
    assert min(changed) >= min(middles) - 20
    assert max(changed) <= max(middles) + 20
    view.set_marks(())
    assert view.grab().toImage() == plain
    view.set_stale(stale=True)
    pale = view.grab().toImage()
    view.set_marks((fifths,))
    assert view.grab().toImage() == pale
