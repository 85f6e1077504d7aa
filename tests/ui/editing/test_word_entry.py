"""Words typed under the notes: keys lead from note to note, and every word is a step of Undo."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from musicrel.chorale import Chorale, Lyric, Voice
from musicrel.score.editing.selection import Selection
from musicrel.ui.editing.word_entry_controller import NO_NOTES, WordEntryController
from tests.ui.user import User

KEY = Qt.Key
AIR = Chorale.of(
    [(72, 67, 64, 48)] * 4
    + [(74, 67, 65, 50)] * 4
    + [(76, 67, 64, 48)] * 4
    + [(77, 65, 60, 53)] * 4
)


@pytest.fixture
def entry(user: User) -> WordEntryController:
    user.document.show_piece(AIR)
    user.window.commands.edit.type_words.trigger()
    return user.app.word_entry


def type_in(entry: WordEntryController, text: str, *keys: Qt.Key) -> None:
    QTest.keyClicks(entry.bar.line, text)
    for key in keys:
        QTest.keyClick(entry.bar.line, key)


def words(user: User, voice: Voice = Voice.SOPRANO) -> list[str]:
    """Return step, verse and text of the words of a voice, with a hyphen or a line."""
    assert user.document.piece is not None
    return [
        f"{word.step}.{word.verse} {word.text}{'-' * word.hyphen}{'_' * word.extends}"
        for word in user.document.piece.lyrics
        if word.voice == voice
    ]


def test_keys_lead_from_note_to_note_and_say_how_the_word_goes_on(
    user: User, entry: WordEntryController
) -> None:
    type_in(entry, "Ma-ri_")
    type_in(entry, "the~end", KEY.Key_Return)
    type_in(entry, "o", KEY.Key_Escape)

    assert words(user) == ["0.1 Ma-", "4.1 ri_", "8.1 the‿end", "8.2 o"]
    assert entry.bar.isHidden()
    assert not user.window.commands.edit.type_words.isChecked()
    for left in (3, 2, 1, 0):
        user.document.undo()
        assert len(words(user)) == left


def test_a_tilde_joins_words_only_between_them(user: User, entry: WordEntryController) -> None:
    type_in(entry, "~ ~the~~end~ ")
    assert words(user) == ["4.1 the‿end"]


def test_the_note_of_the_word_is_selected_and_its_place_shown(
    user: User, entry: WordEntryController
) -> None:
    type_in(entry, "Lo ")
    assert user.document.selection == Selection(voices=(0,), start=4, stop=8)
    assert entry.bar.place.text() == "Soprano, verse 1"
    type_in(entry, "", KEY.Key_Down, KEY.Key_Down, KEY.Key_Up)
    assert entry.bar.place.text() == "Soprano, verse 2"


def test_a_word_is_changed_and_removed_where_it_stands(
    user: User, entry: WordEntryController
) -> None:
    type_in(entry, "Ma-ri ")
    type_in(entry, "", KEY.Key_Left)
    assert entry.bar.line.text() == "ri"
    type_in(entry, "", KEY.Key_Left)
    type_in(entry, "Mo", KEY.Key_Right)
    assert words(user) == ["0.1 Mo-", "4.1 ri"]
    type_in(entry, "", KEY.Key_Delete, KEY.Key_Space)
    assert words(user) == ["0.1 Mo-"]
    type_in(entry, "", KEY.Key_Left, KEY.Key_Underscore, KEY.Key_Underscore)
    assert words(user) == ["0.1 Mo_"]


def test_a_word_is_written_when_another_note_is_chosen(
    user: User, entry: WordEntryController
) -> None:
    QTest.keyClicks(entry.bar.line, "Lo")
    user.document.select(Selection(voices=(1, 2), start=12, stop=16))
    type_in(entry, "be", KEY.Key_Escape)
    assert (words(user), words(user, Voice.ALTO)) == (["0.1 Lo"], ["12.1 be"])


def test_words_end_where_their_note_is_gone_or_note_input_begins(
    user: User, entry: WordEntryController
) -> None:
    type_in(entry, "Lo ")
    user.document.undo()
    assert entry.bar.line.text() == ""
    assert not entry.bar.isHidden()
    user.window.commands.rewriting.draw.trigger()
    assert entry.bar.isHidden()


def test_without_a_note_there_is_nothing_to_write_under(user: User) -> None:
    user.document.show_piece(Chorale.of([[-1] * 4] * 16))
    user.window.commands.edit.type_words.trigger()
    assert not user.window.commands.edit.type_words.isChecked()
    assert user.state == NO_NOTES


def test_words_that_were_there_keep_what_is_not_typed(user: User) -> None:
    user.document.show_piece(
        Chorale.of([[72, 67, 64, 48]] * 4, lyrics=(Lyric(Voice.SOPRANO, 3, 0, "a‿b", hyphen=True),))
    )
    user.window.commands.edit.type_words.trigger()
    entry = user.app.word_entry
    type_in(entry, "", KEY.Key_Down, KEY.Key_Down)
    assert entry.bar.line.text() == "a~b"
    type_in(entry, "", KEY.Key_Escape)
    assert words(user) == ["0.3 a‿b-"]
