"""The Roman numerals under the piano roll: which of them have room."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from musicrel.harmony.numeral import Numeral

GAP: Final = 5.0
"""Least distance of two labels."""


class Label(NamedTuple):
    """A numeral with room for its text, and the left end of that."""

    numeral: Numeral
    x: float


def labels(
    numerals: Sequence[Numeral],
    x_of: Callable[[int], float],
    width_of: Callable[[str], float],
) -> tuple[Label, ...]:
    """Return the labels that do not touch each other; those with a key come first."""
    boxes = [(x_of(found.start), width_of(found.text)) for found in numerals]
    ranked = sorted(range(len(numerals)), key=lambda at: numerals[at].text == numerals[at].figure)
    taken: set[int] = set()
    for at in ranked:
        if _is_free(at, boxes, taken):
            taken.add(at)
    return tuple(Label(numerals[at], boxes[at][0]) for at in sorted(taken))


def numeral_at(numerals: Sequence[Numeral], step: int) -> Numeral | None:
    return next((found for found in numerals if found.start <= step < found.stop), None)


def describe(numeral: Numeral) -> str:
    """Return the tooltip of a numeral: "V65 in G major"."""
    return f"{numeral.figure} in {numeral.key}"


def _is_free(at: int, boxes: Sequence[tuple[float, float]], taken: set[int]) -> bool:
    left, width = boxes[at]
    before = next((other for other in range(at - 1, -1, -1) if other in taken), None)
    after = next((other for other in range(at + 1, len(boxes)) if other in taken), None)
    clear = before is None or sum(boxes[before]) + GAP <= left
    return clear and (after is None or left + width + GAP <= boxes[after][0])
