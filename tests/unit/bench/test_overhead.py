"""The overhead part of the bench, with the smallest study."""

from __future__ import annotations

from musicrel.bench import overhead


def test_a_step_of_a_run_is_measured_beside_a_bare_one() -> None:
    """Every arm has three rows, two of them with a ratio to the bare step."""
    rows = overhead.rows("cpu", 1, study="smoke", repeats=1)

    bare, run, checkpoint = rows[:3]
    assert bare["name"].startswith("training step, smoke study, ")
    assert run["name"] == f"{bare['name']}, in a run"
    assert run["ratio_to"] == bare["name"]
    assert checkpoint["ratio_to"] == f"{bare['name']}, spread over all steps"
    assert {row["unit"] for row in rows} == {"ms"}
    assert len(rows) % 3 == 0
