"""Recipes of training runs: parsing from TOML, serialisation and the model config that follows."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

import tomli_w

from musicrel import bounds, legacy, paths, untrusted, validated
from musicrel.bounds import BOUNDS
from musicrel.errors import DataError, UsageError
from musicrel.language import tr
from musicrel.model.config import ModelConfig, ModelShape
from musicrel.model.tokens import conditions
from musicrel.model.tokens.vocabulary import PITCHES, PUBLISHED_TOKENS, vocabulary

BYTES: Final = "bytes:"
"""Prefix of the names of byte data, for classifiers."""
REPLAY: Final = "replay:"
"""Prefix of the names of other data that a model is taught: Bach's chorales are trained besides."""
MIN_WINDOW: Final = 4
BUDGETS: Final = ("steps", "tokens", "minutes")

Decay = Literal["cosine", "linear", "inverse_sqrt", "warmup_linear"]
PatternMode = Literal[
    "mixture", "ahead", "nothing_given", "soprano_given", "outer_given", "two_bars"
]
"""Modes that hide cells of a grid; ``masking.PATTERNS`` has a pattern for each."""
MaskMode = Literal["token", "time", "published", PatternMode]
PATTERN_MODES: Final[tuple[PatternMode, ...]] = get_args(PatternMode)


def check_gpus(gpus: float, shown: str) -> None:
    if gpus not in BOUNDS["gpus"] or (gpus > 1 and gpus != int(gpus)):
        raise UsageError(f"gpus is {shown}: expected a share as in 0.25, or 1 to 16")


def _check_entries(part: DataPart | TrainingPart | MaskingPart) -> None:
    """Check numbers by their bounds and words by their annotations."""
    for entry, hint in get_type_hints(type(part)).items():
        name, value = "run seed" if entry == "seed" else entry, getattr(part, entry)
        if name in BOUNDS:
            bounds.check(name, value, entry)
        elif get_origin(hint) is Literal and value not in get_args(hint):
            words = ", ".join(map(repr, get_args(hint)))
            raise UsageError(
                tr("{entry} is {value!r}: expected one of {words}",
                   entry=entry, value=value, words=words)
            )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPart(ModelShape):
    intervals: bool = False  # let a causal model embed and predict intervals between notes
    counterpoint: bool = False  # add the logit biases of the counterpoint tables
    lines: bool = False  # add the table of lines to them; the vocabulary has holds


@dataclass(frozen=True, slots=True, kw_only=True)
class DataPart:
    # ``chorales`` (the bundled corpus), ``jsb:FILE``, ``folder:PATH``, ``hymns:FILE`` or
    # ``chorales+hymns:FILE`` (hymns in addition, in training only, marked by condition ``style``);
    # ``replay:`` before one of them: the chorales in training besides, see ``teaching``; for a
    # classifier ``bytes:source``, ``bytes:honest`` or ``bytes:single``
    source: str = "chorales"
    vocabulary: str = "articulated"
    conditions: tuple[str, ...] = ("voice", "beat", "bar", "fermata", "key", "ending")
    # probability that a condition of a sequence is unknown (never voice)
    condition_dropout: float = 0.15
    # probability that key and phrases of a sequence are unknown, as when a user asks for a length
    # alone
    hint_dropout: float = 0.0
    window: int = 1024  # longest sequence in tokens; longer pieces are cropped at random
    transpose: bool = True  # transpose pieces to any key in which all voices keep their range
    farthest_shift: int = 0  # farthest transposition in semitones; 0: any within these ranges
    # batches that are drawn together and sorted by length to reduce padding; 1: no sorting
    buckets: int = 1
    # window at the first step of a curriculum; 0: all windows have full length
    first_window: int = 0
    curriculum_steps: int = 0  # steps over which windows grow from ``first_window`` to ``window``
    # fill sequences that are shorter than the window with the openings of other pieces; positions
    # run on, and attention crosses the border
    concatenate: bool = False
    # what evaluations read: ``whole`` pieces; a sliding ``window`` as long as those of training,
    # and whole pieces once more at the end; or the ``opening`` of each piece, as many notes as the
    # window, the first of which is no target, as in published figures on JSB16
    measured: Literal["whole", "window", "opening"] = "whole"

    def __post_init__(self) -> None:
        vocabulary(self.vocabulary)
        conditions.sizes(self.conditions)
        for name in self.conditions:
            if self.conditions.count(name) > 1:
                raise UsageError(f"conditions names {name!r} twice: expected each once")
        _check_entries(self)
        if self.farthest_shift and not self.transpose:
            raise UsageError(
                f"farthest_shift is {self.farthest_shift} and transpose is false: expected "
                "transpose = true, or farthest_shift = 0"
            )
        first, steps = self.first_window, self.curriculum_steps
        if (first, steps) == (0, 0):
            return
        if not MIN_WINDOW <= first < self.window:
            raise UsageError(
                f"first_window is {first}: expected {MIN_WINDOW} to less than the window of "
                f"{self.window}, or 0 and no curriculum_steps"
            )
        if steps < 1:
            raise UsageError(
                f"curriculum_steps is {steps}: expected over how many steps windows grow from "
                f"{first} to {self.window} tokens"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingPart:
    tokens: int = 0  # budget in real (not padded) tokens; 0: another budget applies
    steps: int = 0  # budget in optimiser steps; 0: another budget applies
    # budget in minutes of training; 0: another budget applies. A run with this budget is not
    # reproducible
    minutes: float = 0.0
    batch: int = 4  # sequences per forward pass
    accumulate: int = 1  # batches per step, whose gradients are accumulated
    # ``mixed`` uses bfloat16 autocast where the hardware supports it; weights stay in single
    # precision
    precision: Literal["single", "mixed"] = "single"
    # share of the input notes of a causal model that are replaced by MASK at each step; their
    # targets stay. Evaluations read all notes
    token_masking: float = 0.0
    # folders of models or of finished runs from which a causal or infilling model is distilled, or
    # recipes whose runs are made first, in the folders ``teacher-1``, ``teacher-2`` ... of this
    # run
    teachers: tuple[str, ...] = ()
    # share of the loss that is the cross-entropy with the teachers' mean prediction instead of
    # the notes themselves; reported losses are those of the notes
    distil: float = 0.0
    # share of a target's weight that is spread evenly over all tokens. Reported losses are
    # without it
    label_smoothing: float = 0.0
    learning_rate: float = 2e-3
    warmup_steps: int = 100  # steps of linear warm-up
    # shape of the decay over the budget; ``warmup_linear`` is the linear schedule of the
    # published comparison, from 0 to the highest rate and back to 0
    decay: Decay = "cosine"
    # steps of the schedule if they are not those of the budget, so that a run can be the first
    # part of a longer one; 0: the budget
    schedule_steps: int = 0
    final_rate: float = 0.02  # share of ``learning_rate`` at the end (cosine, linear)
    weight_decay: float = 0.1  # applied to the parameters of ``decayed``
    # ``matrices`` of the blocks, never biases, norms, embeddings and the head; or ``all``
    decayed: Literal["matrices", "all"] = "matrices"
    # reduction of the loss of a step: mean over ``targets``, or mean of the means over
    # accumulated ``batches`` or over ``sequences``
    averaged: Literal["targets", "batches", "sequences"] = "targets"
    beta1: float = 0.9  # first decay rate of AdamW
    beta2: float = 0.99  # second decay rate of AdamW
    clip: float = 1.0  # largest norm of the gradient
    ema: float = 0.998  # decay of the averaged weights, which are evaluated and kept
    # the folder of a model or of a finished run, or a recipe whose run is made first, in the folder
    # ``base`` of this run. All weights of that model are frozen; only the parts it lacks are
    # trained. If it lacks none, all weights are trained further. "": random initialisation
    init_from: str = ""
    # rounds of calibration of the counterpoint tables on the model's own samples at the end, see
    # ``calibration``; 0: none
    calibration_rounds: int = 0
    seed: int = 0  # seed of initialisation, data order and dropout
    evaluate_every: int = 250  # steps between evaluations on the validation split
    # evaluations in a row without an improvement after which the run ends before its budget; 0:
    # it never does
    stop_after: int = 0
    # least decrease of the loss in nats that counts as an improvement, measured from the last one
    stop_gain: float = 0.0
    # the run only tries settings: test is not evaluated, and a loss that diverges ends the run
    # instead of rolling it back
    trial: bool = False
    checkpoint_every: int = 100  # steps between checkpoints
    samples: bool = False  # generate a sample at each evaluation

    def __post_init__(self) -> None:
        _check_entries(self)
        if [self.tokens > 0, self.steps > 0, self.minutes > 0].count(True) != 1:
            raise UsageError(
                f"the budget is {self.tokens} tokens, {self.steps} steps and "
                f"{self.minutes:g} minutes: expected one of them above 0"
            )
        schedule = self.schedule_steps
        if schedule and schedule < max(self.steps, self.warmup_steps + 1):
            raise UsageError(
                f"schedule_steps is {schedule:,}: expected at least the budget of {self.steps:,} "
                f"steps and more than the {self.warmup_steps:,} of the warm-up, or 0"
            )
        if self.decay == "warmup_linear" and not schedule:
            raise UsageError(
                "decay is 'warmup_linear': expected schedule_steps, where it ends at 0"
            )
        if bool(self.teachers) != (self.distil > 0):
            raise UsageError(
                f"distil is {self.distil} and the number of teachers {len(self.teachers)}: "
                "expected both above 0, or neither"
            )
        if self.stop_gain and not self.stop_after:
            raise UsageError(
                tr(
                    "stop_gain is {gain:g} and has no effect without stop_after: set the number "
                    "of evaluations after which a run stops, or stop_gain = 0",
                    gain=self.stop_gain,
                )
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskingPart:
    """The masking of families ``masked``, ``infill`` and ``encoder_decoder``."""

    # ``token``: single notes; ``time``: all four notes of time steps; ``published``: groups of
    # four tokens counted from the start of the window, including START and END. For ``infill``
    # also the patterns of ``data.masking``, which have their own rates
    mode: MaskMode = "time"
    # share of masked groups, at least one group; the upper bound of uniform rates
    rate: float = 0.15
    # ``fixed``: always ``rate``; ``uniform``: drawn for each sequence from 0 to ``rate``
    rates: Literal["fixed", "uniform"] = "fixed"
    # replace 80 % of the chosen tokens by MASK, 10 % by another token and keep 10 % (Devlin et
    # al. 2019); False: replace all by MASK
    mixed: bool = True

    def __post_init__(self) -> None:
        _check_entries(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourcesPart:
    """The share of a machine that a run reserves. No result depends on it."""

    cpus: int = 0  # processors on a cluster; as many as threads, if those are more
    gpus: float = 0.0  # GPUs on a cluster, or a share of one; 0: one, if it trains on a GPU
    memory: float = 0.0  # main memory in GB; 0: estimated from the recipe

    def __post_init__(self) -> None:
        bounds.check("cpus", self.cpus)
        bounds.check("memory", self.memory)
        if self.gpus:
            check_gpus(self.gpus, bounds.shown(self.gpus))


_SHIPPED: Final = "recipes"
_BYTE_TOKENS: Final = 1 + 256
_CLASSES: Final = 2
_TOKENS: Final[Mapping[str, Mapping[str, Any]]] = {
    "classifier": {"tokens": _BYTE_TOKENS, "classes": _CLASSES},
    "published": {"tokens": PUBLISHED_TOKENS},
}
_MAX_SEQUENCES: Final = 1 << 20


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
        sequences = self.training.batch * self.training.accumulate * self.data.buckets
        if sequences > _MAX_SEQUENCES:
            raise UsageError(
                tr(
                    "batch x accumulate x buckets is {sequences:,}: expected at most {most:,} "
                    "sequences at once",
                    sequences=sequences, most=_MAX_SEQUENCES,
                )
            )  # fmt: skip
        _check_family(self.model.family, self.data, self.training)
        _check_tables(self.model, self.data, self.training)
        _check_grid(self.model.family, self.data, self.masking)

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
            conditions=conditions.sizes(self.data.conditions),
        )

    def changed(self, **parts: Mapping[str, Any]) -> Recipe:
        """Return a copy with other entries, as in ``changed(training={"seed": 1})``."""
        new = {part: replace(getattr(self, part), **values) for part, values in parts.items()}
        return replace(self, **new)

    def to_toml(self) -> str:
        """Return the recipe as TOML that ``parse`` reads back unchanged."""
        return tomli_w.dumps(self.to_tables())

    def to_tables(self) -> dict[str, Any]:
        """Return all values as plain tables that ``from_tables`` reads back.

        Without resources if none are set, as in recipes of earlier versions.
        """
        tables = asdict(self)
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
        return untrusted.parse_toml(text, where)
    except DataError as reason:
        raise UsageError(str(reason)) from reason


def from_tables(tables: Mapping[str, Any], where: str) -> Recipe:
    """Build a recipe from plain values, see ``parse``; keys of version 1 are read, too."""
    today = legacy.translate(tables, legacy.RECIPE_KEYS)
    return validated.convert(today, Recipe, where, exact=True)


def load(name_or_file: str) -> Recipe:
    path = find(name_or_file)
    if path is None:
        raise UsageError(f"no recipe {name_or_file!r}: expected a TOML file or one of {names()}")
    content = untrusted.read(path, "recipe")
    return parse(content.decode("utf-8", errors="replace"), path.name)


def find(name_or_file: str) -> Path | None:
    known = (Path(name_or_file), paths.assets() / _SHIPPED / f"{name_or_file}.toml")
    return next((path for path in known if paths.is_file(path)), None)


def names() -> str:
    return ", ".join(sorted(path.stem for path in (paths.assets() / _SHIPPED).glob("*.toml")))


def masking_from_card(recipe_: Mapping[str, Any]) -> MaskingPart:
    """Return the masking a model was trained with, from the recipe in its card."""
    where = "the recipe of the model, [masking]"
    return validated.convert(recipe_.get("masking", {}), MaskingPart, where, exact=True)


_CAUSAL: Final = ("causal",)


def _check_family(family: str, data: DataPart, training: TrainingPart) -> None:
    if (family == "classifier") != data.source.startswith(BYTES):
        raise UsageError(
            tr(
                "family is {family!r} and the data are {source!r}: expected family 'classifier' "
                "for '{bytes}source', '{bytes}honest' or '{bytes}single' and for no other",
                family=family, source=data.source, bytes=BYTES,
            )
        )  # fmt: skip
    for asked, entry, remedy, families in (
        (training.samples, "samples are generated", "samples = false", _CAUSAL),
        (training.token_masking > 0, "input tokens are masked", "token_masking = 0", _CAUSAL),
        (bool(training.teachers), "teachers are used", "teachers = []", (*_CAUSAL, "infill")),
        (data.concatenate, "pieces are concatenated", "concatenate = false", _CAUSAL),
        (data.measured == "window", "sliding windows are evaluated", 'measured = "whole"', _CAUSAL),
        (data.measured == "opening", "openings are evaluated", 'measured = "whole"', _CAUSAL),
    ):
        if asked and family not in families:
            raise UsageError(
                f"{entry} for family {' or '.join(map(repr, families))} only, the family is "
                f"{family!r}: set {remedy}"
            )


def _check_tables(model: ModelPart, data: DataPart, training: TrainingPart) -> None:
    if model.counterpoint and model.family not in ("causal", "infill"):
        raise UsageError(
            f"counterpoint is true and the family {model.family!r}: expected family 'causal' or "
            "'infill', or counterpoint = false"
        )
    if model.lines and not (model.counterpoint and data.vocabulary == "articulated"):
        raise UsageError(
            "lines is true: expected counterpoint = true, to whose tables it adds one (it is "
            f"{str(model.counterpoint).lower()}), and vocabulary 'articulated' (it is "
            f"{data.vocabulary!r})"
        )
    if training.calibration_rounds and not model.counterpoint:
        raise UsageError(
            f"calibration_rounds is {training.calibration_rounds} and the model has no "
            "counterpoint tables to calibrate: expected counterpoint = true, or 0"
        )


def _check_grid(family: str, data: DataPart, masking: MaskingPart) -> None:
    """Check that family, data and masking of a model that reads grids go together."""
    expected = tr(
        "expected vocabulary 'articulated' (it is {vocabulary!r}), a window that is a multiple "
        "of {least} tokens ({window})",
        vocabulary=data.vocabulary, least=MIN_WINDOW, window=data.window,
    )  # fmt: skip
    hides_cells = masking.mode in PATTERN_MODES
    windows = data.window % MIN_WINDOW == 0 and data.first_window % MIN_WINDOW == 0
    whole_steps = windows and data.vocabulary == "articulated"
    if family == "encoder_decoder":
        if not (whole_steps and "given" in data.conditions and hides_cells):
            raise UsageError(
                tr(
                    "family 'encoder_decoder' encodes given whole steps: {expected}, a condition "
                    "'given', and a mode such as 'ahead' ({mode!r})",
                    expected=expected, mode=masking.mode,
                )
            )  # fmt: skip
    elif family == "infill":
        unfit = "voice" in data.conditions or masking.mode in ("published", "time")
        if not whole_steps or unfit:
            raise UsageError(
                tr(
                    "family 'infill' reads whole steps: {expected}, no condition 'voice', and a "
                    "mode other than 'published' and 'time' ({mode!r})",
                    expected=expected, mode=masking.mode,
                )
            )  # fmt: skip
    elif hides_cells:
        raise UsageError(
            f"mode is {masking.mode!r} and the family {family!r}: that mode hides cells of a "
            "grid, which only families 'infill' and 'encoder_decoder' do"
        )
