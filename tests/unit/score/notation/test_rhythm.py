"""Rhythmic notation that shows the beat."""

from __future__ import annotations

import pytest

from musicrel.chorale import Meter
from musicrel.score.notation import rhythm

COMMON = Meter(4, 4)
THREE = Meter(3, 4)
SIX = Meter(6, 8)


@pytest.mark.parametrize(
    ("meter", "expected"),
    [
        ("4/4", (16, 8, 4, 2, 1)),
        ("3/4", (12, 4, 2, 1)),
        ("2/2", (16, 8, 4, 2, 1)),
        ("3/2", (24, 8, 4, 2, 1)),
        ("6/8", (12, 6, 2, 1)),
        ("9/8", (18, 6, 2, 1)),
        ("12/8", (24, 12, 6, 2, 1)),
        ("3/8", (6, 2, 1)),
        ("5/4", (20, 4, 2, 1)),
        ("1/16", (1,)),
    ],
)
def test_a_meter_divides_its_bar(meter: str, expected: tuple[int, ...]) -> None:
    """Each unit is a multiple of the next."""
    assert rhythm.units(Meter.parse(meter)) == expected


@pytest.mark.parametrize(
    ("meter", "start", "length", "expected"),
    [
        (COMMON, 0, 16, [16]),
        (COMMON, 0, 12, [12]),
        (COMMON, 0, 6, [6]),
        (COMMON, 0, 5, [4, 1]),
        (COMMON, 0, 7, [4, 3]),
        (COMMON, 0, 9, [8, 1]),
        (COMMON, 0, 10, [8, 2]),
        (COMMON, 2, 4, [4]),  # eighth quarter eighth
        (COMMON, 1, 2, [2]),  # sixteenth eighth sixteenth
        (COMMON, 4, 8, [8]),  # quarter half quarter
        (COMMON, 4, 6, [6]),  # a dotted quarter on the second beat
        (COMMON, 6, 4, [2, 2]),  # the middle of the bar is shown
        (COMMON, 2, 12, [6, 6]),
        (COMMON, 3, 2, [1, 1]),
        (COMMON, 6, 3, [2, 1]),
        (COMMON, 7, 9, [1, 8]),
        (THREE, 0, 8, [8]),
        (THREE, 4, 8, [8]),
        (THREE, 0, 10, [8, 2]),
        (THREE, 2, 10, [2, 8]),
        (THREE, 4, 6, [6]),
        (THREE, 6, 4, [4]),
        (SIX, 0, 4, [4]),
        (SIX, 0, 12, [12]),
        (SIX, 0, 8, [6, 2]),
        (SIX, 4, 8, [2, 6]),
        (SIX, 4, 4, [2, 2]),
        (SIX, 2, 4, [4]),
        (Meter(12, 8), 6, 12, [12]),
        (Meter(5, 4), 0, 20, [16, 4]),
    ],
)
def test_a_note_is_split_where_it_would_hide_a_beat(
    meter: Meter, start: int, length: int, expected: list[int]
) -> None:
    """One head if it hides no beat or is a common syncopation; else tied heads."""
    assert rhythm.split_note(start, length, meter) == expected


@pytest.mark.parametrize(
    ("meter", "start", "length", "expected"),
    [
        (COMMON, 0, 8, [8]),
        (COMMON, 4, 8, [4, 4]),
        (COMMON, 4, 12, [4, 8]),
        (COMMON, 0, 6, [4, 2]),
        (COMMON, 2, 4, [2, 2]),
        (COMMON, 3, 13, [1, 4, 8]),
        (THREE, 0, 8, [4, 4]),
        (SIX, 0, 6, [6]),
        (SIX, 2, 4, [2, 2]),
    ],
)
def test_rests_show_every_beat(meter: Meter, start: int, length: int, expected: list[int]) -> None:
    """A rest fills a unit of the meter."""
    assert rhythm.split_rest(start, length, meter) == expected


@pytest.mark.parametrize("text", ["4/4", "3/4", "6/8", "9/8", "12/16", "7/8", "3/1", "11/16"])
def test_heads_and_rests_add_up_to_the_length(text: str) -> None:
    """At any position in the bar, in lengths that a single head can have."""
    meter = Meter.parse(text)
    named = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48}

    for start in range(meter.steps):
        for length in range(1, meter.steps - start + 1):
            for split in (rhythm.split_note, rhythm.split_rest):
                lengths = split(start, length, meter)
                assert sum(lengths) == length
                assert set(lengths) <= named


@pytest.mark.parametrize(
    ("meter", "lengths", "expected"),
    [
        (COMMON, [2, 2, 2, 2], ["begin", "end", "begin", "end"]),
        (COMMON, [4, 2, 2], ["", "begin", "end"]),
        (COMMON, [2, 4, 2], ["", "", ""]),
        (COMMON, [3, 1], ["begin", "end backward hook"]),
        (COMMON, [1, 3], ["begin forward hook", "end"]),
        (COMMON, [1, 2, 1], ["begin forward hook", "continue", "end backward hook"]),
        (COMMON, [2, 1, 1], ["begin", "continue begin", "end end"]),
        (SIX, [2, 2, 2, 4, 2], ["begin", "continue", "end", "", ""]),
        (SIX, [3, 1, 2], ["begin", "continue backward hook", "end"]),
        (SIX, [2, 1, 3], ["begin", "continue forward hook", "end"]),
        (Meter(3, 2), [2, 2, 2, 2], ["begin", "end", "begin", "end"]),
        (Meter(3, 8), [2, 2, 2], ["begin", "continue", "end"]),
    ],
)
def test_beams_join_the_heads_of_a_beat(
    meter: Meter, lengths: list[int], expected: list[str]
) -> None:
    """Beams do not hide the beat; a single sixteenth has a hook towards its partner."""
    starts = [sum(lengths[:index]) for index in range(len(lengths))]

    beams = rhythm.beams(starts, lengths, meter)

    assert [" ".join(own) for own in beams] == expected
