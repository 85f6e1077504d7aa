"""ABC files: hymns as hymnals write them, tunes of other programs, and damaged files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from musicrel.chorale import Chorale, Lyric, Voice
from musicrel.errors import FileError
from musicrel.score import abc_file, files
from musicrel.score.importing.conversion import ImportedPiece
from musicrel.score.importing.satb_import import import_satb
from tests.helpers.hymns import needs_hymns, sung_hymns, to_abc
from tests.helpers.music import random_chorale, with_words

HYMN = """%abc-2.1
X: 7
T: Caf\\'e Hymn \\% % a comment
C: Nera Foldo (1700-1750)
C: arr. R\\"uk
A: Lumi Bela
M: 3/4
L: 1/4
Q: 1/2=40
%%staves (S1V1 S1V2) (S2V1 S2V2)
V: S1V1 clef=treble
V: S1V2
V: S2V1 clef=bass
V: S2V2
K: Ddor
[V: S1V1] D | F G/A/ B | HA2 d- | d c !fermata!B |]
w: 1.~Be- la _ lu~mi, | ra _ * so fe
w: 2.~Ma ni- * o tu * ri * * le!
[V: S1V2] D | D D D | E2 F- | F E D |]
[V: S2V1] A, | A, B, =B, | C2 C | C C ^G, |]
[V: S2V2] D, | D, D, G,, | A,,2 A,, | A,, A,, E, |]
"""


def read(text: str) -> ImportedPiece:
    return import_satb(abc_file.from_text(text))


def without(piece: Chorale, *names: str) -> Chorale:
    """Return ``piece`` without what ABC has no place for, and ``names``."""
    empty: dict[str, Any] = {
        "provenance": None,
        "poet": "",
        "tune": "",
        "copyright": "",
        "lyrics": (),
    }
    return replace(
        piece, **{n: empty[n] for n in ("provenance", "poet", "tune", "copyright", *names)}
    )


def test_a_hymn_is_read_whole() -> None:
    piece = read(HYMN).chorale
    assert (piece.title, piece.poet) == ("Café Hymn %", "Lumi Bela")
    assert piece.composer == "Nera Foldo (1700-1750), arr. Rük"
    assert (str(piece.meter), piece.pickup, str(piece.key)) == ("3/4", 4, "D minor")
    assert piece.tempo == 80
    assert piece.pitches[:, Voice.SOPRANO].tolist() == [
        pitch for pitch, steps in ((62, 4), (65, 4), (67, 2), (69, 2), (71, 4), (69, 8), (74, 8),
                                   (72, 4), (71, 4)) for _ in range(steps)
    ]  # fmt: skip
    assert np.flatnonzero(piece.onsets[:, Voice.SOPRANO]).tolist() == [
        0,
        4,
        8,
        10,
        12,
        16,
        24,
        32,
        36,
    ]
    assert np.flatnonzero(piece.fermatas).tolist() == [*range(16, 24), *range(36, 40)]


def test_every_verse_is_read_with_hyphens_elisions_and_what_is_sung_on() -> None:
    words = [(w.verse, w.step, w.text, w.hyphen, w.extends) for w in read(HYMN).chorale.lyrics]
    assert words == [
        (1, 0, "Be", True, False),
        (1, 4, "la", False, True),
        (1, 10, "lu‿mi,", False, False),
        (1, 16, "ra", False, True),
        (1, 32, "so", False, False),
        (1, 36, "fe", False, False),
        (2, 0, "Ma", False, False),
        (2, 4, "ni", True, False),
        (2, 10, "o", False, False),
        (2, 12, "tu", False, False),
        (2, 24, "ri", False, False),
        (2, 36, "le!", False, False),
    ]


@pytest.mark.parametrize(
    ("last_bars", "played"),
    [
        ("|1,2 G4 :|3 A4 |]", [67, 67, 69]),
        ("[1-3 G4 :|[4 A4 |]", [67, 67, 67, 69]),
        ("[1, 3 G4 :|[2 A4 :|[4 B4 |]", [67, 69, 67, 71]),
        ("[1,3-4 G4 :|[2,5 A4 :|", [67, 69, 67, 67, 69]),
        ("[1 G4 :|[2 A4 |]", [67, 69]),
    ],
)
def test_every_ending_is_read_for_each_of_its_times(last_bars: str, played: list[int]) -> None:
    piece = read(f"X:1\nM:4/4\nL:1/4\nK:C\n|: C D E F {last_bars}\n")
    line = piece.chorale.pitches[::16, Voice.SOPRANO]
    assert line[1::2].tolist() == played
    assert set(line[::2]) == {60}
    assert piece.report[0] == "repeats were written out, from bar 1 on"


def test_the_report_names_what_was_left_out() -> None:
    tune = HYMN.replace("M: 3/4", "N: sung slowly\nT: Another title\nM: 3/4") + "\nX: 8\nK: C\nC|\n"
    assert read(tune).report == (
        "only the first of its tunes was read",
        "the mode dorian of its key was read as D minor",
        "text and other names were left out",
    )
    assert read(tune).chorale == read(HYMN).chorale


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("w:a b \\\nw:c d", ["0 a", "4 b", "8 c", "12 d"]),
        ("w:a b\n+:c\n+: d", ["0 a", "4 b", "8 c", "12 d"]),
        ("w:a- - b", ["0 a-", "8 b"]),
        ("w:a - b", ["0 a-", "8 b"]),
        ("w:a---b", ["0 a-", "12 b"]),
        ("w:a \\- b-c", ["0 a", "4 -", "8 b-", "12 c"]),
    ],
)
def test_words_go_on_in_further_lines_and_hyphens_hold_them(lines: str, words: list[str]) -> None:
    found = read(f"X:1\nM:4/4\nL:1/4\nK:C\nC D E F|\n{lines}\n")
    assert [f"{w.step} {w.text}{'-' * w.hyphen}" for w in found.chorale.lyrics] == words
    assert found.report == ("it has only one voice, taken as the soprano",)


@pytest.mark.parametrize("words", ["a b c d e", "a b | c", "a b c-d-e"])
def test_words_without_a_note_are_named_as_left_out(words: str) -> None:
    found = read(f"X:1\nM:4/4\nL:1/4\nK:C\nC D E F|\nw:{words}\n")
    assert found.report[1:] == ("lyrics were left out",)


@needs_hymns
@pytest.mark.parametrize("number", [0, 47, 101, 150, 200])
def test_a_hymn_with_syllables_of_our_own_round_trips(number: int) -> None:
    hymn = sung_hymns()[number]
    assert read(to_abc(hymn)) == ImportedPiece(chorale=hymn)


@needs_hymns
@pytest.mark.timeout(1200)
def test_all_hymns_with_syllables_of_our_own_round_trip(tmp_path: Path) -> None:
    """Both as hymnals write them and as we do; there one line of a held syllable is lost."""
    assert len(sung_hymns()) == 239
    lost = []
    for hymn in sung_hymns():
        assert read(to_abc(hymn)) == ImportedPiece(chorale=hymn)
        files.write(hymn, tmp_path / "hymn.abc")
        again = files.import_satb(tmp_path / "hymn.abc")
        assert again.report == ()
        assert without(again.chorale, "lyrics") == without(hymn, "lyrics")
        assert [plain(word) for word in again.chorale.lyrics] == [plain(w) for w in hymn.lyrics]
        lost += [hymn.title] * (again.chorale.lyrics != hymn.lyrics)
    assert lost == ["Divinum Mysterium"]


def plain(word: Lyric) -> Lyric:
    return replace(word, extends=False)


@pytest.mark.parametrize("seed", range(3))
def test_any_notes_and_all_voices_with_words_are_written_and_read_again(
    tmp_path: Path, seed: int
) -> None:
    """Fermatas of a random piece stand anywhere, those that are read on whole notes."""
    piece = with_words(random_chorale(seed, 64), seed)
    files.write(piece, tmp_path / "piece.abc")
    again = files.read(tmp_path / "piece.abc")
    assert without(replace(again, fermatas=piece.fermatas), "lyrics") == without(piece, "lyrics")
    assert [plain(word) for word in again.lyrics] == [plain(word) for word in piece.lyrics]


def test_elisions_and_signs_are_written_as_abc_has_them(tmp_path: Path) -> None:
    piece = read(HYMN).chorale
    files.write(piece, tmp_path / "hymn.abc")
    assert "lu~mi," in (tmp_path / "hymn.abc").read_text(encoding="utf-8")
    assert files.read(tmp_path / "hymn.abc").title == "Café Hymn %"


@pytest.mark.parametrize("text", ["{Lo", "@Lo", "Lo*_|", "-", "100%"])
@pytest.mark.parametrize("suffix", [".abc", ".mid", ".musicxml"])
def test_signs_in_words_are_read_again(tmp_path: Path, text: str, suffix: str) -> None:
    piece = replace(read(HYMN).chorale, lyrics=(Lyric(Voice.SOPRANO, 1, 0, text),))
    files.write(piece, tmp_path / f"hymn{suffix}")
    assert files.read(tmp_path / f"hymn{suffix}").lyrics == piece.lyrics


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends_of_all_systems_are_read(
    tmp_path: Path, encoding: str, newline: str
) -> None:
    path = tmp_path / "hymn.ABC"
    path.write_bytes(HYMN.replace("\\'e", "é").replace("\n", newline).encode(encoding))
    assert files.read(path) == read(HYMN).chorale


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "it is not ABC notation, or damaged: ABC tune has no K: line (no body)"),
        ("X:1\nT:Hymn\n", "it is not ABC notation, or damaged: ABC tune has no K: line (no body)"),
        ("X:1\nK:C\nz4|\n", "it has no notes"),
        (
            "X:1\nK:C\nC99999|\n",
            "a note or rest has the length 99999: expected at most four digits",
        ),
        ("X:1\nK:C\n{{{{C|\n", "a group of grace notes has no end: expected } after {"),
        (
            "X:1\nK:C\n" + "CDEF|" * 20_000,
            "its first tune has 100,008 characters, but at most 100,000 are read here",
        ),
    ],
)
def test_a_bad_file_is_refused_with_a_sentence(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "bad.abc"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileError) as refusal:
        files.import_satb(path)
    assert str(refusal.value) == f"cannot read {path}: {problem}"


def test_no_other_file_is_read(tmp_path: Path) -> None:
    """A tune may name a file to include, which is ignored."""
    secret = tmp_path / "secret.abc"
    secret.write_text("T: Secret\n", encoding="utf-8")
    tune = HYMN.replace("%abc-2.1", f"%abc-2.1\nI:abc-include {secret}\n%%abc-include {secret}")
    assert read(tune).chorale == read(HYMN).chorale
