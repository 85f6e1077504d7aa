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


def test_a_document_becomes_a_tree() -> None:
    """Elements, attributes and texts; a document type without declarations is accepted."""
    root = xml_tree.parse(b'<!DOCTYPE a SYSTEM "http://nowhere/x.dtd"><a b="c">d<e/>f</a>')

    assert (root.tag, root.get("b"), root.text, root[0].tail) == ("a", "c", "d", "f")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (LAUGHS.encode(), "document type with declarations"),
        (b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>', "declarations"),
        (b'<!DOCTYPE a SYSTEM "x.dtd" [<!ENTITY % p SYSTEM "y.dtd"> %p;]><a/>', "declarations"),
        (b'<!DOCTYPE a SYSTEM "x.dtd"><a>&x;</a>', "declares its own entities"),
        (b"<a>&x;</a>", "damaged or not XML: undefined entity"),
        (b"", "damaged or not XML: no element found"),
        (b"<a><b></a>", "damaged or not XML: mismatched tag: line 1"),
        (b"<a>" * 100, "nested more than 48 levels deep"),
        (b"<a", "damaged or not XML: unclosed token"),
        (b"\x00\xff\xfe\x01" * 9, "damaged or not XML"),
        (b'<?xml version="1.0" encoding="klingon"?><a/>', "damaged or not XML: unknown encoding"),
        (b'<?xml version="1.0" encoding="utf-7"?><a/>', "damaged or not XML"),
        (b"<a>" + b"<b/>" * (xml_tree.MAX_ELEMENTS + 1), "more than 300,000 elements"),
        (b" " * (xml_tree.MAX_BYTES + 1), "at most 24,000,000 are read"),
    ],
    ids=lambda value: str(value)[:24],
)  # fmt: skip
def test_hostile_or_broken_xml_is_refused(content: bytes, sentence: str) -> None:
    """Nothing is expanded or fetched, and the limits apply."""
    with pytest.raises(FileError, match=sentence):
        xml_tree.parse(content)
