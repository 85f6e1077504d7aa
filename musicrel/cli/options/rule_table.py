"""A table of the rates at which pieces break the rules, beside Bach's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from musicrel.analysis import bach_rates
from musicrel.analysis.rules import RULES
from musicrel.analysis.voice_leading import Rates
from musicrel.cli import output


def text(rates: Iterable[Rates]) -> str:
    """Format the table: one line for each rule, the pieces taken together."""
    here, bach = _total(list(rates)), bach_rates.load()
    rows = [
        (RULES[rule].title, f"{here.of(rule):.2f}", f"{bach.of(rule):.2f}", RULES[rule].unit.value)
        for rule in here.counts
    ]
    return output.table(("rule", "here", "Bach", "unit"), rows)


def _total(rates: list[Rates]) -> Rates:
    def added(each: Sequence[Mapping[str, int]]) -> dict[str, int]:
        return {rule: sum(piece[rule] for piece in each) for rule in rates[0].counts}

    return Rates(
        notes=sum(piece.notes for piece in rates),
        steps=sum(piece.steps for piece in rates),
        counts=added([piece.counts for piece in rates]),
        lengths=added([piece.lengths for piece in rates]),
    )
