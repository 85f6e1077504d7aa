"""The live curves of a study: points, values at the pointer, ticks and CSV."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from musicrel.experiment.study.learning_curve import CurvePoint
from musicrel.experiment.study.run_watch import RunStatus
from musicrel.presentation.study import study_curves
from musicrel.presentation.study.curves import Axis
from musicrel.presentation.study.study_curves import ArmCurve, CurveChoice, CurveReader, Shown


def points(*losses: float) -> tuple[CurvePoint, ...]:
    """Return one loss per step, with ten tokens and two seconds each."""
    return tuple(
        CurvePoint(step=step, tokens=10 * step, seconds=2.0 * step, nats=loss)
        for step, loss in enumerate(losses, 1)
    )


DONE = RunStatus(
    arm="vanilla", seed=0, folder=Path("v0"), valid=points(3.0, 2.0), train=points(4.0, 3.0)
)
HALF = RunStatus(arm="relative", seed=0, folder=Path("r0"), valid=points(2.5), train=points(5.0))
NEXT = RunStatus(arm="vanilla", seed=1, folder=Path("v1"))


def read(*runs: RunStatus, choice: CurveChoice | None = None) -> list[ArmCurve]:
    """Return the curves of runs."""
    return CurveReader().read(runs, choice or CurveChoice())


@pytest.mark.parametrize(("axis", "end"), [("step", 2.0), ("tokens", 20.0), ("seconds", 4.0)])
def test_points_are_placed_along_the_chosen_axis(axis: Axis, end: float) -> None:
    """The last validation loss is at the last step."""
    (curve,) = read(DONE, choice=CurveChoice(axis=axis))

    assert curve.mean[:, -1].tolist() == [end, 2.0]


def test_both_splits_have_curves() -> None:
    """An arm has one number; its training curve is named so."""
    found = read(DONE, HALF, choice=CurveChoice(shown="both"))

    assert [(curve.name, curve.number, curve.split) for curve in found] == [
        ("Vanilla", 0, "valid"), ("Relative", 1, "valid"),
        ("Vanilla (training)", 0, "train"), ("Relative (training)", 1, "train"),
    ]  # fmt: skip


def test_arm_is_the_mean_of_its_runs_up_to_the_end_of_the_shortest() -> None:
    """A run without points does not count."""
    other = replace(NEXT, valid=points(5.0))

    (both,) = read(DONE, other)
    (alone,) = read(DONE, NEXT)

    assert both.mean.tolist() == [[1.0], [4.0]]
    assert alone.mean.tolist() == [[1.0, 2.0], [3.0, 2.0]]


def test_long_training_curves_are_averaged_over_blocks_of_steps() -> None:
    """A shorter run has the same blocks, so that both stay comparable."""
    long = replace(DONE, train=points(*[1.0] * 1000))
    short = replace(NEXT, train=points(*[1.0] * 500))
    first, second = read(long, short, choice=CurveChoice(shown="train"))[0].runs

    assert first.shape[1] <= study_curves.MAX_POINTS
    assert np.array_equal(first[:, :70], second[:, :70])


def test_last_block_may_be_shorter() -> None:
    """Its mean is that of the points it has."""
    thinned = study_curves.thinned(np.array([[1.0, 2.0, 3.0], [4.0, 2.0, 1.0]]), 2)

    assert thinned.tolist() == [[1.5, 3.0], [3.0, 1.0]]


@pytest.mark.parametrize("loss", [0.0, -1.0])
def test_logarithmic_axes_leave_out_what_they_cannot_show(loss: float) -> None:
    """Only points above zero remain; an arm without any is left out."""
    odd = replace(DONE, valid=(CurvePoint(step=0, tokens=0, seconds=0.0, nats=2.0), *points(loss)))

    assert read(odd)[0].mean.shape == (2, 2)
    assert read(odd, choice=CurveChoice(log_x=True))[0].mean.tolist() == [[1.0], [loss]]
    assert read(odd, choice=CurveChoice(log_y=True))[0].mean.tolist() == [[0.0], [2.0]]
    assert read(odd, choice=CurveChoice(log_x=True, log_y=True)) == []


def test_reader_sees_new_points() -> None:
    """It keeps the points of other runs."""
    reader = CurveReader()
    reader.read([DONE], CurveChoice())

    (curve,) = reader.read([replace(DONE, valid=points(3.0, 2.0, 1.0))], CurveChoice())

    assert curve.mean[1].tolist() == [3.0, 2.0, 1.0]


def test_losses_at_the_pointer_are_those_of_the_nearest_evaluation() -> None:
    """Beside the curves there are none."""
    found = read(DONE, HALF)

    text = study_curves.losses_at(found, "step", 1.1)
    assert text == "1 steps: Vanilla 3.000  ·  Relative 2.500 nats/note"
    assert study_curves.losses_at(found, "seconds", 1.1, "nats/token").startswith("1 s: Vanilla")
    assert study_curves.losses_at(found, "step", -0.1) == ""
    assert study_curves.losses_at(found, "step", 2.1) == ""
    assert study_curves.losses_at([], "step", 1.0) == ""


def test_curves_are_described_by_their_last_losses() -> None:
    """A screen reader reads them out."""
    found = read(DONE, HALF)

    text = study_curves.description("Quick study", found, "nats/note")
    assert text == "Quick study: Vanilla 2.000, Relative 2.500 nats/note"
    assert study_curves.description("Quick study", [], "") == "Quick study: no evaluation yet"


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.55, 0.61, [0.55, 0.56, 0.57, 0.58, 0.59, 0.6, 0.61]),
        (0.4, 5.0, [0.5, 1.0, 2.0, 5.0]),
        (3.0, 4000.0, [10.0, 100.0, 1000.0]),
    ],
)
def test_ticks_of_a_logarithmic_axis_are_round(
    low: float, high: float, expected: list[float]
) -> None:
    """Within a decade they are as dense as on a linear axis."""
    found = study_curves.log_ticks(low, high)

    assert set(np.round(found, 9)) <= set(expected)
    assert len(found) >= 3


@pytest.mark.parametrize(
    ("shown", "last"),
    [("valid", "vanilla,0,validation,2,20,4.0,2.0"), ("both", "vanilla,0,training,2,20,4.0,3.0")],
)
def test_points_are_written_as_csv(shown: Shown, last: str) -> None:
    """Every point has a line, unrounded and not averaged."""
    lines = study_curves.as_csv([DONE, NEXT], shown, "nats/note").splitlines()

    assert lines[0] == "arm,seed,split,step,tokens,seconds,nats/note"
    assert lines[-1] == last
