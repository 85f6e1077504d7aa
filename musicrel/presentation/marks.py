"""Marks at rule violations of a piece, their places on roll and score, and their rates in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import numpy as np

from musicrel.analysis import voice_leading
from musicrel.analysis.rules import DEFAULT_RULES, RULES
from musicrel.analysis.voice_leading import Rates
from musicrel.chorale import REST, Chorale, Voice
from musicrel.language import count, tr
from musicrel.presentation.words import names
from musicrel.score.editing.notes import Note
from musicrel.score.editing.selection import Selection

NO_VIOLATIONS: Final = tr("No rule violations")
SOURCE: Final = tr("Source: {book}")
# "yes" in languages that write nouns with capitals
_KEEPS_CAPITALS: Final = tr("no", "titles of rules keep their capitals inside a sentence")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
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
        return tr(" and ").join(voice.title for voice in self.voices)

    @property
    def explanation(self) -> str:
        return RULES[self.rule].explanation

    @property
    def source(self) -> str:
        return SOURCE.format(book=RULES[self.rule].source)

    @property
    def sentence(self) -> str:
        return f"{self.title}: {self.who}, {self.where}. {self.explanation}"

    @property
    def first(self) -> int:
        return self.step if self.previous is None else self.previous

    def same_as(self, other: Mark) -> bool:
        """Return True if ``other`` has the same rule, the same voices and some of the steps."""
        overlaps = self.step < other.stop and other.step < self.stop
        return overlaps and (self.rule, self.voices) == (other.rule, other.voices)


def marks(chorale: Chorale, rules: Collection[str] = DEFAULT_RULES) -> tuple[Mark, ...]:
    return tuple(
        Mark(
            step=finding.step,
            stop=finding.stop,
            previous=finding.previous,
            voices=finding.voices,
            rule=finding.rule,
            where=names.position(finding.step, chorale.meter, chorale.pickup),
            bach=voice_leading.format_bach_rate(finding.rule),
        )
        for finding in voice_leading.find(chorale, rules)
    )


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
    """Return a line as '3 violations (1 new): overlap 2, voice crossing 1'."""
    total = count(rates.total, "violation") if rates.total else NO_VIOLATIONS
    number = f"{total} ({added})" if added else total
    found = sorted(filter(rates.counts.get, rates.counts), key=lambda rule: -rates.counts[rule])
    each = ", ".join(f"{inside(RULES[rule].title)} {rates.counts[rule]}" for rule in found)
    return f"{number}: {each}" if each else number


def summary_lines(rates: Rates) -> tuple[str, ...]:
    """Return a line for each broken rule, with its rate here and in Bach."""
    bach = voice_leading.bach_rates()
    return tuple(
        tr(
            "{title}: {number}, {rate:.2f} {unit}, Bach {bach:.2f}",
            title=RULES[rule].title,
            number=number,
            rate=rates.of(rule),
            unit=RULES[rule].unit.value,
            bach=bach.of(rule),
        )
        for rule, number in rates.counts.items()
        if number
    )


def inside(title: str) -> str:
    """Return the title of a rule as it is written inside a sentence."""
    return title if _KEEPS_CAPITALS == "yes" else title[:1].lower() + title[1:]


NEW: Final = tr("New: {what}")
FIXED: Final = tr("Fixed: {what}")
ONE: Final = "{rule}, {who}, {where}"
_NAMED: Final = 2  # most violations that are named with their places
_Kind: TypeAlias = tuple[str, tuple[Voice, ...]]  # rule and voices


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleChanges:
    new: tuple[Mark, ...] = ()
    fixed: tuple[Mark, ...] = ()

    def describe(self) -> str:
        """Return 'New: parallel fifths, Soprano and Bass, bar 3, beat 2', and so on, for a few."""
        parts = ((NEW, self.new), (FIXED, self.fixed))
        few = ((text, found) for text, found in parts if 0 < len(found) <= _NAMED)
        return "   ·   ".join(text.format(what=_named(found)) for text, found in few)

    def count(self) -> str:
        """Return the numbers of those that ``describe`` does not name, as '4 new, 3 fixed'."""
        numbers = {tr("{n} new"): len(self.new), tr("{n} fixed"): len(self.fixed)}
        return ", ".join(text.format(n=n) for text, n in numbers.items() if n > _NAMED)


def compare(before: Chorale, after: Chorale, found: Collection[Mark]) -> RuleChanges:
    """Return how a change of a piece changed its rule violations.

    A violation stays the same if its rule, its voices and some of its steps do. If the piece has
    become longer or shorter, the steps may also be counted from the end. The voice ranges are those
    that ``after`` was requested with: a note that was not changed leaves none.
    """
    in_same_ranges = replace(before, provenance=after.provenance)
    old, shift = marks(in_same_ranges), after.steps - before.steps
    moved = [replace(mark, step=mark.step + shift, stop=mark.stop + shift) for mark in old]
    known, there = _by_rule([*old, *moved]), _by_rule(found)
    pairs = zip(old, moved, strict=True)
    gone = [
        mark for mark, later in pairs if not (_is_among(mark, there) or _is_among(later, there))
    ]
    return RuleChanges(
        new=tuple(mark for mark in found if not _is_among(mark, known)), fixed=tuple(gone)
    )


def _by_rule(found: Iterable[Mark]) -> Mapping[_Kind, list[Mark]]:
    kinds: dict[_Kind, list[Mark]] = {}
    for mark in found:
        kinds.setdefault((mark.rule, mark.voices), []).append(mark)
    return kinds


def _is_among(mark: Mark, kinds: Mapping[_Kind, list[Mark]]) -> bool:
    return any(mark.same_as(other) for other in kinds.get((mark.rule, mark.voices), ()))


def _named(found: Iterable[Mark]) -> str:
    return "; ".join(
        ONE.format(rule=inside(one.title), who=one.who, where=one.where) for one in found
    )


def marks_of(marks: Iterable[Mark], note: Note) -> tuple[Mark, ...]:
    return tuple(
        mark
        for mark in marks
        if note.voice in mark.voices and mark.step < note.stop and mark.stop > note.start
    )


def descriptions(marks: Iterable[Mark], note: Note) -> list[str]:
    return [f"{mark.sentence} {mark.source}. {mark.bach}." for mark in marks_of(marks, note)]
