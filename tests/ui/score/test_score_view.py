"""The engraved score on the screen, and on paper."""

from __future__ import annotations

import importlib
import itertools
import re
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel import jobs
from musicrel.analysis.corpus import bundled, melodies
from musicrel.chorale import Chorale, Voice
from musicrel.errors import FileError
from musicrel.figures import engraver, roll, sheets
from musicrel.figures.paint import draw_numeral
from musicrel.figures.score import FAMILIES, NUMERAL, SPACE, Head, System, Words, serif
from musicrel.figures.sheets import PrintChoice
from musicrel.presentation.marks import Mark
from musicrel.presentation.words.palette import DARK, LIGHT, Theme
from musicrel.score.editing.note_input import Cursor
from musicrel.score.editing.selection import Selection
from musicrel.score.musicxml.musicxml_writer import Layout
from musicrel.ui.score.score_view import ScoreLayers, ScoreView
from musicrel.ui.score.score_window import DEFAULT_SPACE, Ghost, ScoreWindow
from musicrel.ui.widgets import stylesheet

BAR = np.repeat([[72, 67, 64, 48], [74, 65, 62, 50]] * 2, 4, axis=0)
PIECE = Chorale.of(np.tile(BAR, (16, 1)), title="Zu Händen — 16")
LONG = Chorale.of(np.tile(BAR, (44, 1)), title="Wär Gott nicht mit uns")


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
    assert view.score is not None
    system = view.score.systems[view.seen.system_of(step) or 0]
    return next(h for h in system.sounding(step) if h.note.voice == voice)


def point_at(view: ScoreView, voice: int, step: int) -> QPoint:
    found = head(view, voice, step)
    return view.seen.point(view.seen.system_of(step) or 0, found.x, found.y).toPoint()


def colours(view: ScoreView) -> set[str]:
    image = view.viewport().grab().toImage()
    across, down = range(image.width()), range(0, image.height(), 2)
    return {image.pixelColor(x, y).name() for x in across for y in down}


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_ink_and_paper_follow_the_theme(view: ScoreView, theme: Theme) -> None:
    stylesheet.apply(theme)

    assert {theme.lane, theme.text} <= colours(view)
    assert theme.accent not in colours(view)


def test_staff_lines_are_sharp(view: ScoreView) -> None:
    image = view.viewport().grab().toImage()
    x = round(view.seen.point(0, view.score.systems[0].lines[1].x, 0).x()) - 4  # type: ignore[union-attr]
    rows = [y for y in range(image.height()) if image.pixelColor(x, y) == QColor(LIGHT.text)]

    assert len(rows) >= 10
    assert {b - a for a, b in itertools.pairwise(rows[:5])} <= {8, 9}


def test_stale_score_grows_pale_and_has_no_notes(view: ScoreView, qtbot: QtBot) -> None:
    """Only after a while, so that edits do not flicker."""
    place, before = point_at(view, 0, 0), view.grab().toImage()
    view.set_stale(stale=True)
    assert view.grab().toImage() == before
    assert view.note_at(place) == head(view, 0, 0).note

    qtbot.waitUntil(lambda: view.pale)
    assert LIGHT.text not in colours(view)
    assert view.note_at(place) is None
    view.set_stale(stale=False)
    assert view.grab().toImage() == before


def test_tooltip_describes_the_note(view: ScoreView) -> None:
    assert view.tip_at(point_at(view, 0, 0)).startswith("Soprano C5, bar 1, beat 1")
    assert view.tip_at(QPoint(400, 1)) == ""


def test_selected_notes_have_the_accent_colour(view: ScoreView) -> None:
    view.set_selection(Selection(voices=(0,), start=4, stop=8))
    at = point_at(view, 0, 4)
    image = view.viewport().grab().toImage()

    near = [image.pixelColor(at.x() + x, at.y() + y) for x in range(-3, 4) for y in range(-2, 3)]
    assert QColor(LIGHT.accent) in near
    view.set_selection(None)
    assert LIGHT.accent not in colours(view)


def test_playhead_is_at_the_sounding_noteheads(view: ScoreView) -> None:
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


def test_the_pointer_shows_what_a_click_does(view: ScoreView) -> None:
    view.editable, view.loop = True, (0.0, 16.0)
    note, shapes = point_at(view, 0, 4), Qt.CursorShape

    def shape(place: QPoint) -> Qt.CursorShape:
        QTest.mouseMove(view.viewport(), place)
        return view.viewport().cursor().shape()

    assert shape(note) == shapes.SizeVerCursor
    assert shape(note + QPoint(0, -60)) != shapes.SizeVerCursor
    assert shape(note + QPoint(14, 16)) == shapes.IBeamCursor
    view.editable = False
    assert shape(note) == shapes.PointingHandCursor
    view.pale = True
    assert shape(note + QPoint(1, 0)) == shapes.ArrowCursor


def test_a_head_is_hit_within_six_pixels_at_every_zoom(view: ScoreView) -> None:
    for _ in range(6):
        view.zoom_out()
    place = point_at(view, 0, 0)
    for beside in (QPoint(-6, 0), QPoint(0, -6), QPoint(4, -4)):
        assert view.note_at(place + beside) == head(view, 0, 0).note


def test_selection_has_the_letters_of_its_voices(view: ScoreView) -> None:
    view.set_selection(Selection(voices=(1, 2), start=4, stop=8))

    assert {LIGHT.voices[1], LIGHT.voices[2]} <= colours(view)
    assert not {LIGHT.voices[0], LIGHT.voices[3]} & colours(view)


@pytest.mark.parametrize("step", [4, PIECE.steps])
def test_cursor_of_note_input_has_the_colour_of_its_voice(view: ScoreView, step: int) -> None:
    view.follow(step)
    before = colours(view)
    view.set_input_cursor(Cursor(voice=2, step=step))

    assert LIGHT.voices[2] in colours(view) - before
    view.set_input_cursor(None)
    assert colours(view) == before


def test_ghost_has_the_name_of_its_note(view: ScoreView) -> None:
    assert view.score is not None
    system = view.score.systems[0]
    plain = view.grab().toImage()
    for x in (head(view, 0, 4).x, system.right):
        view.set_ghost(Ghost(0, system.staves[0], x, 41, "G5"))
        changed = changed_columns(plain, view.grab().toImage())
        middle = view.seen.point(0, x, 0).x()
        assert LIGHT.accent in colours(view)
        assert min(changed) < middle < max(changed)
        assert max(changed) < view.viewport().width()
    view.set_ghost(None)
    assert view.grab().toImage() == plain


def test_another_score_keeps_the_music_at_the_top(view: ScoreView) -> None:
    view.show_score(jobs.run(engraver.engrave(LONG, width=view.seen.page_width)))
    step = LONG.steps // 2
    view.follow(step)
    index = view.seen.system_of(step)
    assert index is not None
    top = view.seen.box(index).top()
    pitches = LONG.pitches.copy()
    pitches[:4, 0] = 96
    higher = replace(LONG, pitches=pitches)
    view.show_score(jobs.run(engraver.engrave(higher, width=view.seen.page_width)))

    assert view.seen.system_of(step) == index
    assert view.seen.box(index).top() == pytest.approx(top, abs=1)
    assert view.verticalScrollBar().value() == view.seen.hidden


def test_following_scrolls_to_the_sounding_system(view: ScoreView) -> None:
    view.set_step(0)
    view.follow(0)
    assert view.verticalScrollBar().value() == 0
    view.follow(PIECE.steps - 1)
    assert view.verticalScrollBar().value() > 0


def test_zoom_asks_for_another_score(view: ScoreView, qtbot: QtBot) -> None:
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
    bar = view.verticalScrollBar()
    QTest.keyClick(view, Qt.Key.Key_End)
    assert bar.value() == bar.maximum() > 0
    QTest.keyClick(view, Qt.Key.Key_Home)
    assert bar.value() == 0


def test_empty_view_shows_a_hint(view: ScoreView) -> None:
    view.show_score(None)
    blank = view.viewport().grab().toImage()
    view.set_hint("No score yet", "Generate a piece.")

    assert view.viewport().grab().toImage() != blank


# ---------------------------------------------------------------------- on paper


def streams(path: Path) -> bytes:
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
    path = tmp_path / "piece.pdf"
    shares = list(sheets.write_pdf(LONG, path, PrintChoice(layout=layout)))

    content = path.read_bytes()
    assert content.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type\s*/Page\b", content)) == pages
    assert b"/Subtype /Image" not in content
    assert b"/FontFile2" in content
    assert len(re.findall(rb" c$", streams(path), re.MULTILINE)) > 1_000
    assert shares[-1] == 1.0


@pytest.mark.parametrize(
    ("bars", "reduced", "pages"), [(28, False, 1), (40, True, 1), (44, False, 2), (88, False, 3)]
)
def test_what_takes_little_more_than_a_page_is_reduced_to_fit_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bars: int, reduced: bool, pages: int
) -> None:
    sizes = list[float]()
    monkeypatch.setattr(sheets.Paper, "paint_score", lambda _self, size, _page: sizes.append(size))
    piece = Chorale.of(np.tile(BAR, (bars, 1)), title=LONG.title)
    jobs.run(sheets.write_pdf(piece, tmp_path / "a.pdf", PrintChoice()))

    assert len(sizes) == pages
    assert (sizes[0] < 0.9 * sheets.SCALE) == reduced


def test_a_long_title_fits_on_the_page() -> None:
    """It is set smaller, and elided if it would be illegible."""
    width = 8_000.0
    sizes = []
    for words in (1, 8, 40):
        title = " ".join(["Lobgesang"] * words)
        font, shown = sheets.fitted(title, 18, width, 1200)
        assert QFontMetricsF(font).horizontalAdvance(shown) <= width
        assert shown == title or (words == 40 and shown.endswith("…"))
        sizes.append(font.pixelSize())
    assert sizes[0] > sizes[1] > sizes[2] >= 9 / 72 * 1200


def test_pdf_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(FileError, match="piece"):
        list(sheets.write_pdf(PIECE, tmp_path / "file" / "piece.pdf", PrintChoice()))
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def changed_columns(before: QImage, after: QImage) -> list[int]:
    return [
        x
        for x in range(before.width())
        if any(before.pixel(x, y) != after.pixel(x, y) for y in range(before.height()))
    ]


def test_rule_violations_have_a_ring(view: ScoreView, qtbot: QtBot) -> None:
    fifths = Mark(
        step=4, stop=5, previous=0, voices=(Voice.SOPRANO, Voice.BASS), rule="parallel_fifths",
        where="bar 1, beat 2", bach="Bach: never",
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
    qtbot.waitUntil(lambda: view.pale)
    pale = view.grab().toImage()
    view.set_marks((fifths,))
    assert view.grab().toImage() == pale


_PACKAGING = Path(__file__).parents[3] / "packaging"


def test_a_piece_is_a_page_of_black_on_white(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.syspath_prepend(str(_PACKAGING))
    script = importlib.import_module("score_picture")
    piece = Chorale.of([(72, 67, 64, 48), (74, 65, 62, 50)] * 16, title="A page")
    image = script.page(piece)
    grey = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)
    grey = grey[:, : image.width()]

    assert grey[:, :20].min() == grey[:, -20:].min() == grey[:5].min() == grey[-5:].min() == 255
    assert grey[: script.TITLE_ROOM].min() < 64
    assert grey[script.TITLE_ROOM :].min() < 64
    script.store(image, tmp_path / "page.png")
    assert 1_000 < (tmp_path / "page.png").stat().st_size < 100_000
    assert script.TUNE in melodies.names()


SHORT = Chorale.of(np.tile(BAR, (120, 1)))
PIXEL = 4
"""Bytes of a pixel."""


@pytest.fixture(scope="module")
def window() -> ScoreWindow:
    empty = ScoreWindow(width=900, height=500, space=8.0)
    score = jobs.run(engraver.engrave(SHORT, width=empty.page_width))
    assert len(score.systems) >= 20
    return empty.of(score)


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_pictures_of_a_long_score_take_no_more_than_two_views(
    window: ScoreWindow, ratio: float
) -> None:
    layers = ScoreLayers()
    for index in range(20):
        layers.picture(window, index, LIGHT, None, ratio)

    assert layers.kept_bytes <= 2 * window.width * window.height * ratio**2 * PIXEL
    assert len(layers) > 3


def test_all_systems_in_sight_are_kept(window: ScoreWindow) -> None:
    layers, tall = ScoreLayers(), replace(window, height=3500)
    seen = [*tall.seen(0, tall.height)]
    first = [layers.picture(tall, index, LIGHT, None, 1.0).cacheKey() for index in seen]
    again = [layers.picture(tall, index, LIGHT, None, 1.0).cacheKey() for index in seen]

    assert len(seen) >= 20
    assert again == first


def edges(system: System) -> list[tuple[float, float]]:
    font = serif(NUMERAL)
    row = [ink for ink in system.ink if isinstance(ink, Words) and ink.style == "numeral"]
    return [
        (ink.x, ink.x + draw_numeral(None, QPointF(), ink.text, font) * ink.size / 100)
        for ink in row
    ]


@pytest.mark.usefixtures("qtbot")
@pytest.mark.parametrize("width", [8_000.0, 20_000.0])
def test_numerals_do_not_touch_each_other_or_the_margin(width: float) -> None:
    for piece in bundled.load("valid")[:3]:
        score = jobs.run(engraver.engrave(piece, width=width, numerals=True))
        for system in score.systems:
            row = edges(system)
            assert all(one[1] < other[0] for one, other in itertools.pairwise(row))
            assert all(right < system.right + 2 * SPACE for _, right in row)


@pytest.mark.usefixtures("qtbot")
def test_figures_are_stacked() -> None:
    font = QFont(FAMILIES)
    font.setPixelSize(100)

    one, two = (draw_numeral(None, QPointF(), text, font) for text in ("V7", "V65"))

    assert two == pytest.approx(one, rel=0.05)
