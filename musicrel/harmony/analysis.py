"""Roman numerals of a piece, with its local keys.

The pieces analysed last are remembered: strip, score and file show the numerals of the same piece.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from threading import Lock
from typing import Final, TypeAlias

import numpy as np

from musicrel import jobs
from musicrel.chorale import REST, Chorale, Key, spans
from musicrel.harmony.numeral import Numeral, figure, key_label
from musicrel.harmony.progression import MODES
from musicrel.harmony.search import Passage, Search
from musicrel.harmony.shared_job import SharedJob
from musicrel.jobs import Job

_MIN_VOICES: Final = 2
"""Passages in which fewer voices sound have no numeral."""
_TONICS: Final[Mapping[int, tuple[str, ...]]] = {
    1: ("Db", "C#"), 3: ("Eb", "D#"), 6: ("F#", "Gb"), 8: ("Ab", "G#"), 10: ("Bb", "A#"),
    11: ("B", "Cb"),
}  # fmt: skip
"""Names of the pitch classes that have several."""

_Analysis: TypeAlias = SharedJob[float, tuple[Numeral, ...]]
_LAST: Final = deque[tuple[Chorale, _Analysis]](maxlen=8)
"""The pieces analysed last."""
_LAST_LOCK: Final = Lock()


def numerals(piece: Chorale) -> tuple[Numeral, ...]:
    """Return the Roman numerals of a piece, in order; none where fewer than two voices sound.

    A piece without a key is analysed as if it could begin in any.
    """
    return jobs.run(analyse(piece))


def analyse(piece: Chorale) -> Job[float, tuple[Numeral, ...]]:
    """Return the Roman numerals as ``numerals`` does; threads with the same piece share the work.

    Yields:
        The share of a long piece that is done.
    """
    return _shared(piece).run()


def _shared(piece: Chorale) -> _Analysis:
    """Return the analysis of a piece, which may have begun."""
    with _LAST_LOCK:
        for other, analysis in _LAST:
            if _sounds_alike(piece, other):
                return analysis
        begun = _Analysis(partial(_analysed, piece))
        _LAST.append((piece, begun))
        return begun


def _sounds_alike(one: Chorale, other: Chorale) -> bool:
    """Return whether two pieces have the same analysis: titles and the like may differ."""
    return (
        (one.key, one.meter, one.pickup) == (other.key, other.meter, other.pickup)
        and np.array_equal(one.pitches, other.pitches)
        and np.array_equal(one.onsets, other.onsets)
        and np.array_equal(one.fermatas, other.fermatas)
    )


def _analysed(piece: Chorale) -> Job[float, tuple[Numeral, ...]]:
    if (piece.pitches == REST).all():
        return ()
    found = yield from Search(piece).best()
    passages = _joined(part for passage in found for part in _cut(piece, passage))
    return tuple(_named(passages, piece.key))


def _cut(piece: Chorale, passage: Passage) -> Iterator[Passage]:
    """Yield the parts of the passage between silences that are not of a single voice."""
    sounding = (piece.pitches[passage.start : passage.stop] != REST).sum(axis=1)
    for start, stop in spans(sounding > 0):
        if sounding[start:stop].max() >= _MIN_VOICES:
            yield passage._replace(start=passage.start + start, stop=passage.start + stop)


def _joined(passages: Iterable[Passage]) -> list[Passage]:
    """Join neighbours with the same key, chord and inversion."""
    joined: list[Passage] = []
    for passage in passages:
        if joined and joined[-1][2:] == passage[2:] and joined[-1].stop == passage.start:
            joined[-1] = joined[-1]._replace(stop=passage.stop)
        else:
            joined.append(passage)
    return joined


def _named(passages: Sequence[Passage], home: Key | None) -> Iterator[Numeral]:
    """Yield the numerals; the first one of each key begins with its name."""
    before: Key | None = None
    for passage in passages:
        chord, key = passage.chord, _spelled(passage.key, before or home)
        text = figure(chord.numeral, chord.quality, passage.inversion, chord.target)
        yield Numeral(
            start=passage.start,
            stop=passage.stop,
            text=text if key == before else f"{key_label(key)} {text}",
            figure=text,
            key=key,
            degree=chord.degree,
            quality=chord.quality,
            inversion=passage.inversion,
            applied_to=chord.applied_to,
            root=(key.pitch_class + chord.root) % 12,
        )
        before = key


def _spelled(number: int, near: Key | None) -> Key:
    """Return a key in the spelling nearest to another key: D# minor after F# major."""
    usual = Key.of(number % 12, MODES[number // 12])
    if near is None:
        return usual
    names = _TONICS.get(usual.pitch_class, (usual.tonic,))
    keys = [usual, *(Key(tonic, usual.mode) for tonic in names)]
    return min(keys, key=lambda key: abs(key.fifths - near.fifths))
