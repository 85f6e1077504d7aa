"""The remark that names the muted heads above Generate."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QScrollArea
from pytestqt.qtbot import QtBot

from musicrel.generation.heads.mutes import Mutes
from musicrel.presentation.compose.form import Form
from musicrel.presentation.words.muted_heads import MutedHeads
from musicrel.ui.compose.compose_form import ComposeForm
from musicrel.ui.compose.controls import WIDTH, Controls

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: size hints
_MUTED = MutedHeads().with_mutes("relative", Mutes.parse("2.3"))


def test_the_remark_is_hidden_until_a_head_is_muted(qtbot: QtBot) -> None:
    """It stands above Generate."""
    controls = Controls()
    qtbot.addWidget(controls)
    remark = controls.compose_form.muted
    assert remark.isHidden()

    controls.compose_form.set_form(Form(muted=_MUTED))
    controls.grab()  # lays it out

    assert not remark.isHidden()
    assert remark.text.text() == remark.accessibleDescription() == "Muted in relative: 2.3"
    assert remark.geometry().bottom() < controls.generate_button.geometry().top()


@pytest.mark.parametrize("height", [400, 500, 700, 1400])
@pytest.mark.parametrize("names", [("relative",), ("relative", "vanilla")])
def test_generate_does_not_move_when_heads_are_muted_or_unmuted(
    qtbot: QtBot, height: int, names: tuple[str, ...]
) -> None:
    """The mouse may be above it."""
    controls = Controls()
    qtbot.addWidget(controls)
    controls.resize(WIDTH, height)
    muted = MutedHeads()
    for name in names:
        muted = muted.with_mutes(name, Mutes.parse("2.3", "zero"))
    places = []
    for form in (Form(), Form(muted=muted), Form()):
        controls.compose_form.set_form(form)
        controls.grab()  # lays it out
        places.append(controls.generate_button.geometry())

    assert places[0] == places[1] == places[2]


def test_a_low_window_keeps_no_room_for_the_hidden_remark(qtbot: QtBot) -> None:
    """The form has it there, and gives way."""
    controls = Controls()
    qtbot.addWidget(controls)
    controls.resize(WIDTH, 400)
    heights = []
    for form in (Form(), Form(muted=_MUTED)):
        controls.compose_form.set_form(form)
        controls.grab()  # lays it out
        heights.append(controls.findChildren(QScrollArea)[0].height())

    assert heights[0] - heights[1] == controls.compose_form.muted.height()


def test_muted_heads_stay_in_the_form_until_they_are_cleared(qtbot: QtBot) -> None:
    """The button unmutes all of them, and the form reports it."""
    form = ComposeForm()
    qtbot.addWidget(form)
    form.set_form(Form(muted=_MUTED))
    assert form.form().muted == _MUTED

    with qtbot.waitSignal(form.changed, timeout=0):
        form.muted.clear.click()

    assert form.form().muted == MutedHeads()
    assert form.muted.isHidden()
