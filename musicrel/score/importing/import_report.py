"""What became of a file's music, in sentences that name the bars.

Whoever reads a file notes each trouble where it meets it; the sentences are made at the end, one
for each kind. This file knows words and bar numbers; it knows nothing of how troubles are mended.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from musicrel.score.importing.source import Source, Time, Trouble

MOST_BARS_NAMED: Final = 12
"""Further ones are only counted."""

_SENTENCES: Final[Mapping[Trouble, str]] = {
    "moved": "notes between two sixteenths (triplets?) were moved to the nearest one in {bars}",
    "lost": "notes too short for the grid of sixteenths were left out in {bars}",
    "empty": "notes without length were left out in {bars}",
    "endless": "notes that never end were ended with their track; they begin in {bars}",
    "grace": "grace notes were left out in {bars}",
    "cue": "cue notes were left out in {bars}",
    "unpitched": "notes without a pitch were left out in {bars}",
    "repeat": "repeats, endings and jumps are not played out, bars follow as they are printed: "
    "see {bars}",
    "chord": "of notes that sound together in one voice only the outer one was kept in {bars}",
    "overlap": "notes that still sounded when the next began were shortened in {bars}",
    "dropped": "more than four notes sound together, inner ones were left out in {bars}",
    "doubt": "which voice sings what is a guess in {bars}",
    "folded": "notes too high or too low for the voice were moved by octaves in {bars}",
}


class Report:
    """Collects what is found in ``source``, beginning with what its reader found."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._times: dict[Trouble, set[Time]] = {}
        self._said: list[str] = []
        for finding in source.findings:
            self.found(*finding)

    def found(self, trouble: Trouble, time: Time) -> None:
        """Note ``trouble`` at ``time`` (steps)."""
        self._times.setdefault(trouble, set()).add(time)

    def say(self, sentence: str) -> None:
        """Add a sentence of one's own."""
        self._said.append(sentence)

    def sentences(self) -> tuple[str, ...]:
        """All that was found and said; troubles in the order of the table, then the rest."""
        found = [
            sentence.format(bars=self.bars({self._source.bar_at(time) for time in times}))
            for trouble, sentence in _SENTENCES.items()
            if (times := self._times.get(trouble))
        ]
        return (*found, *self._said)

    def bars(self, indices: Iterable[int]) -> str:
        """The bars with these indices in the source, as in "bars 1, 4 to 6 and 9"."""
        runs = _runs(sorted(indices))
        named = [self._run(first, last) for first, last in runs[:MOST_BARS_NAMED]]
        if left := len(runs) - len(named):
            named.append(f"{left} more places")
        single = len(runs) == 1 and runs[0][0] == runs[0][1]
        return f"bar {named[0]}" if single else f"bars {listed(named)}"

    def _run(self, first: int, last: int) -> str:
        ends = [self._source.bar_lines[index].label for index in (first, last)]
        return ends[0] if first == last else " to ".join(ends)


def listed(words: Sequence[str]) -> str:
    """``words`` as a sentence lists them: "a, b and c"."""
    return " and ".join([*filter(None, [", ".join(words[:-1])]), *words[-1:]])


def _runs(indices: Sequence[int]) -> list[tuple[int, int]]:
    """First and last of each run in ``indices`` (rising); fewer than three neighbours are none."""
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
