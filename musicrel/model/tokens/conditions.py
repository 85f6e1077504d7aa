"""Conditions: known facts about the next token, as rows of embedding tables.

A condition is an integer for every position n of a token sequence; it describes the token at n + 1,
the one predicted from there. Row 0 of every table is ``UNKNOWN``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel import meter_beats
from musicrel.chorale import STEPS_PER_QUARTER, Chorale, Meter
from musicrel.errors import UsageError
from musicrel.model.tokens.codec import VOICES
from musicrel.model.tokens.vocabulary import VOCABULARIES

UNKNOWN: Final = 0
Rows = npt.NDArray[np.int64]

METER_ROWS: Final[Mapping[tuple[int, int], int]] = {(4, 4): 0, (3, 4): 16}
"""Meters with their own rows in the table of bar positions -> the first of these rows."""
_BAR_ROWS: Final = 16 + 12
_QUARTERS_LEFT: Final = 32
_QUARTERS_AHEAD: Final = 8
STYLE: Final = "style"
BESIDE: Final = "beside"
"""Composer of pieces that a model reads beside those it is to write like: hymns beside Bach's
chorales, or these beside the pieces that it is taught."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition: its name, the number of rows of its table (``UNKNOWN`` included), its meaning.

    ``row_per_step`` gives the row of every step of a chorale and of the position after the last,
    that of END: int64 (T + 1,). None: the row follows from the position in the sequence alone.
    """

    name: str
    rows: int
    description: str
    row_per_step: Callable[[Chorale], Rows] | None = None


def _steps_from_bar_line(chorale: Chorale) -> Rows:
    """Return the sixteenths since the first bar line for all steps and the end: (T + 1,)."""
    return np.arange(chorale.steps + 1) - chorale.pickup


def _quarter(chorale: Chorale) -> int:
    """Return the steps that models take as a quarter: a beat in compound meters."""
    meter = chorale.meter
    return meter_beats.beat(meter) if meter_beats.is_compound(meter) else STEPS_PER_QUARTER


def _beat(chorale: Chorale) -> Rows:
    quarter = _quarter(chorale)
    place = _steps_from_bar_line(chorale) % quarter
    return 1 + np.maximum(place * STEPS_PER_QUARTER // quarter, np.minimum(place, 1))


def _bar(chorale: Chorale) -> Rows:
    meter = chorale.meter
    if meter_beats.is_compound(meter):
        meter = Meter(meter.numerator // meter_beats.COMPOUND, 4)
    first = METER_ROWS.get((meter.numerator, meter.denominator))
    if first is None:
        return np.full(chorale.steps + 1, UNKNOWN, dtype=np.int64)
    quarters = _steps_from_bar_line(chorale) // _quarter(chorale) % meter.numerator
    return first + quarters * STEPS_PER_QUARTER + _beat(chorale)


def _fermata(chorale: Chorale) -> Rows:
    return np.append(1 + chorale.fermatas.astype(np.int64), UNKNOWN)


def _key(chorale: Chorale) -> Rows:
    key = chorale.key
    row = UNKNOWN if key is None else 1 + key.pitch_class + 12 * (key.mode == "minor")
    return np.full(chorale.steps + 1, row, dtype=np.int64)


def _ending(chorale: Chorale) -> Rows:
    quarters_left = np.arange(chorale.steps - 1, -1, -1) // _quarter(chorale)
    return np.append(1 + np.minimum(quarters_left, _QUARTERS_LEFT - 1), UNKNOWN)


def _phrase(chorale: Chorale) -> Rows:
    """Return 1 under a fermata, and before it 1 plus the quarters left, begun ones included.

    A cadence is prepared before its last chord; a condition at the fermata alone comes too late.
    The count is capped near the length of a phrase; without a fermata to follow it is ``UNKNOWN``.
    """
    steps, never = np.arange(chorale.steps), chorale.steps + 1
    held = np.where(chorale.fermatas, steps, never)
    following = np.minimum.accumulate(held[::-1])[::-1]
    quarters = np.minimum(-(-(following - steps) // _quarter(chorale)), _QUARTERS_AHEAD)
    return np.append(np.where(following == never, UNKNOWN, 1 + quarters), UNKNOWN)


def _style(chorale: Chorale) -> Rows:
    """Return 1 for pieces ``BESIDE``, ``UNKNOWN`` for others: no request has to name a style."""
    return np.full(chorale.steps + 1, int(chorale.composer == BESIDE), dtype=np.int64)


CONDITIONS: Final[Mapping[str, Condition]] = {
    condition.name: condition
    for condition in (
        Condition("voice", 1 + VOICES, "the voice, soprano to bass"),
        Condition("beat", 1 + STEPS_PER_QUARTER, "the sixteenth within the beat", _beat),
        Condition("bar", 1 + _BAR_ROWS, "the place in the bar of 4/4 or 3/4", _bar),
        Condition("fermata", 1 + 2, "whether a fermata holds here", _fermata),
        Condition("key", 1 + 24, "the key of the piece", _key),
        Condition("ending", 1 + _QUARTERS_LEFT, "quarters left to the end", _ending),
        Condition("phrase", 2 + _QUARTERS_AHEAD, "quarters left to the next fermata", _phrase),
        Condition(STYLE, 1 + 1, "read beside the pieces to write like; unknown: these", _style),
    )
}
GIVEN: Final = Condition(
    "given",
    VOCABULARIES["articulated"].size,
    "the token there, where it is given",
    lambda chorale: np.full(chorale.steps + 1, UNKNOWN, dtype=np.int64),
)
"""The input of the encoder of an encoder-decoder; its rows are tokens, set by ``with_given``."""
_ALL: Final[Mapping[str, Condition]] = {**CONDITIONS, GIVEN.name: GIVEN}
POSITIONAL: Final = ("voice", "beat")
"""Conditions that follow from the position on the grid and reveal nothing about the music."""
UNHIDDEN: Final = frozenset({"voice", STYLE})
"""Conditions that are never left out in training."""
HINTS: Final = frozenset({"fermata", "key", "phrase"})
"""Conditions that reveal something about the music beyond its grid and its length."""


def sizes(names: Iterable[str]) -> dict[str, int]:
    """Return the number of rows of the table of each named condition."""
    return {name: _condition(name).rows for name in names}


def rows(chorale: Chorale, names: Sequence[str], given: Iterable[str]) -> Rows:
    """Build the condition rows of a piece: int64 (4 T + 2, C), one column for each of ``names``.

    Row n describes token n + 1; after END all is unknown.

    Args:
        chorale: the piece, or any other chorale with the same length, meter, key and fermatas.
        given: those to supply; the others are ``UNKNOWN`` throughout.
    """
    supplied = frozenset(given)
    table = np.full((chorale.steps * VOICES + 2, len(names)), UNKNOWN, dtype=np.int64)
    for column, name in enumerate(names):
        if name in supplied:
            table[:-1, column] = _column(_condition(name), chorale)
    return table


def with_given(table: Rows, names: Sequence[str], tokens: Rows) -> Rows:
    """Write the given tokens into ``table``, in place, if the model has that condition.

    Args:
        table: int64 (4 T + 2, C), from ``rows``.
        tokens: int64 (4 T,): the token of every given cell, ``UNKNOWN`` elsewhere.

    Returns:
        ``table``.
    """
    if GIVEN.name in names:
        table[: len(tokens), names.index(GIVEN.name)] = tokens
    return table


def positional_rows(length: int, names: Sequence[str], start: int = 0) -> Rows:
    """Build the rows that need no chorale: voice, and beat on a grid that starts on a beat.

    Args:
        start: index of the first token in its piece (START has 0).

    Returns:
        int64 (N, C); the other conditions are ``UNKNOWN``.
    """
    place = start + np.arange(length)
    table = np.full((length, len(names)), UNKNOWN, dtype=np.int64)
    if "voice" in names:
        table[:, names.index("voice")] = 1 + place % VOICES
    if "beat" in names:
        table[:, names.index("beat")] = 1 + place // VOICES % STEPS_PER_QUARTER
    return table


def _column(condition: Condition, chorale: Chorale) -> Rows:
    cells = chorale.steps * VOICES + 1
    if condition.row_per_step is None:
        return 1 + np.arange(cells) % VOICES
    return np.repeat(condition.row_per_step(chorale), VOICES)[:cells]


def _condition(name: str) -> Condition:
    if name not in _ALL:
        known = ", ".join(CONDITIONS)
        raise UsageError(f"unknown condition {name!r}: expected some of {known}")
    return _ALL[name]
