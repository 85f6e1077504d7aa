"""The piano roll of a whole piece as a drawing, broken into systems as a score is.

Voices have colours and letters. Steps are sixteenths from 0, ranges half-open; lengths are pixels.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from musicrel.chorale import Chorale, Voice
from musicrel.presentation.drawing.drawing import Drawing, Item, Line, Rectangle, Text
from musicrel.presentation.roll import heading, roll
from musicrel.presentation.roll.roll import Roll, RollNote, Unison
from musicrel.presentation.words import names
from musicrel.presentation.words.palette import Theme

Colours: TypeAlias = Callable[[int, int], tuple[str, str] | None]
"""Function from a voice and a step to fill and outline of the note there; None: those of the voice.
"""

STEP: Final = 6.0
"""Width of a sixteenth."""
ROW: Final = 10.0
"""Height of a semitone."""
MAX_SYSTEM_STEPS: Final = 192
"""Maximum steps in a system, except for longer bars."""

_MARGIN: Final = 18.0
_FIRST_SYSTEM: Final = heading.HEIGHT
_RULER: Final = 34.0
_NUMBERS_UP: Final = 19.0
_KEYBOARD: Final = 36.0
_BLACK_KEY: Final = 21.0
_BETWEEN: Final = 16.0
_MIN_PAGE_WIDTH: Final = 720.0
_MIN_LETTER_SIZE: Final = 4.0
_BOLD_LETTER_WIDTH: Final = 0.72
_HALF_A_LETTER: Final = 0.36
"""Width of a capital and half its height, in font sizes."""
_NUMBER_SIZE: Final = 11.0
_LETTER_SIZE: Final = 8.5
_FERMATA_OPACITY: Final = 0.12
_FERMATA_RADIUS: Final = 6.5
_ARC: Final = range(-80, 81, 10)
"""Angles of a fermata's arc in degrees from its top."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _System:
    """A range of steps and its position on the page."""

    start: int  # first step
    stop: int  # the step after the last
    top: float  # upper edge of the ruler
    high: int  # pitch of the highest row
    rows: int  # number of semitones

    @property
    def lanes(self) -> float:
        """Return the upper edge of the highest row."""
        return self.top + _RULER

    @property
    def bottom(self) -> float:
        """Return the lower edge of the lowest row."""
        return self.lanes + self.rows * ROW

    @property
    def right(self) -> float:
        """Return the right edge of the last step."""
        return self.x(self.stop)

    def x(self, step: float) -> float:
        """Return the left edge of a step, clipped to the system."""
        inside = min(max(step, self.start), self.stop)
        return _MARGIN + _KEYBOARD + (inside - self.start) * STEP

    def y(self, pitch: int) -> float:
        """Return the upper edge of a row."""
        return self.lanes + (self.high - pitch) * ROW

    def shows(self, start: int, stop: int) -> bool:
        """Return whether any of these steps is in the system."""
        return start < self.stop and stop > self.start


def draw(
    chorale: Chorale,
    theme: Theme,
    colours: Colours | None = None,
    beside: Sequence[Chorale] = (),
) -> Drawing:
    """Draw the roll of ``chorale``.

    Args:
        colours: of the notes; None: those of their voices.
        beside: pieces drawn beside it; the rows have their range, too.
    """
    picture = roll.draw(chorale)
    pitches = [note.pitch for piece in (chorale, *beside) for note in roll.draw(piece).notes]
    systems = list(_systems(picture, pitches or [picture.low, picture.high]))
    width = max(max(system.right for system in systems) + _MARGIN, _MIN_PAGE_WIDTH)
    edges, is_usual = {"left": _MARGIN, "right": width - _MARGIN}, colours is None
    items = list(heading.draw(chorale, theme, **edges, voices=is_usual))
    for system in systems:
        items += [
            *_paper(system, picture, theme),
            *_keyboard(system, theme),
            *_ruler(system, picture, theme),
            *_notes(system, picture, theme, colours),
        ]
    return Drawing(
        width=math.ceil(width),
        height=math.ceil(systems[-1].bottom + _MARGIN),
        background=theme.panel,
        title=f"Piano roll of {chorale.title or 'a chorale'}",
        items=tuple(items),
    )


def _systems(picture: Roll, pitches: Sequence[int]) -> Iterator[_System]:
    """Break the piece into as few systems as possible, with equal numbers of bars."""
    bar = picture.meter.steps
    bars = max(len(picture.bars), 1)
    count = -(-bars // max(MAX_SYSTEM_STEPS // bar, 1))
    stretch = -(-bars // count) * bar
    breaks = range(picture.pickup + stretch, picture.steps, stretch)
    high, rows = max(pitches) + 1, max(pitches) - min(pitches) + 3
    top = _FIRST_SYSTEM
    for start, stop in itertools.pairwise([0, *breaks, picture.steps]):
        system = _System(start=start, stop=stop, top=top, high=high, rows=rows)
        top = system.bottom + _BETWEEN
        yield system


# ------------------------------------------------------------------------------- one system


def _paper(system: _System, picture: Roll, theme: Theme) -> Iterator[Item]:
    """Draw rows, fermatas, beats and bar lines."""
    left, width = system.x(system.start), system.right - system.x(system.start)
    for pitch in range(system.high - system.rows + 1, system.high + 1):
        fill = theme.lane_black if roll.is_black(pitch) else theme.lane
        yield Rectangle(x=left, y=system.y(pitch), width=width, height=ROW, fill=fill)
        if pitch % 12 == 0:
            yield _level(system, pitch, theme.line_beat)
    for start, stop in picture.fermatas:
        if system.shows(start, stop):
            yield Rectangle(
                x=system.x(start), y=system.lanes, width=system.x(stop) - system.x(start),
                height=system.bottom - system.lanes, fill=theme.accent, opacity=_FERMATA_OPACITY,
            )  # fmt: skip
    yield from (_upright(system, s, theme.line_beat) for s in picture.beats if _inside(system, s))
    yield from (
        _upright(system, line.step, theme.line_bar)
        for line in picture.bars
        if _inside(system, line.step)
    )
    yield _upright(system, system.stop, theme.line_bar, 3 if system.stop == picture.steps else 1)


def _inside(system: _System, step: int) -> bool:
    return system.start <= step < system.stop


def _upright(system: _System, step: int, colour: str, width: float = 1) -> Item:
    x = system.x(step)
    return Rectangle(
        x=x, y=system.lanes, width=width, height=system.bottom - system.lanes, fill=colour
    )


def _level(system: _System, pitch: int, colour: str) -> Item:
    left = system.x(system.start)
    return Rectangle(
        x=left, y=system.y(pitch - 1) - 1, width=system.right - left, height=1, fill=colour
    )


def _keyboard(system: _System, theme: Theme) -> Iterator[Item]:
    height = system.bottom - system.lanes
    yield Rectangle(x=_MARGIN, y=system.lanes, width=_KEYBOARD, height=height, fill=theme.key_white)
    for pitch in range(system.high - system.rows + 1, system.high + 1):
        y = system.y(pitch)
        if roll.is_black(pitch):
            yield Rectangle(
                x=_MARGIN, y=y + ROW / 2, width=_KEYBOARD, height=1, fill=theme.line_bar
            )
            yield Rectangle(x=_MARGIN, y=y, width=_BLACK_KEY, height=ROW, fill=theme.key_black)
        elif not roll.is_black(pitch - 1):
            yield Rectangle(
                x=_MARGIN, y=y + ROW - 1, width=_KEYBOARD, height=1, fill=theme.line_bar
            )
        if pitch % 12 == 0:
            yield Text(
                x=_MARGIN + _KEYBOARD - 3, y=y + ROW - 2, text=names.pitch(pitch),
                size=_LETTER_SIZE, colour=theme.on_key, anchor="end",
            )  # fmt: skip


def _ruler(system: _System, picture: Roll, theme: Theme) -> Iterator[Item]:
    """Draw bar numbers, and fermatas below them."""
    for line in picture.bars:
        if _inside(system, line.step):
            x = system.x(line.step)
            yield Rectangle(
                x=x, y=system.top + 6, width=1, height=_RULER - 6, fill=theme.line_bar
            )  # fmt: skip
            yield Text(
                x=x + 4, y=system.lanes - _NUMBERS_UP, text=str(line.number),
                size=_NUMBER_SIZE, colour=theme.quiet,
            )  # fmt: skip
    for start, stop in picture.fermatas:
        if system.shows(start, stop):
            middle = (system.x(start) + system.x(stop)) / 2
            yield from _fermata(middle, system.lanes - 5, theme.accent)


def _fermata(x: float, y: float, colour: str) -> Iterator[Item]:
    """Draw an arc over a dot; ``x``, ``y`` is the centre of its base."""
    radius = _FERMATA_RADIUS
    arc = tuple(
        (x + radius * math.sin(math.radians(angle)), y - radius * math.cos(math.radians(angle)))
        for angle in _ARC
    )
    yield Line(points=arc, colour=colour, width=1.6)
    yield Rectangle(x=x - 1.5, y=y - 3, width=3, height=3, fill=colour)


def _notes(system: _System, picture: Roll, theme: Theme, colours: Colours | None) -> Iterator[Item]:
    """Draw the notes with their letters; voices in unison are stacked in their row."""
    shared = {(unison.start, unison.pitch): unison.stop for unison in picture.unisons}
    for note in picture.notes:
        if system.shows(note.start, note.stop):
            yield _bar(system, note, theme, colours)
            alone = note._replace(start=shared.get((note.start, note.pitch), note.start))
            yield from _letters(system, alone, Voice(note.voice).letter, theme)
    for unison in picture.unisons:
        if system.shows(unison.start, unison.stop):
            yield from _stripes(system, unison, theme, colours)
            voices = "".join(Voice(voice).letter for voice in unison.voices)
            yield from _letters(system, unison, voices, theme)


def _bar(system: _System, note: RollNote, theme: Theme, colours: Colours | None) -> Rectangle:
    usual = theme.voices[note.voice], theme.voice_edges[note.voice]
    fill, edge = (colours and colours(note.voice, note.start)) or usual
    left, right = system.x(note.start) + 1, system.x(note.stop)
    return Rectangle(
        x=left,
        y=system.y(note.pitch),
        width=max(right - left, 1),
        height=ROW,
        fill=fill,
        edge=edge,
    )


def _stripes(
    system: _System, unison: Unison, theme: Theme, colours: Colours | None
) -> Iterator[Item]:
    height = ROW / len(unison.voices)
    for place, voice in enumerate(unison.voices):
        note = RollNote(unison.start, unison.stop, unison.pitch, voice)
        whole = _bar(system, note, theme, colours)
        yield replace(whole, y=whole.y + place * height, height=height)


def _letters(system: _System, part: RollNote | Unison, voices: str, theme: Theme) -> Iterator[Item]:
    """Draw the letters of the voices, scaled to the note's width; omit them if too small."""
    left = system.x(part.start) + 2
    room = system.x(part.stop) - left - 1
    size = min(_LETTER_SIZE, room / len(voices) / _BOLD_LETTER_WIDTH)
    if size >= _MIN_LETTER_SIZE:
        foot = system.y(part.pitch) + ROW / 2 + size * _HALF_A_LETTER
        yield Text(x=left, y=foot, text=voices, size=size, colour=theme.on_voice, bold=True)
