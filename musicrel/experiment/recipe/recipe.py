"""Recipes of training runs: parsing from TOML, serialisation and the model config that follows."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final, TypeVar

import tomli_w

from musicrel import gate, legacy, paths
from musicrel.errors import DataError, UsageError
from musicrel.experiment.recipe import recipe_checks
from musicrel.experiment.recipe.recipe_parts import (
    STORED,
    DataPart,
    Decay,
    MaskingPart,
    ModelPart,
    ResourcesPart,
    TrainingPart,
)
from musicrel.model.config import ModelConfig
from musicrel.tokens import conditions
from musicrel.tokens.vocabulary import PITCHES, PUBLISHED_TOKENS, vocabulary

__all__ = [
    "DataPart", "Decay", "MaskingPart", "ModelPart", "Recipe", "ResourcesPart", "TrainingPart",
    "find", "from_tables", "load", "masking_from_card", "names", "parse", "parse_toml",
]  # fmt: skip

_SHIPPED: Final = "recipes"
_PARTS: Final[Mapping[str, type[Any]]] = {
    "model": ModelPart, "data": DataPart, "training": TrainingPart, "masking": MaskingPart,
    "resources": ResourcesPart,
}  # fmt: skip
Part = TypeVar("Part", ModelPart, DataPart, TrainingPart, MaskingPart, ResourcesPart)
_BYTE_TOKENS: Final = 1 + 256
_CLASSES: Final = 2
_TOKENS: Final[Mapping[str, Mapping[str, Any]]] = {
    "classifier": {"tokens": _BYTE_TOKENS, "classes": _CLASSES},
    "published": {"tokens": PUBLISHED_TOKENS},
}
"""Config values of families that have their own vocabulary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """The complete description of a training run; equal ones train identically."""

    name: str
    model: ModelPart
    data: DataPart = field(default_factory=DataPart)
    training: TrainingPart = field(default_factory=TrainingPart)
    masking: MaskingPart = field(default_factory=MaskingPart)
    resources: ResourcesPart = field(default_factory=ResourcesPart, compare=False)

    def __post_init__(self) -> None:
        recipe_checks.check_data(self.data)
        recipe_checks.check_training(self.training)
        recipe_checks.check_masking(self.masking)
        recipe_checks.check_resources(self.resources)
        recipe_checks.check_together(self.model, self.data, self.training)
        recipe_checks.check_infill(self.model.family, self.data, self.masking)

    def config(self) -> ModelConfig:
        shape = {**asdict(self.model), "trained_length": self.data.window}
        shape["pitches"] = PITCHES if shape.pop("intervals") else 0
        shape["counterpoint"] = PITCHES if self.model.counterpoint else 0
        shape["lines"] = PITCHES if self.model.lines else 0
        if self.model.family in _TOKENS:
            return ModelConfig(**shape, **_TOKENS[self.model.family])
        return ModelConfig(
            **shape,
            tokens=vocabulary(self.data.vocabulary).size,
            classes=_CLASSES if self.model.family == "critic" else 0,
            conditions=conditions.sizes(self.data.conditions),
        )

    def to_toml(self) -> str:
        """Return the recipe as TOML that ``parse`` reads back unchanged."""
        return tomli_w.dumps(self.to_tables())

    def to_tables(self) -> dict[str, Any]:
        """Return all values as plain tables that ``from_tables`` reads back.

        Without resources if none are set, as in recipes of earlier versions.
        """
        tables = legacy.translate(asdict(self), STORED)
        if self.resources == ResourcesPart():
            del tables["resources"]
        return tables

    @property
    def fingerprint(self) -> str:
        """Return the sha256 of all values but the resources; equal recipes have the same."""
        bare = replace(self, resources=ResourcesPart())
        return hashlib.sha256(bare.to_toml().encode()).hexdigest()


def parse(text: str, where: str) -> Recipe:
    return from_tables(parse_toml(text, f"recipe {where}"), f"recipe {where}")


def parse_toml(text: str, where: str) -> dict[str, Any]:
    try:
        return gate.parse_toml(text, where)
    except DataError as reason:
        raise UsageError(str(reason)) from reason


def from_tables(tables: Mapping[str, Any], where: str) -> Recipe:
    """Build a recipe from plain values, see ``parse``."""
    rest = dict(tables)
    parts: dict[str, Any] = {}
    for key, part in _PARTS.items():
        parts[key] = _part(part, rest.pop(key, {}), f"{where}, [{key}]")
    name = rest.pop("name", None)
    if not isinstance(name, str) or rest:
        known = ", ".join(f"[{key}]" for key in _PARTS)
        extra = f"unknown entry {next(iter(rest))!r}" if rest else "no name"
        raise UsageError(f"{where} has {extra}: expected name, {known}")
    try:
        return Recipe(name=name, **parts)
    except UsageError as reason:
        raise UsageError(f"{where}: {reason}") from reason


def load(name_or_file: str) -> Recipe:
    path = find(name_or_file)
    if path is None:
        raise UsageError(f"no recipe {name_or_file!r}: expected a TOML file or one of {names()}")
    content = gate.read(path, "recipe")
    return parse(content.decode("utf-8", errors="replace"), path.name)


def find(name_or_file: str) -> Path | None:
    """Return the path of a recipe file or of a shipped recipe; None if there is neither."""
    known = (Path(name_or_file), paths.assets() / _SHIPPED / f"{name_or_file}.toml")
    return next((path for path in known if paths.is_file(path)), None)


def names() -> str:
    """Return the names of the shipped recipes, separated by commas."""
    return ", ".join(sorted(path.stem for path in (paths.assets() / _SHIPPED).glob("*.toml")))


def masking_from_card(recipe_: Mapping[str, Any]) -> MaskingPart:
    """Return the masking a model was trained with, from the recipe in its card."""
    values = _part(MaskingPart, recipe_.get("masking", {}), "the recipe of the model, [masking]")
    recipe_checks.check_masking(values)
    return values


def _part(part: type[Part], values: object, where: str) -> Part:
    """Convert a table to a ``part``, checking each value against the type of its field."""
    if not isinstance(values, dict):
        raise UsageError(f"{where} is not a table")
    known = legacy.translate({entry.name: entry for entry in fields(part)}, STORED)
    converted: dict[str, Any] = {}
    for name, value in values.items():
        if name not in known:
            raise UsageError(f"{where} has unknown entry {name!r}: it takes {', '.join(known)}")
        converted[name] = _converted(value, str(known[name].type), f"{where}: {name}")
    if "scheme" in known and "scheme" not in converted:
        raise UsageError(f"{where} lacks 'scheme', the name of a positional scheme")
    return part(**legacy.translate(converted, legacy.RECIPE_KEYS))


def _converted(value: object, wanted: str, where: str) -> object:
    if wanted == "float" and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if (
        wanted.startswith("tuple")
        and isinstance(value, (list, tuple))
        and {*map(type, value)} <= {str}
    ):
        return tuple(value)
    names = {"int": int, "float": float, "bool": bool, "str": str}
    expected = names.get(wanted, dict if wanted.startswith("Mapping") else str)
    if wanted.startswith("tuple") or type(value) is not expected:
        raise UsageError(f"{where} is {value!r}: expected {wanted}")
    return value
