"""The numbers that shape a model: all that is needed to build it empty.

This file knows names and bounds; it knows nothing of tensors, tokens or files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal, get_args

from musicrel.errors import ModelError

Family = Literal[
    "causal", "encoder_decoder", "masked", "classifier", "critic", "published", "infill"
]
Norm = Literal["pre", "post"]
Activation = Literal["gelu", "relu"]

_BOUNDS: Final[Mapping[str, tuple[int, int]]] = {
    "tokens": (4, 4096),
    "width": (8, 2048),
    "layers": (1, 24),
    "heads": (1, 64),
    "feedforward": (8, 8192),
    "trained_length": (2, 16_384),
}
"""Smallest and largest value of each whole number; a file that asks for more is not believed."""
_SHARES: Final[Mapping[str, tuple[float, float]]] = {
    "dropout": (0.0, 0.95),
    "attention_dropout": (0.0, 0.95),
    "position_dropout": (0.0, 0.95),
}
_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "family": get_args(Family),
    "norm": ("pre", "post"),
    "activation": ("gelu", "relu"),
}
"""The entries that are words, and what they may be."""
WRITING: Final = ("causal", "encoder_decoder")
"""Families whose models write: they say one token after the other."""
_TELLING: Final = ("classifier", "critic")
"""Families whose models tell classes apart."""
GIVEN: Final = "given"
"""The condition that an encoder reads: the token of each cell that is given, 0 where none is."""
VOICE: Final = "voice"
"""The condition that says which voice is about to sing: row 0 unknown, then the four from above."""
BEAT: Final = "beat"
"""The condition that tells the sixteenth within the beat: row 0 unknown, then the four."""
KEY: Final = "key"
"""The condition that the tonic is read from: row 0 unknown, then twelve major and twelve minor."""
ENDING: Final = "ending"
"""The condition that counts the quarters left: row 0 unknown, row n + 1 for n of them."""
FIRST_PITCH: Final = 5
"""The id of the lowest pitch, in vocabularies that have pitches."""
_MOST_CLASSES: Final = 512
_MOST_CONDITIONS: Final = 64
_MOST_CONDITION_ROWS: Final = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelConfig:
    """The shape of a transformer.

    Attributes:
        scheme: key of the positional scheme in ``musicrel.model.positions.table``.
        options: what the scheme may be told, plain JSON values.
        tokens: size V of the vocabulary.
        conditions: rows of the table of each condition, in the order of their columns.
        width: width D of the residual stream.
        layers: number of blocks.
        heads: attention heads H a block; ``width`` is a multiple of it.
        feedforward: hidden width of a block's feed-forward part.
        dropout: share of a sublayer's output dropped in training.
        attention_dropout: share of the attention weights dropped in training; above 0 it costs the
            fused kernels.
        position_dropout: share of the positions' numbers dropped in training, so that a model does
            not lean on the places it has seen.
        norm: whether a block's norms stand before its sublayers or after them.
        activation: of the feed-forward part.
        trained_length: longest sequence seen in training, in tokens.
        family: how the model reads: ``causal`` sees the past only, ``encoder_decoder`` also all
            that is given, before and after, ``masked`` sees everything but what is masked,
            ``infill`` finds notes in any order, from both sides, ``classifier`` sees everything and
            says one thing of the whole, ``critic`` tells Bach from others,
            ``published`` is the encoder of the published comparison.
        classes: what a classifier tells apart; 0 for the other families.
        encoder_layers: number of blocks that read what is given; 0 for families without an encoder.
        cross: whether the blocks that write look at all that an encoder read; family
            ``encoder_decoder`` alone.
        pitches: how many pitches the vocabulary has, where a causal model is to hear and say
            intervals (see ``intervals``); 0: ids are names and nothing else.
        counterpoint: how many it has, where tables of what fits by rule are added to what is said
            (see ``counterpoint``); 0: none are.

    Raises:
        ModelError: a value is of the wrong kind or outside its bounds.
    """

    scheme: str
    tokens: int
    conditions: Mapping[str, int] = field(default_factory=dict)
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
    trained_length: int = 512
    family: Family = "causal"
    classes: int = 0
    encoder_layers: int = 0
    cross: bool = False
    pitches: int = 0
    counterpoint: int = 0

    def __post_init__(self) -> None:
        for name, (low, high) in _BOUNDS.items():
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
                raise ModelError(f"{name} is {value!r}: expected a whole number {low} to {high}")
        if self.width % self.heads:
            raise ModelError(
                f"width {self.width} is no multiple of heads {self.heads}: every head needs as much"
            )
        for name, (least, most) in _SHARES.items():
            share = getattr(self, name)
            if not isinstance(share, (int, float)) or not least <= share <= most:
                raise ModelError(f"{name} is {share!r}: expected {least} to {most}")
        for name, words in _WORDS.items():
            if getattr(self, name) not in words:
                raise ModelError(
                    f"{name} is {getattr(self, name)!r}: expected {' or '.join(words)}"
                )
        _check_classes(self.family, self.classes)
        _check_encoder(self.family, self.encoder_layers, self.conditions)
        _check_cross(self.family, self.cross)
        _check_pitches(self, "pitches", WRITING)
        _check_pitches(self, "counterpoint", ("causal", "infill"))
        _check_voice(self)
        _check_scheme(self.scheme, self.options)
        _check_conditions(self.conditions)

    @property
    def is_causal(self) -> bool:
        """Whether tokens are said in order, each in view of those before it."""
        return self.family in WRITING

    @property
    def head_width(self) -> int:
        """Width d of one head."""
        return self.width // self.heads

    def to_json(self) -> dict[str, Any]:
        """The config as plain JSON values."""
        return asdict(self) | {"conditions": dict(self.conditions), "options": dict(self.options)}

    @classmethod
    def from_json(cls, values: object) -> ModelConfig:
        """The config that ``to_json`` gave, every value checked.

        Raises:
            ModelError: something is missing, unknown or out of bounds.
        """
        if not isinstance(values, dict):
            raise ModelError("the config of a model is no table of values")
        unknown = set(values) - set(cls.__dataclass_fields__)
        if unknown:
            raise ModelError(
                f"the config of a model has unknown entries: {', '.join(sorted(unknown))}"
            )
        missing = {"scheme", "tokens"} - set(values)
        if missing:
            raise ModelError(f"the config of a model lacks {', '.join(sorted(missing))}")
        return cls(**values)


def _check_classes(family: str, classes: object) -> None:
    fewest, most = (2, _MOST_CLASSES) if family in _TELLING else (0, 0)
    if type(classes) is not int or not fewest <= classes <= most:
        expected = f"{fewest} to {most}" if most else "0"
        raise ModelError(f"classes is {classes!r} in family {family}: expected {expected}")


def _check_encoder(family: str, layers: object, conditions: object) -> None:
    fewest, most = (1, _BOUNDS["layers"][1]) if family == "encoder_decoder" else (0, 0)
    if type(layers) is not int or not fewest <= layers <= most:
        expected = f"{fewest} to {most}" if most else "0"
        raise ModelError(f"encoder_layers is {layers!r} in family {family}: expected {expected}")
    if isinstance(conditions, Mapping) and (GIVEN in conditions) != (most > 0):
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
    family, notes = config.family, config.tokens - FIRST_PITCH
    fitting = (notes // 2,) if family == "infill" else (notes, notes // 2)
    if family not in families or type(pitches) is not int or pitches not in fitting or pitches < 1:
        raise ModelError(
            f"{name} is {pitches!r} in family {family} with {config.tokens} tokens: expected 0, or "
            f"the number of pitches of the vocabulary of a model of family {' or '.join(families)}"
        )


def _check_voice(config: ModelConfig) -> None:
    conditions: object = config.conditions
    is_told = isinstance(conditions, Mapping) and VOICE in conditions
    if config.counterpoint and is_told != config.is_causal:
        expected = (
            f"and the model is not told the voice: expected {VOICE!r} among its conditions, which "
            "says who has sung already"
            if config.is_causal
            else f"in family {config.family} and {VOICE!r} is among the conditions: expected it "
            "not to be, a step has all four voices"
        )
        raise ModelError(f"counterpoint is {config.counterpoint} {expected}")


def _check_scheme(scheme: object, options: object) -> None:
    if not isinstance(scheme, str):
        raise ModelError(f"scheme is {scheme!r}: expected the name of a positional scheme")
    if not isinstance(options, Mapping):
        raise ModelError("the options of a positional scheme are no table")


def _check_conditions(conditions: object) -> None:
    if not isinstance(conditions, Mapping):
        raise ModelError("the conditions of a model are no table of sizes")
    if len(conditions) > _MOST_CONDITIONS:
        raise ModelError(f"{len(conditions)} conditions: expected at most {_MOST_CONDITIONS}")
    for name, rows in conditions.items():
        if type(rows) is not int or not 1 <= rows <= _MOST_CONDITION_ROWS:
            raise ModelError(
                f"condition {name!r} has {rows!r} rows: expected 1 to {_MOST_CONDITION_ROWS}"
            )
