"""The roll on a page: systems, letters, signs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import Chorale, Key, Meter, Provenance
from musicrel.presentation.drawing.drawing import Drawing, Line, Rectangle, Text
from musicrel.presentation.roll import roll_drawing
from musicrel.presentation.words.palette import DARK, LIGHT, Theme


def piece(bars: int = 1, **fields: object) -> Chorale:
    """Return ``bars`` of 4/4 with whole notes in all four voices."""
    onsets = np.zeros((16 * bars, 4), dtype=np.bool_)
    onsets[::16] = True
    return Chorale.of([[72, 67, 64, 48]] * (16 * bars), onsets=onsets, **fields)


def texts(drawing: Drawing) -> list[str]:
    """All that is written."""
    return [item.text for item in drawing.items if isinstance(item, Text)]


def filled(drawing: Drawing, colour: str) -> list[Rectangle]:
    """All rectangles of a colour."""
    return [i for i in drawing.items if isinstance(i, Rectangle) and i.fill == colour]


def test_the_heading_has_the_facts_of_the_piece() -> None:
    """Title, key, meter, tempo, and who wrote it; the legend names all voices."""
    provenance = Provenance(model="relative", sha256="", seed=7)
    known = piece(title="Nun danket", key=Key("Eb", "major"), tempo=72, provenance=provenance)

    written = texts(roll_drawing.draw(known, LIGHT))

    assert written[0] == "Nun danket"
    assert "E♭ major · 4/4 · 72 BPM · relative, seed 7" in written
    composed = replace(known, composer="Crüger", provenance=None)
    assert "Crüger · E♭ major · 4/4 · 72 BPM" in texts(roll_drawing.draw(composed, LIGHT))
    assert {"Soprano", "Alto", "Tenor", "Bass"} < set(written)
    assert "4/4 · 80 BPM" in texts(roll_drawing.draw(piece(), LIGHT))


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_every_note_has_the_colour_and_the_letter_of_its_voice(theme: Theme) -> None:
    """Once in the legend, once for its note."""
    drawing = roll_drawing.draw(piece(), theme)

    assert drawing.background == theme.panel
    for letter, colour in zip("SATB", theme.voices, strict=True):
        assert texts(drawing).count(letter) == 2
        assert len(filled(drawing, colour)) == 2


def test_notes_lie_where_they_sound() -> None:
    """Later ones further right, higher ones further up, each as wide as it is long."""
    drawing = roll_drawing.draw(Chorale.of([[72, 67, 64, 48]] * 8 + [[74, 67, 64, 48]] * 4), LIGHT)

    first, second = filled(drawing, LIGHT.voices[0])[1:]
    bass = filled(drawing, LIGHT.voices[3])[1]
    assert second.x - first.x == 8 * roll_drawing.STEP
    assert first.y - second.y == 2 * roll_drawing.ROW
    assert bass.y - first.y == (72 - 48) * roll_drawing.ROW
    assert first.width == 8 * roll_drawing.STEP - 1


def test_voices_in_unison_share_the_row() -> None:
    """Each has a stripe, and the letters stand together."""
    drawing = roll_drawing.draw(Chorale.of([[67, 67, 60, 48]] * 4), LIGHT)

    soprano, alto = (filled(drawing, LIGHT.voices[voice])[-1] for voice in (0, 1))
    assert (soprano.height, alto.height) == (roll_drawing.ROW / 2, roll_drawing.ROW / 2)
    assert alto.y == soprano.y + roll_drawing.ROW / 2
    assert "SA" in texts(drawing)


def test_bars_are_numbered_and_the_pickup_is_not() -> None:
    """The first whole bar is 1."""
    drawing = roll_drawing.draw(piece(3, pickup=8), LIGHT)

    assert [text for text in texts(drawing) if text.isdigit()] == ["1", "2", "3"]


def test_a_fermata_has_its_sign_and_its_column() -> None:
    """The sign stands above the middle of the column."""
    fermatas = np.arange(16) >= 12

    drawing = roll_drawing.draw(piece(fermatas=fermatas), LIGHT)

    (arc,) = [item for item in drawing.items if isinstance(item, Line)]
    (column,) = [item for item in filled(drawing, LIGHT.accent) if item.opacity < 1]
    middle = sum(x for x, _ in arc.points) / len(arc.points)
    assert middle == pytest.approx(column.x + column.width / 2)
    assert max(y for _, y in arc.points) < column.y


def test_a_long_piece_is_broken_into_systems_of_as_many_bars() -> None:
    """16 bars are eight and eight, not twelve and four, and no note is lost at the break."""
    short, long = (roll_drawing.draw(piece(bars), LIGHT) for bars in (8, 16))

    assert long.width == short.width
    assert long.height > short.height
    assert [text for text in texts(long) if text.isdigit()] == [str(n) for n in range(1, 17)]
    assert len(filled(long, LIGHT.voices[0])) == 1 + 16


def test_a_note_over_the_end_of_a_system_goes_on_in_the_next() -> None:
    """It has a rectangle in both, within their edges."""
    held = Chorale.of([[72, -1, -1, -1]] * (13 * 16))

    drawing = roll_drawing.draw(held, LIGHT)

    first, second = filled(drawing, LIGHT.voices[0])[1:]
    assert first.x == second.x
    assert first.y < second.y
    assert first.x + first.width <= drawing.width


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
    """All rectangles and texts begin on the page."""
    drawing = roll_drawing.draw(odd, LIGHT)

    for item in drawing.items:
        if isinstance(item, Rectangle | Text):
            assert 0 <= item.x <= drawing.width
            assert 0 <= item.y <= drawing.height
