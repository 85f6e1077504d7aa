"""A table of the rates at which pieces break the rules, beside Bach's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

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
    counts: Counter[str] = Counter()
    for piece in rates:
        counts.update(piece.counts)
    return Rates(
        notes=sum(piece.notes for piece in rates),
        steps=sum(piece.steps for piece in rates),
        counts={rule: counts[rule] for rule in rates[0].counts},
    )
