"""Import of a source as a chorale of four voices.

The voices are the lines named Soprano, Alto, Tenor, Bass; else four monophonic lines, in score
order or from high to low; else a single monophonic line is one voice; else all notes are pooled
and separated by ``voice_separation``. The report names every change.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from statistics import fmean
from typing import Final

from musicrel.chorale import REST, Voice
from musicrel.errors import DataError
from musicrel.score.importing.conversion import ImportedPiece, assemble
from musicrel.score.importing.import_report import Report, listed
from musicrel.score.importing.quantisation import chord_share, make_monophonic, quantise
from musicrel.score.importing.source import Line, Source, non_empty
from musicrel.score.importing.voice_separation import Placed, separate_voices
from musicrel.score.notes import Note

MAX_CHORD_SHARE: Final = 0.1
"""Largest share of overlapping notes in a line that counts as one voice."""

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
"""Names of voices in choral scores, in lower case without numbers."""

_NAME_EXTRAS: Final = re.compile(r"[\d.:()_-]+|\b(?:voices?|solo|choir|coro|part|i|ii|staff)\b")
"""Text that may stand beside the name of a voice."""
_MAX_OMITTED_NAMED: Final = 5
"""Largest number of omitted lines named in the report."""
_MIN_NAMED_VOICES: Final = 2
"""Named voices needed; one more if other lines have notes, since instruments share these names."""


def import_satb(source: Source, *, is_in_chords: bool = False) -> ImportedPiece:
    """Convert ``source`` to a chorale of four voices, with a report.

    Args:
        source: the music of a file or of a recording.
        is_in_chords: whether the source is known to have all voices in one line, so that the
            separation itself is not reported; uncertain assignments still are.

    Raises:
        DataError: there are no notes and no named voices, or a value is out of range.
    """
    report = Report(source)
    voices = match_voices(source)
    lines = list(voices.values()) or non_empty(source.lines)
    if not lines:
        raise DataError("it has no notes")
    if voices:
        _report_choice(source, voices, report)
        notes = [_voice_notes(voice, voices, report) for voice in Voice]
    else:
        if not is_in_chords:
            report.add_sentence("voices were assigned by pitch and motion")
        notes = separate_voices(_placed(lines, report), report)
    stops = [note.stop for voice in notes for note in voice[-1:]]
    steps = max([*(round(line.end) for line in lines), *stops])
    chorale = assemble(source, notes, steps, report)
    return ImportedPiece(chorale=chorale, report=report.sentences())


def match_voices(source: Source) -> Mapping[Voice, Line]:
    """Assign lines to voices by name or by order; empty if the lines are not voices."""
    if named := _by_name(source.lines):
        return named
    lines = non_empty(source.lines)
    if source.in_score_order and len(source.lines) == len(Voice):
        lines = list(source.lines)
    if any(chord_share(line.notes) > MAX_CHORD_SHARE for line in lines):
        return {}
    if len(lines) == 1:
        return {voice_from_name(lines[0].name) or Voice.SOPRANO: lines[0]}
    if len(lines) != len(Voice):
        return {}
    ordered = lines if source.in_score_order else sorted(lines, key=mean_pitch, reverse=True)
    return dict(zip(Voice, ordered, strict=True))


def voice_from_name(name: str) -> Voice | None:
    """Return the voice named by a part or track name, None for no voice or several."""
    words = _NAME_EXTRAS.sub(" ", name.lower()).split()
    voices = {_NAMES.get(word) for word in words}
    return voices.pop() if len(voices) == 1 else None


def mean_pitch(line: Line) -> float:
    """Return the mean pitch of a line, below every MIDI pitch if it is empty."""
    return fmean(sound.pitch for sound in line.notes) if line.notes else float(REST)


def merge_lines(lines: Sequence[Line]) -> Line:
    """Merge lines (at least one) into one with the name of the first."""
    return Line(
        name=lines[0].name,
        notes=tuple(sorted(chain.from_iterable(line.notes for line in lines))),
        end=max(line.end for line in lines),
        staff=lines[0].staff,
    )


def _by_name(lines: Sequence[Line]) -> Mapping[Voice, Line]:
    """Assign lines to voices by name; lines with the same voice are merged."""
    found: dict[Voice, Line] = {}
    for line in lines:
        voice = voice_from_name(line.name)
        if voice is not None:
            found[voice] = merge_lines([found[voice], line]) if voice in found else line
    others = any(line.notes for line in lines if voice_from_name(line.name) is None)
    return found if len(found) >= _MIN_NAMED_VOICES + others else {}


def _report_choice(source: Source, voices: Mapping[Voice, Line], report: Report) -> None:
    """Report omitted lines, and the voice assigned to a single line."""
    names = {line.name for line in voices.values()}
    lines = non_empty(source.lines)
    others = sorted({line.name or "an unnamed line" for line in lines} - names)
    if others and 1 < len(voices) < len(lines):
        named = [
            *others[:_MAX_OMITTED_NAMED],
            *(["more"] if len(others) > _MAX_OMITTED_NAMED else []),
        ]
        verb = "was" if len(others) == 1 else "were"
        report.add_sentence(f"{listed(named)} {verb} left out: other lines are named after voices")
    if len(voices) == 1:
        voice = next(iter(voices))
        report.add_sentence(f"it has only one voice, taken as the {voice.name.lower()}")


def _voice_notes(voice: Voice, voices: Mapping[Voice, Line], report: Report) -> list[Note]:
    if voice not in voices:
        return []
    notes = quantise(voices[voice].notes, report)
    return make_monophonic(notes, report, top=voice != Voice.BASS)


def _placed(lines: Sequence[Line], report: Report) -> list[Placed]:
    """Quantise all notes of ``lines``, with their staff if there are two."""
    staves = _staves_from_below(lines)
    sides = dict(zip(staves, (1, -1), strict=True)) if len(staves) == 2 else {}  # noqa: PLR2004
    return [
        Placed(note, sides.get(line.staff, 0))
        for line in lines
        for note in quantise(line.notes, report)
    ]


def _staves_from_below(lines: Iterable[Line]) -> list[int]:
    """List the staves of ``lines`` by ascending mean pitch."""
    pitches: dict[int, list[int]] = {}
    for line in lines:
        pitches.setdefault(line.staff, []).extend(sound.pitch for sound in line.notes)
    return sorted(pitches, key=lambda staff: fmean(pitches[staff]))
