"""Conversion of four voices and the metadata of their source to a chorale with a report.

A piece starts at its first note: silence before it is removed, and a start within a bar makes a
pickup. The report names this, and what a chorale cannot represent: changes of meter, tempos that
change from beat to beat, and music beyond the length limit.

A tempo that falls at least three times, by quarters or faster, is a ritardando, and so is what
words such as "rit." introduce, up to the next tempo; without one it is ``_SLOWER`` percent slow.

The report of an import: clauses that name what was changed, and in which bars.

Readers add each issue with its time; the clauses are formatted at the end, one for each kind.
"""

from __future__ import annotations

import itertools
import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Final, Self

import numpy as np

from musicrel import bounds
from musicrel.analysis import keys
from musicrel.chorale import (
    ELISION,
    MAX_STEPS,
    REST,
    STEPS_PER_QUARTER,
    Chorale,
    Flags,
    Lyric,
    Mark,
    Meter,
    Voice,
)
from musicrel.language import tr
from musicrel.score.importing.source import (
    IssueKind,
    RawLyric,
    RawSlur,
    Source,
    Span,
    Time,
    step_of,
)
from musicrel.score.notes import Note, from_notes

# A number that is printed before a verse, as in "1. Glo": scores number the verses themselves.
_VERSE_NUMBER: Final = re.compile(rf"\A\d{{1,2}}(?:[.):][\s{ELISION}]*|[\s{ELISION}]+)(?=\D)")
_MAX_WORD: Final = 200  # characters; more are of a text that stands under one note
MAX_NAMED_RANGES: Final = 12  # further ranges of bars are only counted

_SENTENCES: Final[Mapping[IssueKind, str]] = {
    "moved": tr("notes off the sixteenth-note grid (triplets?) were quantised in {bars}"),
    "lost": tr("notes too short for the sixteenth-note grid were left out in {bars}"),
    "empty": tr("notes of zero length were left out in {bars}"),
    "endless": tr(
        "notes without a note-off, which start in {bars}, were ended at the next note or at "
        "the end of their track"
    ),
    "grace": tr("grace notes were left out in {bars}"),
    "tie": tr("notes with words were not tied to those before them in {bars}"),
    "cue": tr("cue notes were left out in {bars}"),
    "unpitched": tr("notes without a pitch were left out in {bars}"),
    "unreadable": tr("notes whose pitch cannot be read were left out in {bars}"),
    "signature": tr("a key, meter or transposition that cannot be used was ignored in {bars}"),
    "microtone": tr("quarter tones were rounded to semitones in {bars}"),
    "repeat": tr("repeats were written out, from {bars} on"),
    "jump": tr("jumps such as da capo in {bars} were ignored, the bars were read in printed order"),
    "chord": tr("chords within one voice were reduced to the outer note in {bars}"),
    "overlap": tr("overlapping notes were shortened in {bars}"),
    "dropped": tr("more than four notes sound together, inner notes were left out in {bars}"),
    "doubt": tr("the voice assignment is uncertain in {bars}"),
    "unison": tr("a single note on a staff was given to both of its voices in {bars}"),
    "gap": tr(
        "nothing begins or ends for hundreds of quarters after {bars}, the file was read up to "
        "there (to read on, set MUSICREL_MAX_GAP to a number of quarters above 256)"
    ),
    "drums": tr("the notes on channel 10, which start in {bars}, were taken as drums and left out"),
    "cut": tr("it is cut off: a track is missing"),
    "tracks": tr("its header gives the wrong number of tracks, all tracks in the file were read"),
    "tunes": tr("only the first of its tunes was read"),
    "length": tr("a track has the wrong length in its header and was read to its end"),
    "broken": tr("a track is damaged or cut off and was read up to {bars}"),
    "damaged": tr("damaged events were ignored in {bars}"),
    "tempo": tr("tempos outside 5 to 600 quarters a minute were ignored in {bars}"),
    "seconds": tr("its times are in seconds, not in beats: tempo and note values were estimated"),
    "folded": tr("notes outside the range of the voice were transposed by octaves in {bars}"),
}
# Kinds that are named together in one clause, without bars, as the last of a report.
_LEFT_OUT: Final[Mapping[IssueKind, str]] = {
    "lyrics": tr("lyrics"), "chord symbols": tr("chord symbols"),
    "figured bass": tr("figured bass"), "dynamics": tr("dynamics"), "hairpins": tr("hairpins"),
    "articulations": tr("articulations"), "ornaments": tr("ornaments"),
    "pedal marks": tr("pedal marks"), "playing techniques": tr("playing techniques"),
    "text": tr("text"), "markers": tr("markers"), "movement title": tr("movement title"),
    "movement number": tr("movement number"), "work number": tr("work number"),
    "arranger": tr("arranger"), "other names": tr("other names"),
}  # fmt: skip


class Report:
    """Collects the issues of ``source``, starting with those its reader found."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._times: dict[IssueKind, set[Time]] = {}
        self._sentences: list[str] = []
        for issue in source.issues:
            self.add_issue(*issue)

    def add_issue(self, kind: IssueKind, time: Time) -> None:
        self._times.setdefault(kind, set()).add(time)

    def add_sentence(self, sentence: str) -> None:
        self._sentences.append(sentence)

    def sentences(self) -> tuple[str, ...]:
        """Format all issues in the order of the table, the free text, what was left out."""
        issues = [
            sentence.format(bars=self.bars({self._source.bar_at(time) for time in times}))
            for kind, sentence in _SENTENCES.items()
            if (times := self._times.get(kind))
        ]
        if left_out := [kind for kind in _LEFT_OUT if kind in self._times]:
            is_one = len(left_out) == 1 and (
                left_out[0] == "figured bass" or left_out[0][-1] != "s"
            )
            sentence = tr("{listed} was left out") if is_one else tr("{listed} were left out")
            words = listed([_LEFT_OUT[kind] for kind in left_out])
            return (*issues, *self._sentences, sentence.format(listed=words))
        return (*issues, *self._sentences)

    def bars(self, indices: Iterable[int]) -> str:
        """Name the bars with these indices in the source, as in "bars 1, 4 to 6 and 9".

        One that is repeated is named once.
        """
        labels = [bar.label for bar in self._source.bar_lines]
        first = {label: index for index, label in reversed([*enumerate(labels)])}
        runs = _runs(sorted({first[labels[index]] for index in indices}))
        named = [
            labels[first]
            if first == last
            else tr("{first} to {last}", first=labels[first], last=labels[last])
            for first, last in runs[:MAX_NAMED_RANGES]
        ]
        if left := len(runs) - len(named):
            named.append(tr("{number} more places", number=left))
        single = len(runs) == 1 and runs[0][0] == runs[0][1]
        if single:
            return tr("bar {number}", number=named[0])
        return tr("bars {numbers}", numbers=listed(named))


def listed(words: Sequence[str]) -> str:
    """Join ``words`` as in "a, b and c"."""
    if len(words) < 2:  # noqa: PLR2004
        return "".join(words)
    return tr("{first} and {last}", first=", ".join(words[:-1]), last=words[-1])


def itemised(clauses: Sequence[str]) -> str:
    """Format ``clauses`` to follow a colon: one in its line, more of them in a line each."""
    return f" {clauses[0]}" if len(clauses) == 1 else "".join(f"\n• {part}" for part in clauses)


def _runs(indices: Sequence[int]) -> list[tuple[int, int]]:
    """List first and last of each run of three or more in ``indices`` (ascending), else singles."""
    runs: list[tuple[int, int]] = []
    for _, group in itertools.groupby(enumerate(indices), key=lambda pair: pair[1] - pair[0]):
        run = [index for _, index in group]
        runs += [(run[0], run[-1])] if len(run) > 2 else zip(run, run, strict=True)  # noqa: PLR2004
    return runs


_log = logging.getLogger(__name__)
# Part of the report's sentence about a piece beyond the length limit.
TOO_LONG: Final = tr("too long for a piece")
_MAX_CHANGES: Final = 4  # further changes of meter are only counted
_SLOWER: Final = 75.0  # percent of the tempo at the end of a ritardando that names none
_PERCENT: Final = bounds.BOUNDS["slowing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedPiece:
    """An imported piece and its report."""

    chorale: Chorale
    # what was changed, left out or assumed, one clause each; empty for an exact import
    report: tuple[str, ...] = ()
    semitones: int = 0  # the transposition applied to fit the range of a voice

    def logged(self, name: str) -> Self:
        """Log the report as warnings about the file ``name``, where nothing else shows it."""
        for change in self.report:
            _log.warning("%s: %s", name, change)
        return self


def assemble(
    source: Source,
    voices: Sequence[Sequence[Note]],
    words: Iterable[tuple[Voice, RawLyric]],
    steps: int,
    report: Report,
    *,
    slurs: Iterable[tuple[Voice, RawSlur]] = (),
) -> Chorale:
    """Build the chorale from the notes of four voices, their words and slurs."""
    length = _length(source, steps, report)
    _report_meters(source, length, report)
    if source.mode:
        key = source.key and keys.name(source.key)
        report.add_sentence(
            tr("the mode {mode} of its key was read as {key}", mode=source.mode, key=key)
        )
    pitches, onsets = from_notes([_cut(notes, length) for notes in voices], length)
    lyrics = _under_notes(words, onsets, report)
    chorale = Chorale(
        pitches=pitches,
        onsets=onsets,
        fermatas=_fermatas(source.fermatas, length),
        meter=source.meter,
        pickup=round(source.pickup),
        key=source.key,
        tempo=source.tempo,
        marks=(
            *source.marks,
            *_keys(source, report),
            *_tempos(source, length, report),
            *_dynamics_and_slurs(source, slurs),
        ),
        title=source.title,
        subtitle=source.subtitle,
        composer=source.composer,
        poet=source.poet,
        tune=source.tune,
        copyright=source.copyright,
        lyrics=tuple(lyrics if source.exact else _without_numbers(lyrics, report)),
        provenance=source.provenance,
    )
    return chorale if source.exact else from_first_note(chorale, report)


def _dynamics_and_slurs(source: Source, slurs: Iterable[tuple[Voice, RawSlur]]) -> Iterator[Mark]:
    for time, dynamic in source.dynamics:
        yield Mark(kind="dynamic", start=step_of(time), stop=step_of(time), value=dynamic)
    for time, stop, which in source.hairpins:
        if step_of(time) < step_of(stop):
            yield Mark(kind="hairpin", start=step_of(time), stop=step_of(stop), value=which)
    for voice, (time, stop) in slurs:
        if step_of(time) < step_of(stop):
            yield Mark(kind="slur", start=step_of(time), stop=step_of(stop), value=voice)


def from_first_note(chorale: Chorale, report: Report) -> Chorale:
    """Remove the silence before the first note of ``chorale``, and report it."""
    first = int((chorale.pitches != REST).any(axis=1).argmax())
    if first == 0:
        return chorale
    bar = chorale.meter.steps
    report.add_sentence(
        _removed_bars(first / bar) if first >= bar else _removed_quarters(first / STEPS_PER_QUARTER)
    )
    return chorale.cropped(first, chorale.steps)


def _removed_bars(number: float) -> str:
    if number == 1:
        return tr("a bar of silence before the first note was removed")
    return tr("{number:.3g} bars of silence before the first note were removed", number=number)


def _removed_quarters(number: float) -> str:
    if number == 1:
        return tr("a quarter of silence before the first note was removed")
    return tr("{number:.3g} quarters of silence before the first note were removed", number=number)


def _length(source: Source, steps: int, report: Report) -> int:
    """Return ``steps``, or the last bar line within the length limit."""
    if steps <= MAX_STEPS:
        return max(steps, 1)
    pickup, bar = round(source.pickup), source.meter.steps
    length = pickup + (MAX_STEPS - pickup) // bar * bar
    report.add_sentence(
        tr(
            "it is {steps:,} sixteenths long, {too_long}: the first {length:,} were kept",
            steps=steps,
            too_long=TOO_LONG,
            length=length,
        )
    )
    return length


def _cut(notes: Iterable[Note], steps: int) -> Iterator[Note]:
    for note in notes:
        if note.start < steps:
            yield Note(note.start, min(note.length, steps - note.start), note.pitch)


def _under_notes(
    words: Iterable[tuple[Voice, RawLyric]], onsets: Flags, report: Report
) -> Iterator[Lyric]:
    """Yield the words whose notes are kept; of two in one verse under a note, the first."""
    taken: dict[tuple[Voice, int, int], str] = {}
    for voice, (time, verse, text, hyphen, extends) in words:
        step = step_of(time)
        is_under = step < len(onsets) and onsets[step, voice] and verse in bounds.BOUNDS["verse"]
        if not is_under or taken.get((voice, verse, step), text) != text:
            report.add_issue("lyrics", time)
        elif (voice, verse, step) not in taken:
            taken[voice, verse, step] = text
            yield Lyric(voice, verse, step, text, hyphen, extends)


def _without_numbers(lyrics: Iterable[Lyric], report: Report) -> Iterator[Lyric]:
    """Yield the words, if long their beginning, without the number printed before a verse."""
    begun: set[tuple[Voice, int]] = set()
    for word in sorted(lyrics):
        is_first = (word.voice, word.verse) not in begun
        begun.add((word.voice, word.verse))
        text = _VERSE_NUMBER.sub("", word.text) if is_first else word.text
        if len(text) > _MAX_WORD:
            report.add_issue("lyrics", word.step)
        yield replace(word, text=text[:_MAX_WORD].strip())


def _fermatas(ranges: Iterable[Span], steps: int) -> Flags:
    """Return the fermata flags, bool (steps,); of overlapping ranges the first one counts."""
    flags = np.zeros(steps, dtype=np.bool_)
    for start, stop in ranges:
        first = max(round(start), 0)
        held = slice(first, max(round(stop), first + 1))
        if not flags[held].any():
            flags[held] = True
    return flags


def _report_meters(source: Source, steps: int, report: Report) -> None:
    if changes := [(time, meter) for time, meter in source.meters[1:] if time < steps]:
        named = [
            tr("{meter} from {bars}", meter=meter, bars=report.bars([source.bar_at(time)]))
            for time, meter in changes[:_MAX_CHANGES]
        ]
        if len(changes) > _MAX_CHANGES:
            named.append(tr("{number} more", number=len(changes) - _MAX_CHANGES))
        report.add_sentence(
            tr(
                "meter changes ({changes}) were dropped: {meter} throughout",
                changes=listed(named),
                meter=source.meter,
            )
        )
    elif odd := _odd_bars(source, source.meter, steps):
        sentence = tr("{bars} do not match the bar lines of {meter}")
        if len(odd) == 1:
            sentence = tr("{bars} does not match the bar lines of {meter}")
        report.add_sentence(sentence.format(bars=report.bars(odd), meter=source.meter))


def _odd_bars(source: Source, kept: Meter, steps: int) -> list[int]:
    """List the bars that do not start at a bar line of ``kept`` and the pickup.

    Measures that make one bar together, as around a repeat sign within a bar, are no oddity.
    """
    first = 1 if source.pickup else 0
    starts = [bar.start for bar in source.bar_lines[first:] if bar.start < steps]
    odd: list[int] = []
    parts: list[int] = []
    begin = source.pickup
    for index, start in enumerate([*starts, float(steps)], start=first):
        if (start - source.pickup) % kept.steps and index < first + len(starts):
            parts.append(index)
            continue
        if start - begin != kept.steps:
            odd += parts
        parts, begin = [], start
    return odd


def _keys(source: Source, report: Report) -> Iterator[Mark]:
    """Yield the changes of key, at the bar line that is nearest.

    Those of our own files stay, and those at a bar line within a bar, as where a verse begins.
    """
    bar, moved = source.meter.steps, set[int]()
    lines = {0.0} if source.meters[1:] else {0.0, *(line.start for line in source.bar_lines)}
    for time, key in source.keys:
        start = round(time)
        if not source.exact and time not in lines:
            start = round((time - source.pickup) / bar) * bar + round(source.pickup)
        if start != time:
            moved.add(source.bar_at(time))
        yield Mark(kind="key", start=start, stop=start, value=key)
    if moved:
        bars = report.bars(moved)
        report.add_sentence(
            tr("key changes within {bars} were moved to the nearest bar line", bars=bars)
        )


def _tempos(source: Source, steps: int, report: Report) -> Iterator[Mark]:
    """Yield the changes of tempo, and the ritardandos that are none of ours."""
    ours = [(mark.start, mark.stop) for mark in source.marks if mark.kind == "slowing"]
    changes = {
        time: tempo
        for time, tempo in (next(run) for _, run in groupby(source.tempos, key=itemgetter(1)))
        if 0 < time < steps and not any(start < time < stop for start, stop in ours)
    }
    slowings, guessed = list[Mark](), set[int]()
    for begin in sorted({*source.slower, *_falls(changes)}):
        stop, lower = _slowing(source, changes, begin, steps)
        if round(stop) <= round(begin) or any(start <= begin < end for start, end in ours):
            continue
        low = min((changes.pop(time) for time in lower), default=0.0)
        guessed |= set() if lower else {source.bar_at(begin)}
        percent = round(100 * low / _tempo_before(source, begin), 2) if lower else _SLOWER
        percent = min(max(percent, _PERCENT.low), _PERCENT.high)
        mark = Mark(kind="slowing", start=round(begin), stop=round(stop), value=percent)
        slowings.append(mark)
    if len(changes) > steps / source.meter.steps + 1:
        bars = report.bars({source.bar_at(time) for time in changes})
        report.add_sentence(
            tr(
                "tempo changes in {bars} were dropped: {tempo:.3g} throughout",
                bars=bars,
                tempo=source.tempo,
            )
        )
        return
    if guessed:
        report.add_sentence(
            tr(
                "a ritardando in {bars} names no tempo: it was set to fall to {percent:g} percent",
                bars=report.bars(guessed),
                percent=_SLOWER,
            )
        )
    yield from slowings
    for time, tempo in changes.items():
        yield Mark(kind="tempo", start=round(time), stop=round(time), value=tempo)


def _falls(changes: Mapping[Time, float]) -> Iterator[Time]:
    """Yield where a tempo begins to fall at least three times, each a quarter later at most."""
    times, begin = list(changes), 0
    for index, time in enumerate(times):
        before = times[index - 1]
        falls = time - before <= STEPS_PER_QUARTER and changes[time] < changes[before]
        begin = begin if index and falls else index
        if index - begin == 2:  # noqa: PLR2004
            yield times[begin]


def _slowing(
    source: Source, changes: Mapping[Time, float], begin: Time, steps: int
) -> tuple[Time, list[Time]]:
    """Return the end of a ritardando, and the times of its lower tempos."""
    bar, lower = source.meter.steps, list[Time]()
    end = min((time for time in source.again if time > begin), default=float(steps))
    times = [time for time in changes if begin <= time < end]
    for time, after in pairwise([*times, end]):
        if changes[time] >= _tempo_before(source, begin) or after - time > bar:
            return time, lower
        lower.append(time)
    return (end if lower else min(end, begin + 2 * bar)), lower


def _tempo_before(source: Source, time: Time) -> float:
    return next((tempo for at, tempo in reversed(source.tempos) if at < time), source.tempo)
