"""The MIDI parser: valid files, and hostile ones."""

from __future__ import annotations

import contextlib
import struct

import pytest

from musicrel.chorale import Chorale
from musicrel.errors import DataError, FileError
from musicrel.score.midi import midi_events, midi_writer
from musicrel.score.midi.midi_events import Event, parse
from tests.helpers import midi_files

_END = midi_files.END
_chunk, _header, _file = midi_files.chunk, midi_files.header, midi_files.file


def test_events_have_tick_kind_channel_and_data() -> None:
    file = parse(
        _file(
            "00 ff 03 03 48 c3 bc"  # track name 'Hü'
            "00 c2 34"  # program 52 on channel 2
            "60 92 3c 40"  # after 96 ticks: note on
            "83 60 82 3c 00"  # after 480 more: note off
            f"{_END}"
        )
    )
    assert (file.format, file.division) == (0, 480)
    assert file.tracks[0] == (
        Event(0, "track_name", -1, "Hü".encode()),
        Event(0, "program", 2, b"\x34"),
        Event(96, "note_on", 2, b"\x3c\x40"),
        Event(576, "note_off", 2, b"\x3c\x00"),
        Event(576, "end_of_track", -1, b""),
    )


def test_running_status_continues_across_ignored_events() -> None:
    file = parse(_file(f"00 90 3c 40  10 3c 00  00 f0 02 01 f7  00 ff 0a 01 00  05 3e 40 {_END}"))
    kinds = [(event.tick, event.kind, event.data[:1]) for event in file.tracks[0]]
    assert kinds == [
        (0, "note_on", b"\x3c"),
        (16, "note_on", b"\x3c"),
        (16, "other", b"\x01"),
        (16, "other", b"\x00"),
        (21, "note_on", b"\x3e"),
        (21, "end_of_track", b""),
    ]


def test_a_track_without_an_end_ends_with_its_last_event() -> None:
    """An end_of_track is added, so that readers may rely on it."""
    assert parse(_file("00 90 3c 40 10 3c 00")).tracks[0][-1] == Event(16, "end_of_track", -1, b"")


def test_other_chunks_and_a_longer_header_are_ignored() -> None:
    longer = _chunk(b"MThd", struct.pack(">HHH", 0, 1, 96) + b"more")
    content = longer + _chunk(b"XFIH", b"abc") + _chunk(b"MTrk", bytes.fromhex(_END))
    assert parse(content).division == 96


_TRACK = _chunk(b"MTrk", bytes.fromhex(_END))
_TEMPO = bytes.fromhex("00 ff 51 03 07 a1 20")

HOSTILE: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "it is empty"),
    "a zip": (b"PK\3\4" + b"\0" * 40, "it is not a MIDI file: it has no MThd header"),
    "half a header": (_header()[:12], "it is not a MIDI file"),
    "format 2": (_header(2, 2) + _TRACK * 2, "MIDI file of format 2: expected 0 or 1"),
    "format 65535": (_header(65535) + _TRACK, "format 65535"),
    "257 tracks": (_header(1, 257) + _TRACK * 257, "it has more than 256 tracks"),
    "many tracks": (_header(1, 2) + _TRACK * 300_000, "it has more than 256 tracks"),
    "division 0": (_file(_END, division=0), "a quarter note or a frame has 0 ticks"),
    "SMPTE without ticks": (_file(_END, division=0xE700), "a frame has 0 ticks"),
    "other chunks only": (_header() + b"\0" * 3_900_000, "it has no tracks, expected 1"),
    "many other chunks": (_header() + b"XFIH\0\0\0\0" * 400_000, "it has no tracks"),
    "an endless number": (_file(b"\x81" * 400_000), "a number is longer than four bytes"),
    "endless ff": (_file(b"\xff" * 200_000), "a number is longer than four bytes"),
    "a huge meta length": (_file("00 ff 01 ff ff ff 7f"), "a track ends within an event"),
    "a huge sysex length": (_file("00 f0 ff ff ff 7f"), "a track ends within an event"),
    "half a note": (_file("00 90 3c"), "a track ends within an event"),
    "half a delta": (_file("81"), "a track ends within an event"),
    "data without status": (_file(f"00 3c 40 {_END}"), "data without a status byte at tick 0"),
    "endless time": (_file(b"\xff\xff\xff\x7f\xb0\0\0" * 9), "is longer than 2,147,483,647"),
    "500,000 events": (_file(b"\0\x90\x3c\0" + b"\0\x3c\0" * 499_999), "more than 200,000"),
    "too many tempos": (_file(_TEMPO * 200_001), "more than 200,000 events"),
    "events in many tracks": (_file(*[_TEMPO * 1000] * 250), "more than 200,000 events"),
    "5 MB": (_file(b"\0" * 5_000_000), "it has 5,000,022 bytes, but at most 4,000,000"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.timeout(60)
def test_a_hostile_file_is_refused(name: str) -> None:
    content, sentence = HOSTILE[name]
    with pytest.raises(FileError, match=sentence):
        parse(content)


DAMAGED: dict[str, tuple[bytes, set[str]]] = {
    "a header of 4 GB": (b"MThd\xff\xff\xff\xff" + _header()[8:] + _TRACK, set()),
    "a short header": (b"MThd\0\0\0\2" + _header()[8:] + _TRACK, set()),
    "format 2 with one track": (_header(2) + _TRACK, set()),
    "RIFF": (b"RIFF\x2e\0\0\0RMIDdata\x1a\0\0\0" + _file(_END) + b"LIST\4\0\0\0INFO", set()),
    "bytes after the last track": (_file(_END) + b"\0\0\x1a\n", set()),
    "no tracks": (_header(1, 0) + _TRACK, {"tracks"}),
    "65535 tracks": (_header(1, 65535) + _TRACK * 9, {"tracks"}),
    "missing tracks": (_header(1, 5) + _TRACK * 2, {"tracks"}),
    "a track of 4 GB": (_header() + b"MTrk\xff\xff\xff\xff" + _TRACK[8:], {"length"}),
    "4 GB and a track": (_header(1, 2) + b"MTrk\xff\xff\xff\xff" + _TRACK[8:] + _TRACK, {"length"}),
    "a track of no bytes": (_header(1, 2) + b"MTrk\0\0\0\0" + _TRACK[8:] + _TRACK, {"length"}),
    "a velocity above 127": (_file(f"00 90 3c 80 {_END}"), {"damaged"}),
    "a pitch above 127": (_file(f"00 90 80 40 {_END}"), {"damaged"}),
    "a program above 127": (_file(f"00 c0 ff {_END}"), {"damaged"}),
    "song position": (_file(f"00 f2 00 00 {_END}"), {"damaged"}),
    "tune request": (_file(f"00 f6 {_END}"), {"damaged"}),
    "active sensing": (_file(f"00 fe {_END}"), {"damaged"}),
    "a short tempo": (_file(f"00 ff 51 01 07 {_END}"), {"damaged"}),
    "a short meter": (_file(f"00 ff 58 01 04 {_END}"), {"damaged"}),
    "an empty key": (_file(f"00 ff 59 00 {_END}"), {"damaged"}),
    "a meter of two bytes": (_file(f"00 ff 58 02 04 02 {_END}"), set()),
    "a long end": (_file("00 ff 2f 01 00"), set()),
    "half a note after one": (_file("00 90 3c 40 60 80 3c"), {"broken"}),
    "a text longer than its track": (_file("00 90 3c 40 00 ff 01 7f 41"), {"broken"}),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGED)
def test_what_is_damaged_in_a_file_is_named_and_the_rest_is_read(name: str) -> None:
    content, expected = DAMAGED[name]
    file = parse(content)
    assert {kind for kind, _ in file.faults} == expected
    assert all(track[-1].kind == "end_of_track" for track in file.tracks)


_CLUSTER = (*range(128), *range(1, 128))


@pytest.mark.parametrize(
    "track",
    [
        _TEMPO * 199_999,
        b"\0\x90\x3c\x40" + b"\0\x3c\0\0\x3c\x40" * 99_990,
        b"\x01\x90\x3c\x40" + b"\x01\x3c\0\x01\x3c\x40" * 99_990,
        b"".join(bytes([0, 0x90 | n % 9, n % 128, n // 128 % 128]) for n in range(199_999)),
        b"\0\x90\0\0" + (b"\0%c\x40" * 128 + b"\x78\0\0" + b"\0%c\0" * 127) % _CLUSTER * 780,
        b"\0\x90\0\0" + b"\x01%c\x40" * 128 % _CLUSTER[:128] * 1550,
        b"\0\xff\x01\x83\xff\x7fmusicrel:" + b"[" * 65_526,
        b"\0\xff\x01\x83\xff\x7fmusicrel:" + b"7" * 65_526,
        b"\0\xff\x01\x83\xff\x7fmusicrel:" + b'{"tempo": 1e-310}' + b" " * 65_509,
        b"\0\xff\x7f\x83\xff\x7f\x7dmusicrel:" + b"[" * 65_525,
        b"\0\xff\x7f\x0b\x7dmusicrel:{" * 199_999,
    ],
    ids=[
        *("tempos", "no time", "one note", "many notes", "clusters", "notes without an end"),
        *("deep text", "digits", "tiny tempo", "deep metadata", "many metadata"),
    ],
)
@pytest.mark.timeout(60)
def test_the_largest_accepted_files_are_read_or_refused(track: bytes) -> None:
    with contextlib.suppress(FileError, DataError):
        midi_files.chorale_of(_file(track))


def test_the_longest_piece_is_within_the_limits() -> None:
    longest = Chorale.of([[72 + step % 2, 65, 55, 48] for step in range(16_384)])
    longest = Chorale(
        pitches=longest.pitches,
        onsets=longest.pitches > 0,
        fermatas=longest.pitches[:, 0] % 2 == 0,
    )

    content = midi_writer.to_bytes(longest, stretch_fermatas=True)

    assert len(content) < midi_events.MAX_BYTES / 2
    assert midi_files.chorale_of(content) == longest
