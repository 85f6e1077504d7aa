"""Heads of a model, and muted heads as in "2.3,4": head 3 of layer 2 and all of layer 4."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import product, starmap
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

from musicrel.errors import UsageError
from musicrel.language import tr

Replacement: TypeAlias = Literal["mean", "zero"]
"""The output that a muted head gets: its mean over the training pieces, or nothing."""
REPLACEMENTS: Final[tuple[Replacement, ...]] = get_args(Replacement)
WHOLE: Final = -1  # in place of a head's number: all heads of the layer
_NUMBER: Final = re.compile(r"([1-9][0-9]{0,3})(?:\.([1-9][0-9]{0,3}))?")


class Head(NamedTuple):
    """One head of a model, or all heads of a layer, counted from 0."""

    layer: int
    head: int

    def __str__(self) -> str:
        text = tr("Layer {layer}") if self.head == WHOLE else tr("Layer {layer}, head {head}")
        return text.format(layer=self.layer + 1, head=self.head + 1)

    @property
    def noun(self) -> str:
        """Return the name inside a sentence."""
        text = tr("layer {layer}") if self.head == WHOLE else tr("layer {layer}, head {head}")
        return text.format(layer=self.layer + 1, head=self.head + 1)

    @property
    def code(self) -> str:
        """Return the short form, counted from 1: "2.3", or "2" for a whole layer."""
        return f"{self.layer + 1}" if self.head == WHOLE else f"{self.layer + 1}.{self.head + 1}"


def all_heads(layers: int, heads: int) -> tuple[Head, ...]:
    """Return all heads of a model, layer by layer."""
    return tuple(starmap(Head, product(range(layers), range(heads))))


@dataclass(frozen=True)
class Mutes:
    """The muted heads of a model."""

    # single heads and whole layers; stored in order, none twice, without heads of a whole layer
    heads: tuple[Head, ...] = ()
    by: Replacement = "mean"

    def __post_init__(self) -> None:
        whole = {head.layer for head in self.heads if head.head == WHOLE}
        kept = {head for head in self.heads if head.head == WHOLE or head.layer not in whole}
        object.__setattr__(self, "heads", tuple(sorted(kept)))

    @classmethod
    def parse(cls, text: str, by: str = "mean") -> Mutes:
        """Return the mutes that a text names, as in "2.3,4": head 3 of layer 2, all of layer 4."""
        if by not in REPLACEMENTS:
            raise UsageError(
                tr("muted heads cannot be replaced by {by!r}: expected mean or zero", by=by)
            )
        parts = [part.strip() for part in text.split(",")] if text.strip() else []
        return cls(tuple(map(_parsed, parts)), "zero" if by == "zero" else "mean")

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Mutes:
        """Return the mutes in ``values``, which have what ``to_json`` returns."""
        return cls.parse(str(values.get("mute", "")), str(values.get("mute_by", "mean")))

    def to_json(self) -> dict[str, str]:
        """Return plain JSON values, none where no head is muted."""
        return {"mute": str(self), "mute_by": self.by} if self.heads else {}

    def __bool__(self) -> bool:
        return bool(self.heads)

    def __str__(self) -> str:
        return ",".join(head.code for head in self.heads)

    def __contains__(self, head: Head) -> bool:
        return head in self.heads or Head(head.layer, WHOLE) in self.heads

    def expanded(self, layers: int, heads: int) -> tuple[Head, ...]:
        """Return the single heads that are muted in a model."""
        for head in self.heads:
            if head.layer >= layers or head.head >= heads:
                raise UsageError(
                    tr(
                        "the model has no head {code}: expected layers 1 to {layers} and heads 1 to "
                        "{heads}",
                        code=head.code,
                        layers=layers,
                        heads=heads,
                    )
                )
        return tuple(head for head in all_heads(layers, heads) if head in self)

    def toggled(self, head: Head, layers: int, heads: int) -> Mutes:
        """Return the mutes with ``head`` muted, or not muted if it was.

        A whole layer counts as muted if all its heads are.
        """
        single = set(self.expanded(layers, heads))
        named = set(Mutes((head,)).expanded(layers, heads))
        single = single - named if named <= single else single | named
        whole = {
            n for n in range(layers) if single.issuperset(Head(n, one) for one in range(heads))
        }
        return replace(self, heads=(*single, *(Head(layer, WHOLE) for layer in whole)))


def _parsed(part: str) -> Head:
    found = _NUMBER.fullmatch(part)
    if found is None:
        raise UsageError(
            tr(
                "cannot read the head {part!r}: expected layer and head as in 2.3, or a layer "
                "as in 2",
                part=part,
            )
        )
    layer, head = found.groups()
    return Head(int(layer) - 1, WHOLE if head is None else int(head) - 1)
