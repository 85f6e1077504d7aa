"""A source -> a chorale of four voices.

Lines named Soprano, Alto, Tenor, Bass are the voices; else four lines that each sing one note at
a time are, in score order or from high to low; else a single line is one voice; else all notes are
pooled and separated. What this cost is said in the report.

This file knows nothing of files; ``separation`` knows how voices are told apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from statistics import fmean
from typing import Final

from musicrel.chorale import REST, Voice
from musicrel.errors import DataError
from musicrel.score.importing.conversion import Reading, assembled
from musicrel.score.importing.import_report import Report, listed
from musicrel.score.importing.quantisation import chords, quantised, single
from musicrel.score.importing.source import Line, Source, sounding
from musicrel.score.importing.voice_separation import Placed, separated
from musicrel.score.notes import Note

MOST_CHORDS: Final = 0.1
"""A line in which a larger share of the notes begins while another sounds is no single voice."""

_NAMES: Final[Mapping[str, Voice]] = {
    "soprano": Voice.SOPRANO, "sopran": Voice.SOPRANO, "soprani": Voice.SOPRANO,
    "s": Voice.SOPRANO, "sop": Voice.SOPRANO, "discantus": Voice.SOPRANO,
    "cantus": Voice.SOPRANO, "diskant": Voice.SOPRANO,
    "alto": Voice.ALTO, "alt": Voice.ALTO, "alti": Voice.ALTO, "a": Voice.ALTO,
    "contralto": Voice.ALTO, "altus": Voice.ALTO,
    "tenor": Voice.TENOR, "tenore": Voice.TENOR, "tenori": Voice.TENOR, "t": Voice.TENOR,
    "ten": Voice.TENOR,
    "bass": Voice.BASS, "basso": Voice.BASS, "bassi": Voice.BASS, "b": Voice.BASS,
    "bassus": Voice.BASS, "baritone": Voice.BASS,
}  # fmt: skip
"""How singers are called in the files of choirs, in small letters without numbers."""


_NO_NAMES: Final = re.compile(r"[\d.:()_-]+|\b(?:voices?|solo|choir|coro|part|i|ii|staff)\b")
"""What may stand beside a singer's name."""
_MOST_NAMED: Final = 5
"""Lines that are left out and named in the report."""
_FEWEST_NAMED: Final = 2
"""Singers named, if not all four, and one more beside other lines: an instrument may have such a
name too."""


def reading(source: Source, *, is_in_chords: bool = False) -> Reading:
    """The chorale in ``source``, with a report.

    Args:
        source: a file's music, or what was played.
        is_in_chords: whether its voices are known to stand in one line, so that it is no news that
            they had to be told apart; where that was a guess is said all the same.

    Raises:
        DataError: there are no notes and no named voices, or a value is none a chorale can have.
    """
    report = Report(source)
    voices = voices_of(source)
    lines = list(voices.values()) or sounding(source.lines)
    if not lines:
        raise DataError("it has no notes")
    if voices:
        _tell_choice(source, voices, report)
        notes = [_sung(voice, voices, report) for voice in Voice]
    else:
        if not is_in_chords:
            report.say("its lines are no four voices: they were told apart by height and motion")
        notes = separated(_placed(lines, report), report)
    stops = [note.stop for voice in notes for note in voice[-1:]]
    steps = max([*(round(line.end) for line in lines), *stops])
    chorale = assembled(source, notes, steps, report)
    return Reading(chorale=chorale, report=report.sentences())


def voices_of(source: Source) -> Mapping[Voice, Line]:
    """Which line is which voice, by name or by order; empty where the lines are no voices."""
    if named := _by_name(source.lines):
        return named
    lines = sounding(source.lines)
    if source.in_score_order and len(source.lines) == len(Voice):
        lines = list(source.lines)
    if any(chords(line.sounds) > MOST_CHORDS for line in lines):
        return {}
    if len(lines) == 1:
        return {voice_named(lines[0].name) or Voice.SOPRANO: lines[0]}
    if len(lines) != len(Voice):
        return {}
    ordered = lines if source.in_score_order else sorted(lines, key=height, reverse=True)
    return dict(zip(Voice, ordered, strict=True))


def voice_named(name: str) -> Voice | None:
    """The voice that ``name`` of a part or track means, None where it means none or two."""
    words = _NO_NAMES.sub(" ", name.lower()).split()
    voices = {_NAMES.get(word) for word in words}
    return voices.pop() if len(voices) == 1 else None


def height(line: Line) -> float:
    """The mean pitch of a line, below every pitch where it has no notes."""
    return fmean(sound.pitch for sound in line.sounds) if line.sounds else float(REST)


def joined(lines: Sequence[Line]) -> Line:
    """Several lines (at least one) as one, with the first one's name."""
    return Line(
        name=lines[0].name,
        sounds=tuple(sorted(chain.from_iterable(line.sounds for line in lines))),
        end=max(line.end for line in lines),
        staff=lines[0].staff,
    )


def _by_name(lines: Sequence[Line]) -> Mapping[Voice, Line]:
    """The lines with singers' names; a singer's several lines are one."""
    found: dict[Voice, Line] = {}
    for line in lines:
        voice = voice_named(line.name)
        if voice is not None:
            found[voice] = joined([found[voice], line]) if voice in found else line
    strangers = any(line.sounds for line in lines if voice_named(line.name) is None)
    return found if len(found) >= _FEWEST_NAMED + strangers else {}


def _tell_choice(source: Source, voices: Mapping[Voice, Line], report: Report) -> None:
    """Say which lines were left out, and what a single one was taken for."""
    names = {line.name for line in voices.values()}
    lines = sounding(source.lines)
    others = sorted({line.name or "an unnamed line" for line in lines} - names)
    if others and 1 < len(voices) < len(lines):
        named = [*others[:_MOST_NAMED], *(["more"] if len(others) > _MOST_NAMED else [])]
        verb = "was" if len(others) == 1 else "were"
        report.say(f"{listed(named)} {verb} left out: other lines are named as voices")
    if len(voices) == 1:
        voice = next(iter(voices))
        report.say(f"it has one voice only, taken as the {voice.name.lower()}")


def _sung(voice: Voice, voices: Mapping[Voice, Line], report: Report) -> list[Note]:
    if voice not in voices:
        return []
    notes = quantised(voices[voice].sounds, report)
    return single(notes, report, top=voice != Voice.BASS)


def _placed(lines: Sequence[Line], report: Report) -> list[Placed]:
    """All notes of ``lines``, and on which of two staves they stand."""
    staves = _staves_from_below(lines)
    sides = dict(zip(staves, (1, -1), strict=True)) if len(staves) == 2 else {}  # noqa: PLR2004
    return [
        Placed(note, sides.get(line.staff, 0))
        for line in lines
        for note in quantised(line.sounds, report)
    ]


def _staves_from_below(lines: Iterable[Line]) -> list[int]:
    """The staves of ``lines``, the one with the lower notes first."""
    pitches: dict[int, list[int]] = {}
    for line in lines:
        pitches.setdefault(line.staff, []).extend(sound.pitch for sound in line.sounds)
    return sorted(pitches, key=lambda staff: fmean(pitches[staff]))
