"""Import reports: one clause for each kind of issue, with its bars."""

from __future__ import annotations

import pytest

from musicrel.chorale import Meter
from musicrel.score.importing.import_report import Report, listed
from musicrel.score.importing.source import BarLine, Issue, Source, implied_bar_lines


def source(bars: int = 40) -> Source:
    """Build bars of 4/4, numbered from 0."""
    lines = tuple(BarLine(float(16 * n), str(n)) for n in range(bars))
    return Source(lines=(), bar_lines=lines, issues=(Issue("grace", float(17)),))


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
def test_bars_are_listed_as_ranges(bars: list[int], named: str) -> None:
    """Adjacent bars form a range; of many ranges only the first are named."""
    assert Report(source()).bars(bars) == named


def test_each_kind_of_issue_is_one_clause() -> None:
    """The issues of the reader are included; free text comes last."""
    report = Report(source())
    report.add_sentence("it is a test")
    for time in (0, 15, 16, 40):
        report.add_issue("moved", time)

    assert report.sentences() == (
        "notes off the sixteenth-note grid (triplets?) were quantised in bars 0 to 2",
        "grace notes were left out in bar 1",
        "it is a test",
    )


def test_bars_are_counted_through_changes_of_meter() -> None:
    """A change starts a new bar, the pickup is bar 0, and counting stops at the end."""
    meters = [(float(0), Meter(4, 4)), (float(24), Meter(3, 4))]

    found = list(implied_bar_lines(meters, float(4), float(50)))

    assert [(int(bar.start), bar.label) for bar in found] == [
        (0, "0"), (4, "1"), (20, "2"), (24, "3"), (36, "4"), (48, "5"),
    ]  # fmt: skip


def test_words_are_joined_in_a_list() -> None:
    """With commas and a final "and"."""
    assert [listed(words) for words in (["a"], ["a", "b"], ["a", "b", "c"])] == [
        "a",
        "a and b",
        "a, b and c",
    ]
