"""The phrases above a roll: their labels, and the one at a pixel.

Pixels are those of the lanes, as in ``viewport``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from musicrel.chorale import Meter
from musicrel.presentation.compose.phrases import Phrase
from musicrel.presentation.roll.viewport import Viewport
from musicrel.presentation.words import names

CADENCE_LABELS: Final[Mapping[str, str]] = MappingProxyType(
    {"": "any", "authentic": "V–I", "half": "–V", "plagal": "IV–I", "deceptive": "V–VI"}
)
"""Short labels of cadences."""
GRIP: Final = 5.0
"""Greatest distance in pixels from which the end of a phrase can be dragged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhraseLane:
    phrases: tuple[Phrase, ...] = ()  # in order, without gaps
    meter: Meter = field(default_factory=Meter)  # time signature
    pickup: int = 0  # steps before the first bar line
    planned: bool = True  # True for phrases of a piece that is not written yet

    def phrase_at(self, step: float) -> int | None:
        """Return the index of the phrase at a step; None where there is none."""
        inside = (n for n, phrase in enumerate(self.phrases) if phrase.start <= step < phrase.stop)
        return next(inside, None)

    def end_at(self, x: float, view: Viewport) -> int | None:
        """Return the index of the phrase that ends near a pixel; None without one."""
        distances = {n: abs(view.x(phrase.stop) - x) for n, phrase in enumerate(self.phrases)}
        nearest = min(distances, key=distances.__getitem__, default=None)
        return nearest if nearest is not None and distances[nearest] <= GRIP else None

    def bar_at(self, step: float) -> int:
        """Return the bars from the beginning to the nearest place where a phrase can end."""
        return max(round(step / self.meter.steps), 0)

    def moved(self, index: int, bar: int) -> PhraseLane:
        """Return the lane while the end of a phrase is dragged to a bar; both keep one at least."""
        here, *after = self.phrases[index : index + 2]
        stop = max(bar * self.meter.steps, here.start + self.meter.steps)
        if after:
            stop = min(stop, after[0].stop - self.meter.steps)
            after = [after[0]._replace(start=stop)]
        changed = (here._replace(stop=stop), *after)
        return replace(self, phrases=(*self.phrases[:index], *changed, *self.phrases[index + 2 :]))

    def describe(self, index: int) -> str:
        """Describe a phrase, as 'Phrase 2: bars 3 to 4, half cadence (–V)'."""
        phrase = self.phrases[index]
        first, last = (self._bar(step) for step in (phrase.start, phrase.stop - 1))
        bars = f"bar {first}" if first == last else f"bars {first} to {last}"
        return f"Phrase {index + 1}: {bars}, {self._cadence(phrase.cadence)}"

    def _cadence(self, kind: str) -> str:
        if kind:
            return f"{kind} cadence ({CADENCE_LABELS[kind]})"
        return "any cadence" if self.planned else "no cadence found"

    def _bar(self, step: int) -> int:
        """Return the number of the bar at a step; a pickup counts as a part of the first."""
        return max((step - self.pickup) // self.meter.steps + 1, 1)


def summary(phrases: Sequence[Phrase]) -> str:
    """Return phrases for screen readers, as '8 phrases of 2, 2, 4 bars'."""
    if not phrases:
        return "No phrases"
    bars = ", ".join(f"{phrase.bars:g}" for phrase in phrases)
    return f"{names.count(len(phrases), 'phrase')} of {bars} bars"
