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
[search]                        # optional: choose the learning rate of each arm first
learning_rates = [1e-3, 2e-3, 4e-3]
share = 0.1                     # of the budget of a run, for each of them
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

from musicrel.errors import ModelError, UsageError
from musicrel.experiment.data import position_limits
from musicrel.experiment.recipe import recipe
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.experiment.study import learning_rates, study_folder, toml_values
from musicrel.experiment.study.learning_rates import Search
from musicrel.experiment.study.measures import MEASURES, Measure, windowed
from musicrel.model import checkpoint

OBJECTIVES: Final = tuple(MEASURES)

_MAX_RUNS: Final = 1000
_MIN_WIDTH: Final = 8
_MAX_WIDTH: Final = 8192
_PARTS: Final = ("model", "data", "training", "masking", "resources")
_KEYS: Final = (
    "name", "recipe", "seeds", "matched", "objective", "budget", "pairs", "arms", "search",
    *_PARTS,
)  # fmt: skip
_ARM_KEYS: Final = ("name", "scheme", "options", *_PARTS)

Table = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    name: str  # also part of the names of its folders
    recipe: Recipe  # recipe of its runs, except for the seed
    parameters: int  # number of trainable parameters of its model
    excess: int = 0  # parameters more than the first arm; negative if it has fewer


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRun:
    """One run of a study: an arm with a seed."""

    arm: str
    seed: int
    recipe: Recipe
    share: float = 1.0  # share of the budget of a run; less than 1 for a trial

    @property
    def rate(self) -> float | None:
        """Return the learning rate that a trial tries; None for other runs."""
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
    matched: bool = True  # whether feed-forward widths are set so that parameter counts match
    objective: str = "causal"  # the family of the models, which sets their training objective
    text: str = field(default="", repr=False)  # the TOML it was read from
    search: Search | None = None  # the search for the learning rate of each arm; None without one

    @property
    def measure(self) -> Measure:
        """Return unit and definition of its losses."""
        measure = MEASURES[self.objective]
        return windowed(measure) if self.arms[0].recipe.data.measured == "window" else measure

    def is_same(self, other: Study) -> bool:
        """Return whether both have the same runs and pairs, even if their texts differ."""
        mine, others = ((one.name, one.trials, one.runs, one.pairs) for one in (self, other))
        return mine == others

    def with_rates(self, rates: Mapping[str, float]) -> Study:
        """Return the study with the learning rates of some arms, by name."""
        if not rates:
            return self
        arms = tuple(
            replace(
                arm,
                recipe=replace(
                    arm.recipe,
                    training=replace(arm.recipe.training, learning_rate=rates[arm.name]),
                ),
            )
            if arm.name in rates
            else arm
            for arm in self.arms
        )
        return replace(self, arms=arms)

    @property
    def every_run(self) -> tuple[PlannedRun, ...]:
        return (*self.trials, *self.runs)

    @cached_property
    def trials(self) -> tuple[PlannedRun, ...]:
        """Return the runs of the search, with the first seed; none without a search."""
        if self.search is None:
            return ()
        return tuple(
            _planned(
                arm.name, self.seeds[0], self.search.trial(arm.recipe, rate), self.search.share
            )
            for rate in self.search.learning_rates
            for arm in self.arms
        )

    @cached_property
    def runs(self) -> tuple[PlannedRun, ...]:
        """Return all runs, seed by seed, so that an interrupted study has complete pairs."""
        return tuple(
            _planned(arm.name, seed, arm.recipe) for seed in self.seeds for arm in self.arms
        )


def _planned(arm: str, seed: int, recipe_: Recipe, share: float = 1.0) -> PlannedRun:
    """Return a run whose recipe has its seed, and the name of its folder."""
    training = replace(recipe_.training, seed=seed)
    planned = PlannedRun(
        arm=arm, seed=seed, recipe=replace(recipe_, training=training), share=share
    )
    named = replace(planned.recipe, name=planned.folder.removeprefix("runs/"))
    return replace(planned, recipe=named)


def load(name_or_file: str) -> Study:
    """Read a study that trains models from a file, or the bundled study of that name."""
    path = study_folder.find(name_or_file)
    return parse(study_folder.text(path), path.name)


def parse(text: str, where: str) -> Study:
    """Parse a study that trains models; see ``definition.parse``."""
    return from_tables(recipe.parse_toml(text, f"study {where}"), text, f"study {where}")


def from_tables(tables: Table, text: str, where: str) -> Study:
    toml_values.check_keys(tables, _KEYS, where)
    name = toml_values.folder_name(tables.get("name"), where)
    seeds = toml_values.seeds(tables.get("seeds", [0]), where)
    matched, objective = tables.get("matched", True), tables.get("objective", "causal")
    if not isinstance(matched, bool):
        raise UsageError(f"{where}: matched is {matched!r}: expected true or false")
    if objective not in OBJECTIVES:
        raise UsageError(f"{where}: objective is {objective!r}: expected {', '.join(OBJECTIVES)}")
    search = learning_rates.search(tables, _entries(tables, where), where)
    each = len(seeds) + (len(search.learning_rates) if search else 0)
    runs = len(_entries(tables, where)) * each
    if runs > _MAX_RUNS:
        raise UsageError(
            f"{where} has {runs:,} runs: expected at most {_MAX_RUNS:,}, use fewer arms or seeds"
        )
    arms = _arms(tables, where, matched=matched)
    _check_compatible(arms, objective, where)
    found = Study(
        name=name,
        arms=arms,
        seeds=seeds,
        pairs=toml_values.pairs(tables.get("pairs"), [arm.name for arm in arms], where),
        matched=matched,
        objective=objective,
        text=text,
        search=search,
    )
    folders = [run.folder for run in found.every_run]  # builds every recipe, which checks it
    if len({*folders}) < len(folders):
        twice = next(folder for folder in folders if folders.count(folder) > 1)
        raise UsageError(f"{where}: two runs have the folder {twice}: rename the arm")
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
    return replace(recipe_, model=replace(recipe_.model, feedforward=width))


def _arms(tables: Table, where: str, *, matched: bool) -> tuple[Arm, ...]:
    base = _base(tables, where)
    arms: list[Arm] = []
    for entry in _entries(tables, where):
        arm = _arm(entry, base, where)
        if arm.name in [other.name for other in arms]:
            raise UsageError(f"{where} has two arms {arm.name!r}: expected distinct names")
        if arms and matched and "feedforward" not in entry.get("model", {}):
            fitted = match_parameters(arm.recipe, arms[0].parameters)
            arm = replace(arm, recipe=fitted, parameters=count_parameters(fitted))
        excess = arm.parameters - arms[0].parameters if arms else 0
        arms.append(replace(arm, excess=excess))
    return tuple(arms)


def _entries(tables: Table, where: str) -> list[Any]:
    entries = tables.get("arms")
    if not isinstance(entries, list) or len(entries) < 2:  # noqa: PLR2004
        raise UsageError(f"{where} has fewer than two [[arms]]: expected at least two")
    return entries


def _base(tables: Table, where: str) -> dict[str, dict[str, Any]]:
    """Return the tables shared by all arms: those of the recipe, updated by the study's own."""
    merged: dict[str, dict[str, Any]] = {part: {} for part in _PARTS}
    if "recipe" in tables:
        shared = recipe.load(str(tables["recipe"])).to_tables()
        merged = {part: shared.get(part, {}) for part in _PARTS}
        merged["model"].pop("options")  # they belong to the scheme, which each arm sets
    for part in _PARTS:
        merged[part] |= toml_values.table(tables, part, where)
    merged["training"] |= toml_values.budget(tables.get("budget"), where)
    return merged


def _arm(entry: object, base: Mapping[str, Table], where: str) -> Arm:
    if not isinstance(entry, dict):
        raise UsageError(f"{where}: an entry of arms is {entry!r}: expected a table")
    name = toml_values.folder_name(entry.get("name"), f"{where}, an arm")
    where = f"{where}, arm {name!r}"
    toml_values.check_keys(entry, _ARM_KEYS, where)
    tables: dict[str, Any] = {
        part: {**base[part], **toml_values.table(entry, part, where)} for part in _PARTS
    }
    tables["model"] |= {key: entry[key] for key in ("scheme", "options") if key in entry}
    read = recipe.from_tables({"name": name, **tables}, where)
    try:
        position_limits.check_window(read)
        return Arm(name=name, recipe=read, parameters=count_parameters(read))
    except (ModelError, UsageError) as reason:
        raise UsageError(f"{where}: {reason}") from reason


def _check_compatible(arms: Sequence[Arm], objective: str, where: str) -> None:
    for arm in arms:
        if arm.recipe.model.family != objective:
            raise UsageError(
                f"{where}: arm {arm.name!r} is of family {arm.recipe.model.family!r}, but the "
                f"objective is {objective!r}: expected the same in all arms"
            )
    measured = sorted({arm.recipe.data.measured for arm in arms})
    if len(measured) > 1:
        raise UsageError(
            f"{where}: measured is {' in some arms and '.join(map(repr, measured))} in others: "
            "expected the same in all arms"
        )
