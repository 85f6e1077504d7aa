"""Chorales as MIDI files, written with mido.

Layout: format 1, 480 ticks per quarter; a tempo track with title, tempo, time and key signature,
fermatas as markers and the metadata event; then the tracks Soprano, Alto, Tenor, Bass on channels
0 to 3. The voices have the key signature, too: MuseScore reads it there, as it writes it, and
estimates the key otherwise. Title and composer, if that is known, are in the soprano as events of
MuseScore, which shows them above the first system; text events would become lyrics. A pickup is a
first bar with its own time signature. Texts are UTF-8. Each track ends at the end of the piece, so
that final rests are kept. For reading see ``midi_reader`` and ``satb_import``.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator, Mapping
from operator import itemgetter
from pathlib import Path
from typing import Final

import mido

from musicrel import paths
from musicrel.chorale import STEPS_PER_QUARTER, Chorale, Key, Voice, spans
from musicrel.errors import DataError
from musicrel.score import instruments, performance
from musicrel.score.instruments import INSTRUMENTS, Sound, Sounds
from musicrel.score.midi import midi_events, midi_metadata, midi_reader
from musicrel.score.notes import notes

TICKS_PER_QUARTER: Final = 480
TICKS_PER_STEP: Final = TICKS_PER_QUARTER // STEPS_PER_QUARTER
VELOCITIES: Final[Mapping[Voice, int]] = {
    Voice.SOPRANO: 92,
    Voice.ALTO: 78,
    Voice.TENOR: 80,
    Voice.BASS: 86,
}
"""Velocity of each voice; the outer voices are louder."""
FERMATA_STRETCH: Final = performance.FERMATA_STRETCH
"""The same factor as in playback."""

_TITLE: Final = 0x10
_COMPOSER: Final = 0x12
"""Type bytes of MuseScore's events; other programs ignore what they do not know (RP-001)."""
_MAX_MICROSECONDS: Final = 2**24 - 1
_MAX_NUMERATOR: Final = 255
_MIDO_CHARSET = threading.Lock()
"""WORKAROUND: mido keeps the charset of the file it writes in a global (mido/midifiles/meta.py)."""

_TimedMessage = tuple[int, mido.Message | mido.MetaMessage]
"""A tick and the message at it."""


def to_bytes(
    chorale: Chorale, *, sound: Sound | Sounds = "choir", stretch_fermatas: bool = False
) -> bytes:
    """Convert ``chorale`` to a MIDI file; reading it back restores every field.

    Args:
        chorale: the piece.
        sound: instrument of all voices, or those of S, A, T, B.
        stretch_fermatas: slow the tempo down under fermatas.

    Raises:
        DataError: a text or the provenance cannot be represented, or is too long.
    """
    file = to_mido(chorale, sound=sound, stretch_fermatas=stretch_fermatas)
    content = saved(file)
    if len(content) > midi_events.MAX_BYTES:
        raise DataError(
            f"the file would have {len(content):,} bytes, more than {midi_events.MAX_BYTES:,}"
        )
    return content


def to_mido(
    chorale: Chorale, *, sound: Sound | Sounds = "choir", stretch_fermatas: bool = False
) -> mido.MidiFile:
    """Convert ``chorale`` to a file of mido; the arguments are those of ``to_bytes``.

    Raises:
        DataError: a text or the provenance cannot be represented, or is too long.
    """
    file = mido.MidiFile(type=1, ticks_per_beat=TICKS_PER_QUARTER, charset="utf-8")
    file.tracks.append(_tempo_track(chorale, stretch_fermatas=stretch_fermatas))
    for voice, instrument in zip(Voice, instruments.for_voices(sound), strict=True):
        file.tracks.append(_voice_track(chorale, voice, INSTRUMENTS[instrument].program))
    return file


def write(
    chorale: Chorale,
    path: Path,
    *,
    sound: Sound | Sounds = "choir",
    stretch_fermatas: bool = False,
) -> None:
    """Write ``chorale`` to ``path``; the arguments are those of ``to_bytes``.

    Raises:
        DataError: see ``to_bytes``.
        FileError: the file cannot be written.
    """
    paths.write_bytes(path, to_bytes(chorale, sound=sound, stretch_fermatas=stretch_fermatas))


def saved(file: mido.MidiFile) -> bytes:
    """Encode ``file``.

    Raises:
        DataError: a text cannot be encoded as UTF-8.
    """
    out = io.BytesIO()
    with _MIDO_CHARSET:
        try:
            file.save(file=out)
        except UnicodeEncodeError as reason:
            raise _not_utf8("title", reason) from reason
    return out.getvalue()


def _tempo_track(chorale: Chorale, *, stretch_fermatas: bool) -> mido.MidiTrack:
    events: list[_TimedMessage] = [
        (0, mido.MetaMessage("track_name", name=chorale.title)),
        (0, mido.MetaMessage("sequencer_specific", data=tuple(midi_metadata.encode(chorale)))),
        *_time_signatures(chorale),
        *_key_signature(chorale),
        *_tempo_events(chorale, stretch_fermatas=stretch_fermatas),
    ]
    for start, stop in spans(chorale.fermatas):
        events.append((_tick(start), mido.MetaMessage("marker", text=midi_metadata.FERMATA)))
        events.append((_tick(stop), mido.MetaMessage("marker", text=midi_metadata.FERMATA_END)))
    return _track(events, chorale.steps)


def _time_signatures(chorale: Chorale) -> Iterator[_TimedMessage]:
    if chorale.pickup:
        yield 0, _time_signature(*_pickup_signature(chorale.pickup))
    meter = chorale.meter
    yield _tick(chorale.pickup), _time_signature(meter.numerator, meter.denominator)


def _key_signature(chorale: Chorale) -> Iterator[_TimedMessage]:
    if chorale.key:
        yield 0, mido.MetaMessage("key_signature", key=_key_name(chorale.key))


def _time_signature(numerator: int, denominator: int) -> mido.MetaMessage:
    return mido.MetaMessage("time_signature", numerator=numerator, denominator=denominator)


def _pickup_signature(steps: int) -> tuple[int, int]:
    """Return the time signature of a bar of ``steps`` sixteenths, in quarters if possible."""
    numerator, denominator = steps, 4 * STEPS_PER_QUARTER
    while numerator % 2 == 0 and denominator > STEPS_PER_QUARTER:
        numerator, denominator = numerator // 2, denominator // 2
    # MIDI has one byte for it; the position of the second signature gives the exact length
    return min(numerator, _MAX_NUMERATOR), denominator


def _key_name(key: Key) -> str:
    """Name the key for mido, respelled if its signature has more than seven signs."""
    signed = key if abs(key.fifths) <= midi_reader.MAX_FIFTHS else Key.of(key.pitch_class, key.mode)
    return signed.tonic + ("m" if signed.mode == "minor" else "")


def _tempo_events(chorale: Chorale, *, stretch_fermatas: bool) -> Iterator[_TimedMessage]:
    """Yield the tempo of the piece and the slower one of each fermata."""
    held = spans(chorale.fermatas) if stretch_fermatas else []
    usual = midi_reader.microseconds(chorale.tempo)
    slow = min(midi_reader.microseconds(chorale.tempo / FERMATA_STRETCH), _MAX_MICROSECONDS)
    if not held or held[0][0] > 0:
        yield 0, mido.MetaMessage("set_tempo", tempo=usual)
    for start, stop in held:
        yield _tick(start), mido.MetaMessage("set_tempo", tempo=slow)
        yield _tick(stop), mido.MetaMessage("set_tempo", tempo=usual)


def _voice_track(chorale: Chorale, voice: Voice, program: int) -> mido.MidiTrack:
    channel = int(voice)
    events: list[_TimedMessage] = [
        (0, mido.MetaMessage("track_name", name=voice.title)),
        *(_credits(chorale) if voice == Voice.SOPRANO else ()),
        *_key_signature(chorale),
        (0, mido.Message("program_change", channel=channel, program=program)),
    ]
    for note in notes(chorale, voice):
        common = {"channel": channel, "note": note.pitch}
        on = mido.Message("note_on", velocity=VELOCITIES[voice], **common)
        off = mido.Message("note_off", velocity=0, **common)
        events += [(_tick(note.start), on), (_tick(note.stop), off)]
    return _track(events, chorale.steps)


def _credits(chorale: Chorale) -> Iterator[_TimedMessage]:
    """Yield title and composer as MuseScore reads them, unless the composer is unknown."""
    if not chorale.composer:
        return
    for name, kind, text in (
        ("title", _TITLE, chorale.title),
        ("composer", _COMPOSER, chorale.composer),
    ):
        try:
            data = tuple(text.encode("utf-8"))
        except UnicodeEncodeError as reason:
            raise _not_utf8(name, reason) from reason
        if data:
            yield 0, mido.UnknownMetaMessage(kind, data=data)


def _not_utf8(name: str, reason: UnicodeEncodeError) -> DataError:
    return DataError(f"the {name} {reason.object!r} cannot be encoded as UTF-8: change it")


def _track(events: list[_TimedMessage], steps: int) -> mido.MidiTrack:
    """Build a track from timed events, up to the end of the piece.

    Events at the same tick keep their order, so a note ends before the next one starts.
    """
    track = mido.MidiTrack()
    now = 0
    for tick, message in sorted(events, key=itemgetter(0)):
        message.time = tick - now
        track.append(message)
        now = tick
    end = max(_tick(steps), now)
    track.append(mido.MetaMessage("end_of_track", time=end - now))
    return track


def _tick(step: int) -> int:
    return step * TICKS_PER_STEP
