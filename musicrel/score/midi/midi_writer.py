"""Chorales as MIDI files, written with mido.

Layout: format 1, 480 ticks per quarter; a tempo track with title, tempo, time and key signature,
fermatas as markers and the metadata event; then the tracks Soprano, Alto, Tenor, Bass on channels
0 to 3. The voices have the key signature, too: MuseScore reads it there, as it writes it, and
estimates the key otherwise. Title, subtitle, composer and poet, unless only the title is known, are
in the soprano as events of MuseScore, which shows them above the first system; text events would
become lyrics. The first verse of each harmony is in the track of its voice as lyric events: a
syllable ends with a hyphen if its word goes on, else with a space, as players of karaoke expect. In
practice versions all voices have words. A pickup is a first bar with its own time signature. Texts
are UTF-8. Each track ends at the end of the piece, so that final rests are kept. For reading see
``midi_reader`` and ``satb_import``.

Levels of a practice version are channel volumes (controller 7), which every player and mixer shows
as faders, and velocities, which also change the timbre. The clicks are wood blocks on the drum
channel, which readers of scores leave out. A file with a count-in carries no metadata: its bars are
counted from the count-in.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, TypedDict, Unpack, get_args

import mido
import numpy as np

from musicrel import paths
from musicrel.chorale import STEPS_PER_QUARTER, Chorale, Key, Voice, spans
from musicrel.errors import DataError, UsageError
from musicrel.language import tr
from musicrel.score import beats, instruments, performance
from musicrel.score.instruments import INSTRUMENTS, Sound, Sounds
from musicrel.score.midi import midi_events, midi_lyrics, midi_metadata, midi_reader
from musicrel.score.midi.midi_drums import CLICK_TRACK, DRUMS, HIGHEST, VOLUME, channel_volume
from musicrel.score.notes import notes

TICKS_PER_QUARTER: Final = 480
TICKS_PER_STEP: Final = TICKS_PER_QUARTER // STEPS_PER_QUARTER
VELOCITIES: Final = (92, 78, 80, 86)  # of S, A, T, B; the outer voices are louder
FERMATA_STRETCH: Final = performance.FERMATA_STRETCH  # the same factor as in playback

_TITLE: Final = 0x10
# Type bytes of MuseScore's events; other programs ignore what they do not know (RP-001).
_SUBTITLE, _COMPOSER, _POET = 0x11, 0x12, 0x14
_MAX_MICROSECONDS: Final = 2**24 - 1
_MAX_NUMERATOR: Final = 255
# WORKAROUND: mido keeps the charset of the file it writes in a global (mido/midifiles/meta.py).
_MIDO_CHARSET = threading.Lock()

_TimedMessage = tuple[int, Any]  # a tick and the message of mido at it


Kind: TypeAlias = Literal["louder", "left out"]  # the part of the voice in its practice version

DEFAULT_OTHERS: Final = 0.25
# Level of the louder voice, so that a version with soft voices is as loud as the whole choir.
_LOUD: Final = 1.6


@dataclass(frozen=True, slots=True, kw_only=True)
class Practice:
    """One practice version."""

    voice: Voice
    kind: Kind = "louder"  # "louder": it stands out; "left out": the others sound without it
    others: float = DEFAULT_OTHERS  # level of the other voices relative to a louder one, 0 to 1

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise UsageError(f"the voice is {self.kind!r}: expected {' or '.join(get_args(Kind))}")
        if not 0 <= self.others <= 1:
            raise UsageError(f"the level of the others is {self.others}: expected 0 to 1")

    @property
    def levels(self) -> tuple[float, ...]:
        """Return the volumes of S, A, T, B; 1 is that of a voice in the whole choir."""
        own, others = (_LOUD, _LOUD * self.others) if self.kind == "louder" else (0.0, 1.0)
        return tuple(own if voice is self.voice else others for voice in Voice)

    @property
    def name(self) -> str:
        """Return the name of the version, as in "Soprano practice"."""
        text = tr("{voice} practice") if self.kind == "louder" else tr("without {voice}")
        return text.format(voice=self.voice.title)


# Note and velocity of each stress: high and low wood block of General MIDI.
CLICK_NOTES: Final = ((76, 112), (77, 96), (77, 56))
_CLICK_TICKS: Final = TICKS_PER_STEP // 2


class Options(TypedDict, total=False):
    """Options of a MIDI file.

    ``sound`` is the instrument of all voices, or those of S, A, T, B; ``stretch_fermatas`` slows
    the tempo down under fermatas; ``clicks`` adds a track with the beats; ``count_in`` begins with
    a bar of clicks; ``markers`` are steps and the texts that stand there.
    """

    sound: Sound | Sounds
    stretch_fermatas: bool
    clicks: bool
    count_in: bool
    markers: Sequence[tuple[int, str]]


def to_bytes(
    chorale: Chorale, practice: Practice | None = None, **options: Unpack[Options]
) -> bytes:
    """Convert ``chorale`` to a MIDI file; reading it back restores every field.

    Args:
        chorale: the piece.
        practice: the practice version; None: all voices as usual.
        **options: see ``Options``.

    Raises:
        DataError: a text or the provenance cannot be represented, or is too long.
    """
    content = saved(to_mido(chorale, practice, **options))
    if len(content) > midi_events.MAX_BYTES:
        sentence = tr("the file would have {size:,} bytes, more than {most:,}")
        raise DataError(sentence.format(size=len(content), most=midi_events.MAX_BYTES))
    return content


def to_mido(
    chorale: Chorale, practice: Practice | None = None, **options: Unpack[Options]
) -> mido.MidiFile:
    """Convert ``chorale`` to a file of mido; the arguments are those of ``to_bytes``."""
    chorale = midi_lyrics.with_shared_words(chorale) if practice else chorale
    counts_in, clicks = options.get("count_in", False), options.get("clicks", False)
    first = beats.count_in_start(chorale, 0) if counts_in else 0
    stretched = options.get("stretch_fermatas", False)
    tracks = [_tempo_track(chorale, options.get("markers", ()), stretch_fermatas=stretched)]
    sounds = instruments.for_voices(options.get("sound", "choir"))
    for voice, instrument in zip(Voice, sounds, strict=True):
        events = _voice_track(chorale, voice, INSTRUMENTS[instrument].program)
        level = practice.levels[voice] if practice is not None else None
        tracks.append(events if level is None else list(_levelled(events, voice, level)))
    if counts_in:
        tracks = [list(_delayed(track, _tick(-first), chorale)) for track in tracks]
    if clicks or counts_in:
        tracks.append(_click_track(chorale, first, chorale.steps if clicks else 0))
    file = mido.MidiFile(type=1, ticks_per_beat=TICKS_PER_QUARTER, charset="utf-8")
    file.tracks += [_track(events, chorale.steps - first) for events in tracks]
    return file


def write(
    chorale: Chorale, path: Path, practice: Practice | None = None, **options: Unpack[Options]
) -> None:
    """Write ``chorale`` to ``path``; the arguments are those of ``to_bytes``.

    Raises:
        DataError: see ``to_bytes``.
        FileError: the file cannot be written.
    """
    paths.write_bytes(path, to_bytes(chorale, practice, **options))


def velocity_of(voice: Voice, level: float) -> int:
    """Return the velocity of a note of a loudness; see ``TimedNote.level``."""
    return min(max(round(VELOCITIES[voice] * level), 1), HIGHEST)


def saved(file: mido.MidiFile) -> bytes:
    """Encode ``file``."""
    out = io.BytesIO()
    with _MIDO_CHARSET:
        try:
            file.save(file=out)
        except UnicodeEncodeError as reason:
            raise _not_utf8("text", reason) from reason
    return out.getvalue()


def _tempo_track(
    chorale: Chorale, markers: Sequence[tuple[int, str]], *, stretch_fermatas: bool
) -> list[_TimedMessage]:
    events: list[_TimedMessage] = [
        (0, mido.MetaMessage("track_name", name=chorale.title)),
        (0, mido.MetaMessage("sequencer_specific", data=tuple(midi_metadata.encode(chorale)))),
        *_time_signatures(chorale),
        *_key_signatures(chorale),
        *_tempo_events(chorale, stretch_fermatas=stretch_fermatas),
        *((_tick(step), mido.MetaMessage("marker", text=text)) for step, text in markers),
    ]
    if chorale.copyright:
        events.append((0, mido.MetaMessage("copyright", text=chorale.copyright)))
    for start, stop in spans(chorale.fermatas):
        events.append((_tick(start), mido.MetaMessage("marker", text=midi_metadata.FERMATA)))
        events.append((_tick(stop), mido.MetaMessage("marker", text=midi_metadata.FERMATA_END)))
    return events


def _time_signatures(chorale: Chorale) -> Iterator[_TimedMessage]:
    if chorale.pickup:
        yield 0, _time_signature(*_pickup_signature(chorale.pickup))
    meter = chorale.meter
    yield _tick(chorale.pickup), _time_signature(meter.numerator, meter.denominator)


def _key_signatures(chorale: Chorale) -> Iterator[_TimedMessage]:
    for step, key in ((0, chorale.key), *((mark.start, mark.value) for mark in chorale.marks)):
        if isinstance(key, Key):
            is_usual = abs(key.fifths) <= midi_reader.MAX_FIFTHS
            tonic = key.tonic if is_usual else Key.of(key.pitch_class, key.mode).tonic
            name = tonic + ("m" if key.mode == "minor" else "")
            yield _tick(step), mido.MetaMessage("key_signature", key=name)


def _time_signature(numerator: int, denominator: int) -> mido.MetaMessage:
    return mido.MetaMessage("time_signature", numerator=numerator, denominator=denominator)


def _pickup_signature(steps: int) -> tuple[int, int]:
    """Return the time signature of a bar of ``steps`` sixteenths, in quarters if possible."""
    numerator, denominator = steps, 4 * STEPS_PER_QUARTER
    while numerator % 2 == 0 and denominator > STEPS_PER_QUARTER:
        numerator, denominator = numerator // 2, denominator // 2
    # MIDI has one byte for it; the position of the second signature gives the exact length
    return min(numerator, _MAX_NUMERATOR), denominator


def _tempo_events(chorale: Chorale, *, stretch_fermatas: bool) -> Iterator[_TimedMessage]:
    tempos = np.append(chorale.tempos(), chorale.tempo_at(chorale.steps))
    if stretch_fermatas:
        tempos[:-1][chorale.fermatas] /= FERMATA_STRETCH
    if chorale.tempo not in tempos:  # the metadata are exact where the tempo is found
        yield 0, mido.MetaMessage("set_tempo", tempo=midi_reader.microseconds(chorale.tempo))
    for step in np.flatnonzero(np.diff(tempos, prepend=0)).tolist():
        tempo = min(midi_reader.microseconds(float(tempos[step])), _MAX_MICROSECONDS)
        yield _tick(step), mido.MetaMessage("set_tempo", tempo=tempo)


def _voice_track(chorale: Chorale, voice: Voice, program: int) -> list[_TimedMessage]:
    channel = int(voice)
    events: list[_TimedMessage] = [
        (0, mido.MetaMessage("track_name", name=voice.part)),
        *(_credits(chorale) if voice == Voice.SOPRANO else ()),
        *_key_signatures(chorale),
        *_words(chorale, voice),
        (0, mido.Message("program_change", channel=channel, program=program)),
    ]
    levels = performance.levels(chorale)
    for note in notes(chorale, voice):
        common = {"channel": channel, "note": note.pitch}
        velocity = velocity_of(voice, levels[note.start])
        on = mido.Message("note_on", velocity=velocity, **common)
        off = mido.Message("note_off", velocity=0, **common)
        events += [(_tick(note.start), on), (_tick(note.stop), off)]
    return events


def _words(chorale: Chorale, voice: Voice) -> Iterator[_TimedMessage]:
    """Yield the words of a voice: one verse at a time as events, and all of them as data."""
    words = [word for word in chorale.lyrics if word.voice == voice]
    chosen = midi_lyrics.verses_of_events((word.step, word.verse) for word in words)
    if words:
        data = tuple(midi_metadata.encode_words(words))
        yield 0, mido.MetaMessage("sequencer_specific", data=data)
    for word in words:
        if word.verse in chosen:
            text = midi_lyrics.written(word.text, word.hyphen)
            yield _tick(word.step), mido.MetaMessage("lyrics", text=text)


def _credits(chorale: Chorale) -> Iterator[_TimedMessage]:
    """Yield title and names as MuseScore reads them, unless only the title is known."""
    if not (chorale.composer or chorale.poet or chorale.subtitle):
        return
    for name, kind, text in (
        ("title", _TITLE, chorale.title),
        ("subtitle", _SUBTITLE, chorale.subtitle),
        ("composer", _COMPOSER, chorale.composer),
        ("poet", _POET, chorale.poet),
    ):
        try:
            data = tuple(text.encode("utf-8"))
        except UnicodeEncodeError as reason:
            raise _not_utf8(name, reason) from reason
        if data:
            yield 0, mido.UnknownMetaMessage(kind, data=data)


def _not_utf8(name: str, reason: UnicodeEncodeError) -> DataError:
    return DataError(f"the {name} {reason.object!r} cannot be encoded as UTF-8: change it")


def _levelled(events: list[_TimedMessage], voice: Voice, level: float) -> Iterator[_TimedMessage]:
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


def _delayed(events: list[_TimedMessage], ticks: int, chorale: Chorale) -> Iterator[_TimedMessage]:
    """Yield the events of a track after a count-in.

    Names, key and programs stay at the beginning; all bars are whole ones.
    """
    meter = chorale.meter
    for tick, message in sorted(events, key=itemgetter(0)):
        if message.type == "time_signature":
            if tick == _tick(chorale.pickup):
                yield 0, _time_signature(meter.numerator, meter.denominator)
        elif message.type == "set_tempo" and tick == 0:
            yield from _first_tempo(message, ticks, chorale)
        elif tick or message.type in ("note_on", "lyrics", "marker"):
            yield tick + ticks, message
        elif message.type != "sequencer_specific":
            yield tick, message


def _first_tempo(message: Any, ticks: int, chorale: Chorale) -> Iterator[_TimedMessage]:
    """Yield the tempo of the count-in, and the slower one of a fermata at the beginning."""
    usual = midi_reader.microseconds(chorale.tempo)
    yield 0, mido.MetaMessage("set_tempo", tempo=usual)
    if message.tempo != usual:
        yield ticks, message


def _click_track(chorale: Chorale, first: int, stop: int) -> list[_TimedMessage]:
    """Return a track of clicks: from ``first``, which may be negative, and through the piece."""
    events: list[_TimedMessage] = [(0, mido.MetaMessage("track_name", name=CLICK_TRACK))]
    counted = beats.beats(chorale.meter, chorale.pickup, first, 0, chorale.tempo)
    for step, stress in (*counted, *(beats.of_piece(chorale) if stop else ())):
        note, velocity = CLICK_NOTES[stress]
        at, common = _tick(step - first), {"channel": DRUMS, "note": note}
        events.append((at, mido.Message("note_on", velocity=velocity, **common)))
        events.append((at + _CLICK_TICKS, mido.Message("note_off", velocity=0, **common)))
    return events


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
