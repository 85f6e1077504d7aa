"""How phrases close: the kind of cadence at every phrase end.

A phrase ends with a fermata, and the piece with its last note. What counts is the first triad that
sounds from there on, and what sounds in the quarter before it, passing notes or not:

- authentic: a dominant (V, V7 or the triad on the leading tone) and the triad it leads to, root in
  the bass, in whatever key the phrase has come to;
- deceptive: a dominant of the piece's key and the triad a step above it;
- plagal: the triad of the fourth degree of the piece's key and that of the first;
- half: the triad of the fifth degree of the piece's key, not led to by its own dominant.

After Aldwell and Schachter, *Harmony and Voice Leading*. This file knows pitches; it knows nothing
of which kind is wanted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Final, Literal, NamedTuple, get_args

import numpy as np

from musicrel.analysis import events, keys
from musicrel.chorale import REST, STEPS_PER_QUARTER, Chorale, Voice

Kind = Literal["authentic", "half", "plagal", "deceptive"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

_MAJOR, _MINOR = (0, 4, 7), (0, 3, 7)
_FIFTH: Final = 7
_FOURTH: Final = 5
_STEPS_UP: Final = (1, 2)
_APPROACH: Final = STEPS_PER_QUARTER
"""Steps before a close that are looked at for what leads to it."""


class Close(NamedTuple):
    """A phrase end: its first step, the step after its last, and its cadence, "" where it is none.

    The steps are those of the fermata, or of the last sonority of the piece.
    """

    step: int
    stop: int
    kind: Kind | Literal[""]


class _Triad(NamedTuple):
    """A triad: the pitch class of its root, and whether that is in the bass."""

    root: int
    rooted: bool


def closes(piece: Chorale) -> tuple[Close, ...]:
    """Every phrase end of ``piece``, in order; none where the piece is silent."""
    if (piece.pitches == REST).all():
        return ()
    tonic = (piece.key or keys.analysed(piece.pitches)).pitch_class
    sets = events.pitch_class_sets(piece.pitches).tolist()
    begins = np.flatnonzero(events.sonority_begins(piece.pitches))
    found = []
    for step, stop in _ends(piece):
        chord = int(begins[begins <= step][-1])  # a fermata may begin within its chord
        found.append(Close(step, stop, _kind(piece, sets, chord, stop, tonic)))
    return tuple(found)


def _ends(piece: Chorale) -> Iterator[tuple[int, int]]:
    """First step and the step after the last of every phrase end."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], piece.fermatas, [False]])))
    fermatas = edges.reshape(-1, 2).tolist()
    yield from ((step, stop) for step, stop in fermatas)
    sung = np.flatnonzero((piece.pitches != REST).any(axis=1))
    stop = int(sung[-1]) + 1
    last = int(np.flatnonzero(events.sonority_begins(piece.pitches[:stop]))[-1])
    if not fermatas or fermatas[-1][1] <= last:
        yield last, stop


def _kind(piece: Chorale, sets: list[int], step: int, stop: int, tonic: int) -> Kind | Literal[""]:
    """The cadence that ends at ``step`` to ``stop`` in the key of ``tonic``."""
    bass = piece.pitches[:, Voice.BASS].tolist()
    found = (_triad(sets[place], bass[place]) for place in range(step, stop))
    last = next((triad for triad in found if triad is not None), None)
    if last is None:
        return ""
    before = range(max(step - _APPROACH, 0), step)
    led_to = {target for place in before for target in _targets(sets[place])}
    roots = {triad.root for place in before if (triad := _triad(sets[place], bass[place]))}
    return _named(last, led_to, roots, tonic)


def _named(
    last: _Triad, led_to: Collection[int], roots: Collection[int], tonic: int
) -> Kind | Literal[""]:
    """The cadence to ``last``, given where dominants before it lead and which triads there are."""
    degree = (last.root - tonic) % 12
    if last.root in led_to and last.rooted:
        return "authentic"
    if tonic in led_to and degree in {_FIFTH + up for up in _STEPS_UP}:
        return "deceptive"
    if degree == 0 and (tonic + _FOURTH) % 12 in roots:
        return "plagal"
    return "half" if degree == _FIFTH else ""


def _triad(sounding: int, bass: int) -> _Triad | None:
    """The major or minor triad that the set ``sounding`` is, its fifth at will."""
    for root in range(12):
        for triad in (_MAJOR, _MINOR):
            if _bits(root, triad[:2]) & ~sounding == 0 and sounding & ~_bits(root, triad) == 0:
                return _Triad(root, rooted=bass % 12 == root)
    return None


def _targets(sounding: int) -> Iterator[int]:
    """The tonics to which the set ``sounding`` is a dominant: V, V7 or the leading tone's triad."""
    for tonic in range(12):
        leading, root_or_seventh = sounding & _bits(tonic, (11,)), sounding & _bits(tonic, (5, 7))
        if leading and root_or_seventh and sounding & ~_bits(tonic, (2, 5, 7, 11)) == 0:
            yield tonic


def _bits(root: int, tones: Iterable[int]) -> int:
    """The set of ``tones`` above ``root``; bit n is the pitch class n."""
    return sum(1 << (root + tone) % 12 for tone in tones)
