"""A piece in a few words and numbers.

This file knows pieces; it knows nothing of where they are shown.
"""

from __future__ import annotations

from typing import NamedTuple

from musicrel.chorale import Chorale
from musicrel.generation.events import Generated
from musicrel.presentation.words import names


class Fact(NamedTuple):
    """One line of a summary: what it is, its value, and what that means."""

    label: str
    value: str
    meaning: str


def heading(chorale: Chorale) -> str:
    """The piece in one line, as in 'G major  ·  4/4  ·  16 bars  ·  0:48'."""
    key = (names.key(chorale.key),) if chorale.key else ()
    bars = names.count(chorale.bars, "bar")
    return "  ·  ".join((*key, str(chorale.meter), bars, names.seconds(chorale.seconds)))


def facts(generated: Generated) -> tuple[Fact, ...]:
    """What is told of a finished piece."""
    chorale = generated.chorale
    seed = chorale.provenance.seed if chorale.provenance else None
    return (
        Fact("Notes", f"{int(chorale.onsets.sum()):,}", "Notes begun in all four voices"),
        Fact(
            "Surprisal",
            f"{generated.nats_per_note:.3f} nats/note",
            "How surprising its own notes were to the model: mean of -ln p over all tokens",
        ),
        Fact(
            "Written in",
            f"{generated.seconds:.1f} s",
            f"{generated.tokens:,} tokens, {rate(generated.tokens, generated.seconds)}",
        ),
        Fact("Seed", "–" if seed is None else str(seed), "The same seed gives the same notes"),
    )


def memory(size: int) -> str:
    """A size in bytes, as in '412 MB'."""
    return f"{size / 1e6:,.0f} MB"


def rate(tokens: int, seconds: float) -> str:
    """A speed, as in '412 tokens/s'."""
    return f"{tokens / seconds:,.0f} tokens/s" if seconds > 0 else "– tokens/s"
