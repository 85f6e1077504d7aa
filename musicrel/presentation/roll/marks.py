"""Where a piece breaks a rule, as marks to be drawn at the notes, with words for the pointer.

This file knows findings and words; it knows nothing of colours, pixels or Qt.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from musicrel.analysis import bach_rates, voice_leading
from musicrel.analysis.rules import RULES, USUAL
from musicrel.analysis.voice_leading import Finding
from musicrel.chorale import Chorale, Voice
from musicrel.presentation.words import names


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One place where a rule is broken.

    Attributes:
        step: the first step at fault; where a rule is about a motion, the one it leads to.
        stop: the step after the last.
        previous: the step the motion comes from; None where the rule is about none.
        voices: those at fault, the highest first.
        rule: its name in ``musicrel.analysis.rules``.
        sentence: what is wrong here, in words.
        bach: how often Bach does it, in words.
    """

    step: int
    stop: int
    previous: int | None
    voices: tuple[Voice, ...]
    rule: str
    sentence: str
    bach: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """How often a piece breaks one rule, beside Bach.

    Attributes:
        rule: its name.
        title: as it is printed.
        found: passages and motions.
        rate: in the rule's own unit.
        bach: Bach's rate in the same unit.
        unit: of both, as it is printed.
    """

    rule: str
    title: str
    found: int
    rate: float
    bach: float
    unit: str


def marks(chorale: Chorale, rules: Collection[str] = USUAL) -> tuple[Mark, ...]:
    """The marks of a piece, by step.

    Args:
        chorale: any piece.
        rules: names of those to be looked for.

    Raises:
        UsageError: there is no rule of that name.
        FileError: Bach's rates are missing.
    """
    return tuple(_mark(chorale, finding) for finding in voice_leading.find(chorale, rules))


def counts(chorale: Chorale, rules: Collection[str] = USUAL) -> tuple[Count, ...]:
    """How often a piece breaks each of ``rules``, those it keeps included.

    Raises:
        UsageError: there is no rule of that name.
        FileError: Bach's rates are missing.
    """
    found = [finding.rule for finding in voice_leading.find(chorale, rules)]
    rates, bach = voice_leading.rates(chorale, rules=rules), bach_rates.load()
    return tuple(
        Count(
            rule=name,
            title=rule.title,
            found=found.count(name),
            rate=rates.of(name),
            bach=bach.of(name),
            unit=rule.unit.value,
        )
        for name, rule in RULES.items()
        if name in rules
    )


def _mark(chorale: Chorale, finding: Finding) -> Mark:
    rule = RULES[finding.rule]
    who = " and ".join(voice.title for voice in finding.voices)
    where = names.place(finding.step, chorale.meter, chorale.pickup)
    return Mark(
        step=finding.step,
        stop=finding.stop,
        previous=finding.previous,
        voices=finding.voices,
        rule=finding.rule,
        sentence=f"{rule.title}: {who}, {where}. {rule.explanation}",
        bach=bach_rates.in_words(finding.rule),
    )
