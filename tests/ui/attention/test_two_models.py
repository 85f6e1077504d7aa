"""Two models on the Attention page, with fake jobs, and muted heads of the chosen one."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from musicrel.errors import ModelError
from musicrel.generation.heads.mutes import Head, Mutes
from musicrel.presentation.words.muted_heads import MutedHeads
from musicrel.score.editing.selection import Selection
from musicrel.ui.controllers import attention_controller
from musicrel.ui.controllers.attention_controller import AttentionController
from musicrel.ui.effects.effects_controller import NONE_MUTED
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.conftest import BOTH_SIDES, CHOICES
from tests.ui.fakes import TIMEOUT
from tests.ui.user import User


def compare(window: MainWindow, name: str) -> None:
    box = window.attention.second_model
    box.setCurrentIndex(box.findData(name))
    box.activated.emit(box.currentIndex())


def offered(window: MainWindow) -> list[str]:
    box = window.attention.second_model
    return [box.itemData(row) for row in range(box.count())]


def test_second_model_reads_an_opened_piece(opened: AttentionController, user: User) -> None:
    compare(user.window, "plain")
    user.wait(lambda: opened.shown_second is not None)

    assert opened.models.both == ("full", "plain")
    assert [name for name, _, _ in user.jobs.analysis_requests] == ["full", "plain"]
    assert user.window.attention.plots.halves[1].isVisible()
    compare(user.window, "")
    assert opened.shown_second is None
    assert not user.window.attention.plots.halves[1].isVisible()
    assert user.window.attention.caption.text().startswith("full ")


def test_only_models_that_answer_the_same_question_are_offered(
    opened: AttentionController, user: User
) -> None:
    assert offered(user.window) == ["", "plain"]

    user.document.set_models((*CHOICES, BOTH_SIDES), "")

    assert offered(user.window) == ["", "plain"]
    assert user.window.attention.second_model.isEnabled()
    user.document.set_models(CHOICES[:1], "")
    assert offered(user.window) == [""]
    assert not user.window.attention.second_model.isEnabled()
    assert user.window.attention.second_model.toolTip() == attention_controller.NO_OTHER
    del opened


def test_the_model_of_b_chosen_as_a_changes_places_with_it(
    opened: AttentionController, user: User
) -> None:
    compare(user.window, "plain")
    user.wait(lambda: opened.shown_second is not None)
    box = user.window.attention.model
    box.setCurrentIndex(box.findData("plain"))
    box.activated.emit(box.currentIndex())

    assert opened.models.both == ("plain", "full")
    user.wait(lambda: opened.shown_second is not None)


def test_notes_are_coloured_by_the_difference_in_its_view_only(
    opened: AttentionController, user: User
) -> None:
    roll, page = user.roll, user.window.attention
    compare(user.window, "plain")
    user.wait(lambda: opened.shown_second is not None)
    page.switch.open("surprisal")

    note = roll.picture.notes[0]  # type: ignore[union-attr]
    assert "both are surprised alike" in roll.describe(note)
    assert user.page.heat_legend.isVisible()
    assert "A: full, B: plain" in user.page.heat_legend.toolTip()
    page.switch.open("maps")
    assert "surprised" not in roll.describe(note)
    assert user.page.legend.isVisible()
    page.switch.open("surprisal")
    user.window.pages.open("compose")
    assert "surprised" not in roll.describe(note)


def test_heads_of_both_models_are_chosen_by_themselves(
    opened: AttentionController, user: User
) -> None:
    compare(user.window, "plain")
    user.wait(lambda: opened.shown_second is not None)
    first, second = user.window.attention.plots.halves
    user.window.attention.choices.head_chosen.emit(1, Head(1, 0))

    assert second.title.text() == "B: plain, layer 2, head 1"
    assert first.title.text() == "A: full, mean of all heads"


def test_heads_are_named_above_the_views_that_compare_them(
    opened: AttentionController, user: User
) -> None:
    page = user.window.attention
    compare(user.window, "plain")
    user.wait(lambda: opened.shown_second is not None)
    page.choices.head_chosen.emit(1, Head(1, 0))
    names = {}
    for view in ("maps", "note", "shares", "surprisal", "claims"):
        page.switch.open(view)
        names[view] = page.head.text() if page.head.isVisible() else ""

    both = "A: mean of all heads. B: layer 2, head 1"
    assert names == {"maps": "", "note": both, "shares": both, "surprisal": "", "claims": both}


def test_second_model_waits_while_a_piece_is_written(
    attention: AttentionController, user: User
) -> None:
    attention.models.follow("plain")
    user.jobs.hold_at = 70
    user.app.writing.generate()
    assert user.jobs.waiting.wait(TIMEOUT)
    assert not user.window.attention.second_model.isEnabled()
    assert user.jobs.analysis_requests == []
    user.jobs.gate.set()

    user.wait(lambda: attention.shown_second is not None)
    assert [name for name, _, _ in user.jobs.analysis_requests] == ["plain"]


def test_failure_of_the_second_model_leaves_the_first(
    opened: AttentionController, user: User
) -> None:
    user.jobs.analysis_error = ModelError("its weights are truncated")
    compare(user.window, "plain")
    user.wait(lambda: user.state == "Its weights are truncated")

    assert opened.shown is not None
    assert user.window.attention.plots.halves[0].map.isVisible()


def test_progress_goes_with_the_model_that_is_no_longer_wanted(
    opened: AttentionController, user: User
) -> None:
    del opened
    user.jobs.endless_analysis = True
    compare(user.window, "plain")
    user.wait(lambda: user.state == "Analysing the piece with plain: 25%")

    compare(user.window, "")

    assert user.state == ""
    user.jobs.endless_analysis = False


def choose(window: MainWindow, name: str) -> None:
    box = window.attention.model
    box.setCurrentIndex(box.findData(name))
    box.activated.emit(box.currentIndex())


def test_muted_heads_are_those_of_the_model_that_is_chosen_on_the_page(
    opened: AttentionController, user: User
) -> None:
    grid, listen = user.window.attention.plots.halves[0].grid, user.app.effects.panel.listen
    user.window.attention.choices.head_chosen.emit(0, Head(1, 0))
    user.app.effects.mutes.toggle(0, Head(1, 0))
    assert grid.accessibleDescription() == "Layer 2, head 1, muted"
    assert listen.isEnabled()

    choose(user.window, "plain")
    user.wait(lambda: opened.shown is not None)

    assert grid.accessibleDescription() == "Layer 2, head 1"
    assert not listen.isEnabled()
    assert listen.toolTip() == NONE_MUTED
    choose(user.window, "full")
    assert grid.accessibleDescription() == "Layer 2, head 1, muted"
    assert listen.isEnabled()


def test_a_muted_head_that_the_model_no_longer_has_is_reported(
    opened: AttentionController, user: User
) -> None:
    del opened
    document = user.document
    document.set_form(
        replace(document.form, muted=MutedHeads().with_mutes("full", Mutes.parse("9.1")))
    )
    user.window.attention.choices.head_chosen.emit(0, Head(0, 0))

    QTest.keyClick(user.window.attention.plots.halves[0].grid, Qt.Key.Key_M)

    assert user.message.startswith("The model has no head 9.1")
    assert document.form.muted.of("full") == Mutes.parse("9.1")


def test_music_goes_on_when_both_pieces_are_written(
    opened: AttentionController, user: User
) -> None:
    del opened
    user.app.effects.mutes.toggle(0, Head(1, 0))
    user.document.select(Selection(voices=(1,), start=20, stop=21))
    user.app.playback.toggle()
    assert user.app.player.playing

    user.app.effects.comparison.from_bar.trigger()
    user.wait(lambda: not user.writer.busy)

    assert user.writer.chosen == 1
    assert user.app.player.playing
    user.writing.dismiss()
    user.app.playback.stop()
