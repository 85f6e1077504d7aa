"""How long a study will take, told from runs of the same size that this machine has made.

Nothing is guessed: where no such run is known, there is no estimate.

This file knows results of runs; it knows nothing of how an estimate is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from musicrel.errors import MusicrelError
from musicrel.experiment.recipe import recipe
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.study import study_folder
from musicrel.experiment.study.study import Study

_ABOUT_AS_LARGE: Final = 0.1
_SECONDS_A_MINUTE: Final = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Speed:
    """How fast a run learned.

    Attributes:
        recipe: of the run.
        parameters: of its model.
        per_token: seconds.
        per_step: seconds.
    """

    recipe: Recipe
    parameters: int
    per_token: float
    per_step: float


Speeds: TypeAlias = Mapping[Path, Speed]


def measured(folders: Iterable[Path], known: Speeds) -> dict[Path, Speed]:
    """The speeds of the finished runs in ``folders``; those in ``known`` are not read again."""
    found: dict[Path, Speed] = {}
    for folder in _runs(folders):
        speed = known.get(folder) or _speed(folder)
        if speed is not None:
            found[folder] = speed
    return found


def seconds(study: Study, speeds: Iterable[Speed]) -> float | None:
    """How long all runs will learn; evaluations come on top.

    Returns:
        Seconds; None where no run of the same size was made on this machine.
    """
    measured_ = list(speeds)
    total = 0.0
    for arm in study.arms:
        each = _of_run(arm.recipe, arm.parameters, measured_)
        if each is None:
            return None
        total += each * len(study.seeds)
    return total


def _of_run(asked: Recipe, parameters: int, speeds: list[Speed]) -> float | None:
    training = asked.training
    if training.minutes:
        return training.minutes * _SECONDS_A_MINUTE
    alike = [speed for speed in speeds if _is_alike(speed, asked, parameters)]
    if not alike:
        return None
    newest = alike[-1]
    return training.tokens * newest.per_token + training.steps * newest.per_step


def _is_alike(speed: Speed, asked: Recipe, parameters: int) -> bool:
    return (
        _shape(speed.recipe) == _shape(asked)
        and abs(speed.parameters - parameters) <= _ABOUT_AS_LARGE * parameters
    )


def _shape(asked: Recipe) -> tuple[Any, ...]:
    model, data = asked.model, asked.data
    options = sorted(model.options.items())
    shape = (model.scheme, options, model.width, model.layers, model.heads)
    return (*shape, data.window, asked.training.batch)


def _runs(folders: Iterable[Path]) -> Iterator[Path]:
    for folder in folders:
        if study_folder.kind(folder) == "run":
            yield folder
        else:
            yield from sorted((folder / "runs").glob("*"))


def _speed(folder: Path) -> Speed | None:
    """None where the run is not finished or cannot be read."""
    try:
        values = RunFolder(folder).result()
        if values is None or not values.get("tokens") or not values.get("step"):
            return None
        made = recipe.parse(RunFolder(folder).recipe_toml(), "recipe.toml")
        took, size = float(values["seconds"]), int(values["parameters"])
    except (MusicrelError, KeyError, TypeError, ValueError):
        return None
    return Speed(
        recipe=made,
        parameters=size,
        per_token=took / values["tokens"],
        per_step=took / values["step"],
    )
