"""The entries of the Compose form, and the request they make."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from musicrel.chorale import STEPS_PER_QUARTER, Key, Meter, Mode
from musicrel.errors import UsageError
from musicrel.generation.constraints.rules import DEFAULT, HARD_RULES
from musicrel.generation.quality import NORMAL
from musicrel.generation.request import DEFAULT_TOP_P, GenerationRequest
from musicrel.presentation.words import names

MIN_BARS: Final = 1
MAX_SEED: Final = 2**31 - 1
MIN_TEMPERATURE: Final = 0.5
MAX_TEMPERATURE: Final = 1.5

METERS: Final = (Meter(4, 4), Meter(3, 4))
CADENCES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "": "Any cadence",
        "authentic": "V to I, in the key that the phrase has reached",
        "half": "Ends on V",
        "plagal": "IV to I",
        "deceptive": "V to VI",
    }
)
"""Cadence, "" for any -> tooltip."""
_MODES: Final[tuple[Mode, Mode]] = ("major", "minor")
KEYS: Final = tuple(Key.of(tonic, mode) for mode in _MODES for tonic in range(12))

NEEDS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "meter": ("bar", "This model is not conditioned on bars: pieces are in 4/4."),
        "pickup": ("bar", "This model is not conditioned on bars: pieces start on the first beat."),
        "key": ("key", "This model is not conditioned on a key: it chooses one."),
        "phrases": ("fermata", "This model is not conditioned on fermatas."),
        "scale": ("key", "The rule needs a key, and this model chooses its own."),
    }
)
"""Entry -> the condition a model must know, and why the entry is disabled without it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The entries.

    Attributes:
        model: its name; "" without a model.
        bars: length of the piece in bars.
        meter: time signature.
        pickup: sixteenths before the first bar line.
        key: None: chosen by the model.
        phrases: bars of each phrase as typed, "2,2,4"; empty: chosen by the model.
        temperature: of sampling; 1: the model's own distribution.
        seed: of all random numbers.
        rules: names of the active hard rules, in the order of ``HARD_RULES``.
        quality: how much work goes into the piece, a name in ``QUALITIES``.
        cadence: preferred cadence of phrases; "": any.
    """

    model: str = ""
    bars: int = 16
    meter: Meter = METERS[0]
    pickup: int = 0
    key: Key | None = None
    phrases: str = ""
    temperature: float = 1.0
    seed: int = 0
    rules: tuple[str, ...] = DEFAULT
    quality: str = NORMAL
    cadence: str = ""

    def request(self) -> GenerationRequest:
        """Return the request for the model.

        Raises:
            UsageError: the phrases are not numbers, or do not sum to the bars.
        """
        return GenerationRequest(
            bars=self.bars,
            meter=self.meter,
            pickup=self.pickup,
            key=self.key,
            phrases=parse_phrases(self.phrases, self.bars),
            temperature=self.temperature,
            top_p=DEFAULT_TOP_P,
            seed=self.seed,
            rules=self.rules,
            quality=self.quality,
            cadence=self.cadence,
        )


def parse_rules(text: str) -> tuple[str, ...]:
    """Parse rule names as stored, "range,crossing"; unknown names are ignored."""
    named = text.split(",")
    return tuple(name for name in HARD_RULES if name in named)


def parse_phrases(text: str, bars: int) -> tuple[int, ...]:
    """Parse "2,2,4" or "2 2 4"; empty text gives no phrases.

    Raises:
        UsageError: an entry is not a whole number, or the sum is not ``bars``.
    """
    parts = re.split(r"[\s,;]+", text.strip(" ,;"))
    if parts == [""]:
        return ()
    if not all(re.fullmatch("[1-9][0-9]{0,3}", part) for part in parts):
        raise UsageError(
            f"Phrases are {text.strip()!r}: expected the bars of each phrase, such as 2,2,4."
        )
    phrases = tuple(map(int, parts))
    if sum(phrases) != bars:
        raise UsageError(
            f"The phrases have {names.count(sum(phrases), 'bar')}: expected {bars}, the length of "
            "the piece."
        )
    return phrases


def pickups(meter: Meter) -> tuple[tuple[int, str], ...]:
    """Return the pickups to choose from: sixteenths and name."""
    beats = range(1, meter.numerator)
    quarter = 4 * STEPS_PER_QUARTER // meter.denominator
    named = tuple((beat * quarter, names.count(beat, "quarter")) for beat in beats)
    return ((0, "None"), *named)


def describe_temperature(temperature: float) -> str:
    """Describe a temperature relative to that of the model's own distribution, 1."""
    if temperature == 1:
        return "the model’s own distribution"
    return "more predictable" if temperature < 1 else "more varied"
