"""Shares of attention of two models by distance and voice, and their difference."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import starmap, zip_longest
from typing import Final, NamedTuple, TypeAlias

from musicrel.generation.heads.mutes import Head
from musicrel.presentation.attention.piece_analysis import (
    LAG_MEANINGS,
    PieceAnalysis,
    Share,
    percent,
)

BY_DISTANCE: Final = "By distance"
BY_VOICE: Final = "By voice"
ALONE: Final = "Bars: mean over the piece. Marks: the chosen note."
WORDS: Final = "Bars: mean over the piece. Marks: the chosen note. Right: B − A in points."


class SharePair(NamedTuple):
    """The shares of one class of cells in models A and B."""

    first: Share
    second: Share | None  # of B; None without a second model

    @property
    def name(self) -> str:
        return self.first.name

    @property
    def difference(self) -> float | None:
        return None if self.second is None else self.second.whole - self.first.whole

    @property
    def here(self) -> float | None:
        if self.second is None or self.first.here is None or self.second.here is None:
            return None
        return self.second.here - self.first.here


Groups: TypeAlias = tuple[tuple[str, tuple[SharePair, ...]], ...]


def groups(
    first: PieceAnalysis,
    second: PieceAnalysis | None,
    heads: tuple[Head | None, Head | None],
    cell: int | None,
) -> Groups:
    """Return the shares by distance, and by voice where a key is one voice.

    Args:
        second: of B, with the same classes of distance; None without a second model.
        heads: of each; None: the mean of all heads.
        cell: the chosen note; None: none.
    """
    by_lag = first.by_lag(heads[0], cell), second.by_lag(heads[1], cell) if second else ()
    by_voice = first.by_voice(heads[0], cell), second.by_voice(heads[1], cell) if second else ()
    found = ((BY_DISTANCE, by_lag), (BY_VOICE, by_voice))
    return tuple(
        (title, tuple(starmap(SharePair, zip_longest(*shares))))
        for title, shares in found
        if shares[0]
    )


def points(difference: float) -> str:
    value = 100 * difference
    text = f"{value:+.1f}" if abs(value) < 1 else f"{value:+.0f}"
    return "0" if float(text) == 0 else text.replace("-", "−")


def describe(pair: SharePair) -> str:
    """Return the shares of a class in one line, with the meaning of a distance."""
    meaning = LAG_MEANINGS.get(pair.name, "")
    name = f"{pair.name} ({meaning})" if meaning else pair.name
    parts = [f"{name}: A {percent(pair.first.whole)}{_note(pair.first)}"]
    if pair.second is not None and pair.difference is not None:
        parts.append(f"B {percent(pair.second.whole)}{_note(pair.second)}")
        parts.append(f"B − A {points(pair.difference)} points")
    return ", ".join(parts)


def _note(share: Share) -> str:
    return "" if share.here is None else f" (this note {percent(share.here)})"


def table(shown: Groups, legend: tuple[str, str]) -> Iterator[tuple[object, ...]]:
    """Yield the shares over the piece and of the chosen note by rows.

    Args:
        legend: names of A and B with their heads, "" without B.
    """
    yield ("group", "class", *legend, "difference",
           *(name and f"{name}, note" for name in legend), "difference, note")  # fmt: skip
    for title, pairs in shown:
        for pair in pairs:
            wholes = [share.whole if share else None for share in pair]
            heres = [share.here if share else None for share in pair]
            values = (*wholes, pair.difference, *heres, pair.here)
            cells = ("" if value is None else round(value, 6) for value in values)
            yield (title, pair.name, *cells)
