"""A parser for the measures of one part of a MusicXML score.

Times are exact fractions of steps (sixteenths), counted from the bar line of the measure, since the
length of a measure depends on all parts. Pitches are sounding: ``transpose`` is applied. A note
without a duration above 0 has that of its type. Content that a chorale cannot hold, and what cannot
be read, is left out and recorded as an issue: the rest does not depend on it.

The format: W3C Music Notation Community Group, *MusicXML 4.0*.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element  # elements only: xml_tree does the parsing

from musicrel import bounds
from musicrel.chorale import DYNAMICS, ELISION, HAIRPINS, STEPS_PER_QUARTER, Meter
from musicrel.errors import FileError, UsageError
from musicrel.language import tr
from musicrel.score.importing.source import IssueKind, clean_text
from musicrel.score.musicxml import musicxml_writer
from musicrel.score.notation.spelling import MAX_SIGNS

FINEST: Final = 10**7  # largest denominator of a time; finer divisions are refused

_NUMBER: Final = re.compile(r"\s*([+-]?\d{1,9}(?:\.\d{1,6})?)\s*")
_TEMPO: Final = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_PITCH_CLASSES: Final[Mapping[str, int]] = {
    "C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11,
}  # fmt: skip
# Types of notes and units of metronome marks, in quarters.
_BEATS: Final[Mapping[str, Fraction]] = {
    "breve": Fraction(8), "whole": Fraction(4), "half": Fraction(2), "quarter": Fraction(1),
    "eighth": Fraction(1, 2), "16th": Fraction(1, 4), "32nd": Fraction(1, 8),
    "64th": Fraction(1, 16), "128th": Fraction(1, 32), "long": Fraction(16), "maxima": Fraction(32),
}  # fmt: skip
_MOST_TIMES: Final = 9  # a longer file would take memory without end
_JUMPS: Final = frozenset({"dacapo", "dalsegno", "tocoda"})
# A notation of ours: the steps from the start of its head to both ends of a fermata.
_OWN_FERMATA: Final = re.compile(r"musicrel-fermata (-?\d{1,6}) (\d{1,6})")
# One more: the steps of a ritardando, and the percent of its tempo that are left at its end.
_OWN_SLOWING: Final = re.compile(r"musicrel-slowing (\d{1,5}) (\d{1,2}(?:\.\d{1,20})?)")
_SLOWER: Final = re.compile(r"(?i)((molto|poco|un|a) )*(rit|rall|riten|allarg)[a-z]*\.?")
_AGAIN: Final = re.compile(r"(?i)(a tempo|tempo (i|1|primo))\.?")
# A program may give verses names and numbers of its own, as in "part1verse2".
_NAMED_VERSE: Final = re.compile(r"(?i)^verse (\d{1,4})$")
_NUMBERED_VERSE: Final = re.compile(r"(\d{1,4})$")
# Before the first word of a verse, with the space that MuseScore has within a syllable.
_PRINTED_NUMBER: Final = re.compile(r"\A\d{1,2}\.\N{NO-BREAK SPACE}")
_BREATHS: Final = frozenset({"breath-mark", "caesura"})
# Elements of notes and directions that a chorale has no place for.
_LEFT_OUT: Final[Mapping[str, IssueKind]] = {
    "figured-bass": "figured bass", "ornaments": "ornaments",
    "arpeggiate": "ornaments",
    "non-arpeggiate": "ornaments", "glissando": "ornaments", "slide": "ornaments",
    "pedal": "pedal marks", "technical": "playing techniques", "words": "text",
    "rehearsal": "text",
}  # fmt: skip


class XmlLyric(NamedTuple):
    """A ``lyric`` element with a text; see ``chorale.Lyric``."""

    verse: int
    text: str
    hyphen: bool
    extends: bool


class XmlNote(NamedTuple):
    """A ``note`` element: a note or a rest."""

    line: tuple[int, str]  # its staff within the part, and its voice
    start: Fraction
    stop: Fraction
    pitch: int | None  # sounding MIDI number, None for a rest
    tied_from: bool = False
    tied_to: bool = False
    fermata: bool = False
    # where its fermata begins and ends, None if with the note
    held: tuple[Fraction, Fraction] | None = None
    breath: bool = False  # whether a breath mark or a caesura follows
    lyrics: tuple[XmlLyric, ...] = ()
    slurs: tuple[tuple[str, str], ...] = ()  # number and "start" or "stop" of those on it


@dataclass(slots=True, kw_only=True)
class Measure:
    """The content of one measure of one part."""

    label: str
    implicit: bool  # whether it is not counted, such as a pickup
    length: Fraction = Fraction(0)
    notes: list[XmlNote] = field(default_factory=list)  # notes and rests, in the order of the file
    meter: Meter | None = None  # the meter that starts here, if any
    # start times with signatures: sounding sharps, and the mode or ""
    keys: list[tuple[Fraction, tuple[int, str]]] = field(default_factory=list)
    # start times with tempos in quarters per minute
    tempos: list[tuple[Fraction, float]] = field(default_factory=list)
    dynamics: list[tuple[Fraction, str]] = field(default_factory=list)
    # times at which hairpins begin and end: one of ``HAIRPINS`` or "stop", and the number
    wedges: list[tuple[Fraction, str, str]] = field(default_factory=list)
    # start times of words for a slower tempo, and for a return to the one before
    slower: list[Fraction] = field(default_factory=list)
    again: list[Fraction] = field(default_factory=list)
    # ritardandos that musicrel wrote: start time, steps, percent
    slowings: list[tuple[Fraction, int, float]] = field(default_factory=list)
    repeat_from: bool = False  # whether a repeated passage begins with it
    repeat_times: int = 0  # times that a passage which ends with it is played, 0 for none
    voltas: frozenset[int] = frozenset()  # the times at which it is played, if not at each
    issues: list[IssueKind] = field(default_factory=list)  # what was left out or changed


def measures(elements: Iterable[Element]) -> Iterator[Measure]:
    """Yield the measures of a part."""
    reader = _Reader()
    for index, element in enumerate(elements):
        yield reader.measure(element, index)


class _Reader:
    """Reads measures in order and keeps the state that carries over."""

    def __init__(self) -> None:
        self._unit = Fraction(STEPS_PER_QUARTER)  # steps of one division, 0 if unknown
        self._is_divided = False  # whether the file has given it
        self._shifts: dict[int, int] = {}  # staff -> semitones to the sounding pitch; 0 for all
        self._bar = Fraction(Meter().steps)
        self._line = (1, "1")  # of the last note, which the others of its chord share
        self._now = self._before = Fraction(0)
        self._voltas: frozenset[int] = frozenset()  # those that are open
        self._grace: tuple[XmlLyric, ...] = ()  # words of grace notes, for the note after them
        self._measure = self._last = Measure(label="", implicit=False)
        self._handlers: Mapping[str, Callable[[Element], None]] = {
            "attributes": self._attributes,
            "note": self._note,
            "backup": self._move,
            "forward": self._move,
            "direction": self._direction,
            "sound": self._sound,
            "barline": self._barline,
            "harmony": self._harmony,
            "figured-bass": self._left_out,
        }

    def measure(self, element: Element, index: int) -> Measure:
        self._last = self._measure
        self._measure = Measure(
            label=element.get("number", "").strip()[:8] or str(index + 1),
            implicit=element.get("implicit") == "yes",
        )
        self._now = self._before = Fraction(0)
        for child in element:
            if handler := self._handlers.get(child.tag):
                handler(child)
        self._measure.voltas |= self._voltas
        return self._measure

    def _attributes(self, element: Element) -> None:
        if (divisions := element.find("divisions")) is not None:
            number = _parsed(divisions.text or "")
            if number is not None and number > 0:
                self._unit, self._is_divided = STEPS_PER_QUARTER / number, True
            else:
                self._unit *= self._is_divided
                self._found("damaged")
        for transpose in element.iterfind("transpose"):
            self._transpose(transpose)
        if (key := element.find("key/fifths")) is not None:
            self._key(key, element.findtext("key/mode", "").strip().lower())
        if (time := element.find("time")) is not None:
            self._time(time)

    def _transpose(self, element: Element) -> None:
        staff = _parsed(element.get("number", "")) or 0
        semitones = _parsed(element.findtext("chromatic", ""))
        octaves = _parsed(element.findtext("octave-change", "0"))
        if semitones is None or octaves is None:
            self._found("signature")
            return
        if staff == 0:
            self._shifts.clear()
        self._shifts[int(staff)] = self._rounded(semitones + 12 * octaves)

    def _shift(self, staff: int) -> int:
        return self._shifts.get(staff, self._shifts.get(0, 0))

    def _key(self, element: Element, mode: str) -> None:
        fifths = _parsed(element.text or "")
        if fifths is None or abs(fifths) > MAX_SIGNS:
            self._found("signature")
            return
        # a semitone up is seven fifths; choose the signature with the fewest signs
        shift = self._shift(1) % 12
        sounding = (int(fifths) + 7 * shift + 5) % 12 - 5 if shift else int(fifths)
        self._measure.keys.append((self._now, (sounding, mode)))

    def _time(self, element: Element) -> None:
        if element.find("senza-misura") is not None:
            return
        meter = _meter(element)
        if meter is None:
            self._found("signature")
            return
        self._bar = Fraction(meter.steps)
        self._measure.meter = self._measure.meter or meter

    def _note(self, element: Element) -> None:
        if element.find("grace") is not None:
            self._found("grace")
            self._grace += tuple(_lyrics(element))
            return
        length = self._length(element)
        is_rest = element.find("rest") is not None
        if is_rest and element.get("print-object") == "no":
            self._go_to(self._now + length)  # it fills a voice, or has a Roman numeral of ours
            return
        # where the first note of a chord is left out, the next one takes its place
        is_chord = element.find("chord") is not None and self._now != self._before
        start = self._before if is_chord else self._now
        if not is_chord:
            self._before = self._now
            self._go_to(self._now + length)
        if element.find("cue") is not None:
            self._found("cue")
        elif element.find("unpitched") is not None:
            self._found("unpitched")
        elif length or is_rest:
            self._sound_of(element, start, start + length)
        else:
            self._found("empty")

    def _length(self, element: Element) -> Fraction:
        """Return the length of a note in steps: its duration, else that of its type, else 0."""
        duration = _parsed(element.findtext("duration", ""))
        if duration and duration > 0 and self._unit:
            return duration * self._unit
        if quarters := _BEATS.get(element.findtext("type", "").strip()):
            played, written = (
                _parsed(element.findtext(f"time-modification/{notes}-notes", "1")) or Fraction(1)
                for notes in ("normal", "actual")
            )
            dotted = quarters * (2 - Fraction(1, 2 ** min(len(element.findall("dot")), 4)))
            return dotted * abs(played / written) * STEPS_PER_QUARTER
        rest = element.find("rest")
        is_of_bar = rest is not None and (duration is None or rest.get("measure") == "yes")
        return self._bar if is_of_bar else Fraction(0)

    def _sound_of(self, element: Element, start: Fraction, stop: Fraction) -> None:
        ties = {tie.get("type") for tie in element.iterfind("tie")} | {
            tie.get("type") for tie in element.iterfind("notations/tied")
        }
        marks = {mark.tag for mark in element.iterfind("notations/articulations/*")}
        for inside in (element, *element.iterfind("notations")):
            self._left_out(*inside)
        if element.find("notations/dynamics") is not None:
            self._found("dynamics")
        if marks - _BREATHS:
            self._found("articulations")
        above = self._line if element.find("chord") is not None else (1, "1")
        staff = int(_parsed(element.findtext("staff", "")) or above[0])
        self._line = staff, (element.findtext("voice") or above[1]).strip()
        held = _OWN_FERMATA.fullmatch(element.findtext("notations/other-notation", ""))
        lyrics, self._grace = (*_lyrics(element), *self._grace), ()
        pitch = element.find("pitch")
        if lyrics and pitch is None:
            self._found("lyrics")
        elif lyrics and not ties.isdisjoint({"stop", "continue"}):
            self._found("tie")
        sounding = self._pitch(pitch, staff) if pitch is not None else None
        if pitch is not None and sounding is None:
            self._found("unreadable")
        self._measure.notes.append(
            XmlNote(
                line=self._line,
                start=start,
                stop=stop,
                pitch=sounding,
                tied_from=not ties.isdisjoint({"stop", "continue"}),
                tied_to=not ties.isdisjoint({"start", "continue"}),
                fermata=element.find("notations/fermata") is not None,
                held=held and (start + int(held[1]), start + int(held[2])),
                breath=not marks.isdisjoint(_BREATHS),
                lyrics=lyrics if pitch is not None else (),
                slurs=tuple(
                    (slur.get("number", "1"), slur.get("type", ""))
                    for slur in element.iterfind("notations/slur")
                ),
            )
        )

    def _pitch(self, element: Element, staff: int) -> int | None:
        """Return the sounding MIDI number of a pitch, None if there is none."""
        step = _PITCH_CLASSES.get(element.findtext("step", "").strip())
        octave = _parsed(element.findtext("octave", ""))
        alter = _parsed(element.findtext("alter", "").strip() or "0")
        if step is None or octave is None or alter is None:
            return None
        pitch = 12 * (int(octave) + 1) + step + self._rounded(alter) + self._shift(staff)
        return pitch if 0 <= pitch <= 127 else None  # noqa: PLR2004

    def _rounded(self, semitones: Fraction) -> int:
        """Round to semitones: half a sharp is a sharp, half a flat a flat."""
        if semitones.denominator > 1:
            self._found("microtone")
        size = int(abs(semitones) + Fraction(1, 2))
        return size if semitones > 0 else -size

    def _move(self, element: Element) -> None:
        """Go back or forward; back to the bar line by a duration that cannot be read."""
        duration, is_back = _parsed(element.findtext("duration", "")), element.tag == "backup"
        if duration is None or duration < 0 or not self._unit:
            self._found("damaged")
            self._go_to(Fraction(0) if is_back else self._now)
            return
        steps = duration * self._unit
        self._go_to(max(self._now - steps, Fraction(0)) if is_back else self._now + steps)

    def _direction(self, element: Element) -> None:
        now, offset = self._now, _parsed(element.findtext("offset", "")) or Fraction(0)
        self._now = max(now + round(offset * self._unit), Fraction(0))
        for kind in element.iterfind("direction-type"):
            self._left_out(*(mark for mark in kind if not self._is_slowing(mark)))
            for dynamic in kind.iterfind("dynamics/*"):
                self._dynamic(dynamic.tag)
            for wedge in kind.iterfind("wedge"):
                self._wedge(wedge.get("type", ""), wedge.get("number", "1"))
        known = len(self._measure.tempos)
        sound = element.find("sound")
        if sound is not None:
            self._sound(sound)
        if len(self._measure.tempos) == known:
            for mark in element.iterfind("direction-type/metronome"):
                if mark.find("per-minute") is not None:
                    self._tempo(_metronome(mark))
        self._now = now

    def _dynamic(self, name: str) -> None:
        if name in DYNAMICS:
            self._measure.dynamics.append((self._now, name))
        else:  # sf, fp and the like, which do not last
            self._found("dynamics")

    def _wedge(self, kind: str, number: str) -> None:
        if kind in {*HAIRPINS, "stop"}:
            self._measure.wedges.append((self._now, kind, number))
        elif kind != "continue":
            self._found("hairpins")

    def _is_slowing(self, mark: Element) -> bool:
        """Read words and marks about a ritardando; return whether it is one of these."""
        text = clean_text(mark.text or "")
        if mark.tag == "other-direction" and (own := _OWN_SLOWING.fullmatch(text)):
            self._measure.slowings.append((self._now, int(own[1]), float(own[2])))
            return True
        for form, times in (_SLOWER, self._measure.slower), (_AGAIN, self._measure.again):
            if mark.tag == "words" and form.fullmatch(text):
                times.append(self._now)
                return True
        return False

    def _sound(self, element: Element) -> None:
        if (text := element.get("tempo")) is not None:
            tempo = _TEMPO.match(text.strip())
            self._tempo(float(tempo[0]) if tempo else 0.0)
        if _JUMPS.intersection(element.keys()):
            self._found("jump")

    def _tempo(self, tempo: float) -> None:
        if bounds.problem("tempo", tempo):
            self._found("tempo")
        else:
            self._measure.tempos.append((self._now, tempo))

    def _barline(self, element: Element) -> None:
        if (repeat := element.find("repeat")) is not None:
            if element.get("location") == "middle":
                self._found("jump")
            elif repeat.get("direction") == "backward":
                times = int(_parsed(repeat.get("times", "")) or 2)
                self._measure.repeat_times = min(times, _MOST_TIMES)
            else:
                self._measure.repeat_from = True
        for ending in element.iterfind("ending"):
            numbers = frozenset(map(int, re.findall(r"\b\d\b", ending.get("number", ""))))
            self._measure.voltas |= self._voltas | numbers
            self._voltas = numbers if ending.get("type") == "start" else frozenset()
        if element.find("fermata") is not None:
            measure = self._last if element.get("location") == "left" else self._measure
            middle = element.get("location") == "middle"
            end = self._now if middle else measure.length
            measure.notes = [
                note._replace(fermata=note.fermata or note.stop == end) for note in measure.notes
            ]

    def _harmony(self, element: Element) -> None:
        # a chord symbol has a root, a Roman numeral of ours none
        if element.find("root") is not None:
            self._found("chord symbols")

    def _left_out(self, *elements: Element) -> None:
        for element in elements:
            if kind := _LEFT_OUT.get(element.tag):
                self._found(kind)

    def _found(self, kind: IssueKind) -> None:
        if kind not in self._measure.issues:
            self._measure.issues.append(kind)

    def _go_to(self, time: Fraction) -> None:
        if time.denominator > FINEST:
            raise FileError(tr("its divisions are finer than any score needs"))
        self._now = time
        self._measure.length = max(self._measure.length, time)


def _lyrics(note: Element) -> Iterator[XmlLyric]:
    """Yield the words under a note, but no Roman numerals of ours."""
    elements = [e for e in note.iterfind("lyric") if e.get("name") != musicxml_writer.LYRICS]
    for place, lyric in enumerate(elements, start=1):
        # several texts are one syllable, as if set in bold and plain, but for elisions
        parts = [part for part in lyric if part.tag in ("text", "elision")]
        whole = "".join(ELISION if p.tag == "elision" else p.text or "" for p in parts)
        texts = filter(None, map(clean_text, _PRINTED_NUMBER.sub("", whole).split(ELISION)))
        text = ELISION.join(texts)
        extend = lyric.find("extend")
        last = [part.text for part in lyric.iterfind("syllabic")][-1:]
        if text:
            yield XmlLyric(
                verse=_verse(lyric, place),
                text=text,
                hyphen=last in (["begin"], ["middle"]),
                extends=extend is not None and extend.get("type") != "stop",
            )


def _verse(lyric: Element, place: int) -> int:
    """Return the number of a verse, that of the order of the words if it has no usable one."""
    for form, name in (_NAMED_VERSE, "name"), (_NUMBERED_VERSE, "number"):
        found = form.search(lyric.get(name, ""))
        if found and int(found[1]) in bounds.BOUNDS["verse"]:
            return int(found[1])
    return place


def _meter(element: Element) -> Meter | None:
    beats = element.findtext("beats", "")
    digits = re.fullmatch(r"\s*\d{1,3}(?:\s*\+\s*\d{1,3}){0,9}\s*", beats)
    unit = _parsed(element.findtext("beat-type", ""))
    if not digits or unit is None:
        return None
    try:
        return Meter(sum(int(number) for number in beats.split("+")), int(unit))
    except UsageError:
        return None


def _metronome(mark: Element) -> float:
    number = _TEMPO.search(mark.findtext("per-minute", ""))
    unit = _BEATS.get(mark.findtext("beat-unit", "").strip())
    if not number or not unit:
        return 0.0
    dots = len(mark.findall("beat-unit-dot"))
    return float(number[0]) * float(unit * (2 - Fraction(1, 2 ** min(dots, 4))))


@lru_cache(maxsize=1024)
def _parsed(text: str) -> Fraction | None:
    """Parse a number; cached, since a score has few different ones."""
    match = _NUMBER.fullmatch(text)
    return Fraction(match[1]) if match else None
