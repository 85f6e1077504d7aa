"""Reading and writing of ABC notation, by way of MusicXML.

lytk converts both, with voices, words and fermatas. Of a file with several tunes the first is read.
The number that is printed before a verse ("1.~") is written, and left out again; another ``~``
joins two words on one note. The standard has no field for the author of the words: ``A:``, which
hymnals use for it, is read as the poet if the tune has words.

The format: *The abc music standard 2.1*, abcnotation.com.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import lytk

from musicrel import paths, untrusted
from musicrel.chorale import ELISION, Chorale
from musicrel.errors import FileError
from musicrel.language import tr
from musicrel.score.importing.source import Issue, IssueKind, Source, clean_text
from musicrel.score.musicxml import musicxml_reader, musicxml_writer

MAX_TUNE: Final = 100_000  # characters; a hymn with all its verses has 10,000
MAX_GRACE: Final = 200  # characters of a group of grace notes: nested ones take memory without end

_MAX_TEXT: Final = 200  # characters of a title or a name
_TEXT_FIELD: Final = re.compile(r"([ABCDFGHNORSTWZsw]):(.*)")
_TUNE: Final = re.compile(r"^X:", re.MULTILINE)
_OPEN_GRACE: Final = re.compile(rf"\{{[^}}]{{{MAX_GRACE}}}|\{{[^}}]*\Z|\{{[^}}]*\{{")
_COMMENT: Final = re.compile(r"\s*(?<!\\)%.*")
_LARGE: Final = re.compile(r"\d{5,}")  # a length that makes thousands of bars
_NO_NOTES: Final = re.compile("[A-Za-z]:|%")
# An ending for several times, as [1,2 and |1-3. As lytk reads the first number alone, each list of
# numbers has a number of its own on the way through it.
_ENDING: Final = re.compile(r"([\[|] *)(?=\d+[,-])([\d, -]+)")
_TIMES: Final = re.compile(r"(\d{1,2})(?:-(\d{1,2}))?")
_OWN_NUMBER: Final = 100
_ENDING_IN_XML: Final = re.compile(r'(?<=<ending number=")\d{3,}')
_VERSE_NUMBER: Final = re.compile(r"^\s*\d{1,2}[.)]?(?:~+|\.\s)\s*")
_JOIN: Final = re.compile(r"(?<!\\)~")
# A further hyphen, or one after a space, stands for a note on which the syllable is held.
_HYPHENS: Final = re.compile(r"(?<=[^\s\\|*_-])(?:\s+-|-\s*-)(?:\s*-)*")
_SYLLABLE: Final = re.compile(r"(?:\\.|[^\s\\|*_-])+")
# Letters with accents, as \'e, and others, as \ss; also \u00e9 and what HTML knows, as &eacute;.
_ACCENTS: Final[Mapping[str, str]] = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", '"': "\u0308",
}  # fmt: skip
_LETTERS: Final[Mapping[str, str]] = {
    "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å", "/o": "ø",
    "/O": "Ø", "cc": "ç", "cC": "Ç",
}  # fmt: skip
_ESCAPE: Final = re.compile(
    r"\\(?:u([0-9a-fA-F]{4})|([`'^~\"])([A-Za-z])|(ss|[ao]e|[AO]E|aa|AA|/[oO]|c[cC]))"
)
# What lytk writes besides: names in elements of its own, and the tempo in beats as if in quarters.
_WRONG: Final = re.compile(
    r'<identification>.*?</identification>|<sound tempo="[^"]*"/>', re.DOTALL
)
_NAMES: Final = re.compile("^[TC]:.*$", re.MULTILINE)
_NAMED_VERSE: Final = re.compile(r'number="\d+" name="verse (\d+)"')  # in MusicXML
_WORDS: Final = re.compile("^w:.*$", re.MULTILINE)
_SPACES: Final = re.compile(f"[{ELISION}\N{NO-BREAK SPACE}]")  # within a syllable
_TEMPO: Final = re.compile("^Q:.*$", re.MULTILINE)
_LEFT_OUT: Final[Mapping[str, IssueKind]] = {"W": "lyrics", **dict.fromkeys("BDFGHNORSZs", "text")}


def source(path: Path) -> Source:
    """Read the first tune of the ABC file ``path`` without assigning voices."""
    content = untrusted.read(path, "abc")
    try:
        return from_text(_decoded(content))
    except FileError as reason:
        raise FileError(tr("cannot read {path}: {reason}", path=path, reason=reason)) from reason


def from_text(text: str) -> Source:
    """Convert the first tune of ``text`` to a source.

    Raises:
        FileError: it is not ABC, or longer than any hymn.
    """
    tunes = [match.start() for match in _TUNE.finditer(text)]
    tune = text[: tunes[1]] if len(tunes) > 1 else text
    if len(tune) > MAX_TUNE:
        sentence = tr("its first tune has {size:,} characters, but at most {most:,} are read here")
        raise FileError(sentence.format(size=len(tune), most=MAX_TUNE))
    lines = [_line(line) for line in _whole_lines(tune)]
    if _OPEN_GRACE.search("\n".join(line for line in lines if not _TEXT_FIELD.match(line))):
        raise FileError(tr("a group of grace notes has no end: expected } after {"))
    xml = _musicxml(lines)
    found = musicxml_reader.from_bytes(xml.encode())
    syllables = sum(len(_SYLLABLE.findall(line[2:])) for line in lines if line.startswith("w:"))
    if syllables > xml.count("<text>"):  # more than notes
        found = replace(found, issues=(*found.issues, Issue("lyrics", 0.0)))
    return _with_fields(found, lines, more=len(tunes) > 1)


def write(chorale: Chorale, path: Path) -> None:
    """Write ``chorale`` to ``path``; poet, tune name, copyright and provenance have no place in it.

    Raises:
        FileError: the file cannot be written.
    """
    by_verse = _NAMED_VERSE.sub(r'number="\1"', musicxml_writer.to_xml(chorale))
    score = lytk.from_musicxml_string(by_verse)
    text = _WORDS.sub(lambda line: _SPACES.sub("~", line[0]), lytk.to_abc(score))
    tempo = f"Q:1/4={chorale.tempo:g}"  # lytk rounds it, in compound meters to another one
    text = _TEMPO.sub(tempo, text, count=1)
    text = _NAMES.sub(lambda line: line[0].replace("%", r"\%"), text)
    paths.write_bytes(path, text.encode())


def _musicxml(lines: Iterable[str]) -> str:
    times: dict[str, str] = {}

    def numbered(match: re.Match[str]) -> str:
        number = str(_OWN_NUMBER + len(times))
        times[number] = _each_time(match[2])
        return f"{match[1]}{number}"

    numbered_lines = (x if _NO_NOTES.match(x) else _ENDING.sub(numbered, x) for x in lines)
    try:
        score = lytk.from_abc_string("\n".join(numbered_lines))
        found = _WRONG.sub("", lytk.to_musicxml(score))
        return _ENDING_IN_XML.sub(lambda number: times.get(number[0], ""), found)
    except (lytk.LytkError, ValueError) as reason:
        problem = str(reason).removeprefix("parse error: ").partition(";")[0]
        raise FileError(
            tr("it is not ABC notation, or damaged: {problem}", problem=problem[:200])
        ) from reason


def _each_time(text: str) -> str:
    """Return the numbers of "1,3-5" one by one."""
    ends = ((int(first), int(last or first)) for first, last in _TIMES.findall(text))
    return ",".join(str(time) for first, last in ends for time in range(first, last + 1))


def _with_fields(found: Source, lines: Sequence[str], *, more: bool) -> Source:
    """Add the texts of a tune, and what is left out of it."""
    fields: dict[str, list[str]] = {}
    for name, text in (match.groups() for line in lines if (match := _TEXT_FIELD.match(line))):
        fields.setdefault(name, []).append(clean_text(text.replace("\\%", "%")))
    title, *others = fields.get("T", [""])
    left_out = [kind for name, kind in _LEFT_OUT.items() if name in fields]
    if others:
        left_out.append("other names")
    if more:
        left_out.append("tunes")
    return replace(
        found,
        title=title[:_MAX_TEXT],
        composer=", ".join(fields.get("C", ()))[:_MAX_TEXT],
        poet=", ".join(fields.get("A", ()))[:_MAX_TEXT] if "w" in fields else "",
        issues=(*found.issues, *(Issue(kind, 0.0) for kind in left_out)),
    )


def _decoded(content: bytes) -> str:
    """Decode UTF-8, or the character set of older files, and their line ends."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252", errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _whole_lines(tune: str) -> Sequence[str]:
    """Return the lines of a tune; a text goes on after ``+:``, words also after a backslash."""
    whole = [""]
    for line in tune.splitlines():
        words = whole[-1].rstrip()
        goes_on = words[:2] == line[:2] == "w:" and words.endswith("\\")
        if goes_on or (line.startswith("+:") and _TEXT_FIELD.match(words)):
            whole[-1] = words.removesuffix("\\") + f" {line[2:]}"
        else:
            whole.append(line)
    return whole[1:]


def _line(line: str) -> str:
    """Resolve the escapes of a line of text; notes are left as they are."""
    match = _TEXT_FIELD.match(line)
    if match is None:
        if (number := _LARGE.search(line)) and not _NO_NOTES.match(line):
            sentence = tr("a note or rest has the length {length}: expected at most four digits")
            raise FileError(sentence.format(length=number[0][:20]))
        return line
    name, text = match[1], _COMMENT.sub("", match[2])
    if name == "w":
        text = _JOIN.sub(ELISION, _VERSE_NUMBER.sub("", text))
        text = _HYPHENS.sub(_held, text)
    return f"{name}:{_ESCAPE.sub(_letter, html.unescape(text))}"


def _held(hyphens: re.Match[str]) -> str:
    return "-" + " *" * (hyphens[0].count("-") - (hyphens[0][0] == "-")) + " "


def _letter(match: re.Match[str]) -> str:
    code, accent, letter, name = match.groups()
    if code:
        return chr(int(code, 16))
    return _LETTERS[name] if name else unicodedata.normalize("NFC", letter + _ACCENTS[accent])
