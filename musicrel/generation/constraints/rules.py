"""Hard rules: notes that no model may write.

A rule is one entry of ``HARD_RULES``, switched on by its name; by default only ``range`` is on. A
rule forbids what ``musicrel.analysis`` finds: the masks are its checks, made before a note is
chosen. Rests are only forbidden by ``rests``.

Columns: P = 47, the pitches 36 to 81 and, last, the rest. Rows: B pieces written side by side.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.analysis import keys, voice_leading
from musicrel.analysis.rules import FIFTH, OCTAVE
from musicrel.chorale import REST, Chorale, Flags, Key, Mode, Voice
from musicrel.errors import UsageError
from musicrel.generation.constraints.locks import UNKNOWN, LockedCells
from musicrel.generation.constraints.voice_ranges import FULL, Ranges
from musicrel.language import tr
from musicrel.model.tokens.vocabulary import HIGHEST_PITCH, LOWEST_PITCH, PITCHES

COLUMNS: Final = PITCHES + 1
REST_COLUMN: Final = PITCHES
DEFAULT: Final = ("range",)  # rules that are on by default

SCALES: Final[Mapping[Mode, tuple[int, ...]]] = {
    "major": (0, 2, 4, 5, 7, 9, 11),
    "minor": (0, 2, 3, 5, 7, 8, 9, 10, 11),
}
"""Semitones above the tonic; minor includes the raised sixth and seventh."""

Semitones = npt.NDArray[np.int64]

_SPAN: Final = np.arange(LOWEST_PITCH, HIGHEST_PITCH + 1)
_HIGHEST, _LOWEST = 999, -999


@dataclass(frozen=True, slots=True, kw_only=True)
class HardRule:
    """One rule."""

    meaning: str
    quoted: str  # its name inside a sentence
    # rules of ``musicrel.analysis`` whose findings it prevents, and their names inside a sentence
    findings: Mapping[str, str] = field(default_factory=dict)


HARD_RULES: Final[Mapping[str, HardRule]] = {
    "range": HardRule(
        meaning=tr("no voice leaves its range"),
        quoted=tr("'range'"),
        findings={"range": tr("out of range")},
    ),
    "crossing": HardRule(
        meaning=tr("no voice sounds below the next lower one"),
        quoted=tr("'crossing'"),
        findings={"crossing": tr("voice crossing")},
    ),
    "parallels": HardRule(
        meaning=tr("no parallel fifths, octaves or unisons between any two voices"),
        quoted=tr("'parallels'"),
        findings={
            "parallel_fifths": tr("parallel fifths"),
            "parallel_octaves": tr("parallel octaves"),
            "parallel_unisons": tr("parallel unisons"),
        },
    ),
    "scale": HardRule(
        meaning=tr("only notes of the key's scale; in minor sixth and seventh may be raised"),
        quoted=tr("'scale'"),
    ),
    "rests": HardRule(meaning=tr("no voice rests"), quoted=tr("'rests'")),
}
"""Rules by name, in the order of lists."""


def validated(names: Collection[str], key: Key | None) -> tuple[str, ...]:
    """Return ``names`` in the order of the table, each once."""
    for name in names:
        if name not in HARD_RULES:
            raise UsageError(
                f"there is no hard rule {name!r}: expected some of {', '.join(HARD_RULES)}"
            )
    if "scale" in names and key is None:
        raise UsageError(tr("the rule 'scale' needs to know the key: give one, as in 'G major'"))
    return tuple(name for name in HARD_RULES if name in names)


def check_locked_cells(
    locked: LockedCells, rules: Collection[str], plan: Chorale, ranges: Ranges = FULL
) -> None:
    """Refuse locked cells that break a rule at steps where not all four voices are locked."""
    sounding = np.where(locked.pitches == UNKNOWN, REST, locked.pitches)
    piece, written = Chorale.of(sounding), np.asarray(~locked.mask.all(axis=1))
    low, high = np.array(ranges).T
    out_of_range = (sounding != REST) & ((sounding < low) | (sounding > high)) & written[:, None]
    if "range" in rules and out_of_range.any():
        step, voice = np.argwhere(out_of_range)[0].tolist()
        what = HARD_RULES["range"].findings["range"]
        _refuse("range", what, step, (Voice(voice),), plan)
    for name in (rule for rule in rules if rule != "range"):
        findings = HARD_RULES[name].findings
        for finding in voice_leading.find(piece, findings):
            first = finding.step if finding.previous is None else finding.previous
            if written[first : finding.stop].any():
                _refuse(name, findings[finding.rule], finding.step, finding.voices, plan)
    legal = pitch_masks([rule for rule in rules if rule != "range"], plan.key)
    columns = np.where(locked.pitches < 0, REST_COLUMN, locked.pitches - LOWEST_PITCH)
    forbidden = locked.mask & ~legal[np.arange(len(Voice)), columns]
    forbidden &= written[:, None]
    for step, voice in np.argwhere(forbidden):
        name = "rests" if locked.pitches[step, voice] == REST else "scale"
        pitch = locked.pitches[step, voice]
        what = tr("a rest") if name == "rests" else tr("pitch {pitch}", pitch=pitch)
        _refuse(name, what, int(step), (Voice(voice),), plan)


def _refuse(rule: str, what: str, step: int, voices: tuple[Voice, ...], plan: Chorale) -> None:
    who = tr(" and ").join(voice.title for voice in voices)
    raise UsageError(
        tr(
            "the locked notes break the rule {rule} in {bar}, {who} (step {step}: {what}): "
            "switch the rule off or free one of these notes",
            rule=HARD_RULES[rule].quoted,
            bar=bar_name(plan, step),
            who=who,
            step=step,
            what=what,
        )
    )


def bar_name(plan: Chorale, step: int) -> str:
    """Return the bar of ``step`` in words: 'bar 3' or 'the pickup'."""
    bar = plan.bar_number(step)
    return tr("bar {number}", number=bar) if bar > 0 else tr("the pickup", "after in")


def pitch_masks(rules: Collection[str], key: Key | None, ranges: Ranges = FULL) -> Flags:
    """Return the legal pitches of each voice regardless of the others, bool (4, P)."""
    legal = np.ones((len(Voice), COLUMNS), dtype=np.bool_)
    if "range" in rules:
        low, high = np.array(ranges).T[:, :, None]
        legal[:, :PITCHES] = np.clip(_SPAN, low, high) == _SPAN
    if "scale" in rules and key is not None:
        legal[:, :PITCHES] &= np.isin((_SPAN - key.pitch_class) % 12, SCALES[key.mode])
    legal[:, REST_COLUMN] = "rests" not in rules
    return legal


def check_notes_are_left(rules: Collection[str], key: Key | None, ranges: Ranges) -> None:
    """Refuse ranges without a note of the scale."""
    has_notes = pitch_masks(rules, key, ranges)[:, :PITCHES].any(axis=1)
    if not has_notes.all():
        voice = Voice(int(np.flatnonzero(~has_notes)[0]))
        raise UsageError(
            tr(
                "the range of the {voice} has no note of {key}: expected a wider one, or the "
                "rule 'scale' switched off",
                voice=voice.title,
                key=key and keys.name(key),
            )
        )


def about_pairs(rules: Collection[str]) -> tuple[str, ...]:
    """Return those of some rules that are about two voices."""
    return tuple(name for name in ("crossing", "parallels") if name in rules)


def legal_pitches(
    rules: Collection[str], voice: int, before: Semitones, now: Semitones, after: Semitones
) -> Flags:
    """Return the pitches of ``voice`` that break no rule about two voices, bool (B, P).

    The pitches of this step and the adjacent ones are int64 (B, 4) or (1, 4); REST and UNKNOWN
    break no rule, and that of ``voice`` now is ignored.
    """
    legal = np.ones((len(now), COLUMNS), dtype=np.bool_)
    pitches = legal[:, :PITCHES]
    if "crossing" in rules:
        pitches &= _not_crossing(voice, now)
    if "parallels" in rules:
        for other_step in (before, after):
            forbidden = _parallel(voice, other_step, now)
            if forbidden is not None:
                pitches &= ~forbidden
    return legal


def _not_crossing(voice: int, now: Semitones) -> Flags:
    """Return the pitches between those of the adjacent voices, bool (B, 46)."""
    inside = np.ones((len(now), PITCHES), dtype=np.bool_)
    if voice > Voice.SOPRANO:
        above = now[:, voice - 1, None]
        inside &= np.where(above < 0, _HIGHEST, above) >= _SPAN
    if voice < Voice.BASS:
        below = now[:, voice + 1, None]
        inside &= np.where(below < 0, _LOWEST, below) <= _SPAN
    return inside


_OTHERS: Final = tuple(np.array([v for v in Voice if v != voice]) for voice in Voice)


def _parallel(voice: int, other_step: Semitones, this_step: Semitones) -> Flags | None:
    """Return the pitches that make a parallel with another step, bool (B, 46); None: none does.

    Parallels are the same in both directions of time, so ``other_step`` may be the step before or
    the step after.
    """
    others_other, others_this = other_step[:, _OTHERS[voice]], this_step[:, _OTHERS[voice]]
    own_other = other_step[:, voice, None]
    interval = np.abs(others_other - own_other) % OCTAVE
    direction = np.sign(others_this - others_other)
    sounding = (others_other >= 0) & (others_this >= 0) & (own_other >= 0)
    perfect = sounding & ((interval == 0) | (interval == FIFTH)) & (direction != 0)
    if not perfect.any():
        return None
    same_direction = np.sign(_SPAN - own_other)[:, None] == direction[:, :, None]
    same_interval = np.abs(others_this[:, :, None] - _SPAN) % OCTAVE == interval[:, :, None]
    return np.asarray((same_direction & same_interval & perfect[:, :, None]).any(axis=1))
