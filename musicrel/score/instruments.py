"""The instruments of the voices: one table for the sound, the mixer, MIDI programs and options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, cast

from musicrel.chorale import Voice
from musicrel.errors import UsageError
from musicrel.language import tr

# the key of an instrument
Sound = Literal[
    "choir", "organ", "piano", "harpsichord", "harp", "guitar", "strings", "violin", "viola",
    "cello", "recorder", "flute", "oboe", "clarinet", "bassoon", "brass", "trumpet", "horn",
    "trombone",
]  # fmt: skip
Sounds: TypeAlias = tuple[Sound, Sound, Sound, Sound]  # the instruments of S, A, T, B


@dataclass(frozen=True, slots=True)
class Instrument:
    """One instrument."""

    title: str
    noun: str  # its name within a sentence
    program: int  # General MIDI program, counted from 0
    sampled: bool = False  # True: played from a SoundFont; False: by the built-in synthesizer


INSTRUMENTS: Final[Mapping[Sound, Instrument]] = {
    "choir": Instrument(tr("Choir"), tr("choir"), 52),
    "organ": Instrument(tr("Organ"), tr("organ"), 19),
    "piano": Instrument(tr("Piano"), tr("piano"), 0, sampled=True),
    "harpsichord": Instrument(tr("Harpsichord"), tr("harpsichord"), 6, sampled=True),
    "harp": Instrument(tr("Harp"), tr("harp"), 46, sampled=True),
    "guitar": Instrument(tr("Guitar"), tr("guitar"), 24, sampled=True),
    "strings": Instrument(tr("Strings"), tr("strings"), 48, sampled=True),
    "violin": Instrument(tr("Violin"), tr("violin"), 40, sampled=True),
    "viola": Instrument(tr("Viola"), tr("viola"), 41, sampled=True),
    "cello": Instrument(tr("Cello"), tr("cello"), 42, sampled=True),
    "recorder": Instrument(tr("Recorder"), tr("recorder"), 74, sampled=True),
    "flute": Instrument(tr("Flute"), tr("flute"), 73, sampled=True),
    "oboe": Instrument(tr("Oboe"), tr("oboe"), 68, sampled=True),
    "clarinet": Instrument(tr("Clarinet"), tr("clarinet"), 71, sampled=True),
    "bassoon": Instrument(tr("Bassoon"), tr("bassoon"), 70, sampled=True),
    "brass": Instrument(tr("Brass"), tr("brass"), 61, sampled=True),
    "trumpet": Instrument(tr("Trumpet"), tr("trumpet"), 56, sampled=True),
    "horn": Instrument(tr("Horn"), tr("horn"), 60, sampled=True),
    "trombone": Instrument(tr("Trombone"), tr("trombone"), 57, sampled=True),
}


def for_voices(sound: Sound | Sounds) -> Sounds:
    """Return the instrument of each voice; a single one is that of all four."""
    return (sound, sound, sound, sound) if isinstance(sound, str) else sound


def needs_soundfont(sounds: Sounds) -> bool:
    """Return whether any of ``sounds`` is played from a SoundFont."""
    return any(INSTRUMENTS[sound].sampled for sound in sounds)


def parse(text: str) -> Sounds:
    """Parse one instrument for all voices, or four as in ``organ,strings,oboe,brass``."""
    names = [name.strip() for name in text.split(",")]
    if len(names) not in (1, len(Voice)) or not INSTRUMENTS.keys() >= set(names):
        raise UsageError(
            f"sound is {text!r}: expected {', '.join(INSTRUMENTS)}, or four of them for "
            "S, A, T, B as in organ,strings,oboe,brass"
        )
    return cast("Sounds", tuple(names * (len(Voice) // len(names))))


def to_text(sounds: Sounds) -> str:
    """Format ``sounds`` for ``parse``."""
    return ",".join(dict.fromkeys(sounds) if len(set(sounds)) == 1 else sounds)
