"""Comparison of our MusicXML reader with music21's, on scores of music21's corpus.

    python -m training.corpus_reading [--pieces 200] [--seed 0] [--differences FILE]

The scores are drawn from the MusicXML files of the installed package, which are never copied. Both
readings are made of the same things, with repeats as they are played: notes at sounding pitch with
ties joined (*pitches* are those of all notes, *onsets* with their starts, *durations* with their
ends as well; grace notes and percussion are left out), the first signature (its mode if it has
one), the first meter, the length of an incomplete first measure, and the sixteenths under fermatas,
of which the upper one counts where several overlap. *Four voices* is the imported piece against
``training.music21_reader``, for the scores that this reader accepts.

``--differences`` writes a line for each aspect that differs, with an example and our report.
"""

from __future__ import annotations

import itertools
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import numpy as np
from music21 import (
    bar,
    chord,
    converter,
    corpus,
    exceptions21,
    expressions,
    harmony,
    key,
    meter,
    note,
    stream,
)

from musicrel.chorale import REST, STEPS_PER_QUARTER, Chorale
from musicrel.errors import MusicrelError
from musicrel.score import files
from musicrel.score.importing import satb_import
from musicrel.score.importing.source import Source, Span
from training import music21_reader, reports

ASPECTS: Final = (
    "pitches", "onsets", "durations", "key", "meter", "pickup", "fermatas", "four voices",
)  # fmt: skip
GROUPS: Final = ("bach", "monteverdi", "trecento")
SUFFIXES: Final = (".mxl", ".xml", ".musicxml")

Sound = tuple[Fraction, Fraction, int]
"""Start, stop and pitch of a note, in sixteenths."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    notes: Counter[Sound]
    key: tuple[int, str] | None
    meter: str
    pickup: Fraction
    fermatas: frozenset[int]


@dataclass(slots=True, kw_only=True)
class Comparison:
    path: Path
    refused: str = ""  # why we do not read it, "" if we do
    # aspect -> example; only of those that both readings have
    differences: dict[str, str] = field(default_factory=dict)
    aspects: set[str] = field(default_factory=set)
    report: tuple[str, ...] = ()  # the report of our import

    @property
    def group(self) -> str:
        found = [name for name in GROUPS if name in self.path.parts]
        return found[0] if found else "others"


def compare(path: Path) -> Comparison | None:
    """Compare both readings of a score; None if music21 cannot read it."""
    found = Comparison(path=path)
    try:
        score = converter.parse(path, forceSource=True)
        score = score.expandRepeats() if score[bar.Repeat] else score
    except (exceptions21.Music21Exception, ValueError, AttributeError):
        return None
    try:
        source = files.source(path)
        piece = satb_import.import_satb(source)
    except MusicrelError as reason:
        found.refused = str(reason).replace(str(path), path.name)
        return found
    found.report = piece.report
    ours, theirs = from_source(source), from_music21(score)
    _add(found, "pitches", *(_counted(reading.notes, 2) for reading in (ours, theirs)))
    _add(found, "onsets", *(_counted(reading.notes, 0, 2) for reading in (ours, theirs)))
    _add(found, "durations", ours.notes, theirs.notes)
    if theirs.key:
        same_mode = theirs.key if theirs.key[1] else (theirs.key[0], ours.key and ours.key[1])
        _add(found, "key", [ours.key], [same_mode])
    _add(found, "meter", [ours.meter], [theirs.meter])
    _add(found, "pickup", [ours.pickup], [theirs.pickup])
    _add(found, "fermatas", ours.fermatas, theirs.fermatas)
    if four_voices := _four_voices(score):
        _add(found, "four voices", _cells(piece.chorale), _cells(four_voices))
    return found


def _add(found: Comparison, aspect: str, ours: Iterable[Any], theirs: Iterable[Any]) -> None:
    """Compare an aspect; of a difference keep the first examples."""
    found.aspects.add(aspect)
    mine, others = Counter(ours), Counter(theirs)
    if mine != others:
        examples = [sorted(one - other, key=str)[:3] for one, other in
                    ((mine, others), (others, mine))]  # fmt: skip
        found.differences[aspect] = "ours {}, music21's {}".format(
            *(", ".join(map(_plain, listed)) or "nothing" for listed in examples)
        )


def _plain(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({' '.join(map(_plain, value))})"
    return str(value)


def _counted(notes: Counter[Sound], *parts: int) -> Iterator[tuple[Any, ...]]:
    for sound in notes.elements():
        yield tuple(sound[part] for part in parts)


def _cells(piece: Chorale) -> list[tuple[int, int, int, bool]]:
    return [
        (step, voice, int(piece.pitches[step, voice]), bool(piece.onsets[step, voice]))
        for step, voice in np.argwhere(piece.pitches != REST).tolist()
    ]


def _four_voices(score: Any) -> Chorale | None:
    try:
        return music21_reader.from_score(score).chorale
    except (music21_reader.RefusedError, exceptions21.Music21Exception, ValueError):
        return None


# ------------------------------------------------------------------------------- both readings


def from_source(source: Source) -> Reading:
    notes = Counter(
        (_exact(sound.start), _exact(sound.stop), sound.pitch)
        for line in source.lines
        for sound in line.notes
        if sound.stop > sound.start
    )
    return Reading(
        notes=notes,
        key=(source.key.fifths, source.key.mode) if source.key else None,
        meter=str(source.meter),
        pickup=_exact(source.pickup),
        fermatas=_held(source.fermatas),
    )


def from_music21(score: Any) -> Reading:
    sounding = score.toSoundingPitch() if hasattr(score, "toSoundingPitch") else score
    parts = [list(part.getElementsByClass(stream.Measure)) for part in sounding.parts]
    starts = _starts(parts)
    heads = [
        ((part, _voice(head)), head, starts[number] + _steps(head.getOffsetInHierarchy(measure)))
        for part, measures in enumerate(parts)
        for number, measure in enumerate(measures)
        for head in measure.recurse().notesAndRests
        if _counts(head)
    ]
    metre = next((m for ms in parts for m in _first(ms, meter.TimeSignature)), None)
    signature = next((k for ms in parts for k in _first(ms, key.KeySignature)), None)
    joined = _joined(heads)
    mode = signature.mode if isinstance(signature, key.Key) else ""
    return Reading(
        notes=Counter(
            (start, stop, pitch)
            for start, stop, pitch, _ in joined
            if pitch is not None and stop > start
        ),
        key=(signature.sharps, mode) if signature else None,
        meter=metre.ratioString if metre else "4/4",
        pickup=_pickup(starts, metre),
        fermatas=_held(_fermatas(joined, parts, starts)),
    )


def _first(measures: Sequence[Any], kind: type) -> Iterator[Any]:
    found = (element for measure in measures for element in measure.getElementsByClass(kind))
    yield from itertools.islice(found, 1)


def _counts(head: Any) -> bool:
    """Return whether an element is a note, chord or rest that sounds in its place."""
    return not isinstance(head, (harmony.Harmony, note.Unpitched)) and not head.duration.isGrace


def _voice(head: Any) -> str:
    return str(head.activeSite.id) if isinstance(head.activeSite, stream.Voice) else "1"


def _starts(parts: Sequence[Sequence[Any]]) -> list[Fraction]:
    """Return the start of each measure, which is as long as its longest part, and the end."""
    starts = [Fraction(0)]
    for column in itertools.zip_longest(*parts):
        measures = [measure for measure in column if measure is not None]
        ends = [
            head.getOffsetInHierarchy(measure) + head.duration.quarterLength
            for measure in measures
            for head in measure.recurse().notesAndRests
        ]
        length = _steps(max(ends, default=0))
        starts.append(starts[-1] + (length or _steps(measures[0].barDuration.quarterLength)))
    return starts


def _joined(
    heads: Sequence[tuple[tuple[int, str], Any, Fraction]],
) -> list[tuple[Fraction, Fraction, int | None, bool]]:
    """List start, stop, pitch and fermata of the notes and rests of all parts, with ties joined.

    A tie ends at the next such note of its voice, or of its part if that one is marked.
    """
    found: list[tuple[Fraction, Fraction, int | None, bool]] = []
    open_ties: dict[tuple[int, Fraction, int], dict[str, int]] = {}
    for (part, voice), head, start in sorted(heads, key=lambda head: (head[0][0], head[2])):
        held = any(isinstance(mark, expressions.Fermata) for mark in head.expressions)
        stop = start + _steps(head.duration.quarterLength)
        if head.isRest:
            found.append((start, stop, None, held))
            continue
        for one in head.notes if isinstance(head, chord.Chord) else [head]:
            held_here = held or any(isinstance(m, expressions.Fermata) for m in one.expressions)
            kind = one.tie.type if one.tie else ""
            waiting = open_ties.get((part, start, one.pitch.midi), {})
            index = waiting.pop(voice, None)
            if index is None and waiting and kind in ("stop", "continue"):
                index = waiting.pop(next(iter(waiting)))
            if index is None:
                index = len(found)
                found.append((start, stop, one.pitch.midi, held_here))
            else:
                begun, _, pitch, held_before = found[index]
                found[index] = (begun, stop, pitch, held_before or held_here)
            if kind in ("start", "continue"):
                open_ties.setdefault((part, stop, one.pitch.midi), {})[voice] = index
    return found


def _pickup(starts: Sequence[Fraction], metre: Any) -> Fraction:
    whole = _steps(metre.barDuration.quarterLength) if metre else Fraction(16)
    return starts[1] if len(starts) > 2 and starts[1] < whole else Fraction(0)  # noqa: PLR2004


def _fermatas(
    joined: Sequence[tuple[Fraction, Fraction, int | None, bool]],
    parts: Sequence[Sequence[Any]],
    starts: Sequence[Fraction],
) -> list[Span]:
    """List what has a fermata, or ends at a bar line with one; rests last, if they stand alone."""
    lines = {
        starts[number + (line is measure.rightBarline)]
        for measures in parts
        for number, measure in enumerate(measures)
        for line in (measure.leftBarline, measure.rightBarline)
        if isinstance(line, bar.Barline) and line.pause
    }
    spans = [
        ((float(start), float(stop)), pitch is None)
        for start, stop, pitch, held in joined
        if held or stop in lines
    ]
    notes = [span for span, is_rest in spans if not is_rest]
    ends = {time for span in notes for time in span}
    return notes + [span for span, is_rest in spans if is_rest and ends.isdisjoint(span)]


def _held(spans: Iterable[Span]) -> frozenset[int]:
    """Return the sixteenths under fermatas; of overlapping ones the first counts."""
    held: set[int] = set()
    for start, stop in spans:
        steps = range(round(start), max(round(stop), round(start) + 1))
        if held.isdisjoint(steps):
            held |= set(steps)
    return frozenset(held)


def _steps(quarters: float | Fraction) -> Fraction:
    return _exact(Fraction(quarters) * STEPS_PER_QUARTER)


def _exact(steps: float | Fraction) -> Fraction:
    return Fraction(steps).limit_denominator(1000)


# -------------------------------------------------------------------------------------- table


def table(comparisons: Sequence[Comparison]) -> str:
    rows = []
    for name in [*GROUPS, "others", "all"]:
        group = [c for c in comparisons if name in ("all", c.group)]
        taken = [c for c in group if not c.refused]
        if group:
            notes = sum(not {*ASPECTS[:3]} & c.differences.keys() for c in taken)
            cells = [name, str(len(group)), str(len(taken)), f"{notes} of {len(taken)}"]
            rows.append(cells + [_equal(taken, aspect) for aspect in ASPECTS[3:]])
    head = ["scores", "drawn", "read", "pitches, onsets, durations", *ASPECTS[3:]]
    return reports.table(head, rows)


def _equal(comparisons: Sequence[Comparison], aspect: str) -> str:
    """Format how many scores agree in an aspect, of those that have it."""
    have = [c for c in comparisons if aspect in c.aspects]
    return f"{sum(aspect not in c.differences for c in have)} of {len(have)}"


def differences(comparisons: Iterable[Comparison]) -> Iterator[str]:
    for found in comparisons:
        if found.refused:
            yield f"{found.path.name}: refused: {found.refused}"
        report = "; ".join(found.report)
        for aspect, example in found.differences.items():
            yield f"{found.path.name}: {aspect}: {example} [report: {report}]"


def draw(pieces: int, seed: int) -> list[Path]:
    paths = sorted(
        Path(path) for path in corpus.getCorePaths() if Path(path).suffix.lower() in SUFFIXES
    )
    return sorted(random.Random(seed).sample(paths, min(pieces, len(paths))))  # noqa: S311


@reports.script
def main(words: Sequence[str]) -> None:
    parser = reports.parser("corpus_reading", __doc__)
    parser.add_argument("--pieces", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--differences", type=Path)
    options = parser.parse_args(words)
    compared = [compare(path) for path in draw(options.pieces, options.seed)]
    comparisons = [found for found in compared if found is not None]
    print(table(comparisons))
    print(f"\nmusic21 cannot read {len(compared) - len(comparisons)} of the scores")
    lines = list(differences(comparisons))
    if options.differences:
        options.differences.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    print(f"{len(lines)} differences and refusals")


if __name__ == "__main__":
    sys.exit(main())
