"""The remark musicrel leaves in a MIDI file: what MIDI's own events cannot say.

It is one text event, ``musicrel:`` and JSON with the exact tempo, the key's own name and the
provenance. Events of MIDI win over a remark they contradict: another program may have changed
them and kept the remark. This file knows nothing of MIDI's bytes or of notes.
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
"""Texts of the markers at the first step a fermata holds and at the first it no longer does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """What a remark says.

    Attributes:
        tempo: quarter notes a minute.
        key: the key as the chorale names it, or None.
        provenance: which model wrote the piece, or None.
    """

    tempo: float
    key: Key | None
    provenance: Provenance | None


def compose(chorale: Chorale) -> str:
    """The remark that goes with ``chorale``, in ASCII, so that no program can spoil its letters.

    Raises:
        DataError: the provenance holds what JSON cannot.
    """
    values = {
        "tempo": float(chorale.tempo),
        "key": str(chorale.key) if chorale.key else None,
        "provenance": provenance.to_plain(chorale.provenance),
    }
    return PREFIX + plain_json.dumps(values, ascii_only=True)


def parse(text: str) -> Remark | None:
    """What the remark ``text`` says; None where it is none, or was cut or changed on its way.

    A remark that cannot be read is no reason to refuse the notes it came with.
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
        return Remark(
            tempo=tempo,
            key=Key.parse(str(values["key"])) if values.get("key") is not None else None,
            provenance=provenance.from_plain(values.get("provenance")),
        )
    except (DataError, UsageError):
        return None
