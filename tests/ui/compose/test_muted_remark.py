"""The remark that names the muted heads above Generate."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from musicrel.generation.heads.mutes import Mutes
from musicrel.presentation.compose.form import Form
from musicrel.presentation.words.muted_heads import MutedHeads
from musicrel.ui.compose.compose_form import ComposeForm
from musicrel.ui.compose.controls import Controls

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
