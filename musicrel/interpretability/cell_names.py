"""Cells of a piece by name: "alto:5.2" is the alto in bar 5 on beat 2, "alto:5.2.3" a bit later.

The third number counts sixteenths of the beat from 1. A pickup is bar 0, its beats counted as the
last of a bar.
"""

from __future__ import annotations

import re
from typing import Final

from musicrel.chorale import Chorale, Voice
from musicrel.errors import UsageError
from musicrel.meter_beats import written_unit

_NAME: Final = re.compile(r"([a-z]+):(\d{1,5})\.(\d{1,2})(?:\.(\d{1,2}))?")
_VOICES: Final = {
    **{voice.letter.lower(): voice for voice in Voice},
    **{voice.name.lower(): voice for voice in Voice},
}


def parse(text: str, piece: Chorale) -> int:
    """Return the cell that a text names, four times its step plus its voice."""
    found = _NAME.fullmatch(text.strip().lower())
    voice = _VOICES.get(found[1]) if found else None
    if found is None or voice is None:
        raise UsageError(
            f"{text!r} names no note: expected voice, bar and beat, as in alto:5.2, or with the "
            "sixteenth of the beat, as in alto:5.2.3"
        )
    bar, beat, sixteenth = int(found[2]), int(found[3]), int(found[4] or 1)
    unit, bars = written_unit(piece.meter), piece.meter.steps
    step = piece.pickup + bars * (bar - 1) + unit * (beat - 1) + sixteenth - 1
    is_in_bar = 1 <= sixteenth <= unit and 0 <= unit * (beat - 1) < bars
    if not (is_in_bar and 0 <= step < piece.steps):
        raise UsageError(
            f"{text!r} is not in the piece: it has bars {0 if piece.pickup else 1} to "
            f"{piece.bar_number(piece.steps - 1)} of {-(-bars // unit)} beats of {unit} sixteenths"
        )
    return len(Voice) * step + voice


def name(cell: int, piece: Chorale) -> str:
    step, voice = divmod(cell, len(Voice))
    beat, sixteenth = divmod((step - piece.pickup) % piece.meter.steps, written_unit(piece.meter))
    tail = f".{sixteenth + 1}" if sixteenth else ""
    return f"{Voice(voice).name.lower()}:{piece.bar_number(step)}.{beat + 1}{tail}"
