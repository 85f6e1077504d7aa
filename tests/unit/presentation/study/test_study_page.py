"""The Experiment place as text, numbers and points."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from musicrel.experiment.study.learning_curve import CurvePoint
from musicrel.experiment.study.run_watch import RunStatus, Sample
from musicrel.experiment.study.study_watch import State, StudyStatus
from musicrel.experiment.training.train_events import TrainResult
from musicrel.presentation.study import progress, run_table, study_samples
from musicrel.presentation.study import study_text as words
from musicrel.presentation.study.study_text import Entry


def points(*losses: float) -> tuple[CurvePoint, ...]:
    """One loss a step; ten tokens and two seconds each."""
    return tuple(
        CurvePoint(step=step, tokens=10 * step, seconds=2.0 * step, nats=loss)
        for step, loss in enumerate(losses, 1)
    )


def result(test: float) -> TrainResult:
    """Of a finished run."""
    return TrainResult(finished=True, step=10, tokens=100, seconds=20.0, valid=2.0, test=test,
                       parameters=1234, peak_bytes=2_500_000_000)  # fmt: skip


DONE = RunStatus(arm="vanilla", seed=0, folder=Path("v0"), state="finished", step=10, tokens=100,
              progress=1.0, seconds=20.0, valid=points(3.0, 2.0), train=points(4.0, 3.0, 2.0, 1.0),
              result=result(2.1))  # fmt: skip
HALF = RunStatus(arm="relative", seed=0, folder=Path("r0"), state="running", step=5, tokens=50,
              progress=0.5, seconds=20.0, tokens_per_second=2.5, memory=4_000_000, parameters=1200,
              valid=points(2.5))  # fmt: skip
NEXT = RunStatus(arm="vanilla", seed=1, folder=Path("v1"))
NOW = StudyStatus(folder=Path("studies/quick"), name="quick", kind="study", state="running",
               runs=(DONE, HALF, NEXT))  # fmt: skip


def entry(name: str, state: State) -> Entry:
    """Return an entry of the list."""
    return Entry(folder=Path(name), kind="study", state=state)


def test_time_left_follows_from_what_runs_of_the_arm_take() -> None:
    """Half of 40 s of relative, and 20 s of another vanilla run."""
    assert progress.remaining(NOW) == pytest.approx(20 + 20)
    assert progress.remaining(replace(NOW, runs=(NEXT,))) is None
    unknown_arm = replace(NEXT, arm="rope")
    assert progress.remaining(replace(NOW, runs=(HALF, unknown_arm))) == pytest.approx(20 + 40)


def test_time_left_follows_the_pace_of_the_last_minutes() -> None:
    """A slowdown by a half is assumed to continue; two runs side by side take half the time."""
    assert progress.remaining(replace(NOW, pace=1.5)) == pytest.approx(60)
    assert progress.remaining(replace(NOW, pace=0.5)) == pytest.approx(20)


def test_progress_is_one_line() -> None:
    """Share, what is done, time left, speed, memory."""
    assert progress.line(NOW) == (
        "50 %  ·  Relative, seed 0: step 5  ·  about 40 s left  ·  2 tokens/s  ·  4 MB  ·  "
        "1 of 3 runs done"
    )
    evaluating = replace(HALF, evaluating=("valid", 3, 75))
    assert "evaluating validation, 3 of 75" in progress.line(replace(NOW, runs=(evaluating,)))


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(0.2, "1 s"), (59, "59 s"), (600, "10 min"), (12_000, "3 h 20 min"), (187_200, "2 d 4 h")],
)
def test_durations_have_suitable_units(seconds: float, expected: str) -> None:
    """In the two largest units."""
    assert progress.duration(seconds) == expected


def test_table_shows_figures_and_leaves_out_what_is_not_known() -> None:
    """A dash stands for that."""
    rows = run_table.rows(NOW.runs)

    assert rows[0] == ["Vanilla", "0", "finished", "2.0000", "2.1000", "5", "20 s", "2.5 GB",
                       "1,234"]  # fmt: skip
    assert rows[1][2:5] == ["running, 50 %", "2.5000", "–"]
    assert rows[2][2:] == ["queued", *["–"] * 6]


def test_table_is_sorted_with_the_unknown_last() -> None:
    """Either way."""
    for descending, first in ((False, DONE), (True, HALF)):
        found = run_table.sorted_by(NOW.runs, 3, descending=descending)
        assert (found[0], found[-1]) == (first, NEXT)


def test_table_is_copied_as_markdown_and_exactly_as_csv() -> None:
    """A bar in a name does not break the table."""
    odd = replace(DONE, arm="a|b")
    assert run_table.markdown([odd]).splitlines()[2].startswith("| a\\|b | 0 | finished |")
    head, line = run_table.as_csv([DONE], "nats/token").splitlines()
    assert line == "vanilla,0,finished,2.0,2.1,5.0,20.0,2500000000,1234"
    assert "Validation (nats/token),Test (nats/token)" in head


def test_samples_of_one_evaluation_are_side_by_side() -> None:
    """An arm that was not so far yet is there with its last one."""

    def sample(step: int) -> Sample:
        return Sample(step=step, file=Path(f"step-{step}.json"), nats_per_note=1.0)

    first = replace(DONE, samples=(sample(10), sample(20)))
    second = replace(HALF, samples=(sample(10),))
    runs = [first, second, NEXT]

    assert study_samples.seeds(runs) == [0]
    assert study_samples.steps(runs, 0) == [20, 10]
    assert [sample.title for sample in study_samples.pieces(runs, 0, 20)] == [
        "Vanilla · seed 0 · step 20", "Relative · seed 0 · step 10",
    ]  # fmt: skip


@pytest.mark.parametrize("state", words.STATES)
def test_every_disabled_button_has_a_reason(state: State) -> None:
    """In every state each action is possible or has a reason."""
    disabled_reasons = words.disabled_reasons(state)

    possible = {
        action for action, disabled_reason in disabled_reasons.items() if not disabled_reason
    }
    assert possible == {
        "running": {"pause", "stop", "cancel"},
        "paused": {"resume", "stop", "cancel"},
        "queued": {"start", "cancel"},
    }.get(state, {"start"} if state in ("stopped", "cancelled", "crashed", "failed") else set())


def test_run_that_outlives_its_study_can_be_stopped() -> None:
    """The heading mentions the run."""
    alone = replace(NOW, state="crashed")

    assert alone.orphaned
    assert words.heading(alone).startswith("Interrupted; one of its runs is running")
    assert not words.disabled_reasons("crashed", orphaned=True)["stop"]


def test_next_in_the_queue_begins_after_an_end_but_not_after_a_stop() -> None:
    """The one that waits longest; nothing while another is at work."""
    waiting = [entry("new", "queued"), entry("old", "queued")]
    before = [entry("a", "running"), *waiting]

    for state, expected in (("finished", "old"), ("failed", "old"), ("stopped", None),
                            ("crashed", None), ("running", None)):  # fmt: skip
        found = words.next_to_start(before, [entry("a", state), *waiting])  # type: ignore[arg-type]
        assert found == (Path(expected) if expected else None)
    other = [entry("a", "finished"), entry("b", "running"), *waiting]
    assert words.next_to_start([*before, entry("b", "running")], other) is None
    assert words.next_to_start(waiting, waiting) is None
    assert words.next_to_start(before, waiting) == Path("old")  # its folder was deleted


def test_oldest_that_waited_begins_when_the_app_is_opened() -> None:
    """Unless one is at work; a study added later is started by its author."""
    waiting = [entry("new", "queued"), entry("old", "queued")]
    there = {Path("new"), Path("old")}

    assert words.study_to_start_on_launch(waiting, there) == Path("old")
    assert words.study_to_start_on_launch(waiting, {Path("new")}) == Path("new")
    assert words.study_to_start_on_launch([*waiting, entry("a", "paused")], there) is None
    assert words.study_to_start_on_launch(waiting, set()) is None


def test_a_pending_action_is_shown_until_it_is_done() -> None:
    """A process takes seconds to save and end."""
    assert words.pending_text(NOW, "stop") == "Stopping and saving …"
    assert words.pending_text(replace(NOW, state="stopped"), "stop") == ""
    assert words.pending_text(NOW, None) == ""
    assert words.pending_text(replace(NOW, state="paused"), "pause") == ""


def test_a_cancelled_study_is_not_called_saved() -> None:
    """After Cancel."""
    assert words.heading(replace(NOW, state="cancelled", runs=())).startswith("Cancelled  ·")
    before, now = [entry("a", "running")], [entry("a", "cancelled")]
    assert words.ended(before, now) == [
        "The study a was cancelled; it can be resumed from its last checkpoint"
    ]


def test_ends_are_reported() -> None:
    """Once, when they come."""
    before = [entry("a", "running"), entry("b", "finished")]
    now = [entry("a", "finished"), entry("b", "finished")]

    assert words.ended(before, now) == ["The study a finished"]


def test_verdict_has_minus_signs_and_keeps_numbers_with_their_units() -> None:
    """A line does not end between 95 and the per cent sign."""
    sentence = "no difference: -0.010 nats/note, 95 % confidence interval -0.020 to +0.010, rope-2"
    shown = words.verdict(replace(NOW, verdicts=(sentence,)))

    assert shown == (
        "No difference: −0.010\xa0nats/note, 95\xa0% confidence interval −0.020 to +0.010, rope-2."
    )


def test_figures_that_carry_no_verdict_come_second() -> None:
    """The next step and the figures have lines of their own, after what is missing."""
    sentence = "Not enough to say: 1 seed. Next: the study full. This run only: vanilla +0.1"
    shown = words.verdict(replace(NOW, verdicts=(sentence,)))

    assert shown.replace("\N{NO-BREAK SPACE}", " ").splitlines() == [
        "Not enough to say", "1 seed.", "Next: Full study.", "This run only: Vanilla +0.1.",
    ]  # fmt: skip


def test_the_verdict_or_the_reason_for_its_absence_is_shown() -> None:
    """In words, with a capital and a stop."""
    assert words.verdict(replace(NOW, verdicts=("no difference shown",))) == "No difference shown."
    assert "No result yet" in words.verdict(NOW)
    assert "no comparison" in words.verdict(replace(NOW, kind="run"))
    assert (
        words.verdict(replace(NOW, state="unreadable")) == "No result: the folder cannot be read."
    )


def test_plan_gives_an_estimate_only_where_one_is_known() -> None:
    """Otherwise there is a message."""
    arms = (("vanilla", 1000, 0), ("relative", 990, -10))

    known = words.plan(4, arms, 1200.0)
    assert known.startswith("4 runs: Vanilla 1,000 parameters, Relative 990 parameters (-10).")
    assert "About 20 min of training" in known
    assert "No time estimate" in words.plan(1, arms, None)


def test_long_names_are_cut() -> None:
    """With an ellipsis."""
    assert words.short("x" * 100) == "x" * 59 + "…"
    assert words.short("quick") == "quick"


def test_sizes_of_many_arms_are_a_range() -> None:
    """Many arms give a range of parameters; a few are listed."""
    few = words.plan(2, [("vanilla", 100, 0), ("relative", 90, -10)], None)
    many = words.plan(25, [(f"arm-{n}", 1000 + n, n) for n in range(25)], None)
    assert few.startswith("2 runs: Vanilla 100 parameters, Relative 90 parameters (-10).\n")
    assert many.startswith("25 runs: 25 arms of 1,000 to 1,024 parameters.\n")
