"""Cadence detection: the kind of cadence at every phrase end.

A phrase ends with a fermata, and the piece with its last note. The kind depends on the first triad
that sounds from there on, and on all that sounds in the quarter before it, passing notes or not:

- authentic: a dominant (V, V7 or the triad on the leading tone) and the triad it resolves to, root
  in the bass, in any key the phrase has modulated to;
- deceptive: a dominant of the piece's key and the triad a step above it;
- plagal: the triad of the fourth degree of the piece's key and that of the first;
- half: the triad of the fifth degree of the piece's key, not prepared by its own dominant.

After Aldwell and Schachter, *Harmony and Voice Leading*.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Final, Literal, NamedTuple, get_args

import numpy as np

from musicrel.analysis import events, keys
from musicrel.chorale import REST, STEPS_PER_QUARTER, Chorale, Key, Mode, Pitches, Voice, spans

Kind = Literal["authentic", "half", "plagal", "deceptive"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

_TRIADS: Final[Mapping[Mode, tuple[int, ...]]] = {"major": (0, 4, 7), "minor": (0, 3, 7)}
_FIFTH: Final = 7
_FOURTH: Final = 5
_STEPS_UP: Final = (1, 2)
# Steps before a phrase end that are searched for the chord that prepares it.
_APPROACH: Final = STEPS_PER_QUARTER


class PhraseEnd(NamedTuple):
    """A phrase end: its first step, the step after its last, and its cadence ("" for none).

    The steps are those of the fermata, or of the last sonority of the piece. The key is that of an
    authentic cadence in another key than that of the piece.
    """

    step: int
    stop: int
    kind: Kind | Literal[""]
    key: Key | None = None


class _Triad(NamedTuple):
    root: int
    mode: Mode
    root_position: bool


def phrase_ends(piece: Chorale) -> tuple[PhraseEnd, ...]:
    """List the phrase ends of ``piece``, in order; empty for a silent piece."""
    if (piece.pitches == REST).all():
        return ()
    home = piece.key or keys.estimate(piece.pitches)
    sets = events.pitch_class_sets(piece.pitches).tolist()
    onsets = np.flatnonzero(events.sonority_onsets(piece.pitches))
    found = []
    for step, stop in _ends(piece):
        chord = int(onsets[onsets <= step][-1])  # a fermata may begin within its chord
        found.append(PhraseEnd(step, stop, *_close(piece, sets, chord, stop, home)))
    return tuple(found)


def is_root_position(pitches_4: Pitches) -> bool:
    """Return True if a sonority is a major or minor triad over its root, the fifth optional."""
    (sounding,) = events.pitch_class_sets(pitches_4[None]).tolist()
    triad = _triad(sounding, *_lowest(pitches_4[None]))
    return triad is not None and triad.root_position


def last_roots(kind: str, before: Pitches, tonic: int) -> set[int]:
    """Return the roots of the triads that make a cadence after the quarter ``before``, (T, 4)."""
    sets, bass = events.pitch_class_sets(before).tolist(), _lowest(before)
    resolutions, roots = _approach(sets, bass)
    wanted = {
        "authentic": resolutions,
        "deceptive": {tonic + _FIFTH + up for up in _STEPS_UP if tonic in resolutions},
        "plagal": {tonic} if (tonic + _FOURTH) % 12 in roots else set(),
        "half": {(tonic + _FIFTH) % 12} - resolutions,
    }[kind]
    return {root % 12 for root in wanted}


def _lowest(pitches_T4: Pitches) -> list[int]:
    """Return the lowest notes, some of which are the tenor's, or a rest where the bass has one."""
    bass = pitches_T4[:, Voice.BASS]
    above = np.where(pitches_T4 == REST, bass[:, None], pitches_T4)
    lowest: list[int] = np.where(bass == REST, bass, above.min(axis=1)).tolist()
    return lowest


def _approach(sets: Sequence[int], bass: Sequence[int]) -> tuple[set[int], set[int]]:
    """Return the tonics to which dominants resolve, and the roots of triads."""
    resolutions = {target for sounding in sets for target in _dominant_resolutions(sounding)}
    triads = (_triad(*at) for at in zip(sets, bass, strict=True))
    return resolutions, {triad.root for triad in triads if triad is not None}


def _ends(piece: Chorale) -> Iterator[tuple[int, int]]:
    fermatas = spans(piece.fermatas)
    yield from fermatas
    sounds = np.flatnonzero((piece.pitches != REST).any(axis=1))
    stop = int(sounds[-1]) + 1
    final = int(np.flatnonzero(events.sonority_onsets(piece.pitches[:stop]))[-1])
    if not fermatas or fermatas[-1][1] <= final:
        yield final, stop


def _close(
    piece: Chorale, sets: list[int], step: int, stop: int, home: Key
) -> tuple[Kind | Literal[""], Key | None]:
    """Return the cadence at a phrase end, and the key of an authentic one if it is not ``home``."""
    bass = _lowest(piece.pitches)
    found = (_triad(sets[place], bass[place]) for place in range(step, stop))
    final = next((triad for triad in found if triad is not None), None)
    if final is None:
        return "", None
    before = slice(max(step - _APPROACH, 0), step)
    resolutions, roots = _approach(sets[before], bass[before])
    kind = _cadence(final, resolutions, roots, home.pitch_class)
    is_elsewhere = kind == "authentic" and final.root != home.pitch_class
    return kind, keys.spelled(final.root, final.mode, home) if is_elsewhere else None


def _cadence(
    final: _Triad, resolutions: Collection[int], roots: Collection[int], tonic: int
) -> Kind | Literal[""]:
    degree = (final.root - tonic) % 12
    if final.root in resolutions and final.root_position:
        return "authentic"
    if tonic in resolutions and degree in {_FIFTH + up for up in _STEPS_UP}:
        return "deceptive"
    if degree == 0 and (tonic + _FOURTH) % 12 in roots:
        return "plagal"
    return "half" if degree == _FIFTH else ""


def _triad(sounding: int, bass: int) -> _Triad | None:
    """Return the major or minor triad in the set ``sounding``, the fifth optional, or None."""
    for root in range(12):
        for mode, triad in _TRIADS.items():
            if _bits(root, triad[:2]) & ~sounding == 0 and sounding & ~_bits(root, triad) == 0:
                return _Triad(root, mode, root_position=bass != REST and bass % 12 == root)
    return None


def _dominant_resolutions(sounding: int) -> Iterator[int]:
    """Yield the tonics to which the set ``sounding`` is a dominant: V, V7 or vii."""
    for tonic in range(12):
        leading, root_or_seventh = sounding & _bits(tonic, (11,)), sounding & _bits(tonic, (5, 7))
        if leading and root_or_seventh and sounding & ~_bits(tonic, (2, 5, 7, 11)) == 0:
            yield tonic


@cache
def _bits(root: int, tones: tuple[int, ...]) -> int:
    """Return the set of ``tones`` above ``root``; bit n is the pitch class n."""
    return sum(1 << (root + tone) % 12 for tone in tones)
