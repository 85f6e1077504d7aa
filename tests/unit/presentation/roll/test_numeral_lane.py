"""The labels under the roll: none touches another."""

from __future__ import annotations

import itertools
from dataclasses import replace

from musicrel.chorale import Key
from musicrel.harmony.numeral import Numeral
from musicrel.presentation.roll import numeral_lane

TONIC = Numeral(
    start=0, stop=4, text="I", figure="I", key=Key("G", "major"), degree=1, quality="major",
    inversion=0, applied_to=0, root=7,
)  # fmt: skip
ROW = tuple(replace(TONIC, start=4 * at, stop=4 * at + 4) for at in range(8))


def width_of(text: str) -> float:
    return 10.0 * len(text)


def starts(numerals: tuple[Numeral, ...], step_width: float) -> list[int]:
    """Return the first steps of the labels that are shown."""
    found = numeral_lane.labels(numerals, lambda step: step * step_width, width_of)
    return [label.numeral.start for label in found]


def test_all_labels_are_shown_where_there_is_room() -> None:
    assert starts(ROW, 4.0) == list(range(0, 32, 4))


def test_labels_never_touch() -> None:
    """The closer the steps, the fewer labels."""
    counts = []
    for width in (4.0, 2.0, 1.0, 0.5, 0.1):
        labels = numeral_lane.labels(ROW, width.__mul__, width_of)
        counts.append(len(labels))
        for one, other in itertools.pairwise(labels):
            assert one.x + width_of(one.numeral.text) + numeral_lane.GAP <= other.x
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] == 1


def test_new_key_is_shown_before_its_neighbours() -> None:
    """A label with a key takes the room of those beside it."""
    row = (*ROW[:3], replace(ROW[3], text="D: IV"), *ROW[4:])

    shown = starts(row, 3.0)

    assert 12 in shown
    assert 16 not in shown


def test_numeral_of_a_step() -> None:
    assert numeral_lane.numeral_at(ROW, 5) is ROW[1]
    assert numeral_lane.numeral_at(ROW, 99) is None
    assert numeral_lane.describe(ROW[0]) == "I in G major"
