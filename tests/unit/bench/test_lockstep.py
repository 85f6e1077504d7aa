"""The lockstep part of the bench, with few bars."""

from __future__ import annotations

import pytest

from musicrel.bench import lockstep
from musicrel.errors import GenerationError
from musicrel.jobs import Job


def work(log: list[str], name: str, beats: int) -> Job[str, None]:
    """Note each beat in a log."""
    for _ in range(beats):
        log.append(name)
        yield name


def test_the_speed_of_each_is_relative_to_one_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half is the most that is possible: here both together take 4 s, and alone 1 s and 2 s."""
    log: list[str] = []
    seconds = {"write, a": 1.0, "write, b": 2.0, "write, a and b in lockstep": 4.0}

    def best(works: dict[str, object]) -> dict[str, float]:
        for one in works.values():
            one()  # type: ignore[operator]
        return {name: seconds[name] for name in works}

    monkeypatch.setattr(lockstep, "best", best)
    alone = {name: lambda name=name: work(log, name, 2) for name in "ab"}
    rows = lockstep._pair_rows("write", alone)

    assert [row["name"] for row in rows] == list(seconds)
    assert [row["value"] for row in rows] == [1.0, 2.0, 4.0]
    assert (rows[2]["ratio_to"], rows[2]["ratio"]) == ("the speed of one alone", 0.375)
    assert sorted(log) == ["a"] * 4 + ["b"] * 4


def test_a_model_that_fails_ends_the_measurement() -> None:
    def fails() -> Job[str, None]:
        yield "a"
        raise GenerationError("no legal note")

    with pytest.raises(GenerationError, match="no legal note"):
        lockstep._run_both(fails, lambda: work([], "b", 1))


@pytest.mark.slow
def test_both_pairs_are_measured_at_two_qualities() -> None:
    rows = lockstep.rows("cpu", 1, bars=4)

    names = [row["name"] for row in rows]
    assert names[:3] == [
        "write 4 bars, draft, attention recorded, relative",
        "write 4 bars, draft, attention recorded, vanilla",
        "write 4 bars, draft, attention recorded, relative and vanilla in lockstep",
    ]
    assert names[-1] == (
        "rewrite 2 bars of 4 in 2 voices, normal, relative-infill and vanilla-infill in lockstep"
    )
    assert len(rows) == 12
    assert all(row["unit"] == "s" and row["value"] > 0 for row in rows)
    assert [row["ratio"] is not None for row in rows[:3]] == [False, False, True]
