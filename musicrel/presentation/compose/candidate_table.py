"""The table of candidates: order, the passage as music, columns and descriptions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import numpy as np

from musicrel.analysis import cadences
from musicrel.analysis.numeral import Numeral, key_label
from musicrel.chorale import STEPS_PER_QUARTER, Chorale, Flags
from musicrel.generation.candidates import ranking
from musicrel.generation.candidates.ranking import Measures
from musicrel.language import count, decimal, tr
from musicrel.presentation import changes, marks
from musicrel.presentation.compose.phrases import CADENCES, NO_CADENCE, cadence_labels
from musicrel.score.editing.notes import Note

if TYPE_CHECKING:
    from musicrel.generation.candidates.candidate_job import Candidate, Stuck

_NONE: Final = "–"
_NO_VIOLATION: Final = tr("no violation")
_HERE: Final = tr("{what} here")
_CADENCE, _CADENCES, _NO_CADENCE = tr("cadence"), tr("cadences"), tr("none", "cadence")
SOME_BREAK_IT: Final = tr("Candidates with ✕ also break the rule here; they are ranked last.")
ALL_BREAK_IT: Final = tr(
    "All candidates also break the rule here. “Try again” also writes other voices."
)

Test: TypeAlias = Callable[[Chorale], bool]


class Column(NamedTuple):
    title: str
    meaning: str
    value: Callable[[Candidate], str]

    @property
    def full_title(self) -> str:
        return self.title.replace("-\n", "").replace("\n", " ")

    @property
    def tooltip(self) -> str:
        return f"{self.full_title}\n{self.meaning}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    number: int  # of the candidate; 0 is the original
    cells: tuple[str, ...]
    details: str  # all measures, line by line


COLUMNS: Final = (
    Column(
        "#",
        tr("0 is the original; candidates are numbered by seed, shown in the tooltip of the row"),
        lambda c: str(c.number),
    ),
    Column(
        tr("Surprisal"),
        tr(
            "Nats per rewritten note for the passage and all kept notes after it; lower is likelier"
        ),
        lambda c: decimal(c.measures.region_to_end_nats, ".2f"),
    ),
    Column(
        tr("Rule\nviolations"),
        tr("Violations of the rules of four-part writing in the whole piece"),
        lambda c: str(c.measures.rates.total),
    ),
    Column(
        tr("Phrases\nclosed"),
        tr("Phrase ends of the whole piece with a cadence: authentic, half, plagal or deceptive"),
        lambda c: closed(c.measures),
    ),
    Column(
        tr("Grade"),
        tr("Distance of the whole piece from Bach on eight distributions; lower is nearer"),
        lambda c: _NONE if c.measures.grade is None else decimal(c.measures.grade, ".1f"),
    ),
    Column(
        tr("Changed"),
        tr(
            "Share of rewritten notes that differ from the original; a candidate without a change "
            "is ranked last"
        ),
        lambda c: decimal(c.measures.distance.changed, ".0%") if c.measures.distance else _NONE,
    ),
    Column(
        tr("Copied\nfrom Bach"),
        tr(
            "Share of the passage's two-bar segments that occur in the training chorales, in any "
            "key"
        ),
        lambda c: decimal(c.measures.memorised, ".0%"),
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Music:
    """The rewritten bars of a candidate, or the same bars of the original."""

    piece: Chorale
    start: int  # first step of the bars
    stop: int  # the step after the last
    new: frozenset[Note] | None  # the notes that the original has not; None: no original
    sentence: str  # as '2 violations here, cadence V–I in G'
    numerals: tuple[Numeral, ...] | None = None  # its chords; None: not analysed yet

    @property
    def region(self) -> tuple[int, int]:
        """Return the steps to listen to: with the bar before, if there is one."""
        before = [line for line in self.piece.bar_line_steps() if line < self.start]
        return before[-1] if before else 0, self.stop

    def with_numerals(self, found: Iterable[Numeral]) -> Music:
        """Return the same with the chords of the whole piece that sound in the passage."""
        here = [one for one in found if one.start < self.stop and one.stop > self.start]
        first = [
            replace(
                one, start=max(one.start, self.start), text=f"{key_label(one.key)} {one.figure}"
            )
            for one in here[:1]
        ]
        return replace(self, numerals=(*first, *here[1:]))


def music(piece: Chorale, original: Chorale | None, free: Flags) -> Music:
    """Return the bars of ``piece`` that a request writes.

    Args:
        original: the piece that it can replace; None if it replaces nothing.
        free: the cells that are written, bool (T, 4).
    """
    steps = np.flatnonzero(free.any(axis=1))
    lines = sorted({0, *piece.bar_line_steps(), piece.steps})
    start = max(line for line in lines[:-1] if line <= (steps[0] if steps.size else 0))
    stop = min(line for line in lines[1:] if line > (steps[-1] if steps.size else 0))
    number = sum(mark.first < stop and mark.stop > start for mark in marks.marks(piece))
    ends = [end for end in cadences.phrase_ends(piece) if start < end.stop <= stop]
    violations = count(number, "violation") if number else _NO_VIOLATION
    here = violations if (start, stop) == (0, piece.steps) else _HERE.format(what=violations)
    labels = [cadence_labels(end.kind, end.key)[-1] if end.kind else NO_CADENCE for end in ends]
    if ends and ends[0].kind:
        labels[0] = f"{_CADENCE if len(ends) == 1 else _CADENCES} {labels[0]}"
    closed = ", ".join(labels) if any(end.kind for end in ends) else NO_CADENCE
    return Music(
        piece=piece,
        start=start,
        stop=stop,
        new=None if original is None else changes.compare(piece, original).new,
        sentence=f"{here}, {closed}" if ends else here,
    )


def weight_tip(term: ranking.Term) -> str:
    meaning = f"{term.meaning[:1].upper()}{term.meaning[1:]}"
    return tr("{meaning} (default: {weight:g})", meaning=meaning, weight=term.weight)


def ranked(
    candidates: Iterable[Candidate], weights: Mapping[str, float], breaks: Test
) -> tuple[Candidate, ...]:
    """Return the original, then the candidates, the best by these weights first."""

    def sort_key(candidate: Candidate) -> tuple[bool, bool, tuple[bool, float]]:
        order = ranking.sort_key(candidate.measures, weights)
        return candidate.seed is not None, breaks(candidate.chorale), order

    return tuple(sorted(candidates, key=sort_key))


def row(candidate: Candidate, weights: Mapping[str, float], breaks: Test) -> Row:
    """Return the row of a candidate; the arguments are those of ``ranked``."""
    number, *cells = (column.value(candidate) for column in COLUMNS)
    lines = list(_lines(candidate, weights))
    if candidate.seed is not None and breaks(candidate.chorale):
        number = f"{number} ✕"
        lines.insert(0, tr("Also breaks the rule here"))
    return Row(number=candidate.number, cells=(number, *cells), details="\n".join(lines))


def avoidance_texts(candidates: Iterable[Candidate], breaks: Test) -> tuple[str, str]:
    """Return a remark and a warning about candidates that break the rule to avoid; "": none."""
    broken = [breaks(one.chorale) for one in candidates if one.seed is not None]
    if not any(broken):
        return "", ""
    return ("", ALL_BREAK_IT) if all(broken) else (SOME_BREAK_IT, "")


def closed(measures: Measures) -> str:
    """Return how many phrase ends have a cadence, as '3 of 4'."""
    kinds = measures.cadences
    if not kinds:
        return _NONE
    return tr("{closed} of {phrases}", closed=sum(map(bool, kinds)), phrases=len(kinds))


def stuck_text(unfinished: Sequence[Stuck]) -> str:
    if not unfinished:
        return ""
    return tr(
        "{candidates} not completed: {sentence}",
        candidates=count(len(unfinished), "candidate"),
        sentence=unfinished[0].sentence,
    )


def _lines(candidate: Candidate, weights: Mapping[str, float]) -> Iterable[str]:
    measures = candidate.measures
    name = tr("Candidate {number}, seed {seed}", number=candidate.number, seed=candidate.seed)
    name = tr("The original") if candidate.seed is None else name
    score = ranking.score(measures, weights)
    yield tr("{candidate}: score {score:.3f} (lower is better)", candidate=name, score=score)
    yield tr(
        "Surprisal: {to_end:.3f} nats/note with the notes after the passage, {passage:.3f} in the "
        "passage, {piece:.3f} in the whole piece",
        to_end=measures.region_to_end_nats,
        passage=measures.region_nats,
        piece=measures.nats,
    )
    if measures.grade is not None:
        yield tr("Grade {grade:.2f}", grade=measures.grade)
    if measures.distance is not None and candidate.seed is not None:
        apart = measures.distance
        yield tr(
            "Changed: {changed:.0%} of notes, by {interval:.1f} semitones on average",
            changed=apart.changed,
            interval=apart.interval,
        )
    beats = measures.longest / STEPS_PER_QUARTER
    run = tr("1 quarter") if beats == 1 else tr("{beats:g} quarters", beats=beats)
    yield tr(
        "Copied from Bach: {share:.0%} of two-bar segments, at most {run} in a row",
        share=measures.memorised,
        run=run,
    )
    if measures.cadences:
        kinds = (CADENCES[kind] if kind else _NO_CADENCE for kind in measures.cadences)
        yield tr("Cadences: {kinds}", kinds=", ".join(kinds))
    yield from marks.summary_lines(measures.rates)
