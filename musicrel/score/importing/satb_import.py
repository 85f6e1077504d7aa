"""Import of a source as a chorale of four voices.

The voices are the lines that ``voice_matching`` finds; without any, all notes are pooled and
separated as described below. The report names every change.

Separation of pooled notes into four voices.

At each onset the new notes are assigned, from high to low, to free voices with the least total
motion; crossing a held note, leaving the range of a voice and the wrong staff cost extra. The first
sonority with the most notes initialises the voices. Of more than four simultaneous notes, doubled
pitches are left out first, then inner ones. On two staves with mostly two notes each, a single note
belongs to both voices of its staff.

After the "voice leading" costs of D. Temperley, *The Cognition of Basic Musical Structures*,
2001, chapter 4, with a fixed number of voices. The accuracy on the bundled Bach chorales is
measured in ``tests/unit/score/importing/test_voice_matching.py``.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Final, NamedTuple

from musicrel.chorale import RANGES, Voice
from musicrel.errors import DataError
from musicrel.language import tr
from musicrel.score.importing import voice_matching
from musicrel.score.importing.conversion import ImportedPiece, Report, assemble, listed
from musicrel.score.importing.quantisation import make_monophonic, quantise
from musicrel.score.importing.source import Line, RawLyric, RawSlur, Source, non_empty, step_of
from musicrel.score.importing.voice_matching import Voices, match_voices, merge_lines
from musicrel.score.notes import Note

_CROSSING: Final = 24.0  # cost of crossing a held note, in semitones of motion
_OUT_OF_RANGE: Final = 3.0  # cost of each semitone beyond the range
# Cost of a soprano or alto on the lower staff, or a tenor or bass on the upper one.
_OTHER_STAFF: Final = 4.0
# Cost per semitone from the middle of the range, for a voice without earlier notes.
_WITHOUT_HISTORY: Final = 0.5
# Share of the onsets with four notes in music where a single note is a unison.
_MIN_FOUR_PART: Final = 0.5
# Cost difference of the two best assignments up to which the choice is uncertain.
_CLOSE_CALL: Final = 1.0

# Notes of a cluster, from above and from below, that are compared; the others are left out.
_MOST_RANKED: Final = 8


_STAFF_MATES: Final = ((Voice.SOPRANO, Voice.ALTO), (Voice.TENOR, Voice.BASS))


class Placed(NamedTuple):
    """A note and its staff: -1 for the upper of two staves, 1 for the lower, 0 unknown."""

    note: Note
    side: int


@dataclass(slots=True)
class _State:
    notes: dict[Voice, list[Note]] = field(default_factory=lambda: {voice: [] for voice in Voice})
    last: dict[Voice, int] = field(default_factory=dict)  # the latest pitch of each voice

    def held(self, step: int) -> dict[Voice, Note]:
        return {
            voice: notes[-1]
            for voice, notes in self.notes.items()
            if notes and notes[-1].stop > step
        }


def separate_voices(notes: Sequence[Placed], report: Report) -> list[list[Note]]:
    """Separate notes into the voices S, A, T, B."""
    state = _State()
    ordered = sorted(notes, key=lambda placed: (placed.note.start, -placed.note.pitch))
    state.last.update(_initial_pitches(ordered))
    for step, group in itertools.groupby(ordered, key=lambda placed: placed.note.start):
        _assign(state, step, list(group), report)
    if any(placed.side for placed in ordered):
        _double_unisons(state, report)
    return [state.notes[voice] for voice in Voice]


def _double_unisons(state: _State, report: Report) -> None:
    """Give the notes that are alone on a staff to both of its voices."""
    steps = {note.start for voice in state.notes.values() for note in voice}
    sounding = Counter(
        step
        for voice in state.notes.values()
        for note in voice
        for step in range(note.start, note.stop)
        if step in steps
    )
    if sum(count == len(Voice) for count in sounding.values()) < _MIN_FOUR_PART * len(steps):
        return
    for voice, other in (*_STAFF_MATES, *(pair[::-1] for pair in _STAFF_MATES)):
        taken = {step for note in state.notes[voice] for step in range(note.start, note.stop)}
        low, high = RANGES[voice]
        for note in list(state.notes[other]):
            if low <= note.pitch <= high and taken.isdisjoint(range(note.start, note.stop)):
                state.notes[voice].append(note)
                report.add_issue("unison", note.start)
        state.notes[voice].sort()


def _assign(state: _State, step: int, group: list[Placed], report: Report) -> None:
    if len(group) + len(state.held(step)) > len(Voice):
        _end_overlaps(state, step, group, report)
    group = _without_doubles(group, state.held(step))
    free = len(Voice) - len(state.held(step))
    if len(group) > free:
        report.add_issue("dropped", step)
        group = _outer(group, free, state.held(step))
    if not group:
        return
    held = state.held(step)
    assignments = sorted(
        (_cost(group, voices, held, state.last), voices)
        for voices in itertools.combinations([v for v in Voice if v not in held], len(group))
    )
    best, voices = assignments[0]
    second = assignments[1][0] if len(assignments) > 1 else math.inf
    if best >= _CROSSING or second - best <= _CLOSE_CALL:
        report.add_issue("doubt", step)
    for voice, placed in zip(voices, group, strict=True):
        state.notes[voice].append(placed.note)
        state.last[voice] = placed.note.pitch


def _initial_pitches(ordered: Sequence[Placed]) -> Mapping[Voice, int]:
    """Assign the first sonority with the most notes, at most four, to voices."""
    best: list[Placed] = []
    sounding: dict[int, Placed] = {}
    for step, group in itertools.groupby(ordered, key=lambda placed: placed.note.start):
        sounding = {pitch: old for pitch, old in sounding.items() if old.note.stop > step}
        sounding |= {placed.note.pitch: placed for placed in group}
        if len(best) < len(sounding) <= len(Voice):
            best = sorted(sounding.values(), key=lambda placed: -placed.note.pitch)
        if len(best) == len(Voice):
            break
    assignments = itertools.combinations(Voice, len(best))
    voices = min(assignments, key=lambda voices: _cost(best, voices, {}, {}))
    return {voice: placed.note.pitch for voice, placed in zip(voices, best, strict=True)}


def _cost(
    group: Sequence[Placed],
    voices: Sequence[Voice],
    held: Mapping[Voice, Note],
    last: Mapping[Voice, int],
) -> float:
    """Return the cost of assigning ``group`` to ``voices``, in semitones of motion."""
    return sum(
        _motion(voice, placed.note.pitch, last)
        + _OTHER_STAFF * (placed.side == (1 if voice <= Voice.ALTO else -1))
        + _CROSSING * _crossings(voice, placed.note.pitch, held)
        for voice, placed in zip(voices, group, strict=True)
    )


def _motion(voice: Voice, pitch: int, last: Mapping[Voice, int]) -> float:
    low, high = RANGES[voice]
    beyond = _OUT_OF_RANGE * max(low - pitch, pitch - high, 0)
    if voice in last:
        return abs(pitch - last[voice]) + beyond
    return _WITHOUT_HISTORY * abs(pitch - (low + high) / 2) + beyond


def _crossings(voice: Voice, pitch: int, held: Mapping[Voice, Note]) -> int:
    return sum(
        (pitch > note.pitch) if voice > other else (pitch < note.pitch)
        for other, note in held.items()
    )


def _without_doubles(group: list[Placed], held: Mapping[Voice, Note]) -> list[Placed]:
    """Remove repeated pitches from ``group`` if there are more than four notes at once."""
    if len(group) + len(held) <= len(Voice):
        return group
    known = {note.pitch for note in held.values()}
    distinct = {placed.note.pitch: placed for placed in reversed(group)}
    return sorted(
        (placed for pitch, placed in distinct.items() if pitch not in known),
        key=lambda placed: -placed.note.pitch,
    )


def _end_overlaps(state: _State, step: int, group: Sequence[Placed], report: Report) -> None:
    """End held notes that overlap those of ``group``, at ``step``, by one sixteenth only.

    A note may overlap its own repetition by half of it.
    """
    repeated = {placed.note.pitch: placed.note.length // 2 for placed in group}
    for voice, note in state.held(step).items():
        if note.stop - step <= max(repeated.get(note.pitch, 1), 1) and note.start < step:
            report.add_issue("overlap", step)
            state.notes[voice][-1] = Note(note.start, step - note.start, note.pitch)


def _outer(group: list[Placed], free: int, held: Mapping[Voice, Note]) -> list[Placed]:
    kept = list(group)
    if len(kept) > 2 * _MOST_RANKED:
        kept = kept[:_MOST_RANKED] + kept[-_MOST_RANKED:]
    while len(kept) > free:
        kept.remove(max(_inner_first(kept, held), key=lambda ranked: ranked[0])[1])
    return kept


def _inner_first(
    kept: Sequence[Placed], held: Mapping[Voice, Note]
) -> Iterator[tuple[tuple[bool, bool, int], Placed]]:
    """Yield each note with its rank for removal: inner, doubled in the octave, far inside."""
    pitches = [placed.note.pitch for placed in kept] + [note.pitch for note in held.values()]
    for index, placed in enumerate(kept):
        pitch = placed.note.pitch
        inner = min(pitches) < pitch < max(pitches)
        doubled = sum((pitch - other) % 12 == 0 for other in pitches) > 1
        yield (inner, doubled, min(index, len(kept) - 1 - index)), placed


_NUMBERS: Final = {2: tr("two"), 3: tr("three"), 4: tr("four")}
_MAX_OMITTED_NAMED: Final = 12  # further lines that were left out are only counted


def import_satb(source: Source, *, is_in_chords: bool = False) -> ImportedPiece:
    """Convert ``source`` to a chorale of four voices, with a report."""
    report = Report(source)
    voices = match_voices(source)
    lines = [line for kept in voices.values() for line in kept] or non_empty(source.lines)
    if not lines:
        raise DataError(tr("it has no notes", "file"))
    if voices:
        _report_choice(source, voices, report)
        notes = [_voice_notes(voice, voices.get(voice, ()), report) for voice in Voice]
        singers = [(voice, line) for voice, kept in voices.items() for line in kept]
        words = [(voice, word) for voice, line in singers for word in line.lyrics]
        slurs = [(voice, slur) for voice, line in singers for slur in line.slurs]
    else:
        if not is_in_chords:
            report.add_sentence(tr("voices were assigned by pitch and motion"))
        notes = separate_voices(_placed(lines, report), report)
        words = [(_singer(word, line, notes), word) for line in lines for word in line.lyrics]
        slurs = [(_singer(slur, line, notes), slur) for line in lines for slur in line.slurs]
    stops = [note.stop for voice in notes for note in voice[-1:]]
    steps = max([*(round(line.end) for line in lines), *stops])
    for line in source.lines:
        if not any(line is one for one in lines):
            for word in line.lyrics:
                report.add_issue("lyrics", word.time)
    chorale = assemble(source, notes, words, steps, report, slurs=slurs)
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
            named.append(tr("{number} more", number=more))
        is_named = all(voice_matching.parse(line.name) for line in kept)
        others = not any(voice_matching.parse(line.name) for line in left_out)
        sentence = tr("{listed} were left out: {kept}")
        if len(labels) == 1:
            sentence = tr("{listed} was left out: {kept}")
        were_kept = _were_kept(len(kept), by_name=is_named and others)
        report.add_sentence(sentence.format(listed=listed(named), kept=were_kept))
    for voice, lines in voices.items():
        if len({line.staff for line in lines}) > 1:
            names = Counter(line.name for line in lines)
            twice = [name for name in names if names[name] > 1]
            labels = [_label(line, twice, source) for line in lines]
            together = listed(labels)
            report.add_sentence(
                tr("{listed} were combined into the {voice}", listed=together, voice=voice.noun)
            )
    _report_names(voices, report, source)


def _were_kept(parts: int, *, by_name: bool) -> str:
    if parts == 1 and by_name:
        return tr("only the one part named after voices was kept")
    if parts == 1:
        return tr("only the one part taken as the voices was kept")
    sentence = tr("only the {number} parts taken as the voices were kept")
    if by_name:
        sentence = tr("only the {number} parts named after voices were kept")
    return sentence.format(number=_NUMBERS.get(parts, parts))


def _report_names(voices: Voices, report: Report, source: Source) -> None:
    first = [lines[0] for lines in voices.values()]
    names = voice_matching.parse_all([line.name for line in first])
    if len(first) < len(Voice) and not source.exact and (len(first) == 1 or None in names):
        sentence = tr("it has only {number} voices, taken as the {listed}")
        if len(first) == 1:
            sentence = tr("it has only one voice, taken as the {listed}")
        report.add_sentence(sentence.format(number=len(first), listed=_listed(voices)))
    elif len({line.staff for line in first}) == len(first):
        known = [name for name, count in Counter(line.name for line in first).items() if count > 1]
        instruments = {
            line.name for line in first if any(names) and voice_matching.is_accompaniment(line.name)
        }
        others = {
            voice: _label(line, known, source)
            for (voice, line), name in zip(zip(voices, first, strict=True), names, strict=True)
            if (name.voice != voice if name else line.name in instruments)
        }
        if others:
            sentence = tr("{listed} were taken as the {voices}")
            if len(others) == 1:
                sentence = tr("{listed} was taken as the {voices}")
            labels = listed([*others.values()])
            report.add_sentence(sentence.format(listed=labels, voices=_listed(others)))


def _listed(voices: Iterable[Voice]) -> str:
    return listed([voice.noun for voice in voices])


def _label(line: Line, known: Collection[str], source: Source) -> str:
    if not line.name:
        return tr("the line on {place}", place=source.place(line))
    return f"{line.name} ({source.place(line)})" if line.name in known else line.name


def _voice_notes(voice: Voice, lines: Sequence[Line], report: Report) -> list[Note]:
    if not lines:
        return []
    notes = quantise(merge_lines(lines).notes, report)
    return make_monophonic(notes, report, top=voice != Voice.BASS)


def _singer(word: RawLyric | RawSlur, line: Line, voices: Sequence[Sequence[Note]]) -> Voice:
    """Return the highest voice that begins a note of the line there, else the soprano."""
    step = step_of(word.time)
    pitches = {note.pitch for note in line.notes if step_of(note.start) == step}
    begun = (
        voice
        for voice in Voice
        if any(note.start == step and note.pitch in pitches for note in voices[voice])
    )
    return next(begun, Voice.SOPRANO)


def _placed(lines: Sequence[Line], report: Report) -> list[Placed]:
    staves = _staves_from_below(lines)
    sides = dict(zip(staves, (1, -1), strict=True)) if len(staves) == 2 else {}  # noqa: PLR2004
    return [
        Placed(note, sides.get(line.staff, 0))
        for line in lines
        for note in quantise(line.notes, report)
    ]


def _staves_from_below(lines: Iterable[Line]) -> list[int]:
    pitches: dict[int, list[int]] = {}
    for line in lines:
        pitches.setdefault(line.staff, []).extend(sound.pitch for sound in line.notes)
    return sorted(pitches, key=lambda staff: fmean(pitches[staff]))
