"""Metadata that MIDI events cannot express, in an event that other programs ignore.

It is a sequencer-specific meta event (``FF 7F``) with the manufacturer ID 7D, which is reserved for
non-commercial use, then ``musicrel:`` and JSON in ASCII with the exact tempo, the name of the key,
the provenance, and the names, the copyright line and the marks, if there are any. MIDI events take
precedence where they differ: another program may have edited them and kept the metadata. The track
of a voice with words has an event of its own with all verses, while its lyric events are the first
verse.

Older files have ``musicrel:`` and the JSON in a text event, which MuseScore prints into the score.
These are read, too, and pretty_midi objects, which have no sequencer-specific events, get one.

Texts in MIDI files, whose encoding is not declared.

They are UTF-8, or what programs wrote before it: Windows-1251 of Cyrillic words, Shift JIS, another
East Asian encoding with frequent characters of its language, else Windows-1252, of which Latin-1 is
a part.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Final

from musicrel import untrusted
from musicrel.chorale import Chorale, Key, Lyric, Mark, Provenance, Voice
from musicrel.errors import DataError, UsageError
from musicrel.score import json_file
from musicrel.score.importing.source import RawLyric
from musicrel.validated import convert

# The first byte of kana and of most kanji in Shift JIS; rare punctuation in Windows-1252.
_LEAD_BYTE: Final = re.compile(rb"[\x81-\x9f]")
_JAPANESE: Final = re.compile("[\u3000-\u30ff\u4e00-\u9fff]{2}")
_NARROW_KANA: Final = re.compile("[\uff61-\uff9f]{3}")
_PRIVATE: Final = re.compile("[\ue000-\uf8ff]")  # bytes that Shift JIS leaves undefined
_CYRILLIC: Final = re.compile(
    r"(?i:(?=.*[аеиоуыэюяёії]))(?=(?:.*?[А-яЁёІіЇїЄєҐґ]){4}|.*[А-Я][а-я]{2})"
    r"(?:\b(?:[А-ЯЁІЇЄҐ]?[а-яёіїєґ]+|[А-ЯЁІЇЄҐ]+|[A-Za-z]+)\b|[\s\d.,:;!?'\"()«»–—№/-])+"
)
# Characters of titles and of names of voices; most others are frequent in another encoding.
_FREQUENT: Final = {
    "euc_jp": "[ぁ-んァ-ヶ讃賛美歌聖夜主神光天使曲集第番声部高低音日本春夏秋冬花山月星人愛]",
    "euc_kr": "[가나다라마바사아자하고도로오이의은을를에서기리시지주님성송찬양예수그는한인랑거룩"
    "밤노래소프알토테너베스]",
    "gb2312": "[女男高低中音平安夜圣诞歌赞美诗主神光天使的我你是爱之在一大小人曲第部合唱声春花月]",
    "big5": "[女男高低中音平安夜聖誕歌讚美詩主神光天使的我你是愛之在一大小人曲第部合唱聲春花月]",
}
_PAIRS: Final = re.compile(rb"(?:[^\x80-\xff]|[\xa1-\xfe][\x40-\x7e\xa1-\xfe])+")
_MIXED: Final = re.compile("[A-Za-z][^\x00-\x7f]|[^\x00-\x7f][A-Za-z]")
_LATIN: Final = re.compile("[A-Za-z]")


def decoded(data: bytes) -> str:
    """Decode the text of an event; a byte without a meaning becomes U+FFFD."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return (
            _cyrillic(data)
            or _east_asian(data)
            or _japanese(data)
            or data.decode("cp1252", "replace")
        )


def _cyrillic(data: bytes) -> str:
    text = data.decode("cp1251", "replace")
    return text if _CYRILLIC.fullmatch(text.rstrip("\0")) else ""


def _east_asian(data: bytes) -> str:
    """Decode two bytes a character as the encoding with most frequent ones; "" if there is none."""
    if not _PAIRS.fullmatch(data):
        return ""
    found: list[tuple[int, str]] = []
    for codec, frequent in _FREQUENT.items():
        text = data.decode(codec, "replace")
        wide = re.sub(r"[\x00-\x7f\u3000-\u303f]", "", text)
        known = len(re.findall(frequent, wide))
        if "\ufffd" not in text and not _MIXED.search(text) and 3 * known >= len(wide) > 1:
            found.append((known, text))
    return max(found, key=itemgetter(0), default=(0, ""))[1]


def _japanese(data: bytes) -> str:
    """Decode Shift JIS; return "" if ``data`` are no such text.

    Most bytes have a meaning in both encodings: "é" and the letter after it are a rare kanji.
    """
    try:
        text = data.decode("cp932")
    except UnicodeDecodeError:
        return ""
    if _PRIVATE.search(text):
        return ""
    usual = _LEAD_BYTE.search(data) and (_JAPANESE.search(text) or not _LATIN.search(text))
    return text if usual or _NARROW_KANA.search(text) else ""


PREFIX: Final = "musicrel:"
MANUFACTURER: Final = b"\x7d"
# The largest accepted event; the longest piece with all its cells locked has half of it.
MAX_BYTES: Final = 2_000_000
# Texts of the markers at the first step of a fermata and at the step after its last.
FERMATA: Final = "fermata"
FERMATA_END: Final = "fermata end"


NAMES: Final = ("subtitle", "composer", "poet", "tune", "copyright")
_VERSES: Final = b"verses:"


@dataclass(frozen=True, slots=True, kw_only=True)
class MidiMetadata:
    """The content of the metadata event."""

    tempo: float  # quarter notes per minute
    key: Key | None  # the key with its original spelling, or None
    provenance: Provenance | None  # the provenance of the piece, or None
    # names and lines by their field of ``Chorale``: those that are known
    lines: Mapping[str, str] = field(default_factory=dict)
    marks: tuple[Mark, ...] = ()

    @property
    def keys(self) -> Sequence[Key]:
        """Return the key, if known, and those that it changes to."""
        found = (self.key, *(mark.value for mark in self.marks))
        return [key for key in found if isinstance(key, Key)]

    @property
    def tempo_marks(self) -> tuple[Mark, ...]:
        return tuple(mark for mark in self.marks if mark.kind != "key")


def encode(chorale: Chorale) -> bytes:
    """Return the data of the sequencer-specific event for ``chorale``."""
    data = MANUFACTURER + encode_text(chorale).encode("ascii")
    if len(data) > MAX_BYTES:
        raise DataError(f"the provenance has {len(data):,} bytes, more than {MAX_BYTES:,}")
    return data


def decode(data: bytes) -> MidiMetadata | None:
    """Parse the data of a sequencer-specific event; None if it is another program's or damaged."""
    if not data.startswith(MANUFACTURER) or not data.isascii():
        return None
    return decode_text(data.removeprefix(MANUFACTURER).decode("ascii"))


def encode_words(words: Iterable[Lyric]) -> bytes:
    """Return the data of the sequencer-specific event for the words of a voice."""
    rows = [[word.step, word.verse, word.text, word.hyphen, word.extends] for word in words]
    return MANUFACTURER + _VERSES + json_file.dumps(rows, ascii_only=True).encode("ascii")


def decode_words(data: bytes) -> Sequence[RawLyric]:
    """Parse the words of a track; empty if the event has none or is damaged."""
    if not data.startswith(MANUFACTURER + _VERSES) or len(data) > MAX_BYTES:
        return ()
    try:
        rows = untrusted.parse_json(data.removeprefix(MANUFACTURER + _VERSES))
        found = convert(rows, list[tuple[int, int, str, bool, bool]], "the words", error=DataError)
        for step, verse, text, hyphen, extends in found:
            Lyric(Voice.SOPRANO, verse, step, text, hyphen, extends)  # raises if it is damaged
    except DataError:
        return ()
    return [RawLyric(float(row[0]), *row[1:]) for row in found]


def encode_text(chorale: Chorale) -> str:
    """Format the metadata of ``chorale`` as the text of a text event, in ASCII."""
    values = {
        "tempo": float(chorale.tempo),
        "key": str(chorale.key) if chorale.key else None,
        "provenance": json_file.provenance_to_plain(chorale.provenance),
        **{name: text for name in NAMES if (text := getattr(chorale, name))},
    }
    if chorale.marks:
        values["marks"] = json_file.mark_rows(chorale.marks)
    return PREFIX + json_file.dumps(values, ascii_only=True)


def decode_text(text: str) -> MidiMetadata | None:
    """Parse the metadata in ``text``; None if it is other text, too long, truncated or changed.

    Unreadable metadata is ignored: the notes are valid without it.
    """
    if not text.startswith(PREFIX) or len(text) > MAX_BYTES:
        return None
    try:
        values = untrusted.parse_json(text.removeprefix(PREFIX))
        if not isinstance(values, dict):
            return None
        tempo = values.get("tempo")
        if not isinstance(tempo, float) or tempo < 1:
            return None
        rows = convert(
            values.get("marks", []), list[json_file.MarkRow], "the marks", error=DataError
        )
        return MidiMetadata(
            tempo=tempo,
            key=Key.parse(str(values["key"])) if values.get("key") is not None else None,
            provenance=json_file.provenance_from_plain(values.get("provenance")),
            lines={name: line for name in NAMES if isinstance(line := values.get(name), str)},
            marks=tuple(json_file.marks_from_rows(rows)),
        )
    except (DataError, UsageError):
        return None
