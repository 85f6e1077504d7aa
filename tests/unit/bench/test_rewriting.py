"""The rewriting part of the bench, with few bars."""

from __future__ import annotations

import pytest

from musicrel.bench import rewriting


@pytest.mark.slow
def test_wall_clock_and_processor_time_are_measured_for_each_request() -> None:
    """The ratio is processor time to wall-clock time."""
    rows = rewriting.rows("cpu", 1, bars=4, candidates=2)

    wall, processor = rows[::2], rows[1::2]
    assert [row["name"] for row in wall] == [
        "rewrite 2 bars of 4 in 2 voices, draft",
        "rewrite 2 bars of 4 in 2 voices, normal",
        "rewrite 2 bars of 4 in 2 voices, high",
        "harmonise 4 bars, draft, 1 candidate",
        "harmonise 4 bars, normal, 1 candidate",
        "harmonise 4 bars, normal, 2 candidates",
    ]
    assert {row["unit"] for row in rows} == {"s"}
    for one, other in zip(wall, processor, strict=True):
        assert other["name"] == f"{one['name']}, processor"
        assert other["ratio_to"] == one["name"]
        assert one["value"] > 0
        assert other["ratio"] > 0
