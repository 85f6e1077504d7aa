"""The search for the learning rate of each arm, which precedes the runs of a study.

Every arm is trained with the same rates, one seed and a share of the budget. Its rate with the
lowest loss on validation is then used for all seeds; test is not evaluated before. The choice
follows from the results of these trials alone, so that it is the same in every process.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from musicrel.errors import UsageError
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.experiment.runs.run_folder import RunFolder, RunState
from musicrel.experiment.study import toml_values
from musicrel.experiment.training.train_events import TrainResult

if TYPE_CHECKING:
    from musicrel.experiment.study.study import PlannedRun, Study

_SHARE: Final = 0.1

Edge = Literal["lowest", "highest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """The search for the learning rate of each arm."""

    learning_rates: tuple[float, ...]  # rates to try, ascending
    share: float  # share of the budget of a run that each trial has

    def trial(self, recipe_: Recipe, rate: float) -> Recipe:
        """Return the recipe of a trial: all that is counted in steps shrinks with the budget."""
        training, share = recipe_.training, self.share
        steps, warmup = round(training.steps * share), round(training.warmup_steps * share)
        short = replace(
            training,
            learning_rate=rate,
            tokens=max(round(training.tokens * share), 1) if training.tokens else 0,
            steps=max(steps, 1) if training.steps else 0,
            minutes=training.minutes * share,
            warmup_steps=warmup,
            schedule_steps=max(round(training.schedule_steps * share), steps, warmup + 1)
            if training.schedule_steps
            else 0,
            calibration_rounds=0,
            samples=False,
            stop_after=0,
            stop_gain=0.0,
            trial=True,
        )
        curriculum = recipe_.data.curriculum_steps
        data = replace(
            recipe_.data, curriculum_steps=max(round(curriculum * share), 1) if curriculum else 0
        )
        return replace(recipe_, data=data, training=short)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A run of the search."""

    planned: PlannedRun
    state: RunState
    result: TrainResult | None  # None while it is not finished
    chosen: bool = False  # whether its rate is that of the arm

    @property
    def rate(self) -> float:
        return self.planned.recipe.training.learning_rate

    @property
    def diverged(self) -> bool:
        return self.result is not None and self.result.valid is None

    def to_json(self) -> dict[str, Any]:
        """Return its entry in ``results.json``, once it is finished."""
        keys = ("valid", "step", "tokens", "seconds", "peak_bytes")
        values = {key: getattr(self.result, key) for key in keys}
        if self.result is not None and self.result.stopped:
            values["stopped"] = self.result.stopped
        named = {"arm": self.planned.arm, "learning_rate": self.rate, "seed": self.planned.seed}
        return {**named, **values, "chosen": self.chosen}


def search(tables: Mapping[str, Any], arms: Sequence[Any], where: str) -> Search | None:
    """Return the search that a study describes; None without one."""
    if "search" not in tables:
        return None
    wanted = toml_values.table(tables, "search", where)
    toml_values.check_keys(wanted, ("learning_rates", "share"), f"{where}, [search]")
    for arm in arms:
        if isinstance(arm, dict) and "learning_rate" in toml_values.table(arm, "training", where):
            raise UsageError(
                f"{where}: arm {arm.get('name')!r} sets learning_rate, which [search] chooses: "
                "remove one of them"
            )
    return Search(
        learning_rates=toml_values.learning_rates(wanted.get("learning_rates"), where),
        share=toml_values.share(wanted.get("share", _SHARE), where),
    )


def trials(study: Study, folder: Path) -> tuple[Trial, ...]:
    """Return the trials of ``study`` in its folder; none without a search."""
    runs = [(planned, RunFolder(folder / planned.folder)) for planned in study.trials]
    found = tuple(
        Trial(planned=planned, state=run.state(), result=TrainResult.of(run))
        for planned, run in runs
    )
    chosen = choose([(one.planned.arm, one.rate, one.result) for one in found])
    return tuple(replace(one, chosen=chosen.get(one.planned.arm) == one.rate) for one in found)


def choose(
    tried: Sequence[tuple[str, float, TrainResult | None]],
) -> dict[str, float]:
    """Return the learning rate of each arm whose trials are all finished.

    It is that with the lowest loss on validation, the lower one of two with the same loss. Rates
    that diverged are left out, and so is an arm that diverged with all of them.
    """
    chosen: dict[str, float] = {}
    for arm in dict.fromkeys(name for name, _, _ in tried):
        mine = [(rate, result) for name, rate, result in tried if name == arm]
        losses = [
            (result.valid, rate)
            for rate, result in mine
            if result is not None and result.valid is not None
        ]
        if losses and all(result is not None for _, result in mine):
            chosen[arm] = min(losses)[1]
    return chosen


def rates(tried: Sequence[Trial]) -> dict[str, float]:
    """Return the chosen learning rate of each arm that has one."""
    return {trial.planned.arm: trial.rate for trial in tried if trial.chosen}


def at_edge(tried: Sequence[Trial]) -> Mapping[str, Edge]:
    """Return the arms whose rate is the lowest or highest tried: a better one may lie beyond."""
    return dict(_edges(tried))


def _edges(tried: Sequence[Trial]) -> Iterator[tuple[str, Edge]]:
    every = [trial.rate for trial in tried]
    for trial in tried:
        if trial.chosen and trial.rate == min(every):
            yield trial.planned.arm, "lowest"
        elif trial.chosen and trial.rate == max(every):
            yield trial.planned.arm, "highest"
