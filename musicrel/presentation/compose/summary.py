"""The facts of a piece in a few words and numbers."""

from __future__ import annotations

from typing import NamedTuple

from musicrel.chorale import Chorale
from musicrel.generation.edit_requests import numbered_bars
from musicrel.generation.events import Generated
from musicrel.language import count, decimal, tr
from musicrel.presentation.words import display_names, muted_heads, names


class Fact(NamedTuple):
    label: str
    value: str
    meaning: str


def heading(chorale: Chorale) -> str:
    """Return a piece in one line, as 'G major  ·  4/4  ·  16 bars'; the transport has its time."""
    key = (names.key(chorale.key),) if chorale.key else ()
    bars = count(numbered_bars(chorale), "bar")
    return "  ·  ".join((*key, str(chorale.meter), bars))


def by_model(chorale: Chorale) -> str:
    """Return the model that wrote a piece and its muted heads, as 'by Relative, 2.3 muted'.

    A piece without a model gives "".
    """
    if chorale.provenance is None:
        return ""
    return tr("by {writer}", writer=muted_heads.writer(chorale.provenance))


def facts(generated: Generated) -> tuple[Fact, ...]:
    chorale = generated.chorale
    model = display_names.model(chorale.provenance.model) if chorale.provenance else "–"
    seed = chorale.provenance.seed if chorale.provenance else None
    return (
        Fact(tr("Model"), model, tr("The model that wrote the piece")),
        Fact(
            tr("Notes"),
            decimal(int(chorale.onsets.sum()), ","),
            tr("Number of notes in all four voices"),
        ),
        Fact(
            tr("Surprisal"),
            tr("{loss:.3f} nats/note", loss=generated.nats_per_note),
            tr(
                "Surprisal of the piece for the model that wrote it: the mean of -ln p over the "
                "sixteenths of all voices, held notes too; lower is more predictable"
            ),
        ),
        Fact(
            tr("Generated in"),
            f"{decimal(generated.seconds, '.1f')} s",
            tr(
                "{tokens:,} tokens, {rate}",
                tokens=generated.tokens,
                rate=rate(generated.tokens, generated.seconds),
            ),
        ),
        Fact(
            tr("Seed"), "–" if seed is None else str(seed), tr("The same seed gives the same notes")
        ),
    )


def memory(size: int) -> str:
    """Return a size in bytes, as '412 MB'."""
    return f"{decimal(size / 1e6, ',.0f')} MB"


def rate(tokens: int, seconds: float) -> str:
    number = decimal(tokens / seconds, ",.0f") if seconds > 0 else "–"
    return tr("{number} tokens/s", number=number)
