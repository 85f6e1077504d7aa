"""The document: what is on screen, what Undo restores, and when views are notified."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from musicrel import settings
from musicrel.chorale import Chorale
from musicrel.presentation import lock_cells
from musicrel.presentation.compose.form import Form
from musicrel.presentation.compose.models import ModelChoice
from musicrel.presentation.words.keys import with_keys
from musicrel.project.contents import Contents
from musicrel.score.editing.selection import Selection
from musicrel.settings import Settings
from musicrel.ui.document.document import GENERATING, PREVIEWING, Document, Sketch
from musicrel.ui.document.preferences import Preferences

ONE = Chorale.of([(72, 67, 64, 48)] * 8, title="One")
TWO = Chorale.of([(74, 67, 62, 47)] * 8, title="Two")
ALTO = lock_cells.of_voice(ONE, 1)


@pytest.fixture
def document() -> Document:
    return Document()


def state(document: Document) -> tuple[str, bool, bool, bool]:
    undo, redo = document.undo_state is not None, document.redo_state is not None
    return document.title, document.saved, undo, redo


def test_a_new_document_is_empty_and_saved(document: Document) -> None:
    assert (document.piece, document.locks, document.shown, document.sketch) == (None,) * 4
    assert document.saved
    assert document.title == ""
    assert (document.undo(), document.redo()) == (None, None)


def test_undo_restores_piece_form_and_locks(document: Document) -> None:
    document.show_piece(ONE, form=Form(seed=1))
    document.set_locks(ALTO)
    document.set_form(Form(seed=5, temperature=1.3))
    document.show_piece(TWO, form=Form(seed=2))
    document.undo()

    assert document.piece is ONE
    assert document.form == Form(seed=1)
    assert np.array_equal(document.locks, ALTO)  # type: ignore[arg-type]
    document.redo()
    assert (document.piece, document.form) == (TWO, Form(seed=2))


def test_undoing_a_lock_keeps_the_form_on_screen(document: Document) -> None:
    document.show_piece(ONE, form=Form(seed=1))
    document.set_locks(ALTO)
    document.set_form(Form(seed=9))
    document.undo()

    assert document.form == Form(seed=9)
    assert not document.locks.any()  # type: ignore[union-attr]


def test_redo_is_empty_after_a_new_action(document: Document) -> None:
    document.show_piece(ONE)
    document.show_piece(TWO)
    document.undo()
    assert state(document) == ("One", False, False, True)
    document.set_locks(ALTO)

    assert state(document) == ("One", False, True, False)
    document.undo()
    assert state(document) == ("One", False, False, True)


def test_saved_pieces_stay_saved_through_undo(document: Document) -> None:
    document.show_piece(ONE)
    document.mark_saved()
    assert state(document) == ("One", True, False, False)
    document.show_piece(Chorale.of([(72, 67, 64, 48)] * 8, title="One"))
    assert state(document) == ("One", False, True, False)

    document.undo()
    assert state(document) == ("One", True, False, True)


def test_preview_is_shown_but_is_not_the_piece(document: Document, qtbot: QtBot) -> None:
    document.show_piece(ONE)
    with qtbot.waitSignal(document.screen_changed) as change:
        document.preview(TWO)
    assert change.args == [TWO]
    assert (document.piece, document.shown) == (ONE, TWO)
    assert document.unready_reason == with_keys(PREVIEWING)

    with qtbot.waitSignal(document.screen_changed) as change:
        document.preview(None)
    assert change.args == [ONE]
    with qtbot.assertNotEmitted(document.screen_changed):
        document.preview(None)


def test_generation_sets_the_piece_aside_until_it_ends(document: Document, qtbot: QtBot) -> None:
    document.show_piece(ONE)
    with qtbot.waitSignal(document.screen_changed):
        document.begin_generation()
    assert (document.piece, document.unready_reason) == (None, GENERATING)
    assert document.undo_state is None
    document.draw(Sketch(piece=TWO, written=3))
    assert document.shown is None

    document.end_generation(TWO, Form(seed=3), complete=True)
    assert (document.piece, document.sketch) == (TWO, None)
    assert document.form_is_used
    document.undo()
    assert document.piece is ONE


def test_a_piece_set_aside_is_brought_back_by_undo(document: Document) -> None:
    document.show_piece(ONE)
    document.show_piece(TWO)
    document.set_aside()
    assert state(document) == ("Two", False, True, False)
    assert document.piece is None
    document.undo()

    assert state(document) == ("Two", False, True, False)
    assert not document.bring_back()


def test_locks_of_another_length_are_dropped(document: Document) -> None:
    document.show_piece(ONE)
    document.set_locks(ALTO)
    short = document.takes.add(ONE.cropped(0, 4), Form(), "continued")
    document.accept(short, is_new=False, locks=ALTO)

    assert document.locks is not None
    assert document.locks.shape == (4, 4)
    assert not document.locks.any()


def test_model_that_rewrites_decides_what_is_seen(document: Document) -> None:
    choice = ModelChoice(name="both", title="", detail="", conditions=frozenset(), family="infill")
    document.set_models((choice,), "both")

    assert document.choice_of("both") is choice
    assert document.sees_both_sides
    assert document.form.model == ""


def test_form_names_the_chosen_model(document: Document) -> None:
    choice = ModelChoice(name="both", title="", detail="", conditions=frozenset(), family="infill")
    document.set_models((choice,), "")
    document.set_form(Form(model="both"))
    assert document.sees_both_sides


def test_unchanged_form_and_selection_are_not_announced(document: Document, qtbot: QtBot) -> None:
    selection = Selection(voices=(0,), start=0, stop=1)
    document.select(selection)
    with qtbot.assertNotEmitted(document.selection_changed):
        document.select(Selection(voices=(0,), start=0, stop=1))
    with qtbot.assertNotEmitted(document.form_changed):
        document.set_form(Form())
    assert document.selection == selection


def test_every_piece_is_announced_once(document: Document) -> None:
    shown: list[Chorale | None] = []
    document.screen_changed.connect(shown.append)
    document.show_piece(ONE)
    document.preview(TWO)
    document.show_piece(TWO)

    assert shown == [ONE, TWO, TWO]


def test_a_hidden_piece_stays_the_current_one(document: Document, qtbot: QtBot) -> None:
    document.show_piece(ONE)
    with qtbot.assertNotEmitted(document.piece_changed):
        document.set_recording(on=True)
        assert (document.shown, state(document)[0]) == (None, "One")
        document.set_recording(on=False)
    assert document.shown is ONE


def test_entries_made_while_a_piece_is_generated_stay(document: Document) -> None:
    document.show_piece(ONE, form=Form(seed=1))
    document.begin_generation()
    document.set_form(Form(seed=1, bars=5))
    document.end_generation(TWO, Form(seed=1), complete=True)
    assert document.form.bars == 5
    document.show_piece(ONE)
    document.undo()

    assert (document.piece, document.form) == (TWO, Form(seed=1))


def test_generated_and_rewritten_pieces_are_takes(document: Document) -> None:
    document.show_piece(ONE, action="generated")
    document.show_piece(TWO, action="rewritten")
    document.show_piece(ONE.cropped(0, 4))

    made = [(take.number, take.name, take.action, take.parent) for take in document.takes.all]
    assert made == [
        (1, "One", "generated", None),
        (2, "Soprano, tenor and bass, bar 1", "rewritten", 1),
    ]
    assert document.take is document.takes.get(2)


def test_a_take_comes_back_with_its_settings(document: Document) -> None:
    document.show_piece(ONE, form=Form(seed=1), action="generated")
    document.show_piece(TWO, form=Form(seed=2), action="generated")
    document.use_take(1)
    assert (document.piece, document.form) == (ONE, Form(seed=1))
    assert len(document.takes.all) == 2

    document.undo()
    assert (document.piece, document.form) == (TWO, Form(seed=2))


def test_deleted_takes_come_back_with_undo(document: Document, qtbot: QtBot) -> None:
    document.show_piece(ONE, action="generated")
    document.show_piece(TWO, action="generated")
    with qtbot.waitSignal(document.takes.changed):
        document.delete_takes({1, 2})
    assert (document.piece, document.takes.visible) == (TWO, ())
    document.undo()
    assert [take.number for take in document.takes.visible] == [1, 2]

    document.redo()
    document.use_take(1)
    assert [take.number for take in document.takes.visible] == [1]


def test_ratings_and_names_are_unsaved_changes(document: Document) -> None:
    document.show_piece(ONE, action="generated")
    document.mark_saved()
    document.takes.rate(1, 5)
    assert (document.takes.all[0].rating, document.saved) == (3, False)
    document.mark_saved()
    document.takes.rename(1, "  A   name ")

    assert (document.takes.all[0].name, document.saved) == ("A name", False)
    assert document.undo_state is None


def test_names_of_takes_differ(document: Document) -> None:
    for _ in range(3):
        document.show_piece(ONE, action="generated")

    assert [take.name for take in document.takes.all] == ["One", "One, no. 2", "One, no. 3"]


def test_contents_are_restored(document: Document, qtbot: QtBot) -> None:
    document.show_piece(ONE, form=Form(seed=1), action="generated")
    document.set_locks(ALTO)
    document.show_piece(TWO, form=Form(seed=2), action="generated")
    document.undo()
    kept = document.contents({"sound": "organ"})
    other = Document()
    with qtbot.waitSignals([other.piece_changed, other.edited, other.takes.changed]):
        other.restore(kept, saved=True)

    assert (other.piece, other.form, other.saved) == (ONE, Form(seed=1), True)
    assert np.array_equal(other.locks, ALTO)  # type: ignore[arg-type]
    assert [take.name for take in other.takes.all] == ["One", "Two"]
    assert other.redo_state is not None
    assert kept.mixer == {"sound": "organ"}


def test_an_interrupted_generation_keeps_the_piece_before(document: Document) -> None:
    document.show_piece(ONE, action="generated")
    document.begin_generation()
    assert document.contents({}).current is not None
    document.end_generation(None)
    document.set_aside()

    assert document.contents({}).current is not None


def test_a_recovered_document_is_not_saved(document: Document) -> None:
    document.show_piece(ONE, action="generated")
    kept = document.contents({})
    document.restore(Contents(), saved=True)
    assert (document.piece, document.saved) == (None, True)
    document.restore(kept, saved=False)

    assert (document.piece, document.saved) == (ONE, False)


@pytest.fixture
def saved(monkeypatch: pytest.MonkeyPatch, home: Path) -> list[Settings]:
    found: list[Settings] = []
    monkeypatch.setattr(settings, "save", found.append)
    del home
    return found


def test_a_slider_is_saved_once(qtbot: QtBot, saved: list[Settings]) -> None:
    preferences, changes = Preferences(Settings()), list[str]()
    preferences.changed.connect(lambda: changes.append(preferences.settings.click_level))
    for level in range(50):
        preferences.remember_soon(click_level=str(level))

    assert (saved, len(changes), changes[-1]) == ([], 50, "49")
    qtbot.waitUntil(lambda: saved == [Settings(click_level="49")])


def test_another_change_saves_a_slider_too(qtbot: QtBot, saved: list[Settings]) -> None:
    preferences = Preferences(Settings())
    preferences.remember_soon(click_level="30")
    preferences.remember(theme="dark")
    assert saved == [Settings(click_level="30", theme="dark")]

    with qtbot.waitSignal(preferences.changed):
        preferences.remember_soon(click_level="40")
    qtbot.waitUntil(lambda: len(saved) > 1)
    assert saved[1:] == [Settings(click_level="40", theme="dark")]
