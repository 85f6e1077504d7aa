"""Texts in MIDI files, whose encoding is not declared.

They are UTF-8, or what programs wrote before it: Shift JIS in Japan, else Windows-1252, of which
Latin-1 is a part.
"""

from __future__ import annotations

import codecs
import re
from typing import Final

_LEAD_BYTE: Final = re.compile(rb"[\x81-\x9f]")
"""The first byte of kana and of most kanji in Shift JIS; rare punctuation in Windows-1252."""
_JAPANESE: Final = re.compile("[\u3000-\u30ff\u4e00-\u9fff]{2}")
_NARROW_KANA: Final = re.compile("[\uff61-\uff9f]{3}")
_PRIVATE: Final = re.compile("[\ue000-\uf8ff]")
"""Bytes that Shift JIS leaves undefined."""
_LATIN: Final = re.compile("[A-Za-z]")


def decoded(data: bytes) -> str:
    """Decode the text of an event; a byte without a meaning becomes U+FFFD."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return _japanese(data) or data.decode("cp1252", "replace")


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
