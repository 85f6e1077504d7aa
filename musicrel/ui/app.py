"""Opens the app: one window, until it is closed.

torch is not imported here nor by anything imported here; it comes in a worker's thread when the
window is on the screen. This file knows the process; everything else stands in ``house``.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from importlib import metadata
from logging.handlers import RotatingFileHandler
from types import TracebackType
from typing import Final

from PySide6.QtCore import QObject, QtMsgType, Signal, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from musicrel import paths, settings
from musicrel.playback.player import Player
from musicrel.ui.app_controller import House
from musicrel.ui.jobs.gc_timer import GarbageTimer
from musicrel.ui.jobs.generation_service import ModelShelf
from musicrel.ui.shell.main_window import MainWindow
from musicrel.ui.widgets import icons

LOG_FILE: Final = "musicrel.log"

_LARGEST_LOG: Final = 500_000
_LEVELS: Final = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}
_log = logging.getLogger(__name__)


def main(argv: list[str]) -> int:
    """Open the app and run it until its window is closed.

    Args:
        argv: the command line, the program's name first.

    Returns:
        The exit code.
    """
    _log_to_file()
    app = QApplication(argv)
    garbage = GarbageTimer()
    app.setApplicationName("musicrel")
    app.setApplicationVersion(_version())
    app.setDesktopFileName("musicrel")
    app.setWindowIcon(icons.app_icon())
    window = MainWindow()
    shelf = ModelShelf()
    house = House(
        window,
        shelf.compose,
        shelf.warm_up,
        read=shelf.read,
        propose=shelf.propose,
        settings=settings.load(),
        player=Player(),
    )
    alarm = Alarm()
    alarm.rang.connect(house.studio.report)
    alarm.install()
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl+C ends it; every file is whole at any time
    window.show()
    code = app.exec()
    garbage.stop()
    if not house.all_ended:
        logging.shutdown()
        os._exit(code)  # a job that hangs in a driver must not keep the process alive
    return code


class Alarm(QObject):
    """Catches what nobody caught, writes it to the log and tells the user one sentence.

    Signals:
        rang: the sentence; it may come from any thread.
    """

    rang = Signal(str)

    def install(self) -> None:
        """Catch from now on, in all threads."""
        sys.excepthook = self._caught
        threading.excepthook = lambda hook: self._caught(
            hook.exc_type, hook.exc_value, hook.exc_traceback
        )

    def _caught(
        self,
        kind: type[BaseException],
        reason: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _log.critical("nobody caught this", exc_info=(kind, reason or kind(), trace))
        place = paths.data() / LOG_FILE
        self.rang.emit(f"Something went wrong inside musicrel; {place} has the details.")


def _log_to_file() -> None:
    """Write warnings of musicrel and Qt to a file in the user's folder, where that is possible."""
    handler: logging.Handler
    try:
        paths.data().mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(
            paths.data() / LOG_FILE, maxBytes=_LARGEST_LOG, backupCount=1, encoding="utf-8"
        )
    except OSError:
        handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.getLogger().addHandler(handler)
    qInstallMessageHandler(
        lambda kind, _context, text: logging.getLogger("qt").log(_LEVELS[kind], text)
    )


def _version() -> str:
    try:
        return metadata.version("musicrel")
    except metadata.PackageNotFoundError:
        return ""
