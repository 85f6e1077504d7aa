"""The rules of four-part writing as a table.

A rule is one entry of ``RULES``; ``checks`` has the function that checks it. ``DEFAULT_RULES`` are
checked unless others are requested. Bach breaks nearly all of them at times: a piece is judged by
its distance from his rates (``voice_leading``), not from zero.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Final

from musicrel.analysis import checks
from musicrel.analysis.checks import Violation
from musicrel.analysis.motion import FIFTH, OCTAVE
from musicrel.chorale import Chorale

_FUX: Final = "Fux, Gradus ad Parnassum (1725)"
_ALDWELL: Final = "Aldwell and Schachter, Harmony and Voice Leading"
_KOSTKA: Final = "Kostka and Payne, Tonal Harmony"
_PISTON: Final = "Piston, Harmony"


class Unit(Enum):
    """The unit of a rule's rate; the value is its printed form."""

    NOTES = "per 1,000 notes"
    STEPS = "% of steps"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule.

    Attributes:
        title: its name as it is printed.
        explanation: the violation, in plain words.
        source: a textbook that teaches it.
        check: finds all violations of it in a piece.
        unit: the unit of its rate.
        moves: it concerns the motion from one step to the next.
    """

    title: str
    explanation: str
    source: str
    check: Callable[[Chorale], Iterable[Violation]]
    unit: Unit = Unit.NOTES
    moves: bool = True


RULES: Final[Mapping[str, Rule]] = {
    "parallel_fifths": Rule(
        title="Parallel fifths",
        explanation="Two voices a fifth or twelfth apart move in the same direction to another "
        "fifth or twelfth.",
        source=_FUX,
        check=partial(checks.parallels, FIFTH),
    ),
    "parallel_octaves": Rule(
        title="Parallel octaves",
        explanation="Two voices one or more octaves apart move in the same direction to "
        "another octave or to a unison.",
        source=_FUX,
        check=partial(checks.parallels, OCTAVE),
    ),
    "parallel_unisons": Rule(
        title="Parallel unisons",
        explanation="Two voices share one pitch and move together to another.",
        source=_FUX,
        check=checks.parallel_unisons,
    ),
    "contrary_perfects": Rule(
        title="Fifths or octaves by contrary motion",
        explanation="Two voices a fifth or octave apart move in opposite directions to the "
        "same interval, an octave wider or narrower.",
        source=_KOSTKA,
        check=checks.contrary_perfects,
    ),
    "hidden_fifths": Rule(
        title="Hidden fifths",
        explanation="Soprano and bass move in the same direction to a fifth, the soprano by "
        "a leap.",
        source=_KOSTKA,
        check=partial(checks.hidden, FIFTH),
    ),
    "hidden_octaves": Rule(
        title="Hidden octaves",
        explanation="Soprano and bass move in the same direction to an octave, the soprano by "
        "a leap.",
        source=_KOSTKA,
        check=partial(checks.hidden, OCTAVE),
    ),
    "crossing": Rule(
        title="Voice crossing",
        explanation="A voice sounds below the next lower voice.",
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
        explanation="A voice is above or below its usual range.",
        source=_PISTON,
        check=checks.out_of_range,
        unit=Unit.STEPS,
        moves=False,
    ),
    "wide_leap": Rule(
        title="Leap beyond an octave",
        explanation="A voice leaps by more than an octave.",
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
        explanation="At an authentic cadence in the key of the piece, soprano or bass leaves the "
        "leading tone and does not rise to the tonic.",
        source=_PISTON,
        check=checks.leading_tone,
    ),
}
"""Name -> rule, in the order they are printed."""

DEFAULT_RULES: Final = tuple(
    name for name in RULES if name not in {"contrary_perfects", "awkward_leap"}
)
"""The rules that are checked unless others are requested."""
