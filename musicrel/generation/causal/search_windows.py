"""Windows of a search: the tokens that are searched together, and what they lead to.

Without locked cells ahead, each phrase is searched, a few bars at a time, and how it closes is
drawn in Bach's proportions unless it is requested. With locked cells ahead, all free tokens are
searched, and the phrases close as those notes allow.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from musicrel.chorale import STEPS_PER_QUARTER, Chorale, spans
from musicrel.generation import cadence_list
from musicrel.generation.phrasing import drawn_cadences
from musicrel.tokens import codec

_WINDOW_STEPS: Final = 8 * STEPS_PER_QUARTER
"""Length of a window."""
_LAST_STEPS: Final = 4 * STEPS_PER_QUARTER
"""A rest of the free tokens, or of a phrase up to its last chord, that is shorter than this belongs
to the window before."""
_AHEAD_STEPS: Final = 4 * STEPS_PER_QUARTER
"""Steps after a window that are read to see how it leads into them."""


class PhraseEnd(NamedTuple):
    """A planned phrase end.

    Attributes:
        step: its first step.
        stop: the step after its last.
        kind: of its cadence, see ``musicrel.analysis.cadences``; "": any.
        is_drawn: True if the kind was drawn, not requested; "" then leaves the end to the model.
    """

    step: int
    stop: int
    kind: str
    is_drawn: bool = False

    @property
    def last(self) -> int:
        """Return the index of its last token."""
        return self.stop * codec.VOICES

    @property
    def approach(self) -> range:
        """Return the index of the last token before its first step, and those of that step."""
        before = self.step * codec.VOICES
        return range(before, before + codec.VOICES + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A window.

    Attributes:
        first: index of the first token.
        last: index of the last token that is kept.
        read: index of the last token that is read to judge the others, at least ``last``.
        ends: the phrase ends up to ``read``.
        is_open: True if no locked cells lie ahead.
    """

    first: int
    last: int
    read: int
    ends: tuple[PhraseEnd, ...] = ()
    is_open: bool = False

    def with_drawn_kinds(self, seed: int, steps: int) -> Window:
        """Return the window with drawn cadences where any will do and no notes are given.

        Args:
            seed: seed of the notes.
            steps: length of the piece.
        """
        if not self.is_open:
            return self
        ends = (end if end.kind else _drawn(end, seed, steps) for end in self.ends)
        return replace(self, ends=tuple(ends))

    def is_checkpoint(self, index: int) -> bool:
        """Return True where particles can be resampled before the token ``index``.

        That is on every beat, and within the last chord of a requested cadence.
        """
        is_in_cadence = (index - 1 in end.approach for end in self.ends if end.kind)
        return ends_beat(index - 1) or any(is_in_cadence)


def ends_beat(index: int) -> bool:
    """Return True if the token ``index`` is the last one of a quarter."""
    return index % (STEPS_PER_QUARTER * codec.VOICES) == 0


def planned_ends(plan: Chorale, conditions: Collection[str], cadence: str) -> list[PhraseEnd]:
    """Return the phrase ends that a model knows of, or that have a requested cadence.

    Args:
        plan: length and fermatas of the piece.
        conditions: names of the conditions of the model.
        cadence: requested cadences, as ``cadence_list`` reads them.
    """
    fermatas = [*spans(plan.fermatas)]
    if not fermatas or fermatas[-1][1] < plan.steps:
        fermatas.append((max(plan.steps - STEPS_PER_QUARTER, 0), plan.steps))
    kinds = cadence_list.parse(cadence)
    kinds = kinds * len(fermatas) if len(kinds) == 1 else kinds[: len(fermatas)]
    kinds += ("",) * (len(fermatas) - len(kinds))
    ends = [PhraseEnd(*span, kind) for span, kind in zip(fermatas, kinds, strict=True)]
    return [end for end in ends if end.kind or _is_known(end, plan, conditions)]


def windows(ends: Sequence[PhraseEnd], locked_tokens: codec.Ids, first: int) -> list[Window]:
    """Return the windows of a piece, in order.

    Args:
        ends: its phrase ends, in order.
        locked_tokens: int64 (4 T,), the token of every locked cell, -1 elsewhere.
        first: index of the first token to write.
    """
    free = np.flatnonzero(locked_tokens[first - 1 :] < 0) + first
    if not len(free):
        return []
    if (locked_tokens[free[0] - 1 :] >= 0).any():
        return _before_locked_cells(ends, free, len(locked_tokens))
    return _by_phrases(ends, int(free[0]))


def _by_phrases(ends: Sequence[PhraseEnd], first: int) -> list[Window]:
    """Return windows over all tokens up to the last end; each phrase ends with one of its own."""
    found = []
    for end in ends:
        while end.approach.start - first >= (_WINDOW_STEPS + _LAST_STEPS) * codec.VOICES:
            last = (codec.cell_of(first)[0] + _WINDOW_STEPS) * codec.VOICES
            found.append(Window(first=first, last=last, read=last, is_open=True))
            first = last + 1
        if end.last >= first:
            last = end.last
            found.append(Window(first=first, last=last, read=last, ends=(end,), is_open=True))
            first = last + 1
    return found


def _before_locked_cells(ends: Sequence[PhraseEnd], free: codec.Ids, length: int) -> list[Window]:
    """Return windows over all free tokens.

    Args:
        ends: the phrase ends.
        free: int64, the indices of the free tokens.
        length: index of the last token.
    """
    found = []
    while len(free):
        stop = (codec.cell_of(int(free[0]))[0] + _WINDOW_STEPS) * codec.VOICES
        if free[-1] <= stop + _LAST_STEPS * codec.VOICES:
            stop = int(free[-1])
        first, last = int(free[0]), int(free[free <= stop][-1])
        step = codec.cell_of(last)[0] + 1
        read = min((step + _AHEAD_STEPS) * codec.VOICES, length)
        inside = tuple(end for end in ends if first <= end.last <= read)
        found.append(Window(first=first, last=last, read=read, ends=inside))
        free = free[free > stop]
    return found


def _drawn(end: PhraseEnd, seed: int, steps: int) -> PhraseEnd:
    """Return a phrase end with a drawn cadence, which is requested at the end of the piece."""
    is_last = end.stop == steps
    kind = drawn_cadences.draw_kind(seed, end.step, is_last=is_last)
    return end._replace(kind=kind, is_drawn=not (is_last and kind))


def _is_known(end: PhraseEnd, plan: Chorale, conditions: Collection[str]) -> bool:
    """Return True if a condition of the model marks a phrase end."""
    is_last, has_fermata = end.stop == plan.steps, bool(plan.fermatas[end.step : end.stop].all())
    return (is_last and "ending" in conditions) or (has_fermata and "fermata" in conditions)
