"""The plan of a study in words, with an estimate of its duration from finished runs of its size.

Without such a run on this machine there is no estimate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from musicrel.errors import MusicrelError
from musicrel.experiment.recipe import recipe
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.study import study_folder, study_text
from musicrel.experiment.study.definition import Definition
from musicrel.experiment.study.memory_study import MemoryStudy
from musicrel.experiment.study.study import Study
from musicrel.language import count, decimal, tr
from musicrel.presentation.words import display_names

_SAME_SIZE: Final = 0.1
"""Share of the parameters by which two models of one size differ at most."""
_MANY: Final = 5
"""Arms whose sizes are listed one by one at most; more would fill half of a small window."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Speed:
    recipe: Recipe
    parameters: int  # number of parameters of its model
    per_token: float  # seconds of training per token
    per_step: float  # seconds of training per step


def plan(study: Definition, speeds: Iterable[Speed]) -> str:
    if isinstance(study, MemoryStudy):
        named = ", ".join(map(display_names.arm, study.arms))
        return tr(
            "{number} rows: {named}.\nTime and memory are measured without training.",
            number=len(study.rows),
            named=named,
        )
    found = seconds(study, speeds)
    takes = (
        tr(
            "No time estimate: this computer has no run of this size yet. "
            "The remaining time is shown while it runs."
        )
        if found is None
        else tr(
            "About {duration} of training, estimated from earlier runs of this size or the "
            "budget, plus evaluations.",
            duration=study_text.duration(found),
        )
    )
    trials = count(len(study.trials), "short run")
    first = tr("{trials} to choose learning rates, then ", trials=trials) if study.trials else ""
    counts = [arm.parameters for arm in study.arms]
    sizes = tr(
        "{number} arms of {least:,} to {most:,} parameters",
        number=len(counts), least=min(counts), most=max(counts),
    )  # fmt: skip
    if len(counts) <= _MANY:
        sizes = ", ".join(
            f"{display_names.arm(arm.name)} {count(arm.parameters, 'parameter')}"
            + (f" ({decimal(arm.excess, '+,')})" if arm.excess else "")
            for arm in study.arms
        )
    return f"{first}{count(len(study.runs), 'run')}: {sizes}.\n{takes}"


def on_card(study: Definition, speeds: Iterable[Speed]) -> str:
    """Return the time that a study takes on this computer, for its card."""
    found = None if isinstance(study, MemoryStudy) else seconds(study, speeds)
    if found is None:
        return display_names.STUDY_TIMES.get(study.name, tr("Time not known yet"))
    return tr("About {duration} of training", duration=study_text.duration(found))


def known_speeds(folders: Iterable[Path], known: Mapping[Path, Speed]) -> dict[Path, Speed]:
    speeds = ((folder, known.get(folder) or _speed(folder)) for folder in _runs(folders))
    return {folder: speed for folder, speed in speeds if speed is not None}


def seconds(study: Study, speeds: Iterable[Speed]) -> float | None:
    candidates = list(speeds)
    shares = study.search.share * len(study.search.learning_rates) if study.search else 0.0
    each = [_run_seconds(arm.recipe, arm.parameters, candidates) for arm in study.arms]
    known = [one for one in each if one is not None]
    return sum(known) * (len(study.seeds) + shares) if len(known) == len(each) else None


def _run_seconds(recipe_: Recipe, parameters: int, speeds: list[Speed]) -> float | None:
    training = recipe_.training
    if training.minutes:
        return training.minutes * 60
    similar = [
        speed
        for speed in speeds
        if _shape(speed.recipe) == _shape(recipe_)
        and abs(speed.parameters - parameters) <= _SAME_SIZE * parameters
    ]
    if not similar:
        return None
    newest = similar[-1]
    return training.tokens * newest.per_token + training.steps * newest.per_step


def _shape(recipe_: Recipe) -> tuple[Any, ...]:
    model, data = recipe_.model, recipe_.data
    options = sorted(model.options.items())
    shape = (model.scheme, options, model.width, model.layers, model.heads)
    return (*shape, data.window, recipe_.training.batch)


def _runs(folders: Iterable[Path]) -> Iterator[Path]:
    for folder in folders:
        if study_folder.kind_of(folder) == "run":
            yield folder
        else:
            yield from sorted((folder / "runs").glob("*"))


def _speed(folder: Path) -> Speed | None:
    try:
        result = RunFolder(folder).result()
        if result is None or not result.tokens or not result.step:
            return None
        recipe_ = recipe.parse(RunFolder(folder).recipe_toml(), "recipe.toml")
    except MusicrelError:
        return None
    return Speed(
        recipe=recipe_,
        parameters=result.parameters,
        per_token=result.seconds / result.tokens,
        per_step=result.seconds / result.step,
    )
