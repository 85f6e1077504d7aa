"""Measures of harmony: the chords on the beats, their connections, and dissonance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

import numpy as np

from musicrel.analysis import events, keys
from musicrel.chorale import REST, Voice
from training.examination.reading import (
    BEAT,
    OTHER,
    Chord,
    Family,
    Note,
    Reading,
    share,
    voices,
)

_SCALE: Final = {"major": (0, 2, 4, 5, 7, 9, 11), "minor": (0, 2, 3, 5, 7, 8, 10, 11)}
"""Semitones above the tonic; in minor with the leading tone."""
_DISSONANT: Final = (1, 2, 6, 10, 11)
_LEADING: Final = 11
_SEVENTHS: Final = {"dominant": 10, "minor-seventh": 10, "major-seventh": 11, "half-diminished": 10}
_INVERSION: Final = {"root": (0,), "third": (3, 4), "fifth": (6, 7, 8), "seventh": (9, 10, 11)}
"""Semitones of the lowest tone above the root."""


def _root_changes(chords: tuple[Chord, ...]) -> Iterator[int]:
    """Yield the semitones that each change of root goes up, octaves ignored."""
    for before, after in pairwise(chords):
        if OTHER not in (before.kind, after.kind) and before.root != after.root:
            yield (after.root - before.root) % 12


def _same(pairs: Iterable[tuple[Chord, Chord]], part: str) -> float:
    """Return the share of pairs with the same "chord", or the same "bass"."""
    if part == "bass":
        return share(a.bass == b.bass for a, b in pairs)
    return share(a.sounding == b.sounding for a, b in pairs)


def _lowest(reading: Reading, tone: str) -> float:
    """Return the share of chords whose root, third, fifth or seventh is the lowest tone."""
    named = [found for found in reading.chords if found.kind != OTHER and found.bass != REST]
    return share((found.bass - found.root) % 12 in _INVERSION[tone] for found in named)


def _counts(reading: Reading, tone: str) -> Iterator[int]:
    """Yield the number of voices that have a tone of each major or minor triad."""
    for found in reading.chords:
        if found.kind in ("major", "minor"):
            at = reading.piece.pitches[found.step]
            above = [(int(pitch) - found.root) % 12 for pitch in at if pitch != REST]
            yield sum(tones in _INVERSION[tone] for tones in above)


def _dissonant(reading: Reading, place: str) -> float:
    """Return the share of sonorities that are no chord: on "beats", "bars" or "off" the beat."""
    if place != "off":
        length = reading.piece.meter.steps if place == "bars" else BEAT
        at = [found for found in reading.chords if reading.positions[found.step] % length == 0]
        return share(found.kind == OTHER for found in at)
    sets = events.pitch_class_sets(reading.piece.pitches)
    half = np.flatnonzero(reading.positions % BEAT == BEAT // 2).tolist()
    changed = [step for step in half if step and sets[step] != sets[step - 1]]
    return share(_has_second(int(sets[step])) for step in changed)


def _has_second(sounding: int) -> bool:
    """Return True if two of the pitch classes are a semitone or a tone apart."""
    shifted = [sounding << up | sounding >> 12 - up for up in (1, 2)]
    return any(sounding & other & 0xFFF for other in shifted)


def _suspensions(reading: Reading, letters: str) -> float:
    """Return the suspensions a beat: held over, dissonant with the bass, then a step down.

    Seconds, sevenths, ninths and tritones above the bass are dissonant. The fourth counts as
    consonant, as in a 6-4 chord, so that 4-3 is left out.
    """
    found = sum(
        after.start == note.stop and note.pitch - after.pitch in (1, 2) and _clashes(reading, note)
        for voice in voices(letters)
        for note, after in pairwise(reading.notes[voice])
    )
    return found / max(len(reading.beats), 1)


def _clashes(reading: Reading, note: Note) -> bool:
    """Return True if the note is dissonant with the bass on the last beat it is held over."""
    over = [step for step in range(note.start + 1, note.stop) if reading.is_on_beat(step)]
    bass = int(reading.piece.pitches[over[-1], Voice.BASS]) if over else REST
    return bass != REST and (note.pitch - bass) % 12 in _DISSONANT


def _resolved(reading: Reading, tone: str) -> float:
    """Return the share of "sevenths" that fall by step, or "leading tones" that rise by one."""
    found = []
    for a in reading.chords:
        if a.kind not in _SEVENTHS and tone == "sevenths":
            continue
        wanted = _wanted(reading, a, tone)
        for voice in Voice:
            line = reading.piece.pitches[a.step :, voice]
            later = line[(line != line[0]) & (line != REST)]
            if wanted is not None and line[0] != REST and line[0] % 12 == wanted and len(later):
                up = int(later[0]) - int(line[0])
                found.append(up in (-1, -2) if tone == "sevenths" else up == 1)
    return share(found)


def _wanted(reading: Reading, found: Chord, tone: str) -> int | None:
    if tone == "sevenths":
        return (found.root + _SEVENTHS[found.kind]) % 12
    is_dominant = found.kind in ("major", "dominant", "diminished")
    leading = (reading.key.pitch_class + _LEADING) % 12
    return leading if is_dominant and found.sounding >> leading & 1 else None


def _variety(reading: Reading, of: str) -> float:
    """Return the different "chords" above their bass, or "bass" tones, for each beat."""
    tonic = reading.key.pitch_class
    if of == "bass":
        return len({c.bass for c in reading.chords}) / max(len(reading.chords), 1)
    kinds = {(c.kind, (c.root - tonic) % 12, (c.bass - c.root) % 12) for c in reading.chords}
    return len(kinds) / max(len(reading.chords), 1)


def _bass_degrees(reading: Reading) -> Iterator[int]:
    tonic = reading.key.pitch_class
    return ((found.bass - tonic) % 12 for found in reading.chords if found.bass != REST)


def _outside(reading: Reading, letters: str) -> float:
    """Return the share of notes outside the scale of the key."""
    scale, tonic = _SCALE[reading.key.mode], reading.key.pitch_class
    notes = [note for voice in voices(letters) for note in reading.notes[voice]]
    return share((note.pitch - tonic) % 12 not in scale for note in notes)


def _key_fit(reading: Reading, rank: str) -> float:
    """Return the correlation with the "best" key, or its lead over the "next"."""
    best, after, *_ = sorted(keys.correlations(reading.piece.pitches).values(), reverse=True)
    return best if rank == "best" else best - after


FAMILIES: Final = (
    Family("chord", lambda r, v: share(found.kind == v for found in r.chords),
           ("major", "diminished", "dominant", "other"),
           ("minor", "minor-seventh", "major-seventh", "half-diminished")),
    Family("lowest tone", _lowest, ("root", "fifth"), ("third", "seventh")),
    Family("root goes up by", lambda r, v: share(up == int(v) for up in _root_changes(r.chords)),
           ("5", "2", "3"), ("7", "10", "8", "9")),
    Family("same on two beats", lambda r, v: _same(pairwise(r.chords), v), ("chord",), ("bass",)),
    Family("held into the bar",
           lambda r, v: _same((p for p in pairwise(r.chords) if not r.positions[p[1].step]), v),
           ("bass",), ("chord",)),
    Family("doubled", lambda r, v: share(count > 1 for count in _counts(r, v)),
           ("third",), ("root", "fifth")),
    Family("absent from triads",  # dyads of a root and a third are triads
           lambda r, v: share(count == 0 for count in _counts(r, v)), ("fifth",)),
    Family("dissonant", _dissonant, ("off",), ("bars",)),
    Family("suspensions", _suspensions, ("S", "T"), ("A",)),
    Family("resolved", _resolved, ("leading tones",), ("sevenths",)),
    Family("variety", _variety, ("chords",), ("bass",)),
    Family("bass degree", lambda r, v: share(degree == int(v) for degree in _bass_degrees(r)),
           ("0", "5"), ("7", "2", "4")),
    Family("outside the key", _outside, ("S", "T"), ("A", "B")),
    Family("key", _key_fit, ("best",), ("next",)),
)  # fmt: skip
