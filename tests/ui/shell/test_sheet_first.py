"""The sheet is the window: its share of the height, its first view, and notes that can be grabbed.

The same tests are run once more with two device pixels for each pixel.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from musicrel.analysis.corpus import bundled
from musicrel.chorale import Chorale, Voice
from musicrel.figures.roll import HIT, KEYBOARD_WIDTH, NOTE_HEIGHT, RULER_HEIGHT
from musicrel.score.editing.notes import Note, voice_notes
from musicrel.ui.roll.roll_view import RollView
from musicrel.ui.score.score_view import ScoreView
from musicrel.ui.widgets import stylesheet
from tests.ui.user import User

SCALE = float(os.environ.get("QT_SCALE_FACTOR", "1"))
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
EIGHTH = 2


class Place(NamedTuple):
    width: int
    height: int
    text: str  # size of the texts in percent
    share: float  # least share of the height that the sheet has

    def __str__(self) -> str:
        return f"{self.width}x{self.height}-{self.text}"


PLACES = (
    Place(1320, 840, "100", 0.55),
    Place(1100, 700, "100", 0.45),
    Place(1440, 900, "100", 0.55),
    Place(1100, 700, "150", 0.45),
)


@pytest.fixture(autouse=True)
def usual_size() -> Iterator[None]:
    yield
    stylesheet.set_text_size(100)


@pytest.fixture(params=PLACES, ids=str)
def place(request: pytest.FixtureRequest, user: User) -> Place:
    """Show a chorale by Bach in a window of one size."""
    place: Place = request.param
    user.app.preferences.remember(text_size=place.text)
    user.window.resize(place.width, place.height)
    user.document.show_piece(bundled.load("test")[0], action="opened")
    user.document.replaced.emit()
    user.wait(lambda: user.window.size().toTuple() == (place.width, place.height))
    user.wait(lambda: user.roll.seen == user.roll.seen.opened())
    return place


@pytest.fixture
def score(place: Place, user: User) -> ScoreView:
    del place
    user.page.sheets["score"].click()
    user.wait(lambda: user.page.score.score is not None and not user.page.score.stale)
    return user.page.score


def share(user: User, sheet: QWidget) -> float:
    assert sheet.isVisible()
    return sheet.height() / user.window.height()


def test_roll_and_score_have_most_of_the_window(place: Place, score: ScoreView, user: User) -> None:
    assert share(user, score.viewport()) >= place.share
    user.page.sheets["roll"].click()
    assert share(user, user.roll.viewport()) >= place.share


def test_an_empty_sheet_has_it_too(user: User) -> None:
    user.window.resize(1320, 840)
    user.wait(lambda: share(user, user.roll.viewport()) >= 0.55)


def test_the_first_view_has_four_to_eight_bars_of_legible_notes(place: Place, user: User) -> None:
    seen = user.roll.seen
    (note, *_) = eighths(user.piece)
    assert user.window.devicePixelRatioF() == SCALE
    assert seen.box(note).height() >= NOTE_HEIGHT
    assert seen.box(note).width() >= HIT - 1
    assert 4 <= seen.width / (seen.step_width * seen.bar) <= 8.01
    del place


def eighths(piece: Chorale) -> list[Note]:
    """Return the eighths of a piece, by their beginnings."""
    found = [note for voice in Voice for note in voice_notes(piece, voice)]
    return sorted(note for note in found if note.length == EIGHTH)


def drag(view: RollView | ScoreView, start: QPoint, stop: QPoint) -> None:
    QTest.mousePress(view.viewport(), LEFT, NONE, start)
    QTest.mouseMove(view.viewport(), (start + stop) / 2)
    QTest.mouseMove(view.viewport(), stop)
    QTest.mouseRelease(view.viewport(), LEFT, NONE, stop)


def check_only_one_has_moved(user: User, before: Chorale, note: Note, *, semitones: int) -> None:
    for voice in Voice:
        expected = [
            each._replace(pitch=each.pitch + semitones) if each == note else each
            for each in voice_notes(before, voice)
        ]
        assert voice_notes(user.piece, voice) == expected
    user.document.undo()


def middle_of(roll: RollView, note: Note) -> QPoint:
    return roll.seen.box(note).center().toPoint() + QPoint(KEYBOARD_WIDTH, RULER_HEIGHT)


def in_view(roll: RollView, piece: Chorale) -> list[Note]:
    """Return the eighths in the first view that have a row of their own."""
    seen = roll.seen
    inside = QRectF(0, 3 * NOTE_HEIGHT, seen.width * 0.9, seen.height - 4 * NOTE_HEIGHT)
    found = [note for note in eighths(piece) if inside.contains(seen.box(note))]
    return [note for note in found if roll.note_at(middle_of(roll, note)) == note]


def test_an_eighth_on_the_roll_is_grabbed_at_the_first_try(place: Place, user: User) -> None:
    """In every voice, and up to half of the hit area from its middle."""
    roll, before = user.roll, user.piece
    found = in_view(roll, before)
    reach = round(HIT / 2) - 1
    assert {note.voice for note in found} == {*Voice}
    for note in {each.voice: each for each in found}.values():
        up = QPoint(0, -round(roll.seen.row_height * 2))
        for beside in (QPoint(0, 0), QPoint(-reach, -2), QPoint(0, -reach), QPoint(0, reach)):
            start = middle_of(roll, note) + beside
            drag(roll, start, start + up)
            check_only_one_has_moved(user, before, note, semitones=2)
    del place


def test_an_eighth_on_the_roll_is_moved_by_an_eighth(place: Place, user: User) -> None:
    roll, before = user.roll, user.piece
    note = next(each for each in in_view(roll, before) if each.start > EIGHTH)
    start = middle_of(roll, note)
    drag(roll, start, start - QPoint(round(roll.seen.step_width * EIGHTH), 0))
    after = voice_notes(user.piece, note.voice)
    moved = note._replace(start=note.start - EIGHTH, stop=note.stop - EIGHTH)
    assert moved in after
    assert note not in after
    del place


def head_of(score: ScoreView, note: Note) -> QPoint:
    """Return the middle of the head of a note, which may be outside of the view."""
    return next(
        score.seen.point(index, head.x, head.y).toPoint()
        for index, system in enumerate(score.seen.systems)
        for head in system.heads
        if head.note == note
    )


def test_an_eighth_in_the_score_is_grabbed_at_the_first_try(score: ScoreView, user: User) -> None:
    """In every voice that has one in view, somewhat beside its head, too."""
    before = user.piece
    room = score.viewport().rect().adjusted(0, 40, 0, -12)
    found = [note for note in eighths(before) if room.contains(head_of(score, note))]
    visible = {note.voice: note for note in found if score.note_at(head_of(score, note)) == note}
    assert len(visible) > 1
    for note in visible.values():
        for beside in (QPoint(0, 0), QPoint(5, 0), QPoint(-5, 3)):
            start = head_of(score, note) + beside
            drag(score, start, start - QPoint(0, round(score.seen.space)))
            here = (
                each for each in voice_notes(user.piece, note.voice) if each.start >= note.start
            )
            semitones = next(here).pitch - note.pitch
            assert semitones > 0
            check_only_one_has_moved(user, before, note, semitones=semitones)
            user.wait(lambda: not score.stale)


def test_all_this_holds_with_two_device_pixels_for_a_pixel(tmp_path: Path) -> None:
    here = Path(__file__)
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider"]
    chosen = [
        f"--basetemp={tmp_path / 'scaled'}",
        "-k",
        "(grabbed or legible) and 1100x700",
        str(here),
    ]
    env = {**os.environ, "QT_SCALE_FACTOR": "2"}
    done = subprocess.run(
        [*command, *chosen],
        env=env,
        cwd=here.parents[3],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
