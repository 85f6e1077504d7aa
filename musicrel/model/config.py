"""The hyperparameters of a model: everything needed to build it with untrained weights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from itertools import chain
from typing import Any, Final, Literal

from musicrel import bounds, validated
from musicrel.errors import ModelError

Family = Literal["causal", "encoder_decoder", "masked", "classifier", "published", "infill"]
Norm = Literal["pre", "post"]
Activation = Literal["gelu", "relu"]

_NUMBERS: Final = (
    "tokens", "width", "layers", "heads", "feedforward", "trained_length", "dropout",
    "attention_dropout", "position_dropout",
)  # fmt: skip
AUTOREGRESSIVE: Final = ("causal", "encoder_decoder")
"""Families that predict one token after the other."""
_FAMILY_BOUNDS: Final[Mapping[str, tuple[tuple[Family, ...], int, int]]] = {
    "classes": (("classifier",), 2, 512),
    "encoder_layers": (("encoder_decoder",), 1, 24),
}
"""Families with each integer, and its smallest and largest value there; it is 0 in all others."""
GIVEN: Final = "given"
"""Condition read by the encoder: the token of each given cell, 0 where none is given."""
VOICE: Final = "voice"
"""Condition for the voice of the next token: row 0 unknown, then soprano to bass."""
BEAT: Final = "beat"
"""Condition for the sixteenth within the beat: row 0 unknown, then the four."""
KEY: Final = "key"
"""Condition for the key: row 0 unknown, then twelve major and twelve minor keys."""
ENDING: Final = "ending"
"""Condition for the quarters left until the end: row 0 unknown, row n + 1 for n of them."""
REST_TOKEN: Final = 4
FIRST_PITCH_TOKEN: Final = 5
"""Id of the lowest pitch's onset, in vocabularies with pitches: the onsets of all pitches follow
in semitones, then their holds."""
_MAX_CONDITIONS: Final = 64
_MAX_CONDITION_ROWS: Final = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelShape:
    """The hyperparameters of a transformer that do not depend on its data."""

    scheme: str  # key of the positional scheme in ``musicrel.model.positions.table``
    options: Mapping[str, Any] = field(default_factory=dict)  # of the scheme, plain JSON values
    width: int = 128
    layers: int = 4
    heads: int = 4  # attention heads H per block; ``width`` is a multiple of it
    feedforward: int = 512  # hidden width of the feed-forward network
    dropout: float = 0.1  # of a sublayer's output
    # of the attention weights; above 0 the fused kernels cannot be used in training
    attention_dropout: float = 0.0
    # of the positional embeddings, so that a model does not rely on the positions seen in training
    position_dropout: float = 0.0
    norm: Norm = "pre"
    activation: Activation = "gelu"
    # ``causal`` attends to the past, ``encoder_decoder`` also to all given cells, past and future,
    # ``masked`` to everything that is not masked, ``infill`` predicts notes in any order from both
    # sides, ``classifier`` predicts one class for the whole sequence, ``published`` is the encoder
    # of the published comparison
    family: Family = "causal"
    encoder_layers: int = 0  # encoder blocks; 0 in families without an encoder
    cross: bool = False  # cross-attention to all encoder states; family ``encoder_decoder`` only


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelConfig(ModelShape):
    """All hyperparameters of a transformer; for the others see ``ModelShape``."""

    tokens: int
    # embedding rows of each condition, in the order of their columns
    conditions: Mapping[str, int] = field(default_factory=dict)
    trained_length: int = 512  # longest sequence seen in training, in tokens
    classes: int = 0  # of a classifier; 0 in other families
    # the number of pitches of the vocabulary in models with interval features
    # (``features.intervals``), with logit biases by rule (``features.logit_biases``), and with a
    # table of lines among these (``features.interval_tables``); 0 in all others
    pitches: int = 0
    counterpoint: int = 0
    lines: int = 0

    def __post_init__(self) -> None:
        for problem in chain(_sizes(self), _conditions(self), _pitches(self)):
            raise ModelError(problem)

    @property
    def is_causal(self) -> bool:
        return self.family in AUTOREGRESSIVE

    @property
    def head_width(self) -> int:
        return self.width // self.heads

    def to_json(self) -> dict[str, Any]:
        """Return the config as plain JSON values; ``lines`` is left out if it is 0."""
        values = asdict(self) | {"conditions": dict(self.conditions), "options": dict(self.options)}
        return values if self.lines else {key: values[key] for key in values if key != "lines"}

    @classmethod
    def from_json(cls, values: object) -> ModelConfig:
        """Build a config from the result of ``to_json``, checking every value."""
        return validated.convert(values, cls, "the config of a model", error=ModelError, exact=True)


def _sizes(config: ModelConfig) -> Iterator[str]:
    for name in _NUMBERS:
        if problem := bounds.problem(f"model {name}", getattr(config, name), name):
            yield problem
    if config.width % config.heads:
        yield (
            f"width {config.width} is not a multiple of heads {config.heads}: expected equal heads"
        )
    for name, (families, low, high) in _FAMILY_BOUNDS.items():
        fewest, most = (low, high) if config.family in families else (0, 0)
        if not fewest <= (number := getattr(config, name)) <= most:
            expected = f"{fewest} to {most}" if most else "0"
            yield f"{name} is {number} in family {config.family}: expected {expected}"


def _conditions(config: ModelConfig) -> Iterator[str]:
    family, conditions = config.family, config.conditions
    if (GIVEN in conditions) != (family == "encoder_decoder"):
        yield (
            f"the conditions of a model of family {family} are {', '.join(conditions) or 'none'}: "
            f"{GIVEN!r} is for family encoder_decoder, which needs it, and for no other"
        )
    if config.cross and family != "encoder_decoder":
        yield f"cross is true in family {family}: expected false, or family encoder_decoder"
    if len(conditions) > _MAX_CONDITIONS:
        yield f"{len(conditions)} conditions: expected at most {_MAX_CONDITIONS}"
    for name, rows in conditions.items():
        if not 1 <= rows <= _MAX_CONDITION_ROWS:
            yield f"condition {name!r} has {rows} rows: expected 1 to {_MAX_CONDITION_ROWS}"


def _pitches(config: ModelConfig) -> Iterator[str]:
    family, notes = config.family, config.tokens - FIRST_PITCH_TOKEN
    fitting = (notes // 2,) if family == "infill" else (notes, notes // 2)
    for name, families in (("pitches", AUTOREGRESSIVE), ("counterpoint", ("causal", "infill"))):
        number = getattr(config, name)
        if number and (family not in families or number not in fitting or number < 1):
            yield (
                f"{name} is {number} in family {family} with {config.tokens} tokens: expected 0, "
                "or the number of pitches of the vocabulary of a model of family "
                f"{' or '.join(families)}"
            )
    if config.lines and not 2 * config.lines == 2 * config.counterpoint == notes:
        yield (
            f"lines is {config.lines} with counterpoint {config.counterpoint} and {config.tokens} "
            "tokens: expected 0, or the value of counterpoint in a vocabulary with holds"
        )
    if config.counterpoint and (VOICE in config.conditions) != config.is_causal:
        yield (
            f"counterpoint is {config.counterpoint} in family {family} with conditions "
            f"{', '.join(config.conditions) or 'none'}: expected {VOICE!r} among them in a causal "
            "model, which has to see which voices of the step are known, and in no other"
        )
