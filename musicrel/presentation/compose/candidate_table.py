"""The table of candidates: order, columns and descriptions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from musicrel.chorale import STEPS_PER_QUARTER, Chorale
from musicrel.generation.candidates import ranking
from musicrel.generation.candidates.ranking import Measures
from musicrel.model import catalogue
from musicrel.presentation import marks
from musicrel.presentation.words import names

if TYPE_CHECKING:
    from musicrel.generation.candidates.candidate_job import Candidate, Stuck

_NONE: Final = "–"


SOME_BREAK_IT: Final = "Candidates with ✕ also break the rule here; they are ranked last."
ALL_BREAK_IT: Final = (
    "All candidates also break the rule here. “Try again” also writes other voices."
)

Test: TypeAlias = Callable[[Chorale], bool]


class Column(NamedTuple):
    title: str
    meaning: str
    value: Callable[[Candidate], str]

    @property
    def full_title(self) -> str:
        return self.title.replace("\n", " ")

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
        "0 is the original; candidates are numbered by seed, shown in the tooltip of the row",
        lambda c: str(c.number),
    ),
    Column(
        "Surprisal",
        "Nats per rewritten note for the passage and all kept notes after it; lower is likelier",
        lambda c: f"{c.measures.region_to_end_nats:.2f}",
    ),
    Column(
        "Rule\nviolations",
        "Violations of the rules of four-part writing in the whole piece",
        lambda c: str(c.measures.rates.total),
    ),
    Column(
        "Phrases\nclosed",
        "Phrase ends of the whole piece with a cadence: authentic, half, plagal or deceptive",
        lambda c: closed(c.measures),
    ),
    Column(
        "Grade",
        "Distance of the whole piece from Bach on eight distributions; lower is nearer",
        lambda c: _NONE if c.measures.grade is None else f"{c.measures.grade:.1f}",
    ),
    Column(
        "Changed",
        "Share of rewritten notes that differ from the original; a candidate without a change "
        "is ranked last",
        lambda c: f"{c.measures.distance.changed:.0%}" if c.measures.distance else _NONE,
    ),
    Column(
        "Copied\nfrom Bach",
        "Share of the passage's two-bar segments that occur in the training chorales, in any key",
        lambda c: f"{c.measures.memorised:.0%}",
    ),
)


def weight_tip(term: ranking.Term) -> str:
    return f"{term.meaning[:1].upper()}{term.meaning[1:]} (default: {term.weight:g})"


def unavailable(term: str) -> str:
    if term == catalogue.CRITIC and catalogue.critic() is None:
        return f"The model {catalogue.CRITIC!r} is missing: reinstall musicrel to use it"
    return ""


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
        lines.insert(0, "Also breaks the rule here")
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
    return f"{sum(map(bool, kinds))} of {len(kinds)}" if kinds else _NONE


def stuck_text(unfinished: Sequence[Stuck]) -> str:
    if not unfinished:
        return ""
    return f"{names.count(len(unfinished), 'candidate')} not completed: {unfinished[0].sentence}"


def _lines(candidate: Candidate, weights: Mapping[str, float]) -> Iterable[str]:
    measures = candidate.measures
    of = f"Candidate {candidate.number}, seed {candidate.seed}"
    of = "The original" if candidate.seed is None else of
    yield f"{of}: score {ranking.score(measures, weights):.3f} (lower is better)"
    yield (
        f"Surprisal: {measures.region_to_end_nats:.3f} nats/note with the notes after the passage, "
        f"{measures.region_nats:.3f} in the passage, {measures.nats:.3f} in the whole piece"
    )
    if measures.grade is not None:
        yield f"Grade {measures.grade:.2f}"
    if measures.critic is not None:
        yield f"Critic: {measures.critic:+.2f} nats that it is not by Bach"
    if measures.distance is not None and candidate.seed is not None:
        apart = measures.distance
        yield f"Changed: {apart.changed:.0%} of notes, by {apart.interval:.1f} semitones on average"
    beats = measures.longest / STEPS_PER_QUARTER
    run = "1 quarter" if beats == 1 else f"{beats:g} quarters"
    yield f"Copied from Bach: {measures.memorised:.0%} of two-bar segments, at most {run} in a row"
    if measures.cadences:
        yield f"Cadences: {', '.join(kind or 'none' for kind in measures.cadences)}"
    yield from marks.summary_lines(measures.rates)
