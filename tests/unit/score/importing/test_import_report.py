"""Reports: one sentence for each kind of trouble, with its bars."""

from __future__ import annotations

import pytest

from musicrel.chorale import Meter
from musicrel.score.importing.import_report import Report, listed
from musicrel.score.importing.source import BarLine, Finding, Source, counted


def source(bars: int = 40) -> Source:
    """Bars of 4/4, the first one a pickup."""
    lines = tuple(BarLine(float(16 * n), str(n)) for n in range(bars))
    return Source(lines=(), bar_lines=lines, findings=(Finding("grace", float(17)),))


@pytest.mark.parametrize(
    ("bars", "named"),
    [
        ([3], "bar 3"),
        ([3, 4], "bars 3 and 4"),
        ([5, 3, 4], "bars 3 to 5"),
        ([0, 7, 8, 9, 20, 21], "bars 0, 7 to 9, 20 and 21"),
        (
            range(0, 40, 2),
            "bars 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22 and 8 more places",
        ),
    ],
)
def test_bars_are_named_as_people_do(bars: list[int], named: str) -> None:
    """Neighbours as a range; of many only the first."""
    assert Report(source()).bars(bars) == named


def test_each_kind_of_trouble_is_one_sentence() -> None:
    """What the reader found comes too, whatever is said of one's own last."""
    report = Report(source())
    report.say("it is a test")
    for time in (0, 15, 16, 40):
        report.found("moved", time)

    assert report.sentences() == (
        "notes between two sixteenths (triplets?) were moved to the nearest one in bars 0 to 2",
        "grace notes were left out in bar 1",
        "it is a test",
    )


def test_bars_are_counted_through_changes_of_meter() -> None:
    """A change begins a new bar, a pickup is bar 0, and nothing is counted beyond the end."""
    meters = [(float(0), Meter(4, 4)), (float(24), Meter(3, 4))]

    found = list(counted(meters, float(4), float(50)))

    assert [(int(bar.start), bar.label) for bar in found] == [
        (0, "0"), (4, "1"), (20, "2"), (24, "3"), (36, "4"), (48, "5"),
    ]  # fmt: skip


def test_words_are_listed() -> None:
    """With commas and an and."""
    assert [listed(words) for words in (["a"], ["a", "b"], ["a", "b", "c"])] == [
        "a",
        "a and b",
        "a, b and c",
    ]
