"""Names of pitches, keys, note lengths and positions for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from musicrel.chorale import Key, Meter
from musicrel.language import tr
from musicrel.meter_beats import written_unit

_SHARPS: Final = ("C", "C♯", "D", "D♯", "E", "F", "F♯", "G", "G♯", "A", "A♯", "B")
_FLATS: Final = ("C", "D♭", "D", "E♭", "E", "F", "G♭", "G", "A♭", "A", "B♭", "B")
_LENGTHS: Final[Mapping[int, str]] = {
    1: "sixteenth", 2: "eighth", 3: tr("dotted eighth"), 4: "quarter", 6: tr("dotted quarter"),
    7: tr("double-dotted quarter"), 8: "half", 12: tr("dotted half"), 16: "whole", 24: tr("dotted whole"),
}  # fmt: skip
# splits of a data set, and their names for people
SPLITS: Final[Mapping[str, str]] = {"train": "training", "valid": "validation", "test": "test"}
_QUARTERS_OF_A_BEAT: Final = ("", "¼", "½", "¾")


def pitch(midi: int, key: Key | None = None) -> str:
    """Return the name of a MIDI pitch, as 'F♯4' (60 = C4), with flats in keys that have flats."""
    table = _FLATS if key is not None and key.fifths < 0 else _SHARPS
    return f"{table[midi % 12]}{midi // 12 - 1}"


def key(named: Key) -> str:
    return str(named).replace("#", "♯").replace("b ", "♭ ")


def length(steps: int) -> str:
    """Return the name of a length in sixteenths, as 'dotted quarter' or '10 sixteenths'."""
    return _LENGTHS.get(steps, f"{steps} sixteenths")


def position(step: int, meter: Meter, pickup: int) -> str:
    """Return the position of a step, as 'bar 3, beat 2½'; steps before bar 1 are in the pickup."""
    bar, within = divmod(step - pickup, meter.steps)
    unit = written_unit(meter)
    beat, rest = divmod(within, unit)
    part = _QUARTERS_OF_A_BEAT[rest * 4 // unit]
    return tr(
        "{value}, beat {value_2}{part}",
        value=f"bar {bar + 1}" if bar >= 0 else "pickup",
        value_2=beat + 1,
        part=part,
    )


def count(number: int, noun: str) -> str:
    """Return a number with its noun, as '1 bar', '16 bars', '1,024 notes'."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
