"""Figured bass: textbook chords, suspensions, and Bach."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from musicrel import jobs
from musicrel.analysis.corpus import bundled
from musicrel.chorale import REST, Chorale, Key, Voice
from musicrel.figures import engraver
from musicrel.figures.score import Glyph, Words
from musicrel.score import files
from musicrel.score.musicxml import musicxml_writer
from musicrel.score.notation.figured_bass import figured_bass

_SIGNS = {
    "sharp": "#", "flat": "b", "natural": "n", "double-sharp": "x", "flat-flat": "bb", "": "",
}  # fmt: skip


def written(rows: list[list[int]], key: str = "C", length: int = 4) -> list[str]:
    """Return the figures over chords of so many sixteenths, as in '7 #5'; '-' for none."""
    piece = Chorale.of(np.repeat(rows, length, axis=0), key=Key.parse(key))
    found = {
        place.step: " ".join(f"{_SIGNS[f.sign]}{f.number or ''}" for f in place.figures)
        for place in figured_bass(piece)
    }
    return [found.get(step, "-") for step in range(0, piece.steps, length)]


@pytest.mark.parametrize(
    ("chord", "key", "figures"),
    [
        ([72, 67, 64, 48], "C", "-"), ([72, 67, 60, 52], "C", "6"), ([72, 64, 60, 55], "C", "6 4"),
        ([71, 65, 62, 55], "C", "7"), ([67, 65, 62, 59], "C", "6 5"),
        ([71, 67, 65, 50], "C", "4 3"), ([71, 67, 62, 53], "C", "4 2"),
        ([71, 68, 64, 52], "a", "#"), ([74, 71, 68, 64], "a", "7 #"),
        ([71, 67, 62, 43], "c", "n"), ([72, 69, 66, 50], "C", "7 #"),
        ([75, 70, 67, 51], "g#", "x"),
    ],
)  # fmt: skip
def test_chords_have_their_usual_figures(chord: list[int], key: str, figures: str) -> None:
    assert written([chord], key) == [figures]


def test_suspensions_resolve_over_a_held_bass() -> None:
    assert written([[72, 67, 62, 43], [71, 67, 62, 43]]) == ["4", "3"]
    assert written([[72, 65, 62, 50], [71, 65, 62, 50]]) == ["7", "6"]
    assert written([[74, 67, 64, 48], [72, 67, 64, 48]]) == ["9", "8"]
    assert written([[72, 67, 62, 43], [71, 67, 62, 43]], length=2) == ["4", "3"]


def test_what_passes_between_beats_and_repeats_has_no_figures() -> None:
    assert written([[72, 67, 64, 48], [74, 67, 64, 48]], length=2) == ["-", "-"]
    rows = [[72, 67, 60, 52], [67, 60, 60, 52]]
    assert written(rows) == ["6", "-"]
    assert written([[72, 67, 64, REST], [72, 67, 64, 52]]) == ["-", "6"]


def test_figures_are_spelled_as_the_notes_are_printed() -> None:
    """A chromatic tone that falls is a flat."""
    rows = [[68, 60, 60, 53], [67, 60, 60, 53]]
    assert written(rows, "F") == ["b", "9"]


@pytest.mark.parametrize("semitones", range(-6, 7))
def test_bach_has_figures_in_every_key(semitones: int) -> None:
    for piece in bundled.load("test")[:12]:
        assert figured_bass(piece.transposed(semitones))


def test_figures_of_bach_name_tones_that_sound() -> None:
    for piece in bundled.load("test")[:10]:
        places = figured_bass(piece)
        assert places
        for place in places:
            sounding = [p for p in piece.pitches[place.step, : Voice.BASS].tolist() if p != REST]
            away = {(pitch - int(piece.pitches[place.step, Voice.BASS])) % 12 for pitch in sounding}
            sizes = {4: {4, 5, 6}, 5: {6, 7, 8}, 6: {8, 9, 10}, 7: {9, 10, 11}}
            for figure in place.figures:
                if figure.number in sizes:
                    assert away & sizes[figure.number]


def test_musicxml_has_the_figures_and_is_read_back(tmp_path: Path) -> None:
    piece = bundled.load("test")[0]
    places = figured_bass(piece)
    for layout in ("staves", "parts"):
        path = tmp_path / f"{layout}.musicxml"
        musicxml_writer.write(
            piece, path, layout="staves" if layout == "staves" else "parts", figures=True
        )
        text = path.read_text(encoding="utf-8")
        found = [
            figures
            for figures in ET.fromstring(text).iter("figured-bass")  # noqa: S314 (our own)
            if figures.findtext("figure/figure-number") or figures.findtext("figure/prefix")
        ]
        assert len(found) == len(places)
        read = files.import_satb(path)
        assert np.array_equal(read.chorale.pitches, piece.pitches)
        assert read.report == ()


def test_the_engraved_score_has_the_figures_below_all_else() -> None:
    piece = bundled.load("test")[0]
    plain, figured = (
        jobs.run(engraver.engrave(piece, width=16_000, figures=on)) for on in (False, True)
    )
    before, after = (
        Counter(ink.text for s in score.systems for ink in s.ink if isinstance(ink, Words))
        for score in (plain, figured)
    )
    figures = [figure for place in figured_bass(piece) for figure in place.figures]
    assert after - before == Counter(str(one.number) for one in figures if one.number)
    glyphs = [
        sum(isinstance(ink, Glyph) for s in score.systems for ink in s.ink)
        for score in (plain, figured)
    ]
    assert glyphs[1] - glyphs[0] == sum(bool(one.sign) for one in figures)
    for less, more in zip(plain.systems, figured.systems, strict=True):
        added = more.ink[len(less.ink) :]
        assert all(ink.y > less.bottom for ink in added if isinstance(ink, Words))
        assert more.bottom > less.bottom
