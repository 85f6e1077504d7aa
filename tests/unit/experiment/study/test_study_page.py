"""The Experiment place as text, numbers and points, and its live curves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from musicrel.experiment.runs.events import TrainEvaluated, TrainResult, TrainStep
from musicrel.experiment.study import estimate, run_table, study, study_curves
from musicrel.experiment.study import study_text as words
from musicrel.experiment.study.run_watch import RunStatus
from musicrel.experiment.study.study_curves import ArmCurve, Axis, CurveChoice, CurveReader, Shown
from musicrel.experiment.study.study_status import State, StudyStatus
from tests.helpers.runs import evaluation, train_step


def points(*losses: float) -> tuple[TrainEvaluated, ...]:
    return tuple(evaluation(k, x, tokens=10 * k, seconds=2.0 * k) for k, x in enumerate(losses, 1))


def steps(*losses: float) -> tuple[TrainStep, ...]:
    return tuple(train_step(k, x, tokens=10 * k, seconds=2.0 * k) for k, x in enumerate(losses, 1))


def result(test: float) -> TrainResult:
    return TrainResult(finished=True, step=10, tokens=100, seconds=20.0, valid=2.0, test=test,
                       parameters=1234, peak_bytes=2_500_000_000)  # fmt: skip


DONE = RunStatus(arm="vanilla", seed=0, folder=Path("v0"), state="finished", step=10, tokens=100,
              progress=1.0, seconds=20.0, valid=points(3.0, 2.0), train=steps(4.0, 3.0, 2.0, 1.0),
              result=result(2.1))  # fmt: skip

HALF = RunStatus(arm="relative", seed=0, folder=Path("r0"), state="running", step=5, tokens=50,
              progress=0.5, seconds=20.0, tokens_per_second=2.5, memory=4_000_000, parameters=1200,
              valid=points(2.5))  # fmt: skip

NEXT = RunStatus(arm="vanilla", seed=1, folder=Path("v1"))

NOW = StudyStatus(folder=Path("studies/quick"), name="quick", kind="study", state="running",
               runs=(DONE, HALF, NEXT))  # fmt: skip


def entry(name: str, state: State) -> StudyStatus:
    return StudyStatus(folder=Path(name), name=name, kind="study", state=state)


SEEN = RunStatus(
    arm="vanilla", seed=0, folder=Path("v0"), valid=points(3.0, 2.0), train=steps(4.0, 3.0)
)

SEEN_HALF = RunStatus(
    arm="relative", seed=0, folder=Path("r0"), valid=points(2.5), train=steps(5.0)
)


def read(*runs: RunStatus, choice: CurveChoice | None = None) -> tuple[ArmCurve, ...]:
    return CurveReader().read(runs, choice or CurveChoice())


def test_time_left_follows_from_what_runs_of_the_arm_take() -> None:
    """Half of 40 s of relative, and 20 s of another vanilla run."""
    assert words.remaining(NOW) == pytest.approx(20 + 20)
    assert words.remaining(replace(NOW, runs=(NEXT,))) is None
    unknown_arm = replace(NEXT, arm="rope")
    assert words.remaining(replace(NOW, runs=(HALF, unknown_arm))) == pytest.approx(20 + 40)


def test_time_left_follows_the_pace_of_the_last_minutes() -> None:
    assert words.remaining(replace(NOW, pace=1.5)) == pytest.approx(60)
    assert words.remaining(replace(NOW, pace=0.5)) == pytest.approx(20)


def test_progress_is_one_line() -> None:
    assert words.line(NOW) == (
        "50 %  ·  Relative, seed 0: step 5  ·  less than a minute left  ·  2 tokens/s  ·  4 MB  ·  "
        "1 of 3 runs done"
    )
    evaluating = replace(HALF, evaluating=("valid", 3, 75))
    assert "evaluating validation, 3 of 75" in words.line(replace(NOW, runs=(evaluating,)))


def test_no_time_is_named_while_only_the_last_evaluation_is_left() -> None:
    """All training is done, so a time that follows from it would be 0; nor is it 100 %."""
    last = replace(HALF, progress=1.0, evaluating=("test", 3, 75))
    line = words.line(replace(NOW, runs=(DONE, last)))
    assert line.startswith("99 %  ·  Relative, seed 0: evaluating test, 3 of 75  ·  ")
    assert words.LAST in line
    assert "left" not in line


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(0.2, "1 s"), (59, "59 s"), (600, "10 min"), (12_000, "3 h 20 min"), (187_200, "2 d 4 h")],
)
def test_durations_have_suitable_units(seconds: float, expected: str) -> None:
    assert words.duration(seconds) == expected


def test_table_shows_figures_and_leaves_out_what_is_not_known() -> None:
    rows = [[cell.text for cell in run_table.cells(run)] for run in NOW.runs]

    assert rows[0] == ["Vanilla", "0", "finished", "2.0000", "2.1000", "5", "20 s", "2.5 GB",
                       "1,234"]  # fmt: skip
    assert rows[1][2:5] == ["running, 50 %", "2.5000", "–"]
    assert rows[2][2:] == ["queued", *["–"] * 6]


def test_table_is_sorted_with_the_unknown_last() -> None:
    table = run_table.shown(map(run_table.cells, NOW.runs), "nats/note")

    assert table.order(3, descending=False) == [0, 1, 2]
    assert table.order(3, descending=True) == [1, 0, 2]


def test_table_is_copied_as_markdown_and_exactly_as_csv() -> None:
    odd = run_table.shown([run_table.cells(replace(DONE, arm="a|b"))], "nats/token")

    assert odd.to_markdown()[2].startswith("| a\\|b | 0 | finished |")
    head, line = odd.to_csv().splitlines()
    assert line == "a|b,0,finished,2.0,2.1,5,20.0,2500000000,1234"
    assert "Validation (nats/token),Test (nats/token)" in head


@pytest.mark.parametrize("state", words.STATES)
def test_every_disabled_button_has_a_reason(state: State) -> None:
    disabled_reasons = words.disabled_reasons(replace(NOW, state=state, runs=()))

    possible = {
        action for action, disabled_reason in disabled_reasons.items() if not disabled_reason
    }
    assert possible == {
        "running": {"pause", "stop", "cancel"},
        "paused": {"resume", "stop", "cancel"},
        "queued": {"start", "cancel"},
    }.get(state, {"start"} if state in ("stopped", "cancelled", "crashed", "failed") else set())


def test_run_that_outlives_its_study_can_be_stopped() -> None:
    alone = replace(NOW, state="crashed")

    assert alone.orphaned
    assert words.heading(alone).startswith("Interrupted; one of its runs is running")
    assert not words.disabled_reasons(alone)["stop"]


def test_next_in_the_queue_begins_after_an_end_but_not_after_a_stop() -> None:
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
    waiting = [entry("new", "queued"), entry("old", "queued")]

    assert words.oldest_queued(waiting) == Path("old")
    assert words.oldest_queued([*waiting, entry("a", "paused")]) is None
    assert words.oldest_queued([]) is None


def test_a_cancelled_study_is_not_called_saved() -> None:
    assert words.heading(replace(NOW, state="cancelled", runs=())).startswith("Cancelled  ·")
    before, now = [entry("a", "running")], [entry("a", "cancelled")]
    assert words.ended(before, now) == [
        "The study a was cancelled; it can be resumed from its last checkpoint"
    ]


def test_ends_are_reported() -> None:
    before = [entry("a", "running"), entry("b", "finished")]
    now = [entry("a", "finished"), entry("b", "finished")]

    assert words.ended(before, now) == ["The study a finished"]


def test_verdict_has_minus_signs_and_its_figures_come_second() -> None:
    # A line does not end between 95 and the per cent sign.
    sentence = "no difference: -0.010 nats/note, 95 % confidence interval -0.020 to +0.010, rope-2"
    shown = words.verdict(replace(NOW, verdicts=(sentence,)))

    assert shown == (
        "No difference: −0.010\xa0nats/note, 95\xa0% confidence interval −0.020 to +0.010, rope-2."
    )

    sentence = "Not enough to say: 1 seed. Next: the study full. This run only: vanilla +0.1"
    shown = words.verdict(replace(NOW, verdicts=(sentence,)))

    assert shown.replace("\N{NO-BREAK SPACE}", " ").splitlines() == [
        "Not enough to say", "1 seed.", "Next: Full study.", "This run only: Vanilla +0.1.",
    ]  # fmt: skip


def test_a_finished_study_without_a_verdict_says_what_to_run_next() -> None:
    """First of all; its figures come last, as those of this run only."""
    sentence = (
        "Not enough to say which of vanilla and relative is better: only 1 seed; at least 2 are "
        "needed. Next: the study quick. This run only: vanilla minus relative +0.1"
    )
    advice = (
        "The study works. Too few seeds (1) to say which is better; run the study quick to find out"
    )
    finished = replace(NOW, state="finished", verdicts=(sentence,), advice=advice)

    shown = words.verdict(finished).replace("\N{NO-BREAK SPACE}", " ")
    assert [line for line in shown.splitlines() if line] == [
        "The study works. Too few seeds (1) to say which is better; run Quick study to find out.",
        "Only 1 seed; at least 2 are needed.",
        "This run only: Vanilla minus Relative +0.1.",
    ]
    assert words.verdict(replace(finished, state="running")).startswith("Not enough to say")


def test_the_verdict_or_the_reason_for_its_absence_is_shown() -> None:
    assert words.verdict(replace(NOW, verdicts=("no difference shown",))) == "No difference shown."
    assert "No result yet" in words.verdict(NOW)
    assert "no comparison" in words.verdict(replace(NOW, kind="run"))
    assert (
        words.verdict(replace(NOW, state="unreadable")) == "No result: the folder cannot be read."
    )


def test_plan_gives_an_estimate_where_one_is_known_and_a_range_of_sizes_of_many_arms() -> None:
    wanted = study.load("smoke")
    arms = tuple(
        replace(wanted.arms[0], name=f"arm-{n}", parameters=1000 + n, excess=n) for n in range(25)
    )
    few, many = replace(wanted, arms=arms[:2]), replace(wanted, arms=arms)

    timed = study.parse(wanted.text.replace("steps = 80", "minutes = 10"), "timed")
    assert "About 20 min of training" in estimate.plan(timed, [])
    assert estimate.plan(few, []).startswith(
        "2 runs: arm-0 1,000 parameters, arm-1 1,001 parameters (+1).\nNo time estimate"
    )
    assert estimate.plan(many, []).startswith("25 runs: 25 arms of 1,000 to 1,024 parameters.\n")


def test_long_names_are_cut() -> None:
    assert words.short("x" * 100) == "x" * 59 + "…"
    assert words.short("quick") == "quick"


@pytest.mark.parametrize(("axis", "end"), [("step", 2.0), ("tokens", 20.0), ("seconds", 4.0)])
def test_points_are_placed_along_the_chosen_axis(axis: Axis, end: float) -> None:
    (curve,) = read(SEEN, choice=CurveChoice(axis=axis))

    assert curve.mean[:, -1].tolist() == [end, 2.0]


def test_arm_is_the_mean_of_its_runs_up_to_the_end_of_the_shortest() -> None:
    other = replace(NEXT, valid=points(5.0))

    (both,) = read(SEEN, other)
    (alone,) = read(SEEN, NEXT)

    assert both.mean.tolist() == [[1.0], [4.0]]
    assert alone.mean.tolist() == [[1.0, 2.0], [3.0, 2.0]]


def test_long_training_curves_are_averaged_over_blocks_of_steps() -> None:
    """A shorter run has the same blocks, so that both stay comparable."""
    long = replace(SEEN, train=steps(*[1.0] * 1000))
    short = replace(NEXT, train=steps(*[1.0] * 500))
    first, second = read(long, short, choice=CurveChoice(shown="train"))[0].runs

    assert first.shape[1] <= study_curves.MAX_POINTS
    assert np.array_equal(first[:, :70], second[:, :70])


@pytest.mark.parametrize("loss", [0.0, -1.0])
def test_logarithmic_axes_leave_out_what_they_cannot_show(loss: float) -> None:
    odd = replace(SEEN, valid=(evaluation(0, 2.0), *points(loss)))

    assert read(odd)[0].mean.shape == (2, 2)
    assert read(odd, choice=CurveChoice(log_x=True))[0].mean.tolist() == [[1.0], [loss]]
    assert read(odd, choice=CurveChoice(log_y=True))[0].mean.tolist() == [[0.0], [2.0]]
    assert read(odd, choice=CurveChoice(log_x=True, log_y=True)) == ()


@pytest.mark.parametrize("loss", [float("nan"), float("inf"), 1e30])
def test_impossible_losses_are_not_drawn(loss: float) -> None:
    (curve,) = read(replace(SEEN, valid=points(loss, 2.0)))

    assert curve.mean.tolist() == [[2.0], [2.0]]


@pytest.mark.parametrize(
    ("shown", "last"),
    [("valid", "vanilla,0,validation,2,20,4.0,2.0"), ("both", "vanilla,0,training,2,20,4.0,3.0")],
)
def test_points_are_written_as_csv(shown: Shown, last: str) -> None:
    lines = study_curves.as_csv([SEEN, NEXT], shown, "nats/note").splitlines()

    assert lines[0] == "arm,seed,split,step,tokens,seconds,nats/note"
    assert lines[-1] == last


def curve(*losses: list[float]) -> ArmCurve:
    """Return the curve of an arm, a seed for each list, evaluated every 500 steps."""
    runs = tuple(np.array([500.0 * np.arange(1, len(run) + 1), run]) for run in losses)
    return ArmCurve(name="Relative", number=0, split="valid", runs=runs)


def test_curve_of_one_seed_is_spoken_as_its_first_lowest_and_last_loss() -> None:
    assert curve([2.0, 1.25, 1.5]).spoken("step", "nats/note") == (
        "Relative, 1 seed, nats/note; first 2.000 at 500 steps; lowest 1.250 at 1,000 steps; "
        "last 1.500 at 1,500 steps"
    )


def test_spoken_curve_of_several_seeds_has_an_interval() -> None:
    """The mean of 1.0 and 1.2 with the t distribution of one degree of freedom: ± 1.271."""
    text = curve([2.0, 1.0], [2.0, 1.2]).spoken("step", "nats/note")

    assert text.startswith("Relative, 2 seeds, nats/note; first 2.000 at 500 steps")
    assert text.endswith("last 1.100 at 1,000 steps, 95 % interval 0.000 to 2.371")
