"""Practice versions as MIDI files: volumes per channel, a track of clicks, a count-in.

Levels are channel volumes (controller 7), which every player and mixer shows as faders, and
velocities, which also change the timbre. The clicks are wood blocks on the drum channel, which
readers of scores leave out. A file with a count-in carries no metadata: its bars are counted from
the count-in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

import mido

from musicrel import paths
from musicrel.chorale import Chorale, Voice
from musicrel.score import beats
from musicrel.score.instruments import Sound, Sounds
from musicrel.score.midi import midi_reader, midi_writer
from musicrel.score.midi.control_changes import HIGHEST, VOLUME, channel_volume
from musicrel.score.midi.midi_drums import CLICK_TRACK, DRUMS
from musicrel.score.midi.midi_writer import TICKS_PER_STEP
from musicrel.score.practice import Practice

CLICK_NOTES: Final[Mapping[int, tuple[int, int]]] = {0: (76, 112), 1: (77, 96), 2: (77, 56)}
"""Note and velocity of each stress: high and low wood block of General MIDI."""

_CLICK_TICKS: Final = TICKS_PER_STEP // 2
_Timed = tuple[int, Any]
"""A tick and the message at it."""


def write(
    chorale: Chorale,
    path: Path,
    practice: Practice | None = None,
    *,
    sound: Sound | Sounds = "choir",
    stretch_fermatas: bool = False,
    clicks: bool = False,
    count_in: bool = False,
) -> None:
    """Write a practice version of ``chorale`` to ``path``.

    Args:
        chorale: the piece.
        path: the file to create or replace.
        practice: the version; None: all voices as usual.
        sound: instrument of all voices, or those of S, A, T, B.
        stretch_fermatas: slow the tempo down under fermatas.
        clicks: add a track with the beats.
        count_in: begin with a bar of clicks.

    Raises:
        DataError: see ``midi_writer.to_bytes``.
        FileError: the file cannot be written.
    """
    file = midi_writer.to_mido(chorale, sound=sound, stretch_fermatas=stretch_fermatas)
    first = beats.count_in_start(chorale, 0) if count_in else 0
    tracks = [list(_timed(track)) for track in file.tracks]
    if practice is not None:
        for voice, level in zip(Voice, practice.levels, strict=True):
            tracks[1 + voice] = list(_levelled(tracks[1 + voice], voice, level))
    if count_in:
        tracks = [list(_delayed(track, -first * TICKS_PER_STEP, chorale)) for track in tracks]
    if clicks or count_in:
        tracks.append(_click_track(chorale, first, chorale.steps if clicks else 0))
    file.tracks = [_track(events) for events in tracks]
    paths.write_bytes(path, midi_writer.saved(file))


def _timed(track: mido.MidiTrack) -> Iterator[_Timed]:
    """Yield the messages of a track with their ticks."""
    now = 0
    for message in track:
        now += message.time
        yield now, message


def _levelled(events: list[_Timed], voice: Voice, level: float) -> Iterator[_Timed]:
    """Yield the events of a voice in another volume."""
    volume = channel_volume(level)
    for tick, message in events:
        if message.type == "note_on":
            louder = round(message.velocity * (0.7 + 0.3 * level))
            yield tick, message.copy(velocity=min(max(louder, 1), HIGHEST))
            continue
        yield tick, message
        if message.type == "program_change":
            control = {"control": VOLUME, "value": volume}
            yield tick, mido.Message("control_change", channel=int(voice), **control)


def _delayed(events: list[_Timed], ticks: int, chorale: Chorale) -> Iterator[_Timed]:
    """Yield the events of a track after a count-in.

    Names, key and programs stay at the beginning; all bars are whole ones.
    """
    meter = chorale.meter
    for tick, message in events:
        if message.type == "time_signature":
            if tick == chorale.pickup * TICKS_PER_STEP:
                signature = {"numerator": meter.numerator, "denominator": meter.denominator}
                yield 0, mido.MetaMessage("time_signature", **signature)
        elif message.type == "set_tempo" and tick == 0:
            yield from _first_tempo(message, ticks, chorale)
        elif message.type in ("note_on", "note_off", "marker", "set_tempo", "end_of_track"):
            yield tick + ticks, message
        elif message.type != "sequencer_specific":
            yield tick, message


def _first_tempo(message: Any, ticks: int, chorale: Chorale) -> Iterator[_Timed]:
    """Yield the tempo of the count-in, and the slower one of a fermata at the beginning."""
    usual = midi_reader.microseconds(chorale.tempo)
    yield 0, mido.MetaMessage("set_tempo", tempo=usual)
    if message.tempo != usual:
        yield ticks, message


def _click_track(chorale: Chorale, first: int, stop: int) -> list[_Timed]:
    """Return a track of clicks from step ``first``, which may be negative, to ``stop``."""
    events: list[_Timed] = [(0, mido.MetaMessage("track_name", name=CLICK_TRACK))]
    for step, stress in beats.beats(chorale.meter, chorale.pickup, first, stop, chorale.tempo):
        note, velocity = CLICK_NOTES[stress]
        at, common = (step - first) * TICKS_PER_STEP, {"channel": DRUMS, "note": note}
        events.append((at, mido.Message("note_on", velocity=velocity, **common)))
        events.append((at + _CLICK_TICKS, mido.Message("note_off", velocity=0, **common)))
    end = (chorale.steps - first) * TICKS_PER_STEP
    return [*events, (max(end, events[-1][0]), mido.MetaMessage("end_of_track"))]


def _track(events: list[_Timed]) -> mido.MidiTrack:
    """Build a track; events at one tick keep their order."""
    track, now = mido.MidiTrack(), 0
    for tick, message in sorted(events, key=itemgetter(0)):
        track.append(message.copy(time=tick - now))
        now = tick
    return track
