"""The hyperparameters of a model: everything needed to build it with untrained weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal, get_args

from musicrel import bounds
from musicrel.errors import ModelError

Family = Literal[
    "causal", "encoder_decoder", "masked", "classifier", "critic", "published", "infill"
]
Norm = Literal["pre", "post"]
Activation = Literal["gelu", "relu"]

_NUMBERS: Final = (
    "tokens", "width", "layers", "heads", "feedforward", "trained_length", "dropout",
    "attention_dropout", "position_dropout",
)  # fmt: skip
_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "family": get_args(Family),
    "norm": ("pre", "post"),
    "activation": ("gelu", "relu"),
}
"""Entries with a fixed set of values."""
AUTOREGRESSIVE: Final = ("causal", "encoder_decoder")
"""Families that predict one token after the other."""
_FAMILY_BOUNDS: Final[Mapping[str, tuple[tuple[Family, ...], int, int]]] = {
    "classes": (("classifier", "critic"), 2, 512),
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
OTHER: Final = 0
BACH: Final = 1
"""Classes of a critic, in the order of its logits."""
REST_TOKEN: Final = 4
FIRST_PITCH_TOKEN: Final = 5
"""Id of the lowest pitch's onset, in vocabularies with pitches: the onsets of all pitches follow
in semitones, then their holds."""
_MAX_CONDITIONS: Final = 64
_MAX_CONDITION_ROWS: Final = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelShape:
    """The hyperparameters of a transformer that do not depend on its data.

    Attributes:
        scheme: key of the positional scheme in ``musicrel.model.positions.table``.
        options: options of the scheme, plain JSON values.
        heads: attention heads H per block; ``width`` is a multiple of it.
        feedforward: hidden width of the feed-forward network.
        dropout: dropout probability of a sublayer's output.
        attention_dropout: dropout probability of the attention weights; above 0 the fused kernels
            cannot be used in training.
        position_dropout: dropout probability of the positional embeddings, so that a model does not
            rely on the positions seen in training.
        norm: pre-norm or post-norm blocks.
        activation: activation function of the feed-forward network.
        family: architecture: ``causal`` attends to the past, ``encoder_decoder`` also to all given
            cells, past and future, ``masked`` to everything that is not masked, ``infill`` predicts
            notes in any order from both sides, ``classifier`` predicts one class for the whole
            sequence, ``critic`` separates Bach from other music, ``published`` is the encoder of
            the published comparison.
        encoder_layers: number of encoder blocks; 0 in families without an encoder.
        cross: whether decoder blocks have cross-attention to all encoder states; family
            ``encoder_decoder`` only.
    """

    scheme: str
    options: Mapping[str, Any] = field(default_factory=dict)
    width: int = 128
    layers: int = 4
    heads: int = 4
    feedforward: int = 512
    dropout: float = 0.1
    attention_dropout: float = 0.0
    position_dropout: float = 0.0
    norm: Norm = "pre"
    activation: Activation = "gelu"
    family: Family = "causal"
    encoder_layers: int = 0
    cross: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelConfig(ModelShape):
    """All hyperparameters of a transformer; for the others see ``ModelShape``.

    Attributes:
        conditions: number of embedding rows of each condition, in the order of their columns.
        trained_length: longest sequence seen in training, in tokens.
        classes: number of classes of a classifier; 0 in other families.
        pitches: number of pitches of the vocabulary if the model has interval features (see
            ``features.intervals``), else 0.
        counterpoint: number of pitches of the vocabulary if logit biases by rule are added (see
            ``features.logit_biases``), else 0.
        lines: number of pitches of the vocabulary if there is a table of lines among these biases
            (see ``features.interval_tables``), else 0.

    Raises:
        ModelError: a value has the wrong type or is outside its bounds.
    """

    tokens: int
    conditions: Mapping[str, int] = field(default_factory=dict)
    trained_length: int = 512
    classes: int = 0
    pitches: int = 0
    counterpoint: int = 0
    lines: int = 0

    def __post_init__(self) -> None:
        for name in _NUMBERS:
            if problem := bounds.problem(f"model {name}", getattr(self, name), name):
                raise ModelError(problem)
        if self.width % self.heads:
            raise ModelError(
                f"width {self.width} is not a multiple of heads {self.heads}: expected equal heads"
            )
        for name, words in _WORDS.items():
            if getattr(self, name) not in words:
                raise ModelError(
                    f"{name} is {getattr(self, name)!r}: expected {' or '.join(words)}"
                )
        _check_family(self)
        _check_given(self.family, self.conditions)
        _check_cross(self.family, self.cross)
        _check_pitches(self, "pitches", AUTOREGRESSIVE)
        _check_pitches(self, "counterpoint", ("causal", "infill"))
        _check_lines(self)
        _check_voice(self)
        _check_scheme(self.scheme, self.options)
        _check_conditions(self.conditions)

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
        """Build a config from the result of ``to_json``, checking every value.

        Raises:
            ModelError: an entry is missing, unknown or out of bounds.
        """
        if not isinstance(values, dict):
            raise ModelError("the config of a model is not a table of values")
        unknown = set(values) - set(cls.__dataclass_fields__)
        if unknown:
            raise ModelError(
                f"the config of a model has unknown entries: {', '.join(sorted(unknown))}"
            )
        missing = {"scheme", "tokens"} - set(values)
        if missing:
            raise ModelError(f"the config of a model lacks {', '.join(sorted(missing))}")
        return cls(**values)


def _check_family(config: ModelConfig) -> None:
    for name, (families, low, high) in _FAMILY_BOUNDS.items():
        fewest, most = (low, high) if config.family in families else (0, 0)
        number = getattr(config, name)
        if type(number) is not int or not fewest <= number <= most:
            expected = f"{fewest} to {most}" if most else "0"
            raise ModelError(f"{name} is {number!r} in family {config.family}: expected {expected}")


def _check_given(family: str, conditions: object) -> None:
    if isinstance(conditions, Mapping) and (GIVEN in conditions) != (family == "encoder_decoder"):
        raise ModelError(
            f"the conditions of a model of family {family} are {', '.join(conditions) or 'none'}: "
            f"{GIVEN!r} is for family encoder_decoder, which needs it, and for no other"
        )


def _check_cross(family: str, cross: object) -> None:
    if type(cross) is not bool or (cross and family != "encoder_decoder"):
        raise ModelError(
            f"cross is {cross!r} in family {family}: expected true or false in family "
            "encoder_decoder, and false in all others"
        )


def _check_pitches(config: ModelConfig, name: str, families: Sequence[str]) -> None:
    pitches: object = getattr(config, name)
    if pitches == 0 and type(pitches) is int:
        return
    family, notes = config.family, config.tokens - FIRST_PITCH_TOKEN
    fitting = (notes // 2,) if family == "infill" else (notes, notes // 2)
    if family not in families or type(pitches) is not int or pitches not in fitting or pitches < 1:
        raise ModelError(
            f"{name} is {pitches!r} in family {family} with {config.tokens} tokens: expected 0, or "
            f"the number of pitches of the vocabulary of a model of family {' or '.join(families)}"
        )


def _check_lines(config: ModelConfig) -> None:
    lines: object = config.lines
    if lines == 0 and type(lines) is int:
        return
    has_holds = config.tokens - FIRST_PITCH_TOKEN == 2 * config.counterpoint
    if type(lines) is not int or lines != config.counterpoint or not has_holds:
        raise ModelError(
            f"lines is {lines!r} with counterpoint {config.counterpoint} and {config.tokens} "
            "tokens: expected 0, or the value of counterpoint in a vocabulary with holds"
        )


def _check_voice(config: ModelConfig) -> None:
    conditions: object = config.conditions
    has_voice = isinstance(conditions, Mapping) and VOICE in conditions
    if config.counterpoint and has_voice != config.is_causal:
        expected = (
            f"without the condition {VOICE!r}: expected {VOICE!r} among the conditions, it shows "
            "which voices of the step are known"
            if config.is_causal
            else f"in family {config.family} and {VOICE!r} is among the conditions: expected it "
            "not to be, a step has all four voices"
        )
        raise ModelError(f"counterpoint is {config.counterpoint} {expected}")


def _check_scheme(scheme: object, options: object) -> None:
    if not isinstance(scheme, str):
        raise ModelError(f"scheme is {scheme!r}: expected the name of a positional scheme")
    if not isinstance(options, Mapping):
        raise ModelError("the options of a positional scheme are not a table")


def _check_conditions(conditions: object) -> None:
    if not isinstance(conditions, Mapping):
        raise ModelError("the conditions of a model are not a table of sizes")
    if len(conditions) > _MAX_CONDITIONS:
        raise ModelError(f"{len(conditions)} conditions: expected at most {_MAX_CONDITIONS}")
    for name, rows in conditions.items():
        if type(rows) is not int or not 1 <= rows <= _MAX_CONDITION_ROWS:
            raise ModelError(
                f"condition {name!r} has {rows!r} rows: expected 1 to {_MAX_CONDITION_ROWS}"
            )
