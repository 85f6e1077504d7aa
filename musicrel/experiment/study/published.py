"""The study of the published comparison: what was printed there, and what each fault costs.

This file knows figures; windows, model and measures are those of ``published_data``,
``musicrel.model.families.published`` and ``published_objective``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from musicrel.experiment.data import dataset
from musicrel.experiment.objectives.published_objective import Published
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.study.results import RunOutcome, StudyResults
from musicrel.experiment.study.statistics import Comparison

FAMILY: Final = "published"
EPOCHS: Final = 10
"""Of the published schedule."""

REPORT: Final[Mapping[int, tuple[float, float]]] = MappingProxyType(
    {4: (0.5082, 0.4539), 5: (0.4801, 0.4324), 6: (0.4611, 0.4167)}
)
"""Epoch -> loss on train and valid of the report's printed log, of one arm, not said which."""

INDEPENDENT: Final[Mapping[str, tuple[float, ...]]] = MappingProxyType(
    {
        "learned": (0.5631, 0.5073, 0.4787, 0.4576, 0.4861),
        "relative_as_published": (0.6525, 0.6054, 0.5837, 0.5690, 0.6025),
        "relative_of_spread_1": (0.5758, 0.5249, 0.5025, 0.4854, 0.5152),
        "relative": (0.5901, 0.5374, 0.5093, 0.4897, 0.5192),
    }
)
"""Scheme -> valid after epochs 1 to 4, then test, of an independent run (batches of 32, a schedule
of four epochs, one seed)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Something wrong with the published comparison.

    Attributes:
        says: what.
        faulty: the scheme of the arm that has it; "" where no arm is without it.
        without: the scheme of the arm that differs from it in this alone.
    """

    says: str
    faulty: str = ""
    without: str = ""


FAULTS: Final = (
    Fault(
        says="the skew is none: every logit by distance ends up at a wrong pair",
        faulty="relative_as_published",
        without="relative_of_spread_1",
    ),
    Fault(
        says="the relative table starts from N(0, 1), all else from N(0, 0.02)",
        faulty="relative_of_spread_1",
        without="relative",
    ),
    Fault(
        says="what is left: relative positions instead of absolute ones, at 16 tokens",
        faulty="relative",
        without="learned",
    ),
    Fault(
        says="the whole published gap: relative as published instead of vanilla",
        faulty="relative_as_published",
        without="learned",
    ),
)
"""Those that two arms tell apart."""

COST_NOTHING: Final = (
    "16,320 of the relative arm's parameters are read by nothing, nor are the 16,384 of its table "
    "of positions: they cost 0 nats by construction, but make the arms differ in size"
)
IN_EVERY_ARM: Final = (
    "rests are dropped, which shifts the voices of every later token of a piece that has any",
    "16 tokens are one beat, and hidden groups of four are time steps only by chance",
    "what is called 15 % is one group of four: 25 % of a window, all of a short one",
)
"""What all arms share: no two arms tell what that costs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Epoch:
    """The losses after an epoch, nats/token.

    Attributes:
        number: of the epoch, from 1.
        train: mean of the means of the epoch's batches, as the report prints it.
        valid_as_published: with masks drawn for this evaluation, mean of the means of batches.
        valid: with the masks of every evaluation, mean over tokens.
    """

    number: int
    train: float
    valid_as_published: float
    valid: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a fault costs on test, in nats/token; negative where it helps.

    Attributes:
        fault: which.
        proper: by the proper measure.
        as_published: by the published one.
        interval: of 95 % around ``proper``; None where the study does not compare the two arms.
    """

    fault: Fault
    proper: float
    as_published: float
    interval: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What came of the study besides its verdicts.

    Attributes:
        epochs_run: how many of ``EPOCHS`` each run makes.
        arms: the epochs of each arm, of its first finished seed.
        schemes: scheme of each of these arms.
        tests: loss on test of each of these arms, properly and as published.
        costs: of each fault that two finished arms tell.
    """

    epochs_run: float
    arms: Mapping[str, tuple[Epoch, ...]]
    schemes: Mapping[str, str]
    tests: Mapping[str, tuple[float, float]]
    costs: tuple[Cost, ...]

    def to_json(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "epochs": EPOCHS,
            "epochs_run": self.epochs_run,
            "report": {str(epoch): losses for epoch, losses in REPORT.items()},
            "independent": {scheme: list(losses) for scheme, losses in INDEPENDENT.items()},
            "arms": {arm: [asdict(epoch) for epoch in told] for arm, told in self.arms.items()},
            "costs": [asdict(cost) for cost in self.costs],
        }


def findings(folder: Path, found: StudyResults) -> Findings | None:
    """What came of the study in ``folder``; None where it is another study or has no finished run.

    Raises:
        DataError, FileError: the data or the events of a run cannot be read.
    """
    first = found.study.arms[0].recipe
    seeds = [run.planned.seed for run in found.runs if run.result is not None]
    if found.study.objective != FAMILY or not seeds:
        return None
    steps = Published(first, dataset.load(first.data.source)).steps_an_epoch
    runs = [run for run in found.runs if run.result is not None and run.planned.seed == seeds[0]]
    schemes = {run.planned.arm: run.planned.recipe.model.scheme for run in runs}
    tests = {run.planned.arm: _tests(run) for run in runs}
    arms = {scheme: arm for arm, scheme in reversed([*schemes.items()])}
    return Findings(
        epochs_run=round(first.training.steps / steps, 2),
        arms={run.planned.arm: _epochs(folder / run.planned.folder, steps) for run in runs},
        schemes=schemes,
        tests=tests,
        costs=tuple(
            _cost(fault, (arms[fault.faulty], arms[fault.without]), tests, found.comparisons)
            for fault in FAULTS
            if {fault.faulty, fault.without} <= {*arms}
        ),
    )


def _epochs(run: Path, steps: int) -> tuple[Epoch, ...]:
    """The epochs that were evaluated at their end."""
    train: dict[int, list[float]] = {}
    told: list[Epoch] = []
    for event in RunFolder(run).events():
        if event.get("event") == "TrainStep":
            train.setdefault((event["step"] - 1) // steps, []).append(event["nats"])
        elif event.get("event") == "TrainEvaluated" and event["step"] % steps == 0:
            number = event["step"] // steps
            losses = train.get(number - 1, [])
            beside = event.get("beside", {})
            told.append(
                Epoch(
                    number=number,
                    train=sum(losses) / max(len(losses), 1),
                    valid_as_published=beside.get("valid as published", float("nan")),
                    valid=event["valid"],
                )
            )
    return tuple(told)


def _tests(run: RunOutcome) -> tuple[float, float]:
    further = run.result.further if run.result else {}
    proper = run.result.test if run.result and run.result.test is not None else float("nan")
    return proper, float(further.get("test as published", "nan"))


def _cost(
    fault: Fault,
    pair: tuple[str, str],
    tests: Mapping[str, tuple[float, float]],
    comparisons: Sequence[Comparison],
) -> Cost:
    """What a fault costs, by the arms with it and without it."""
    faulty, without = (tests[arm] for arm in pair)
    intervals = {(told.first, told.second): (told.low, told.high) for told in comparisons}
    intervals |= {(told.second, told.first): (-told.high, -told.low) for told in comparisons}
    return Cost(
        fault=fault,
        proper=faulty[0] - without[0],
        as_published=faulty[1] - without[1],
        interval=intervals.get(pair),
    )
