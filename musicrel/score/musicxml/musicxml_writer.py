"""Chorales as MusicXML 4.0, for notation programs and for our own engraving.

The layout is four parts with a staff each, or two staves as in a hymn book: soprano and alto on the
treble staff, tenor and bass on the bass staff, stems up and down. Accidentals, beams and ties are
explicit, since renderers such as Verovio do not infer them. Output is independent of time and
machine. An unknown key gives no signature. The content of the bars comes from ``notation``.

The format: W3C Music Notation Community Group, *MusicXML 4.0*.

Roman numerals in MusicXML: printed as a line of lyrics, and for software as ``harmony``.

Notation programs print lyrics below the staff, on one line and far enough apart; chord symbols they
print above it, if at all. A numeral that begins while all voices of the staff hold their notes
belongs to a hidden rest in a voice of its own.

A ``harmony`` is not printed. It has two chords, since programs read different parts of it. The
first has the numeral as ``function``, which music21 reads. The second has an empty ``function``:
MuseScore takes the last of each and has a Roman numeral (version 3.6) or the text of ``kind`` as a
chord symbol (3.2). The kind is "none": music21 can neither print nor write a chord of another kind
without a root, and MuseScore shows the root of one that has it. MusicXML 4.0 prefers ``numeral`` to
``function``, but neither program reads it; Verovio prints the text of a ``numeral-root``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from typing import Final, Literal, NamedTuple
from xml.etree import ElementTree as ET

from musicrel import meter_beats, paths
from musicrel.analysis.numeral import Numeral, pieces
from musicrel.chorale import STEPS_PER_QUARTER, Chorale, Key, Meter, Voice
from musicrel.score import json_file
from musicrel.score.json_file import provenance_to_plain as to_plain
from musicrel.score.musicxml import verses, xml_tree
from musicrel.score.musicxml.verses import Words
from musicrel.score.notation import spelling
from musicrel.score.notation.figured_bass import Figure, Figures, figured_bass
from musicrel.score.notation.notation import Bar, NoteHead, notate
from musicrel.score.notation.repeats import Repeat

LYRICS: Final = "Roman numerals"  # the ``name`` of the lyrics that are numerals
TUNE: Final = "tune"  # the ``name`` of the field with the name of the tune
_UPPER: Final = str.maketrans("0123456789o+", "⁰¹²³⁴⁵⁶⁷⁸⁹°⁺")
_LOWER: Final = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
# On both sides of a lyric: MuseScore 3 leaves hardly any space between two of them.
_SPACE: Final = "\N{NO-BREAK SPACE}"


class Head(NamedTuple):
    """A note or rest of a bar, and its steps."""

    note: ET.Element
    voice: int
    start: int
    stop: int


def add_numerals(
    part: ET.Element, numerals: Sequence[Numeral], *, for_verovio: bool = False
) -> None:
    """Add numerals to a part."""
    stop = 0
    line = 1 + max((int(lyric.get("number", "0")) for lyric in part.iter("lyric")), default=0)
    for measure in part:
        found = list(heads(measure, stop))
        begin, stop = stop, found[-1].stop
        begun = [numeral for numeral in numerals if begin <= numeral.start < stop]
        for numeral in begun:
            _add_harmony(measure, numeral, found, for_verovio=for_verovio)
        if not for_verovio:
            _add_lyrics(measure, begun, found, line)


def heads(measure: ET.Element, start: int) -> Iterator[Head]:
    """Yield the notes and rests of a bar that begins at step ``start``."""
    now = start
    for child in measure:
        length = int(child.findtext("duration", "0"))
        if child.tag == "backup":
            now -= length
        elif child.tag == "note":
            yield Head(child, int(child.findtext("voice", "1")), now, now + length)
            now += length


def _add_harmony(
    measure: ET.Element, numeral: Numeral, heads: Sequence[Head], *, for_verovio: bool
) -> None:
    """Add a numeral before the first note that sounds at its start."""
    head = next(head for head in heads if head.start <= numeral.start < head.stop)
    harmony = ET.Element("harmony", placement="below")
    if for_verovio:
        _add(_add(harmony, "numeral"), "numeral-root", "1").set("text", numeral.text)
        _add(harmony, "kind", "none").set("text", "")
    else:
        harmony.set("print-object", "no")
        for function in (numeral.figure, ""):
            _add(harmony, "function", function)
            _add(harmony, "kind", "none").set("text", numeral.text)
    if numeral.start > head.start:
        _add(harmony, "offset", str(numeral.start - head.start))
    measure.insert(list(measure).index(head.note), harmony)


def _add_lyrics(
    measure: ET.Element, numerals: Sequence[Numeral], heads: Sequence[Head], line: int
) -> None:
    """Add numerals to the notes that begin with them, the bass first, or to hidden rests."""
    notes, now = {head.start: head.note for head in heads}, heads[-1].stop
    end = list(measure.iterfind("barline"))
    for numeral in numerals:
        note = notes.get(numeral.start)
        if note is None:
            if numeral.start != now:
                way = "backup" if numeral.start < now else "forward"
                _add(_add(measure, way), "duration", str(abs(numeral.start - now)))
            note, now = ET.SubElement(measure, "note", {"print-object": "no"}), numeral.start + 1
            for tag, text in (("rest", ""), ("duration", "1"), ("voice", heads[-1].voice + 1)):
                _add(note, tag, str(text))
            _add(note, "type", "16th")
        lyric = _add(note, "lyric", number=str(line), name=LYRICS, placement="below")
        _add(lyric, "syllabic", "single")
        _add(lyric, "text", f"{_SPACE}{_printed(numeral)}{_SPACE}")
    for bar_line in end:  # it stays the last element
        measure.remove(bar_line)
        measure.append(bar_line)


def _printed(numeral: Numeral) -> str:
    """Return a numeral with raised and lowered figures, as 'B♭: V⁶₅'."""
    return "".join(
        piece.text + piece.upper.translate(_UPPER) + piece.lower.translate(_LOWER)
        for piece in pieces(numeral.text)
    )


def add_figures(part: ET.Element, found: Sequence[Figures], voice: int) -> None:
    """Add a figured bass to the notes of ``voice`` of a part."""
    stop = 0
    for measure in part:
        bar = list(heads(measure, stop))
        stop = bar[-1].stop
        for head in bar:
            inside = [one for one in found if head.start <= one.step < head.stop]
            if head.voice == voice and inside:
                _add_figured(measure, head, inside)


def _add_figured(measure: ET.Element, head: Head, found: Sequence[Figures]) -> None:
    """Add the figures of a note before it, one after the other: they share its time."""
    place = list(measure).index(head.note)
    silent = [Figures(head.start, ())] if found[0].step > head.start else []
    ends = [one.step for one in found[1 - len(silent) :]] + [head.stop]
    for one, end in zip((*silent, *found), ends, strict=True):
        element = ET.Element("figured-bass")
        for figure in one.figures or ("",):
            entry = _add(element, "figure")
            if isinstance(figure, Figure) and figure.sign:
                _add(entry, "prefix", figure.sign)
            if isinstance(figure, Figure) and figure.number:
                _add(entry, "figure-number", str(figure.number))
        _add(element, "duration", str(end - one.step))
        measure.insert(place, element)
        place += 1


Layout = Literal["parts", "staves"]


class _Clef(NamedTuple):
    sign: str
    line: int
    octaves: int = 0


class _Part(NamedTuple):
    clef: _Clef
    voices: tuple[Voice, ...]


_TREBLE: Final = _Clef("G", 2)
_TREBLE_8: Final = _Clef("G", 2, -1)
_BASS: Final = _Clef("F", 4)
_PARTS: Final[Mapping[Layout, tuple[_Part, ...]]] = {
    "parts": (
        _Part(_TREBLE, (Voice.SOPRANO,)),
        _Part(_TREBLE, (Voice.ALTO,)),
        _Part(_TREBLE_8, (Voice.TENOR,)),
        _Part(_BASS, (Voice.BASS,)),
    ),
    "staves": (
        _Part(_TREBLE, (Voice.SOPRANO, Voice.ALTO)),
        _Part(_BASS, (Voice.TENOR, Voice.BASS)),
    ),
}
_TYPES: Final[Mapping[int, str]] = {
    1: "16th", 2: "eighth", 4: "quarter", 8: "half", 16: "whole", 32: "breve",
}  # fmt: skip
_TITLE_LOOK: Final = {"justify": "center", "valign": "top", "font-size": "22"}
_SUBTITLE_LOOK: Final = {"justify": "center", "valign": "top", "font-size": "14"}
_POET_LOOK: Final = {"justify": "left", "valign": "bottom", "font-size": "12"}
_COPYRIGHT_LOOK: Final = {"justify": "center", "valign": "bottom", "font-size": "8"}
_COMPOSER_LOOK: Final = {"justify": "right", "valign": "bottom", "font-size": "12"}
_STOP: Final = "stop"  # of a hairpin
_MOST_SLURS: Final = 6  # of different numbers, at one time
_CHOIR_AAHS: Final = 53  # General MIDI program, counted from 1 as in MusicXML
_HEADER: Final = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<!DOCTYPE score-partwise PUBLIC "-//Recordare//DTD MusicXML 4.0 Partwise//EN" '
    '"http://www.musicxml.org/dtds/partwise.dtd">\n'
)


def to_xml(
    chorale: Chorale,
    layout: Layout = "parts",
    numerals: Sequence[Numeral] = (),
    *,
    figures: bool = False,
    repeats: Sequence[Repeat] = (),
) -> str:
    """Convert ``chorale`` to MusicXML; the arguments are those of ``to_tree``.

    Raises:
        DataError: the provenance cannot be represented in JSON.
    """
    score = to_tree(chorale, layout, numerals, figures=figures, repeats=repeats)
    ET.indent(score, " ")
    return xml_tree.NOT_IN_XML.sub("", _HEADER + ET.tostring(score, encoding="unicode") + "\n")


def to_tree(
    chorale: Chorale,
    layout: Layout = "parts",
    numerals: Sequence[Numeral] = (),
    *,
    figures: bool = False,
    repeats: Sequence[Repeat] = (),
    for_verovio: bool = False,
) -> ET.Element:
    """Convert ``chorale`` to a tree of MusicXML.

    Args:
        layout: ``parts`` for four staves, ``staves`` for two.
        numerals: Roman numerals, written under the lowest staff.
        figures: write a figured bass under the lowest staff.
        repeats: passages of the piece that are written once, with repeat signs.
        for_verovio: write numerals and words as Verovio prints them, and voices in the language.

    Raises:
        DataError: the provenance cannot be represented in JSON.
    """
    parts = _PARTS[layout]
    score = ET.Element("score-partwise", version="4.0")
    if chorale.title:
        _add(_add(score, "work"), "work-title", chorale.title)
    _identification(score, chorale, stems=layout == "staves")
    _credits(score, chorale)
    joined = layout == "staves" and not chorale.lyrics
    _part_list(score, parts, joined=joined, for_verovio=for_verovio)
    staves = [part.voices for part in parts]
    bars = notate(chorale, staves, [step for repeat in repeats for step in repeat.edges])
    words = verses.by_note(chorale, staves, for_verovio=for_verovio)
    for number, part in enumerate(parts, start=1):
        _add_words(_part(score, number, part, bars, chorale), part.voices, words)
    lowest = score.findall("part")[-1]
    add_numerals(lowest, numerals, for_verovio=for_verovio)
    if figures:
        add_figures(lowest, figured_bass(chorale), voice=len(parts[-1].voices))
    for element in score.iterfind("part") if repeats else ():
        _fold(element, bars, repeats)
    return score


def write(
    chorale: Chorale,
    path: Path,
    *,
    layout: Layout = "parts",
    numerals: Sequence[Numeral] = (),
    figures: bool = False,
    repeats: Sequence[Repeat] = (),
) -> None:
    """Write ``chorale`` to ``path``, compressed for .mxl; the arguments are those of ``to_xml``.

    Raises:
        DataError: see ``to_xml``.
        FileError: the file cannot be written.
    """
    text = to_xml(chorale, layout, numerals, figures=figures, repeats=repeats)
    if path.suffix.lower() == ".mxl":
        paths.write_bytes(path, xml_tree.pack(text))
    else:
        paths.write_text(path, text)


def _identification(score: ET.Element, chorale: Chorale, *, stems: bool) -> None:
    identification = _add(score, "identification")
    for role, name in ("composer", chorale.composer), ("lyricist", chorale.poet):
        if name:
            _add(identification, "creator", name, type=role)
    if chorale.copyright:
        _add(identification, "rights", chorale.copyright)
    encoding = _add(identification, "encoding")
    _add(encoding, "software", "musicrel")
    for element in ("accidental", "beam", *(["stem"] if stems else [])):
        _add(encoding, "supports", element=element, type="yes")
    fields = {TUNE: chorale.tune} if chorale.tune else {}
    for name, value in (to_plain(chorale.provenance) or {}).items():
        fields[f"musicrel-{name}"] = value if isinstance(value, str) else json_file.dumps(value)
    if fields:
        miscellaneous = _add(identification, "miscellaneous")
        for name, text in fields.items():
            _add(miscellaneous, "miscellaneous-field", text, name=name)


def _credits(score: ET.Element, chorale: Chorale) -> None:
    for kind, text, look in (
        ("title", chorale.title, _TITLE_LOOK),
        ("subtitle", chorale.subtitle, _SUBTITLE_LOOK),
        ("lyricist", chorale.poet, _POET_LOOK),
        ("composer", chorale.composer, _COMPOSER_LOOK),
        ("", chorale.tune, _COMPOSER_LOOK),
        ("rights", chorale.copyright, _COPYRIGHT_LOOK),
    ):
        if text:
            types = {"credit-type": kind} if kind else {}
            credit = _add_texts(score, "credit", types, page="1")
            _add(credit, "credit-words", text, **look)


def _part_list(
    score: ET.Element, parts: Sequence[_Part], *, joined: bool, for_verovio: bool
) -> None:
    """Add all staves in one bracket; ``joined`` draws the bar lines through it, and any words."""
    listed = _add(score, "part-list")
    bracket = {"group-symbol": "bracket", "group-barline": "yes" if joined else "no"}
    _add_texts(listed, "part-group", bracket, number="1", type="start")
    for number, part in enumerate(parts, start=1):
        name = "\n".join(voice.title if for_verovio else voice.part for voice in part.voices)
        short = "\n".join(voice.letter for voice in part.voices)
        names = {"part-name": name, "part-abbreviation": short}
        entry = _add_texts(listed, "score-part", names, id=f"P{number}")
        instrument = f"P{number}-I1"
        _add_texts(entry, "score-instrument", {"instrument-name": name}, id=instrument)
        sound = {"midi-channel": number, "midi-program": _CHOIR_AAHS}
        _add_texts(entry, "midi-instrument", sound, id=instrument)
    _add(listed, "part-group", number="1", type="stop")


def _part(
    score: ET.Element, number: int, part: _Part, bars: Sequence[Bar], chorale: Chorale
) -> ET.Element:
    element, keys = _add(score, "part", id=f"P{number}"), chorale.keys()
    for before, bar, after in zip([None, *bars], bars, [*bars[1:], None], strict=False):
        is_part = bar.number == (before.number if before else 0)
        implicit = {"implicit": "yes"} if is_part else {}
        measure = _add(element, "measure", number=str(bar.number), **implicit)
        if bar.is_first:
            _add(measure, "print", **{"new-system": "yes"})
        if before is None:
            _attributes(measure, part.clef, chorale)
        elif (key := keys[bar.start]) and key != keys[before.start]:
            _key(_add(measure, "attributes"), key)
        _music(measure, part, bar)
        if after is None or after.is_first:
            style = "light-light" if after else "light-heavy"
            _add(_add(measure, "barline", location="right"), "bar-style", style)
    if number == 1 or len(part.voices) == 1:
        _add_hairpins(element, chorale)
    _add_directions(element, _directions(number, part, chorale))
    _add_slurs(element, part.voices, chorale)
    return element


def _fold(part: ET.Element, bars: Sequence[Bar], repeats: Sequence[Repeat]) -> None:
    """Remove what is written a second time, number the bars again and add the signs."""
    number = bars[0].number - (part[0].get("implicit") is None)
    for bar, measure in zip(bars, list(part), strict=True):
        if any(one.stop <= bar.start < one.resumes for one in repeats):
            part.remove(measure)
            continue
        number += measure.get("implicit") is None
        measure.set("number", str(number))
        for one in repeats:
            _add_signs(measure, bar.start, bar.start + bar.length, one)


def _add_signs(measure: ET.Element, start: int, stop: int, repeat: Repeat) -> None:
    """Add the signs of a repeat that stand at the ends of a measure; none at the first bar."""
    if start == repeat.start > 0:
        _add(_bar_line(measure, "left", "heavy-light"), "repeat", direction="forward")
    if repeat.has_endings and start in (repeat.ending, repeat.resumes):
        number = "1" if start == repeat.ending else "2"
        _add(_bar_line(measure, "left"), "ending", f"{number}.", number=number, type="start")
    if stop == repeat.stop:
        line = _bar_line(measure, "right", "light-heavy")
        if repeat.has_endings:
            _add(line, "ending", number="1", type="stop")
        _add(line, "repeat", direction="backward")
    if repeat.has_endings and stop == repeat.end:
        is_closed = measure.find("barline[@location='right']") is not None
        kind = "stop" if is_closed else "discontinue"
        _add(_bar_line(measure, "right"), "ending", number="2", type=kind)


def _bar_line(measure: ET.Element, location: str, style: str = "") -> ET.Element:
    """Return the bar line of a measure on one side, in a style unless it has one."""
    found = measure.find(f"barline[@location='{location}']")
    if found is None:
        found = _add(measure, "barline", location=location)
        if style:
            _add(found, "bar-style", style)
        if location == "left":
            measure.remove(found)
            measure.insert(len(measure.findall("print")), found)
    return found


def _directions(number: int, part: _Part, chorale: Chorale) -> Mapping[int, list[ET.Element]]:
    """Return the tempos above the first part and the dynamics above each part that has its own."""
    found = dict(_tempos(chorale)) if number == 1 else {}
    if number == 1 or len(part.voices) == 1:  # as singers expect
        for mark in chorale.marks:
            if mark.kind == "dynamic":
                found.setdefault(mark.start, []).append(_dynamic(str(mark.value)))
    return found


def _add_words(part: ET.Element, voices: Sequence[Voice], words: Words) -> None:
    stop = 0
    for measure in part:
        for head in (found := list(heads(measure, stop))):
            head.note.extend(words.get((voices[head.voice - 1], head.start), ()))
        stop = found[-1].stop


def _music(measure: ET.Element, part: _Part, bar: Bar) -> None:
    for number, voice in enumerate(part.voices, start=1):
        if number > 1:
            _add(_add(measure, "backup"), "duration", str(bar.length))
        for head in bar.voices[voice]:
            _note(measure, head, number, stems=len(part.voices) > 1)


def _attributes(measure: ET.Element, clef: _Clef, chorale: Chorale) -> None:
    attributes = _add(measure, "attributes")
    _add(attributes, "divisions", str(STEPS_PER_QUARTER))
    key, meter = chorale.key, chorale.meter
    if key:
        _key(attributes, key)
    _add_texts(attributes, "time", {"beats": meter.numerator, "beat-type": meter.denominator})
    octaves = {"clef-octave-change": clef.octaves} if clef.octaves else {}
    _add_texts(attributes, "clef", {"sign": clef.sign, "line": clef.line, **octaves})


def _key(attributes: ET.Element, key: Key) -> None:
    _add_texts(attributes, "key", {"fifths": spelling.signature(key), "mode": key.mode})


def _add_directions(part: ET.Element, directions: Mapping[int, Sequence[ET.Element]]) -> None:
    """Add directions to a part, by their steps."""
    stop = 0
    for measure in part:
        found = list(heads(measure, stop))
        begin, stop = stop, found[-1].stop
        for step in sorted(directions.keys() & range(begin, stop)):
            head = max((one for one in found if one.start <= step), key=attrgetter("start"))
            place = list(measure).index(head.note)
            for direction in directions[step]:
                if step > head.start:
                    offset = ET.Element("offset", sound="yes")
                    offset.text = str(step - head.start)
                    direction.insert(len(direction.findall("direction-type")), offset)
                measure.insert(place, direction)
                place += 1


def _tempos(chorale: Chorale) -> Iterator[tuple[int, list[ET.Element]]]:
    """Yield the steps of all tempos with their directions; the one after a slowing returns."""
    tempos = {0: chorale.tempo} | {m.start: m.number for m in chorale.marks if m.kind == "tempo"}
    slowings = {mark.start: mark for mark in chorale.marks if mark.kind == "slowing"}
    again = {mark.stop for mark in slowings.values()} - tempos.keys() - {chorale.steps}
    for step in sorted({*tempos, *again, *slowings}):
        found = list[ET.Element]()
        if step in tempos:
            found.append(_tempo(tempos[step], chorale.meter))
        if step in again:
            found.append(_words("a tempo"))
            before = tempos[max(start for start in tempos if start <= step)]
            _add(found[-1], "sound", tempo=f"{before:.10g}")
        if mark := slowings.get(step):
            found.append(_words("rit."))
            own = f"musicrel-slowing {mark.stop - step} {mark.number:.10g}"
            hidden = {"print-object": "no"}
            _add(_add(found[-1], "direction-type"), "other-direction", own, **hidden)
        yield step, found


def _add_slurs(part: ET.Element, voices: Sequence[Voice], chorale: Chorale) -> None:
    ends: dict[tuple[object, str, int], list[str]] = {}
    slurs = [mark for mark in chorale.marks if mark.kind == "slur"]
    for index, slur in enumerate(slurs):
        for kind, step in (("stop", slur.stop), ("start", slur.start)):
            ends.setdefault((slur.value, kind, step), []).append(str(index % _MOST_SLURS + 1))
    stop = 0
    for measure in part:
        for head in (found := list(heads(measure, stop))):
            for kind, step in (("stop", head.stop), ("start", head.start)):
                for number in ends.get((voices[head.voice - 1], kind, step), ()):
                    notations = head.note.find("notations")
                    if notations is None:
                        notations = _add(head.note, "notations")
                    _add(notations, "slur", number=number, type=kind)
        stop = found[-1].stop


def _add_hairpins(part: ET.Element, chorale: Chorale) -> None:
    """Add both ends of the hairpins where they are in time, for MuseScore reads no offset."""
    hairpins = [mark for mark in chorale.marks if mark.kind == "hairpin"]
    ends = [end for one in hairpins for end in ((one.start, str(one.value)), (one.stop, _STOP))]
    stop = 0
    for measure in part:
        found = list(heads(measure, stop))
        begin, stop = stop, found[-1].stop
        for step, kind in ends:
            is_end = kind == _STOP
            if not begin + is_end <= step < stop + is_end:
                continue
            direction = ET.Element("direction", placement="above")
            _add(_add(direction, "direction-type"), "wedge", type=kind)
            notes = [head.note for head in found if head.start == step]
            if notes:
                measure.insert(list(measure).index(notes[0]), direction)
                continue
            moves = [ET.Element(tag) for tag in ("backup", "forward") if step < stop]
            for move in moves:
                _add(move, "duration", str(stop - step))
            place = len(measure) - len(measure.findall("barline"))
            measure[place:place] = [*moves[:1], direction, *moves[1:]]


def _dynamic(name: str) -> ET.Element:
    direction = ET.Element("direction", placement="above")
    _add(_add(_add(direction, "direction-type"), "dynamics"), name)
    return direction


def _words(text: str) -> ET.Element:
    direction = ET.Element("direction", placement="above")
    _add(_add(direction, "direction-type"), "words", text, **{"font-style": "italic"})
    return direction


def _tempo(tempo: float, meter: Meter) -> ET.Element:
    """Return a tempo, printed in beats; ``sound`` is always in quarters per minute."""
    pulse = meter_beats.beat(meter)
    direction = ET.Element("direction", placement="above")
    metronome = _add(_add(direction, "direction-type"), "metronome")
    _add_type(metronome, "beat-unit", "beat-unit-dot", pulse)
    _add(metronome, "per-minute", f"{round(tempo * STEPS_PER_QUARTER / pulse, 2):g}")
    _add(direction, "sound", tempo=f"{tempo:.10g}")
    return direction


def _note(measure: ET.Element, head: NoteHead, voice: int, *, stems: bool) -> None:
    note = _add(measure, "note")
    _pitch_or_rest(note, head)
    _add(note, "duration", str(head.length))
    for kind in _ties(head):
        _add(note, "tie", type=kind)
    _add(note, "voice", str(voice))
    if not head.whole_bar:
        _add_type(note, "type", "dot", head.length)
    if head.accidental:
        accidental = _add(note, "accidental", head.accidental.sign)
        if head.accidental.courtesy:
            accidental.set("cautionary", "yes")
    if stems and head.pitch:
        _add(note, "stem", "up" if voice == 1 else "down")
    for level, beam in enumerate(head.beams, start=1):
        _add(note, "beam", beam, number=str(level))
    _notations(note, head, above=voice == 1)


def _pitch_or_rest(note: ET.Element, head: NoteHead) -> None:
    if head.pitch is None:
        rest = _add(note, "rest")
        if head.whole_bar:
            rest.set("measure", "yes")
        return
    step, alter, octave = head.pitch
    altered = {"alter": alter} if alter else {}
    _add_texts(note, "pitch", {"step": step, **altered, "octave": octave})


def _notations(note: ET.Element, head: NoteHead, *, above: bool) -> None:
    ties = list(_ties(head))
    if not ties and not head.fermata:
        return
    notations = _add(note, "notations")
    for kind in ties:
        _add(notations, "tied", type=kind)
    if head.fermata:
        _add(notations, "fermata", type="upright" if above else "inverted")
    if head.held:
        ends = (str(step - head.start) for step in head.held)
        _add(notations, "other-notation", f"musicrel-fermata {' '.join(ends)}", type="single")


def _ties(head: NoteHead) -> Iterator[str]:
    if head.tied_from:
        yield "stop"
    if head.tied_to:
        yield "start"


def _add_type(parent: ET.Element, tag: str, dot: str, length: int) -> None:
    plain = length in _TYPES
    _add(parent, tag, _TYPES[length if plain else length * 2 // 3])
    if not plain:
        _add(parent, dot)


def _add(parent: ET.Element, tag: str, text: str | None = None, **attributes: str) -> ET.Element:
    element = ET.SubElement(parent, tag, attributes)
    element.text = text
    return element


def _add_texts(
    parent: ET.Element, tag: str, texts: Mapping[str, object], **attributes: str
) -> ET.Element:
    element = _add(parent, tag, **attributes)
    for name, text in texts.items():
        _add(element, name, str(text))
    return element
