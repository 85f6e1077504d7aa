"""Words in MIDI files: lyric events, or the text events of karaoke files.

A syllable ends with a hyphen if its word goes on, else with a space, or the next one begins with a
space or with the mark of a new line, a slash or backslash (RP-017, RP-026). Without any space every
event is a word. Tags in braces, as "{@LATIN}", are no words. Several events at one time are verses
in their order. Words belong to the line of their track, or else of the file, that begins most of
the notes at their times.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Final

import numpy as np

from musicrel import bounds
from musicrel.chorale import ELISION, REST, STEPS_PER_QUARTER, Chorale, Lyric, Voice
from musicrel.score.importing.source import Line, RawLyric, Time, clean_text
from musicrel.score.midi import midi_metadata
from musicrel.score.midi.midi_events import Event
from musicrel.score.notes import notes
from musicrel.score.verses import harmonies

Track = Sequence[Event]
_NEW_LINE: Final = ("/", "\\")
_MARKS: Final = (b"@", b"\\", b"/")  # how texts of karaoke files begin
_TAG: Final = re.compile(r"\{[@#].*\}")
_TITLE: Final = re.compile(r"@T(.+)|\{#Title=(.+)\}")
_MAX_TITLE: Final = 200  # characters
_Timed = tuple[Time, str]


def are_karaoke(texts: Sequence[Event]) -> bool:
    """Return whether text events have the marks of karaoke files."""
    return any(event.data.startswith(_MARKS) for event in texts)


def title(events: Iterable[Event]) -> str:
    """Return the title in a text of a karaoke file or in a tag of lyrics, "" if there is none."""
    texts = (event.data for event in events if event.kind in ("lyric", "text"))
    found = (_TITLE.fullmatch(clean_text(midi_metadata.decoded(data))) for data in texts)
    return next((match[match.lastindex or 0].strip() for match in found if match), "")[:_MAX_TITLE]


def with_words(lines: Sequence[Line], tracks: Sequence[Track], division: float) -> list[Line]:
    """Return the lines with the words of the tracks, which are numbered as their staves."""
    found = list(lines)
    events = [event for track in tracks for event in track if event.kind in ("lyric", "text")]
    has_lyrics = any(event.kind == "lyric" for event in events)
    kind = "text" if not has_lyrics and are_karaoke(events) else "lyric"
    for number, track in enumerate(tracks, start=-1):
        words = list(_words(track, kind, division))
        sounding = [index for index, line in enumerate(found) if line.notes]
        own = [index for index in sounding if found[index].staff == number] or sounding
        if words and own:
            best = max(own, key=lambda index: _matches(found[index], words))
            found[best] = replace(found[best], lyrics=(*found[best].lyrics, *words))
    return found


def _matches(line: Line, words: Sequence[RawLyric]) -> int:
    return len({note.start for note in line.notes} & {word.time for word in words})


def _words(track: Track, kind: str, division: float) -> Iterator[RawLyric]:
    events = [
        (event.tick * STEPS_PER_QUARTER / division, midi_metadata.decoded(event.data))
        for event in track
        if event.kind == kind and not (kind == "text" and event.data.startswith(b"@"))
    ]
    data = (event.data for event in track if event.kind == "sequencer_specific")
    own = next(filter(None, map(midi_metadata.decode_words, data)), ())
    chosen = verses_of_events((word.time, word.verse) for word in own)
    first = sorted(word for word in own if word.verse in chosen)
    if own and events == [(word.time, written(word.text, word.hyphen)) for word in first]:
        yield from own
        return
    bare = ((event, clean_text(event[1].strip("/\\"))) for event in events)
    shown = [event for event, text in bare if text and not _TAG.fullmatch(text)]
    verses: dict[int, list[_Timed]] = {}
    for _, at_once in itertools.groupby(shown, key=itemgetter(0)):
        for verse, event in enumerate(at_once, start=1):
            verses.setdefault(verse, []).append(event)
    for verse, syllables in verses.items():
        if verse in bounds.BOUNDS["verse"]:
            yield from _verse(verse, syllables)


def with_shared_words(chorale: Chorale) -> Chorale:
    """Give the lower voices the words of the soprano, in verses in which they have none.

    A syllable goes under the first note that a voice begins during it. It joins the one before if
    the voice holds a note.
    """
    soprano = [word for word in chorale.lyrics if word.voice == Voice.SOPRANO]
    known = {(word.voice, word.verse) for word in chorale.lyrics}
    shared = [
        word
        for voice in Voice
        for verse in sorted({word.verse for word in soprano})
        if (voice, verse) not in known
        for word in _shared([word for word in soprano if word.verse == verse], chorale, voice)
    ]
    return replace(chorale, lyrics=(*chorale.lyrics, *shared))


def _shared(words: Sequence[Lyric], chorale: Chorale, voice: Voice) -> Sequence[Lyric]:
    ends = {note.start: note.stop for note in notes(chorale, Voice.SOPRANO)}
    found: list[Lyric] = []
    for word in words:
        begun = np.flatnonzero(chorale.onsets[word.step : ends[word.step], voice])
        if begun.size:
            found.append(replace(word, voice=voice, step=word.step + int(begun[0])))
        elif found and chorale.pitches[word.step, voice] != REST:
            before = found[-1]
            text = f"{before.text}{'' if before.hyphen else ELISION}{word.text}"
            found[-1] = replace(before, text=text, hyphen=word.hyphen, extends=word.extends)
    return found


def verses_of_events(places: Iterable[tuple[float, int]]) -> set[int]:
    """Return the verses that are written as events: the first of each harmony."""
    return {min(verses) for verses in harmonies.grouped(places)}


def written(text: str, hyphen: bool) -> str:
    """Return the text of an event for a syllable."""
    return text + ("-" if hyphen else " ")


def _verse(verse: int, syllables: Sequence[_Timed]) -> Iterator[RawLyric]:
    spaced = any(text != text.strip() for _, text in syllables)
    following = [text for _, text in syllables[1:]] + [" "]
    for (time, text), after in zip(syllables, following, strict=True):
        ends = text[-1].isspace() or after[0].isspace() or after.startswith(_NEW_LINE)
        shown = clean_text(text.strip().strip("/\\"))
        bare = shown.removesuffix("-") or shown
        goes_on = bare != shown or (spaced and not ends)
        yield RawLyric(time, verse, bare.strip(), goes_on)
