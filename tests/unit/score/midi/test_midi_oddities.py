"""MIDI files with one oddity each: two bars in four voices, of which it leaves the rest alone."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from musicrel.chorale import Chorale, Key, Voice
from musicrel.score import files
from musicrel.score.importing.conversion import ImportedPiece
from musicrel.score.notes import notes
from tests.helpers import midi_files
from tests.helpers.midi_files import QUARTER, meta, note, quarters, track

_VOICES = (
    (69, 71, 72, 71, 69, 71, 68, 69),
    (64, 68, 69, 68, 64, 65, 64, 64),
    (60, 64, 64, 64, 60, 62, 59, 60),
    (57, 52, 57, 52, 57, 50, 52, 45),
)
_NAMES = tuple(voice.title for voice in Voice)
_Timed = tuple[int, bytes]
_TITLE, _TEMPO, _METER, _KEY = 0x03, 0x51, 0x58, 0x59
_FIRST: tuple[_Timed, ...] = (
    (0, meta(_TITLE, b"Air")),
    (0, meta(_TEMPO, b"\x0a\x2c\x2b")),
    (0, meta(_METER, b"\4\2\x18\x08")),
    (0, meta(_KEY, b"\0\1")),
)


def _file(
    *more: _Timed,
    first: Sequence[_Timed] = _FIRST,
    voices: Sequence[Sequence[_Timed]] | None = None,
    names: Sequence[str | bytes] = _NAMES,
    channels: Sequence[int] = (0, 1, 2, 3),
    division: int = QUARTER,
) -> bytes:
    """Build the piece; ``more`` are further events of every voice, in place of ``names``."""
    of_voices = voices or [quarters(v, c) for v, c in zip(_VOICES, channels, strict=True)]
    contents = [track(first)]
    for name, events in zip(names, of_voices, strict=True):
        text = name if isinstance(name, bytes) else name.encode()
        contents.append(track([(0, meta(_TITLE, text)), *more, *events]))
    return midi_files.file(*contents, division=division)


def _without(kind: int, *instead: _Timed) -> Sequence[_Timed]:
    return [*(timed for timed in _FIRST if timed[1][1] != kind), *instead]


def _hanging(place: int) -> list[list[_Timed]]:
    voices = [quarters(pitches, channel) for channel, pitches in enumerate(_VOICES)]
    return [[*events[: 2 * place + 1], *events[2 * place + 2 :]] for events in voices]


def _count(tracks: int) -> bytes:
    content = _file()
    return content[:10] + struct.pack(">H", tracks) + content[12:]


def _length(number: int, change: Callable[[int], int]) -> bytes:
    content = _file()
    at = -1
    for _ in range(number + 1):
        at = content.index(b"MTrk", at + 1)
    length = int.from_bytes(content[at + 4 : at + 8])
    return content[: at + 4] + struct.pack(">I", change(length)) + content[at + 8 :]


_COUNT = "its header gives the wrong number of tracks, all tracks in the file were read"
_CUT = "it is cut off: a track is missing"
_LYRICS = "lyrics were left out"
_WRONG_LENGTH = "a track has the wrong length in its header and was read to its end"
_BROKEN = "a track is damaged or cut off and was read up to bar 2"
_ODD = "damaged events were ignored in bar 1"
_NO_TEMPO = "tempos outside 5 to 600 quarters a minute were ignored in bar {}"
_NO_SIGNATURE = "a key, meter or transposition that cannot be used was ignored in bar {}"
_ENDLESS = (
    "notes without a note-off, which start in bar {}, were ended at the next note or at the end of "
    "their track"
)
_BAR = 4 * QUARTER
_READ: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "nothing": (_file(), ()),
    "an end missing in bar 1": (_file(voices=_hanging(3)), (_ENDLESS.format(1),)),
    "an end missing in bar 2": (_file(voices=_hanging(5)), (_ENDLESS.format(2),)),
    "the last end missing": (_file(voices=_hanging(7)), (_ENDLESS.format(2),)),
    "the same without names": (
        _file(voices=_hanging(4), names=[""] * 4), (_ENDLESS.format(2),)
    ),
    "channels 7 to 10": (_file(channels=(6, 7, 8, 9)), ()),
    "channels 10 to 13 without names": (_file(channels=(9, 10, 11, 12), names=[""] * 4), ()),
    "all on channel 10": (_file(channels=(9, 9, 9, 9), names=[""] * 4), ()),
    "the tenor on channel 10": (_file(channels=(0, 1, 9, 2), names=[""] * 4), ()),
    "the bass on channel 10": (_file(channels=(0, 1, 2, 9), names=[""] * 4), ()),
    "a track without its header": (_count(6) + b"MTrk\0\0", (_CUT,)),
    "a track without its content": (_count(6) + b"MTrk\0\0\0\x09", (_CUT,)),
    "a track without half its name": (_count(6) + b"MT", (_CUT,)),
    "the next track missing, too": (_count(6)[:-3], (_CUT, _BROKEN)),
    "no end": (_file()[:-4], (_BROKEN,)),
    "karaoke between notes": (_file((QUARTER // 2, meta(0x01, b"\\Glo"))), (_LYRICS,)),
    "the language of karaoke": (_file(first=(*_FIRST, (0, meta(0x01, b"@LENGL")))), ()),
    "many texts": (_file(*((n, meta(0x01, b"la")) for n in range(9))), (_LYRICS,)),
    "a text": (_file((0, meta(0x01, b"Typeset by me"))), ("text was left out",)),
    "fewer tracks": (_count(1), (_COUNT,)),
    "more tracks": (_count(600), (_COUNT,)),
    "no tempo": (_file(first=_without(_TEMPO, (0, meta(_TEMPO, b"\0\0\0")), _FIRST[1])),
                 (_NO_TEMPO.format(1),)),
    "a tempo of 4 later": (_file(first=(*_FIRST, (_BAR, meta(_TEMPO, b"\xff\0\0")))),
                           (_NO_TEMPO.format(2),)),
    "a meter of two bytes": (_file(first=_without(_METER, (0, meta(_METER, b"\4\2")))), ()),
    "a meter of one byte": (_file(first=_without(_METER, (0, meta(_METER, b"\4")))), (_ODD,)),
    "4/0": (_file(first=_without(_METER, (0, meta(_METER, b"\0\2\x18\x08")))),
            (_NO_SIGNATURE.format(1),)),
    "a tempo of 60 million later": (_file(first=(*_FIRST, (0, meta(_TEMPO, b"\0\0\1")))),
                                    (_NO_TEMPO.format(1),)),
    "4/2**255 later": (_file(first=(*_FIRST, (9, meta(_METER, b"\4\xff\x18\x08")))),
                       (_NO_SIGNATURE.format(1),)),
    "mode 2 later": (_file(first=(*_FIRST, (9, meta(_KEY, b"\0\2")))), (_NO_SIGNATURE.format(1),)),
    "7/64 later": (_file(first=(*_FIRST, (_BAR, meta(_METER, b"\7\6\x18\x08")))),
                   (_NO_SIGNATURE.format(2),)),
    "a key of one byte": (_file(first=(*_FIRST, (1, meta(_KEY, b"")))), (_ODD,)),
    "12 sharps later": (_file(first=(*_FIRST, (_BAR, meta(_KEY, b"\x0c\0")))),
                        (_NO_SIGNATURE.format(2),)),
    "lyrics between notes": (_file((QUARTER // 2, meta(0x05, b"Lo-"))), (_LYRICS,)),
    "names and marks": (
        _file((0, meta(0x01, b"A")), (0, meta(0x07, b"Verse 2"))),
        ("text and markers were left out",),
    ),
    "a marker": (_file((0, meta(0x06, b"Verse 2"))), ("markers were left out",)),
    "empty texts": (_file((0, meta(0x01, b"")), (0, meta(0x06, b" "))), ()),
    "a clock": (_file((0, b"\xf8")), (_ODD,)),
    "active sensing": (_file((0, b"\xfe")), (_ODD,)),
    "a volume of 255": (_file((0, b"\xb0\x07\xff")), (_ODD,)),
    "a key of 200": (_file((0, b"\x90\xc8\x40"), (9, b"\x80\xc8\x40")), (_ODD,)),
    "a short track": (_length(2, lambda length: length // 2), (_WRONG_LENGTH,)),
    "a track of no bytes": (_length(0, lambda _: 0), (_WRONG_LENGTH,)),
    "a long track": (_length(3, lambda length: length + 9), (_WRONG_LENGTH,)),
    "a track of 4 GB": (_length(4, lambda _: 2**32 - 1), (_WRONG_LENGTH,)),
    "three bytes missing": (_file()[:-3], (_BROKEN,)),
    "rubbish after bar 2": (_file()[:-4] + b"\0\xff\x01\x7f", (_BROKEN,)),
    "RIFF": (b"RIFF\0\0\0\0RMIDLIST\4\0\0\0INFOdata\0\0\0\0" + _file() + b"\0", ()),
    "a Mac's header of 128 bytes": (b"\0\x03Airmidi".ljust(128, b"\0") + _file(), ()),
    "NUL after names": (_file(names=[name.encode() + b"\0\0" for name in _NAMES]), ()),
    "one name with a line break": (_file(names=["Soprano", "Alto\r\n", "Tenor", "Bass"]), ()),
    "a byte order mark": (_file(names=["\ufeffSoprano", "Alto", "Tenor", "Bass"]), ()),
}  # fmt: skip


_PIECE = Chorale.of(
    np.repeat(np.array(_VOICES).T, 4, axis=0),
    onsets=np.repeat(np.arange(32) % 4 == 0, 4).reshape(32, 4),
    title="Air",
    tempo=60e6 / 666_667,
    key=Key("A", "minor"),
)


@pytest.mark.parametrize("name", _READ)
def test_what_does_not_depend_on_the_oddity_is_read(name: str, tmp_path: Path) -> None:
    content, report = _READ[name]
    path = tmp_path / "air.mid"
    path.write_bytes(content)

    read = files.import_satb(path)

    assert read == ImportedPiece(chorale=_PIECE, report=report)


_Q = QUARTER


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ([(0, 5, b"Lo-"), (_Q, 5, b"bet "), (2 * _Q, 5, b"den")], ["1 Lo-", "1 bet", "1 den"]),
        ([(0, 5, b"Lo"), (_Q, 5, b"bet "), (2 * _Q, 5, b"\r\n")], ["1 Lo-", "1 bet"]),
        ([(0, 5, b"Lo"), (_Q, 5, b"bet")], ["1 Lo", "1 bet"]),
        ([(0, 5, b"Lo"), (0, 5, b"Him-"), (_Q, 5, b"den")], ["1 Lo", "2 Him-", "1 den"]),
        ([(0, 1, b"@KMIDI"), (0, 1, b"\\Lo"), (_Q, 1, b"bet"), (2 * _Q, 1, b" den")],
         ["1 Lo-", "1 bet", "1 den"]),
        ([(0, 1, b"/Lo"), (_Q, 1, b"/den")], ["1 Lo", "1 den"]),
        ([(0, 5, b"L\xc3\xb6-"), (0, 1, b"A text")], ["1 Lö-"]),
        ([(0, 5, b"{@LATIN}"), (0, 5, b"{#Title=Air}"), (0, 5, b"Lo-")], ["1 Lo-"]),
    ],
)  # fmt: skip
def test_words_are_read_as_programs_write_them(
    events: list[tuple[int, int, bytes]], words: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "air.mid"
    path.write_bytes(_file(*((tick, meta(kind, text)) for tick, kind, text in events)))

    found = sorted(files.import_satb(path).chorale.lyrics, key=lambda word: word.step)

    assert [
        f"{word.verse} {word.text}{'-' * word.hyphen}" for word in found if word.voice == Voice.BASS
    ] == words


@pytest.mark.parametrize(
    ("texts", "title", "report"),
    [
        ((b"@KMIDI", b"@TAmazing Grace", b"\\Lo"), "Amazing Grace", ()),
        ((b"@TGrace", b"@TJ. Newton", b"\\Lo"), "Grace", ("text was left out",)),
        ((b"A text",), "Air", ("text was left out",)),
    ],
)
def test_a_karaoke_file_has_its_title_in_a_text(
    texts: Sequence[bytes], title: str, report: Sequence[str], tmp_path: Path
) -> None:
    path = tmp_path / "air.kar.mid"
    path.write_bytes(_file(first=(*_FIRST, *((0, meta(1, text)) for text in texts))))
    found = files.import_satb(path)
    assert (found.chorale.title, found.report) == (title, report)


def test_a_copyright_is_read(tmp_path: Path) -> None:
    path = tmp_path / "air.mid"
    path.write_bytes(_file((0, meta(0x02, b"(c) 1890"))))
    assert files.import_satb(path).chorale.copyright == "(c) 1890"


def _lines(read: ImportedPiece) -> list[str]:
    """Return the notes of each voice: a pitch and, if it is no quarter, its steps."""
    return [
        " ".join(
            f"{n.pitch}" if n.length == 4 else f"{n.pitch}:{n.length}"
            for n in notes(read.chorale, voice)
        )
        for voice in Voice
    ]


def _played(pitches: Sequence[int], channel: int, lengths: Sequence[int]) -> list[_Timed]:
    """Return quarters of other lengths, in ticks."""
    return [
        event
        for place, (pitch, length) in enumerate(zip(pitches, lengths, strict=True))
        for event in note(place * QUARTER, place * QUARTER + length, pitch, channel)
    ]


@pytest.mark.parametrize("overlap", [1, 6, 40, 110, 240, 479])
@pytest.mark.parametrize("names", [_NAMES, ("",) * 4])
def test_repeated_notes_may_overlap(overlap: int, names: Sequence[str]) -> None:
    repeated = ((69, 69, 69, 71), (64, 64, 62, 62), (60, 60, 60, 60), (57, 53, 53, 52))
    voices = [
        _played(
            pitches, channel, [QUARTER + overlap * (a == b) for a, b in pairwise((*pitches, 0))]
        )
        for channel, pitches in enumerate(repeated)
    ]
    read = midi_files.imported(_file(voices=voices, names=names))
    assert _lines(read) == [" ".join(map(str, pitches)) for pitches in repeated]


@pytest.mark.parametrize("overlap", [1, 40, 110, 160])
@pytest.mark.parametrize("tracks", [1, 2, 4])
def test_legato_is_no_chord(overlap: int, tracks: int) -> None:
    lengths = [QUARTER + overlap] * 7 + [QUARTER]
    of_tracks: list[list[_Timed]] = [[] for _ in range(tracks)]
    for voice, pitches in enumerate(_VOICES):
        of_tracks[voice * tracks // 4] += _played(pitches, voice * tracks // 4, lengths)

    read = midi_files.imported(midi_files.file(*map(track, of_tracks)))

    assert _lines(read) == _lines(ImportedPiece(chorale=_PIECE))


@pytest.mark.parametrize("legato", [0, 6])
@pytest.mark.parametrize("ends_first", [True, False])
def test_two_voices_in_unison_on_one_channel_lose_no_note(legato: int, ends_first: bool) -> None:
    voices = ((67, 67, 67, 67), (62, 67, 64, 67), (59, 60, 60, 60), (55, 48, 60, 43))
    events = [e for v in voices for e in _played(v, 0, [QUARTER + legato] * 4)]
    ordered = sorted(events, key=lambda timed: (timed[1][0] >= 0x90) == ends_first)

    read = midi_files.imported(midi_files.file(track([(0, meta(_TITLE, b"Air")), *ordered])))

    assert _lines(read) == [" ".join(map(str, pitches)) for pitches in voices]


def test_a_doubled_line_is_one_voice() -> None:
    voices = [sorted(quarters(v, c) * 2) for c, v in enumerate(_VOICES)]
    assert midi_files.imported(_file(voices=voices, names=[""] * 4)) == ImportedPiece(
        chorale=_PIECE
    )


def test_an_end_missing_in_chords_on_one_channel_leaves_the_others_alone() -> None:
    """The note ends where a fifth one would sound."""
    events = [event for pitches in _VOICES for event in quarters(pitches)]
    events.remove((4 * QUARTER, b"\x80\x44\0"))  # alto, fourth beat

    read = midi_files.imported(midi_files.file(track(events)))

    assert _lines(read) == [" ".join(map(str, pitches)) for pitches in _VOICES]
    assert _ENDLESS.format(1) in read.report


@pytest.mark.parametrize("controller", [120, 123])
def test_all_notes_off_ends_notes(controller: int) -> None:
    voices = [
        [*voice, (8 * QUARTER, bytes([0xB0 | channel, controller, 0]))]
        for channel, voice in enumerate(_hanging(7))
    ]
    assert midi_files.imported(_file(voices=voices)) == ImportedPiece(chorale=_PIECE)


def _drums(length: int, *pitches: int) -> list[_Timed]:
    return _played(pitches, 9, [length] * len(pitches))


@pytest.mark.parametrize(
    ("name", "events", "is_reported"),
    [
        ("Drums", _drums(60, 36, 42, 38, 42), True),
        ("", _drums(480, 36, 42, 38, 42), True),
        ("Congas", _drums(480, 62, 63, 62, 63), True),
        ("Shaker", _drums(60, 70, 82, 69, 81), True),
        ("Metronome", _drums(60, 76, 77, 77, 77), False),
    ],
)
def test_drums_are_no_voice(name: str, events: list[_Timed], is_reported: bool) -> None:
    content = _file()
    drums = midi_files.chunk(b"MTrk", track([(0, meta(_TITLE, name.encode())), *events]))

    read = midi_files.imported(content[:10] + b"\0\6" + content[12:] + drums)

    sentence = "the notes on channel 10, which start in bar 1, were taken as drums and left out"
    assert read == ImportedPiece(chorale=_PIECE, report=(sentence,) if is_reported else ())


def test_a_tenor_of_pitches_of_a_drum_kit_is_a_voice() -> None:
    tenor = (57, 59, 57, 57, 59, 57, 57, 59)
    voices = [quarters(v, c) for c, v in enumerate(_VOICES)]
    voices[2] = _played(tenor, 9, [480, 240] * 4)
    for names in ("Sopran Alt ? Bass", "Sopran Alt ? Bass Cello"):
        called = names.split()
        content = _file(voices=[*voices, quarters((48, 50), 5)][: len(called)], names=called)
        assert "channel 10" not in str(midi_files.imported(content).report)


@pytest.mark.parametrize(
    ("data", "title"),
    [
        ("Für Élise".encode("latin-1"), "Für Élise"),
        ("Prélude légère".encode("latin-1"), "Prélude légère"),
        ("“L’été” – cœur".encode("cp1252"), "“L’été” – cœur"),
        ("Größe".encode(), "Größe"),
        ("賛美歌".encode("cp932"), "賛美歌"),
        ("きよしこの夜 no. 3".encode("cp932"), "きよしこの夜 no. 3"),
        ("歌".encode("cp932"), "歌"),
        ("ｿﾌﾟﾗﾉ".encode("cp932"), "ｿﾌﾟﾗﾉ"),
        ("讃美歌".encode("euc_jp"), "讃美歌"),
        ("きよしこの夜 no. 3".encode("euc_jp"), "きよしこの夜 no. 3"),
        ("찬송가".encode("euc_kr"), "찬송가"),
        ("고요한 밤 거룩한 밤".encode("euc_kr"), "고요한 밤 거룩한 밤"),
        ("平安夜".encode("big5"), "平安夜"),
        ("女高音".encode("gbk"), "女高音"),
        ("Тихая ночь".encode("cp1251"), "Тихая ночь"),
        ("«СВЯТЫЙ» № 3".encode("cp1251"), "«СВЯТЫЙ» № 3"),
        ("Ärger über Çà".encode("latin-1"), "Ärger über Çà"),
        ("賛美歌".encode(), "賛美歌"),
        ("Hymne №".encode("utf-16"), "Hymne №"),
        (b"Air \x81 \x8d", "Air \ufffd \ufffd"),
        (b"\x07Air\x1b\t no.\r\n3\0", "Air no. 3"),
        ("Air\x85 3\x9f".encode(), "Air 3"),
    ],
)
def test_a_title_is_decoded_without_control_characters(
    data: bytes, title: str, tmp_path: Path
) -> None:
    content = _file(first=_without(_TITLE, (0, meta(_TITLE, data))))

    read = midi_files.imported(content)

    assert read.chorale.title == title
    files.write(read.chorale, tmp_path / "air.musicxml")
    assert files.read(tmp_path / "air.musicxml").title == title


@pytest.mark.parametrize(
    ("division", "rate", "quarter"),
    [(0xE728, 1000, 480), (0xE250, 2400, 1200), (0xE350, 2397.6, 1000), (0xE808, 192, 96)],
)
def test_a_file_in_seconds_is_read_in_quarters(division: int, rate: float, quarter: int) -> None:
    scaled = [
        [(tick * quarter // QUARTER, event) for tick, event in quarters(pitches, channel)]
        for channel, pitches in enumerate(_VOICES)
    ]

    read = midi_files.imported(_file(voices=scaled, division=division))

    assert _lines(read) == _lines(ImportedPiece(chorale=_PIECE))
    assert read.chorale.tempo == pytest.approx(60 * rate / quarter, rel=1e-4)
    assert read.report == (
        "its times are in seconds, not in beats: tempo and note values were estimated",
    )


def test_the_tempo_of_a_file_in_seconds_counts_if_the_notes_fit_it() -> None:
    eighths = [
        [(round(tick / QUARTER * 1000 / 3), event) for tick, event in quarters(pitches, channel)]
        for channel, pitches in enumerate(_VOICES)
    ]
    read = midi_files.imported(_file(voices=eighths, division=0xE728))
    assert _lines(read)[0] == " ".join(f"{pitch}:2" for pitch in _VOICES[0])
    assert read.chorale.tempo == pytest.approx(90, rel=1e-3)
