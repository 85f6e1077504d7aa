"""Hard rules: what may not be written, whatever a model would like.

A rule is one line of ``HARD_RULES``; each is switched on by its name, and only ``range`` is on
unless others are asked for. What a rule forbids is what ``musicrel.analysis`` finds: the masks here
are its checks, asked before a note is chosen. A rest is never forbidden but by ``rests``.

Columns: P = 47, the pitches 36 to 81 and, last, the rest. Rows: B pieces written side by side.

This file knows pitches of neighbouring cells; it knows nothing of tokens or models.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.analysis import voice_leading
from musicrel.analysis.motion import FIFTH, OCTAVE
from musicrel.analysis.rules import RULES
from musicrel.analysis.voice_leading import PARALLELS
from musicrel.chorale import RANGES, REST, Chorale, Flags, Key, Mode, Voice
from musicrel.errors import UsageError
from musicrel.generation.constraints.locks import UNKNOWN, Given
from musicrel.tokens.vocabulary import HIGHEST_PITCH, LOWEST_PITCH, PITCHES

COLUMNS: Final = PITCHES + 1
REST_COLUMN: Final = PITCHES
DEFAULT: Final = ("range",)
"""The rules that are on unless others are asked for."""

SCALES: Final[Mapping[Mode, tuple[int, ...]]] = MappingProxyType(
    {"major": (0, 2, 4, 5, 7, 9, 11), "minor": (0, 2, 3, 5, 7, 8, 9, 10, 11)}
)
"""Semitones above the tonic; minor with the raised sixth and seventh of its rising form."""

Semitones = npt.NDArray[np.int64]

_SPAN: Final = np.arange(LOWEST_PITCH, HIGHEST_PITCH + 1)
_ABOVE_ALL, _BELOW_ALL = 999, -999


@dataclass(frozen=True, slots=True, kw_only=True)
class HardRule:
    """One rule.

    Attributes:
        says: what it forbids, in plain words.
        findings: the rules of ``musicrel.analysis`` whose findings it prevents.
    """

    says: str
    findings: tuple[str, ...] = ()


HARD_RULES: Final[Mapping[str, HardRule]] = MappingProxyType(
    {
        "range": HardRule(says="no voice leaves its range", findings=("range",)),
        "crossing": HardRule(
            says="no voice sounds below the next lower one", findings=("crossing",)
        ),
        "parallels": HardRule(
            says="no parallel fifths, octaves or unisons between any two voices",
            findings=PARALLELS,
        ),
        "scale": HardRule(
            says="only notes of the key's scale; in minor sixth and seventh may be raised"
        ),
        "rests": HardRule(says="no voice rests"),
    }
)
"""Name -> rule, in the order they are told."""


def checked(names: Collection[str], key: Key | None) -> tuple[str, ...]:
    """``names`` in the table's order, each once.

    Raises:
        UsageError: one is unknown, or needs a key and there is none.
    """
    for name in names:
        if name not in HARD_RULES:
            raise UsageError(
                f"there is no hard rule {name!r}: expected some of {', '.join(HARD_RULES)}"
            )
    if "scale" in names and key is None:
        raise UsageError("the rule 'scale' needs to know the key: give one, as in 'G major'")
    return tuple(name for name in HARD_RULES if name in names)


def refuse_contradictions(given: Given, rules: Collection[str], plan: Chorale) -> None:
    """Make sure that what is given does not break a rule by itself where something is written.

    A place whose four voices are all given is as it is: rules are for what is written.

    Args:
        given: what is known of the piece before it is written.
        rules: names of those that are on.
        plan: the piece's meter, pickup and key.

    Raises:
        UsageError: it breaks one; the sentence says which, in which bar, between which voices.
    """
    sounding = np.where(given.pitches == UNKNOWN, REST, given.pitches)
    piece, written = Chorale.of(sounding), np.asarray(~given.known.all(axis=1))
    for name in rules:
        for finding in voice_leading.find(piece, HARD_RULES[name].findings):
            first = finding.step if finding.previous is None else finding.previous
            if written[first : finding.stop].any():
                _refuse(name, RULES[finding.rule].title, finding.step, finding.voices, plan)
    allowed = columns(rules, plan.key)
    forbidden = given.known & ~allowed[np.arange(len(Voice)), _column_of(given.pitches)]
    forbidden &= written[:, None]
    for step, voice in np.argwhere(forbidden):
        name = "rests" if given.pitches[step, voice] == REST else "scale"
        title = "a rest" if name == "rests" else f"pitch {given.pitches[step, voice]}"
        _refuse(name, title, int(step), (Voice(voice),), plan)


def _refuse(rule: str, title: str, step: int, voices: tuple[Voice, ...], plan: Chorale) -> None:
    who = " and ".join(voice.title for voice in voices)
    raise UsageError(
        f"the locked notes break the rule {rule!r} in {bar_name(plan, step)}, {who} (step {step}: "
        f"{title[0].lower()}{title[1:]}): switch the rule off or free one of these notes"
    )


def bar_name(plan: Chorale, step: int) -> str:
    """The bar that ``step`` is in, in words: 'bar 3' or 'the pickup'."""
    bar = (step - plan.pickup) // plan.meter.steps + 1
    return f"bar {bar}" if bar > 0 else "the pickup"


def columns(rules: Collection[str], key: Key | None) -> Flags:
    """What a voice may sing whatever the others do: bool (4, P).

    Args:
        rules: names of those that are on.
        key: needed by ``scale``.
    """
    allowed = np.ones((len(Voice), COLUMNS), dtype=np.bool_)
    if "range" in rules:
        low, high = np.array([RANGES[voice] for voice in Voice]).T[:, :, None]
        allowed[:, :PITCHES] = np.clip(_SPAN, low, high) == _SPAN
    if "scale" in rules and key is not None:
        allowed[:, :PITCHES] &= np.isin((_SPAN - key.pitch_class) % 12, SCALES[key.mode])
    allowed[:, REST_COLUMN] = "rests" not in rules
    return allowed


def _column_of(pitches: npt.NDArray[np.int16]) -> Semitones:
    """The column of each pitch; that of the rest for whatever is none."""
    return np.where(pitches < 0, REST_COLUMN, pitches - LOWEST_PITCH).astype(np.int64)


class Neighbours:
    """What a voice may sing beside the others, by the rules about two voices that are on.

    All pitches are int64 (B, 4) or (1, 4); REST and UNKNOWN alike leave a rule without ground.

    Args:
        rules: names of those that are on.
    """

    def __init__(self, rules: Collection[str]) -> None:
        self.rules = tuple(name for name in ("crossing", "parallels") if name in rules)

    def allowed(self, voice: int, before: Semitones, now: Semitones, after: Semitones) -> Flags:
        """The pitches of ``voice`` that break no rule: bool (B, P).

        Args:
            voice: whose note is chosen.
            before: the pitches one step earlier.
            now: the pitches of this step; that of ``voice`` is not looked at.
            after: the pitches one step later.
        """
        allowed = np.ones((len(now), COLUMNS), dtype=np.bool_)
        pitches = allowed[:, :PITCHES]
        if "crossing" in self.rules:
            pitches &= _not_crossing(voice, now)
        if "parallels" in self.rules:
            for there, to in ((before, now), (after, now)):
                forbidden = _parallel(voice, there, to)
                if forbidden is not None:
                    pitches &= ~forbidden
        return allowed


def _not_crossing(voice: int, now: Semitones) -> Flags:
    """Pitches from the next lower voice's to the next higher one's, (B, 46)."""
    inside = np.ones((len(now), PITCHES), dtype=np.bool_)
    if voice > Voice.SOPRANO:
        above = now[:, voice - 1, None]
        inside &= np.where(above < 0, _ABOVE_ALL, above) >= _SPAN
    if voice < Voice.BASS:
        below = now[:, voice + 1, None]
        inside &= np.where(below < 0, _BELOW_ALL, below) <= _SPAN
    return inside


_OTHERS: Final = tuple(np.array([v for v in Voice if v != voice]) for voice in Voice)


def _parallel(voice: int, there: Semitones, here: Semitones) -> Flags | None:
    """Pitches of ``voice`` here that make a parallel with the step ``there``; None: none does.

    Parallels look the same in both directions of time, so ``there`` may be the step before or the
    one after.

    Returns:
        bool (B, 46).
    """
    others_there, others_here = there[:, _OTHERS[voice]], here[:, _OTHERS[voice]]
    own_there = there[:, voice, None]
    apart = np.abs(others_there - own_there) % OCTAVE
    moves = np.sign(others_here - others_there)
    sounding = (others_there >= 0) & (others_here >= 0) & (own_there >= 0)
    at_stake = sounding & ((apart == 0) | (apart == FIFTH)) & (moves != 0)
    if not at_stake.any():
        return None
    same_way = np.sign(_SPAN - own_there)[:, None] == moves[:, :, None]
    stays = np.abs(others_here[:, :, None] - _SPAN) % OCTAVE == apart[:, :, None]
    return np.asarray((same_way & stays & at_stake[:, :, None]).any(axis=1))
