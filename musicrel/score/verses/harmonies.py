"""The harmonies of a piece, each with its verses.

A verse whose words begin after those of others end has a harmony of its own: it is written out
after them. So no file needs a field for harmonies; the words show them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from musicrel.chorale import MAX_STEPS, Chorale, Lyric, Mark, Voice
from musicrel.errors import UsageError
from musicrel.language import tr

Steps: TypeAlias = npt.NDArray[np.int64]


class Harmony(NamedTuple):
    """Steps ``start`` to ``stop`` (half-open) of a piece, and the numbers of their verses."""

    start: int
    stop: int
    verses: tuple[int, ...]


def harmonies(piece: Chorale) -> tuple[Harmony, ...]:
    """Return the harmonies in their order; a piece without words has one, without verses.

    Each begins at the place in its bar at which the piece begins, where the melody of the first one
    comes again, or as far before its first word; or else with this word, as after a change of the
    first bar.
    """
    groups = grouped((word.step, word.verse) for word in piece.lyrics)
    steps = [[word.step for word in piece.lyrics if word.verse in group] for group in groups]
    starts, verses, bar = [0], list(groups[:1]) or [()], piece.meter.steps
    for group, before, own in zip(groups[1:], steps, steps[1:], strict=False):
        as_first = round((min(own) - min(steps[0])) / bar) * bar
        again = _repeats(piece, max(before) + 1, own, as_first)
        possible = [*again, as_first, min(own) // bar * bar]
        if all(max(its) - min(its) >= bar for its in (before, own)):
            possible.append(min(own))
        start = next((step for step in possible if max(before) < step <= min(own)), None)
        if start is not None:
            starts.append(start)
            verses.append(group)
        else:  # a few words, within a bar
            verses[-1] = tuple(sorted((*verses[-1], *group)))
    return tuple(map(Harmony, starts, [*starts[1:], piece.steps], verses))


def verses_at(piece: Chorale, step: float) -> tuple[int, ...]:
    """Return the verses of the harmony at a step, in order."""
    return next(one.verses for one in reversed(harmonies(piece)) if one.start <= step)


def _repeats(piece: Chorale, first: int, own: Sequence[int], likely: int) -> list[int]:
    """Return the bars from step ``first`` on at which the melody of the piece begins again.

    It is the same up to the last of the steps ``own``, of words. A ``likely`` one comes first.
    """
    melody, stop, bar = piece.pitches[:, Voice.SOPRANO], max(own) + 1, piece.meter.steps
    bars = range(-(-first // bar) * bar, min(own) + 1, bar)
    found = [start for start in bars if np.array_equal(melody[start:stop], melody[: stop - start])]
    return sorted(found, key=lambda start: start != likely)


def grouped(places: Iterable[tuple[float, int]]) -> list[tuple[int, ...]]:
    """Group verses whose words, given as times and verses, are under the same notes."""
    found: dict[int, tuple[float, float]] = {}
    for time, verse in places:
        first, last = found.get(verse, (time, time))
        found[verse] = min(first, time), max(last, time)
    groups: list[list[int]] = []
    end = -math.inf
    for verse, (first, last) in sorted(found.items(), key=lambda entry: entry[1]):
        if first > end:
            groups.append([])
        groups[-1].append(verse)
        end = max(end, last)
    return [tuple(sorted(group)) for group in groups]


def with_own_harmony(piece: Chorale, verse: int) -> tuple[Chorale, Steps, Harmony]:
    """Write a verse out after those before it, for its harmony to be changed.

    Also return the step of ``piece`` that each step was, or -1, and the harmony of the verse.

    Raises:
        UsageError: the piece has no such verse, or would be too long.
    """
    found = harmonies(piece)
    home = next((one for one in found if verse in one.verses), None)
    if home is None:
        known = ", ".join(str(number) for one in found for number in sorted(one.verses))
        if not known:
            raise UsageError(tr("the piece has no verse {verse}: it has no words", verse=verse))
        raise UsageError(
            tr("the piece has no verse {verse}: its verses are {known}", verse=verse, known=known)
        )
    steps = np.arange(piece.steps)
    if home.verses != (verse,):
        others = tuple(number for number in home.verses if number != verse)
        parts = [(one, one.verses if one is not home else others) for one in found]
        piece, steps, found = _joined(piece, [*parts, (home, (verse,))])
    return piece, steps, next(one for one in found if one.verses == (verse,))


def in_order(piece: Chorale) -> Chorale:
    """Write all verses out one after the other, each with its words.

    Words at the end of a harmony that only its first verse has are a refrain: all verses have them.

    Raises:
        UsageError: the piece would be too long.
    """
    return in_order_with_steps(piece)[0]


def in_order_with_steps(piece: Chorale) -> tuple[Chorale, Steps]:
    """Write all verses out; also return the step of ``piece`` that each step was, or -1."""
    found = harmonies(piece)
    parts = [(one, (verse,)) for one in found for verse in one.verses]
    if len(parts) <= len(found):
        return piece, np.arange(piece.steps)
    return _joined(piece, parts)[:2]


def _words(piece: Chorale, harmony: Harmony, verses: Sequence[int]) -> list[Lyric]:
    """Return the words of some verses of a harmony, the first of them with the refrain."""
    first, *others = harmony.verses
    words = [word for word in piece.lyrics if word.verse in verses]
    if verses[0] == first or max(words, key=lambda word: word.step).extends:
        return words
    end = max(word.step for word in piece.lyrics if word.verse in others)
    refrain = [word for word in piece.lyrics if word.verse == first and word.step > end]
    return [*words, *(replace(word, verse=verses[0]) for word in refrain)]


def _joined(
    piece: Chorale, parts: Sequence[tuple[Harmony, tuple[int, ...]]]
) -> tuple[Chorale, Steps, tuple[Harmony, ...]]:
    """Write harmonies with some of their verses one after the other, in the order of the verses.

    Each begins at the place in its bar at which it began. Also return the step of ``piece`` that
    each step was, -1 for an added rest, and the harmonies.
    """
    parts = sorted(parts, key=lambda part: part[1])
    cuts: list[Chorale] = []
    lyrics: list[Lyric] = []
    marks: list[Mark] = []
    sources: list[Steps] = []
    found: list[Harmony] = []
    now = 0
    for (one, verses), after in zip_longest(parts, parts[1:]):
        cut = piece.cropped(one.start, one.stop)
        rests = (after[0].start - one.stop) % piece.meter.steps if after else 0
        cuts.append(cut.padded(rests))
        words = _words(piece, one, verses)
        lyrics += (replace(word, step=word.step - one.start + now) for word in words)
        marks.append(Mark(kind="tempo", start=now, stop=now, value=cut.tempo))
        marks += [Mark(kind="key", start=now, stop=now, value=cut.key)] if cut.key else []
        marks += (mark.moved(now) for mark in cut.marks)
        sources += [np.arange(one.start, one.stop), np.full(rests, -1)]
        found.append(Harmony(now, now + cuts[-1].steps, verses))
        now = found[-1].stop
    if now > MAX_STEPS:
        raise UsageError(
            tr(
                "the piece would have {steps:,} sixteenths with its verses one after the other: "
                "expected at most {most:,}; leave out some verses",
                steps=now,
                most=MAX_STEPS,
            )
        )
    written = replace(
        cuts[0],
        pitches=np.concatenate([cut.pitches for cut in cuts]),
        onsets=np.concatenate([cut.onsets for cut in cuts]),
        fermatas=np.concatenate([cut.fermatas for cut in cuts]),
        lyrics=tuple(lyrics),
        marks=tuple(marks),
        provenance=None,
    )
    return written, np.concatenate(sources), tuple(found)
