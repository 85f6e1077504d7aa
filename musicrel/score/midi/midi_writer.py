"""Chorales as MIDI files.

What is written: format 1, 480 ticks a quarter; a conductor track with title, tempo, time and key
signature, fermatas as markers and musicrel's remark; then Soprano, Alto, Tenor, Bass on channels
0 to 3. A pickup is a first bar with a time signature of its own. Texts are UTF-8. Each track ends
where the piece ends, so that rests at the end stay.

What is read: ``midi_reader`` and ``quartet``. This file knows nothing of bytes: mido writes them.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator, Mapping
from operator import itemgetter
from pathlib import Path
from typing import Final, Literal

import mido

from musicrel import paths
from musicrel.chorale import STEPS_PER_QUARTER, Chorale, Key, Voice
from musicrel.errors import DataError, FileError
from musicrel.score import performance
from musicrel.score.importing import satb_import
from musicrel.score.importing.source import Source
from musicrel.score.midi import midi_events, midi_metadata, midi_reader
from musicrel.score.notes import notes, spans

Sound = Literal["choir", "organ"]

TICKS_PER_QUARTER: Final = 480
PROGRAMS: Final[Mapping[Sound, int]] = {"choir": 52, "organ": 19}
"""General MIDI programs counted from 0: Choir Aahs, Church Organ."""
VELOCITIES: Final[Mapping[Voice, int]] = {
    Voice.SOPRANO: 92,
    Voice.ALTO: 78,
    Voice.TENOR: 80,
    Voice.BASS: 86,
}
"""The outer voices lead, as a choir balances them."""
FERMATA_STRETCH: Final = performance.FERMATA_STRETCH
"""As the player holds it."""

_TICKS_PER_STEP: Final = TICKS_PER_QUARTER // STEPS_PER_QUARTER
_SLOWEST: Final = 2**24 - 1
_LONGEST_NUMERATOR: Final = 255
_MIDO_CHARSET = threading.Lock()
"""WORKAROUND: mido keeps the charset of the file it writes in a global (mido/midifiles/meta.py)."""

_Timed = tuple[int, mido.Message | mido.MetaMessage]
"""A tick and what happens there."""


def to_bytes(chorale: Chorale, *, sound: Sound = "choir", stretch_fermatas: bool = False) -> bytes:
    """The MIDI file of ``chorale``; ``from_bytes`` gives it back, equal in each field.

    Args:
        chorale: the piece.
        sound: which of ``PROGRAMS`` all voices sing with.
        stretch_fermatas: slow the tempo down while a fermata holds.

    Raises:
        DataError: the title or the provenance holds what a file cannot, or is too long.
    """
    file = mido.MidiFile(type=1, ticks_per_beat=TICKS_PER_QUARTER, charset="utf-8")
    file.tracks.append(_conductor(chorale, stretch_fermatas=stretch_fermatas))
    file.tracks.extend(_voice_track(chorale, voice, PROGRAMS[sound]) for voice in Voice)
    content = _saved(file, chorale.title)
    if len(content) > midi_events.MAX_BYTES:
        raise DataError(
            f"the file would have {len(content):,} bytes, more than {midi_events.MAX_BYTES:,}"
        )
    return content


def write(
    chorale: Chorale, path: Path, *, sound: Sound = "choir", stretch_fermatas: bool = False
) -> None:
    """Write ``chorale`` to ``path``; the arguments are those of ``to_bytes``.

    Raises:
        DataError: see ``to_bytes``.
        FileError: the file cannot be written.
    """
    paths.write_bytes(path, to_bytes(chorale, sound=sound, stretch_fermatas=stretch_fermatas))


def from_bytes(content: bytes) -> Chorale:
    """The chorale in the MIDI file ``content``; see ``quartet`` for what is understood.

    Raises:
        FileError: the bytes are no MIDI file.
        DataError: there are no notes, or the tempo is none a chorale can have.
    """
    return satb_import.reading(midi_reader.source_of(midi_events.parse(content))).chorale


def read(path: Path) -> Chorale:
    """The chorale in the MIDI file ``path``; see ``quartet`` for what is understood.

    Raises:
        FileError: the file is missing, damaged, too long, or holds no music.
    """
    try:
        return satb_import.reading(source(path)).chorale
    except DataError as reason:
        raise FileError(f"cannot read {path}: {reason}") from reason


def source(path: Path) -> Source:
    """What the MIDI file ``path`` says; see ``midi_reader`` for what is understood.

    Raises:
        FileError: the file is missing, damaged or too long.
    """
    content = paths.read_bytes(path, limit=midi_events.MAX_BYTES)
    try:
        return midi_reader.source_of(midi_events.parse(content))
    except FileError as reason:
        raise FileError(f"cannot read {path}: {reason}") from reason


def _saved(file: mido.MidiFile, title: str) -> bytes:
    out = io.BytesIO()
    with _MIDO_CHARSET:
        try:
            file.save(file=out)
        except UnicodeEncodeError as reason:
            raise DataError(f"the title {title!r} holds what no file can: change it") from reason
    return out.getvalue()


def _conductor(chorale: Chorale, *, stretch_fermatas: bool) -> mido.MidiTrack:
    happenings: list[_Timed] = [
        (0, mido.MetaMessage("track_name", name=chorale.title)),
        (0, mido.MetaMessage("text", text=midi_metadata.compose(chorale))),
        *_signatures(chorale),
        *_tempo_events(chorale, stretch_fermatas=stretch_fermatas),
    ]
    for start, stop in spans(chorale.fermatas):
        happenings.append((_tick(start), mido.MetaMessage("marker", text=midi_metadata.FERMATA)))
        happenings.append((_tick(stop), mido.MetaMessage("marker", text=midi_metadata.FERMATA_END)))
    return _track(happenings, chorale.steps)


def _signatures(chorale: Chorale) -> Iterator[_Timed]:
    if chorale.pickup:
        yield 0, _time_signature(*_pickup_signature(chorale.pickup))
    meter = chorale.meter
    yield _tick(chorale.pickup), _time_signature(meter.numerator, meter.denominator)
    if chorale.key:
        yield 0, mido.MetaMessage("key_signature", key=_key_name(chorale.key))


def _time_signature(numerator: int, denominator: int) -> mido.MetaMessage:
    return mido.MetaMessage("time_signature", numerator=numerator, denominator=denominator)


def _pickup_signature(steps: int) -> tuple[int, int]:
    """The time signature of a bar of ``steps`` sixteenths, in quarters where they go into it."""
    numerator, denominator = steps, 4 * STEPS_PER_QUARTER
    while numerator % 2 == 0 and denominator > STEPS_PER_QUARTER:
        numerator, denominator = numerator // 2, denominator // 2
    # MIDI has one byte for it; where the second signature stands says the length in any case
    return min(numerator, _LONGEST_NUMERATOR), denominator


def _key_name(key: Key) -> str:
    """The key as mido names it, in the usual spelling where MIDI has no signature for its own."""
    signed = (
        key if abs(key.fifths) <= midi_reader.MOST_FIFTHS else Key.of(key.pitch_class, key.mode)
    )
    return signed.tonic + ("m" if signed.mode == "minor" else "")


def _tempo_events(chorale: Chorale, *, stretch_fermatas: bool) -> Iterator[_Timed]:
    """The piece's tempo, and around each fermata a slower one."""
    held = spans(chorale.fermatas) if stretch_fermatas else []
    usual = midi_reader.microseconds(chorale.tempo)
    slow = min(midi_reader.microseconds(chorale.tempo / FERMATA_STRETCH), _SLOWEST)
    if not held or held[0][0] > 0:
        yield 0, mido.MetaMessage("set_tempo", tempo=usual)
    for start, stop in held:
        yield _tick(start), mido.MetaMessage("set_tempo", tempo=slow)
        yield _tick(stop), mido.MetaMessage("set_tempo", tempo=usual)


def _voice_track(chorale: Chorale, voice: Voice, program: int) -> mido.MidiTrack:
    channel = int(voice)
    happenings: list[_Timed] = [
        (0, mido.MetaMessage("track_name", name=voice.title)),
        (0, mido.Message("program_change", channel=channel, program=program)),
    ]
    for note in notes(chorale, voice):
        sung = {"channel": channel, "note": note.pitch}
        on = mido.Message("note_on", velocity=VELOCITIES[voice], **sung)
        off = mido.Message("note_off", velocity=0, **sung)
        happenings += [(_tick(note.start), on), (_tick(note.stop), off)]
    return _track(happenings, chorale.steps)


def _track(happenings: list[_Timed], steps: int) -> mido.MidiTrack:
    """The track in which each of ``happenings`` comes at its tick, up to the piece's end.

    What comes at one tick stays in order, so a note ends before the next one begins.
    """
    track = mido.MidiTrack()
    now = 0
    for tick, message in sorted(happenings, key=itemgetter(0)):
        message.time = tick - now
        track.append(message)
        now = tick
    end = max(_tick(steps), now)
    track.append(mido.MetaMessage("end_of_track", time=end - now))
    return track


def _tick(step: int) -> int:
    return step * _TICKS_PER_STEP
