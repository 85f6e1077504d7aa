"""Conversion of chorales to ``PrettyMIDI`` objects of the package pretty_midi, and back.

Both ways lead through the writer and the reader of MIDI files, so that quantisation and the
assignment of voices are the same. A ``PrettyMIDI`` has neither markers, sequencer-specific events
nor a title: fermatas and the metadata become text events, which the reader understands, too; the
title and rests at the very end are lost.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from musicrel.chorale import Chorale, Voice, spans
from musicrel.errors import DataError, FileError
from musicrel.language import tr
from musicrel.score.importing import satb_import
from musicrel.score.instruments import INSTRUMENTS, Sound, Sounds, for_voices
from musicrel.score.midi import midi_events, midi_metadata, midi_reader, midi_writer
from musicrel.score.midi.midi_metadata import FERMATA, FERMATA_END

if TYPE_CHECKING:
    from pretty_midi import PrettyMIDI


def to_pretty_midi(
    chorale: Chorale, *, sound: Sound | Sounds = "choir", stretch_fermatas: bool = False
) -> PrettyMIDI:
    """Convert ``chorale`` to a ``PrettyMIDI`` with the instruments Soprano, Alto, Tenor and Bass.

    Args:
        stretch_fermatas: slow the tempo down under fermatas.

    Raises:
        DataError: the provenance cannot be represented.
    """
    import pretty_midi  # noqa: PLC0415  # it takes a while

    written = midi_writer.to_mido(chorale, sound=sound, stretch_fermatas=stretch_fermatas)
    for track in written.tracks[1:]:  # pretty_midi warns of signatures in other tracks
        track[:] = [message for message in track if message.type != "key_signature"]
    file = pretty_midi.PrettyMIDI(mido_object=written)
    file.text_events.append(pretty_midi.Text(midi_metadata.encode_text(chorale), 0.0))
    for span in spans(chorale.fermatas):
        for step, text in zip(span, (FERMATA, FERMATA_END), strict=True):
            seconds = file.tick_to_time(step * midi_writer.TICKS_PER_STEP)
            file.text_events.append(pretty_midi.Text(text, seconds))
    sounding = {instrument.name: instrument for instrument in file.instruments}
    file.instruments = [
        sounding.get(voice.part)  # without notes it was left out
        or pretty_midi.Instrument(INSTRUMENTS[key].program, name=voice.part)
        for voice, key in zip(Voice, for_voices(sound), strict=True)
    ]
    return file


def from_pretty_midi(file: PrettyMIDI) -> Chorale:
    """Convert a ``PrettyMIDI`` of any origin to a chorale, as MIDI files are read.

    Notes are quantised to sixteenths; instruments named after voices become these, others are
    assigned by pitch. Changes are logged as warnings.

    Raises:
        DataError: it has no notes, or an invalid or unsupported value.
    """
    content = io.BytesIO()
    try:
        file.write(content)
        source = midi_reader.to_source(midi_events.parse(content.getvalue()))
        return satb_import.import_satb(source).logged("PrettyMIDI").chorale
    except (AttributeError, TypeError, ValueError, FileError, DataError) as reason:
        raise DataError(
            tr("cannot convert the PrettyMIDI object: {reason}", reason=reason)
        ) from reason
