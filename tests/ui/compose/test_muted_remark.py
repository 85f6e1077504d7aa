"""The remark that names the muted heads."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from musicrel.generation.heads.mutes import Mutes
from musicrel.presentation.words.muted_heads import MutedHeads
from musicrel.ui.app_controller import AppController
from musicrel.ui.compose.muted_remark import MutedRemark
from musicrel.ui.document.document import Document
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.controllers.user_actions import show_chords

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints


def mute(document: Document, **heads: str) -> None:
    """Mute heads of some models."""
    muted = MutedHeads()
    for model, text in heads.items():
        muted = muted.with_mutes(model, Mutes.parse(text))
    document.set_form(replace(document.form, muted=muted))


@pytest.mark.parametrize(
    ("heads", "words"),
    [
        ({"relative": "2.4"}, "Model relative will write with head 2.4 muted"),
        ({"relative": "2.4,2.5"}, "Model relative will write with heads 2.4 and 2.5 muted"),
        ({"relative": "4"}, "Model relative will write with layer 4 muted"),
        (
            {"a": "1,2.4,3", "b": "2"},
            (
                "Model a will write with head 2.4 and layers 1 and 3 muted; "
                "Model b will write with layer 2 muted"
            ),
        ),
    ],
)
def test_it_names_the_heads_of_each_model(heads: dict[str, str], words: str, qtbot: QtBot) -> None:
    """One click unmutes them all, and hides it."""
    document, remark = Document(), MutedRemark()
    qtbot.addWidget(remark)
    remark.follow(document)
    assert remark.isHidden()

    mute(document, **heads)

    assert not remark.isHidden()
    assert remark.text.text() == remark.accessibleDescription() == words
    remark.clear.click()
    assert document.form.muted == MutedHeads()
    assert remark.isHidden()


def test_the_dialog_for_harmonising_names_them(
    app_controller: AppController, window: MainWindow
) -> None:
    """It is the only thing on the screen that the user can click."""
    show_chords(app_controller)
    mute(app_controller.document, full="2.1")
    window.commands.rewriting.harmonise.trigger()
    dialog = app_controller.harmonise.dialog
    assert dialog is not None

    assert dialog.muted.text.text() == "Model full will write with head 2.1 muted"
    dialog.muted.clear.click()

    assert dialog.muted.isHidden()
    assert window.muted.isHidden()
    assert app_controller.document.form.muted == MutedHeads()
    dialog.reject()
    mute(app_controller.document, full="2.1")  # without the dialog


def test_the_pages_give_it_room_and_get_it_back(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """Without muted heads it takes none."""
    before = window.pages.height()
    mute(app_controller.document, full="2.1")
    qtbot.waitUntil(lambda: window.pages.height() < before)
    mute(app_controller.document)
    qtbot.waitUntil(lambda: window.pages.height() == before)
