"""Preparations of the app's process, to be made before the other modules of the app are imported.

Imports are most of the time of the start. Nothing here imports a module with texts of the window.
"""

from __future__ import annotations

import gc
import importlib
import sys
from typing import Final

# module of PySide6 that supports ``from __feature__ import``, which nothing in musicrel uses
_FEATURES: Final = "shibokensupport.feature"
# its function that searches the source of every imported module for the name PySide6
_READS_SOURCE: Final = "_mod_uses_pyside"


# Seconds that another thread may go on while the window's waits for the interpreter's lock. A
# handler gives the lock away at each call of Qt, and would wait Python's 5 ms each time.
_SWITCH_SECONDS: Final = 0.00005


def prepare() -> None:
    """Choose the language; make imports faster without garbage collection or reading of sources.

    ``GcTimer`` takes over the collection. The window's thread gets the interpreter's lock sooner.
    """
    gc.disable()
    sys.setswitchinterval(_SWITCH_SECONDS)
    _leave_sources_unread()
    _choose_language()


def _choose_language() -> None:
    from musicrel import settings
    from musicrel.ui import languages

    languages.install(settings.load().language)


def _leave_sources_unread() -> None:
    """Let PySide6 take every module for one that uses no features.

    The search keeps all sources in memory: 15 MB for the window, 50 MB once torch is imported. A
    version of PySide6 without that function is left as it is.
    """
    importlib.import_module("PySide6.QtCore")
    try:
        features = importlib.import_module(_FEATURES)
    except ImportError:
        return
    if hasattr(features, _READS_SOURCE):
        setattr(features, _READS_SOURCE, _uses_none)


def _uses_none(module: object) -> bool:
    del module
    return False
