"""MIDI files in memory."""

from __future__ import annotations

from musicrel.chorale import Chorale
from musicrel.score.importing import satb_import
from musicrel.score.midi import midi_events, midi_reader


def chorale_of(content: bytes) -> Chorale:
    """Return the chorale in the MIDI file ``content``."""
    return satb_import.import_satb(midi_reader.to_source(midi_events.parse(content))).chorale
