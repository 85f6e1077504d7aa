"""Repeats that are found in the notes, written as signs, and read again as they are played."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np
import pytest

from musicrel import jobs
from musicrel.analysis.corpus import bundled
from musicrel.analysis.numeral_search import numerals
from musicrel.chorale import Chorale, Key, Lyric, Mark, MarkKind, Voice
from musicrel.figures import engraver, exports
from musicrel.figures.score import Score
from musicrel.score import files
from musicrel.score.musicxml import musicxml_writer
from musicrel.score.musicxml.musicxml_writer import Layout
from musicrel.score.notation import repeats

BAR = 16


def piece(form: str, pickup: int = 0, **fields: Any) -> Chorale:
    """Return a piece of a bar for each letter; a pickup is the end of a bar, which lacks it."""
    chords = [
        [72 + (2 * letter + beat) % 7, 65 + (letter + beat) % 5, 58 + beat, 48 + letter]
        for letter in (ord(one) - ord("A") for one in form)
        for beat in range(4)
    ]
    pitches = np.repeat(chords, 4, axis=0)
    onsets = np.repeat(np.arange(len(pitches)) % 4 == 0, 4).reshape(-1, 4)
    return Chorale.of(pitches, onsets=onsets, pickup=pickup, **fields)


def found(chorale: Chorale) -> list[tuple[float, ...]]:
    """Return the repeats in bars: start, first ending, second time, end."""
    every = [(one.start, one.ending, one.stop, one.end) for one in repeats.find(chorale)]
    return [tuple(step / BAR for step in steps) for steps in every]


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("ABABC", [(0, 2, 2, 4)]),
        ("CABAB", [(1, 3, 3, 5)]),
        ("ABABCDECDE", [(0, 2, 2, 4), (4, 7, 7, 10)]),
        ("ABCABDE", [(0, 2, 3, 6)]),
        ("ABCDEABCFGH", [(0, 3, 5, 10)]),
        ("ABABABAB", [(0, 4, 4, 8)]),
        ("AABCD", []),
        ("ABCADE", []),
        ("ABCDABEF", []),
        ("ABCDEF", []),
    ],
)
def test_passages_of_two_bars_and_more_are_found_with_their_endings(
    form: str, expected: list[tuple[int, ...]]
) -> None:
    assert found(piece(form)) == expected


def test_a_passage_begins_with_a_phrase() -> None:
    """Even if the bar before it is the same as the last one of the passage."""
    form, steps = "CABCABCD", np.arange(8 * BAR)
    assert found(piece(form))[0][0] == 0

    phrases = piece(form, fermatas=np.isin(steps // 4, [3, 15, 27, 31]))

    assert found(phrases) == [(1, 4, 4, 7)]


def test_silence_is_not_repeated() -> None:
    assert found(Chorale.of(np.full((8 * BAR, 4), -1))) == []


def test_a_pickup_belongs_to_the_passage_that_it_begins() -> None:
    assert found(piece("ABABC", pickup=4)) == [(0, 2, 2, 4)]
    assert found(piece("ABCDABCEF", pickup=4)) == [(0, 2.25, 4, 8.25)]


def held(step: int) -> Chorale:
    whole = piece("ABABC")
    pitches, onsets = whole.pitches.copy(), whole.onsets.copy()
    pitches[step, Voice.BASS], onsets[step, Voice.BASS] = pitches[step - 1, Voice.BASS], False
    pitches[step + 1 : step + 4, Voice.BASS] = pitches[step, Voice.BASS]
    return replace(whole, pitches=pitches, onsets=onsets)


def mark(kind: MarkKind, start: int, value: Any, stop: int = 0) -> Mark:
    return Mark(kind=kind, start=start, stop=stop or start, value=value)


@pytest.mark.parametrize(
    "other",
    [
        held(4 * BAR),
        piece("ABABC", fermatas=np.arange(5 * BAR) < 4),
        piece("ABABC", marks=(mark("dynamic", 2 * BAR, "f"),)),
        piece("ABABC", marks=(mark("key", 3 * BAR, Key("D", "major")),)),
        piece("ABABC", marks=(mark("tempo", 3 * BAR, 60.0),)),
        piece("ABABC", marks=(mark("slowing", 12, 70.0, 36),)),
        piece("ABABC", marks=(mark("slur", 4 * BAR - 4, Voice.ALTO, 4 * BAR + 8),)),
        piece("ABABC", lyrics=(Lyric(Voice.SOPRANO, 1, 0, "Ah"),)),
    ],
    ids=["tie", "fermata", "dynamic", "key", "tempo", "slowing", "slur", "words"],
)
def test_what_is_not_the_same_both_times_is_written_out(other: Chorale) -> None:
    assert found(other) == []


def test_a_dynamic_within_a_passage_is_printed_if_it_begins_with_one() -> None:
    softer = [mark("dynamic", step, "p") for step in (BAR, 3 * BAR)]
    first, *others = [mark("dynamic", step, "f") for step in (0, 2 * BAR)]
    assert found(piece("ABABC", marks=(*softer, first, *others))) == [(0, 2, 2, 4)]

    whole = piece("CABABC", marks=(first, *(one.moved(BAR) for one in (*softer, *others))))

    assert found(whole) == []


def marked() -> Chorale:
    """Return a piece with marks and words of all kinds that are the same both times."""
    both = (
        mark("key", 16, Key("A", "minor")), mark("tempo", 16, 66.0), mark("dynamic", 0, "mf"),
        mark("dynamic", 24, "pp"), mark("slowing", 24, 60.0, 32), mark("slur", 4, Voice.TENOR, 16),
    )  # fmt: skip
    again = [mark("key", 32, Key("C", "major")), mark("tempo", 32, 80.0)]
    words = [Lyric(Voice.SOPRANO, 1, step, "la", hyphen=step % 32 == 0) for step in (0, 4, 32, 36)]
    return piece(
        "ABABC",
        marks=(*both, *(one.moved(32) for one in both), *again),
        lyrics=tuple(words),
        key=Key("C", "major"),
    )


BACH = bundled.load("train")
PIECES = {
    "bar form": piece("ABABC"),
    "to the end": piece("CABAB"),
    "in three voices": piece("ABAB"),
    "two repeats": piece("ABABCDECDE", pickup=8),
    "endings": piece("ABCABD"),
    "endings after a pickup": piece("ABCDABCEF", pickup=4),
    "endings in a passage of its own": piece("FABCGABCDE", pickup=12),
    "marks and words": marked(),
    "BWV 1.6": BACH[0],
    "BWV 190.7": BACH[39],
}


@pytest.mark.parametrize("layout", ["parts", "staves"])
@pytest.mark.parametrize("name", PIECES)
def test_signs_are_read_as_they_are_played(name: str, layout: Layout, tmp_path: Path) -> None:
    whole, path = PIECES[name], tmp_path / "piece.musicxml"
    signs = repeats.find(whole)
    assert signs

    musicxml_writer.write(
        whole, path, layout=layout, repeats=signs, numerals=numerals(whole), figures=True
    )

    back = files.import_satb(path)
    assert back.chorale == whole
    assert all("repeats were written out" in sentence for sentence in back.report)


def measures(chorale: Chorale) -> list[Element]:
    tree = musicxml_writer.to_tree(chorale, repeats=repeats.find(chorale))
    return tree.findall("part")[0].findall("measure")


def test_a_bar_with_a_sign_inside_is_two_measures_and_counted_once() -> None:
    form = [
        (one.get("number"), one.get("implicit"), sum(head.stop - head.start for head in found))
        for one in measures(piece("ABABC", pickup=4))
        if (found := list(musicxml_writer.heads(one, 0)))
    ]

    assert form == [
        ("0", "yes", 4), ("1", None, 16), ("2", None, 12), ("2", "yes", 4), ("3", None, 12),
    ]  # fmt: skip


def test_endings_are_counted_on_and_bracketed() -> None:
    bars = measures(piece("ABCABD"))

    assert [one.get("number") for one in bars] == ["1", "2", "3", "4"]
    ends = [
        (bar.get("number"), end.get("number"), end.get("type"))
        for bar in bars
        for end in bar.iterfind("barline/ending")
    ]
    assert ends == [
        ("3", "1", "start"),
        ("3", "1", "stop"),
        ("4", "2", "start"),
        ("4", "2", "stop"),
    ]
    assert [one.findtext("barline[@location='right']/bar-style") for one in bars] == [
        None, None, "light-heavy", "light-heavy",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["bar form", "two repeats", "endings", "BWV 1.6", "BWV 190.7"])
def test_music21_plays_the_notes_of_the_piece(name: str) -> None:
    music21 = pytest.importorskip("music21")
    whole = PIECES[name]
    text = musicxml_writer.to_xml(whole, repeats=repeats.find(whole))

    score = music21.converter.parseData(text, format="musicxml").expandRepeats()

    for voice, part in zip(Voice, score.parts, strict=True):
        notes = part.stripTies().flatten().notes
        sounding = [(round(4 * float(note.offset)), note.pitch.midi) for note in notes]
        steps = np.flatnonzero(whole.onsets[:, voice]).tolist()
        assert sounding == [(step, whole.pitches[step, voice]) for step in steps]


def test_a_piece_without_repeats_is_written_as_before(tmp_path: Path) -> None:
    for signs in (False, True):
        path = tmp_path / f"{signs}.musicxml"
        exports.write_score(piece("ABCD"), path, numerals=False, repeat_signs=signs)

    assert (tmp_path / "False.musicxml").read_bytes() == (tmp_path / "True.musicxml").read_bytes()


def engraved(chorale: Chorale, *, signs: bool) -> Score:
    return jobs.run(engraver.engrave(chorale, width=16_000, repeat_signs=signs))


@pytest.mark.parametrize("name", ["bar form", "two repeats", "endings", "BWV 1.6"])
def test_the_engraved_score_has_every_note_once(name: str) -> None:
    whole = PIECES[name]
    signs = repeats.find(whole)
    again = {step for one in signs for step in range(one.stop, one.resumes)}

    every, once = (
        [head for system in score.systems for head in system.heads]
        for score in (engraved(whole, signs=False), engraved(whole, signs=True))
    )

    assert {head.note for head in once} == {head.note for head in every if head.start not in again}
    assert len(once) == len([head for head in every if head.start not in again])
