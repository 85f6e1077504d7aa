"""The hymns of the shared folder with syllables of our own, and hymns written as ABC by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any, Final

import numpy as np
import pytest

from musicrel import paths
from musicrel.analysis.corpus import hymns
from musicrel.chorale import ELISION, REST, Chorale, Key, Lyric, Meter, Voice
from musicrel.score.notes import Note, notes

_FILE: Final = paths.shared_data() / "hymns" / hymns.FILE_NAME
needs_hymns = pytest.mark.skipif(not _FILE.exists(), reason="no shared data: the hymns")

_CONSONANTS: Final = [*"bdfgklmnprstvz"]
_VOWELS: Final = [*"aeiouäé"]
_VOICES: Final = ("S1V1", "S1V2", "S2V1", "S2V2")  # as hymnals name them in ABC
_NAMES: Final = ["=C", "^C", "=D", "^D", "=E", "=F", "^F", "=G", "^G", "=A", "^A", "=B"]


@cache
def sung_hymns() -> Sequence[Chorale]:
    """Load all distinct hymns, each with as many verses of nonsense as it has in its source."""
    entries = json.loads(_FILE.read_text(encoding="utf-8"))
    return [_hymn(entry, seed) for seed, entry in enumerate(entries) if entry["copy_of"] is None]


def _hymn(entry: dict[str, Any], seed: int) -> Chorale:
    pitches = np.array(entry["pitches"], dtype=np.int16)
    pitches[pitches == 0] = REST
    is_free = entry["meter"] == "none"
    piece = Chorale.of(
        pitches,
        onsets=np.array(entry["onsets"], dtype=np.bool_),
        meter=Meter() if is_free else Meter.parse(entry["meter"]),
        pickup=entry["pickup"] % (16 if is_free else Meter.parse(entry["meter"]).steps),
        key=Key.parse(entry["key"]),
        title=entry["tune"],
        composer=" ".join((entry["composer"] or "").split()),
    )
    fermatas = np.zeros(piece.steps, dtype=np.bool_)
    for note in notes(piece, Voice.SOPRANO):
        fermatas[note.start : note.stop] = note.start in entry["fermatas"]
    return replace(piece, fermatas=fermatas, lyrics=tuple(_nonsense(piece, entry, seed)))


def _nonsense(piece: Chorale, entry: dict[str, Any], seed: int) -> Iterator[Lyric]:
    rng = np.random.default_rng(seed)
    begun = [note.start for note in notes(piece, Voice.SOPRANO)]
    syllables: list[tuple[int, int]] = entry["syllables"]
    for verse in range(1, max(entry["verses"], 1) + 1):
        for (step, _), (after, goes_on) in pairwise([*syllables, (piece.steps, 0)]):
            joins = rng.random() < 0.05
            parts = [_syllable(rng) for _ in range(1 + joins)]
            held = begun.index(step) + 1 < len([one for one in begun if one < after])
            yield Lyric(
                Voice.SOPRANO,
                verse,
                step,
                ELISION.join(parts),
                hyphen=bool(goes_on),
                extends=held and not goes_on,
            )


def _syllable(rng: np.random.Generator) -> str:
    sign = rng.choice([",", ";", ".", "’", "!"]) if rng.random() < 0.1 else ""
    return f"{rng.choice(_CONSONANTS)}{rng.choice(_VOWELS)}{sign}"


def to_abc(piece: Chorale) -> str:
    """Write ``piece`` as ABC, one line of music for each voice, with its words.

    Every accidental is written, notes are divided at bar lines, and verses have their numbers.
    """
    lines = [
        "X: 1",
        f"T: {piece.title}",
        f"C: {piece.composer}",
        f"Q: 1/4={piece.tempo:.0f}",
        f"M: {piece.meter}",
        "L: 1/16",
        f"%%staves ({_VOICES[0]} {_VOICES[1]}) ({_VOICES[2]} {_VOICES[3]})",
        *(f"V: {name}" for name in _VOICES),
        f"K: {'C' if piece.key is None else f'{piece.key.tonic} {piece.key.mode}'}",
    ]
    for voice, name in zip(Voice, _VOICES, strict=True):
        parts = list(_parts(piece, voice))
        lines += [f"[V: {name}] {''.join(_head(piece, voice, *part) for part in parts)}|]"]
        starts = [note.start if begun else -1 for note, begun, _ in parts if note.pitch != REST]
        lines += list(_words(piece, voice, starts))
    return "\n".join([*lines, ""])


def _parts(piece: Chorale, voice: Voice) -> Iterator[tuple[Note, bool, bool]]:
    """Yield notes and rests between bar lines, whether they begin, and whether they go on."""
    own = notes(piece, voice)
    edges = sorted({0, piece.steps, *(step for note in own for step in (note.start, note.stop))})
    sounding = {note.start: note.pitch for note in own}
    for start, stop in pairwise(edges):
        cuts = [start, *(bar for bar in piece.bar_line_steps() if start < bar < stop), stop]
        for first, last in pairwise(cuts):
            note = Note(first, last - first, sounding.get(start, REST))
            yield note, first == start, last < stop


def _head(piece: Chorale, voice: Voice, note: Note, begun: bool, goes_on: bool) -> str:
    bar = " | " if note.start and note.start in piece.bar_line_steps() else " "
    if note.pitch == REST:
        return f"{bar}z{note.length}"
    octave, name = divmod(note.pitch - 60, 12)
    marks = "'" * octave if octave > 0 else "," * -octave
    fermata = "H" * (voice == Voice.SOPRANO and begun and bool(piece.fermatas[note.start]))
    return f"{bar}{fermata}{_NAMES[name]}{marks}{note.length}{'-' * goes_on}"


def _words(piece: Chorale, voice: Voice, starts: Sequence[int]) -> Iterator[str]:
    """Yield the lines of words, one for each verse, with a sign for each note without a word."""
    for verse in sorted({word.verse for word in piece.lyrics if word.voice == voice}):
        words = {w.step: w for w in piece.lyrics if (w.voice, w.verse) == (voice, verse)}
        signs, held = [f"{verse}.~"], False
        for start in starts:
            word = words.get(start)
            if word is None:
                signs.append("_" if held and start >= 0 else "*")
                continue
            signs.append(word.text.replace(ELISION, "~") + ("- " if word.hyphen else " "))
            held = word.extends
        yield "w: " + " ".join(signs).replace(".~ ", ".~", 1)
