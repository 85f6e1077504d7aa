"""Metadata that MIDI events cannot express, in an event that other programs ignore.

It is a sequencer-specific meta event (``FF 7F``) with the manufacturer ID 7D, which is reserved for
non-commercial use, then ``musicrel:`` and JSON in ASCII with the exact tempo, the name of the key,
the provenance and the composer, if known. MIDI events take precedence where they differ: another
program may have edited them and kept the metadata.

Older files have ``musicrel:`` and the JSON in a text event, which MuseScore prints into the score.
These are read, too, and pretty_midi objects, which have no sequencer-specific events, get one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from musicrel import gate
from musicrel.chorale import Chorale, Key, Provenance
from musicrel.errors import DataError, UsageError
from musicrel.score import plain_json, provenance

PREFIX: Final = "musicrel:"
MANUFACTURER: Final = b"\x7d"
MAX_BYTES: Final = 2_000_000
"""The largest accepted event; the longest piece with all its cells locked has half of it."""
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
        composer: "" if unknown.
    """

    tempo: float
    key: Key | None
    provenance: Provenance | None
    composer: str = ""


def encode(chorale: Chorale) -> bytes:
    """Return the data of the sequencer-specific event for ``chorale``.

    Raises:
        DataError: the provenance cannot be represented in JSON, or is too long.
    """
    data = MANUFACTURER + encode_text(chorale).encode("ascii")
    if len(data) > MAX_BYTES:
        raise DataError(f"the provenance has {len(data):,} bytes, more than {MAX_BYTES:,}")
    return data


def decode(data: bytes) -> MidiMetadata | None:
    """Parse the data of a sequencer-specific event; None if it is another program's or damaged."""
    if not data.startswith(MANUFACTURER) or not data.isascii():
        return None
    return decode_text(data.removeprefix(MANUFACTURER).decode("ascii"))


def encode_text(chorale: Chorale) -> str:
    """Format the metadata of ``chorale`` as the text of a text event, in ASCII.

    Raises:
        DataError: the provenance cannot be represented in JSON.
    """
    values = {
        "tempo": float(chorale.tempo),
        "key": str(chorale.key) if chorale.key else None,
        "provenance": provenance.to_plain(chorale.provenance),
        **({"composer": chorale.composer} if chorale.composer else {}),
    }
    return PREFIX + plain_json.dumps(values, ascii_only=True)


def decode_text(text: str) -> MidiMetadata | None:
    """Parse the metadata in ``text``; None if it is other text, too long, truncated or changed.

    Unreadable metadata is ignored: the notes are valid without it.
    """
    if not text.startswith(PREFIX) or len(text) > MAX_BYTES:
        return None
    try:
        values = gate.parse_json(text.removeprefix(PREFIX))
        if not isinstance(values, dict):
            return None
        tempo, composer = values.get("tempo"), values.get("composer")
        if not isinstance(tempo, float) or tempo < 1:
            return None
        return MidiMetadata(
            tempo=tempo,
            key=Key.parse(str(values["key"])) if values.get("key") is not None else None,
            provenance=provenance.from_plain(values.get("provenance")),
            composer=composer if isinstance(composer, str) else "",
        )
    except (DataError, UsageError):
        return None
