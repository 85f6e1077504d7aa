"""Verses with a harmony of their own, and verses one after the other."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Key, Lyric, Mark, Voice
from musicrel.errors import UsageError
from musicrel.generation import edit_requests
from musicrel.generation.request import GenerationRequest
from musicrel.score import chord_markers, files
from musicrel.score.editing import piece_edits, word_entry
from musicrel.score.editing.selection import Selection
from musicrel.score.midi import midi_lyrics
from musicrel.score.musicxml import musicxml_writer
from musicrel.score.verses import setting, syllables
from musicrel.score.verses.harmonies import (
    harmonies,
    in_order,
    in_order_with_steps,
    with_own_harmony,
)
from tests.helpers.hymns import needs_hymns, sung_hymns

CHORDS = [[72, 67, 60, 48], [71, 67, 62, 43], [72, 64, 60, 48], [74, 65, 62, 50]]
HYMN = Chorale.of(np.repeat(np.tile(CHORDS, (2, 1)), 4, axis=0), pickup=4, key=Key("C", "major"))
"""Two bars with an upbeat, eight quarters."""


def worded(*verses: str) -> Chorale:
    """Set verses under the melody, a syllable to a quarter."""
    return replace(
        HYMN,
        lyrics=tuple(
            Lyric(Voice.SOPRANO, verse, 4 * place, text)
            for verse, line in enumerate(verses, start=1)
            for place, text in enumerate(line.split())
        ),
    )


THREE = worded("a b c d e f g h", "i k l m n o p q", "r s t u v w x y")


def texts(piece: Chorale, verse: int) -> str:
    return " ".join(
        word.text
        for word in piece.lyrics
        if (word.voice, word.verse) == (Voice.SOPRANO, verse)
    )  # fmt: skip


def test_verses_under_the_same_notes_have_one_harmony() -> None:
    assert harmonies(THREE) == ((0, 32, (1, 2, 3)),)
    assert harmonies(HYMN) == ((0, 32, ()),)


def test_every_verse_begins_in_the_first_key_and_tempo() -> None:
    marks = (
        Mark(kind="dynamic", start=0, stop=0, value="p"),
        Mark(kind="key", start=16, stop=16, value=Key("G", "major")),
        Mark(kind="tempo", start=16, stop=16, value=60.0),
    )
    once = replace(worded("a b c d e f g h", "i k l m n o p q"), marks=marks)
    assert [(mark.kind, mark.start, str(mark.value)) for mark in in_order(once).marks] == [
        ("dynamic", 0, "p"), ("key", 16, "G major"), ("tempo", 16, "60.0"),
        ("key", 32, "C major"), ("tempo", 32, "80.0"),
        ("key", 48, "G major"), ("tempo", 48, "60.0"),
    ]  # fmt: skip


def test_a_verse_is_written_out_in_its_place_with_the_notes_it_has() -> None:
    last, _, own = with_own_harmony(THREE, 3)
    first, _, other = with_own_harmony(last, 1)

    assert (own, other) == ((32, 64, (3,)), (0, 32, (1,)))
    assert harmonies(first) == (other, (32, 64, (2,)), (64, 96, (3,)))
    assert np.array_equal(first.pitches, np.tile(HYMN.pitches, (3, 1)))
    assert [texts(first, verse) for verse in (1, 2, 3)] == [texts(THREE, v) for v in (1, 2, 3)]
    again, steps, own = with_own_harmony(first, 3)
    assert (again is first, steps.tolist(), own) == (True, [*range(96)], (64, 96, (3,)))


def test_a_last_bar_that_is_full_is_followed_by_rests_up_to_the_upbeat() -> None:
    longer = replace(THREE.padded(0), pickup=8)  # the last bar ends within the upbeat
    piece, _, own = with_own_harmony(replace(longer.cropped(0, 24), lyrics=THREE.lyrics), 3)
    assert own == (32, 56, (3,))
    assert (piece.pitches[24:32] == REST).all()


def test_all_verses_are_sung_in_order_and_share_the_refrain() -> None:
    hymn = worded("a b c d e f g h", "i k l m n o", "r s t u v w")
    piece = in_order(with_own_harmony(hymn, 1)[0])

    assert [one.verses for one in harmonies(piece)] == [(1,), (2,), (3,)]
    assert [texts(piece, verse) for verse in (1, 2, 3)] == [
        "a b c d e f g h", "i k l m n o g h", "r s t u v w g h",
    ]  # fmt: skip
    assert in_order(piece) == piece


def test_a_harmony_stays_when_the_first_bar_changes() -> None:
    piece, _, _ = with_own_harmony(THREE, 2)
    for step, edit in (
        (32 + 12 + 16, piece_edits.insert_bar(piece, 0)),
        (32 - 4, piece_edits.remove_bars(piece, Selection(voices=(0,), start=0, stop=1))),
    ):
        first, own = harmonies(edit.piece)
        assert (own.start, own.verses, first.verses) == (step, (2,), (1, 3))
        written, steps = in_order_with_steps(edit.piece)
        assert [texts(written, 2), texts(written, 3)] == [texts(piece, 2), texts(edit.piece, 3)]
        new = next(word.step for word in written.lyrics if word.verse == 2)
        assert steps[new] == step
        assert (written.bar_positions()[new], written.pickup) == (12, 0)


def test_a_verse_with_words_only_in_its_last_line_gets_the_whole_harmony() -> None:
    part = [word for word in THREE.lyrics if word.verse != 2 or word.step >= 16]
    assert with_own_harmony(replace(THREE, lyrics=tuple(part)), 2)[2] == (32, 64, (2,))


def test_a_harmony_begins_with_its_melody_though_its_words_begin_later() -> None:
    """With another line first, or an empty one; verse 1 may begin later, too."""
    tune = np.repeat([72, 71, 72, 74, 76, 77, 79, 72, 74, 72, 71, 69, 67, 69, 71, 72], 4)
    pitches = np.repeat(tune[:, None], 4, axis=1) - np.array([0, 5, 9, 24])
    hymn = Chorale.of(pitches, pickup=4)
    for verses in (
        (range(16), range(8, 16)),
        (range(4, 16), range(12, 16)),
        (range(9), range(8, 16)),
    ):
        lyrics = tuple(
            Lyric(Voice.SOPRANO, number, 4 * place, "la")
            for number, places in enumerate(verses, start=1)
            for place in places
        )
        piece, _, own = with_own_harmony(replace(hymn, lyrics=lyrics), 2)
        assert own == (64, 128, (2,))
        lower = piece.pitches.copy()
        lower[64:, Voice.ALTO] += 2
        assert harmonies(replace(piece, pitches=lower)) == ((0, 64, (1,)), own)


def test_locks_stay_with_the_harmony_of_their_verse() -> None:
    piece, _, own = with_own_harmony(THREE, 3)
    locks = np.zeros(piece.pitches.shape, dtype=np.bool_)
    locks[own.start :] = True
    moved = piece_edits.write_out(piece).moved(locks)
    assert np.flatnonzero(moved.any(axis=1)).tolist() == [*range(64, 96)]


def test_what_cannot_be_written_out_is_said() -> None:
    with pytest.raises(UsageError, match="no verse 4: its verses are 1, 2, 3"):
        with_own_harmony(THREE, 4)
    with pytest.raises(UsageError, match="no verse 1: it has no words"):
        with_own_harmony(HYMN, 1)
    long = THREE.padded(16_000)
    with pytest.raises(UsageError, match="48,096 sixteenths"):
        in_order(long)


@pytest.mark.parametrize("suffix", [".musicxml", ".mxl", ".mid", ".abc", ".json"])
def test_files_keep_the_harmony_of_a_verse(suffix: str, tmp_path: Path) -> None:
    change = Mark(kind="key", start=20, stop=20, value=Key("G", "major"))
    piece, _, _ = with_own_harmony(replace(THREE, marks=(change,)), 2)
    files.write(piece, tmp_path / f"a{suffix}")
    found = files.import_satb(tmp_path / f"a{suffix}")
    assert (found.chorale, found.report) == (piece, ())


@needs_hymns
def test_hymns_keep_the_harmony_of_their_last_verse(tmp_path: Path) -> None:
    for number, hymn in enumerate(sung_hymns()[::24]):
        verses = sorted({word.verse for word in hymn.lyrics})
        piece, _, own = with_own_harmony(hymn, verses[-1])
        assert own.verses == (verses[-1],)
        path = tmp_path / f"{number}.musicxml"
        musicxml_writer.write(piece, path, layout="staves")
        assert files.import_satb(path).chorale == piece


def test_a_harmony_begins_a_system_after_a_double_bar_with_the_number_of_its_verse() -> None:
    tree = musicxml_writer.to_tree(with_own_harmony(THREE, 3)[0], "staves")
    measures = tree.findall("part")[0].findall("measure")
    begun = next(measure for measure in measures if measure.find("print") is not None)
    before = measures[measures.index(begun) - 1]

    assert (begun.get("implicit"), begun.get("number")) == ("yes", before.get("number"))
    assert before.findtext("barline/bar-style") == "light-light"
    assert ET.tostring(begun).count(b"3.&#160;r") == 1
    lyric = begun.findall("note/lyric")[0]
    assert (lyric.get("number"), lyric.get("name")) == ("1", "verse 3")


def test_a_new_text_stays_in_the_harmony_of_each_verse() -> None:
    piece, _, _ = with_own_harmony(THREE, 3)
    text = setting.text_under(piece).replace("r s t", "zz s t")
    found = setting.set_under(piece, syllables.verses(text, "English"))
    changed = replace(piece, lyrics=found.lyrics)
    assert harmonies(changed) == harmonies(piece)
    assert texts(changed, 3) == "zz s t u v w x y"


def test_words_are_typed_in_the_verse_that_is_sung_there() -> None:
    piece, _, _ = with_own_harmony(THREE, 3)
    for step, verse in (0, 2), (32, 3):
        place = Selection(voices=(0,), start=step, stop=step + 4)
        cursor = word_entry.cursor_at(piece, place, 2)
        assert cursor is not None
        assert cursor.verse == verse


def test_only_the_sounding_lower_voices_of_the_verse_are_written_anew() -> None:
    edit, free = edit_requests.verse_written_out(THREE.padded(4), 3)
    assert free[:, Voice.SOPRANO].sum() == 0
    assert np.flatnonzero(free[:, Voice.BASS]).tolist() == [*range(48, 80)]
    assert edit.piece.steps == 84
    assert edit.selection == Selection(voices=(1, 2, 3), start=48, stop=84)
    request = edit_requests.verse_request(edit.piece, free)
    assert GenerationRequest.from_json(request.to_json()) == request
    begun = np.flatnonzero(edit.piece.onsets.any(axis=1)).tolist()
    assert request.moves == tuple(sorted({*begun, *(n for n in range(84) if n % 4 == 0)}))


def test_verses_and_phrases_are_marked() -> None:
    piece, _, _ = with_own_harmony(THREE, 3)
    fermatas = np.isin(np.arange(64) % 32, range(12, 16))
    marked = chord_markers.markers(replace(piece, fermatas=fermatas))
    assert marked == (
        (0, "Verses 1, 2: Phrase 1"), (16, "Phrase 2"), (32, "Verse 3: Phrase 1"), (48, "Phrase 2"),
    )  # fmt: skip


def test_lower_voices_sing_the_syllable_that_sounds_with_their_notes() -> None:
    pitches, onsets = THREE.pitches.copy(), THREE.onsets.copy()
    pitches[4:8, Voice.BASS], onsets[4, Voice.BASS] = 48, False  # holds over the second syllable
    onsets[10, Voice.TENOR] = True
    pitches[16:20, Voice.ALTO], onsets[[16, 20], Voice.ALTO] = REST, (False, True)
    found = midi_lyrics.with_shared_words(replace(THREE, pitches=pitches, onsets=onsets))

    def of(voice: Voice) -> list[str]:
        return [w.text for w in found.lyrics if (w.voice, w.verse) == (voice, 1)]

    assert of(Voice.BASS) == ["a‿b", *"cdefgh"]
    assert of(Voice.TENOR) == [*"abcdefgh"]
    assert of(Voice.ALTO) == ["a‿b", *"cdfgh"]
    assert midi_lyrics.with_shared_words(found) == found
