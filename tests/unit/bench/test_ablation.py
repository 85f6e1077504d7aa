"""The ablation part of the bench, with few bars."""

from __future__ import annotations

from musicrel.bench import ablation


def test_it_measures_heads_sources_and_whole_pieces() -> None:
    rows = ablation.rows("cpu", 1, bars=2, models=("relative",))
    assert [row["name"] for row in rows] == [
        "heads and voices of a note of 2 bars, relative",
        "64 + 64 sources of a note of 2 bars, relative",
        "a head of 2 bars, relative, and none",
    ]
    assert all(row["unit"] == "ms" and row["value"] > 0 for row in rows)
