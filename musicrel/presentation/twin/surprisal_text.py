"""The surprisal of two pieces under two models in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from musicrel.generation.twin.cross_surprisal import CrossSurprisal
    from musicrel.generation.twin.lockstep import Side

_SHORT: Final = "Nats per note: A {aa:.2f}, under B {ab:.2f}; B {bb:.2f}, under A {ba:.2f}"
_LINE: Final = "{piece}: {own:.2f} nats per note under itself, {other:.2f} under {model}"
_OTHERS: Final[tuple[tuple[Side, Side], ...]] = (("A", "B"), ("B", "A"))


def short(surprisals: CrossSurprisal) -> str:
    """Return both in one line, as 'Nats per note: A 0.41, under B 0.55; B 0.47, under A 0.62'."""
    return _SHORT.format(
        aa=surprisals.mean("A", "A"),
        ab=surprisals.mean("A", "B"),
        bb=surprisals.mean("B", "B"),
        ba=surprisals.mean("B", "A"),
    )


def lines(surprisals: CrossSurprisal) -> tuple[str, str]:
    """Return a line about each piece, as 'A: 0.41 nats per note under itself, 0.55 under B'."""
    first, second = (
        _LINE.format(
            piece=side,
            own=surprisals.mean(side, side),
            other=surprisals.mean(side, other),
            model=other,
        )
        for side, other in _OTHERS
    )
    return first, second
