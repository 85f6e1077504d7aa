"""The study of the published comparison: its printed losses, and the cost of each of its faults.

Data, model and losses are those of ``musicrel.model.families.published`` and
``published_objective``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any, Final

from musicrel import legacy
from musicrel.experiment.data import dataset
from musicrel.experiment.objectives.published_objective import PublishedObjective
from musicrel.experiment.study.results import StudyResults
from musicrel.experiment.study.run_watch import RunStatus
from musicrel.experiment.study.statistics import Comparison

FAMILY: Final = "published"
EPOCHS: Final = 10

REPORT: Final[Mapping[int, tuple[float, float]]] = MappingProxyType(
    {4: (0.5082, 0.4539), 5: (0.4801, 0.4324), 6: (0.4611, 0.4167)}
)
"""Epoch -> training and validation loss in the report's printed log, of one unnamed arm."""

INDEPENDENT: Final[Mapping[str, tuple[float, ...]]] = MappingProxyType(
    {
        "learned": (0.5631, 0.5073, 0.4787, 0.4576, 0.4861),
        "relative_as_published": (0.6525, 0.6054, 0.5837, 0.5690, 0.6025),
        "relative_of_spread_1": (0.5758, 0.5249, 0.5025, 0.4854, 0.5152),
        "relative": (0.5901, 0.5374, 0.5093, 0.4897, 0.5192),
    }
)
"""Scheme -> validation losses after epochs 1 to 4, then the test loss, of an independent run
(batches of 32, a schedule of four epochs, one seed)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    description: str  # a few words
    faulty: str = ""  # the scheme of the arm with the fault
    without: str = ""  # the scheme of the arm that differs from it in the fault only


FAULTS: Final = (
    Fault(
        description="the skew is wrong: every logit by distance ends up at a wrong pair",
        faulty="relative_as_published",
        without="relative_of_spread_1",
    ),
    Fault(
        description="the relative table is initialised from N(0, 1), all else from N(0, 0.02)",
        faulty="relative_of_spread_1",
        without="relative",
    ),
    Fault(
        description="the remainder: relative positions instead of absolute ones, at 16 tokens",
        faulty="relative",
        without="learned",
    ),
    Fault(
        description="the whole published gap: relative as published instead of vanilla",
        faulty="relative_as_published",
        without="learned",
    ),
)

COST_NOTHING: Final = (
    "16,320 of the relative arm's parameters are unused, as are the 16,384 of its table of "
    "positions: they cost 0 nats by construction, but make the arms differ in size"
)
IN_EVERY_ARM: Final = (
    "rests are dropped, which shifts the voices of every later token of a piece that has any",
    "16 tokens are one beat, and masked groups of four tokens rarely coincide with time steps",
    "the nominal 15 % is one group of four tokens: 25 % of a window, all of a short one",
)
"""The faults that all arms share; their cost cannot be measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Epoch:
    number: int
    train: float  # mean of the batch means of the epoch, as in the report
    valid_as_published: float  # with new masks at every evaluation, mean of batch means
    valid: float  # with the same masks at every evaluation, mean over tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """The cost of a fault on the test split, in nats/token; negative if the fault helps."""

    fault: Fault
    proper: float  # by the corrected measure
    as_published: float
    # 95 % confidence interval of ``proper``; None if the study does not compare the two arms
    interval: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    epochs_run: float
    arms: Mapping[str, tuple[Epoch, ...]]  # the epochs of each arm, of its first finished seed
    schemes: Mapping[str, str]  # scheme of each of these arms
    # test losses of each of these arms, by the corrected and the published measure
    tests: Mapping[str, tuple[float, float]]
    costs: tuple[Cost, ...]  # the cost of each fault whose two arms are finished

    def to_json(self) -> dict[str, Any]:
        names = legacy.inverse(legacy.RESULT_KEYS)
        return {
            "epochs": EPOCHS,
            "epochs_run": self.epochs_run,
            "report": {str(epoch): losses for epoch, losses in REPORT.items()},
            "independent": {scheme: list(losses) for scheme, losses in INDEPENDENT.items()},
            "arms": {arm: [asdict(epoch) for epoch in epochs] for arm, epochs in self.arms.items()},
            "costs": [legacy.translate(asdict(cost), names) for cost in self.costs],
        }


def findings(found: StudyResults) -> Findings | None:
    """Return the findings of a study; None for other studies or no finished run."""
    first = found.study.arms[0].recipe
    seeds = [run.seed for run in found.runs if run.result is not None]
    if found.study.objective != FAMILY or not seeds:
        return None
    steps = PublishedObjective(first, dataset.load(first.data.source)).steps_an_epoch
    runs = [run for run in found.runs if run.result is not None and run.seed == seeds[0]]
    finished = {run.arm for run in runs}
    schemes = {
        arm.name: arm.recipe.model.scheme for arm in found.study.arms if arm.name in finished
    }
    tests = {
        run.arm: (
            float("nan" if run.result.test is None else run.result.test),
            float(run.result.further.get("test as published", "nan")),
        )
        for run in runs
        if run.result is not None
    }
    arms = {scheme: arm for arm, scheme in reversed([*schemes.items()])}
    return Findings(
        epochs_run=round(first.training.steps / steps, 2),
        arms={run.arm: _epochs(run, steps) for run in runs},
        schemes=schemes,
        tests=tests,
        costs=tuple(
            _cost(fault, (arms[fault.faulty], arms[fault.without]), tests, found.comparisons)
            for fault in FAULTS
            if {fault.faulty, fault.without} <= {*arms}
        ),
    )


def _epochs(run: RunStatus, steps: int) -> tuple[Epoch, ...]:
    train: dict[int, list[float]] = {}
    for event in run.train:
        train.setdefault((event.step - 1) // steps + 1, []).append(event.nats)
    means = {number: sum(losses) / len(losses) for number, losses in train.items()}
    return tuple(
        Epoch(
            number=event.step // steps,
            train=means.get(event.step // steps, 0.0),
            valid_as_published=event.beside.get("valid as published", float("nan")),
            valid=event.valid,
        )
        for event in run.valid
        if event.step % steps == 0
    )


def _cost(
    fault: Fault,
    pair: tuple[str, str],
    tests: Mapping[str, tuple[float, float]],
    comparisons: Sequence[Comparison],
) -> Cost:
    faulty, without = (tests[arm] for arm in pair)
    intervals = {(one.first, one.second): (one.low, one.high) for one in comparisons}
    intervals |= {(one.second, one.first): (-one.high, -one.low) for one in comparisons}
    return Cost(
        fault=fault,
        proper=faulty[0] - without[0],
        as_published=faulty[1] - without[1],
        interval=intervals.get(pair),
    )
