"""Untrusted XML: a tree or a one-sentence error, within limits."""

from __future__ import annotations

import pytest

from musicrel.errors import FileError
from musicrel.score.musicxml import xml_tree

LAUGHS = (
    '<!DOCTYPE a [<!ENTITY l "ha">'
    + "".join(f'<!ENTITY l{n} "{f"&l{n - 1 or str()};" * 10}">' for n in range(1, 10))
    + "]><a>&l9;</a>"
)
LONG_ENTITY = b'<!DOCTYPE a [<!ENTITY x "' + b"x" * 9999 + b'">]><a>' + b"&x;" * 999 + b"</a>"


def test_a_document_becomes_a_tree() -> None:
    """Elements, attributes and texts; a document type without declarations is accepted."""
    root = xml_tree.parse(b'<!DOCTYPE a SYSTEM "http://nowhere/x.dtd"><a b="c">d<e/>f</a>')

    assert (root.tag, root.get("b"), root.text, root[0].tail) == ("a", "c", "d", "f")


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("UTF-8", "Jörg 賛美歌"),
        ("Shift_JIS", "賛美歌"),
        ("x-sjis", "①髙"),  # in Windows' extension only
        ("EUC-JP", "賛美歌"),
        ("ISO-2022-JP", "賛美歌"),
        ("GB2312", "圣诗"),
        ("GB18030", "圣诗 ♭"),
        ("Big5", "聖詩"),
        ("EUC-KR", "찬송가"),
        ("KOI8-R", "Гимн"),
        ("windows-1251", "Гимн"),
        ("windows-1252", "Chœur – “Jörg”"),
        ("ISO-8859-1", "Jörg"),
        ("ISO-8859-2", "Pieśń"),
        ("macintosh", "Jörg"),
        ("IBM437", "Jörg"),
        ("TIS-620", "เพลง"),
        ("UTF-16", "Jörg 賛美歌"),
        ("UTF-16LE", "Jörg 賛美歌"),
        ("UTF-16BE", "Jörg 賛美歌"),
        ("UTF-32", "Jörg 賛美歌"),
    ],
)
@pytest.mark.parametrize("before", ["", "\n", "\ufeff", "\ufeff \r\n"])
def test_a_document_is_decoded_as_it_declares(encoding: str, text: str, before: str) -> None:
    """With or without a byte order mark or a blank line before the declaration."""
    codec = {"x-sjis": "cp932"}.get(encoding, encoding)
    document = f'{before}<?xml version="1.0" encoding="{encoding}"?><a>{text}</a>\n'
    if not encoding.startswith("UTF"):
        document = document.lstrip("\ufeff")

    assert xml_tree.parse(document.encode(codec)).text == text


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ('<?xml version="1.0" encoding="UTF-8"?><a>Jörg</a>'.encode("cp1252"), "Jörg"),
        ("<a>Jörg</a>".encode("latin-1"), "Jörg"),
        ('<?xml version="1.0" encoding="utf-16"?><a>Jörg</a>'.encode(), "Jörg"),
        ('<?xml version="1.0" encoding="US-ASCII"?><a>Jörg</a>'.encode(), "Jörg"),
        (b'<?xml version="1.0" encoding="EUC-JP"?><a>a\xffb</a>', "a\ufffdb"),
        (b"<a>a\x00\x0bb&#x1;&#31;&#65;</a>\x00\x1a", "abA"),
        (b'<!DOCTYPE a [<!ENTITY copy "&#169;">]><a>&copy;&amp;</a>', "©&"),
        (b'<!DOCTYPE a [<!ENTITY amp "&#38;#38;"><!ENTITY x "y">]><a>&amp;&x;</a>', "&y"),
        (b"<!DOCTYPE a [<!ELEMENT a (#PCDATA)><!ATTLIST a b CDATA #IMPLIED>]><a>c</a>", "c"),
    ],
)
def test_what_other_programs_get_wrong_is_read(content: bytes, text: str) -> None:
    """Another encoding than the declared one, control characters, short entities."""
    assert xml_tree.parse(content).text == text


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (LAUGHS.encode(), "document type with declarations"),
        (b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>', "declarations"),
        (b'<!DOCTYPE a SYSTEM "x.dtd" [<!ENTITY % p SYSTEM "y.dtd"> %p;]><a/>', "declarations"),
        (b'<!DOCTYPE a [<!ATTLIST a b CDATA "c">]><a/>', "declarations"),
        (b'<!DOCTYPE a [<!ENTITY x "<b/>">]><a>&x;</a>', "more than short texts"),
        (LONG_ENTITY, "which is refused for safety"),
        (b'<!DOCTYPE a SYSTEM "x.dtd"><a>&x;</a>', "uses entities of a document type"),
        (b"<a>&x;</a>", "damaged or not XML: undefined entity"),
        (b"", "damaged or not XML: no element found"),
        (b"<a><b></a>", "damaged or not XML: mismatched tag: line 1"),
        (b"<a>" * 100, "nested more than 48 levels deep"),
        (b"<a", "damaged or not XML: unclosed token"),
        (b"\x00\xff\xfe\x01" * 9, "damaged or not XML"),
        (b'<?xml version="1.0" encoding="klingon"?><a/>', "damaged or not XML: unknown encoding"),
        (b'<?xml version="1.0" encoding="utf-7"?><a/>', "damaged or not XML"),
        (b'<?xml version="1.0" encoding="zlib"?><a/>', "unknown encoding 'zlib'; save it as UTF-8"),
        (b'<?xml version="1.0" encoding="unicode_escape"?><a/>', "unknown encoding"),
        (b"<a>" + b"<b/>" * (xml_tree.MAX_ELEMENTS + 1), "more than 300,000 elements"),
        (b" " * (xml_tree.MAX_BYTES + 1), "at most 24,000,000 are read"),
    ],
    ids=lambda value: str(value)[:24],
)  # fmt: skip
def test_hostile_or_broken_xml_is_refused(content: bytes, sentence: str) -> None:
    """Nothing is expanded or fetched, and the limits apply."""
    with pytest.raises(FileError, match=sentence):
        xml_tree.parse(content)
