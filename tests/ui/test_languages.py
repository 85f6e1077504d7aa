"""The languages of the window."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication, QDialogButtonBox
from pytestqt.qtbot import QtBot

from musicrel import language
from musicrel.language import decimal, tr
from musicrel.ui import languages


@pytest.fixture(autouse=True)
def _restored(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(language, "_installed", [])
    before = QLocale()
    yield
    QLocale.setDefault(before)


def test_the_chosen_language_is_used() -> None:
    languages.install("de")

    assert (tr("&Undo"), decimal(0.5, ".1f")) == ("&Rückgängig", "0,5")
    assert QLocale().language() == QLocale.Language.German


def test_english_can_be_chosen_on_a_german_system() -> None:
    QLocale.setDefault(QLocale("de"))

    languages.install("en")

    assert (tr("&Undo"), decimal(0.5, ".1f")) == ("&Undo", "0.5")
    assert QLocale().decimalPoint() == "."


@pytest.mark.parametrize(
    ("system", "text"), [("de_AT", "&Rückgängig"), ("fr_FR", "&Undo"), ("C", "&Undo")]
)
def test_without_a_choice_the_system_decides(
    system: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QLocale, "system", lambda: QLocale(system))

    languages.install(languages.SYSTEM)

    assert tr("&Undo") == text


@pytest.mark.parametrize("chosen", ["xx", "../de", ""])
def test_an_unknown_language_is_english(chosen: str) -> None:
    languages.install(chosen)

    assert tr("&Undo") == "&Undo"


def test_a_damaged_translation_is_english_and_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "de.ts").write_text("<TS><context>")
    monkeypatch.setattr(languages, "folder", lambda: tmp_path)

    with caplog.at_level(logging.WARNING):
        languages.install("de")

    assert tr("&Undo") == "&Undo"
    assert "the translation into de is not readable" in caplog.text


def test_languages_are_listed_by_their_own_names() -> None:
    assert [languages.own_name(code) for code in languages.available()] == ["English", "Deutsch"]


def test_buttons_of_qt_are_translated(qapp: QApplication, qtbot: QtBot) -> None:
    languages.install("de")

    translator = languages.translate_qt(qapp)

    assert translator is not None
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    qtbot.addWidget(box)
    assert box.button(QDialogButtonBox.StandardButton.Cancel).text() == "Abbrechen"
    qapp.removeTranslator(translator)
