"""A study as TOML: arms that differ in one thing, each with the same seeds, data order and budget.

name = "quick"
recipe = "tiny"                 # optional: a bundled recipe that all arms start from
seeds = [0, 1, 2]               # or a range, "0-2"
matched = true                  # feed-forward widths are set so that parameter counts match
objective = "causal"            # or masked, classifier ...: the family of all its models
[budget]
tokens = 1_000_000              # or steps, or minutes
[model]                         # as in a recipe, for all arms; so [data] ... [resources]
width = 128
[[arms]]
name = "vanilla"
scheme = "sinusoidal"
[[arms]]
name = "relative"
scheme = "relative"
options = { max_distance = 256 }    # and [arms.model], [arms.data] and so on
published = { "arXiv 0000.00000" = 0.5 }    # optional: test losses to compare with, by source
[search]                        # optional: choose the learning rate of each arm first
learning_rates = [1e-3, 2e-3, 4e-3]
share = 0.1                     # of the budget of a run, for each of them
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

from musicrel import bounds, legacy, validated
from musicrel.bounds import BOUNDS
from musicrel.errors import ModelError, UsageError
from musicrel.experiment.data import dataset
from musicrel.experiment.recipe import recipe
from musicrel.experiment.recipe.recipe import BUDGETS, Recipe
from musicrel.experiment.study import study_folder
from musicrel.experiment.study.measures import MEASURES, Measure, read_as
from musicrel.language import tr
from musicrel.model import checkpoint
from musicrel.model.config import Family

_MAX_RUNS: Final = 1000
_MIN_WIDTH: Final = 8
_MAX_WIDTH: Final = 8192
_PARTS: Final = ("model", "data", "training", "masking", "resources")
_SEEDS: Final = re.compile(r"(\d{1,9})-(\d{1,9})")
_MAX_SEEDS: Final = 200
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")

Table = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """The search for the learning rate of each arm, which precedes the runs of a study.

    Every arm is trained with the same rates, one seed and a share of the budget. Its rate with the
    lowest loss on validation is then used for all seeds; test is not evaluated before.
    """

    learning_rates: tuple[float, ...]  # rates to try, ascending
    share: float = 0.1  # share of the budget of a run that each trial has

    def __post_init__(self) -> None:
        rates, allowed = self.learning_rates, BOUNDS["learning_rate"]
        ok = all(rate in allowed for rate in rates)
        if not ok or not len({f"{rate:g}" for rate in rates}) == len(rates) >= 2:  # noqa: PLR2004
            raise UsageError(
                tr(
                    "learning_rates is {rates}: expected at least two different numbers, "
                    "{allowed}, as in [1e-3, 2e-3, 4e-3]",
                    rates=[*rates], allowed=allowed,
                )
            )  # fmt: skip
        bounds.check("share", self.share, "share of [search]")
        object.__setattr__(self, "learning_rates", tuple(sorted(rates)))

    def trial(self, recipe_: Recipe, rate: float) -> Recipe:
        training, share = recipe_.training, self.share
        steps, warmup = round(training.steps * share), round(training.warmup_steps * share)
        schedule, curriculum = training.schedule_steps, recipe_.data.curriculum_steps
        short = {
            "learning_rate": rate,
            "tokens": max(round(training.tokens * share), 1) if training.tokens else 0,
            "steps": max(steps, 1) if training.steps else 0,
            "minutes": training.minutes * share,
            "warmup_steps": warmup,
            "schedule_steps": max(round(schedule * share), steps, warmup + 1) if schedule else 0,
            "calibration_rounds": 0,
            "samples": False,
            "stop_after": 0,
            "stop_gain": 0.0,
            "trial": True,
        }
        shorter = max(round(curriculum * share), 1) if curriculum else 0
        return recipe_.changed(data={"curriculum_steps": shorter}, training=short)


@dataclass(frozen=True, kw_only=True)
class _Named:
    """The entries of both a study and an arm: a name and tables of a recipe."""

    name: str  # also that of a folder
    model: Table = field(default_factory=dict)
    data: Table = field(default_factory=dict)
    training: Table = field(default_factory=dict)
    masking: Table = field(default_factory=dict)
    resources: Table = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise UsageError(
                tr("name is {name!r}: expected up to 40 letters, digits, dots and dashes",
                   name=self.name)
            )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class _ArmTable(_Named):
    scheme: str = ""
    options: Table | None = None
    published: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class _StudyTables(_Named):
    budget: Mapping[str, int | float]
    arms: tuple[_ArmTable, ...] = ()
    recipe: str = ""
    seeds: tuple[int | str, ...] | str = (0,)
    matched: bool = True
    objective: Family = "causal"
    pairs: tuple[tuple[str, str], ...] | None = None
    search: Search | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_budget(self.budget)
        if len(self.arms) < 2:  # noqa: PLR2004
            raise UsageError(tr("there are fewer than two [[arms]]: expected at least two"))
        names = [arm.name for arm in self.arms]
        if len({*names}) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise UsageError(f"there are two arms {twice!r}: expected distinct names")
        _check_pairs(self.pairs, names)
        for arm in self.arms if self.search is not None else ():
            if "learning_rate" in arm.training:
                raise UsageError(
                    tr("arm {name!r} sets learning_rate, which [search] chooses: remove one of "
                       "them", name=arm.name)
                )  # fmt: skip
        runs = len(self.arms) * (
            len(_seeds(self.seeds)) + (len(self.search.learning_rates) if self.search else 0)
        )
        if runs > _MAX_RUNS:
            raise UsageError(
                tr("it has {runs:,} runs: expected at most {most:,}, use fewer arms or seeds",
                   runs=runs, most=_MAX_RUNS)
            )  # fmt: skip

    def base(self) -> dict[str, dict[str, Any]]:
        """Return the tables shared by all arms: those of the recipe, updated by its own."""
        merged: dict[str, dict[str, Any]] = {part: {} for part in _PARTS}
        if self.recipe:
            shared = recipe.load(self.recipe).to_tables()
            merged = {part: shared.get(part, {}) for part in _PARTS}
            merged["model"].pop("options")  # they belong to the scheme, which each arm sets
        for part in _PARTS:
            merged[part] |= getattr(self, part)
        merged["training"] |= {**dict.fromkeys(BUDGETS, 0), **self.budget}
        return merged


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    name: str  # also part of the names of its folders
    recipe: Recipe  # recipe of its runs, except for the seed
    parameters: int  # number of trainable parameters of its model
    excess: int = 0  # parameters more than the first arm; negative if it has fewer
    # test losses that others published, by source
    published: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRun:
    arm: str
    seed: int
    recipe: Recipe
    parameters: int  # number of trainable parameters of its model
    share: float = 1.0  # share of the budget of a run; less than 1 for a trial

    @property
    def rate(self) -> float | None:
        training = self.recipe.training
        return training.learning_rate if training.trial else None

    @property
    def folder(self) -> str:
        rate = "" if self.rate is None else f"-lr{self.rate:g}"
        return f"runs/{self.arm}{rate}-seed{self.seed}"


@dataclass(frozen=True, kw_only=True)
class Study:
    name: str
    arms: tuple[Arm, ...]  # at least two
    seeds: tuple[int, ...]  # each arm is trained with each of them
    # the pairs of arms to compare; the first of each pair is the reference
    pairs: tuple[tuple[str, str], ...]
    # whether feed-forward widths are set so that parameter counts match
    matched: bool = field(default=True, compare=False)
    objective: str = "causal"  # the family of the models, which sets their training objective
    text: str = field(default="", repr=False, compare=False)  # the TOML it was read from
    search: Search | None = None  # the search for the learning rate of each arm; None without one

    @property
    def measured(self) -> str:
        """Return what evaluations read, as in a recipe."""
        return self.arms[0].recipe.data.measured

    @property
    def windowed(self) -> bool:
        """Return whether evaluations read pieces in windows."""
        return self.measured == "window"

    @property
    def measure(self) -> Measure:
        return read_as(MEASURES[self.objective], self.arms[0].recipe.data)

    def with_rates(self, rates: Mapping[str, float]) -> Study:
        """Return the study with the learning rates of some arms, by name."""
        chosen = {name: {"learning_rate": rate} for name, rate in rates.items()}
        arms = (
            replace(arm, recipe=arm.recipe.changed(training=chosen.get(arm.name, {})))
            for arm in self.arms
        )
        return replace(self, arms=tuple(arms))

    @property
    def every_run(self) -> tuple[PlannedRun, ...]:
        return (*self.trials, *self.runs)

    @cached_property
    def trials(self) -> tuple[PlannedRun, ...]:
        """Return the runs of the search, with the first seed; none without a search."""
        if self.search is None:
            return ()
        return tuple(
            _planned(arm, self.seeds[0], self.search.trial(arm.recipe, rate), self.search.share)
            for rate in self.search.learning_rates
            for arm in self.arms
        )

    @cached_property
    def runs(self) -> tuple[PlannedRun, ...]:
        """Return all runs, seed by seed, so that an interrupted study has complete pairs."""
        return tuple(_planned(arm, seed, arm.recipe) for seed in self.seeds for arm in self.arms)


def _planned(arm: Arm, seed: int, recipe_: Recipe, share: float = 1.0) -> PlannedRun:
    """Return a run whose recipe has its seed, and the name of its folder."""
    planned = PlannedRun(
        arm=arm.name,
        seed=seed,
        recipe=recipe_.changed(training={"seed": seed}),
        parameters=arm.parameters,
        share=share,
    )
    named = replace(planned.recipe, name=planned.folder.removeprefix("runs/"))
    return replace(planned, recipe=named)


def load(name_or_file: str) -> Study:
    path = study_folder.find(name_or_file)
    return parse(study_folder.text(path), path.name)


def parse(text: str, where: str) -> Study:
    return from_tables(recipe.parse_toml(text, f"study {where}"), text, f"study {where}")


def from_tables(tables: Table, text: str, where: str) -> Study:
    today = legacy.translate(tables, legacy.RECIPE_KEYS)
    read = validated.convert(today, _StudyTables, where, exact=True)
    arms = _arms(read, where)
    found = Study(
        name=read.name,
        arms=arms,
        seeds=_seeds(read.seeds),
        pairs=read.pairs or tuple((arms[0].name, other.name) for other in arms[1:]),
        matched=read.matched,
        objective=read.objective,
        text=text,
        search=read.search,
    )
    if sentence := _problem(found):
        raise UsageError(f"{where}: {sentence}")
    return found


def count_parameters(recipe_: Recipe) -> int:
    """Return the number of trainable parameters of a recipe's model, without allocating them."""
    return sum(map(math.prod, checkpoint.tensor_shapes(recipe_.config()).values()))


def match_parameters(recipe_: Recipe, target: int) -> Recipe:
    """Return the recipe with the feed-forward width that brings its parameters closest to a target.

    Each unit of feed-forward width adds 2 width + 1 parameters per layer, so the width follows by
    division.
    """
    unit = recipe_.model.layers * (2 * recipe_.model.width + 1)
    change = round((target - count_parameters(recipe_)) / unit)
    width = min(max(recipe_.model.feedforward + change, _MIN_WIDTH), _MAX_WIDTH)
    return recipe_.changed(model={"feedforward": width})


def _arms(read: _StudyTables, where: str) -> tuple[Arm, ...]:
    base = read.base()
    arms: list[Arm] = []
    for entry in read.arms:
        arm = _arm(entry, base, tr("{where}, arm {name!r}", where=where, name=entry.name))
        if arms and read.matched and "feedforward" not in entry.model:
            fitted = match_parameters(arm.recipe, arms[0].parameters)
            arm = replace(arm, recipe=fitted, parameters=count_parameters(fitted))
        excess = arm.parameters - arms[0].parameters if arms else 0
        arms.append(replace(arm, excess=excess))
    return tuple(arms)


def _arm(entry: _ArmTable, base: Mapping[str, Table], where: str) -> Arm:
    tables: dict[str, Any] = {part: {**base[part], **getattr(entry, part)} for part in _PARTS}
    if entry.scheme:
        tables["model"]["scheme"] = entry.scheme
    if entry.options is not None:
        tables["model"]["options"] = entry.options
    found = recipe.from_tables({"name": entry.name, **tables}, where)
    try:
        dataset.check_window(found)
        parameters, published = count_parameters(found), entry.published
        return Arm(name=entry.name, recipe=found, parameters=parameters, published=published)
    except (ModelError, UsageError) as reason:
        raise UsageError(f"{where}: {reason}") from reason


def _check_budget(budget: Mapping[str, int | float]) -> None:
    if len(budget) != 1 or set(budget) - set(BUDGETS):
        raise UsageError(f"budget is {dict(budget)!r}: expected one of {', '.join(BUDGETS)}")
    ((unit, amount),) = budget.items()
    allowed = replace(BOUNDS[unit], above=True)
    if amount not in allowed:
        form = (
            tr("the budget is {amount!r} {unit}: expected {allowed}, a whole number")
            if allowed.whole
            else tr("the budget is {amount!r} {unit}: expected {allowed}")
        )
        raise UsageError(form.format(amount=amount, unit=unit, allowed=allowed))


def _check_pairs(pairs: tuple[tuple[str, str], ...] | None, names: Sequence[str]) -> None:
    if pairs == ():
        raise UsageError("pairs is empty: omit it or name two arms")
    for pair in pairs or ():
        if len({*names} & {*pair}) != 2:  # noqa: PLR2004
            raise UsageError(
                f"pairs has {[*pair]!r}: expected two different arms of {', '.join(names)}"
            )


def _seeds(seeds: tuple[int | str, ...] | str) -> tuple[int, ...]:
    numbers: tuple[int, ...] = ()
    if isinstance(seeds, tuple):
        numbers = tuple(seed for seed in seeds if isinstance(seed, int))
    elif ends := _SEEDS.fullmatch(seeds):
        first, last = int(ends[1]), int(ends[2])
        numbers = tuple(range(first, last + 1)) if last < first + _MAX_SEEDS else ()
    listed = len(seeds) if isinstance(seeds, tuple) else len(numbers)
    if not numbers or len({*numbers}) < listed:
        shown = repr(seeds) if isinstance(seeds, str) else repr([*seeds])
        raise UsageError(
            tr(
                "seeds is {shown}: expected distinct whole numbers, as in [0, 1, 2], or a range of "
                'at most {most}, as in "0-4"',
                shown=shown, most=_MAX_SEEDS,
            )
        )  # fmt: skip
    for seed in numbers:
        bounds.check("run seed", seed, tr("a seed"))
    return numbers


def _problem(study: Study) -> str:
    """Return what is wrong with a study whose arms are valid, as a sentence, or ""."""
    for arm in study.arms:
        if arm.recipe.model.family != study.objective:
            return (
                f"arm {arm.name!r} is of family {arm.recipe.model.family!r}, but the objective is "
                f"{study.objective!r}: expected the same in all arms"
            )
    measured = sorted({arm.recipe.data.measured for arm in study.arms})
    if len(measured) > 1:
        shown = " in some arms and ".join(map(repr, measured))
        return f"measured is {shown} in others: expected the same in all arms"
    folders = [run.folder for run in study.every_run]  # builds every recipe, which checks it
    twice = next((folder for folder in folders if folders.count(folder) > 1), "")
    return f"two runs have the folder {twice}: rename the arm" if twice else ""
