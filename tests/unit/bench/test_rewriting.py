"""The rewriting part of the bench, with few bars."""

from __future__ import annotations

import argparse

import pytest

from musicrel.bench import rewriting


@pytest.mark.slow
def test_waiting_and_the_processor_are_told_of_each_job() -> None:
    """What is rewritten and harmonised, by patience; the ratio says how much of a core it had."""
    asked = argparse.Namespace(device="cpu", threads=1)

    rows = rewriting.rows(asked, bars=4, candidates=2)

    waited, worked = rows[::2], rows[1::2]
    assert [row["name"] for row in waited] == [
        "rewrite 2 bars of 4 in 2 voices, draft",
        "rewrite 2 bars of 4 in 2 voices, normal",
        "rewrite 2 bars of 4 in 2 voices, careful",
        "harmonise 4 bars, draft, 1 candidate",
        "harmonise 4 bars, normal, 1 candidate",
        "harmonise 4 bars, normal, 2 candidates",
    ]
    assert {row["unit"] for row in rows} == {"s"}
    for one, other in zip(waited, worked, strict=True):
        assert other["name"] == f"{one['name']}, processor"
        assert other["ratio_to"] == one["name"]
        assert one["value"] > 0
        assert other["ratio"] > 0
