"""The dialog that sets a text under the melody."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import Chorale, Lyric, Voice
from musicrel.score.editing.selection import Selection
from musicrel.ui.app_controller import AppController
from musicrel.ui.editing.words import WordsDialog
from tests.ui.user import User

MELODY = (72, 71, 69, 67, 65, 64, 62, 60)
FERMATAS = [step // 4 in (3, 7) for step in range(32)]
PIECE = Chorale.of(
    [[pitch, 55, 52, 48] for pitch in MELODY for _ in range(4)],
    fermatas=np.array(FERMATAS),
    title="A hymn",
)
TEXT = "Red is the rose\nand green the tree\n\nSummer is come\nto you and me"


@pytest.fixture
def dialog(app: AppController) -> WordsDialog:
    return opened(app, PIECE)


def opened(app: AppController, piece: Chorale) -> WordsDialog:
    app.document.show_piece(piece)
    app.document.select(Selection(voices=(1,), start=0, stop=4))
    app.window.commands.edit.words.trigger()
    dialog = app.words.dialog
    assert dialog is not None
    dialog.words.language.set_value("English")
    return dialog


def shown(dialog: WordsDialog) -> list[tuple[str, ...]]:
    """Return the table of lines; those that do not fit are bold and have a star here."""
    cells = dialog.words.lines
    items = [
        [cells.item(row, column) for column in range(cells.columnCount())]
        for row in range(cells.rowCount())
    ]
    return [
        tuple("*" * item.font().bold() + item.text() for item in row if item is not None)
        for row in items
    ]


def test_a_text_becomes_the_words_of_the_melody_in_one_step_of_undo(
    user: User, dialog: WordsDialog
) -> None:
    dialog.words.text.setPlainText(TEXT)
    dialog.action_button.click()

    document = user.document
    assert document.piece is not None
    words = [(word.voice, word.verse, word.step, word.text) for word in document.piece.lyrics]
    assert words[:5] == [
        (Voice.SOPRANO, 1, 4 * number, text)
        for number, text in enumerate(["Red", "is", "the", "rose", "and"])
    ]
    assert len(words) == 16
    assert document.selection == Selection(voices=(1,), start=0, stop=4)
    assert user.app.words.dialog is None
    document.undo()
    assert document.piece == PIECE


def test_what_fits_is_shown_as_one_types(dialog: WordsDialog) -> None:
    assert shown(dialog) == []
    assert dialog.action_button.toolTip() == "Type or paste a text first"
    assert not dialog.action_button.isEnabled()

    dialog.words.text.setPlainText(TEXT)
    assert shown(dialog) == [
        ("1.1", "Red is the rose", "4"),
        ("1.2", "and green the tree", "4"),
        ("2.1", "Sum-mer is come", "4"),
        ("2.2", "to you and me", "4"),
    ]
    assert dialog.words.metre.text() == "Metre: 4.4"
    assert dialog.words.summary.text() == "Every syllable has a note."

    dialog.words.text.setPlainText(TEXT.replace("to you", "unto you").replace("and green", "green"))
    assert shown(dialog)[1] == ("*1.2", "*green the tree", "*3 for 4 notes")
    assert shown(dialog)[3] == ("*2.2", "*un-to you and me", "*5 for 4 notes")
    assert dialog.words.metre.text() == "Metre: 4.3; verse 2: 4.5"
    assert dialog.words.summary.text().startswith("2 of 4 lines do not fit.")
    assert dialog.action_button.isEnabled()
    dialog.reject()


def test_a_text_much_longer_than_the_melody_is_said_to_be_left_out(dialog: WordsDialog) -> None:
    """The dialog keeps its width, whatever is pasted."""
    wide = dialog.minimumSizeHint().width()
    dialog.words.text.setPlainText("Red is the rose\n" * 400)
    assert dialog.words.summary.text().endswith("no notes for 398 lines: they are left out.")
    assert dialog.words.metre.text().startswith("Metre: 4.4.4.4")
    assert dialog.minimumSizeHint().width() == wide
    dialog.reject()


def test_another_language_divides_words_otherwise(dialog: WordsDialog) -> None:
    dialog.words.text.setPlainText("love and table")
    assert shown(dialog)[0][1] == "love and ta-ble"
    dialog.words.language.set_value("Latin")
    assert shown(dialog)[0][1] == "*lo-ve and ta-ble"
    dialog.reject()


def test_too_many_verses_are_refused(dialog: WordsDialog) -> None:
    dialog.words.text.setPlainText("la\n\n" * 100)
    assert dialog.action_button.toolTip().startswith("The text has 100 verses: expected at most 99")
    assert not dialog.action_button.isEnabled()
    dialog.reject()


def test_the_words_of_the_piece_are_the_text_and_can_be_removed(app: AppController) -> None:
    words = tuple(
        Lyric(Voice.SOPRANO, 1, 4 * step, text, hyphen=text == "ros")
        for step, text in enumerate(["Red", "ros", "es", "stand", "in", "my", "green", "land"])
    )
    piece = replace(PIECE, lyrics=(*words, Lyric(Voice.ALTO, 1, 0, "Ah")))
    dialog = opened(app, piece)
    assert dialog.words.text.toPlainText() == "Red ros-es stand\nin my green land"
    dialog.action_button.click()
    assert app.document.piece is piece

    opened(app, piece).remove.click()
    assert app.document.piece == PIECE
    app.document.undo()
    assert app.document.piece == piece


def test_lower_voices_follow_the_words_that_they_share_and_keep_their_own(
    app: AppController,
) -> None:
    words = [
        Lyric(voice, 1, 4 * step, text)
        for voice, texts in (
            (Voice.SOPRANO, TEXT.split()[:8]), (Voice.BASS, ["Red"]), (Voice.ALTO, ["Ah"]),
        )
        for step, text in enumerate(texts)
    ]  # fmt: skip
    dialog = opened(app, replace(PIECE, lyrics=tuple(words)))
    dialog.words.text.setPlainText(dialog.words.text.toPlainText().replace("Red", "White"))
    dialog.action_button.click()

    assert app.document.piece is not None
    new = [replace(word, text=word.text.replace("Red", "White")) for word in words]
    assert app.document.piece.lyrics == tuple(sorted(new))


def test_without_words_there_is_nothing_to_remove(dialog: WordsDialog) -> None:
    assert not dialog.remove.isEnabled()
    assert dialog.remove.toolTip() == "The piece has no words"
    dialog.reject()


def test_another_piece_closes_the_dialog(app: AppController, dialog: WordsDialog) -> None:
    dialog.words.text.setPlainText("Lost")
    app.document.show_piece(Chorale.of([[60, 55, 52, 48]] * 16, title="Other"))
    assert app.words.dialog is None
    assert app.document.title == "Other"
