"""Analysis: textbook progressions, a hymn, silence, and invariance under transposition."""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from musicrel.analysis import numeral
from musicrel.analysis.corpus import bundled
from musicrel.analysis.numeral import Piece, Quality
from musicrel.analysis.numeral_search import Search, analyse, numerals
from musicrel.chorale import REST, Chorale, Key, Meter, Voice, spans

_NAME = re.compile(r"[A-G][#b]?\d")
_STEPS = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}


def midi(name: str) -> int:
    alter = name.count("#") - name.count("b")
    return 12 * (int(name[-1]) + 1) + _STEPS[name[0]] + alter


def piece(chords: str, key: str, *, length: int = 4, meter: str = "4/4") -> Chorale:
    rows = [[midi(name) for name in _NAME.findall(chord)] for chord in chords.split()]
    pitches = np.repeat(np.array(rows), length, axis=0)
    onsets = np.zeros(pitches.shape, dtype=np.bool_)
    onsets[::length] = True
    return Chorale.of(pitches, onsets=onsets, key=Key.parse(key), meter=Meter.parse(meter))


def texts(found: Chorale) -> list[str]:
    return [numeral.text for numeral in numerals(found)]


PROGRESSIONS: list[tuple[str, str, Sequence[str]]] = [
    # a cadential six-four delays the dominant
    (
        "E5C5G4C4 F5C5A4F3 E5C5G4G3 D5B4G4G3 C5C5G4C3 C5C5G4C3",
        "C major",
        ["C: I", "IV", "I64", "V", "I"],
    ),
    # a deceptive cadence
    (
        "E5G4C4C4 D5A4D4F3 D5G4B3G3 D5F4B3G3 C5E4C4A3 C5F4A3F3 B4F4D4G3 C5E4C4C3",
        "C major",
        ["C: I", "ii6", "V", "V7", "vi", "IV", "V7", "I"],
    ),
    # the dominant of the dominant, and of the second degree
    (
        "G4E4C4C3 G4E4A3C#3 F4F4A3D3 F#4D4C4A3 G4D4B3G3 F4D4B3G3 E4E4C4C3 E4E4C4C3",
        "C major",
        ["C: I", "V65/ii", "ii", "V43/V", "V", "V7", "I"],
    ),
    # minor with a raised seventh, and a Picardy third
    (
        "A4E4C4A3 G#4E4B3E3 A4E4C4A3 A4F4D4D3 B4F4D4D3 B4E4D4G#2 A4E4C4A2 A4E4C#4A2",
        "A minor",
        ["a: i", "V", "i", "iv", "iio6", "V65", "i", "I"],
    ),
    # the diminished seventh and the half-diminished supertonic
    (
        "A4E4C4A3 B4F4D4G#3 C5E4C4A3 A4F4D4B3 A4E4C4E3 G#4E4B3E3 A4E4C4A2 A4E4C4A2",
        "A minor",
        ["a: i", "viio7", "i", "iiø7", "i64", "V", "i"],
    ),
    # all inversions of the dominant seventh
    (
        "E4C4G3C3 F4D4G3B2 E4C4G3C3 F4B3G3D3 E4C4G3E3 D4B3G3F3 C4C4G3E3 C4C4G3E3",
        "C major",
        ["C: I", "V65", "I", "V43", "I6", "V42", "I6"],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("chords", "key", "expected"), PROGRESSIONS)
def test_textbook_progressions(chords: str, key: str, expected: Sequence[str]) -> None:
    assert texts(piece(chords, key)) == expected


def test_passing_notes_and_suspensions_are_not_chords() -> None:
    found = piece(
        "G4E4C4C3 G4D4B3G3 E4C4B3C4 E4C4C4C4 F4C4A3F3 D4B3G3G3 C4C4G3C3 C4C4G3C3",
        "C major",
    )
    pitches, onsets = found.pitches.copy(), found.onsets.copy()
    pitches[2:4, 0] = midi("F4")  # G F ... over I
    onsets[2, 0] = True
    moved = Chorale.of(pitches, onsets=onsets, key=found.key)

    assert texts(found) == ["C: I", "V", "I", "IV", "V", "I"]
    assert texts(moved) == texts(found)


def test_hymn_has_its_usual_chords() -> None:
    hymn = piece(
        "G4D4B3G3 G4D4B3G3 F#4D4A3D3 E4B3G3E3 D4B3F#3B2 G4B3G3E3 A4D4F#3D3 B4D4G3G3",
        "G major",
    )
    assert texts(hymn) == ["G: I", "V", "vi", "iii", "vi", "V", "I"]


def test_cadence_in_another_key_is_a_modulation() -> None:
    modulating = piece(
        "E5G4C4C4 D5G4B3G3 C5G4E4C4 C5A4E4A3 B4G4D4B3 A4E4C4C4 "
        "G4D4B3D3 A4F#4C4D3 G4D4B3G3 G4D4B3G3 A4F#4D4D3 G4D4B3G3",
        "C major",
    )
    staying = piece(*PROGRESSIONS[2][:2])

    assert [str(n.key) for n in numerals(modulating)][::10] == ["C major", "G major"]
    assert texts(modulating)[-4:] == ["V7", "I", "V", "I"]
    assert sum(n.text.startswith("G: ") for n in numerals(modulating)) == 1
    assert {str(n.key) for n in numerals(staying)} == {"C major"}


def test_numerals_cover_the_piece_and_carry_their_facts() -> None:
    found = numerals(piece(*PROGRESSIONS[2][:2]))
    applied = found[1]

    assert [n.start for n in found] == [0, *(n.stop for n in found[:-1])]
    assert found[-1].stop == 32
    assert (applied.figure, applied.text) == ("V65/ii", "V65/ii")
    assert (applied.degree, applied.applied_to, applied.inversion) == (5, 2, 1)
    assert (applied.quality, applied.root, str(applied.key)) == ("dominant", 9, "C major")


@pytest.mark.parametrize("semitones", [1, 3, 6, 8, 11])
def test_transposed_piece_has_the_same_figures(semitones: int) -> None:
    chorale = bundled.load("valid")[1]
    before, after = numerals(chorale), numerals(chorale.transposed(semitones))
    assert [n.figure for n in after] == [n.figure for n in before]
    assert [(n.root - m.root) % 12 for n, m in zip(after, before, strict=True)] == [
        semitones
    ] * len(before)


def test_a_phrase_ends_a_chord_label() -> None:
    for chorale in bundled.load("valid")[:6]:
        ends = [stop for _, stop in spans(chorale.fermatas)]
        chords = numerals(chorale)
        for end in ends:
            across = [n for n in chords if n.start < end < n.stop]
            for one in across:
                bass = chorale.pitches[[end - 1, end], Voice.BASS] % 12
                assert one.root in bass or len({*bass.tolist()}) == 1


def test_local_keys_are_spelled_near_the_home_key() -> None:
    chorale = bundled.load("valid")[0].transposed(11)
    assert str(chorale.key) == "F# minor"
    for one in numerals(chorale):
        assert chorale.key is not None
        assert abs(one.key.fifths - chorale.key.fifths) <= 6


def test_silence_a_single_voice_and_rests_have_no_numerals() -> None:
    assert numerals(Chorale.of(np.full((16, 4), REST))) == ()

    pitches = np.full((32, 4), REST)
    pitches[:, 0] = np.repeat([60, 62, 64, 65, 67, 65, 64, 62], 4)
    assert numerals(Chorale.of(pitches)) == ()

    pitches = np.full((48, 4), REST)
    pitches[:16] = pitches[32:] = [67, 64, 60, 48]
    assert [(n.start, n.stop) for n in numerals(Chorale.of(pitches, key=Key("C", "major")))] == [
        (0, 16), (32, 48)
    ]  # fmt: skip


def test_long_chord_is_one_numeral() -> None:
    found = piece("G4E4C4C3 " * 80, "C major")
    assert [(n.start, n.stop, n.text) for n in numerals(found)] == [(0, 320, "C: I")]


@pytest.mark.parametrize("meter", ["3/4", "6/8", "3/2", "2/2", "5/4", "3/8"])
def test_any_meter_is_analysed(meter: str) -> None:
    chords, key, expected = PROGRESSIONS[1]
    assert texts(piece(chords, key, length=8, meter=meter)) == expected


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> list[Chorale]:
    """Return the pieces whose chords are searched."""
    found: list[Chorale] = []
    begin = Search.__init__

    def counted(self: Search, piece: Chorale) -> None:
        found.append(piece)
        begin(self, piece)

    monkeypatch.setattr(Search, "__init__", counted)
    return found


def test_a_piece_is_analysed_once(searched: list[Chorale]) -> None:
    first = bundled.load("valid")[3].transposed(1)

    assert numerals(first) == numerals(replace(first, title="Another", tempo=120.0))
    assert len(searched) == 1
    numerals(replace(first, fermatas=~first.fermatas))
    numerals(replace(first, key=None))
    assert len(searched) == 3


def test_threads_with_one_piece_share_the_work(searched: list[Chorale]) -> None:
    shared = bundled.load("valid")[3].transposed(2)

    with ThreadPoolExecutor() as pool:
        results = list(pool.map(numerals, [shared] * 4))

    assert results == [numerals(shared)] * 4
    assert len(searched) == 1


def test_an_analysis_that_was_cancelled_begins_again(searched: list[Chorale]) -> None:
    long = piece("G4E4C4C3 G4D4B3G3 " * 80, "C major")
    cancelled = analyse(long)
    assert 0 < next(cancelled) < 1
    cancelled.close()

    assert texts(long)[:2] == ["C: I", "V"]
    assert len(searched) == 2


@pytest.mark.parametrize(
    ("name", "quality", "inversion", "target", "text"),
    [
        ("I", "major", 0, "", "I"), ("I", "major", 2, "", "I64"), ("V", "dominant", 0, "", "V7"),
        ("V", "dominant", 3, "ii", "V42/ii"), ("vii", "diminished", 1, "", "viio6"),
        ("vii", "half-diminished", 1, "", "viiø65"),
        ("vii", "diminished-seventh", 2, "V", "viio43/V"), ("III", "augmented", 1, "", "III+6"),
        ("ii", "minor-seventh", 1, "", "ii65"),
    ],
)  # fmt: skip
def test_figure_has_quality_inversion_and_target(
    name: str, quality: Quality, inversion: int, target: str, text: str
) -> None:
    assert numeral.figure(name, quality, inversion, target) == text


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("IV", [Piece("IV")]),
        ("I64", [Piece("I"), Piece("", "6", "4")]),
        ("V7/V", [Piece("V"), Piece("", "7"), Piece("/V")]),
        ("viiø65", [Piece("vii"), Piece("", "ø"), Piece("", "6", "5")]),
        ("viio6", [Piece("vii"), Piece("", "o"), Piece("", "6")]),
        ("Bb: bVI", [Piece("B♭: ♭VI")]),
        ("f#: i", [Piece("f♯: i")]),
        ("b: i", [Piece("b: i")]),
        ("bb: bII6", [Piece("b♭: ♭II"), Piece("", "6")]),
    ],
)
def test_figures_are_stacked_and_signs_are_raised(text: str, pieces: list[Piece]) -> None:
    assert list(numeral.pieces(text)) == pieces
