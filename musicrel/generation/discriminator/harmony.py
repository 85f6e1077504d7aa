"""Features of chords, and of single tones in the key and against the bass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from musicrel.chorale import REST, Key, Mode, Voice
from musicrel.generation.discriminator.beat import Beat
from musicrel.harmony.chord_table import CHORDS

_KINDS: Final = ("major", "diminished", "dominant", "other")
"""Kinds of chords with features of their own; the rest counts as one."""
_THIRDS: Final = (3, 4)
_FIFTHS: Final = (6, 7, 8)
_DEGREES: Final = (0, 5)
"""Degrees of the bass with features of their own, in semitones above the tonic."""
_DISSONANT: Final = (1, 2, 6, 10, 11)
_STEPS_DOWN: Final = (1, 2)
_SCALES: Final[Mapping[Mode, frozenset[int]]] = MappingProxyType(
    {"major": frozenset((0, 2, 4, 5, 7, 9, 11)), "minor": frozenset((0, 2, 3, 5, 7, 8, 10, 11))}
)
_CHECKED: Final = (Voice.SOPRANO, Voice.TENOR)
"""Voices whose chromatic tones and suspensions are features."""


def features(beat: Beat) -> Iterator[str]:
    """Yield the chord on a beat, the tones outside the key, and suspensions."""
    sounding = pitch_classes(beat.chord)
    if sounding:
        yield from _of_chord(beat, sounding)
    if beat.key is not None:
        yield from _outside(beat, beat.key)
    for voice in _CHECKED:
        if _is_suspension(beat, voice):
            yield f"suspension: {voice.letter}"


def pitch_classes(chord: Iterable[int]) -> frozenset[int]:
    """Return the pitch classes of what sounds."""
    return frozenset(pitch % 12 for pitch in chord if pitch != REST)


def _of_chord(beat: Beat, sounding: frozenset[int]) -> Iterator[str]:
    fermata = ", fermata" if beat.has_fermata else ""
    kind, root = CHORDS.get(sounding, ("other", REST))
    bass = beat.chord[Voice.BASS]
    yield f"chord{fermata}: {kind if kind in _KINDS else 'named'}"
    if REST not in (root, bass):
        yield f"lowest tone: {_lowest((bass - root) % 12)}"
    if kind in ("major", "minor"):
        yield from _of_triad([(pitch - root) % 12 for pitch in beat.chord if pitch != REST])
    if bass != REST and beat.key is not None:
        degree = (bass - beat.key.pitch_class) % 12
        yield f"bass degree{fermata}: {degree if degree in _DEGREES else 'other'}"


def _lowest(interval: int) -> str:
    if interval in _FIFTHS:
        return "fifth"
    return "other" if interval else "root"


def _of_triad(tones: Sequence[int]) -> Iterator[str]:
    """Yield features of the tones of a triad, in semitones above its root."""
    if not any(tone in _FIFTHS for tone in tones):
        yield "no fifth"
    yield f"third doubled: {sum(tone in _THIRDS for tone in tones) > 1}"


def _outside(beat: Beat, key: Key) -> Iterator[str]:
    """Yield the notes that begin in a beat on a tone outside a key."""
    scale, tonic = _SCALES[key.mode], key.pitch_class
    for step in range(beat.first, len(beat.pitches)):
        for voice in _CHECKED:
            pitch = beat.pitches[step][voice]
            if beat.onsets[step][voice] and pitch != REST and (pitch - tonic) % 12 not in scale:
                yield f"outside the key: {voice.letter}"


def _is_suspension(beat: Beat, voice: Voice) -> bool:
    """Return True if a held tone is dissonant with the bass and resolves down by step."""
    held, bass = beat.chord[voice], beat.chord[Voice.BASS]
    if not beat.first or beat.onsets[beat.first][voice] or REST in (held, bass):
        return False
    if (held - bass) % 12 not in _DISSONANT:
        return False
    later = (step for step in range(beat.first, len(beat.pitches)) if beat.onsets[step][voice])
    after = next(later, None)
    return after is not None and held - beat.pitches[after][voice] in _STEPS_DOWN
