"""Lines of drums in MIDI files beside voices."""

from __future__ import annotations

import re
import statistics
from typing import Final

from musicrel.chorale import RANGES, Voice
from musicrel.score.importing import voice_matching
from musicrel.score.importing.quantisation import chord_share
from musicrel.score.importing.source import Line
from musicrel.score.importing.voice_matching import MAX_CHORD_SHARE

VOLUME: Final = 7
PAN: Final = 10
ALL_SOUND_OFF: Final = 120
ALL_NOTES_OFF: Final = 123

DEFAULT_VOLUME: Final = 100  # the channel volume of level 1
HIGHEST: Final = 127  # the highest value of a controller, and the highest velocity


def channel_volume(level: float) -> int:
    """Return the value of ``VOLUME`` for a level, 1 being the default."""
    return min(round(DEFAULT_VOLUME * level), HIGHEST)


DRUMS: Final = 9  # the percussion channel of General MIDI, counted from 0
CLICK_TRACK: Final = "Metronome"  # name of the track of clicks in practice versions
# Bass drums, snares, hi-hats and cymbals of General MIDI.
_DRUM_KIT: Final = frozenset({35, 36, 37, 38, 39, 40, 42, 44, 46, 49, 51, 54, 57, 59})
# Sixteenths; more than half of the hits of drums are shorter in most files.
_SHORTEST_SUNG: Final = 1.5
_FEWEST_SUNG: Final = 3  # different pitches of a line on the channel of drums that is no drum
_KIT: Final = 0.5  # share of notes with pitches of the kit in a line of drums
_DRUM_NAME: Final = re.compile(
    r"drum|perc|beats?\b|kit\b|snare|kick|hi-?hat|cymbal|conga|bongo|shaker|tambo?urin|clap|"
    r"metronom|click|schlag|batteri|bateri|trommel|ударные|ドラム|드럼"
)


def are_drums(line: Line, *, has_name: bool, in_choir: bool) -> bool:
    """Return whether a line on the channel of drums is drums, by its name or by its sound.

    Kits share pitches with voices, so that short or uniform notes decide, and of few lines
    (``in_choir``) those below all voices.
    """
    if not line.notes or voice_matching.parse(line.name) is not None:
        return False
    lengths = [note.stop - note.start for note in line.notes]
    pitches = [note.pitch for note in line.notes]
    share = sum(pitch in _DRUM_KIT for pitch in pitches) / len(pitches)
    is_short = statistics.median(lengths) < _SHORTEST_SUNG
    if (has_name and _DRUM_NAME.search(line.name.casefold())) or (share >= _KIT and is_short):
        return True
    if in_choir:
        return share == 1 and min(pitches) < RANGES[Voice.BASS][0]
    is_uniform = len({round(length) for length in lengths}) == 1
    chords = chord_share(line.notes) > MAX_CHORD_SHARE
    has_drums = share >= _KIT or len({*pitches}) < _FEWEST_SUNG
    return is_short or (has_drums and (is_uniform or chords))
