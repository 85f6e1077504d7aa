"""Untrusted XML: a tree or a one-sentence error, within limits."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from musicrel.analysis.corpus import bundled
from musicrel.chorale import Chorale
from musicrel.errors import FileError
from musicrel.score import files
from musicrel.score.musicxml import musicxml_writer, xml_tree

LAUGHS = (
    '<!DOCTYPE a [<!ENTITY l "ha">'
    + "".join(f'<!ENTITY l{n} "{f"&l{n - 1 or str()};" * 10}">' for n in range(1, 10))
    + "]><a>&l9;</a>"
)
LONG_ENTITY = b'<!DOCTYPE a [<!ENTITY x "' + b"x" * 9999 + b'">]><a>' + b"&x;" * 999 + b"</a>"


def test_a_document_becomes_a_tree() -> None:
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
    with pytest.raises(FileError, match=sentence):
        xml_tree.parse(content)


CONTAINER = (
    '<?xml version="1.0"?><container><rootfiles><rootfile full-path="score.pdf" '
    'media-type="application/pdf"/><rootfile full-path="{name}"/></rootfiles></container>'
)


def archive(entries: dict[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as file:
        for name, inside in entries.items():
            file.writestr(name, inside)
    return content.getvalue()


def contained(name: str, score: bytes) -> bytes:
    container = CONTAINER.format(name=name).encode()
    return archive({"mimetype": b"x", "META-INF/container.xml": container, name: score})


def test_a_compressed_chorale_is_read(tmp_path: Path) -> None:
    piece: Chorale = bundled.load("test")[0]
    content = contained("score.xml", musicxml_writer.to_xml(piece).encode())
    for name in ("a.mxl", "b.xml", "c.musicxml"):
        (tmp_path / name).write_bytes(content)
        assert files.read(tmp_path / name) == piece


def test_a_written_archive_is_what_the_format_asks_for(hymn: Chorale, tmp_path: Path) -> None:
    path = tmp_path / "a.mxl"
    files.write(hymn, path)

    with zipfile.ZipFile(path) as file:
        first, container, inside = file.infolist()
        assert file.testzip() is None
        assert b'full-path="score.musicxml"' in file.read(container)
        assert file.read(inside).decode() == musicxml_writer.to_xml(hymn)
    assert (first.filename, first.compress_type) == ("mimetype", zipfile.ZIP_STORED)
    assert path.read_bytes()[38:].startswith(b"application/vnd.recordare.musicxmlPK")
    assert container.filename == "META-INF/container.xml"
    assert path.stat().st_size < len(musicxml_writer.to_xml(hymn)) / 4
    assert path.read_bytes() == xml_tree.pack(musicxml_writer.to_xml(hymn))


def test_the_container_names_the_score() -> None:
    both = {"a.xml": b"<a/>", "b.xml": b"<b/>"}
    container = CONTAINER.format(name="b.xml").encode()

    assert xml_tree.unpack(archive({**both, "META-INF/container.xml": container})) == b"<b/>"
    assert xml_tree.unpack(archive(both)) == b"<a/>"
    folder = {f"hymn/{name}": score for name, score in both.items()}
    assert xml_tree.unpack(archive({"hymn/META-INF/container.xml": container, **folder})) == b"<b/>"
    assert xml_tree.unpack(b"<plain/>") == b"<plain/>"


@pytest.mark.parametrize(
    "others",
    [
        {"__MACOSX/._hymn.xml": b"\0\5\x16\7"},
        {"__MACOSX/": b"", "__MACOSX/META-INF/._container.xml": b"\0\5\x16\7"},
        {"._hymn.xml": b"\0\5\x16\7", ".DS_Store": b""},
        {"hymns/._hymn.xml": b"\0\5\x16\7"},
        {"META-INF/container.xml": b"<damaged"},
        {"a/META-INF/container.xml": b"<damaged", "a/__MACOSX/._b.xml": b"\0\5\x16\7"},
        {"meta-inf/container.xml": b"<damaged"},
        {"META-INF\\container.xml": b"<damaged"},
        {"META-INF/container.xml": CONTAINER.format(name="missing.xml").encode()},
        {"META-INF/container.xml": CONTAINER.replace("application/pdf", "text/xml").encode()},
    ],
)
def test_files_beside_the_score_do_not_matter(others: dict[str, bytes]) -> None:
    assert xml_tree.unpack(archive({**others, "hymn.xml": b"<a/>"})) == b"<a/>"


def test_names_are_looked_up_and_never_used_as_paths() -> None:
    climbing = contained("../../etc/passwd.xml", b"<a/>")
    outside = archive({"META-INF/container.xml": CONTAINER.format(name="/etc/passwd").encode()})
    assert xml_tree.unpack(climbing) == b"<a/>"
    with pytest.raises(FileError, match="an archive without a score"):
        xml_tree.unpack(outside)


def with_wrong_size() -> bytes:
    content = bytearray(contained("s.xml", b"<a>" + b"x" * 3000 + b"</a>"))
    place = content.rindex(b"PK\x01\x02")
    content[place + 24 : place + 28] = (99).to_bytes(4, "little")
    return bytes(content)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (contained("s.xml", b" " * 20_000_000), "decompresses to .* too many for a score"),
        (contained("s.xml", b" " * 30_000_000), "too many for a score"),
        (b"PK\x03\x04" + bytes(40), "a damaged archive"),
        (contained("s.xml", b"<a/>")[:-30], "a damaged archive"),
        (archive({}), "an archive without a score"),
        (archive({f"{n}": b"" for n in range(2001)}), "more than 2,000 files"),
        (with_wrong_size(), "a damaged archive"),
        (b"PK" + bytes(xml_tree.MAX_ARCHIVE_BYTES), "at most 8,000,000 are read"),
    ],
    ids=range(8),
)
def test_a_hostile_or_broken_archive_is_refused(content: bytes, sentence: str) -> None:
    with pytest.raises(FileError, match=sentence):
        xml_tree.unpack(content)
