"""A study: arms that differ in one thing, the same seeds, data order and budget for each, as TOML.

    name = "quick"
    recipe = "tiny"                 # optional: a shipped recipe all arms start from
    seeds = [0, 1, 2]
    matched = true                  # feed-forward widths chosen so that parameters agree
    objective = "causal"            # or masked, classifier: the family of all its models
    [budget]
    tokens = 1_000_000              # or steps, or minutes
    [model]                         # as in a recipe, for all arms; so [data], [training], [masking]
    width = 128
    [[arms]]
    name = "vanilla"
    scheme = "sinusoidal"
    [[arms]]
    name = "relative"
    scheme = "relative"
    options = { max_distance = 256 }    # and [arms.model], [arms.data] and so on

This file knows what a study asks for; it knows nothing of how it is carried out.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import torch

from musicrel import paths
from musicrel.errors import ModelError, UsageError
from musicrel.experiment.data import position_limits
from musicrel.experiment.recipe import recipe
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.experiment.study import study_folder, toml_values
from musicrel.experiment.study.measures import MEASURES, Measure, windowed
from musicrel.model.families.model_families import build

OBJECTIVES: Final = tuple(MEASURES)

_LONGEST_STUDY: Final = 100_000
_NARROWEST: Final = 8
_WIDEST: Final = 8192
_PARTS: Final = ("model", "data", "training", "masking")
_KEYS: Final = (
    "name", "recipe", "seeds", "matched", "objective", "budget", "pairs", "arms", *_PARTS,
)  # fmt: skip
_ARM_KEYS: Final = ("name", "scheme", "options", *_PARTS)

Table = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """One of the things compared.

    Attributes:
        name: also of its folders.
        recipe: what its runs do, but for the seed.
        parameters: trained numbers of its model.
        excess: parameters above those of the first arm; negative below.
    """

    name: str
    recipe: Recipe
    parameters: int
    excess: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRun:
    """One run of a study: an arm with a seed."""

    arm: str
    seed: int
    recipe: Recipe

    @property
    def folder(self) -> str:
        """Its folder within that of the study."""
        return f"runs/{self.arm}-seed{self.seed}"


@dataclass(frozen=True, kw_only=True)
class Study:
    """A comparison, complete.

    Attributes:
        name: of the study.
        arms: at least two.
        seeds: each arm is trained with every one.
        pairs: which arms the verdict compares; the first of each pair is what the second is
            measured against.
        matched: whether feed-forward widths were chosen to make parameters agree.
        objective: what the models learn, by their family; ``causal``: the next token.
        text: the TOML it was read from.
    """

    name: str
    arms: tuple[Arm, ...]
    seeds: tuple[int, ...]
    pairs: tuple[tuple[str, str], ...]
    matched: bool = True
    objective: str = "causal"
    text: str = field(default="", repr=False)

    @property
    def measure(self) -> Measure:
        """How its losses are spoken of."""
        measure = MEASURES[self.objective]
        return windowed(measure) if self.arms[0].recipe.data.measured == "window" else measure

    def is_same(self, other: Study) -> bool:
        """Whether both ask for the same, whatever else their texts say."""
        asked = (self.name, self.runs, self.pairs)
        return self == other or asked == (other.name, other.runs, other.pairs)

    @cached_property
    def runs(self) -> tuple[PlannedRun, ...]:
        """All runs, seed by seed, so that a study broken off has whole pairs."""
        return tuple(
            PlannedRun(arm=arm.name, seed=seed, recipe=_seeded(arm, seed))
            for seed in self.seeds
            for arm in self.arms
        )


def load(name_or_file: str) -> Study:
    """The study in a file, or the shipped one of that name.

    Raises:
        UsageError: there is none, or it is not valid.
    """
    shipped = paths.assets() / "studies"
    for path in (Path(name_or_file), shipped / f"{name_or_file}.toml"):
        if path.is_file():
            content = paths.read_bytes(path, limit=_LONGEST_STUDY)
            return parse(content.decode("utf-8", errors="replace"), path.name)
    names = ", ".join(study_folder.shipped())
    raise UsageError(f"no study {name_or_file!r}: expected a TOML file or one of {names}")


def parse(text: str, where: str) -> Study:
    """Read a study.

    Args:
        text: TOML as in the module's docstring.
        where: the file's name, for messages.

    Raises:
        UsageError: the text is no TOML, or a value is missing, unknown or out of bounds.
    """
    try:
        tables = tomllib.loads(text)
    except (ValueError, RecursionError) as reason:
        raise UsageError(f"study {where} is not valid TOML: {reason}") from reason
    where = f"study {where}"
    toml_values.check_keys(tables, _KEYS, where)
    name = toml_values.named(tables.get("name"), where)
    seeds = toml_values.seeds(tables.get("seeds", [0]), where)
    matched, objective = tables.get("matched", True), tables.get("objective", "causal")
    if not isinstance(matched, bool):
        raise UsageError(f"{where}: matched is {matched!r}: expected true or false")
    if objective not in OBJECTIVES:
        raise UsageError(f"{where}: objective is {objective!r}: expected {', '.join(OBJECTIVES)}")
    toml_values.check_number(len(_entries(tables, where)) * len(seeds), where)
    arms = _arms(tables, where, matched=matched)
    _check_alike(arms, objective, where)
    found = Study(
        name=name,
        arms=arms,
        seeds=seeds,
        pairs=toml_values.pairs(tables.get("pairs"), [arm.name for arm in arms], where),
        matched=matched,
        objective=objective,
        text=text,
    )
    _ = found.runs  # every recipe is made once, so that a value out of bounds shows itself here
    return found


def parameters(recipe_: Recipe) -> int:
    """Trained numbers of the model a recipe asks for, found without memory.

    Raises:
        ModelError: there is no such model.
    """
    with torch.device("meta"):
        return build(recipe_.config()).parameter_count


def matched_to(recipe_: Recipe, target: int) -> Recipe:
    """The recipe with the feed-forward width that brings its parameters nearest to ``target``.

    Every unit of width adds 2 width + 1 parameters a layer, so the width is found by division.
    """
    unit = recipe_.model.layers * (2 * recipe_.model.width + 1)
    change = round((target - parameters(recipe_)) / unit)
    width = min(max(recipe_.model.feedforward + change, _NARROWEST), _WIDEST)
    return replace(recipe_, model=replace(recipe_.model, feedforward=width))


def _arms(tables: Table, where: str, *, matched: bool) -> tuple[Arm, ...]:
    base = _base(tables, where)
    arms: list[Arm] = []
    for entry in _entries(tables, where):
        arm = _arm(entry, base, where)
        if arm.name in [other.name for other in arms]:
            raise UsageError(f"{where} has two arms {arm.name!r}: expected names that differ")
        if arms and matched and "feedforward" not in entry.get("model", {}):
            fitted = matched_to(arm.recipe, arms[0].parameters)
            arm = replace(arm, recipe=fitted, parameters=parameters(fitted))
        excess = arm.parameters - arms[0].parameters if arms else 0
        arms.append(replace(arm, excess=excess))
    return tuple(arms)


def _entries(tables: Table, where: str) -> list[Any]:
    entries = tables.get("arms")
    if not isinstance(entries, list) or len(entries) < 2:  # noqa: PLR2004
        raise UsageError(f"{where} has no two [[arms]]: a comparison needs at least two")
    return entries


def _base(tables: Table, where: str) -> dict[str, dict[str, Any]]:
    """What all arms share: the recipe they start from, and the study's own tables over it."""
    merged: dict[str, dict[str, Any]] = {part: {} for part in _PARTS}
    if "recipe" in tables:
        shared = asdict(recipe.load(str(tables["recipe"])))
        merged = {part: shared[part] for part in _PARTS}
        merged["model"].pop("options")  # those are the scheme's, which the arm chooses
    for part in _PARTS:
        own = tables.get(part, {})
        if not isinstance(own, dict):
            raise UsageError(f"{where}: [{part}] is no table")
        merged[part] |= own
    merged["training"] |= toml_values.budget(tables.get("budget"), where)
    return merged


def _arm(entry: object, base: Mapping[str, Table], where: str) -> Arm:
    if not isinstance(entry, dict):
        raise UsageError(f"{where}: an entry of arms is no table")
    name = toml_values.named(entry.get("name"), f"{where}, an arm")
    where = f"{where}, arm {name!r}"
    toml_values.check_keys(entry, _ARM_KEYS, where)
    tables: dict[str, Any] = {}
    for part in _PARTS:
        own = entry.get(part, {})
        if not isinstance(own, dict):
            raise UsageError(f"{where}: {part} is no table")
        tables[part] = {**base[part], **own}
    tables["model"] |= {key: entry[key] for key in ("scheme", "options") if key in entry}
    read = recipe.from_tables({"name": name, **tables}, where)
    try:
        position_limits.check_window(read)
        return Arm(name=name, recipe=read, parameters=parameters(read))
    except (ModelError, UsageError) as reason:
        raise UsageError(f"{where}: {reason}") from reason


def _seeded(arm: Arm, seed: int) -> Recipe:
    training = replace(arm.recipe.training, seed=seed)
    return replace(arm.recipe, name=f"{arm.name}-seed{seed}", training=training)


def _check_alike(arms: Sequence[Arm], objective: str, where: str) -> None:
    for arm in arms:
        if arm.recipe.model.family != objective:
            raise UsageError(
                f"{where}: arm {arm.name!r} is of family {arm.recipe.model.family!r}, but the "
                f"objective is {objective!r}: they must agree, in all arms"
            )
    ways = sorted({arm.recipe.data.measured for arm in arms})
    if len(ways) > 1:
        raise UsageError(
            f"{where}: measured is {' in some arms and '.join(map(repr, ways))} in others: only "
            "losses that are measured in one way can be compared"
        )
