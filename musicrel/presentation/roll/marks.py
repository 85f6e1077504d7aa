"""Marks at rule violations of a piece, and their numbers and rates in words."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

import numpy as np

from musicrel.analysis import bach_rates, voice_leading
from musicrel.analysis.rules import DEFAULT_RULES, RULES
from musicrel.analysis.voice_leading import Finding, Rates
from musicrel.chorale import REST, Chorale, Voice
from musicrel.editing.selection import Selection
from musicrel.presentation.words import names

NO_VIOLATIONS: Final = "No rule violations"
SOURCE: Final = "Source: {book}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A rule violation."""

    step: int  # first step of the violation; for a motion, the step it leads to
    stop: int  # the step after the last
    previous: int | None  # the step the motion comes from; None for rules that are not about motion
    voices: tuple[Voice, ...]  # the voices involved, the highest first
    rule: str  # its name in ``musicrel.analysis.rules``
    where: str  # bar and beat
    bach: str  # Bach's rate, in words

    @property
    def title(self) -> str:
        return RULES[self.rule].title

    @property
    def who(self) -> str:
        """Return the voices, as 'Soprano and Bass'."""
        return " and ".join(voice.title for voice in self.voices)

    @property
    def explanation(self) -> str:
        """Return the violation in plain words."""
        return RULES[self.rule].explanation

    @property
    def source(self) -> str:
        """Return the textbook that teaches the rule."""
        return SOURCE.format(book=RULES[self.rule].source)

    @property
    def sentence(self) -> str:
        """Return rule, voices, place and explanation."""
        return f"{self.title}: {self.who}, {self.where}. {self.explanation}"

    @property
    def first(self) -> int:
        """Return the first step involved: for a motion, the one it comes from."""
        return self.step if self.previous is None else self.previous

    def same_as(self, other: Mark) -> bool:
        """Return True if ``other`` has the same rule, the same voices and some of the steps."""
        overlaps = self.step < other.stop and other.step < self.stop
        return overlaps and (self.rule, self.voices) == (other.rule, other.voices)


def marks(chorale: Chorale, rules: Collection[str] = DEFAULT_RULES) -> tuple[Mark, ...]:
    """Return the marks of a piece, by step."""
    return tuple(_mark(chorale, finding) for finding in voice_leading.find(chorale, rules))


def selected_by(chorale: Chorale, mark: Mark) -> Selection:
    """Return the notes of a violation: for a motion, both notes of every voice as they sound."""
    start, stop = mark.first, mark.stop
    if mark.previous is not None:
        columns = list(mark.voices)
        onsets = chorale.onsets[:, columns]
        ends = onsets | (chorale.pitches[:, columns] == REST)
        start = max(int(np.flatnonzero(column)[-1]) for column in onsets[: start + 1].T)
        later = [np.flatnonzero(column) for column in ends[stop:].T]
        stop = min([stop + int(steps[0]) for steps in later if len(steps)] or [chorale.steps])
    return Selection(voices=tuple(map(int, mark.voices)), start=start, stop=stop)


def summary_line(rates: Rates, added: str = "") -> str:
    """Return a line as '3 violations: overlap 2, voice crossing 1', the most frequent first.

    Args:
        added: stands in brackets behind the number of violations; "": nothing.
    """
    total = names.count(rates.total, "violation") if rates.total else NO_VIOLATIONS
    number = f"{total} ({added})" if added else total
    found = sorted(filter(rates.counts.get, rates.counts), key=lambda rule: -rates.counts[rule])
    each = ", ".join(f"{inside(RULES[rule].title)} {rates.counts[rule]}" for rule in found)
    return f"{number}: {each}" if each else number


def summary_lines(rates: Rates) -> tuple[str, ...]:
    """Return a line for each rule that is broken, with its rate here and in Bach."""
    bach = bach_rates.load()
    return tuple(
        f"{RULES[rule].title}: {count}, {rates.of(rule):.2f} {RULES[rule].unit.value}, "
        f"Bach {bach.of(rule):.2f}"
        for rule, count in rates.counts.items()
        if count
    )


def inside(title: str) -> str:
    """Return the title of a rule as it is written inside a sentence."""
    return title[:1].lower() + title[1:]


def _mark(chorale: Chorale, finding: Finding) -> Mark:
    return Mark(
        step=finding.step,
        stop=finding.stop,
        previous=finding.previous,
        voices=finding.voices,
        rule=finding.rule,
        where=names.position(finding.step, chorale.meter, chorale.pickup),
        bach=bach_rates.format_rate(finding.rule),
    )
