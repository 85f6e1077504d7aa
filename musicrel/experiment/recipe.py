"""A recipe: everything that decides a training run, as TOML.

This file knows names, types and bounds; it knows nothing of how anything is trained.
"""

from __future__ import annotations

import hashlib
import math
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Final, Literal, TypeGuard

import tomli_w

from musicrel import paths
from musicrel.errors import UsageError
from musicrel.model.config import ModelConfig
from musicrel.tokens import conditions
from musicrel.tokens.vocabulary import vocabulary

_LONGEST_RECIPE: Final = 100_000
_SHORTEST_WINDOW: Final = 4
_LARGEST_SEED: Final = 2**32 - 1

Decay = Literal["cosine", "linear", "inverse_sqrt"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPart:
    """The shape of the model; see ``ModelConfig`` for the meaning of each number."""

    scheme: str
    options: Mapping[str, Any] = field(default_factory=dict)
    width: int = 128
    layers: int = 4
    heads: int = 4
    feedforward: int = 512
    dropout: float = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class DataPart:
    """What is learned from.

    Attributes:
        source: ``chorales`` (the bundled corpus), ``jsb:FILE`` or ``folder:PATH``.
        vocabulary: ``articulated`` or ``pitch``.
        conditions: what the model may be told.
        condition_dropout: chance that a sequence is not told a condition (voice is always told).
        unhinted: chance that a sequence is told nothing of the music itself: neither its key nor its
            fermatas, as when a user asks for a length alone.
        window: longest sequence in tokens; longer pieces are cut at random places.
        transpose: whether pieces are moved to any key in which all voices keep their range.
    """

    source: str = "chorales"
    vocabulary: str = "articulated"
    conditions: tuple[str, ...] = tuple(conditions.CONDITIONS)
    condition_dropout: float = 0.15
    unhinted: float = 0.0
    window: int = 1024
    transpose: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingPart:
    """How it is learned.

    Attributes:
        tokens: budget in real (not padded) tokens; 0 when another budget rules.
        steps: budget in optimiser steps; 0 when another budget rules.
        minutes: budget in time spent learning; 0 when another budget rules. A run that ends by the
            clock is not the same twice.
        batch: sequences a step.
        learning_rate: the highest rate.
        warmup_steps: steps of linear rise.
        decay: shape of the fall afterwards, over the budget.
        final_rate: share of ``learning_rate`` that is left at the end (cosine, linear).
        weight_decay: of matrices in the blocks; never of biases, norms, embeddings and the head.
        beta1: AdamW's first decay.
        beta2: AdamW's second decay.
        clip: largest norm of the gradient.
        ema: decay of the averaged weights, which are the ones evaluated and kept.
        seed: of initialisation, data order and dropout.
        evaluate_every: steps between evaluations on valid.
        checkpoint_every: steps between checkpoints.
        samples: whether a small piece is written at each evaluation, to be heard.
    """

    tokens: int = 0
    steps: int = 0
    minutes: float = 0.0
    batch: int = 4
    learning_rate: float = 2e-3
    warmup_steps: int = 100
    decay: Decay = "cosine"
    final_rate: float = 0.02
    weight_decay: float = 0.1
    beta1: float = 0.9
    beta2: float = 0.99
    clip: float = 1.0
    ema: float = 0.998
    seed: int = 0
    evaluate_every: int = 250
    checkpoint_every: int = 100
    samples: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """One training run, complete.

    Raises:
        UsageError: a value is unknown or out of bounds.
    """

    name: str
    model: ModelPart
    data: DataPart = field(default_factory=DataPart)
    training: TrainingPart = field(default_factory=TrainingPart)

    def __post_init__(self) -> None:
        _check_data(self.data)
        _check_training(self.training)

    def config(self) -> ModelConfig:
        """The model's config that follows from the recipe."""
        return ModelConfig(
            **asdict(self.model),
            tokens=vocabulary(self.data.vocabulary).size,
            conditions=conditions.sizes(self.data.conditions),
            trained_length=self.data.window,
        )

    def to_toml(self) -> str:
        """The recipe as text that ``parse`` reads back to the same recipe."""
        return tomli_w.dumps(asdict(self))

    @property
    def fingerprint(self) -> str:
        """sha256 of all values; two runs with the same one learn the same."""
        return hashlib.sha256(self.to_toml().encode()).hexdigest()


def parse(text: str, where: str) -> Recipe:
    """Read a recipe.

    Args:
        text: TOML with ``name``, [model], and optionally [data] and [training].
        where: the file's name, for messages.

    Raises:
        UsageError: the text is no TOML, or a table or value is missing, unknown or out of bounds.
    """
    try:
        tables = tomllib.loads(text)
    except (ValueError, RecursionError) as reason:  # a ValueError also for endless numbers
        raise UsageError(f"recipe {where} is not valid TOML: {reason}") from reason
    return from_tables(tables, f"recipe {where}")


def from_tables(tables: Mapping[str, Any], where: str) -> Recipe:
    """A recipe from plain values; ``parse`` tells more.

    Args:
        tables: ``name``, ``model``, and optionally ``data`` and ``training``.
        where: what they are, for messages.

    Raises:
        UsageError: a table or value is missing, unknown or out of bounds.
    """
    rest = dict(tables)
    parts: dict[str, Any] = {}
    for key, part in (("model", ModelPart), ("data", DataPart), ("training", TrainingPart)):
        parts[key] = _part(part, rest.pop(key, {}), f"{where}, [{key}]")
    name = rest.pop("name", None)
    if not isinstance(name, str) or rest:
        extra = f"unknown entry {next(iter(rest))!r}" if rest else "no name"
        raise UsageError(f"{where} has {extra}: expected name, [model], [data], [training]")
    return Recipe(name=name, **parts)


def load(name_or_file: str) -> Recipe:
    """The recipe in a file, or the shipped one of that name.

    Raises:
        UsageError: there is none, or it is not valid.
    """
    shipped = paths.assets() / "recipes"
    for path in (Path(name_or_file), shipped / f"{name_or_file}.toml"):
        if path.is_file():
            content = paths.read_bytes(path, limit=_LONGEST_RECIPE)
            return parse(content.decode("utf-8", errors="replace"), path.name)
    names = ", ".join(sorted(path.stem for path in shipped.glob("*.toml")))
    raise UsageError(f"no recipe {name_or_file!r}: expected a TOML file or one of {names}")


def _part(part: type[Any], values: object, where: str) -> object:
    """``values`` as a ``part``, each of the type of its default."""
    if not isinstance(values, dict):
        raise UsageError(f"{where} is no table")
    known = {entry.name: entry for entry in fields(part)}
    converted = {}
    for name, value in values.items():
        if name not in known:
            raise UsageError(f"{where} has unknown entry {name!r}: it takes {', '.join(known)}")
        converted[name] = _converted(value, str(known[name].type), f"{where}: {name}")
    if "scheme" in known and "scheme" not in converted:
        raise UsageError(f"{where} lacks 'scheme', the name of a positional scheme")
    return part(**converted)


def _converted(value: object, wanted: str, where: str) -> object:
    if wanted == "float" and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if wanted.startswith("tuple") and _is_list_of_names(value):
        return tuple(value)
    if wanted.startswith("tuple") and isinstance(value, tuple):
        return value
    names = {"int": int, "float": float, "bool": bool, "str": str}
    expected = names.get(wanted, dict if wanted.startswith("Mapping") else str)
    if wanted.startswith("tuple") or type(value) is not expected:
        raise UsageError(f"{where} is {value!r}: expected {wanted}")
    return value


def _is_list_of_names(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(entry, str) for entry in value)


def _check_data(data: DataPart) -> None:
    vocabulary(data.vocabulary)
    conditions.sizes(data.conditions)
    for name in data.conditions:
        if data.conditions.count(name) > 1:
            raise UsageError(f"conditions names {name!r} twice: expected each once")
    if data.window < _SHORTEST_WINDOW:
        raise UsageError(
            f"window is {data.window} tokens: expected at least {_SHORTEST_WINDOW}, one step"
        )
    for name, chance in (
        ("condition_dropout", data.condition_dropout),
        ("unhinted", data.unhinted),
    ):
        if not 0 <= chance <= 1:
            raise UsageError(f"{name} is {chance}: expected 0 to 1")


_RULES: Final[tuple[tuple[tuple[str, ...], Callable[[float], bool], str], ...]] = (
    (
        ("batch", "learning_rate", "clip", "evaluate_every", "checkpoint_every"),
        lambda value: 0 < value < math.inf,
        "more than 0",
    ),
    (
        ("tokens", "steps", "minutes", "warmup_steps", "weight_decay"),
        lambda value: 0 <= value < math.inf,
        "0 or more",
    ),
    (("beta1", "beta2"), lambda value: 0 <= value < 1, "0 to less than 1"),
    (("ema", "final_rate"), lambda value: 0 <= value <= 1, "0 to 1"),
    (("seed",), lambda value: 0 <= value <= _LARGEST_SEED, f"a whole number 0 to {_LARGEST_SEED}"),
)
"""Which values of a training part are allowed, and how that is said."""


def _check_training(training: TrainingPart) -> None:
    for names, is_allowed, expected in _RULES:
        for name in names:
            if not is_allowed(getattr(training, name)):
                raise UsageError(f"{name} is {getattr(training, name)}: expected {expected}")
    if [training.tokens > 0, training.steps > 0, training.minutes > 0].count(True) != 1:
        raise UsageError(
            f"the budget is {training.tokens} tokens, {training.steps} steps and "
            f"{training.minutes:g} minutes: expected one of them above 0"
        )
    if training.decay not in ("cosine", "linear", "inverse_sqrt"):
        raise UsageError(
            f"decay is {training.decay!r}: expected 'cosine', 'linear' or 'inverse_sqrt'"
        )
