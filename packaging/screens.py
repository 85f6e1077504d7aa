"""Make pictures of every page and dialog of the app.

    python packaging/screens.py --size 1100x700 --theme dark --theme light --out DIR

The app runs off screen: a bundled model generates a short piece, and a small study is trained. This
takes about two minutes. Each picture is DIR/THEME-WIDTHxHEIGHT-NAME.png. The user's own
folder is not touched.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # before anything opens a display

from PySide6.QtCore import QEventLoop, QPoint, QProcess, QTimer
from PySide6.QtWidgets import QApplication, QDialog, QMenu, QScrollArea, QWidget
from waiting import settle, wait_for, wait_until_quiet

from musicrel.chorale import Voice
from musicrel.experiment.study import study_folder
from musicrel.playback.audio import MiniaudioOutput
from musicrel.playback.player import Player
from musicrel.settings import Settings
from musicrel.ui.app_controller import AppController
from musicrel.ui.compose.form_fields import CUSTOM
from musicrel.ui.jobs.generation_service import ModelCache
from musicrel.ui.shell.main_window import MainWindow

SIZES: Final = ("1100x700", "1440x900")
THEMES: Final = ("dark", "light")
BARS, SEED, CANDIDATES = 8, 3, 4
STUDY: Final = """
name = "smoke"
seeds = [0, 1]
[budget]
steps = 20
[model]
width = 32
layers = 2
heads = 2
feedforward = 64
[data]
source = "chorales"
vocabulary = "articulated"
window = 128
[training]
batch = 4
learning_rate = 4e-3
warmup_steps = 5
evaluate_every = 5
checkpoint_every = 20
samples = true
[[arms]]
name = "vanilla"
scheme = "sinusoidal"
[[arms]]
name = "relative"
scheme = "relative"
options = { max_distance = 64 }
[[arms]]
name = "sinusoidal_concat"
scheme = "sinusoidal_concat"
"""


class Screens:
    """The app in a window of one size, and the folder of its pictures.

    Args:
        size: width and height in pixels.
        theme: ``light`` or ``dark``.
        out: the folder of the pictures.
    """

    def __init__(self, size: tuple[int, int], theme: str, out: Path) -> None:
        model_cache = ModelCache()
        self.window = MainWindow()
        self.app_controller = AppController(
            self.window,
            model_cache,
            settings=Settings(theme=theme, device="cpu"),
            player=Player(MiniaudioOutput(null=True)),
        )
        self._prefix = f"{theme}-{size[0]}x{size[1]}"
        self._out = out
        self.window.resize(*size)
        self.window.show()
        wait_for(lambda: bool(self.window.model_status))

    def picture(self, name: str, widget: QWidget | None = None) -> None:
        """Save a picture of ``widget``, by default of the whole window."""
        settle()
        path = self._out / f"{self._prefix}-{name}.png"
        if not (widget or self.window).grab().save(str(path)):
            raise OSError(f"cannot write {path}")
        print(path)


def main(argv: list[str]) -> int:
    """Make the pictures; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--size", action="append", help=f"WIDTHxHEIGHT (default: {SIZES})")
    parser.add_argument("--theme", action="append", choices=THEMES, help="default: both")
    parser.add_argument("--out", type=Path, required=True, help="a folder, made if missing")
    options = parser.parse_args(argv)
    options.out.mkdir(parents=True, exist_ok=True)
    app = QApplication(sys.argv[:1])
    with tempfile.TemporaryDirectory() as home:
        os.environ["MUSICREL_HOME"] = home  # the process is this script's own
        study = trained_study(Path(home))
        for size in options.size or SIZES:
            width, height = (int(part) for part in size.split("x"))
            for theme in options.theme or THEMES:
                with opened((width, height), theme, options.out) as screens:
                    picture_all(screens, study)
    del app
    return 0


@contextmanager
def opened(size: tuple[int, int], theme: str, out: Path) -> Iterator[Screens]:
    """Open the app, and close it afterwards."""
    screens = Screens(size, theme, out)
    try:
        yield screens
    finally:
        screens.app_controller.projects.discard()
        screens.window.close()


def picture_all(screens: Screens, study: Path) -> None:
    """Make all pictures of one size and theme."""
    picture_empty(screens)
    picture_compose(screens)
    picture_attention(screens)
    picture_experiment(screens, study)
    picture_dialogs(screens)
    picture_menus(screens)


def picture_empty(screens: Screens) -> None:
    """Picture the three pages without a piece."""
    screens.picture("compose-empty")
    for page in ("attention", "experiment"):
        screens.window.pages.open(page)
        screens.picture(f"{page}-empty")
    screens.window.pages.open("compose")


def picture_compose(screens: Screens) -> None:
    """Picture a piece as roll and score, the mixer, a selection and candidates."""
    window, page = screens.window, screens.window.compose_page
    entries, mixer = page.controls.compose_form, window.commands.play.mixer
    entries.bars.setValue(BARS)
    entries.seed.set_value(SEED)
    mixer.setChecked(False)
    page.controls.generate_button.click()
    screens.picture("compose-writing")
    wait_until_idle(screens)
    screens.picture("compose-roll")
    picture_colours(screens)
    mixer.setChecked(True)
    screens.picture("compose-mixer")
    mixer.setChecked(False)
    picture_form(screens)
    picture_phrases(screens)
    page.sheets["score"].click()
    wait_for(lambda: page.score.score is not None)
    screens.picture("compose-score")
    page.sheets["roll"].click()
    picture_candidates(screens)
    picture_takes(screens)


def picture_colours(screens: Screens) -> None:
    """Picture the marks and the list of rule violations, and notes coloured by surprisal."""
    window, page = screens.window, screens.window.compose_page
    marks = window.commands.rewriting.marks
    marks.trigger()
    window.commands.rules.list.trigger()
    window.commands.rules.next.trigger()
    settle(1000)
    screens.picture("compose-marks")
    marks.trigger()
    page.surprisal.click()
    settle(1000)
    screens.picture("compose-surprisal")
    page.surprisal.click()


def picture_form(screens: Screens) -> None:
    """Picture the advanced part of the form, which scrolls in a low window, and own ranges."""
    controls = screens.window.compose_page.controls
    form = controls.compose_form
    bar = controls.findChildren(QScrollArea)[0].verticalScrollBar()
    form.advanced.heading.click()
    screens.picture("compose-form-advanced", controls)
    bar.setValue(bar.maximum())
    screens.picture("compose-form-end", controls)
    bar.setValue(0)
    form.advanced.heading.click()
    form.ranges.setCurrentText(CUSTOM)
    screens.picture("compose-form-ranges", controls)
    form.ranges.setCurrentIndex(0)


def picture_phrases(screens: Screens) -> None:
    """Picture changed phrases, their menu, and the limits of a voice."""
    page = screens.window.compose_page
    brackets = page.brackets
    brackets.end_moved.emit(0, 3)
    brackets.menu.cadence_chosen.emit(1, "half")
    screens.picture("compose-phrases")
    brackets.menu.offer(brackets.lane, 1)
    brackets.menu.popup(screens.window.mapToGlobal(QPoint(0, 0)))
    screens.picture("menu-phrase", brackets.menu)
    brackets.menu.close()
    brackets.menu.undo_wanted.emit()
    page.ranges.select((int(Voice.BASS),))
    screens.picture("compose-limits")
    page.ranges.select(())


def picture_candidates(screens: Screens) -> None:
    """Picture the candidates of a rewritten passage."""
    page = screens.window.compose_page
    page.controls.compose_form.candidates.setValue(CANDIDATES)
    page.strip.rewrite.click()
    wait_for(page.candidates.isVisible)
    wait_until_idle(screens)
    screens.picture("compose-candidates")
    page.candidates.close_button.click()
    page.controls.compose_form.candidates.setValue(1)
    settle()


def picture_takes(screens: Screens) -> None:
    """Picture one selected take, its change in a loop, and a filter without a match."""
    window, takes = screens.window, screens.app_controller.document.takes
    actions, panel = window.commands.takes, window.takes
    window.commands.play.mixer.setChecked(False)
    actions.show.setChecked(True)
    for number, take in enumerate(takes.all):
        takes.rate(take.number, number % 4)
    takes.rename(1, "A take with a name that is too long for its card and for the line above it")
    panel.view.select([takes.all[-1].number])
    screens.picture("compose-takes")
    actions.play_change.trigger()
    screens.picture("compose-takes-played")
    actions.play_change.trigger()
    panel.filter.setCurrentIndex(panel.filter.findData("recorded"))
    screens.picture("compose-takes-filter")
    panel.filter.setCurrentIndex(0)
    panel.view.select([])


def picture_attention(screens: Screens) -> None:
    """Picture the attention of the piece, and the diagnosis of its model."""
    window = screens.window
    window.pages.open("attention")
    wait_for(window.attention.plots.halves[0].map.isVisible)
    screens.picture("attention")
    picture_comparison(screens)
    window.attention.diagnose.click()
    panel = screens.app_controller.attention.diagnosis
    wait_for(lambda: panel.table.rowCount() >= 1)
    wait_until_quiet(lambda: (panel.table.rowCount(), panel.words.text()), 3000)
    screens.picture("dialog-diagnosis", panel)
    panel.close()


def picture_comparison(screens: Screens) -> None:
    """Picture all views of the Attention page with a second model and a chosen note."""
    attention, page = screens.app_controller.attention, screens.window.attention
    page.choices.cell_chosen.emit(4 * 40 + 1)
    for name in ("vanilla", ""):
        box = page.second_model
        box.setCurrentIndex(box.findData(name))
        box.activated.emit(box.currentIndex())
        wait_for(lambda: not attention.analyses.busy)
        for view, button in page.switch.buttons.items():
            button.click()
            settle(500)
            screens.picture(f"attention-{view}-{name or 'alone'}")
    page.switch.open("maps")
    screens.app_controller.document.select(None)


def picture_experiment(screens: Screens, study: Path) -> None:
    """Picture the form for a study and a finished study."""
    window, app_controller = screens.window, screens.app_controller
    window.pages.open("experiment")
    page = window.experiment
    wait_for(page.form.start.isEnabled)
    for row in range(len(page.form.templates.boxes)):
        app_controller.studies.study_form.start_from(row)
        wait_until_quiet(page.form.plan.text, 700)
        screens.picture(f"experiment-form-{row}")
    app_controller.studies.choose(study)
    wait_for(lambda: app_controller.studies.now is not None)
    screens.picture("experiment-study")


def picture_dialogs(screens: Screens) -> None:
    """Picture every dialog except native ones."""
    window = screens.window
    window.pages.open("compose")
    rewriting = window.commands.rewriting
    for name, open_dialog in (
        ("harmonise", rewriting.harmonise.trigger),
        ("record", rewriting.record.trigger),
        ("card", window.commands.about_model.trigger),
        ("open", window.commands.file.open.trigger),
        ("export", window.commands.file.export.trigger),
    ):
        open_dialog()
        wait_for(lambda: bool(open_dialogs()))
        for dialog in open_dialogs():
            screens.picture(f"dialog-{name}", dialog)
            dialog.close()
        settle()
    QTimer.singleShot(0, lambda: _picture_about(screens))
    window.commands.about.trigger()  # its own event loop ends when the picture is made


def _picture_about(screens: Screens) -> None:
    for dialog in open_dialogs():
        screens.picture("dialog-about", dialog)
        dialog.close()


def picture_menus(screens: Screens) -> None:
    """Picture every menu and submenu of the menu bar."""
    for menu in screens.window.menuBar().findChildren(QMenu):
        if menu.isEmpty():
            continue
        menu.popup(screens.window.mapToGlobal(QPoint(0, 0)))
        title = menu.title().replace("&", "").replace(" ", "-").lower() or "more"
        screens.picture(f"menu-{title}", menu)
        menu.close()


def open_dialogs() -> list[QDialog]:
    """Return the visible dialogs."""
    widgets = QApplication.topLevelWidgets()
    return [one for one in widgets if isinstance(one, QDialog) and one.isVisible()]


def trained_study(home: Path) -> Path:
    """Train a small study of three arms in the user's folder of this process."""
    text, folder = home / "study.toml", study_folder.unused_folder("smoke")
    text.write_text(STUDY, encoding="utf-8")
    words = ["-m", "musicrel", "compare", "--study", str(text), "--out", str(folder)]
    process, loop = QProcess(), QEventLoop()
    process.finished.connect(loop.quit)
    process.start(sys.executable, [*words, "--runner", "here", "--device", "cpu"])
    loop.exec()
    if process.exitCode() != 0:
        raise RuntimeError(bytes(process.readAllStandardError().data()).decode())
    return folder


def wait_until_idle(screens: Screens) -> None:
    """Run the event loop until no piece and no candidate is being generated."""
    app_controller = screens.app_controller
    second = app_controller.two_models.other.job
    wait_for(lambda: not (app_controller.document.generating or app_controller.writer.busy))
    wait_for(lambda: not second.busy)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
