"""The order of the checks, and the findings they end in."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from musicrel import jobs
from musicrel.checkup import checkup
from musicrel.checkup.findings import Check, Checking, Finding, NotTriedError, Outcome
from musicrel.errors import ModelError, UsageError


def check_that(work: Callable[[], Outcome]) -> Check:
    """Return a check of a model."""
    return Check(subject="model", name="logits", work=work)


def check_that_raises(error: Exception) -> Check:
    """Return a check that ends in an error."""

    def work() -> Outcome:
        raise error

    return check_that(work)


def finding_of(check: Check) -> Finding:
    """Run a single check."""
    (found,) = jobs.run(checkup.run_checks([check]))
    return found


@pytest.mark.parametrize(
    ("outcome", "verdict"),
    [
        (Outcome(finding="", figure=0.5, limit=0.5), "passed"),
        (Outcome(finding="", figure=0.6, limit=0.5), "failed"),
        (Outcome(finding="", figure=math.nan, limit=0.5), "failed"),
        (Outcome(finding="", figure=0.0, holds=False), "failed"),
        (Outcome(finding=""), "passed"),
        (Outcome(finding="", holds=False), "failed"),
    ],
)
def test_a_figure_above_its_limit_fails(outcome: Outcome, verdict: str) -> None:
    """So does one that is no number, and anything that does not hold."""
    found = finding_of(check_that(lambda: outcome))

    assert found.verdict == verdict
    assert found.limit == (None if outcome.figure is None else outcome.limit)


def test_a_figure_that_is_not_finite_is_null_in_json() -> None:
    """JSON has no other word for it."""
    found = finding_of(check_that(lambda: Outcome(finding="", figure=math.inf)))

    assert found.to_json()["figure"] is None
    assert found.to_json()["verdict"] == "failed"


@pytest.mark.parametrize(
    ("error", "finding"),
    [
        (ModelError("it is damaged"), "it is damaged"),
        (RuntimeError("CUDA error: no kernel\nfor this device"), "CUDA error: no kernel"),
        (NotImplementedError("aten::x is not there for MPS"), "aten::x is not there for MPS"),
        (TypeError("MPS has no float64"), "MPS has no float64"),
        (MemoryError(), "MemoryError"),
    ],
)
def test_an_error_is_a_failed_check_with_its_first_line(error: Exception, finding: str) -> None:
    """It has no figure."""
    found = finding_of(check_that_raises(error))

    assert (found.verdict, found.finding, found.figure) == ("failed", finding, None)


def test_a_check_that_cannot_be_tried_says_why() -> None:
    """It is neither passed nor failed."""
    found = finding_of(check_that_raises(NotTriedError("only CUDA does this")))

    assert (found.verdict, found.finding) == ("not tried", "only CUDA does this")


def test_checks_after_a_failed_one_are_tried() -> None:
    """Each is announced with its number."""
    events: list[Checking | Finding] = []
    failing, passing = check_that_raises(ModelError("no")), check_that(lambda: Outcome(finding="y"))

    found = jobs.run(checkup.run_checks([failing, passing]), events.append)

    assert [one.verdict for one in found] == ["failed", "passed"]
    begun = [event for event in events if isinstance(event, Checking)]
    assert [(one.number, one.total) for one in begun] == [(1, 2), (2, 2)]
    assert events[1::2] == found


def test_a_mistake_in_the_program_is_no_finding() -> None:
    """It is raised."""
    with pytest.raises(AttributeError):
        finding_of(check_that_raises(AttributeError()))


def test_a_device_that_is_not_there_is_a_sentence() -> None:
    """Before anything is loaded."""
    with pytest.raises(UsageError, match="unknown device 'gpu': expected one of auto, cpu"):
        jobs.run(checkup.check("gpu"))


def test_all_shipped_models_are_checked_and_training() -> None:
    """Nothing is loaded for the list."""
    checks = checkup.all_checks("cpu", 1)

    models = {one.subject for one in checks if not one.subject.startswith("training")}
    assert models == {
        "critic", "relative", "relative-infill", "relative-jsb",
        "vanilla", "vanilla-infill", "vanilla-jsb",
    }  # fmt: skip
    assert {one.subject for one in checks} - models == {
        "training vanilla-base",
        "training relative-base",
        "training relative-infill-base",
    }
