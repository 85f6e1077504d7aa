"""Words under a melody: a line of text for each phrase, a syllable for each note.

Phrases end at fermatas. Without one for each line, as in most hymnals, lines end where
their syllables are used up and the melody rests: at fermatas, before rests, on long notes.

A line with fewer syllables than notes extends them where hymns do so most: on the later of equal
notes within a beat, rather than on a new bar or a repeated pitch. A line with more has the rest of
its syllables together under its last note, so that nothing of the text is lost.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Final

from musicrel import meter_beats
from musicrel.chorale import ELISION, Chorale, Lyric, Voice
from musicrel.score.notes import notes
from musicrel.score.verses.harmonies import harmonies
from musicrel.score.verses.syllables import Line, Syllable, Verse

# How good a place a note is to end a line, 0 for the best; and the costs around it, in the same
# unit: of a fermata within a line, a syllable without a note, a note more than its line needs.
_END_BEFORE_REST: Final = 0.5
_END_ON_LONG: Final = 1.0
_END_ELSEWHERE: Final = 3.0
_PASSED_FERMATA: Final = 2.0
_MISSING_NOTE: Final = 4.0
_SPARE_NOTE: Final = 1.0
_LEFT_OVER: Final = 0.5  # a note after the last line
_LONG: Final = 2  # times the median length of a note
_MOST_KEPT: Final = 64  # ways to end a line that are followed up, the best ones
_MOST_NOTES: Final = 3  # notes on a syllable of a line, on average
# Weights of a regression on public-domain hymns: of a note that extends a syllable.
_SAME_BEAT: Final = 2.0  # as the note before, of the same length
_SHORT: Final = 1.5  # shorter than the median
_REPEATED: Final = -3.5  # at the pitch of the note before
_BAR_BEGINS: Final = -3.0
_LATE_IN_BAR: Final = -0.8
_LATE_IN_LINE: Final = 1.3
_AROUND: Final = ' ,;:.!?¡¿…–—-"“”„«»'  # a title
_LONGEST_TITLE: Final = 60  # letters


@dataclass(frozen=True, slots=True)
class SetLine:
    """The fit of a line of text to the notes of its phrase."""

    verse: int  # from 1, as the line
    line: int
    syllables: int
    notes: int
    needed: int  # notes that need a syllable of their own

    @property
    def fits(self) -> bool:
        """Return whether every syllable has a note, and no note lacks a syllable."""
        return self.needed <= self.syllables <= self.notes


@dataclass(frozen=True, slots=True)
class Setting:
    """The words of a whole text under one voice."""

    lyrics: tuple[Lyric, ...]
    lines: tuple[SetLine, ...]

    @property
    def misfits(self) -> tuple[SetLine, ...]:
        """Return the lines with too many or too few syllables."""
        return tuple(line for line in self.lines if not line.fits)


def set_under(piece: Chorale, text: Sequence[Verse], voice: Voice = Voice.SOPRANO) -> Setting:
    """Set the verses of ``text`` under the notes of ``voice``, each in its own harmony.

    Verses with as many lines as the first one get the phrases of that one. A text that revises the
    words that are there leaves them under their notes: lines with as many syllables as before, in
    verses with as many lines, of which at least half are such lines.
    """
    first, *later = harmonies(piece)
    present = lines_under(piece, voice)
    numbers = [*present] if len(present) == len(text) else range(1, len(text) + 1)
    home = {verse: one for one in later for verse in one.verses}
    lyrics: list[Lyric] = []
    lines: list[SetLine] = []
    for one in (first, *later):
        verses = {n: its for n, its in zip(numbers, text, strict=True) if home.get(n, first) == one}
        found = _set_under(piece.cropped(one.start, one.stop), verses, voice)
        lyrics += (replace(word, step=word.step + one.start) for word in found.lyrics)
        lines += found.lines
    return Setting(tuple(lyrics), tuple(sorted(lines, key=lambda line: line.verse)))


def _set_under(piece: Chorale, text: Mapping[int, Verse], voice: Voice) -> Setting:
    melody = _Melody(piece, voice)
    lyrics: list[Lyric] = []
    lines: list[SetLine] = []
    phrases: dict[int, list[range]] = {}
    present = lines_under(piece, voice)
    for verse, its_lines in text.items():
        sizes = [len(line) for line in its_lines]
        before = present.get(verse, [])
        if not _is_revised(before, sizes):
            before = [[]] * len(sizes)
        if before[0]:
            places = melody.places(before)
        else:
            places = phrases.get(len(sizes)) or melody.divided(sizes)
        phrases.setdefault(len(sizes), places)
        for number, (line, old, place) in enumerate(zip(its_lines, before, places, strict=True), 1):
            if len(old) == len(line):
                lines.append(SetLine(verse, number, len(line), len(place), len(line)))
                lyrics += map(_revised, old, line)
                continue
            needed = len(place) - melody.passing(place)
            lines.append(SetLine(verse, number, len(line), len(place), needed))
            lyrics += melody.words(line, place, verse)
    return Setting(tuple(lyrics), tuple(lines))


def _is_revised(before: Sequence[Sequence[Lyric]], sizes: Sequence[int]) -> bool:
    same = sum(len(old) == size for old, size in zip(before, sizes, strict=False))
    return len(before) == len(sizes) and 2 * same >= len(sizes)


def _revised(word: Lyric, syllable: Syllable) -> Lyric:
    if syllable == (word.text, word.hyphen):
        return word
    text, hyphen = syllable
    return replace(word, text=text, hyphen=hyphen, extends=word.extends and not hyphen)


def text_under(piece: Chorale, voice: Voice = Voice.SOPRANO) -> str:
    """Return the words of ``voice`` as a text, which ``syllables.verses`` reads again.

    A line ends at a fermata or rest, and on a long note before a capital letter.
    """
    verses = lines_under(piece, voice).values()
    return "\n\n".join("\n".join(map(_text, lines)) for lines in verses)


def known_under(piece: Chorale, voice: Voice = Voice.SOPRANO) -> Mapping[str, Line]:
    """Return how the lines and the undivided words of ``voice`` are set, by their text."""
    lines = [line for verse in lines_under(piece, voice).values() for line in verse]
    found: dict[str, Line] = {}
    for line in lines:
        goes_on = False
        for word in line:
            if not (goes_on or word.hyphen):
                found[word.text] = (Syllable(word.text),)
            goes_on = word.hyphen
    return found | {
        " ".join(_text(line).split()): tuple(Syllable(word.text, word.hyphen) for word in line)
        for line in lines
    }


def lines_under(piece: Chorale, voice: Voice = Voice.SOPRANO) -> Mapping[int, list[list[Lyric]]]:
    """Return the words of ``voice`` by verse and line; the lines end as in ``text_under``."""
    melody = _Melody(piece, voice)
    verses: dict[int, list[list[Lyric]]] = {}
    for word in (word for word in piece.lyrics if word.voice == voice):
        lines = verses.setdefault(word.verse, [[]])
        last = lines[-1][-1] if lines[-1] else None
        if last and not last.hyphen:
            end = melody.end_between(last.step, word.step)
            if end < _END_ON_LONG + word.text[0].isupper():
                lines.append([])
        lines[-1].append(word)
    return verses


def first_words(words: Iterable[Lyric]) -> str:
    """Return the words of the first verse as a title, without the punctuation around them.

    A long one ends after one of its words, with an ellipsis.
    """
    ordered = sorted(words, key=lambda word: (word.verse, word.step))
    verse = [word for word in ordered if word.verse == ordered[0].verse]
    whole = "".join(f"{word.text}{'' if word.hyphen else ' '}" for word in verse)
    text = " ".join(whole.replace(ELISION, " ").split()).strip(_AROUND)
    if len(text) <= _LONGEST_TITLE:
        return text
    return f"{text[:_LONGEST_TITLE].rpartition(' ')[0].rstrip(_AROUND) or text[:_LONGEST_TITLE]} …"


def _text(line: Sequence[Lyric]) -> str:
    return "".join(f"{word.text}{'-' if word.hyphen else ' '}" for word in line).strip(" -")


class _Melody:
    """The notes of one voice, of which lines take ranges."""

    def __init__(self, piece: Chorale, voice: Voice) -> None:
        self._voice = voice
        self._notes = notes(piece, voice)
        held = [*piece.fermatas.tolist(), False]
        self._fermatas = [held[note.stop - 1] and not held[note.stop] for note in self._notes]
        self._median = median([note.length for note in self._notes] or [1])
        self._beat, self._bar = meter_beats.beat(piece.meter), piece.meter.steps
        self._places = [(note.start - piece.pickup) % self._bar for note in self._notes]
        passes = [self._passes(index) for index in range(len(self._notes))]
        self._passing = [*itertools.accumulate(passes, initial=0)]
        self._held = [*itertools.accumulate(self._fermatas, initial=0)]

    def places(self, lines: Sequence[Sequence[Lyric]]) -> list[range]:
        """Return the notes of lines of words, each to the next line; the last to its last word."""
        starts = [note.start for note in self._notes]
        last = lines[-1][-1]
        end = len(starts) if last.extends else starts.index(last.step) + 1
        first = [starts.index(line[0].step) for line in lines]
        return [range(*pair) for pair in itertools.pairwise([*first, end])]

    def passing(self, place: range) -> int:
        """Count the notes that pass within a beat, but for the first of a line."""
        return self._passing[place.stop] - self._passing[place.start + 1] if place else 0

    def divided(self, sizes: Sequence[int]) -> list[range]:
        """Return the notes of lines of so many syllables; none is left for lines beyond the end."""
        ends = [index + 1 for index, held in enumerate(self._fermatas) if held]
        if len(ends) == len(sizes):
            return [range(*pair) for pair in itertools.pairwise([0, *ends])]
        best = {0: (0.0, [0])}  # notes used so far -> the least cost and the ends of lines
        for size in sizes:
            found: dict[int, tuple[float, list[int]]] = {}
            for start, (cost, before) in best.items():
                for stop in self._stops(start, size):
                    total = cost + self._cost(size, range(start, stop))
                    if total < found.get(stop, (math.inf,))[0]:
                        found[stop] = total, [*before, stop]
            best = dict(sorted(found.items(), key=lambda entry: entry[1][0])[:_MOST_KEPT])
        count = len(self._notes)
        _, chosen = min(
            (cost + _LEFT_OVER * (count - stop), ends) for stop, (cost, ends) in best.items()
        )
        return [range(*pair) for pair in itertools.pairwise(chosen)]

    def _stops(self, start: int, size: int) -> range:
        """Return where a line may end; it has a note, unless none is left."""
        count = len(self._notes)
        return range(
            min(start + max(size // 2, 1), count), min(start + _MOST_NOTES * size, count) + 1
        )

    def _cost(self, size: int, place: range) -> float:
        if not place:
            return _MISSING_NOTE * size
        last = place[-1]
        spare = len(place) - size
        passed = self._held[last] - self._held[place.start]
        missing, loose = max(-spare, 0), max(spare - self.passing(place), 0)
        fit = _MISSING_NOTE * missing + _SPARE_NOTE * loose
        return fit + _PASSED_FERMATA * passed + self._end(last)

    def end_between(self, start: int, stop: int) -> float:
        """Return how good the best place is to end a line among the notes of some steps."""
        inside = (index for index, n in enumerate(self._notes) if start <= n.start < stop)
        return min(map(self._end, inside), default=_END_ELSEWHERE)

    def _end(self, index: int) -> float:
        note = self._notes[index]
        if self._fermatas[index] or index + 1 == len(self._notes):
            return 0.0
        if self._notes[index + 1].start > note.stop:
            return _END_BEFORE_REST
        return _END_ON_LONG if note.length >= _LONG * self._median else _END_ELSEWHERE

    def _passes(self, index: int) -> bool:
        """Return whether a note follows another within a beat, at another pitch."""
        if index == 0:
            return False
        before, note = self._notes[index - 1], self._notes[index]
        on_beat = self._places[index] % self._beat == 0
        return not on_beat and before.stop == note.start and before.pitch != note.pitch

    def words(self, line: Line, place: range, verse: int) -> Iterator[Lyric]:
        """Yield the syllables of a line under its notes."""
        begun = self._begun(len(line), place)
        if not begun:
            return
        under = [*line[: len(begun) - 1], _together(line[len(begun) - 1 :])]
        for index, syllable, after in zip(begun, under, [*begun[1:], place.stop], strict=True):
            yield Lyric(
                voice=self._voice,
                verse=verse,
                step=self._notes[index].start,
                text=syllable.text,
                hyphen=syllable.hyphen,
                extends=after > index + 1 and not syllable.hyphen,
            )

    def _begun(self, count: int, place: range) -> list[int]:
        """Choose the notes that begin a syllable; the first one always does."""
        spare = max(len(place) - count, 0)
        by_weight = sorted(place[1:], key=lambda index: self._sung_on(index, place), reverse=True)
        return sorted({*place} - {*by_weight[:spare]})

    def _sung_on(self, index: int, place: range) -> float:
        """Return how likely a note is to extend the syllable of the one before."""
        before, note = self._notes[index - 1], self._notes[index]
        in_bar = self._places[index]
        return (
            _SAME_BEAT * (note.length == before.length and self._in_one_beat(index))
            + _SHORT * (note.length < self._median)
            + _REPEATED * (note.pitch == before.pitch)
            + _BAR_BEGINS * (in_bar == 0)
            + _LATE_IN_BAR * in_bar / self._bar
            + _LATE_IN_LINE * (index - place.start) / len(place)
        )

    def _in_one_beat(self, index: int) -> bool:
        note = self._notes[index]
        return self._places[index] % self._beat >= note.start - self._notes[index - 1].start


def _together(line: Line) -> Syllable:
    """Join the syllables of the end of a line on one note."""
    return Syllable(ELISION.join(syllable.text for syllable in line), line[-1].hyphen)
