"""The rules of four-part writing as a table.

A rule is one line of ``RULES``; how it is checked stands in ``checks``. ``USUAL`` are those that
are checked unless others are asked for. Bach breaks nearly all of them now and then: a piece is
judged by how near it comes to his rates (``voice_leading``), not by how near it comes to none.

This file knows names, words and sources; it knows nothing of how often a rule is broken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Final

from musicrel.analysis import checks
from musicrel.analysis.checks import Place
from musicrel.analysis.motion import FIFTH, OCTAVE
from musicrel.chorale import Chorale

_FUX: Final = "Fux, Gradus ad Parnassum (1725)"
_ALDWELL: Final = "Aldwell and Schachter, Harmony and Voice Leading"
_KOSTKA: Final = "Kostka and Payne, Tonal Harmony"
_PISTON: Final = "Piston, Harmony"


class Unit(Enum):
    """What a rule's findings are counted by; the value is how it is printed."""

    NOTES = "per 1,000 notes"
    STEPS = "% of steps"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule.

    Attributes:
        title: its name as it is printed.
        explanation: what breaks it, in plain words.
        source: where it is taught.
        check: all places where a piece breaks it.
        unit: what its findings are counted by.
        moves: whether it is about going from one step to the next.
    """

    title: str
    explanation: str
    source: str
    check: Callable[[Chorale], Iterable[Place]]
    unit: Unit = Unit.NOTES
    moves: bool = True


RULES: Final[Mapping[str, Rule]] = {
    "parallel_fifths": Rule(
        title="Parallel fifths",
        explanation="Two voices a fifth or twelfth apart move the same way and are so again.",
        source=_FUX,
        check=partial(checks.parallels, FIFTH),
    ),
    "parallel_octaves": Rule(
        title="Parallel octaves",
        explanation="Two voices one or more octaves apart move the same way and are so again, "
        "or meet in a unison.",
        source=_FUX,
        check=partial(checks.parallels, OCTAVE),
    ),
    "parallel_unisons": Rule(
        title="Parallel unisons",
        explanation="Two voices sing the same pitch and move together to the same pitch.",
        source=_FUX,
        check=checks.parallel_unisons,
    ),
    "contrary_perfects": Rule(
        title="Fifths or octaves by contrary motion",
        explanation="Two voices a fifth or octave apart move against each other and are so again "
        "with an octave more or less between them.",
        source=_KOSTKA,
        check=checks.contrary_perfects,
    ),
    "hidden_fifths": Rule(
        title="Hidden fifths",
        explanation="Soprano and bass move the same way into a fifth, the soprano by a leap.",
        source=_KOSTKA,
        check=partial(checks.hidden, FIFTH),
    ),
    "hidden_octaves": Rule(
        title="Hidden octaves",
        explanation="Soprano and bass move the same way into an octave, the soprano by a leap.",
        source=_KOSTKA,
        check=partial(checks.hidden, OCTAVE),
    ),
    "crossing": Rule(
        title="Voice crossing",
        explanation="A voice sounds below the one that should be under it.",
        source=_ALDWELL,
        check=checks.crossing,
        unit=Unit.STEPS,
        moves=False,
    ),
    "overlap": Rule(
        title="Overlap",
        explanation="A voice is above the pitch the next higher voice just had, or below the one "
        "the next lower voice just had.",
        source=_ALDWELL,
        check=checks.overlap,
    ),
    "spacing": Rule(
        title="Wide spacing",
        explanation="Soprano and alto, or alto and tenor, are more than an octave apart.",
        source=_ALDWELL,
        check=checks.spacing,
        unit=Unit.STEPS,
        moves=False,
    ),
    "range": Rule(
        title="Out of range",
        explanation="A voice sings higher or lower than it can be expected to.",
        source=_PISTON,
        check=checks.beyond_range,
        unit=Unit.STEPS,
        moves=False,
    ),
    "wide_leap": Rule(
        title="Leap beyond an octave",
        explanation="A voice moves by more than an octave at once.",
        source=_PISTON,
        check=checks.wide_leaps,
    ),
    "awkward_leap": Rule(
        title="Awkward leap",
        explanation="A voice leaps by a tritone or a seventh; Bach's basses often do.",
        source=_FUX,
        check=checks.awkward_leaps,
    ),
    "leading_tone": Rule(
        title="Unresolved leading tone",
        explanation="At a full close in the key of the piece, soprano or bass leaves the leading "
        "tone and does not rise to the tonic.",
        source=_PISTON,
        check=checks.leading_tone,
    ),
}
"""Name -> rule, in the order they are printed."""

USUAL: Final = tuple(name for name in RULES if name not in {"contrary_perfects", "awkward_leap"})
"""The rules that are checked unless others are asked for."""
