"""Windows of a search: the tokens that are searched together, and what they lead to.

Without locked cells ahead, each phrase is searched, a few bars at a time, and how it closes is
drawn in Bach's proportions unless it is requested. With locked cells ahead, all free tokens are
searched, and the phrases close as those notes allow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from musicrel.chorale import STEPS_PER_QUARTER, Key
from musicrel.generation.phrasing.phrase_ends import PhraseEnd
from musicrel.model.tokens import codec

_WINDOW_STEPS: Final = 8 * STEPS_PER_QUARTER  # length of a window
_LAST_STEPS: Final = 4 * STEPS_PER_QUARTER
"""A rest of the free tokens, or of a phrase up to its last chord, that is shorter than this belongs
to the window before."""
_LEFT_OPEN: Final = 3.0
"""Phrase ends left to a model for each that Bach leaves without a cadence. With 3, relative closes
90 % of its phrases and vanilla 86, Bach 88."""
_AHEAD_STEPS: Final = 4 * STEPS_PER_QUARTER
"""Steps after a window that are read to see how it leads into them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A window from ``first`` to ``last``, the last token that is kept."""

    first: int
    last: int
    read: int  # index of the last token that is read to judge the others
    ends: tuple[PhraseEnd, ...] = ()
    is_open: bool = False  # no locked cells lie ahead

    @property
    def leaves_key(self) -> bool:
        """Return True for a first phrase whose close is drawn on another degree than the tonic."""
        return self.first == 1 and any(end.degree for end in self.ends)

    def up_to(self, stop: int) -> Window:
        ends = tuple(end for end in self.ends if end.last <= stop)
        return replace(self, last=min(self.last, stop), read=min(self.read, stop), ends=ends)

    def with_drawn_closes(self, seed: int, steps: int, key: Key | None) -> Window:
        """Return the window with drawn closes where any will do and no notes are given."""
        if not self.is_open:
            return self
        ends = (end if end.kind else end.drawn(seed, steps, key, _LEFT_OPEN) for end in self.ends)
        return replace(self, ends=tuple(ends))

    def is_checkpoint(self, index: int) -> bool:
        """Return True where particles can be resampled before the token ``index``.

        That is on every beat, and within the last chord of a requested cadence.
        """
        is_in_cadence = (index - 1 in end.approach for end in self.ends if end.kind)
        return ends_beat(index - 1) or any(is_in_cadence)

    def is_judged(self, index: int) -> bool:
        """Return True where particles get new weights or are resampled after a token."""
        ends_phrase = any(index == end.last for end in self.ends)
        return index == self.read or ends_phrase or self.is_checkpoint(index + 1)


def ends_beat(index: int) -> bool:
    """Return True if the token ``index`` is the last one of a quarter."""
    return index % (STEPS_PER_QUARTER * codec.VOICES) == 0


def windows(
    ends: Sequence[PhraseEnd], locked_tokens: codec.Ids, first: int, stop: int
) -> list[Window]:
    """Return the windows of a piece, in order, from the index ``first`` on.

    Those without locked cells ahead are cut off after ``stop``: the last chords of phrases may be
    one, so that a Stollen ends within a window.
    """
    free = np.flatnonzero(locked_tokens[first - 1 :] < 0) + first
    if not len(free):
        return []
    if (locked_tokens[free[0] - 1 :] >= 0).any():
        return _before_locked_cells(ends, free, len(locked_tokens))
    found = _by_phrases(ends, int(free[0]))
    return [window.up_to(stop) for window in found if window.first <= stop]


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
