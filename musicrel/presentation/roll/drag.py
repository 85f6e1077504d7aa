"""Notes that are dragged with the mouse: where they would be, on the grid of sixteenths."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from musicrel.editing.draft import HIGHEST_MIDI
from musicrel.presentation.roll.roll import RollNote
from musicrel.presentation.roll.viewport import Viewport

Kind = Literal["move", "copy", "resize"]
Direction = Literal["any", "time", "pitch"]
"""Ways in which notes may move."""

_EDGE: Final = 7.0
"""Width in pixels of the right edge of a note, by which its end is dragged."""
_EDGE_SHARE: Final = 0.35
"""Greatest share of a note that is its edge, so that a short note can be moved, too."""


class Shift(NamedTuple):
    """A distance that notes are moved by; for an end, the semitones are 0."""

    steps: int
    semitones: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteDrag:
    kind: Kind  # what happens to them; an end is dragged of one note only
    notes: tuple[RollNote, ...]  # the whole notes before the drag, at least one
    step: float  # where the mouse was pressed, in steps with a fraction
    pitch: int  # the row where it was pressed

    def shift(self, step: float, pitch: int, direction: Direction = "any") -> Shift:
        """Return how far the notes are moved with the mouse at ``step`` and ``pitch``."""
        steps, semitones = round(step - self.step), pitch - self.pitch
        if self.kind == "resize":
            shortest = min(note.stop - note.start for note in self.notes)
            return Shift(max(steps, 1 - shortest), 0)
        low, high = min(n.pitch for n in self.notes), max(n.pitch for n in self.notes)
        steps = max(steps, -min(note.start for note in self.notes))
        semitones = min(max(semitones, -low), HIGHEST_MIDI - high)
        return Shift(0 if direction == "pitch" else steps, 0 if direction == "time" else semitones)

    def moved(self, shift: Shift) -> tuple[RollNote, ...]:
        """Return the notes where they would be."""
        if self.kind == "resize":
            return tuple(n._replace(stop=n.stop + shift.steps) for n in self.notes)
        return tuple(
            n._replace(
                start=n.start + shift.steps,
                stop=n.stop + shift.steps,
                pitch=n.pitch + shift.semitones,
            )
            for n in self.notes
        )


def on_edge(view: Viewport, note: RollNote, x: float) -> bool:
    """Return whether pixel ``x`` of the lanes is on the right edge of ``note``."""
    width = (note.stop - note.start) * view.step_width
    return view.x(note.stop) - x <= min(_EDGE, width * _EDGE_SHARE)


def drag_of(
    notes: Iterable[RollNote], step: float, pitch: int, *, at_edge: bool, copies: bool
) -> NoteDrag:
    """Return the drag that begins at a point: of an end, of copies, or of the notes."""
    kind: Kind = "resize" if at_edge else "copy" if copies else "move"
    return NoteDrag(kind=kind, notes=tuple(notes), step=step, pitch=pitch)
