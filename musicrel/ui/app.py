"""Entry point of the desktop app.

Neither this module nor anything it imports imports torch: a worker thread imports it once the
window is on the screen.
"""

from __future__ import annotations

import ctypes
import logging
import os
import signal
import sys
import threading
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType
from typing import Final

from PySide6.QtCore import (
    QMessageLogContext,
    QObject,
    QTimer,
    QtMsgType,
    Signal,
    qInstallMessageHandler,
)
from PySide6.QtWidgets import QApplication

from musicrel import paths, settings
from musicrel.language import tr
from musicrel.playback.audio import MiniaudioOutput
from musicrel.playback.player import Player
from musicrel.playback.recorder import Recorder
from musicrel.ui import display, languages
from musicrel.ui.app_controller import AppController
from musicrel.ui.files.session import RECOVER
from musicrel.ui.jobs.gc_timer import GcTimer
from musicrel.ui.jobs.generation_service import ModelCache
from musicrel.ui.shell.main_window import MainWindow
from musicrel.ui.widgets import icons, plots

LOG_FILE: Final = "musicrel.log"
NO_WINDOW: Final = (
    "musicrel: cannot open a window: {reason}; musicrel --help lists what works without one"
)
CRASHED: Final = tr("An internal error occurred; see {path} for the details.")

_MAX_LOG_BYTES: Final = 500_000
_LEVELS: Final = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}
_ARENAS: Final = -8
_MMAP_THRESHOLD: Final = -3
"""Numbers of the two settings of glibc, as in its ``malloc.h``."""
_MAX_ARENAS: Final = 2
_LARGE: Final = 1 << 20
_log = logging.getLogger(__name__)


def main(argv: list[str]) -> int:
    keep_together()
    _log_to_file()
    app = _application(argv[0])
    sound, click = (
        MiniaudioOutput(device_name=lambda: app_controller.preferences.settings.audio_device)
        for _ in range(2)
    )
    player, recorder = Player(sound), Recorder(click)
    gc_timer = GcTimer(
        lambda: player.playing or recorder.take is not None or app_controller.document.busy
    )
    window = MainWindow()
    model_cache = ModelCache()
    app_controller = AppController(
        window, model_cache, settings=settings.load(), player=player, recorder=recorder
    )
    model_cache.threads = lambda: app_controller.preferences.threads
    crash_reporter = CrashReporter()
    crash_reporter.crashed.connect(app_controller.messages.report)
    crash_reporter.install()
    _open_first_document(app_controller, argv[1:])
    _expect_logout(app, app_controller)
    gc_timer.freeze_startup_objects()
    window.painted.connect(plots.preload)
    window.show()
    gc_timer.watch(window.windowHandle())
    code = app.exec()
    gc_timer.stop()
    if not app_controller.all_ended:
        logging.shutdown()
        os._exit(code)  # a job that hangs in a driver would keep the process alive
    return code


class CrashReporter(QObject):
    """A handler of uncaught exceptions: logs them and reports one sentence to the user."""

    crashed = Signal(str)  # the sentence; emitted from the thread of the exception

    def install(self) -> None:
        sys.excepthook = self._report
        threading.excepthook = lambda hook: self._report(
            hook.exc_type, hook.exc_value, hook.exc_traceback
        )

    def _report(
        self, kind: type[BaseException], reason: BaseException | None, trace: TracebackType | None
    ) -> None:
        _log.critical("uncaught exception", exc_info=(kind, reason or kind(), trace))
        path = paths.data() / LOG_FILE
        self.crashed.emit(CRASHED.format(path=path))


def _application(program: str) -> QApplication:
    """Connect to the display; where that is impossible, print a sentence and exit."""
    qInstallMessageHandler(_exit_without_window)
    app = QApplication([program])
    qInstallMessageHandler(_log_message)
    app.setApplicationName("musicrel")
    app.setDesktopFileName("musicrel")
    app.setWindowIcon(icons.app_icon())
    languages.translate_qt(app)
    return app


def _open_first_document(app_controller: AppController, arguments: list[str]) -> None:
    """Open the document of the command line once the window is on the screen."""
    projects, identity = app_controller.projects, ""
    if arguments[:1] == [RECOVER]:
        identity = arguments[-1]
    path = Path(arguments[0]).absolute() if arguments and not identity else None
    app_controller.window.painted.connect(lambda: projects.start(path, identity))


def _expect_logout(app: QApplication, app_controller: AppController) -> None:
    """Ask nothing when the user logs out or the process is ended: the document comes back."""

    def end() -> None:
        app_controller.projects.keep()
        app_controller.window.close()

    app.commitDataRequest.connect(lambda _manager: app_controller.projects.keep())
    signal.signal(signal.SIGTERM, lambda *_: QTimer.singleShot(0, end))
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # safe: every edit is in a file


def _log_to_file() -> None:
    """Log warnings of musicrel and Qt to a file in the user's folder, or else to stderr."""
    handler: logging.Handler
    try:
        paths.data().mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(
            paths.data() / LOG_FILE, maxBytes=_MAX_LOG_BYTES, backupCount=1, encoding="utf-8"
        )
    except OSError:
        handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.getLogger().addHandler(handler)


def _log_message(kind: QtMsgType, _context: QMessageLogContext, text: str) -> None:
    logging.getLogger("qt").log(_LEVELS[kind], text)


def _exit_without_window(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
    """Log a message of Qt; after a fatal one Qt would abort the process."""
    _log_message(kind, context, text)
    if kind == QtMsgType.QtFatalMsg:
        from musicrel.cli import output

        output.print_message(NO_WINDOW.format(reason=display.describe_failure()))
        logging.shutdown()
        os._exit(1)


def keep_together() -> None:
    """Let the threads of jobs share two heaps of glibc, and return blocks of 1 MB when freed.

    Call this before the first job. With a heap for each thread the app had 476 MB instead of 372
    after three pieces and playing (``python -m training.bench.window --only start``).
    """
    set_option = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if set_option is not None:  # musl has none
        set_option(_ARENAS, _MAX_ARENAS)
        set_option(_MMAP_THRESHOLD, _LARGE)
