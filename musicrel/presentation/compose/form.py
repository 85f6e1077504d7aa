"""What the user fills in before a piece is written, and the request it amounts to.

This file knows values and words; it knows nothing of the controls they are typed into.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from musicrel.chorale import STEPS_PER_QUARTER, Key, Meter, Mode
from musicrel.errors import UsageError
from musicrel.generation.constraints.rules import DEFAULT, HARD_RULES
from musicrel.generation.request import FREELY, GenerationRequest
from musicrel.presentation.words import names

LEAST_BARS: Final = 1
LARGEST_SEED: Final = 2**31 - 1
SAFEST: Final = 0.5
BOLDEST: Final = 1.5

METERS: Final = (Meter(4, 4), Meter(3, 4))
PATIENCE: Final[Mapping[str, str]] = MappingProxyType(
    {
        "draft": "A first try: notes are gone over twice, and phrases end as they will",
        "normal": "Notes are gone over several times, or several ends of each phrase are tried",
        "careful": "Many times, or many ends of each phrase: slowest, and most settled",
    }
)
"""Name of each patience -> what it means."""
CADENCES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "": "Phrases close as they will",
        "authentic": "V to I: a full close, in whatever key the phrase has come to",
        "half": "The phrase rests on V",
        "plagal": "IV to I",
        "deceptive": "V to VI",
    }
)
"""Name of each cadence, "" for any -> what it means."""
USUAL_PATIENCE: Final = "normal"
_MODES: Final[tuple[Mode, Mode]] = ("major", "minor")
KEYS: Final = tuple(Key.of(tonic, mode) for mode in _MODES for tonic in range(12))

NEEDS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "meter": ("bar", "It has not learned where bars begin, so every piece is in 4/4."),
        "pickup": ("bar", "It has not learned where bars begin, so a piece starts on the first."),
        "key": ("key", "It has not learned to be told a key: it chooses one itself."),
        "phrases": ("fermata", "It has not learned to be told where phrases end."),
        "scale": ("key", "The rule needs a key, and this model chooses one itself."),
    }
)
"""Entry of the form -> the condition a model must know, and why the entry is idle without it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The entries as they stand.

    Attributes:
        model: its name, "" where there is none.
        bars: length of the piece.
        meter: time signature.
        pickup: sixteenths before the first bar line.
        key: None: the model's choice.
        phrases: bars of each phrase as typed, as in "2,2,4"; empty: the model's choice.
        temperature: 1 as the model learned it.
        seed: of all chance.
        rules: names of the hard rules that are on, in the order of ``HARD_RULES``.
        patience: how often notes are gone over, or how many ends of phrases are tried.
        cadence: the kind in which phrases should close, "": any.
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
    patience: str = USUAL_PATIENCE
    cadence: str = ""

    def request(self) -> GenerationRequest:
        """What is asked of the model.

        Raises:
            UsageError: the phrases are no numbers, or do not sum to the bars.
        """
        return GenerationRequest(
            bars=self.bars,
            meter=self.meter,
            pickup=self.pickup,
            key=self.key,
            phrases=bars_of_phrases(self.phrases, self.bars),
            temperature=self.temperature,
            top_p=FREELY,
            seed=self.seed,
            rules=self.rules,
            patience=self.patience,
            cadence=self.cadence,
        )


def rules_told(text: str) -> tuple[str, ...]:
    """The rules that ``text`` names, as it is remembered: "range,crossing"; others are none."""
    named = text.split(",")
    return tuple(name for name in HARD_RULES if name in named)


def bars_of_phrases(text: str, bars: int) -> tuple[int, ...]:
    """Read "2,2,4" or "2 2 4"; nothing gives no phrases.

    Raises:
        UsageError: something is no whole number, or the sum is not ``bars``.
    """
    parts = re.split(r"[\s,;]+", text.strip(" ,;"))
    if parts == [""]:
        return ()
    if not all(re.fullmatch("[1-9][0-9]{0,3}", part) for part in parts):
        raise UsageError(
            f"Phrases are bars of each phrase, as in 2,2,4: {text.strip()!r} cannot be read."
        )
    phrases = tuple(map(int, parts))
    if sum(phrases) != bars:
        raise UsageError(
            f"These phrases make {names.count(sum(phrases), 'bar')}, but the piece has {bars}."
        )
    return phrases


def pickups(meter: Meter) -> tuple[tuple[int, str], ...]:
    """The pickups to choose from: sixteenths, and what they are called."""
    beats = range(1, meter.numerator)
    quarter = 4 * STEPS_PER_QUARTER // meter.denominator
    named = tuple((beat * quarter, names.count(beat, "quarter")) for beat in beats)
    return ((0, "None"), *named)


def surprise(temperature: float) -> str:
    """A temperature in a word."""
    words = ((0.75, "safe"), (0.95, "calm"), (1.06, "as learned"), (1.26, "lively"))
    return next((word for below, word in words if temperature < below), "daring")
