"""Figures as files: the suffix decides."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QSizeF
from PySide6.QtGui import QImage, QPainter

from musicrel.analysis.corpus import bundled
from musicrel.analysis.numeral_search import numerals
from musicrel.chorale import REST, Chorale, Key, Meter, Provenance
from musicrel.errors import FileError, UsageError
from musicrel.figures import exports, figure, roll
from musicrel.presentation.words.palette import DARK, LIGHT, Theme
from musicrel.score import files
from musicrel.score.editing.notes import Note
from musicrel.score.musicxml import musicxml_writer

PIECE = Chorale.of([[72, 67, 64, 48]] * 4)


@pytest.mark.parametrize(("name", "prefix"), [("a.svg", b"<?xml"), ("b/A.PNG", b"\x89PNG")])
def test_the_suffix_decides_the_format(tmp_path: Path, name: str, prefix: bytes) -> None:
    figure.write(roll.figure(PIECE, DARK), tmp_path / name)
    dark = (tmp_path / name).read_bytes()
    exports.write(PIECE, tmp_path / name)

    assert dark.startswith(prefix)
    assert (tmp_path / name).read_bytes().startswith(prefix)
    assert (tmp_path / name).read_bytes() != dark


def test_a_png_that_takes_too_much_memory_is_refused() -> None:
    large = replace(roll.figure(PIECE, DARK), width=10_000, height=10_000)
    with pytest.raises(UsageError, match=r"PNG of 20000 x 20000 dots is too large: .* export SVG"):
        figure.to_png(large)


@pytest.mark.parametrize("name", ["a.jpg", "a", ".svg"])
def test_another_suffix_is_a_usage_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match=r"cannot draw .*: expected .* \.svg or \.png"):
        exports.write_roll(PIECE, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_a_file_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="cannot write"):
        exports.write_roll(PIECE, tmp_path / "file" / "a.svg")


EXPORTED = bundled.load("valid")[1]


def test_scores_have_numerals(tmp_path: Path) -> None:
    plain, packed = tmp_path / "a.musicxml", tmp_path / "a.mxl"

    exports.write_score(EXPORTED, plain, numerals=True)
    exports.write_score(EXPORTED, packed, numerals=True)

    expected = musicxml_writer.to_xml(EXPORTED, numerals=numerals(EXPORTED))
    assert plain.read_text(encoding="utf-8") == expected
    assert files.read(packed) == files.read(plain)


@pytest.mark.parametrize("name", ["a.mid", "a.json", "a.wav", "a"])
def test_other_formats_refuse_numerals(tmp_path: Path, name: str) -> None:
    assert not exports.is_score(tmp_path / name)
    with pytest.raises(UsageError, match=r"no place for Roman numerals: .* \.musicxml or \.mxl"):
        exports.write_score(EXPORTED, tmp_path / name, numerals=True)
    assert not (tmp_path / name).exists()


def test_a_score_with_numerals_can_be_cancelled(tmp_path: Path) -> None:
    job = exports.write_score_job(EXPORTED, tmp_path / "a.musicxml", numerals=True)
    assert 0 < next(job) <= 1
    job.close()
    assert not (tmp_path / "a.musicxml").exists()


pytestmark = pytest.mark.usefixtures("qapp")


def piece(bars: int = 1, **fields: object) -> Chorale:
    onsets = np.zeros((16 * bars, 4), dtype=np.bool_)
    onsets[::16] = True
    return Chorale.of([[72, 67, 64, 48]] * (16 * bars), onsets=onsets, **fields)


def texts(chorale: Chorale) -> list[str]:
    svg = figure.to_svg(roll.figure(chorale, LIGHT)).decode()
    return [text.strip() for text in re.findall(r"<text[^>]*>([^<]*)<", svg)]


def image(chorale: Chorale, theme: Theme = LIGHT) -> QImage:
    return QImage.fromData(figure.to_png(roll.figure(chorale, theme)))


def extent(picture: QImage, colour: str, top: int = 130) -> tuple[int, int, int, int]:
    width, height = picture.width(), picture.height()
    dots = np.frombuffer(picture.constBits(), np.uint32).reshape(height, -1)[:, :width]
    rows, columns = np.nonzero((dots & 0xFFFFFF)[top:] == int(colour[1:], 16))
    return columns.min(), rows.min() + top, columns.max() + 1, rows.max() + top + 1


def test_heading_has_the_facts_of_the_piece() -> None:
    provenance = Provenance(model="relative", sha256="", seed=7)
    known = piece(title="Nun danket", key=Key("Eb", "major"), tempo=72, provenance=provenance)

    written = texts(known)

    assert {"Nun danket", "E♭ major · 4/4 · 72 BPM · relative, seed 7"} < set(written)
    assert {"Soprano", "Alto", "Tenor", "Bass"} < set(written)
    composed = replace(known, composer="Crüger", provenance=None)
    assert "Crüger · E♭ major · 4/4 · 72 BPM" in texts(composed)
    assert "4/4 · 80 BPM" in texts(piece())


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_notes_lie_where_they_sound_in_the_colours_of_their_voices(theme: Theme) -> None:
    picture = image(Chorale.of([[72, 67, 64, 48]] * 8 + [[REST, REST, 64, 48]] * 4), theme)
    boxes = [extent(picture, colour) for colour in theme.voices]

    tops = [box[1] for box in boxes]
    assert tops[3] - tops[0] == 2 * (72 - 48) * roll.ROW
    assert len({box[0] for box in boxes}) == 1
    assert boxes[2][2] - boxes[1][2] == 2 * 4 * roll.STEP
    assert picture.pixelColor(2, 2).name() == theme.panel


def test_every_note_has_the_letter_of_its_voice_and_unisons_have_all() -> None:
    written = texts(Chorale.of([[67, 67, 60, 48]] * 4))
    assert {"SA", "T", "B"} <= {*written}


def test_bars_are_numbered_and_the_pickup_is_not() -> None:
    assert [text for text in texts(piece(3, pickup=8)) if text.isdigit()] == ["1", "2", "3"]


def test_a_long_piece_is_broken_into_systems_of_as_many_bars() -> None:
    short, long = (roll.figure(piece(bars), LIGHT) for bars in (8, 16))
    first, second = roll.systems(piece(16))

    assert long.width == short.width
    assert long.height > short.height
    assert (first.start, first.stop, second.start, second.stop) == (0, 128, 128, 256)
    assert first.bottom < second.top
    assert [text for text in texts(piece(16)) if text.isdigit()] == [str(n) for n in range(1, 17)]


@pytest.mark.parametrize(
    "odd",
    [
        Chorale.of(np.full((4, 4), -1)),
        Chorale.of([[60, 60, 60, 60]]),
        Chorale.of([[127, 60, 0, -1]] * 6, meter=Meter(32, 1), pickup=500),
        Chorale.of([[60, 57, 53, 48]] * 600, meter=Meter(32, 1)),
        Chorale.of([[60, 57, 53, 48]] * 3, meter=Meter(1, 16), title="w" * 500),
    ],
    ids=["silence", "one step", "a pickup only", "wide bars", "narrow bars"],
)
def test_any_chorale_can_be_drawn(odd: Chorale) -> None:
    made = roll.figure(odd, LIGHT)
    assert (image(odd).width(), image(odd).height()) == (2 * made.width, 2 * made.height)
    assert roll.systems(odd)[-1].stop == odd.steps


def thumbnail(chorale: Chorale, changed: frozenset[Note] | None = None) -> QImage:
    picture = QImage(100, 20, QImage.Format.Format_RGB32)
    picture.fill(0)
    with QPainter(picture) as painter:
        roll.draw_thumbnail(painter, chorale, QSizeF(100, 20), LIGHT, changed=changed)
    return picture


def test_a_thumbnail_has_all_notes_in_its_height() -> None:
    boxes = [extent(thumbnail(piece()), colour, 0) for colour in LIGHT.voices]
    assert boxes == sorted(boxes, key=lambda box: box[1])
    assert (boxes[0][1], boxes[3][3]) == (0, 20)
    assert all(box[0] == 0 and box[2] <= 100 for box in boxes)


def test_changed_notes_alone_have_a_colour_and_can_be_seen() -> None:
    changed = thumbnail(piece(), frozenset({Note(0, 16, 67, 1)}))
    _, top, _, bottom = extent(changed, LIGHT.voices[1], 0)
    assert bottom - top == 3
    with pytest.raises(ValueError, match="zero-size"):
        extent(changed, LIGHT.voices[0], 0)


def test_the_thumbnail_of_a_silent_piece_is_empty() -> None:
    assert thumbnail(Chorale.of([(REST,) * 4] * 4)).isGrayscale()
