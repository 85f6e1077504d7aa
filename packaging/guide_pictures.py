"""Make the pictures of the user guide from the running app.

    python packaging/guide_pictures.py [--out docs/guide/pictures]

The app runs off screen in the light theme: bundled models write a short piece, rewrite it and
write it beside one another. Each picture is the window or a part of it. The user's own folder is
not touched.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path
from typing import Final

import screens  # it chooses a platform without a display
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget
from waiting import settle, wait_for, wait_until_quiet

from musicrel.chorale import Voice
from musicrel.score.editing.selection import Selection

FOLDER: Final = Path(__file__).resolve().parent.parent / "docs" / "guide" / "pictures"
SIZE: Final = (1100, 700)
THEME: Final = "light"
BARS, SEED, CANDIDATES, OTHER = 8, 3, 4, "vanilla"
SELECTION: Final = (32, 64)
"""Steps of the selected passage: the third and fourth bar of a piece without a pickup."""
_FORM_ROWS: Final = 430
"""Height in pixels of the form without its empty end."""
_PRACTICE_ROWS: Final = 238
"""Height in pixels of the dialog of practice files down to its folder, which differs by user."""
_TALL: Final = 1300
"""Height in pixels of a window in which the whole form fits."""


class GuidePictures(screens.Screens):
    """The app in its window, whose pictures have the names of the guide."""

    def __init__(self, out: Path) -> None:
        super().__init__(SIZE, THEME, out)
        self._folder = out

    def picture(self, name: str, widget: QWidget | None = None) -> None:
        """Save a picture of ``widget``, by default of the whole window."""
        self.crop(name, widget or self.window, QRect())

    def crop(self, name: str, widget: QWidget, part: QRect) -> None:
        """Save a picture of a part of ``widget``; an empty part: the whole."""
        settle()
        image = widget.grab(part if part.isValid() else widget.rect()).toImage()
        path = self._folder / f"{name}.png"
        if not image.convertToFormat(QImage.Format.Format_RGB32).save(str(path)):
            raise OSError(f"cannot write {path}")
        print(path)


def main(argv: list[str]) -> int:
    """Make the pictures; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=FOLDER, help="default: %(default)s")
    out: Path = parser.parse_args(argv).out
    out.mkdir(parents=True, exist_ok=True)
    app = QApplication(sys.argv[:1])
    with tempfile.TemporaryDirectory() as home:
        os.environ["MUSICREL_HOME"] = home  # the process is this script's own
        pictures = GuidePictures(out)
        try:
            picture_all(pictures)
        finally:
            pictures.app_controller.projects.discard()
            pictures.window.close()
    del app
    return 0


def picture_all(pictures: GuidePictures) -> None:
    """Make all pictures, in the order of the guide."""
    pictures.window.commands.takes.show.setChecked(False)
    pictures.picture("empty")
    picture_first_piece(pictures)
    picture_form(pictures)
    picture_roll(pictures)
    picture_score(pictures)
    picture_rules(pictures)
    picture_rewriting(pictures)
    picture_two_models(pictures)
    picture_dialogs(pictures)
    picture_other_pages(pictures)


def picture_first_piece(pictures: GuidePictures) -> None:
    """Write a piece; picture the window, and the transport bar with the mixer."""
    window, page = pictures.window, pictures.window.compose_page
    page.controls.compose_form.bars.setValue(BARS)
    page.controls.compose_form.seed.set_value(SEED)
    page.controls.generate_button.click()
    screens.wait_until_idle(pictures)
    window.commands.play.mixer.setChecked(False)
    pictures.picture("first-piece")
    window.commands.play.mixer.setChecked(True)
    pictures.picture("mixer", window.playback)
    window.commands.play.mixer.setChecked(False)


def picture_form(pictures: GuidePictures) -> None:
    """Picture the form, and its advanced part."""
    window, controls = pictures.window, pictures.window.compose_page.controls
    heading, width = controls.compose_form.advanced.heading, controls.width()
    pictures.crop("form", controls, QRect(0, 0, width, _FORM_ROWS))
    window.resize(SIZE[0], _TALL)
    heading.click()
    settle(1000)  # until all fields have their places
    top = heading.mapTo(controls, QPoint(0, 0)).y()
    bottom = controls.generate_button.mapTo(controls, QPoint(0, 0)).y()
    pictures.crop("form-advanced", controls, QRect(0, top, width, bottom - top))
    heading.click()
    window.resize(*SIZE)


def picture_roll(pictures: GuidePictures) -> None:
    """Picture a selection in the roll, locks, planned phrases, and the bar of note input."""
    window, page = pictures.window, pictures.window.compose_page
    page.brackets.end_moved.emit(0, 3)
    page.brackets.menu.cadence_chosen.emit(1, "half")
    pictures.crop("phrases", page.workspace, upper_part(page.workspace, page.roll, 200))
    page.brackets.menu.undo_wanted.emit()
    select(pictures)
    window.commands.rewriting.voices[Voice.SOPRANO].trigger()
    pictures.picture("locked", page.workspace)
    window.commands.rewriting.unlock.trigger()
    window.commands.rewriting.draw.trigger()
    pictures.crop("note-input", page.workspace, upper_part(page.workspace, page.roll, 120))
    window.commands.rewriting.draw.trigger()


def picture_score(pictures: GuidePictures) -> None:
    """Picture the score with Roman numerals."""
    page = pictures.window.compose_page
    pictures.app_controller.document.select(None)
    page.sheets["score"].click()
    wait_for(lambda: page.score.score is not None)
    pictures.window.commands.numerals.trigger()
    settle(2000)
    pictures.picture("score", page.workspace)
    pictures.window.commands.numerals.trigger()
    page.sheets["roll"].click()


def picture_rules(pictures: GuidePictures) -> None:
    """Picture the marks of violations and their list."""
    window = pictures.window
    window.commands.rewriting.marks.trigger()
    window.commands.rules.list.trigger()
    window.commands.rules.next.trigger()
    settle(1000)
    pictures.picture("rules")
    window.commands.rules.list.trigger()
    window.commands.rewriting.marks.trigger()


def picture_rewriting(pictures: GuidePictures) -> None:
    """Picture the candidates of a passage, and the strip of takes."""
    window, page = pictures.window, pictures.window.compose_page
    page.controls.compose_form.candidates.setValue(CANDIDATES)
    select(pictures)
    page.strip.rewrite.click()
    wait_for(page.candidates.isVisible)
    screens.wait_until_idle(pictures)
    pictures.picture("candidates")
    window.commands.rewriting.accept.trigger()
    page.controls.compose_form.candidates.setValue(1)
    takes = pictures.app_controller.document.takes
    window.commands.takes.show.setChecked(True)
    takes.rate(takes.all[-1].number, 3)
    window.takes.view.select([takes.all[-1].number])
    pictures.picture("takes", window.takes)
    window.takes.view.select([])
    window.commands.takes.show.setChecked(False)


def picture_two_models(pictures: GuidePictures) -> None:
    """Let a second model write beside the first, and picture both rolls."""
    window = pictures.window
    window.commands.compare.choose(OTHER)
    window.compose_page.controls.compose_form.seed.set_value(SEED + 1)
    window.compose_page.controls.generate_button.click()
    settle()
    screens.wait_until_idle(pictures)
    settle(2000)
    pictures.picture("two-models")
    window.commands.two_models.close.trigger()


def picture_dialogs(pictures: GuidePictures) -> None:
    """Picture the dialogs that the guide describes."""
    commands = pictures.window.commands
    for name, command in (
        ("harmonise", commands.rewriting.harmonise),
        ("practice", commands.file.practice),
        ("preferences", commands.library.preferences),
        ("shortcuts", commands.library.shortcuts),
    ):
        command.trigger()
        wait_for(lambda: bool(screens.open_dialogs()))
        for dialog in screens.open_dialogs():
            height = _PRACTICE_ROWS if name == "practice" else dialog.height()
            pictures.crop(name, dialog, QRect(0, 0, dialog.width(), height))
            dialog.close()
        settle()


def picture_other_pages(pictures: GuidePictures) -> None:
    """Picture the Attention page with a chosen note, and the form of studies."""
    window, attention = pictures.window, pictures.app_controller.attention
    window.pages.open("attention")
    wait_for(window.attention.plots.halves[0].map.isVisible)
    window.attention.choices.cell_chosen.emit(4 * SELECTION[0] + Voice.ALTO)
    wait_for(lambda: not attention.analyses.busy)
    settle(1000)
    pictures.picture("attention")
    window.pages.open("experiment")
    wait_for(window.experiment.form.start.isEnabled)
    wait_until_quiet(window.experiment.form.plan.text, 700)
    pictures.picture("experiment")


def select(pictures: GuidePictures) -> None:
    """Select the alto and the tenor in a passage."""
    voices = (int(Voice.ALTO), int(Voice.TENOR))
    chosen = Selection(voices=voices, start=SELECTION[0], stop=SELECTION[1])
    pictures.app_controller.document.select(chosen)


def upper_part(widget: QWidget, roll: QWidget, height: int) -> QRect:
    """Return the part of ``widget`` down to a height in pixels below the top of ``roll``."""
    top = roll.mapTo(widget, QPoint(0, 0)).y()
    return QRect(0, 0, widget.width(), top + height)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
