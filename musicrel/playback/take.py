"""What was played along with a click, as music.

One bar is counted in; what is played in it already is the pickup. A gap of less than three half
sixteenths is a player's touch and no rest. The rest is the readers' of files: notes go to the
nearest sixteenth, and the bars in which they were moved for that are named.

This file knows pitches and steps; it knows nothing of ports, clicks or seconds.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple

from musicrel.chorale import Key, Meter, Voice
from musicrel.score.importing import melody_import, satb_import
from musicrel.score.importing.conversion import Reading
from musicrel.score.importing.source import Line, Sound, Source, counted

Kind = Literal["melody", "chords"]
TITLES: Final = {"melody": "Played melody", "chords": "Played chords"}

_TOUCH: Final = 1.5
"""Sixteenths between two notes that are no rest."""
_SHORTEST: Final = 0.05
"""Sixteenths that a note lasts at least; some keyboards send both at once."""


class _Key(NamedTuple):
    """A key that was struck or let go."""

    step: float
    pitch: int
    begins: bool


class Take:
    """All that is played, from the count-in on; told by one thread, read by any.

    Args:
        meter: of the click.
        tempo: of the click, quarters a minute.
        kind: whether one note sounds at a time, or four voices together.
        voice: who sings a melody.
        key: the key, None where it is not known.
    """

    def __init__(
        self, meter: Meter, tempo: float, kind: Kind, voice: Voice, key: Key | None = None
    ) -> None:
        self._meter, self._tempo, self._key = meter, tempo, key
        self._kind, self._voice = kind, voice
        self._played: list[_Key] = []

    def hear(self, step: float, pitch: int, *, begins: bool) -> None:
        """Note that a key was struck or let go.

        Args:
            step: sixteenths since the first click of the count-in.
            pitch: MIDI number.
            begins: whether it was struck.
        """
        self._played.append(_Key(step - self._meter.steps, pitch, begins))

    def bar_and_beat(self, step: float) -> tuple[int, int]:
        """The bar, 0 while it is counted in, and the beat in it, from 1, at ``step`` as above."""
        bar, within = divmod(max(step, 0.0), self._meter.steps)
        return int(bar), int(within * self._meter.denominator / 16) + 1

    def reading(self, step: float) -> Reading:
        """What was played until ``step``, with a report of what had to be bent.

        Raises:
            DataError: nothing was.
        """
        source = self._source(step - self._meter.steps)
        if self._kind == "chords":
            return satb_import.reading(source, is_in_chords=True)
        return melody_import.reading(source, self._voice)

    def _source(self, end: float) -> Source:
        sounds = _connected(_sounds(tuple(self._played), end))
        early = -math.floor(sounds[0].start + 0.5) if sounds else 0
        pickup = max(early, 0)
        moved = tuple(_later(sound, pickup) for sound in sounds)
        stop = max((sound.stop for sound in moved), default=0.0)
        return Source(
            lines=(Line(name="", sounds=moved, end=stop),),
            bar_lines=tuple(counted([(0.0, self._meter)], float(pickup), stop)),
            meters=((0.0, self._meter),),
            pickup=float(pickup % self._meter.steps),
            key=self._key,
            tempo=self._tempo,
            title=TITLES[self._kind],
        )


def _sounds(played: Iterable[_Key], end: float) -> list[Sound]:
    """The notes, by start; those that still sound end at ``end``."""
    begun: dict[int, float] = {}
    found: list[Sound] = []
    for key in played:
        start = begun.pop(key.pitch, None)
        if start is not None:
            found.append(_sound(start, key.step, key.pitch))
        if key.begins:
            begun[key.pitch] = key.step
    found += [_sound(start, end, pitch) for pitch, start in begun.items()]
    return sorted(found)


def _connected(sounds: Sequence[Sound]) -> list[Sound]:
    """``sounds`` (by start), each held on until the next begins, where that is soon."""
    starts = [sound.start for sound in sounds]
    found = []
    for sound in sounds:
        place = bisect.bisect_left(starts, sound.stop)
        after = starts[place] if place < len(starts) else math.inf
        found.append(sound._replace(stop=after) if after - sound.stop < _TOUCH else sound)
    return found


def _sound(start: float, stop: float, pitch: int) -> Sound:
    return Sound(start, max(stop, start + _SHORTEST), pitch)


def _later(sound: Sound, steps: int) -> Sound:
    """``sound`` moved to ``steps`` later, not before the beginning."""
    start = max(sound.start + steps, 0.0)
    return Sound(start, max(sound.stop + steps, start + _SHORTEST), sound.pitch)
