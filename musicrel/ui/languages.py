"""The languages of the window: files of translations, and the choice of one.

A file is Qt's own ``.ts``, as Qt Linguist edits it, and named after its language, as ``de.ts``.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from musicrel import language, paths

SYSTEM: Final = "system"
"""The choice of the language that the system has, or of English where there is no file for it."""
ENGLISH: Final = "en"
SUFFIX: Final = ".ts"
_log = logging.getLogger(__name__)


def folder() -> Path:
    return paths.assets() / "languages"


def available() -> tuple[str, ...]:
    """Return the codes of all languages, English first."""
    return (ENGLISH, *sorted(path.stem for path in folder().glob(f"*{SUFFIX}")))


def own_name(code: str) -> str:
    """Return the name of a language in that language, as 'Deutsch'."""
    return "English" if code == ENGLISH else QLocale(code).nativeLanguageName()


def install(chosen: str) -> None:
    """Translate all texts and numbers from now on; import the modules of the window afterwards.

    Args:
        chosen: a code, or ``SYSTEM``. The texts stay English without a readable file.
    """
    code = QLocale.system().name().split("_")[0] if chosen == SYSTEM else chosen
    if chosen != SYSTEM:
        QLocale.setDefault(QLocale(code))
    if code == ENGLISH or code not in available():
        return
    try:
        texts = read(folder() / f"{code}{SUFFIX}")
    except (OSError, ET.ParseError) as reason:
        _log.warning("the translation into %s is not readable: %s", code, reason)
        return
    comma = QLocale(code).decimalPoint() == ","
    language.install(lambda text, sense: texts.get((text, sense), ""), decimal_comma=comma)


def translate_qt(app: QCoreApplication) -> QTranslator | None:
    """Translate the texts of Qt itself, as on the buttons of dialogs, into the default language."""
    if not language.installed():
        return None
    translator = QTranslator(app)
    place = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if not translator.load(QLocale(), "qtbase", "_", place):
        return None
    app.installTranslator(translator)
    return translator


def read(path: Path) -> Mapping[tuple[str, str], str]:
    """Return the translations in a file: text and sense -> translation, "" where there is none.

    Raises:
        ET.ParseError: it is not XML.
    """
    messages = ET.parse(path).iter("message")  # noqa: S314  # a file of ours
    return {
        (one.findtext("source", ""), one.findtext("comment", "")): one.findtext("translation", "")
        for one in messages
    }
