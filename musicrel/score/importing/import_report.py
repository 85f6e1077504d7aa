"""The report of an import: clauses that name what was changed, and in which bars.

Readers add each issue with its time; the clauses are formatted at the end, one for each kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from musicrel.score.importing.source import IssueKind, Source, Time

MAX_NAMED_RANGES: Final = 12
"""Further ranges of bars are only counted."""

_SENTENCES: Final[Mapping[IssueKind, str]] = {
    "moved": "notes off the sixteenth-note grid (triplets?) were quantised in {bars}",
    "lost": "notes too short for the sixteenth-note grid were left out in {bars}",
    "empty": "notes of zero length were left out in {bars}",
    "endless": "notes without a note-off, which start in {bars}, were ended at the next note or at "
    "the end of their track",
    "grace": "grace notes were left out in {bars}",
    "cue": "cue notes were left out in {bars}",
    "unpitched": "notes without a pitch were left out in {bars}",
    "unreadable": "notes whose pitch cannot be read were left out in {bars}",
    "signature": "a key, meter or transposition that cannot be used was ignored in {bars}",
    "microtone": "quarter tones were rounded to semitones in {bars}",
    "repeat": "repeats, endings and jumps in {bars} were ignored, the bars were read in printed "
    "order",
    "chord": "chords within one voice were reduced to the outer note in {bars}",
    "overlap": "overlapping notes were shortened in {bars}",
    "dropped": "more than four notes sound together, inner notes were left out in {bars}",
    "doubt": "the voice assignment is uncertain in {bars}",
    "unison": "a single note on a staff was given to both of its voices in {bars}",
    "gap": "nothing begins or ends for hundreds of quarters after {bars}, the file was read up to "
    "there (to read on, set MUSICREL_MAX_GAP to a number of quarters above 256)",
    "drums": "the notes on channel 10, which start in {bars}, were taken as drums and left out",
    "cut": "it is cut off: a track is missing",
    "tracks": "its header gives the wrong number of tracks, all tracks in the file were read",
    "length": "a track has the wrong length in its header and was read to its end",
    "broken": "a track is damaged or cut off and was read up to {bars}",
    "damaged": "damaged events were ignored in {bars}",
    "tempo": "tempos outside 5 to 600 quarters a minute were ignored in {bars}",
    "seconds": "its times are in seconds, not in beats: tempo and note values were estimated",
    "folded": "notes outside the range of the voice were transposed by octaves in {bars}",
}
_LEFT_OUT: Final[Sequence[IssueKind]] = (
    "lyrics", "chord symbols", "figured bass", "dynamics", "slurs", "articulations", "ornaments",
    "pedal marks", "playing techniques", "text", "markers", "movement title", "movement number",
    "work number", "lyricist", "arranger",
    "other names", "copyright",
)  # fmt: skip
"""Kinds that are named together in one clause, without bars, as the last of a report."""


class Report:
    """Collects the issues of ``source``, starting with those its reader found."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._times: dict[IssueKind, set[Time]] = {}
        self._sentences: list[str] = []
        for issue in source.issues:
            self.add_issue(*issue)

    def add_issue(self, kind: IssueKind, time: Time) -> None:
        """Add an issue at ``time`` (steps)."""
        self._times.setdefault(kind, set()).add(time)

    def add_sentence(self, sentence: str) -> None:
        """Add a clause of free text."""
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
            verb = "was" if is_one else "were"
            return (*issues, *self._sentences, f"{listed(left_out)} {verb} left out")
        return (*issues, *self._sentences)

    def bars(self, indices: Iterable[int]) -> str:
        """Name the bars with these indices in the source, as in "bars 1, 4 to 6 and 9"."""
        runs = _runs(sorted(indices))
        named = [self._run(first, last) for first, last in runs[:MAX_NAMED_RANGES]]
        if left := len(runs) - len(named):
            named.append(f"{left} more places")
        single = len(runs) == 1 and runs[0][0] == runs[0][1]
        return f"bar {named[0]}" if single else f"bars {listed(named)}"

    def _run(self, first: int, last: int) -> str:
        ends = [self._source.bar_lines[index].label for index in (first, last)]
        return ends[0] if first == last else " to ".join(ends)


def listed(words: Sequence[str]) -> str:
    """Join ``words`` as in "a, b and c"."""
    return " and ".join([*filter(None, [", ".join(words[:-1])]), *words[-1:]])


def itemised(clauses: Sequence[str]) -> str:
    """Format ``clauses`` to follow a colon: one in its line, more of them in a line each."""
    return f" {clauses[0]}" if len(clauses) == 1 else "".join(f"\n• {part}" for part in clauses)


def _runs(indices: Sequence[int]) -> list[tuple[int, int]]:
    """List first and last of each run of three or more in ``indices`` (ascending), else singles."""
    runs: list[tuple[int, int]] = []
    for index in indices:
        if runs and index == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], index)
        else:
            runs.append((index, index))
    return [
        part
        for first, last in runs
        for part in (
            [(first, last)] if last - first > 1 else [(i, i) for i in range(first, last + 1)]
        )
    ]
