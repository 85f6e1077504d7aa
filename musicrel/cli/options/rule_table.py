"""How often pieces break the rules, beside Bach, as a table.

This file knows columns; what the rules are stands in ``musicrel.analysis``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from musicrel.cli import output

if TYPE_CHECKING:
    from musicrel.analysis.voice_leading import Rates


def text(rates: Iterable[Rates]) -> str:
    """The table: one line for each rule, the pieces taken together."""
    from musicrel.analysis import bach_rates
    from musicrel.analysis.rules import RULES

    here, bach = _together(list(rates)), bach_rates.load()
    rows = [
        (RULES[rule].title, f"{here.of(rule):.2f}", f"{bach.of(rule):.2f}", RULES[rule].unit.value)
        for rule in here.counts
    ]
    return output.table(("rule", "here", "Bach", "unit"), rows)


def _together(rates: list[Rates]) -> Rates:
    from musicrel.analysis.voice_leading import Rates

    counts: Counter[str] = Counter()
    for one in rates:
        counts.update(one.counts)
    return Rates(
        notes=sum(one.notes for one in rates),
        steps=sum(one.steps for one in rates),
        counts={rule: counts[rule] for rule in rates[0].counts},
    )
