"""The effects of all heads, on a note or on a whole piece: data, table and words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product, starmap
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Voice
from musicrel.generation.heads.mutes import Head, Mutes, Replacement
from musicrel.presentation.attention.piece_analysis import percent

Effects = npt.NDArray[np.floating]
OF_PIECE: Final = "whole piece"
HELPED: Final = "helped"
HINDERED: Final = "hindered"
_FULL: Final = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
"""Possible ends of the scale in nats: few, so that it rarely changes from note to note."""
ZERO: Final = 0.005
"""Effects in nats below this are written as 0.00."""
_START: Final = "START"
LOOKED_AT: Final = (*(voice.title for voice in Voice), _START)
"""Names of what a head can look at."""


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class HeadEffects:
    """Effects of every head on a note, or on the notes of a piece."""

    of: str  # the note in words, or ``OF_PIECE``
    model: str
    by: Replacement  # what replaces the output of a head
    # effects in nats, (layers, heads), of a piece the mean over its notes; nan where not known
    # yet
    by_head: Effects
    by_voice: Effects | None = None  # effects of the four voices as sources; None for a piece
    # share of the attention of each head by ``LOOKED_AT``, (layers, heads, 5); None where it is not
    # known by voice
    looks: Effects | None = None

    @property
    def layers(self) -> int:
        return int(self.by_head.shape[0])

    @property
    def heads(self) -> int:
        return int(self.by_head.shape[1])

    @property
    def all_heads(self) -> tuple[Head, ...]:
        return tuple(starmap(Head, product(range(self.layers), range(self.heads))))

    def has(self, head: Head) -> bool:
        return head.layer < self.layers and head.head < self.heads

    @property
    def full(self) -> float:
        known = [*self.by_head.ravel(), *(() if self.by_voice is None else self.by_voice)]
        return full_effect(max((abs(float(one)) for one in known if np.isfinite(one)), default=0.0))

    @property
    def largest(self) -> Head | None:
        sizes = np.nan_to_num(np.abs(self.by_head), nan=-1.0)
        layer, head = np.unravel_index(int(sizes.argmax()), sizes.shape)
        return Head(int(layer), int(head)) if sizes[layer, head] >= 0 else None

    def of_head(self, head: Head) -> float:
        return float(self.by_head[head.layer, head.head])

    def describe(self, head: Head) -> str:
        effect = self.of_head(head)
        text = f"{head} {words(effect)}" if np.isfinite(effect) else str(head)
        if self.looks is None:
            return text
        looks = zip(LOOKED_AT, self.looks[head.layer, head.head].tolist(), strict=True)
        most = sorted(looks, key=lambda one: -one[1])[:2]
        shares = ", ".join(
            f"{name if name == _START else name.lower()} {percent(share)}" for name, share in most
        )
        return f"{text}; looks at {shares}"

    def describe_voice(self, voice: Voice) -> str:
        effect = 0.0 if self.by_voice is None else float(self.by_voice[voice])
        return f"{voice.title} as source {words(effect)}"

    def summary(self, mutes: Mutes) -> str:
        parts, head = [f"Effects of heads, {self.of}"], self.largest
        if head is not None:
            parts.append(f"most: {head} {words(self.of_head(head))}")
        if mutes:
            parts.append(f"muted: {', '.join(map(str, mutes.heads))}")
        return "; ".join(parts)

    def table(self) -> Iterator[tuple[object, ...]]:
        yield ("source", "effect in nats")
        for head in self.all_heads:
            yield (head.code, f"{self.of_head(head):.6f}")
        if self.by_voice is not None:
            for voice in Voice:
                yield (voice.title, f"{float(self.by_voice[voice]):.6f}")


def full_effect(most: float) -> float:
    """Return the end of a scale that holds effects of up to ``most`` nats."""
    return next((full for full in _FULL if most <= full), _FULL[-1])


def number(effect: float) -> str:
    return "0.00" if abs(effect) < ZERO else f"{effect:+.2f}".replace("-", "−")


def words(effect: float) -> str:
    """Return an effect in words, as 'helped by 0.42 nats'."""
    if abs(effect) < ZERO:
        return "made no difference"
    return f"{HELPED if effect > 0 else HINDERED} by {abs(effect):.2f} nats"
