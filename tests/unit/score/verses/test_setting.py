"""Words under a melody."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Lyric, Meter, Voice
from musicrel.score.notes import notes
from musicrel.score.verses.setting import SetLine, first_words, known_under, set_under, text_under
from musicrel.score.verses.syllables import Syllable, Verse, verses
from tests.helpers.hymns import needs_hymns, sung_hymns

BESIDE = [67, 64, 48]


def melody(*lines: str, fermatas: bool = True, meter: Meter | None = None) -> Chorale:
    """Build a piece of lines of notes, each a pitch and its length, as in "72:4"."""
    soprano: list[int] = []
    onsets: list[bool] = []
    held: list[bool] = []
    for line in lines:
        length = 0
        for note in line.split():
            pitch, length = map(int, note.split(":"))
            soprano += [pitch] * length
            onsets += [True] + [False] * (length - 1)
            held += [False] * length
        held[-length:] = [fermatas] * length
    others = np.zeros((len(soprano), 4), dtype=np.bool_)
    others[:, 0], others[0] = onsets, True
    return Chorale.of(
        [[pitch, *BESIDE] for pitch in soprano],
        onsets=others,
        fermatas=np.array(held),
        meter=meter or Meter(),
    )


PLAIN = ("72:4 71:4 69:4 67:4", "65:4 64:4 62:4 60:4")
RUNS = ("72:4 71:2 69:2 67:4 67:4", "65:4 64:4 62:2 64:2 60:4")


def shown(lyrics: tuple[Lyric, ...], verse: int = 1) -> list[str]:
    """Return the words of a verse as "step text", with - for a hyphen and _ for a line."""
    return [
        f"{w.step} {w.text}{'-' * w.hyphen}{'_' * w.extends}" for w in lyrics if w.verse == verse
    ]


def test_a_line_stands_under_each_phrase_and_a_syllable_under_each_note() -> None:
    text = verses("Red is the rose\nand green the tree\n\nSummer is come\nto you and me", "English")
    found = set_under(melody(*PLAIN), text)
    assert found.misfits == ()
    assert shown(found.lyrics) == [
        "0 Red", "4 is", "8 the", "12 rose", "16 and", "20 green", "24 the", "28 tree",
    ]  # fmt: skip
    assert shown(found.lyrics, 2)[:2] == ["0 Sum-", "4 mer"]
    assert {word.voice for word in found.lyrics} == {Voice.SOPRANO}


def test_passing_notes_are_sung_on_first() -> None:
    found = set_under(melody(*RUNS), verses("Red is the rose\nand green the tree", "English"))
    assert found.misfits == ()
    assert shown(found.lyrics) == [
        "0 Red", "4 is_", "8 the", "12 rose", "16 and", "20 green", "24 the_", "28 tree",
    ]  # fmt: skip


def test_a_hyphen_and_no_line_follows_a_syllable_that_is_sung_on_within_a_word() -> None:
    found = set_under(melody(*RUNS), verses("Red roses stand\nand green the tree", "English"))
    assert shown(found.lyrics)[:4] == ["0 Red", "4 ros-", "8 es", "12 stand"]


def test_a_line_with_too_many_syllables_is_marked_and_loses_none() -> None:
    found = set_under(
        melody(*PLAIN), verses("Red is the royal rose\nand green the tree", "English")
    )
    assert found.misfits == (SetLine(verse=1, line=1, syllables=6, notes=4, needed=4),)
    assert shown(found.lyrics)[3] == "12 roy‿al‿rose"


def test_a_line_with_too_few_syllables_is_marked() -> None:
    found = set_under(melody(*PLAIN), verses("Red is the rose\nand green", "English"))
    assert found.misfits == (SetLine(verse=1, line=2, syllables=2, notes=4, needed=4),)
    assert len(shown(found.lyrics)) == 6


def test_lines_beyond_the_melody_have_no_notes() -> None:
    text = verses("Red is the rose\nand green the tree\nand blue the sea", "English")
    found = set_under(melody(*PLAIN, fermatas=False), text)
    assert [line.notes for line in found.lines] == [4, 4, 0]
    assert [line.fits for line in found.lines] == [True, True, False]


@pytest.mark.parametrize("sizes", [(4, 4), (3, 5), (5, 3)])
def test_without_fermatas_lines_end_where_the_melody_rests(sizes: tuple[int, int]) -> None:
    lines = [" ".join([*("72:4", "71:4", "69:4", "67:4")[: size - 1], "60:8"]) for size in sizes]
    text = ((Syllable("la"),) * sizes[0], (Syllable("lo"),) * sizes[1])
    found = set_under(melody(*lines, fermatas=False), [text])
    assert found.misfits == ()
    assert [word.text for word in found.lyrics] == ["la"] * sizes[0] + ["lo"] * sizes[1]


def test_a_piece_without_a_melody_takes_no_words() -> None:
    silent = Chorale.of([[REST, *BESIDE]] * 16)
    found = set_under(silent, verses("Red is the rose", "English"))
    assert found.lyrics == ()
    assert not found.lines[0].fits


def test_the_words_of_a_piece_are_a_text_again() -> None:
    text = "Red ros-es stand‿here\nand green the tree\n\nSum-mer is come\nto you and me"
    piece = melody(*PLAIN)
    piece = replace(piece, lyrics=set_under(piece, verses(text, "English")).lyrics)
    assert text_under(piece) == text
    assert text_under(melody(*PLAIN)) == ""


@needs_hymns
def test_syllables_of_hymns_come_back_to_where_hymnals_have_them() -> None:
    """The lines of the first verse of each hymn, by the phrases of the hymnal: 98 % are placed."""
    right = total = 0
    for hymn in sung_hymns()[::8]:
        words = [word for word in hymn.lyrics if word.verse == 1]
        ends = [note.stop for note in notes(hymn, Voice.SOPRANO) if hymn.fermatas[note.start]]
        lines = [
            tuple(Syllable(w.text, w.hyphen) for w in words if start <= w.step < stop)
            for start, stop in pairwise([0, *ends, hymn.steps])
        ]
        verse: Verse = tuple(line for line in lines if line)
        found = set_under(hymn, [verse]).lyrics
        right += len({word.step for word in found} & {word.step for word in words})
        total += len(words)
    assert total > 1000
    assert right >= 0.95 * total


@needs_hymns
def test_words_stay_under_their_notes_when_one_of_them_is_corrected() -> None:
    for hymn in sung_hymns()[::8]:
        *others, last = hymn.lyrics
        text = verses(text_under(hymn) + "s", "English", known_under(hymn))
        assert set_under(hymn, text).lyrics == (*others, replace(last, text=last.text + "s"))


def test_a_revised_line_with_more_syllables_is_set_under_its_own_notes() -> None:
    """Heaven has one note, and the melisma in the first line is where it was written."""
    piece = melody(*RUNS)
    steps = [0, 6, 8, 12, 16, 20, 24, 28]
    texts = ["Red", "is", "the", "heaven", "And", "green", "the", "tree"]
    words = [Lyric(Voice.SOPRANO, 3, step, text) for step, text in zip(steps, texts, strict=True)]
    piece = replace(piece, lyrics=tuple(words))
    revised = verses("Red is the heaven\nAnd green is the tree", "English", known_under(piece))
    found = set_under(piece, revised)
    assert found.misfits == ()
    assert shown(found.lyrics, verse=3) == [
        "0 Red", "6 is", "8 the", "12 heaven",
        "16 And", "20 green", "24 is", "26 the", "28 tree",
    ]  # fmt: skip


def test_another_text_is_set_anew() -> None:
    piece = replace(melody(*PLAIN), lyrics=(Lyric(Voice.SOPRANO, 1, 0, "Red"),))
    text = verses("Red is the rose and green the tree", "English", known_under(piece))
    assert set_under(piece, text) == set_under(melody(*PLAIN), text)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Now thank we all our God,\n\nanother verse", "Now thank we all our God"),
        ("“What won-drous love is this!”", "What wondrous love is this"),
        ("’Tis mid-night: all the~earth…", "’Tis midnight: all the earth"),
        ("ev-er-" * 30 + "more", "ever" * 15 + " …"),
        ("O come, " * 10, "O come, " * 7 + "O …"),
        ("?", ""),
    ],
)
def test_the_first_verse_is_a_title_without_its_last_punctuation(text: str, title: str) -> None:
    lyrics = [
        Lyric(Voice.SOPRANO, number, step, *syllable)
        for number, verse in enumerate(verses(text, "English"), start=1)
        for step, syllable in enumerate(verse[0])
    ]
    assert first_words(lyrics) == title


def test_without_words_there_is_no_title() -> None:
    assert first_words(()) == ""
