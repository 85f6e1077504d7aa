"""Metadata that MIDI events cannot express, stored in a text event of a MIDI file.

The event is ``musicrel:`` followed by JSON with the exact tempo, the name of the key and the
provenance. MIDI events take precedence where they differ: another program may have edited them and
kept the text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from musicrel.chorale import Chorale, Key, Provenance
from musicrel.errors import DataError, UsageError
from musicrel.score import plain_json, provenance

PREFIX: Final = "musicrel:"
FERMATA: Final = "fermata"
FERMATA_END: Final = "fermata end"
"""Texts of the markers at the first step of a fermata and at the step after its last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MidiMetadata:
    """The content of the metadata event.

    Attributes:
        tempo: quarter notes per minute.
        key: the key with its original spelling, or None.
        provenance: the provenance of the piece, or None.
    """

    tempo: float
    key: Key | None
    provenance: Provenance | None


def encode(chorale: Chorale) -> str:
    """Format the metadata of ``chorale`` in ASCII, which every program preserves.

    Raises:
        DataError: the provenance cannot be represented in JSON.
    """
    values = {
        "tempo": float(chorale.tempo),
        "key": str(chorale.key) if chorale.key else None,
        "provenance": provenance.to_plain(chorale.provenance),
    }
    return PREFIX + plain_json.dumps(values, ascii_only=True)


def decode(text: str) -> MidiMetadata | None:
    """Parse the metadata in ``text``; None if it is other text, or was truncated or changed.

    Unreadable metadata is ignored: the notes are valid without it.
    """
    if not text.startswith(PREFIX):
        return None
    try:
        values = plain_json.loads(text.removeprefix(PREFIX))
        if not isinstance(values, dict):
            return None
        tempo = values.get("tempo")
        if not isinstance(tempo, float) or tempo < 1:
            return None
        return MidiMetadata(
            tempo=tempo,
            key=Key.parse(str(values["key"])) if values.get("key") is not None else None,
            provenance=provenance.from_plain(values.get("provenance")),
        )
    except (DataError, UsageError):
        return None
