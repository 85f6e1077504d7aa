"""The request "write candidates without this": the notes around a rule violation, written again.

The passage is as small as makes musical sense: the voices of the violation without the melody, from
the beat before to the end of the beat, in whole notes. A rule that can be enforced while notes are
written is on for this request; for the others, candidates that break it are ranked last.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from musicrel.chorale import REST, Chorale, Flags, Voice
from musicrel.errors import UsageError
from musicrel.generation.constraints.rules import HARD_RULES
from musicrel.meter_beats import written_unit
from musicrel.presentation.compose.form import Form, Task, change, with_model
from musicrel.presentation.marks import Mark

# fewest candidates of a request, so that there is a choice where a rule can only be filtered
CANDIDATES: Final = 8
LOCKED: Final = (
    "All notes around this violation are locked: unlock one of its voices (Ctrl+K) to rewrite it"
)
_LOWER: Final = (Voice.ALTO, Voice.TENOR, Voice.BASS)
_OUTER: Final = (Voice.SOPRANO, Voice.BASS)


def task(
    piece: Chorale,
    mark: Mark,
    kept: Flags,
    form: Form,
    *,
    attempt: int = 0,
    rewriting: str = "",
) -> Task:
    """Return the task to write candidates without a violation.

    The hard rule that prevents it is on. Rules that the kept notes break would make the request
    impossible: they are off for once.

    Args:
        kept: locked cells, bool (T, 4).
        attempt: number of requests before that did not help; each frees more voices.
        rewriting: as in ``form.rewrite``.
    """
    free = passage(piece, mark, kept, attempt=attempt)
    form = with_model(form, free, rewriting)
    count = max(form.candidates, CANDIDATES)

    def with_rules(*rules: str) -> Task:
        asked = replace(form, rules=rules)
        return change(piece, free, asked, count=count, avoided=mark.rule)

    def is_possible(rule: str) -> bool:
        try:
            with_rules(rule)
        except UsageError:
            return False
        return True

    preventing = {name for name, rule in HARD_RULES.items() if mark.rule in rule.findings}
    wanted = [name for name in HARD_RULES if name in {*form.rules, *preventing}]
    try:
        return with_rules(*wanted)
    except UsageError:
        return with_rules(*filter(is_possible, wanted))


def passage(piece: Chorale, mark: Mark, kept: Flags, *, attempt: int = 0) -> Flags:
    """Return the cells to rewrite around a violation, bool (T, 4)."""
    around = _notes_around(piece, mark)
    choices = list(_choices(around & ~kept, mark))
    if not choices:
        raise UsageError(LOCKED)
    return choices[min(attempt, len(choices) - 1)]


def _choices(free: Flags, mark: Mark) -> Iterator[Flags]:
    """Yield the cells to rewrite at the first attempt, the second and so on, each set larger.

    The melody stays unless it alone is at fault, or everything else was tried. One voice against a
    kept soprano and kept inner voices has hardly a choice: with the bass these are free, too.
    """
    lower = [voice for voice in mark.voices if voice in _LOWER]
    first = _LOWER if mark.voices == _OUTER else lower or mark.voices
    yet = 0
    for voices in (first, (*_LOWER, *first), tuple(Voice)):
        chosen = free.copy()
        chosen[:, [voice for voice in Voice if voice not in voices]] = False
        if chosen.sum() > yet:
            yet = int(chosen.sum())
            yield chosen


def _notes_around(piece: Chorale, mark: Mark) -> Flags:
    """Return the notes that sound from the beat before a violation to the end of its beat."""
    beat = written_unit(piece.meter)
    first = mark.step - (mark.step - piece.pickup) % beat - beat
    start, stop = max(first, 0), mark.stop + (piece.pickup - mark.stop) % beat
    cells = np.zeros(piece.pitches.shape, dtype=np.bool_)
    cells[start:stop] = True
    number = piece.onsets.cumsum(axis=0)
    for voice in Voice:
        sounds = np.isin(number[:, voice], number[start:stop, voice])
        cells[:, voice] |= sounds & (piece.pitches[:, voice] != REST)
    return cells
