"""Features of voices against each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Final

from musicrel.chorale import REST, Voice
from musicrel.generation.discriminator.beat import Beat
from musicrel.generation.discriminator.harmony import pitch_classes

_IMPERFECT: Final = (3, 4, 8, 9)
"""Thirds and sixths."""
_MOVERS: Final = (2, 4)
_WIDE: Final = 14
_PAIRS: Final[Mapping[str, str]] = MappingProxyType(
    {"SB": "contrary", "AT": "similar", "TB": "oblique", "SA": ""}
)
"""Pairs of voices, and the kind of motion of each with a feature of its own; "": none."""
_PARALLEL: Final = ("SA", "TB")
"""Pairs whose parallel thirds and sixths are features."""
_COLUMNS: Final = {pair: tuple(voice for voice in Voice if voice.letter in pair) for pair in _PAIRS}


def features(beat: Beat) -> Iterator[str]:
    """Yield the distance of the inner voices, crossings, and motion to and inside a beat."""
    chord, alto, tenor = beat.chord, beat.chord[Voice.ALTO], beat.chord[Voice.TENOR]
    if REST not in (alto, tenor):
        yield f"distance of A and T: {min(max(alto - tenor, -2), _WIDE) // 2 * 2}"
        if alto == tenor:
            yield "unison of A and T"
    if any(REST not in (high, low) and high < low for high, low in pairwise(chord)):
        yield "crossing"
    if beat.chord_before is not None:
        yield from _on_beats(beat.chord_before, chord)
    for pair in _PAIRS:
        for step in range(max(beat.first, 1), len(beat.pitches)):
            yield from _at_step(beat, pair, step)


def _on_beats(before: Sequence[int], after: Sequence[int]) -> Iterator[str]:
    """Yield features of the motion from the chord on one beat to that on the next."""
    if pitch_classes(before) == pitch_classes(after):
        yield "same chord on two beats"
    pairs = zip(before, after, strict=True)
    moves = [new - old for old, new in pairs if REST not in (old, new)]
    up, down = sum(move > 0 for move in moves), sum(move < 0 for move in moves)
    if up + down in _MOVERS:
        yield f"voices that move: {up + down}"
    if max(up, down) >= len(Voice) - 1:
        yield "three in one direction"


def _at_step(beat: Beat, pair: str, step: int) -> Iterator[str]:
    """Yield features of two voices that move to a step."""
    upper, lower = _COLUMNS[pair]
    before, after = beat.pitches[step - 1], beat.pitches[step]
    if REST in (before[upper], before[lower], after[upper], after[lower]):
        return
    up, low = after[upper] - before[upper], after[lower] - before[lower]
    if not up and not low:
        return
    kind = "oblique" if not up or not low else "similar" if (up > 0) == (low > 0) else "contrary"
    if _PAIRS[pair]:
        yield f"motion of {pair}: {kind if kind == _PAIRS[pair] else 'other'}"
    if kind == "similar" and pair in _PARALLEL:
        intervals = (before[upper] - before[lower]) % 12, (after[upper] - after[lower]) % 12
        yield f"parallel thirds or sixths of {pair}: {all(i in _IMPERFECT for i in intervals)}"
