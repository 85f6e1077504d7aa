"""Practice versions of a piece: one voice louder than the others, or the others without it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from musicrel.chorale import Voice
from musicrel.errors import UsageError

Kind: TypeAlias = Literal["louder", "left out"]
"""The part of the voice in its practice version."""

DEFAULT_OTHERS: Final = 0.25
_LOUD: Final = 1.6
"""Level of the louder voice, so that a version with soft voices is as loud as the whole choir."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Practice:
    """One practice version.

    Attributes:
        voice: the voice to practise.
        kind: "louder": it stands out; "left out": the others sound without it.
        others: level of the other voices relative to a louder one, 0 to 1.

    Raises:
        UsageError: a value is outside its range.
    """

    voice: Voice
    kind: Kind = "louder"
    others: float = DEFAULT_OTHERS

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise UsageError(f"the voice is {self.kind!r}: expected {' or '.join(get_args(Kind))}")
        if not 0 <= self.others <= 1:
            raise UsageError(f"the level of the others is {self.others}: expected 0 to 1")

    @property
    def levels(self) -> tuple[float, ...]:
        """Return the volumes of S, A, T, B; 1 is that of a voice in the whole choir."""
        own, others = (_LOUD, _LOUD * self.others) if self.kind == "louder" else (0.0, 1.0)
        return tuple(own if voice is self.voice else others for voice in Voice)

    @property
    def name(self) -> str:
        """Return the name of the version, as in "Soprano practice"."""
        title = self.voice.title
        return f"{title} practice" if self.kind == "louder" else f"without {title}"
