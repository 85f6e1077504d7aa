"""The words of a piece as ``lyric`` elements of MusicXML.

A hymn book with two voices on a staff prints the words once: verses that are those of the soprano
are written for the other voices of its layout, too, but not printed. Other words of a lower voice
stand below those of the upper one on the staff, as further lines that name their verse, as do the
lines of a harmony after the first one, which are counted from 1. Before the first word of each of
several verses its number is printed, as in "1. Glo": notation programs have no other place for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple
from xml.etree import ElementTree as ET

import numpy as np

from musicrel.chorale import ELISION, REST, Chorale, Lyric, Voice
from musicrel.score.verses.harmonies import harmonies

Words = Mapping[tuple[Voice, int], Sequence[ET.Element]]
NUMBER: Final = "{}.\N{NO-BREAK SPACE}"  # before the first word of a verse
NAMED: Final = "verse {}"  # the ``name`` of a line whose number is not that of its verse


class _Line(NamedTuple):
    words: Sequence[Lyric]  # of one verse and voice, at least one
    number: int  # of the line below the staff
    is_hidden: bool


def by_note(
    chorale: Chorale, staves: Sequence[Sequence[Voice]], *, for_verovio: bool = False
) -> Words:
    """Return the elements for the notes by voice and first step, in the order of the lines.

    Args:
        for_verovio: leave out what is not printed, and give the first word of each of several
            verses the number of the verse as its name instead of in its text.
    """
    found: dict[tuple[Voice, int], list[ET.Element]] = {}
    is_numbered = len(chorale.verses) > 1
    for line in _lines(chorale, staves):
        if for_verovio and line.is_hidden:
            continue
        for word, element in _elements(chorale, line, is_named=not for_verovio):
            found.setdefault((word.voice, word.step), []).append(element)
            if not is_numbered or line.is_hidden or word is not line.words[0]:
                continue
            if for_verovio:
                element.set("name", f"{word.verse}.")
            else:
                text = element.findall("text")[0]
                text.text = f"{NUMBER.format(word.verse)}{text.text}"
    return found


def _lines(chorale: Chorale, staves: Sequence[Sequence[Voice]]) -> Iterator[_Line]:
    several = found if len(found := harmonies(chorale)) > 1 else ()
    numbers = {verse: n for one in several for n, verse in enumerate(one.verses, start=1)}
    verses: dict[tuple[Voice, int], list[Lyric]] = {}
    for word in chorale.lyrics:
        verses.setdefault((word.voice, word.verse), []).append(word)
    for staff in staves:
        lowest = 0
        for voice in staff:
            above = lowest
            for verse, words in ((v, words) for (own, v), words in verses.items() if own == voice):
                first = verses.get((Voice.SOPRANO, verse), [])
                number = numbers.get(verse, verse)
                if len(staff) > 1 and voice != Voice.SOPRANO and _repeats(words, first):
                    yield _Line(words, number, is_hidden=True)
                else:
                    lowest = max(lowest, above + number)
                    yield _Line(words, above + number, is_hidden=False)


def _repeats(words: Sequence[Lyric], first: Sequence[Lyric]) -> bool:
    """Return whether words are those of the soprano, or the syllables that begin with them."""
    together = {(word.step, word.text) for word in first}
    return [word.text for word in words] == [word.text for word in first] or all(
        (word.step, word.text) in together for word in words
    )


def _elements(
    chorale: Chorale, line: _Line, *, is_named: bool
) -> Iterator[tuple[Lyric, ET.Element]]:
    """Yield the elements of a line, each with the word; the last one of a melisma has no text."""
    goes_on = False
    stops = [word.step for word in line.words[1:]] + [chorale.steps]
    for word, stop in zip(line.words, stops, strict=True):
        attributes = {"number": str(line.number)}
        if line.number != word.verse and is_named:
            attributes["name"] = NAMED.format(word.verse)
        if line.is_hidden:
            attributes["print-object"] = "no"
        lyric = ET.Element("lyric", attributes)
        _add_syllables(lyric, word, goes_on=goes_on)
        last = _last_held(chorale, word, stop)
        if word.extends:
            ET.SubElement(lyric, "extend", {} if last == word.step else {"type": "start"})
        yield word, lyric
        if word.extends and last > word.step:
            end = ET.Element("lyric", attributes)
            ET.SubElement(end, "extend", type="stop")
            yield replace(word, step=last), end
        goes_on = word.hyphen


def _add_syllables(lyric: ET.Element, word: Lyric, *, goes_on: bool) -> None:
    parts = word.text.split(ELISION)
    for number, text in enumerate(parts):
        if number:
            ET.SubElement(lyric, "elision").text = ELISION
        follows, leads = goes_on and number == 0, word.hyphen and number == len(parts) - 1
        kind = {(False, False): "single", (False, True): "begin", (True, True): "middle"}
        ET.SubElement(lyric, "syllabic").text = kind.get((follows, leads), "end")
        ET.SubElement(lyric, "text").text = text


def _last_held(chorale: Chorale, word: Lyric, stop: int) -> int:
    """Return the first step of the last note before ``stop`` that the syllable goes on to."""
    sounds = chorale.pitches[word.step : stop, word.voice] != REST
    begun = chorale.onsets[word.step : stop, word.voice] & np.logical_and.accumulate(sounds)
    return word.step + int(np.flatnonzero(begun)[-1])
