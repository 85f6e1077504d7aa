"""A recorded take, and its conversion to music.

One bar is counted in; notes played in it already are the pickup. A gap of less than three half
sixteenths is articulation, not a rest. The rest is done by the importers of files: notes are
quantised to the nearest sixteenth, and the bars in which they moved are reported.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Sequence
from typing import Final, Literal

from musicrel.chorale import Key, Meter, Voice
from musicrel.score.importing import melody_import, satb_import
from musicrel.score.importing.conversion import ImportedPiece
from musicrel.score.importing.note_pairing import KeyEvent, paired
from musicrel.score.importing.source import Line, RawNote, Source, implied_bar_lines

Kind = Literal["melody", "chords"]
TITLES: Final = {"melody": "Played melody", "chords": "Played chords"}

_MAX_GAP: Final = 1.5
"""The longest gap between two notes that does not count as a rest, in sixteenths."""
_MIN_LENGTH: Final = 0.05
"""The minimum length of a note in sixteenths; some keyboards send both events at once."""


class Take:
    """All notes played, from the count-in on; written by one thread, read by any.

    Args:
        tempo: tempo of the click, quarters per minute.
        key: the key, None for unknown.
    """

    def __init__(
        self, meter: Meter, tempo: float, kind: Kind, voice: Voice, key: Key | None = None
    ) -> None:
        self._meter, self._tempo, self._key = meter, tempo, key
        self._kind, self._voice = kind, voice
        self._played: list[KeyEvent] = []

    def record(self, step: float, pitch: int, *, pressed: bool) -> None:
        """Record a key press or release.

        Args:
            step: sixteenths since the first click of the count-in.
            pressed: True for a press.
        """
        self._played.append(KeyEvent(step - self._meter.steps, pressed, pitch))

    def bar_and_beat(self, step: float) -> tuple[int, int]:
        bar, within = divmod(max(step, 0.0), self._meter.steps)
        return int(bar), int(within * self._meter.denominator / 16) + 1

    def reading(self, step: float) -> ImportedPiece:
        """Convert the notes played until ``step`` to a piece, with a report of the changes."""
        source = self._source(step - self._meter.steps)
        if self._kind == "chords":
            return satb_import.import_satb(source, is_in_chords=True)
        return melody_import.import_melody(source, self._voice)

    def _source(self, end: float) -> Source:
        notes = _legato(_notes(tuple(self._played), end))
        early = -math.floor(notes[0].start + 0.5) if notes else 0
        pickup = max(early, 0)
        moved = tuple(_shifted(note, pickup) for note in notes)
        stop = max((note.stop for note in moved), default=0.0)
        return Source(
            lines=(Line(name="", notes=moved, end=stop),),
            bar_lines=tuple(implied_bar_lines([(0.0, self._meter)], float(pickup), stop)),
            meters=((0.0, self._meter),),
            pickup=float(pickup % self._meter.steps),
            key=self._key,
            tempo=self._tempo,
            title=TITLES[self._kind],
        )


def _notes(played: Sequence[KeyEvent], end: float) -> list[RawNote]:
    """List the notes by start; those still held end at ``end``."""
    found = paired(played)
    return sorted(
        _note(note.start, min(note.stop, end), note.pitch)
        for note in (*found.notes, *found.empty, *found.endless)
    )


def _legato(notes: Sequence[RawNote]) -> list[RawNote]:
    """Extend each of ``notes`` (by start) to the next one if the gap is short."""
    starts = [note.start for note in notes]
    found = []
    for note in notes:
        place = bisect.bisect_left(starts, note.stop)
        after = starts[place] if place < len(starts) else math.inf
        found.append(note._replace(stop=after) if after - note.stop < _MAX_GAP else note)
    return found


def _note(start: float, stop: float, pitch: int) -> RawNote:
    return RawNote(start, max(stop, start + _MIN_LENGTH), pitch)


def _shifted(note: RawNote, steps: int) -> RawNote:
    start = max(note.start + steps, 0.0)
    return RawNote(start, max(note.stop + steps, start + _MIN_LENGTH), note.pitch)
