"""A parser for the measures of one part of a MusicXML score.

Times are exact fractions of steps (sixteenths), counted from the bar line of the measure, since the
length of a measure depends on all parts. Pitches are sounding: ``transpose`` is applied. Grace
notes, cue notes and percussion are left out and recorded as issues.

The format: W3C Music Notation Community Group, *MusicXML 4.0*.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element  # elements only: xml_tree does the parsing

from musicrel.chorale import STEPS_PER_QUARTER, Meter
from musicrel.errors import FileError, UsageError
from musicrel.score.importing.source import IssueKind

FINEST: Final = 10**7
"""Largest denominator of a time; finer divisions are refused."""

_NUMBER: Final = re.compile(r"\s*([+-]?\d{1,9}(?:\.\d{1,6})?)\s*")
_TEMPO: Final = re.compile(r"\d{1,6}(?:\.\d{1,6})?")
_PITCH_CLASSES: Final[Mapping[str, int]] = {
    "C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11,
}  # fmt: skip
_BEATS: Final[Mapping[str, Fraction]] = {
    "breve": Fraction(8), "whole": Fraction(4), "half": Fraction(2), "quarter": Fraction(1),
    "eighth": Fraction(1, 2), "16th": Fraction(1, 4), "32nd": Fraction(1, 8),
}  # fmt: skip
"""Units of a metronome mark in quarters."""
_JUMPS: Final = frozenset({"dacapo", "dalsegno", "tocoda"})


class XmlNote(NamedTuple):
    """A ``note`` element: a note or a rest.

    Attributes:
        line: its staff within the part, and its voice.
        start: start time.
        stop: end time.
        pitch: sounding MIDI number, None for a rest.
        tied_from: whether it is tied from an earlier note.
        tied_to: whether it is tied to a later note.
        fermata: whether it has a fermata.
        breath: whether a breath mark or a caesura follows.
    """

    line: tuple[int, str]
    start: Fraction
    stop: Fraction
    pitch: int | None
    tied_from: bool = False
    tied_to: bool = False
    fermata: bool = False
    breath: bool = False


@dataclass(slots=True, kw_only=True)
class Measure:
    """The content of one measure of one part.

    Attributes:
        label: its printed number.
        implicit: whether it is not counted, such as a pickup.
        length: length of its longest voice.
        heads: notes and rests, in the order of the file.
        meter: the meter that starts here, if any.
        key: the signature that starts here, if any: sounding sharps, and the mode or "".
        tempos: start times with tempos in quarters per minute.
        findings: what was left out.
    """

    label: str
    implicit: bool
    length: Fraction = Fraction(0)
    notes: list[XmlNote] = field(default_factory=list)
    meter: Meter | None = None
    key: tuple[int, str] | None = None
    tempos: list[tuple[Fraction, float]] = field(default_factory=list)
    issues: list[IssueKind] = field(default_factory=list)


def measures(part: Element) -> Iterator[Measure]:
    """Yield the measures of ``part``.

    Raises:
        FileError: a number is missing or invalid.
    """
    reader = _Reader()
    for index, element in enumerate(part.iterfind("measure")):
        yield reader.measure(element, index)


class _Reader:
    """Reads measures in order and keeps the state that carries over."""

    def __init__(self) -> None:
        self._unit = Fraction(STEPS_PER_QUARTER)  # steps of one division
        self._shift = 0  # semitones from the written pitch to the sounding one
        self._now = self._before = Fraction(0)
        self._measure = Measure(label="", implicit=False)
        self._handlers: Mapping[str, Callable[[Element], None]] = {
            "attributes": self._attributes,
            "note": self._note,
            "backup": self._backup,
            "forward": self._forward,
            "direction": self._direction,
            "sound": self._sound,
            "barline": self._barline,
        }

    def measure(self, element: Element, index: int) -> Measure:
        """Parse the next measure, the one at ``index`` (from 0)."""
        self._measure = Measure(
            label=element.get("number", "").strip()[:8] or str(index + 1),
            implicit=element.get("implicit") == "yes",
        )
        self._now = self._before = Fraction(0)
        for child in element:
            if handler := self._handlers.get(child.tag):
                handler(child)
        return self._measure

    def _attributes(self, element: Element) -> None:
        if (divisions := element.find("divisions")) is not None:
            number = _number(divisions, "divisions")
            if number <= 0:
                raise FileError(f"it is damaged: {divisions.text} divisions of a quarter")
            self._unit = STEPS_PER_QUARTER / number
        if (transpose := element.find("transpose")) is not None:
            octaves = _number(transpose.find("octave-change"), "octave-change", Fraction(0))
            self._shift = int(_number(transpose.find("chromatic"), "chromatic") + 12 * octaves)
        if (key := element.find("key/fifths")) is not None:
            # a semitone up is seven fifths; choose the signature with the fewest signs
            fifths = int(_number(key, "fifths")) + 7 * (self._shift % 12)
            mode = element.findtext("key/mode", "").strip().lower()
            self._measure.key = ((fifths + 5) % 12 - 5 if self._shift % 12 else fifths, mode)
        if (time := element.find("time")) is not None:
            self._measure.meter = _meter(time) or self._measure.meter

    def _note(self, element: Element) -> None:
        if element.get("print-object") == "no" and element.find("rest") is not None:
            self._forward(element)  # it fills a voice, or carries a Roman numeral of ours
            return
        if element.find("grace") is not None:
            self._found("grace")
            return
        length = _number(element.find("duration"), "duration", Fraction(0)) * self._unit
        is_chord = element.find("chord") is not None
        start = self._before if is_chord else self._now
        if not is_chord:
            self._before = self._now
            self._go_to(self._now + max(length, Fraction(0)))
        if element.find("cue") is not None:
            self._found("cue")
        elif element.find("unpitched") is not None:
            self._found("unpitched")
        else:
            self._measure.notes.append(self._xml_note(element, start, start + length))

    def _xml_note(self, element: Element, start: Fraction, stop: Fraction) -> XmlNote:
        ties = {tie.get("type") for tie in element.iterfind("tie")} | {
            tie.get("type") for tie in element.iterfind("notations/tied")
        }
        breaths = ("breath-mark", "caesura")
        staff = _number(element.find("staff"), "staff", Fraction(1))
        return XmlNote(
            line=(int(staff), (element.findtext("voice") or "1").strip()),
            start=start,
            stop=stop,
            pitch=self._pitch(element.find("pitch")),
            tied_from="stop" in ties,
            tied_to="start" in ties,
            fermata=element.find("notations/fermata") is not None,
            breath=any(element.find(f"notations/articulations/{b}") is not None for b in breaths),
        )

    def _pitch(self, element: Element | None) -> int | None:
        if element is None:
            return None
        step = element.findtext("step", "").strip()
        octave = int(_number(element.find("octave"), "octave"))
        alter = round(_number(element.find("alter"), "alter", Fraction(0)))
        pitch = 12 * (octave + 1) + _PITCH_CLASSES.get(step, -1000) + alter + self._shift
        if not 0 <= pitch <= 127:  # noqa: PLR2004
            raise FileError(
                f"it is damaged: measure {self._measure.label} has a note {step!r} in octave "
                f"{octave}: expected a MIDI pitch"
            )
        return pitch

    def _backup(self, element: Element) -> None:
        self._go_to(max(self._now - self._duration(element), Fraction(0)))

    def _forward(self, element: Element) -> None:
        self._go_to(self._now + self._duration(element))

    def _duration(self, element: Element) -> Fraction:
        return max(_number(element.find("duration"), "duration"), Fraction(0)) * self._unit

    def _direction(self, element: Element) -> None:
        sound = element.find("sound")
        if sound is not None:
            self._sound(sound)
        if sound is None or sound.get("tempo") is None:
            for mark in element.iterfind("direction-type/metronome"):
                self._tempo(_metronome(mark))

    def _sound(self, element: Element) -> None:
        tempo = _TEMPO.match(element.get("tempo", ""))
        self._tempo(float(tempo[0]) if tempo else 0.0)
        if _JUMPS.intersection(element.keys()):
            self._found("repeat")

    def _tempo(self, tempo: float) -> None:
        if tempo > 0:
            self._measure.tempos.append((self._now, tempo))

    def _barline(self, element: Element) -> None:
        if element.find("repeat") is not None or element.find("ending") is not None:
            self._found("repeat")

    def _found(self, kind: IssueKind) -> None:
        self._measure.issues.append(kind)

    def _go_to(self, time: Fraction) -> None:
        if time.denominator > FINEST:
            raise FileError("its divisions are finer than any score needs")
        self._now = time
        self._measure.length = max(self._measure.length, time)


def _meter(element: Element) -> Meter | None:
    """Parse a ``time`` element; None for senza misura."""
    beats, unit = element.findtext("beats"), element.findtext("beat-type")
    if beats is None or unit is None:
        return None
    digits = re.fullmatch(r"\s*\d{1,3}(?:\s*\+\s*\d{1,3}){0,9}\s*", beats)
    numerator = sum(int(number) for number in beats.split("+")) if digits else 0
    try:
        return Meter(numerator, int(_number(element.find("beat-type"), "beat-type")))
    except UsageError as reason:
        raise FileError(str(reason)) from reason


def _metronome(mark: Element) -> float:
    """Parse a metronome mark to quarters per minute, 0 if it has no number."""
    number = _TEMPO.search(mark.findtext("per-minute", ""))
    unit = _BEATS.get(mark.findtext("beat-unit", "").strip())
    if not number or not unit:
        return 0.0
    dots = len(mark.findall("beat-unit-dot"))
    return float(number[0]) * float(unit * (2 - Fraction(1, 2 ** min(dots, 4))))


def _number(element: Element | None, name: str, default: Fraction | None = None) -> Fraction:
    """Parse the number in ``element``; ``default`` if the element is missing."""
    if element is None and default is not None:
        return default
    text = element.text or "" if element is not None else ""
    number = _parsed(text)
    if number is None:
        raise FileError(f"it is damaged: {name} is {text[:20]!r}, expected a number")
    return number


@lru_cache(maxsize=1024)
def _parsed(text: str) -> Fraction | None:
    """Parse a number; cached, since a score has few different ones."""
    match = _NUMBER.fullmatch(text)
    return Fraction(match[1]) if match else None
