"""The piano roll: its contents, the visible part, and one painter for screen and figure.

Lengths are logical pixels. Steps are sixteenths from 0, ranges half-open.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from musicrel.chorale import ELISION, REST, Chorale, Flags, Key, Meter, Pitches, Voice, spans
from musicrel.figures.figure import Figure
from musicrel.figures.paint import sized_font, translucent, write
from musicrel.language import tr
from musicrel.meter_beats import written_unit
from musicrel.presentation.words import names
from musicrel.presentation.words.palette import Theme
from musicrel.score.editing.notes import Note, notes, notes_in_time
from musicrel.score.editing.selection import Selection
from musicrel.score.notes import note_spans
from musicrel.score.verses.harmonies import harmonies

LOWEST, HIGHEST = 36, 81  # rows that are always shown; a piece beyond them adds rows
_MARGIN_ROWS: Final = 1
_BLACK_KEYS: Final = frozenset({1, 3, 6, 8, 10})


class Unison(NamedTuple):
    """Several voices on one pitch; their rectangles share the row, stacked."""

    start: int  # first step
    stop: int  # the step after the last
    pitch: int  # MIDI number
    voices: tuple[int, ...]  # from the highest to the lowest


class Syllable(NamedTuple):
    """A syllable of the melody, and its note."""

    start: int  # first step
    stop: int  # the step after the last
    pitch: int  # MIDI number
    text: str  # with the number of its verse, if it is the first of one of several


class BarLine(NamedTuple):
    """A bar and its number; a pickup has no bar line."""

    step: int
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll:
    """The contents of a roll, made again from the chorale after each change."""

    notes: tuple[Note, ...]  # by start, then from soprano to bass
    unisons: tuple[Unison, ...]  # overlapping notes, in no order
    words: tuple[Syllable, ...]  # of the first verse of each harmony, by start
    steps: int
    low: int  # lowest pitch with a row
    high: int  # highest pitch with a row
    bars: tuple[BarLine, ...]
    beats: tuple[int, ...]  # first steps of beats that are not on a bar line
    fermatas: tuple[tuple[int, int], ...]  # ranges of steps under a fermata
    written: int  # number of written steps; those after it are still empty
    meter: Meter  # time signature
    pickup: int  # steps before the first bar line
    key: Key | None  # for the spelling of pitch names

    @property
    def everything(self) -> Selection:
        return Selection(voices=tuple(map(int, Voice)), start=0, stop=self.steps)

    def note_at(self, step: float, pitch: int, depth: float = 0.0) -> Note | None:
        """Return the note at a point.

        Args:
            step: in sixteenths, fractions allowed.
            depth: position within the row, 0 at the top, 1 at the bottom; selects in a unison.
        """
        row = (note for note in self.notes if note.pitch == pitch)
        here = sorted((n for n in row if n.start <= step < n.stop), key=lambda n: n.voice)
        return here[min(int(depth * len(here)), len(here) - 1)] if here else None

    def describe(self, note: Note) -> str:
        """Describe a note, as 'Alto F♯4, bar 3, beat 2½, dotted quarter'."""
        sound = f"{Voice(note.voice).title} {names.pitch(note.pitch, self.key)}"
        return f"{sound}, {self.place(note.start)}, {names.length(note.length)}"

    def describe_selection(self, selection: Selection) -> str:
        """Describe a selection, as 'Alto, Tenor: bar 2, beat 1 to bar 3, beat 4'."""
        voices = ", ".join(Voice(voice).title for voice in selection.voices)
        return f"{voices}: {self.passage(selection)}"

    def passage(self, selection: Selection) -> str:
        return names.passage(selection.start, selection.stop, self.meter, self.pickup)

    def place(self, step: int) -> str:
        return names.position(step, self.meter, self.pickup)

    def snapped(self, step: float, grid: int) -> int:
        """Return the line of a grid nearest to a step; bar lines are on it."""
        offset = self.pickup % grid
        return min(max(round((step - offset) / grid) * grid + offset, 0), self.steps)

    def in_band(
        self, steps: Sequence[float], pitches: Sequence[int], grid: int = 1
    ) -> Selection | None:
        """Select the voices in a rectangle, between the nearest lines of a grid of steps."""
        start, stop = (self.snapped(step, grid) for step in (min(steps), max(steps)))
        if grid == 1 or start == stop:  # the steps that it touches
            start, stop = max(math.floor(min(steps)), 0), min(math.ceil(max(steps)), self.steps)
        if start >= stop:
            return None
        band = replace(self.everything, start=start, stop=stop)
        rows = range(min(pitches), max(pitches) + 1)
        voices = {note.voice for note in self.notes if note.pitch in rows and band.touches(note)}
        return replace(band, voices=tuple(sorted(voices))) if voices else None

    def bar_at(self, step: float) -> Selection:
        """Select all voices of the bar with ``step``, within the roll; a pickup is a bar."""
        here = int(min(max(step, 0), self.steps - 1))
        return self.whole_bars(replace(self.everything, start=here, stop=here + 1))

    def whole_bars(self, selection: Selection) -> Selection:
        lines = sorted({0, *(line.step for line in self.bars), self.steps})
        start = max(line for line in lines if line <= selection.start)
        stop = min((line for line in lines if line >= selection.stop), default=self.steps)
        return replace(self.everything, start=start, stop=stop)

    def parts_in(self, part: Selection) -> tuple[Note, ...]:
        """Return the selected parts of notes."""
        return tuple(
            note._replace(start=max(note.start, part.start), stop=min(note.stop, part.stop))
            for note in self.notes
            if part.touches(note)
        )


def draw(chorale: Chorale, written: int | None = None) -> Roll:
    """Return the roll of ``chorale``; without a number, all of its steps are written."""
    sounding = chorale.pitches[chorale.pitches != REST]
    lowest, highest = (sounding.min(), sounding.max()) if sounding.size else (LOWEST, HIGHEST)
    within = chorale.bar_positions()
    beats = np.flatnonzero((within % written_unit(chorale.meter) == 0) & (within != 0))
    return Roll(
        notes=tuple(notes_in_time(chorale)),
        unisons=_unisons(chorale.pitches, chorale.onsets),
        words=tuple(_words(chorale)),
        steps=chorale.steps,
        low=int(min(lowest, LOWEST)) - _MARGIN_ROWS,
        high=int(max(highest, HIGHEST)) + _MARGIN_ROWS,
        bars=tuple(map(BarLine, chorale.bar_line_steps(), itertools.count(1))),
        beats=tuple(beats.tolist()),
        fermatas=tuple(spans(chorale.fermatas)),
        written=chorale.steps if written is None else written,
        meter=chorale.meter,
        pickup=chorale.pickup,
        key=chorale.key,
    )


def _words(chorale: Chorale) -> Iterator[Syllable]:
    words = [word for word in chorale.lyrics if word.voice == Voice.SOPRANO]
    melody = {note.start: note for note in notes_in_time(chorale) if note.voice == Voice.SOPRANO}
    is_numbered = len({word.verse for word in words}) > 1
    chosen = [min(one.verses) for one in harmonies(chorale) if one.verses]
    before: set[int] = set()
    for word in sorted(
        (word for word in words if word.verse in chosen), key=lambda word: word.step
    ):
        note, number = melody[word.step], f"{word.verse}. " if is_numbered else ""
        text = f"{word.text.replace(ELISION, ' ')}{'-' if word.hyphen else ''}"
        yield Syllable(*note[:3], text if word.verse in before else f"{number}{text}")
        before.add(word.verse)


def _unisons(pitches: Pitches, onsets: Flags) -> tuple[Unison, ...]:
    """Return all unisons; one ends where any of its voices begins a new note."""
    same = (pitches[:, :, None] == pitches[:, None, :]) & (pitches != REST)[:, :, None]
    members = same @ (1 << np.arange(len(Voice)))  # (T, voice), a bit per voice on its pitch
    leads = (same.sum(axis=2) > 1) & ~np.tril(same, -1).any(axis=2)  # the highest voice
    found: list[Unison] = []
    for voice in Voice:
        row = np.where(leads[:, voice], pitches[:, voice], REST)
        others = np.append(0, members[:-1, voice]) != members[:, voice]
        again = others | (same[:, voice] & onsets).any(axis=1)
        onset_flags = (row != REST) & (again | (np.append(REST, row[:-1]) != row))
        for start, stop in note_spans(row, onset_flags):
            voices = tuple(np.flatnonzero(same[start, voice]).tolist())
            found.append(Unison(start, stop, int(row[start]), voices))
    return tuple(found)


# ------------------------------------------------------------------------------- the visible part

MIN_STEP_WIDTH, MAX_STEP_WIDTH = 1.0, 72.0
_MIN_FITTED_STEP_WIDTH, _MAX_FITTED_STEP_WIDTH = 3.0, 18.0
_ROOM_AT_THE_END: Final = 12
LOWEST_ROW, HIGHEST_ROW = 3.0, 36.0
# height of a note in pixels, also in rows that are lower by a factor: voices seldom are so close
NOTE_HEIGHT, _NOTE_SHARE = 10.0, 1.6
LEGIBLE_ROW: Final = NOTE_HEIGHT / _NOTE_SHARE  # least height of a row in the first view
HIT: Final = 12.0  # least width and height in pixels of the area in which a note is hit
_FEWEST_BARS, _MOST_BARS = 4, 8  # in the first view of a longer piece
_OPENING_STEP: Final = HIT / 2  # pixels of a sixteenth, with which an eighth can be hit


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewport:
    """A window onto a roll; each method returns a new one, clipped to the roll.

    Pixels are those of the lanes: (0, 0) is their upper left corner, right of the keyboard and
    below the ruler. Steps run to the right, pitches upwards.
    """

    width: int = 1  # visible pixels, left to right
    height: int = 1  # visible pixels, top to bottom
    steps: int = 1  # width of the whole roll in sixteenths
    low: int = 35  # lowest pitch with a row
    high: int = 82  # highest pitch with a row
    bar: int = 16  # steps of a bar
    step_width: float = MIN_STEP_WIDTH  # pixels per sixteenth
    row_height: float = LOWEST_ROW  # pixels per semitone
    left: float = 0.0  # pixels of the roll hidden to the left
    top: float = 0.0  # pixels of the roll hidden above

    @property
    def rows(self) -> int:
        return self.high - self.low + 1

    @property
    def content_width(self) -> float:
        return self.steps * self.step_width

    @property
    def content_height(self) -> float:
        return self.rows * self.row_height

    @property
    def seen_steps(self) -> range:
        """Return the visible steps, partly visible ones included."""
        last = math.ceil((self.left + self.width) / self.step_width)
        return range(max(int(self.left / self.step_width), 0), min(last, self.steps))

    def x(self, step: float) -> float:
        return step * self.step_width - self.left

    def y(self, pitch: float) -> float:
        return (self.high - pitch) * self.row_height - self.top

    @property
    def note_height(self) -> float:
        return max(self.row_height, min(NOTE_HEIGHT, _NOTE_SHARE * self.row_height))

    def box(self, note: Note) -> QRectF:
        width, over = note.length * self.step_width, (self.note_height - self.row_height) / 2
        return QRectF(self.x(note.start), self.y(note.pitch) - over, width, self.note_height)

    def distance(self, note: Note, x: float, y: float) -> float | None:
        """Return how far a pixel is from a note that it hits, and None if it misses it."""
        box = self.box(note)
        wide, high = max(HIT - box.width(), 0) / 2, max(HIT - box.height(), 0) / 2
        if not box.adjusted(-wide, -high, wide, high).contains(x, y):
            return None
        return max(box.left() - x, x - box.right(), abs(y - box.center().y()) - box.height() / 2, 0)

    def step_at(self, x: float) -> float:
        return (x + self.left) / self.step_width

    def pitch_at(self, y: float) -> tuple[int, float]:
        """Return the pitch at a pixel, and the position within its row, 0 to 1."""
        down = (y + self.top) / self.row_height
        return self.high - math.floor(down), down - math.floor(down)

    def fitted(self) -> Viewport:
        """Fit all pitches, and all steps unless they would be too narrow."""
        whole = (self.width - _ROOM_AT_THE_END) / self.steps
        step = min(max(whole, _MIN_FITTED_STEP_WIDTH), _MAX_FITTED_STEP_WIDTH)
        return replace(self, step_width=step, left=0.0).with_fitted_rows()

    def opened(self) -> Viewport:
        """Show the beginning: four to eight bars, in which an eighth can be hit, or the whole."""
        bars = min(max(int(self.width / (self.bar * _OPENING_STEP)), _FEWEST_BARS), _MOST_BARS)
        whole = min((self.width - _ROOM_AT_THE_END) / self.steps, _MAX_FITTED_STEP_WIDTH)
        step = max(self.width / (bars * self.bar), whole)
        return replace(self, step_width=step, left=0.0)

    def with_fitted_rows(self, least: float = LOWEST_ROW, middle: float = 59.0) -> Viewport:
        """Fit all pitches, or those around a middle one if rows would be lower than ``least``."""
        row = max(self.height / self.rows, least)
        if row == self.row_height:
            return self.clipped()
        over = (self.high - middle + 0.5) * row - self.height / 2
        return replace(self, row_height=row, top=over).clipped()

    def beside(self, other: Viewport) -> Viewport:
        wide, high = other.step_width, other.row_height
        view = replace(self, step_width=wide, row_height=high, left=other.left, top=other.top)
        return view.clipped()

    def zoomed(self, factor: float, x: float) -> Viewport:
        step = self.step_at(x)
        least = min(MIN_STEP_WIDTH, self.width / self.steps)
        wide = min(max(self.step_width * factor, least), MAX_STEP_WIDTH)
        return replace(self, step_width=wide, left=step * wide - x).clipped()

    def stretched(self, factor: float, y: float) -> Viewport:
        down, filling = (y + self.top) / self.row_height, self.height / self.rows
        high = min(
            max(self.row_height * factor, min(LOWEST_ROW, filling)), max(HIGHEST_ROW, filling)
        )
        return replace(self, row_height=high, top=down * high - y).clipped()

    def showing(self, step: float) -> Viewport:
        """Scroll by a page if ``step`` is not visible: it is then at a tenth of the width."""
        if 0 <= self.x(step) <= self.width * 0.94:
            return self
        return replace(self, left=step * self.step_width - self.width * 0.1).clipped()

    def clipped(self) -> Viewport:
        """Scroll no farther than the roll, and let rows fill at least the height."""
        row = max(self.row_height, self.height / self.rows)
        rightmost = max(self.content_width - self.width, 0.0)
        lowest = max(self.rows * row - self.height, 0.0)
        left, top = min(max(self.left, 0.0), rightmost), min(max(self.top, 0.0), lowest)
        return replace(self, row_height=row, left=left, top=top)


# ------------------------------------------------------------------------------- the painter

Colours: TypeAlias = Callable[[int, int], tuple[str, str] | None]
"""Function from a voice and a step to fill and outline of the note there; None: those of the voice.
"""

KEYS_WIDTH: Final = 54
KEYBOARD_WIDTH: Final = KEYS_WIDTH + 12
"""Left edge of the lanes; the ranges of the voices are beside the keys."""
NUMBERS_HEIGHT: Final = 34  # height of the bar numbers
PHRASES_HEIGHT: Final = 22  # height of the phrases below them
RULER_HEIGHT: Final = NUMBERS_HEIGHT + PHRASES_HEIGHT  # upper edge of the lanes

_BLACK_KEY_SHARE: Final = 0.6
_MIN_GRID_WIDTH, _MIN_NUMBER_WIDTH, _MIN_ROUND_WIDTH = 9.0, 34.0, 4.0
_LOWEST_LETTER: Final = 9.5
_OCTAVE_LETTERS: Final = 11
_MIN_NAME_WIDTH: Final = 44.0
_MIN_WORD_WIDTH: Final = 18.0
"""Least width of a note with a syllable above it, in pixels."""
_WORDS: Final = 10.5  # height of the words in pixels
_ROOM: Final = 3  # lengths of a note that its syllable may take, where nothing else is
_RADIUS: Final = 3.0
_FERMATA_TOP: Final = 3.0  # upper edge of a fermata, above the bar numbers
_FERMATA_ROOM: Final = 16.0
"""Least distance in pixels of two fermatas; where they are closer, some are left out."""

STEP: Final = 6.0  # width of a sixteenth in the figure
ROW: Final = 10.0  # height of a semitone in the figure
MAX_SYSTEM_STEPS: Final = 192  # maximum steps in a system of the figure, except for longer bars
_MARGIN: Final = 18.0
_TEXT: Final = 12
_CHIP: Final = 14.0
_THIN: Final = 2.0
_CHANGED: Final = 3.0  # least heights of a note in a thumbnail, and of one that is changed


class RollPainter:
    def __init__(
        self,
        painter: QPainter,
        roll: Roll,
        view: Viewport,
        theme: Theme,
        colours: Colours | None = None,
    ) -> None:
        self._painter, self._roll, self._view = painter, roll, view
        self._theme, self._colours = theme, colours

    def backdrop(self) -> None:
        """Draw everything but the notes, the origin at the upper left corner of the whole roll."""
        painter, view, theme = self._painter, self._view, self._theme
        width = KEYBOARD_WIDTH + view.width
        painter.save()
        self._fill(0, 0, width, RULER_HEIGHT, theme.panel)
        self._fill(0, RULER_HEIGHT, KEYBOARD_WIDTH, view.height, theme.panel)
        self._fill(0, RULER_HEIGHT - 1, width, 1, theme.line_bar)
        painter.translate(KEYBOARD_WIDTH, 0)
        self.ruler()
        painter.translate(0, RULER_HEIGHT)
        self.paper()
        painter.translate(-KEYBOARD_WIDTH, 0)
        self.keyboard()
        painter.restore()

    def paper(self) -> None:
        """Draw rows and grid, the origin at the upper left corner of the lanes."""
        theme, width, height = self._theme, self._view.width, self._view.height
        right = self._view.x(self._roll.steps)
        self._painter.save()
        self._clip(width, height)
        for pitch in range(self._roll.low, self._roll.high + 1):
            top, bottom = self._row(pitch)
            colour = theme.lane_black if _is_black(pitch) else theme.lane
            self._fill(0, top, min(right, width), bottom - top, colour)
            if pitch % 12 == 0:
                self._fill(0, bottom - 1, min(right, width), 1, theme.line_beat)
        for start, stop in self._roll.fermatas:
            columns = self._view.x(stop) - self._view.x(start)
            self._fill(self._view.x(start), 0, columns, height, translucent(theme.accent, 0.102))
        self._grid()
        if right < width:
            self._fill(right, 0, width - right, height, theme.panel)
            self._fill(right, 0, 2, height, theme.line_bar)
        self._painter.restore()

    def _fill(self, x: float, y: float, width: float, height: float, colour: str | QColor) -> None:
        self._painter.fillRect(QRectF(x, y, width, height), QColor(colour))

    def _clip(self, width: float, height: float) -> None:
        self._painter.setClipRect(QRectF(0, 0, width, height), Qt.ClipOperation.IntersectClip)

    def _grid(self) -> None:
        seen, width = self._view.seen_steps, self._view.step_width
        if width >= _MIN_GRID_WIDTH:
            self._verticals(tuple(seen), self._theme.line_step)
        if width * 4 >= _MIN_GRID_WIDTH:
            self._verticals(self._roll.beats, self._theme.line_beat)
        self._verticals(tuple(line.step for line in self._roll.bars), self._theme.line_bar)

    def _verticals(self, steps: tuple[int, ...], colour: str) -> None:
        self._painter.setPen(QPen(QColor(colour), 1))
        seen = self._view.seen_steps
        for step in steps:
            if seen.start <= step <= seen.stop:
                x = round(self._view.x(step)) + 0.5
                self._painter.drawLine(QLineF(x, 0, x, self._view.height))

    def ruler(self) -> None:
        """Draw bar numbers and fermatas, the origin at the left edge of the lanes."""
        self._painter.save()
        self._clip(self._view.width, NUMBERS_HEIGHT)
        self._bar_numbers()
        self._fermata_signs()
        self._painter.restore()

    def _bar_numbers(self) -> None:
        painter, view = self._painter, self._view
        painter.setFont(sized_font(painter.font(), 11, QFont.Weight.Normal))
        every = self._numbers_every()
        for line in self._roll.bars:
            x = round(view.x(line.step)) + 0.5
            if not -_MIN_NUMBER_WIDTH < x < view.width:
                continue
            painter.setPen(QPen(QColor(self._theme.line_bar), 1))
            painter.drawLine(QLineF(x, NUMBERS_HEIGHT - 7, x, NUMBERS_HEIGHT))
            if (line.number - 1) % every == 0:
                painter.setPen(QColor(self._theme.quiet))
                painter.drawText(QPointF(x + 4, NUMBERS_HEIGHT - 9), str(line.number))

    def _numbers_every(self) -> int:
        bar = self._roll.meter.steps * self._view.step_width
        return next((n for n in (1, 2, 4, 8, 16) if bar * n >= _MIN_NUMBER_WIDTH), 32)

    def _fermata_signs(self) -> None:
        painter = self._painter
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        free_from = 0.0
        for start, stop in self._roll.fermatas:
            middle = (self._view.x(start) + self._view.x(stop)) / 2
            if middle < free_from:
                continue
            free_from = middle + _FERMATA_ROOM
            painter.setPen(QPen(QColor(self._theme.accent), 1.6, c=Qt.PenCapStyle.RoundCap))
            painter.drawArc(QRectF(middle - 6.5, _FERMATA_TOP, 13, 13), 15 * 16, 150 * 16)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self._theme.accent))
            painter.drawEllipse(QPointF(middle, _FERMATA_TOP + 6.5), 1.7, 1.7)

    def keyboard(self) -> None:
        painter, theme, height = self._painter, self._theme, self._view.height
        painter.save()
        self._clip(KEYS_WIDTH, height)
        self._fill(0, 0, KEYS_WIDTH, height, theme.key_white)
        for pitch in range(self._roll.low, self._roll.high + 1):
            self._key(pitch)
        self._fill(KEYS_WIDTH - 1, 0, 1, height, theme.line_bar)
        painter.setFont(sized_font(painter.font(), _OCTAVE_LETTERS, QFont.Weight.DemiBold))
        painter.setPen(QColor(theme.on_key))
        for box, name in self.octave_boxes():
            painter.fillRect(box, QColor(theme.key_white))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, name)
        painter.restore()

    def octave_boxes(self) -> Iterator[tuple[QRectF, str]]:
        """Yield the places of the names of visible Cs, right of the black keys, and the names."""
        left, height = KEYS_WIDTH * _BLACK_KEY_SHARE + 1, _OCTAVE_LETTERS + 2.0
        for pitch in range(self._roll.low, self._roll.high + 1):
            top, bottom = self._row(pitch)
            if pitch % 12 == 0 and bottom > 0 and top < self._view.height:
                over = (top + bottom - height) / 2
                over = max(min(over, self._view.height - height), 0.0)
                yield QRectF(left, over, KEYS_WIDTH - 2 - left, height), names.pitch(pitch)

    def _key(self, pitch: int) -> None:
        top, bottom = self._row(pitch)
        gap, length = self._theme.line_bar, KEYS_WIDTH * _BLACK_KEY_SHARE
        if _is_black(pitch):
            self._fill(length, round((top + bottom) / 2), KEYS_WIDTH - length, 1, gap)
            self._fill(0, top, length, bottom - top, self._theme.key_black)
        elif not _is_black(pitch - 1):
            self._fill(0, bottom - 1, KEYS_WIDTH, 1, gap)

    def notes(self, first: int = 0) -> None:
        """Draw the visible notes from a step on, the origin at the corner of the lanes."""
        seen = self._view.seen_steps
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        letters = max(min(11.0, self._view.note_height - 1.5), 6.0)
        self._painter.setFont(sized_font(self._painter.font(), letters))
        notes = [note for note in self._roll.notes if _overlaps(note, seen, first)]
        unisons = [unison for unison in self._roll.unisons if _overlaps(unison, seen, first)]
        for note in notes:
            self._bar(self.box(note), note.voice, note.start)
        for unison in unisons:
            self._unison(unison)
        if self._view.note_height >= _LOWEST_LETTER:
            self._painter.setPen(QColor(self._theme.on_voice))
            self._letters(notes, unisons)
        self._syllables(seen, first)

    def _syllables(self, seen: range, first: int) -> None:
        """Write the words above their notes, where no other voice is, as far as they have room."""
        painter = self._painter
        painter.setFont(sized_font(painter.font(), _WORDS, QFont.Weight.Normal))
        painter.setPen(QColor(self._theme.text))
        metrics = QFontMetricsF(painter.font())
        over = metrics.ascent() + metrics.descent() / 2
        words = [word for word in self._roll.words if _overlaps(word, seen, first)]
        places = [self.box(word).adjusted(0, -over, 0, 0) for word in words]
        for place, (word, box) in enumerate(zip(words, places, strict=True), start=1):
            room = QRectF(box.left(), box.top(), _ROOM * box.width(), over)
            for other in filter(room.intersects, places[place : place + _ROOM]):
                room.setRight(other.left() - 2)
            text = metrics.elidedText(word.text, Qt.TextElideMode.ElideRight, room.width())
            if box.width() >= _MIN_WORD_WIDTH and text[1:2] != "…":
                painter.drawText(room.bottomLeft() - QPointF(0, metrics.descent() / 2), text)

    def _bar(self, box: QRectF, voice: int, step: int, rounding: float = _RADIUS) -> None:
        radius = min(rounding, box.height() / 3)
        usual = self._theme.voices[voice], self._theme.voice_edges[voice]
        fill, edge = (self._colours and self._colours(voice, step)) or usual
        if box.width() < _MIN_ROUND_WIDTH:
            self._painter.fillRect(box, QColor(edge))
            return
        self._painter.setBrush(QColor(fill))
        self._painter.setPen(QPen(QColor(edge), 1))
        self._painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)

    def _unison(self, unison: Unison) -> None:
        box = self.box(unison)
        height = box.height() / len(unison.voices)
        for place, voice in enumerate(unison.voices):
            stripe = QRectF(box.left(), box.top() + place * height, box.width(), height)
            self._bar(stripe, voice, unison.start, 0)

    def _letters(self, notes: list[Note], unisons: list[Unison]) -> None:
        shared = {(unison.start, unison.pitch): unison.stop for unison in unisons}
        for note in notes:
            free_from = shared.get((note.start, note.pitch), note.start)
            label = Voice(note.voice).letter
            self._label(note._replace(start=min(free_from, note.stop)), label, named=True)
        for unison in unisons:
            self._label(unison, "".join(Voice(voice).letter for voice in unison.voices))

    def _label(self, part: Note | Unison, letters: str, *, named: bool = False) -> None:
        box = self.box(part)  # as far as it is visible
        left, right = max(box.left(), 0), min(box.right(), self._view.width)
        if right - left < 11 * len(letters):
            return
        if named and right - left >= _MIN_NAME_WIDTH:
            letters += f"  {names.pitch(part.pitch, self._roll.key)}"
        inside = QRectF(left + 3.5, box.top(), right - left - 3.5, box.height())
        self._painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter, letters)

    def box(self, part: Note | Unison | Syllable) -> QRectF:
        box = self._view.box(Note(part.start, part.stop, part.pitch, 0))
        left, right = round(box.left()), round(box.right())
        top, bottom = round(box.top()), round(box.bottom())
        return QRectF(left + 1, top, max(right - left - 1, 1), max(bottom - top, 1))

    def _row(self, pitch: int) -> tuple[int, int]:
        """Return the upper and lower edge of a row, in whole pixels so that rows have no seams."""
        return round(self._view.y(pitch)), round(self._view.y(pitch - 1))


def _is_black(pitch: int) -> bool:
    return pitch % 12 in _BLACK_KEYS


def _overlaps(part: Note | Unison | Syllable, seen: range, first: int) -> bool:
    return part.stop > max(seen.start, first) and part.start < seen.stop


def draw_thumbnail(
    painter: QPainter,
    piece: Chorale,
    size: QSizeF,
    theme: Theme,
    *,
    changed: Collection[Note] | None = None,
    part: tuple[int, int] | None = None,
) -> None:
    """Draw the notes of a piece only, in the rows from the lowest to the highest one.

    Args:
        changed: the notes in colour, drawn last, and high enough to be seen among many; None: all.
        part: first step of the part that is drawn, and the step after its last; None: the whole.
    """
    first, last = part or (0, piece.steps)
    found = [note for note in notes(piece) if note.start < last and note.stop > first]
    low = min((note.pitch for note in found), default=0)
    rows = max((note.pitch for note in found), default=0) - low + 1
    wide, tall = size.width() / max(last - first, 1), size.height() / rows
    for note in sorted(found, key=lambda note: note in (changed or ())):
        muted = changed is not None and note not in changed
        height = max(tall, _THIN if muted or changed is None else _CHANGED)
        left, right = max(note.start, first) - first, min(note.stop, last) - first
        width = max((right - left) * wide - 1, _THIN)
        top = size.height() - max((note.pitch - low + 1) * tall, height)
        box = QRectF(left * wide, top, width, height)
        painter.fillRect(box, QColor(theme.line_bar if muted else theme.voices[note.voice]))


# ------------------------------------------------------------------------------- the figure


@dataclass(frozen=True, slots=True, kw_only=True)
class RollSystem:
    top: float
    bottom: float
    start: int  # first step
    stop: int  # the step after the last
    view: Viewport


def figure(
    chorale: Chorale,
    theme: Theme,
    colours: Colours | None = None,
    beside: Sequence[Chorale] = (),
) -> Figure:
    """Return the roll of a whole piece, broken into systems as a score is."""
    picture, lines = _page(chorale, beside)
    widest = max(line.view.width for line in lines)
    width = math.ceil(max(2 * _MARGIN + KEYS_WIDTH + widest, 720.0))

    def paint(painter: QPainter) -> None:
        _heading(painter, chorale, theme, width=width, legend=colours is None)
        for line in lines:
            _system(RollPainter(painter, picture, line.view, theme, colours), painter, line, theme)

    return Figure(
        width=width,
        height=math.ceil(lines[-1].bottom + _MARGIN),
        background=theme.panel,
        title=tr("Piano roll of {title}", title=chorale.title or tr("a chorale")),
        paint=paint,
    )


def systems(chorale: Chorale, beside: Sequence[Chorale] = ()) -> tuple[RollSystem, ...]:
    return _page(chorale, beside)[1]


def _page(chorale: Chorale, beside: Sequence[Chorale]) -> tuple[Roll, tuple[RollSystem, ...]]:
    picture = draw(chorale)
    pitches = [note.pitch for piece in (chorale, *beside) for note in draw(piece).notes]
    pitches = pitches or [picture.low, picture.high]
    picture = replace(picture, low=min(pitches) - 1, high=max(pitches) + 1)
    bar, bars = picture.meter.steps, max(len(picture.bars), 1)
    stretch = -(-bars // -(-bars // max(MAX_SYSTEM_STEPS // bar, 1))) * bar
    breaks = range(picture.pickup + stretch, picture.steps, stretch)
    height = round((picture.high - picture.low + 1) * ROW)
    lines: list[RollSystem] = []
    top = 0.0
    for start, stop in itertools.pairwise([0, *breaks, picture.steps]):
        view = Viewport(
            width=round((stop - start) * STEP), height=height, steps=picture.steps,
            low=picture.low, high=picture.high, step_width=STEP, row_height=ROW, left=start * STEP,
        )  # fmt: skip
        bottom = top + NUMBERS_HEIGHT + height + (0 if lines else 64.0)
        lines.append(RollSystem(top=top, bottom=bottom, start=start, stop=stop, view=view))
        top = bottom + 16.0
    return picture, tuple(lines)


def _system(roll: RollPainter, painter: QPainter, line: RollSystem, theme: Theme) -> None:
    view, lanes = line.view, line.bottom - line.view.height
    painter.save()
    painter.translate(_MARGIN, lanes)
    roll.keyboard()
    painter.translate(KEYS_WIDTH, 0)
    roll.paper()
    painter.save()
    painter.setClipRect(QRectF(0, 0, view.width, view.height), Qt.ClipOperation.IntersectClip)
    roll.notes()
    painter.restore()
    ends = line.stop == view.steps
    painter.fillRect(QRectF(view.width, 0, 3 if ends else 1, view.height), QColor(theme.line_bar))
    painter.translate(0, -NUMBERS_HEIGHT)
    roll.ruler()
    painter.restore()


def _heading(
    painter: QPainter, chorale: Chorale, theme: Theme, *, width: int, legend: bool
) -> None:
    painter.save()
    right = width - _MARGIN
    small = sized_font(painter.font(), _TEXT, QFont.Weight.Normal)
    title, facts = chorale.title or tr("Chorale"), _facts(chorale)
    write(painter, QRectF(_MARGIN, 10, right - _MARGIN, 28), title, theme.text, 18, bold=True)
    for voice in reversed(Voice) if legend else ():
        right -= QFontMetricsF(small).horizontalAdvance(voice.title)
        chip = QRectF(right - _CHIP - 6.0, 41, _CHIP, _CHIP)
        painter.setFont(small)
        painter.setPen(QColor(theme.quiet))
        painter.drawText(QPointF(right, 52), voice.title)
        painter.setPen(QColor(theme.voice_edges[voice]))
        painter.setBrush(QColor(theme.voices[voice]))
        painter.drawRoundedRect(chip.adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)
        painter.setFont(sized_font(small, _TEXT - 2))
        painter.setPen(QColor(theme.on_voice))
        painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, voice.letter)
        right = chip.left() - _CHIP
    write(painter, QRectF(_MARGIN, 38, right - _MARGIN, 20), facts, theme.quiet, _TEXT)
    painter.restore()


def _facts(chorale: Chorale) -> str:
    facts = [chorale.composer] if chorale.composer else []
    facts += [names.key(chorale.key)] if chorale.key else []
    facts += [str(chorale.meter), tr("{tempo:g} BPM", tempo=chorale.tempo)]
    if made := chorale.provenance:
        facts.append(tr("{model}, seed {seed}", model=made.model, seed=made.seed))
    return " · ".join(facts)
