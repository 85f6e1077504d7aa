"""The effects of all heads, on a note or on a whole piece: data, table and words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Voice
from musicrel.generation.heads.mutes import Head, Mutes, Replacement
from musicrel.presentation.ablation import effect_scale
from musicrel.presentation.attention.piece_analysis import percent

Effects = npt.NDArray[np.floating]
_TITLE: Final = "Effects of heads, {of}"
_LARGEST: Final = "most: {head} {words}"
_MUTED: Final = "muted: {heads}"
_WITHOUT_VOICE: Final = "{voice} as source {words}"
_LOOKS: Final = "looks at {shares}"
_START: Final = "START"


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class HeadEffects:
    """Effects of every head on a note, or on the notes of a piece."""

    of: str  # the note in words, or "whole piece"
    model: str
    by: Replacement  # what replaces the output of a head
    # effects in nats, (layers, heads), of a piece the mean over its notes; nan where not known
    # yet
    by_head: Effects
    by_voice: Effects | None = None  # effects of the four voices as sources; None for a piece
    # share of the attention of each head on soprano, alto, tenor, bass and START, (layers, heads,
    # 5); None where it is not known by voice
    looks: Effects | None = None

    @property
    def layers(self) -> int:
        return int(self.by_head.shape[0])

    @property
    def heads(self) -> int:
        return int(self.by_head.shape[1])

    @property
    def full(self) -> float:
        """Return the end of the colour scale in nats."""
        known = [*self.by_head.ravel(), *(() if self.by_voice is None else self.by_voice)]
        finite = [abs(float(one)) for one in known if np.isfinite(one)]
        return effect_scale.full_effect(max(finite, default=0.0))

    @property
    def largest(self) -> Head | None:
        """Return the head of the largest effect, either way; None while none is known."""
        sizes = np.nan_to_num(np.abs(self.by_head), nan=-1.0)
        layer, head = np.unravel_index(int(sizes.argmax()), sizes.shape)
        return Head(int(layer), int(head)) if sizes[layer, head] >= 0 else None

    def of_head(self, head: Head) -> float:
        """Return the effect of a head in nats."""
        return float(self.by_head[head.layer, head.head])

    def describe(self, head: Head) -> str:
        """Return a head, its effect and where it looks, in words."""
        effect = self.of_head(head)
        parts = [f"{head} {effect_scale.words(effect)}" if np.isfinite(effect) else str(head)]
        if self.looks is not None:
            looks = zip(sources(), self.looks[head.layer, head.head].tolist(), strict=True)
            most = sorted(looks, key=lambda one: -one[1])[:2]
            shares = ", ".join(f"{name.lower() if name != _START else name} {percent(share)}"
                               for name, share in most)  # fmt: skip
            parts.append(_LOOKS.format(shares=shares))
        return "; ".join(parts)

    def describe_voice(self, voice: Voice) -> str:
        """Return the effect of a voice as a source in words."""
        effect = 0.0 if self.by_voice is None else float(self.by_voice[voice])
        return _WITHOUT_VOICE.format(voice=voice.title, words=effect_scale.words(effect))

    def summary(self, mutes: Mutes) -> str:
        """Return the note, the largest effect and the muted heads in words."""
        parts, head = [_TITLE.format(of=self.of)], self.largest
        if head is not None:
            words = effect_scale.words(self.of_head(head))
            parts.append(_LARGEST.format(head=head, words=words))
        if mutes:
            parts.append(_MUTED.format(heads=", ".join(map(str, mutes.heads))))
        return "; ".join(parts)

    def table(self) -> Iterator[tuple[object, ...]]:
        """Yield source and effect by rows."""
        yield ("source", "effect in nats")
        for layer, effects in enumerate(self.by_head.tolist()):
            for head, effect in enumerate(effects):
                yield (Head(layer, head).code, f"{effect:.6f}")
        if self.by_voice is not None:
            for voice in Voice:
                yield (voice.title, f"{float(self.by_voice[voice]):.6f}")


def sources() -> tuple[str, ...]:
    """Return the names of what a head can look at: the voices and START."""
    return (*(voice.title for voice in Voice), _START)
