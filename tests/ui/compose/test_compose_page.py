"""The head of the sheet with its title and buttons, and the remark that names the muted heads."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale
from musicrel.generation.heads.mutes import Mutes
from musicrel.presentation.words.muted_heads import MutedHeads
from musicrel.ui.compose.controls import MutedRemark
from musicrel.ui.document.document import Document
from tests.ui.controllers.user_actions import show_chords
from tests.ui.user import User

PIECE = Chorale.of(np.full((32, 4), [72, 67, 64, 48]))
LONG = "O Haupt voll Blut und Wunden, vierstimmig"


def test_long_title_is_whole_on_the_attention_page(user: User) -> None:
    page = user.page
    user.window.resize(1100, 700)
    user.document.show_piece(replace(PIECE, title=LONG), action="opened")
    user.window.pages.open("attention")

    user.wait(lambda: not page.title.is_elided)
    assert page.legend.voice_at(page.legend.width() - 4) == 3


def test_legend_has_names_where_there_is_room(user: User) -> None:
    page = user.page
    user.window.resize(1440, 900)
    user.document.show_piece(replace(PIECE, title="Air"), action="opened")

    user.wait(lambda: page.legend.width() >= page.legend.sizeHint().width())
    assert not page.title.is_elided
    assert not page.heading.is_elided


@pytest.mark.parametrize("size", [(1000, 600), (1100, 700), (1440, 900)])
def test_generate_is_visible_and_the_form_needs_no_scrolling(
    user: User, size: tuple[int, int]
) -> None:
    """The button stays in place while the advanced part is open; that scrolls."""
    controls = user.controls
    user.window.resize(*size)
    user.wait(lambda: user.window.width() == size[0])
    button, form = controls.generate_button, controls.compose_form
    assert button.mapTo(user.window, button.rect().bottomLeft()).y() < size[1]
    if size[1] >= 700:
        assert form.advanced.heading.visibleRegion().boundingRect() == form.advanced.heading.rect()
    form.advanced.heading.click()
    user.wait(form.model.isVisible)

    assert button.mapTo(user.window, button.rect().bottomLeft()).y() < size[1]
    assert button.visibleRegion().boundingRect() == button.rect()


def mute(document: Document, **heads: str) -> None:
    muted = MutedHeads()
    for model, text in heads.items():
        muted = muted.with_mutes(model, Mutes.parse(text))
    document.set_form(replace(document.form, muted=muted))


@pytest.mark.parametrize(
    ("heads", "words"),
    [
        ({"relative": "2.4"}, "Muted in Relative (writes): head 2.4"),
        ({"relative": "2.4,2.5"}, "Muted in Relative (writes): heads 2.4 and 2.5"),
        ({"relative": "4"}, "Muted in Relative (writes): layer 4"),
        (
            {"a": "1,2.4,3", "b": "2"},
            ("Muted in a: head 2.4 and layers 1 and 3; Muted in b: layer 2"),
        ),
    ],
)
def test_it_names_the_heads_of_each_model(heads: dict[str, str], words: str, qtbot: QtBot) -> None:
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


def test_the_dialog_for_harmonising_names_them(user: User) -> None:
    show_chords(user.app)
    mute(user.document, full="2.1")
    user.act.harmonise.trigger()
    dialog = user.app.writing.dialog
    assert dialog is not None

    assert dialog.muted.text.text() == "Muted in full: head 2.1"
    dialog.muted.clear.click()

    assert dialog.muted.isHidden()
    assert user.window.muted.isHidden()
    assert user.document.form.muted == MutedHeads()
    dialog.reject()
    mute(user.document, full="2.1")  # without the dialog


def test_the_pages_give_it_room_and_get_it_back(user: User) -> None:
    before = user.window.pages.height()
    mute(user.document, full="2.1")
    user.wait(lambda: user.window.pages.height() < before)
    mute(user.document)
    user.wait(lambda: user.window.pages.height() == before)
