"""Import of a source as a chorale of four voices.

The voices are the lines that ``voice_matching`` finds; without any, all notes are pooled and
separated by ``voice_separation``. The report names every change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from statistics import fmean
from typing import Final

from musicrel.chorale import Voice
from musicrel.errors import DataError
from musicrel.score.importing import voice_names
from musicrel.score.importing.conversion import ImportedPiece, assemble
from musicrel.score.importing.import_report import Report, listed
from musicrel.score.importing.quantisation import make_monophonic, quantise
from musicrel.score.importing.source import Line, Source, non_empty
from musicrel.score.importing.voice_matching import Voices, match_voices, merge_lines
from musicrel.score.importing.voice_separation import Placed, separate_voices
from musicrel.score.notes import Note

_NUMBERS: Final = {1: "one", 2: "two", 3: "three", 4: "four"}
_MAX_OMITTED_NAMED: Final = 12
"""Further lines that were left out are only counted."""


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
    lines = [line for kept in voices.values() for line in kept] or non_empty(source.lines)
    if not lines:
        raise DataError("it has no notes")
    if voices:
        _report_choice(source, voices, report)
        notes = [_voice_notes(voice, voices.get(voice, ()), report) for voice in Voice]
    else:
        if not is_in_chords:
            report.add_sentence("voices were assigned by pitch and motion")
        notes = separate_voices(_placed(lines, report), report)
    stops = [note.stop for voice in notes for note in voice[-1:]]
    steps = max([*(round(line.end) for line in lines), *stops])
    chorale = assemble(source, notes, steps, report)
    return ImportedPiece(chorale=chorale, report=report.sentences())


def _report_choice(source: Source, voices: Voices, report: Report) -> None:
    """Report lines left out, combined, or taken as another voice than the one they are named."""
    kept = [line for lines in voices.values() for line in lines]
    left_out = [line for line in non_empty(source.lines) if not any(line is one for one in kept)]
    known = {line.name for line in kept if line.name}
    if left_out:
        labels = list(dict.fromkeys(_label(line, known, source) for line in left_out))
        named = labels[:_MAX_OMITTED_NAMED]
        if more := len(labels) - len(named):
            named.append(f"{more} more")
        were = "was" if len(labels) == 1 else "were"
        is_named = all(voice_names.parse(line.name) for line in kept)
        others = not any(voice_names.parse(line.name) for line in left_out)
        which = "named after" if is_named and others else "taken as the"
        parts = f"{_NUMBERS.get(len(kept), len(kept))} part{'s' * (len(kept) > 1)}"
        were_kept = f"only the {parts} {which} voices {'were' if len(kept) > 1 else 'was'} kept"
        report.add_sentence(f"{listed(named)} {were} left out: {were_kept}")
    for voice, lines in voices.items():
        if len({line.staff for line in lines}) > 1:
            names = Counter(line.name for line in lines)
            twice = [name for name in names if names[name] > 1]
            labels = [_label(line, twice, source) for line in lines]
            report.add_sentence(f"{listed(labels)} were combined into the {voice.name.lower()}")
    _report_names(voices, report, source)


def _report_names(voices: Voices, report: Report, source: Source) -> None:
    """Report voices that have the name of another one, or whose names do not decide."""
    first = [lines[0] for lines in voices.values()]
    names = voice_names.parse_all([line.name for line in first])
    if len(first) < len(Voice) and not source.exact and (len(first) == 1 or None in names):
        count = "one voice" if len(first) == 1 else f"{len(first)} voices"
        report.add_sentence(f"it has only {count}, taken as the {_listed(voices)}")
    elif len({line.staff for line in first}) == len(first):
        known = [name for name, count in Counter(line.name for line in first).items() if count > 1]
        instruments = {
            line.name for line in first if any(names) and voice_names.is_accompaniment(line.name)
        }
        others = {
            voice: _label(line, known, source)
            for (voice, line), name in zip(zip(voices, first, strict=True), names, strict=True)
            if (name.voice != voice if name else line.name in instruments)
        }
        if others:
            were = "was" if len(others) == 1 else "were"
            report.add_sentence(
                f"{listed([*others.values()])} {were} taken as the {_listed(others)}"
            )


def _listed(voices: Iterable[Voice]) -> str:
    return listed([voice.name.lower() for voice in voices])


def _label(line: Line, known: Collection[str], source: Source) -> str:
    """Return the name of a line, with its place if it has none or one of the ``known`` names."""
    if not line.name:
        return f"the line on {source.place(line)}"
    return f"{line.name} ({source.place(line)})" if line.name in known else line.name


def _voice_notes(voice: Voice, lines: Sequence[Line], report: Report) -> list[Note]:
    if not lines:
        return []
    notes = quantise(merge_lines(lines).notes, report)
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
