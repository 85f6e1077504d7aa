"""Violations of the rules of four-part writing, and their rates.

The published JSB16 data (train, valid, test) have 0.65, 0.75, 0.86 parallel fifths and 0.59, 0.38,
0.34 octaves and unisons per 1,000 notes, repeats merged, the 500 JS Fake Chorales 4.59 and 4.71;
82, 83, 82 and 24 % of the pieces have none. JSB16 has no fermatas: with them the leading tone's
figure would be lower.

Bach's own rates, shown beside the findings of a piece, are counts over the bundled training
chorales; ``training/build_rule_rates.py`` writes the file.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

import numpy as np

from musicrel import paths, untrusted
from musicrel.analysis import events
from musicrel.analysis.rules import DEFAULT_RULES, RULES, Unit
from musicrel.chorale import Chorale, Flags, Voice, spans
from musicrel.errors import DataError, FileError, UsageError
from musicrel.language import decimal, tr
from musicrel.validated import convert

PARALLELS: Final = ("parallel_fifths", "parallel_octaves", "parallel_unisons")


class Finding(NamedTuple):
    """One violation of a rule: a passage from ``step`` to ``stop``."""

    rule: str
    step: int
    stop: int
    voices: tuple[Voice, ...]  # the voices involved, highest first
    previous: int | None = None  # for rules about motion, the step the voices come from

    @property
    def steps(self) -> int:
        return self.stop - self.step

    @property
    def first(self) -> int:
        return self.step if self.previous is None else self.previous


def find(chorale: Chorale, rules: Collection[str] = DEFAULT_RULES) -> list[Finding]:
    """Find all violations of ``rules`` in ``chorale``, by step, then in the order of the table."""
    unknown = [name for name in rules if name not in RULES]
    if unknown:
        raise UsageError(f"there is no rule {unknown[0]!r}: expected one of {', '.join(RULES)}")
    found = [
        Finding(name, start, stop, voices, start - 1 if rule.unit is Unit.NOTES else None)
        for name, rule in RULES.items()
        if name in rules
        for marks, voices in rule.check(chorale)
        for start, stop in _passages(marks, rule.unit)
    ]
    return sorted(found, key=lambda finding: finding.step)


def _passages(marks: Flags, unit: Unit) -> list[tuple[int, int]]:
    if unit is Unit.STEPS:
        return spans(marks)
    return [(step, step + 1) for step in (np.flatnonzero(marks) + 1).tolist()]


def breaks(chorale: Chorale, rule: str, cells: Flags) -> bool:
    """Return True if ``chorale`` breaks a rule in some cells, or in the motion to or from them."""
    return any(
        cells[finding.first : finding.stop, list(finding.voices)].any()
        for finding in find(chorale, (rule,))
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """Numbers of violations, and their rates.

    Attributes:
        notes: notes of all voices, repeats merged.
        steps: sixteenths.
        counts: by rule, the number of findings: a passage counts once.
        lengths: by rule, the steps of all findings; two pairs of voices that cross at one step
            count twice.
    """

    notes: int
    steps: int
    counts: Mapping[str, int]
    lengths: Mapping[str, int]

    @property
    def total(self) -> int:
        """Return the number of findings of all rules."""
        return sum(self.counts.values())

    def of(self, rule: str) -> float:
        """Return the rate of one rule in its own unit, 0.0 if there is no note."""
        if RULES[rule].unit is Unit.STEPS:
            return 100 * self.lengths[rule] / self.steps
        return 1000 * self.counts[rule] / self.notes if self.notes else 0.0

    @property
    def parallels(self) -> float:
        """Return parallel fifths, octaves and unisons per 1,000 notes."""
        return sum(self.of(rule) for rule in PARALLELS)

    @property
    def crossing(self) -> float:
        """Return the % of steps at which neighbouring voices cross."""
        return self.of("crossing")

    @property
    def spacing(self) -> float:
        """Return the % of steps with over an octave between soprano and alto, or alto and tenor."""
        return self.of("spacing")


def rates(*chorales: Chorale, rules: Collection[str] = DEFAULT_RULES) -> Rates:
    """Count the violations of ``rules`` in ``chorales``, pooled: long pieces weigh more."""
    counts = dict.fromkeys((name for name in RULES if name in rules), 0)
    lengths = dict(counts)
    for finding in (finding for piece in chorales for finding in find(piece, rules)):
        counts[finding.rule] += 1
        lengths[finding.rule] += finding.steps
    return Rates(
        notes=sum(events.count_notes(piece.pitches) for piece in chorales),
        steps=sum(piece.steps for piece in chorales),
        counts=counts,
        lengths=lengths,
    )


BACH_RATES: Final = "corpus/rule_rates.json"


@cache
def bach_rates() -> Rates:
    path = paths.assets() / BACH_RATES
    problem = tr("{} holds no rates of the rules ({}): install musicrel again")
    try:
        rates = convert(
            untrusted.parse_json(untrusted.read(path, "reference")), Rates, "it", error=DataError
        )
    except DataError as reason:
        raise FileError(problem.format(path, reason)) from reason
    if missing := RULES.keys() - (rates.counts.keys() & rates.lengths.keys()):
        raise FileError(problem.format(path, tr("it lacks {rule!r}", rule=min(missing))))
    return rates


def format_bach_rate(rule: str) -> str:
    return f"Bach: {decimal(bach_rates().of(rule), '.2f')} {RULES[rule].unit.value}"
