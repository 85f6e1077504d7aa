"""What the user asks a model to write.

This file knows bars, keys and phrases; it knows nothing of tokens or models.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from musicrel.chorale import MAX_STEPS, REST, STEPS_PER_QUARTER, Chorale, Key, Meter
from musicrel.errors import UsageError

MOST_BARS: Final = 256
_LARGEST_SEED: Final = 2**63 - 1
_LONGEST_FERMATA: Final = 3 * STEPS_PER_QUARTER
_KINDS: Final[Mapping[str, tuple[type, ...]]] = {
    "bars": (int,),
    "meter": (Meter,),
    "pickup": (int,),
    "key": (Key, type(None)),
    "phrases": (tuple,),
    "temperature": (int, float),
    "top_k": (int,),
    "top_p": (int, float),
    "seed": (int,),
    "tempo": (int, float),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationRequest:
    """A piece to be written.

    Attributes:
        bars: length; with a pickup the last bar is the shorter for it, as in hymn books.
        meter: time signature.
        pickup: sixteenths before the first bar line.
        key: the key to write in, None: the model's choice.
        phrases: bars of each phrase, summing to ``bars``; a fermata ends each. Empty: the model's
            choice.
        temperature: 1 as the model learned it, lower is safer, higher more surprising; 0 takes the
            likeliest token every time.
        top_k: choose among so many likeliest tokens, 0: among all.
        top_p: choose among the likeliest tokens that together have this probability.
        seed: of all chance; the same seed gives the same notes.
        tempo: quarter notes a minute.

    Raises:
        UsageError: a value is out of bounds.
    """

    bars: int = 16
    meter: Meter = field(default_factory=Meter)
    pickup: int = 0
    key: Key | None = None
    phrases: tuple[int, ...] = ()
    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    seed: int = 0
    tempo: float = 80.0

    def __post_init__(self) -> None:
        self._check_kinds()
        self._check_form()
        self._check_chance()

    @property
    def steps(self) -> int:
        """Length in sixteenths."""
        return self.bars * self.meter.steps

    def plan(self) -> Chorale:
        """The empty piece: silent, but with its meter, key and fermatas in place."""
        fermatas = np.zeros(self.steps, dtype=np.bool_)
        start = 0
        for bars in self.phrases:
            end = start + bars * self.meter.steps
            fermatas[max(self._last_strong_step(end), start) : end] = True
            start = end
        return Chorale.of(
            np.full((self.steps, 4), REST),
            fermatas=fermatas,
            meter=self.meter,
            pickup=self.pickup,
            key=self.key,
            tempo=self.tempo,
        )

    def told(self) -> tuple[str, ...]:
        """The conditions a model is told by this request; the others stay unknown to it."""
        by_wish = {"fermata": bool(self.phrases), "key": self.key is not None}
        wished = tuple(name for name, is_wished in by_wish.items() if is_wished)
        return ("voice", "beat", "bar", "ending", *wished)

    def to_json(self) -> dict[str, Any]:
        """The request as plain JSON values, as stored with what was written."""
        values: dict[str, Any] = {name: getattr(self, name) for name in self.__slots__}
        values["meter"] = str(self.meter)
        values["key"] = str(self.key) if self.key else None
        values["phrases"] = list(self.phrases)
        return values

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> GenerationRequest:
        """The request that ``to_json`` gave.

        Raises:
            UsageError: a value is unknown or out of bounds.
        """
        try:
            known = {name: value for name, value in values.items() if name in cls.__slots__}
            known["meter"] = Meter.parse(known["meter"])
            known["key"] = Key.parse(known["key"]) if known.get("key") else None
            known["phrases"] = tuple(known.get("phrases", ()))
            return cls(**known)
        except (KeyError, TypeError, AttributeError, UsageError) as reason:
            raise UsageError(
                f"the stored settings are no request of musicrel: {reason}"
            ) from reason

    def _last_strong_step(self, end: int) -> int:
        """Where the last note of a phrase begins: the last strong beat a quarter before its end.

        That is where nine of ten fermatas of the bundled chorales begin: on the third quarter or
        the first of a bar of 4/4.
        """
        halves = self.meter.steps // (2 if self.meter.numerator % 2 == 0 else 1)
        if halves > _LONGEST_FERMATA:
            halves = 4 * STEPS_PER_QUARTER // self.meter.denominator or 1
        latest = end - STEPS_PER_QUARTER
        return latest - (latest - self.pickup) % halves

    def _check_kinds(self) -> None:
        for name, kinds in _KINDS.items():
            value = getattr(self, name)
            if type(value) not in kinds:
                named = " or ".join(kind.__name__ for kind in kinds)
                raise UsageError(f"{name} is {value!r}: expected {named}")
        if any(type(bars) is not int for bars in self.phrases):
            raise UsageError(f"phrases are {self.phrases!r}: expected whole numbers of bars")

    def _check_form(self) -> None:
        most = min(MOST_BARS, MAX_STEPS // self.meter.steps)
        if not 1 <= self.bars <= most:
            raise UsageError(f"bars is {self.bars}: expected 1 to {most} of {self.meter}")
        if not 0 <= self.pickup < self.meter.steps:
            raise UsageError(
                f"pickup is {self.pickup} sixteenths: expected 0 to {self.meter.steps - 1}, "
                f"less than a bar of {self.meter}"
            )
        if self.phrases and (min(self.phrases) < 1 or sum(self.phrases) != self.bars):
            shown = ",".join(map(str, self.phrases))
            raise UsageError(
                f"phrases {shown} sum to {sum(self.phrases)} bars: expected whole numbers above 0 "
                f"that sum to bars, {self.bars}"
            )
        if not 5 <= self.tempo <= 600:  # noqa: PLR2004
            raise UsageError(f"tempo is {self.tempo}: expected 5 to 600 quarter notes a minute")

    def _check_chance(self) -> None:
        if not 0 <= self.temperature <= 10:  # noqa: PLR2004
            raise UsageError(f"temperature is {self.temperature}: expected 0 to 10")
        if self.top_k < 0:
            raise UsageError(f"top-k is {self.top_k}: expected 0 (off) or more")
        if not 0 < self.top_p <= 1:
            raise UsageError(f"top-p is {self.top_p}: expected more than 0, at most 1 (off)")
        if not 0 <= self.seed <= _LARGEST_SEED:
            raise UsageError(f"seed is {self.seed}: expected a whole number 0 to {_LARGEST_SEED}")
