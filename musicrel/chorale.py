"""The data type that all layers share: a four-voice chorale on the sixteenth grid.

Conventions: time runs in steps of one sixteenth, counted from 0; a quarter always has four steps.
Pitches are MIDI numbers, ``REST`` is -1. Columns are the voices S A T B, in that order.
Step 0 is the first note, also in a piece with a pickup.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Literal, get_args

import numpy as np
import numpy.typing as npt

from musicrel import bounds
from musicrel.errors import DataError, UsageError
from musicrel.language import tr

STEPS_PER_QUARTER: Final = 4
REST: Final = -1
MAX_STEPS: Final = 16_384  # length of the longest piece: 34 minutes at 120 quarters a minute

Pitches = npt.NDArray[np.int16]
Flags = npt.NDArray[np.bool_]


class Voice(IntEnum):
    """The four voices, numbered as the columns of a chorale."""

    SOPRANO = 0
    ALTO = 1
    TENOR = 2
    BASS = 3

    @property
    def letter(self) -> str:
        """Return S, A, T or B."""
        return self.name[0]

    @property
    def title(self) -> str:
        """Return the name for display: Soprano, Alto, Tenor, Bass; in files, see ``part``."""
        return (tr("Soprano"), tr("Alto"), tr("Tenor"), tr("Bass"))[self]

    @property
    def noun(self) -> str:
        """Return the name within a sentence for display: soprano, alto, tenor, bass."""
        return (tr("soprano"), tr("alto"), tr("tenor"), tr("bass"))[self]

    @property
    def part(self) -> str:
        """Return the name in files, in English: Soprano, Alto, Tenor, Bass."""
        return self.name.capitalize()


# Lowest and highest MIDI number of each voice (both included).
RANGES: Final[Mapping[Voice, tuple[int, int]]] = {
    Voice.SOPRANO: (60, 81),
    Voice.ALTO: (53, 77),
    Voice.TENOR: (45, 72),
    Voice.BASS: (36, 64),
}

_TONICS: Final[Mapping[str, int]] = {
    "C": 0, "C#": 1, "Db": 1, "D": 2, "D#": 3, "Eb": 3, "E": 4, "F": 5, "F#": 6,
    "Gb": 6, "G": 7, "G#": 8, "Ab": 8, "A": 9, "A#": 10, "Bb": 10, "B": 11, "Cb": 11,
}  # fmt: skip
_USUAL_TONICS: Final[Mapping[str, tuple[str, ...]]] = {
    "major": ("C", "Db", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"),
    "minor": ("C", "C#", "D", "Eb", "E", "F", "F#", "G", "G#", "A", "Bb", "B"),
}
_UNITS: Final = (1, 2, 4, 8, 16)
Mode = Literal["major", "minor"]
_MODES: Final[Mapping[str, Mode]] = {
    "major": "major", "maj": "major", "minor": "minor", "min": "minor",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Key:
    """A key: the name of the tonic with # or b, and the mode."""

    tonic: str
    mode: Mode

    def __post_init__(self) -> None:
        if self.tonic not in _TONICS or self.mode not in _USUAL_TONICS:
            raise UsageError(_unknown_key(f"{self.tonic!r} {self.mode!r}"))

    @classmethod
    def parse(cls, text: str) -> Key:
        """Parse a key such as 'G major', 'f# minor', 'Bb' or 'c' (lower case: minor).

        Raises:
            UsageError: the text is not a key.
        """
        match = re.fullmatch(r"\s*([A-Ga-g])([#b♯♭]?)\s*(\w*)\s*", text)
        named = (match[3] or ("minor" if match[1].islower() else "major")) if match else ""
        mode = _MODES.get(named.lower())
        tonic = match[1].upper() + match[2].translate({0x266F: "#", 0x266D: "b"}) if match else ""
        if mode is None or tonic not in _TONICS:
            raise UsageError(_unknown_key(repr(text)))
        return cls(tonic, mode)

    @classmethod
    def of(cls, pitch_class: int, mode: Mode) -> Key:
        """Return the usual spelling of the key on ``pitch_class`` (0 = C) in ``mode``."""
        return cls(_USUAL_TONICS[mode][pitch_class % 12], mode)

    @property
    def pitch_class(self) -> int:
        """Return the pitch class of the tonic, 0 = C ... 11 = B."""
        return _TONICS[self.tonic]

    @property
    def fifths(self) -> int:
        """Return the number of sharps (positive) or flats (negative), as in MIDI and MusicXML."""
        natural = "FCGDAEB".index(self.tonic[0]) - 1
        accidental = {"#": 7, "b": -7}.get(self.tonic[1:], 0)
        return natural + accidental - (3 if self.mode == "minor" else 0)

    def transposed(self, semitones: int) -> Key:
        """Return this key ``semitones`` higher, in its usual spelling."""
        return self if semitones % 12 == 0 else Key.of(self.pitch_class + semitones, self.mode)

    def __str__(self) -> str:
        """Return the key as in 'F# minor'."""
        return f"{self.tonic} {self.mode}"


@dataclass(frozen=True, slots=True)
class Meter:
    """A time signature: 1 to 32 over 1, 2, 4, 8 or 16."""

    numerator: int = 4
    denominator: int = 4

    def __post_init__(self) -> None:
        pair = self.numerator, self.denominator
        if not all(one in bounds.BOUNDS["numerator"] for one in pair) or pair[1] not in _UNITS:
            text = tr("unknown meter {meter}: expected 1 to 32 over 1, 2, 4, 8 or 16, as in 3/4")
            raise UsageError(text.format(meter="/".join(map(bounds.shown, pair))))

    @classmethod
    def parse(cls, text: str) -> Meter:
        """Parse a meter such as '4/4', '3/4' or '6/8'.

        Raises:
            UsageError: the text is not a meter, or not 1 to 32 over 1, 2, 4, 8 or 16, which makes
                bars of 1 to 512 sixteenths.
        """
        match = re.fullmatch(r"\s*(\d{1,3})\s*/\s*(\d{1,3})\s*", text)
        if not match:
            raise UsageError(tr("unknown meter {text!r}: expected one as in 4/4 or 3/4", text=text))
        return cls(int(match[1]), int(match[2]))

    @property
    def steps(self) -> int:
        """Return the sixteenths in a bar."""
        return self.numerator * 4 * STEPS_PER_QUARTER // self.denominator

    def __str__(self) -> str:
        """Return the meter as in '3/4'."""
        return f"{self.numerator}/{self.denominator}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """The origin of a generated chorale: enough to generate it again, note for note.

    Attributes:
        model: name of the model.
        sha256: SHA-256 of its file of weights.
        seed: seed of the random numbers.
        settings: the request as plain JSON values, locked cells included.
        machine: device, threads and versions, on which the last bit depends; empty if not recorded.
    """

    model: str
    sha256: str
    seed: int
    settings: Mapping[str, Any] = field(default_factory=dict)
    machine: Mapping[str, Any] = field(default_factory=dict)


ELISION: Final = "\u203f"  # between two syllables on one note
# lines of text of a piece
LINES: Final = ("title", "subtitle", "composer", "poet", "tune", "copyright")


@dataclass(frozen=True, slots=True, order=True)
class Lyric:
    """A syllable under a note.

    Attributes:
        voice: the voice of its note.
        verse: number of the verse, from 1.
        step: step at which its note begins.
        text: the syllable as printed, with ``ELISION`` between two of them on one note.
        hyphen: True if the next syllable of the verse belongs to the same word.
        extends: True if it is held over the next notes of the voice, which have no syllable.

    Raises:
        DataError: the text is empty or has several lines, or the verse is out of bounds.
    """

    voice: Voice
    verse: int
    step: int
    text: str
    hyphen: bool = False
    extends: bool = False

    def __post_init__(self) -> None:
        if problem := bounds.problem("verse", self.verse):
            raise DataError(problem)
        if not self.text or self.text != self.text.strip() or len(self.text.splitlines()) > 1:
            sentence = tr(
                "{voice}, verse {verse}, step {step}: the syllable is {text!r}: expected one line "
                "without spaces around it"
            )
            raise DataError(_filled(sentence, self, text=self.text[:100]))


MarkKind = Literal["key", "tempo", "dynamic", "slowing", "slur", "hairpin"]
MARKS: Final[tuple[MarkKind, ...]] = get_args(MarkKind)
CHANGES: Final = MARKS[:3]  # what holds up to the next one; the others hold for some steps
DYNAMICS: Final = ("ppp", "pp", "p", "mp", "mf", "f", "ff", "fff")
HAIRPINS: Final = ("crescendo", "diminuendo")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A mark of the score: another key or tempo, a dynamic, a ritardando, a slur or a hairpin.

    Attributes:
        kind: one of ``CHANGES`` for what begins at ``start``; "slowing" for a ritardando: the tempo
            falls evenly from ``start`` to ``stop``, where the one before returns; "slur";
            "hairpin".
        start: the first step.
        stop: the step after the last of a slowing, a slur or a hairpin, otherwise ``start``.
        value: the key, the tempo in quarter notes a minute, the dynamic of all voices as one of
            ``DYNAMICS``, what is left of the tempo at the end of a slowing in percent, the voice of
            a slur, or one of ``HAIRPINS``, for all voices.

    Raises:
        DataError: the value is not one of its kind, or a slowing, a slur or a hairpin has no step.
    """

    kind: MarkKind
    start: int
    stop: int
    value: Key | Voice | str | float

    def __post_init__(self) -> None:
        is_text = isinstance(self.value, str)
        known = {
            "key": isinstance(self.value, Key),
            "dynamic": self.value in DYNAMICS,
            "slur": isinstance(self.value, Voice),
            "hairpin": self.value in HAIRPINS,
        }
        is_number = not (is_text or any(known.values()))
        if self.kind not in MARKS or not known.get(self.kind, is_number):
            raise DataError(
                f"a mark at step {self.start} is {self.kind!r} with {bounds.shown(self.value)}: "
                f"expected {', '.join(MARKS[:-1])} or {MARKS[-1]}, and a value of that kind"
            )
        if is_number and (problem := bounds.problem(self.kind, self.value)):
            raise DataError(problem)
        if (self.stop > self.start) == (self.kind in CHANGES):
            raise DataError(
                f"the {self.kind} at step {self.start} ends at step {self.stop}: expected a later "
                "step of a slowing, a slur or a hairpin, otherwise the same"
            )

    @property
    def number(self) -> float:
        """Return the value of a tempo or a slowing."""
        return 0.0 if isinstance(self.value, Key | str) else float(self.value)

    @property
    def place(self) -> tuple[int, int, int]:
        """Return the start, a number of the kind and the voice of a slur: the order of marks."""
        voice = int(self.value) if isinstance(self.value, Voice) else 0
        return self.start, MARKS.index(self.kind), voice

    def moved(self, steps: int) -> Mark:
        """Return the mark some steps later."""
        return replace(self, start=self.start + steps, stop=self.stop + steps)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chorale:
    """A four-voice piece of T steps; see the module docstring for the conventions.

    Attributes:
        pitches: int16 (T, 4), MIDI numbers or REST.
        onsets: bool (T, 4), True where a note begins; a rest never has an onset.
        fermatas: bool (T,), True on every step of a fermata.
        meter: the time signature.
        pickup: steps before the first bar line, 0 for a piece that begins with a whole bar.
        key: the key; None if it is not known.
        tempo: quarter notes a minute.
        title: one line of text.
        subtitle: one line of text; "" if there is none.
        composer: one line of text; "" if unknown.
        poet: who wrote the words, one line of text; "" if unknown.
        tune: name of the tune, one line of text; "" if it has none.
        copyright: one line of text; "" if there is none.
        lyrics: the words, sorted by voice, verse and step. Those without a note that begins at
            their step are dropped, so that words stay under the notes in whatever is made of a
            piece by ``dataclasses.replace``.
        marks: further keys and tempos, dynamics, ritardandos, slurs and hairpins, sorted by their
            starts. Those after the end are dropped, the last key and tempo from before the
            beginning are those of the piece, a slowing ends where another tempo begins and a
            hairpin where another one does, and a slur has two notes at least, begins with one and
            ends with one: so they stay right, too.
        provenance: origin of a generated piece, None for any other.

    Raises:
        DataError: an array has the wrong shape, a value is outside its range, or a note has two
            syllables in one verse.
    """

    pitches: Pitches
    onsets: Flags
    fermatas: Flags
    meter: Meter = field(default_factory=Meter)
    pickup: int = 0
    key: Key | None = None
    tempo: float = 80.0
    title: str = ""
    subtitle: str = ""
    composer: str = ""
    poet: str = ""
    tune: str = ""
    copyright: str = ""
    lyrics: tuple[Lyric, ...] = ()
    marks: tuple[Mark, ...] = ()
    provenance: Provenance | None = None

    def __post_init__(self) -> None:
        _check_shapes(self.pitches, self.onsets, self.fermatas)
        _check_notes(self.pitches, self.onsets)
        if not 0 <= self.pickup < self.meter.steps:
            text = tr("pickup is {steps} steps: expected 0 to {most}, less than a bar of {meter}")
            steps, most = bounds.shown(self.pickup), self.meter.steps - 1
            raise DataError(text.format(steps=steps, most=most, meter=self.meter))
        if problem := bounds.problem("tempo", self.tempo):
            raise DataError(problem)
        if self.lyrics:
            object.__setattr__(self, "lyrics", _under_notes(self.lyrics, self.onsets))
        if self.marks:
            self._settle_marks()
        for array in (self.pitches, self.onsets, self.fermatas):
            array.setflags(write=False)

    def _settle_marks(self) -> None:
        """Put the marks in order; see ``marks``."""
        fields: dict[str, Any] = {"key": self.key, "tempo": float(self.tempo)}
        kept = dict[tuple[object, ...], Mark]()
        for mark in sorted(self.marks, key=lambda mark: mark.place):
            start, stop = max(mark.start, 0), min(mark.stop, self.steps)
            if mark.kind in fields and start == 0:
                fields[mark.kind] = mark.value
            elif mark.kind in CHANGES and start < self.steps:
                kept[mark.kind, start] = replace(mark, start=start, stop=start)
            elif start < stop:
                kept[start, *mark.place[1:]] = replace(mark, start=start, stop=stop)
        fields["marks"] = tuple(self._effective(list(kept.values()), dict(fields)))
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def _effective(self, marks: Sequence[Mark], now: dict[str, Any]) -> Iterator[Mark]:
        """Yield the sorted marks that change something; ``now`` is what holds before them."""
        ends = {
            kind: [mark.start for mark in marks if mark.kind in (kind, ending)]
            for kind, ending in (("slowing", "tempo"), ("hairpin", ""))
        }
        for mark in marks:
            if mark.kind in ends:
                following = bisect_right(ends[mark.kind], mark.start)
                end = ends[mark.kind][following : following + 1]
                yield replace(mark, stop=min(mark.stop, *end, self.steps))
            elif isinstance(mark.value, Voice):
                begun = self.onsets[mark.start : mark.stop, mark.value]
                if begun[0] and begun[1:].any():
                    yield replace(mark, stop=self._end_of_note(mark.stop - 1, mark.value))
            elif now.get(mark.kind) != mark.value:
                now[mark.kind] = mark.value
                yield mark

    def _end_of_note(self, step: int, voice: Voice) -> int:
        """Return the end of the note that sounds at ``step``, or of the one before a rest."""
        is_rest = self.pitches[:, voice] == REST
        last = np.flatnonzero(~is_rest[: step + 1])[-1]
        ends = np.flatnonzero((is_rest | self.onsets[:, voice])[last + 1 :])
        return int(last + 1 + ends[0]) if ends.size else self.steps

    @classmethod
    def of(cls, pitches: npt.ArrayLike, **fields: Any) -> Chorale:
        """Return a chorale of pitches: a note begins at each change of pitch, without fermatas.

        Args:
            pitches: (T, 4) MIDI numbers, REST = -1.
            **fields: any field of Chorale; ``onsets`` and ``fermatas`` override the above.
        """
        grid = np.array(pitches, dtype=np.int16)
        if grid.ndim != 2:  # noqa: PLR2004
            raise DataError(f"pitches have shape {grid.shape}: expected (steps, 4)")
        fields.setdefault("onsets", onsets_where_pitch_changes(grid))
        fields.setdefault("fermatas", np.zeros(len(grid), dtype=np.bool_))
        return cls(pitches=grid, **fields)

    @property
    def steps(self) -> int:
        """Return the length T in sixteenths."""
        return len(self.pitches)

    @property
    def bars(self) -> int:
        """Return the number of bars, a pickup counted as one."""
        lead = -self.pickup % self.meter.steps
        return -(-(self.steps + lead) // self.meter.steps)

    @property
    def verses(self) -> tuple[int, ...]:
        """Return the numbers of the verses that have words, in order."""
        return tuple(sorted({word.verse for word in self.lyrics}))

    @property
    def seconds(self) -> float:
        """Return the length in seconds at its tempos, without longer fermatas."""
        return float((60.0 / STEPS_PER_QUARTER / self.tempos()).sum())

    def tempos(self) -> npt.NDArray[np.float64]:
        """Return the tempo of every step in quarter notes a minute, float64 (T,)."""
        found = np.full(self.steps, self.tempo, dtype=np.float64)
        for mark in self.marks:
            if mark.kind == "tempo":
                found[mark.start :] = mark.number
            elif mark.kind == "slowing":
                falling = np.linspace(1, mark.number / 100, mark.stop - mark.start + 1)
                found[mark.start : mark.stop] *= falling[1:]
        return found

    def tempo_at(self, step: float) -> float:
        """Return the tempo at a step, which may lie outside the piece, in quarters a minute."""
        return float(self.tempos()[min(max(int(step), 0), self.steps - 1)])

    def keys(self) -> list[Key | None]:
        """Return the key of every step; None where it is not known."""
        found = [self.key] * self.steps
        changes = [(m.start, m.value) for m in self.marks if isinstance(m.value, Key)]
        for (start, key), (stop, _) in pairwise([*changes, (self.steps, self.key)]):
            found[start:stop] = [key] * (stop - start)
        return found

    def key_at(self, step: int) -> Key | None:
        """Return the key at a step; None if it is not known."""
        before = [m.value for m in self.marks if m.start <= step and isinstance(m.value, Key)]
        return before[-1] if before else self.key

    def bar_number(self, step: int) -> int:
        """Return the number of the bar at ``step``, from 1; a pickup has 0 or less."""
        return (step - self.pickup) // self.meter.steps + 1

    def bar_positions(self) -> npt.NDArray[np.int64]:
        """Return the sixteenths since the last bar line for every step, int64 (T,)."""
        return (np.arange(self.steps) - self.pickup) % self.meter.steps

    def bar_line_steps(self) -> list[int]:
        """Return the steps at which bars begin, from the first whole bar on."""
        return list(range(self.pickup, self.steps, self.meter.steps))

    def shifts(self) -> range:
        """Return the transpositions in semitones that keep every voice in ``RANGES``, and 0."""
        lowest, highest = -127, 127
        for voice, (low, high) in RANGES.items():
            sounding = self.pitches[:, voice][self.pitches[:, voice] != REST]
            if sounding.size:
                lowest = max(lowest, low - int(sounding.min()))
                highest = min(highest, high - int(sounding.max()))
        return range(
            min(lowest, 0) if highest >= 0 else 0, max(highest, 0) + 1 if lowest <= 0 else 1
        )

    def transposed(self, semitones: int) -> Chorale:
        """Return the piece ``semitones`` higher, with its key in the usual spelling."""
        moved = np.where(self.pitches == REST, REST, self.pitches + semitones).astype(np.int16)
        return replace(self, pitches=moved).with_keys_transposed(semitones)

    def with_keys_transposed(self, semitones: int) -> Chorale:
        """Return the piece with the same notes and its keys ``semitones`` higher."""
        marks = (
            replace(mark, value=mark.value.transposed(semitones))
            if isinstance(mark.value, Key)
            else mark
            for mark in self.marks
        )
        key = self.key.transposed(semitones) if self.key else None
        return replace(self, key=key, marks=tuple(marks))

    def at_tempo(self, tempo: float) -> Chorale:
        """Return the piece at ``tempo`` quarters a minute, its other tempos in proportion."""
        known = bounds.BOUNDS["tempo"]
        marks = (
            replace(mark, value=min(max(mark.number * tempo / self.tempo, known.low), known.high))
            if mark.kind == "tempo"
            else mark
            for mark in self.marks
        )
        return replace(self, tempo=tempo, marks=tuple(marks))

    def padded(self, steps: int) -> Chorale:
        """Return the piece followed by ``steps`` of silence."""
        return replace(
            self,
            pitches=np.pad(self.pitches, ((0, steps), (0, 0)), constant_values=REST),
            onsets=np.pad(self.onsets, ((0, steps), (0, 0))),
            fermatas=np.pad(self.fermatas, (0, steps)),
        )

    def cropped(self, start: int, stop: int) -> Chorale:
        """Return steps ``start`` to ``stop`` (half-open) as a piece; held notes begin at ``start``.

        Raises:
            DataError: the steps are not in the piece.
        """
        if not 0 <= start < stop <= self.steps:
            raise DataError(f"steps {start}:{stop} are not in the piece: expected 0:{self.steps}")
        onsets = self.onsets[start:stop].copy()
        onsets[0] = self.pitches[start] != REST
        return replace(
            self,
            pitches=self.pitches[start:stop].copy(),
            onsets=onsets,
            fermatas=self.fermatas[start:stop].copy(),
            pickup=(self.pickup - start) % self.meter.steps,
            lyrics=tuple(replace(word, step=word.step - start) for word in self.lyrics),
            marks=tuple(mark.moved(-start) for mark in self.marks),
        )

    def with_texts_of(self, other: Chorale) -> Chorale:
        """Return the piece with title, names, copyright line, words and marks of ``other``."""
        return replace(self, **{name: getattr(other, name) for name in (*LINES, "lyrics", "marks")})

    @classmethod
    def read(cls, path: str | Path) -> Chorale:
        """Read a piece and log what was changed; ``musicrel.score.files.import_satb`` returns it.

        Raises:
            UsageError: no format with this suffix can be read.
            FileError: the file is missing, damaged, too long, or holds no music.
        """
        from musicrel.score import files  # a layer above; pyproject.toml names the exception

        return files.read(Path(path))

    def write(self, path: str | Path) -> None:
        """Write the piece to a file in the format of its suffix; see ``musicrel.score.files``.

        Raises:
            UsageError: no format with this suffix can be written.
            DataError: the format cannot represent the piece.
            FileError: the file cannot be written.
        """
        from musicrel.score import files

        files.write(self, Path(path))

    def __eq__(self, other: object) -> bool:
        """Return True where all fields, and all values of arrays, are equal."""
        if not isinstance(other, Chorale):
            return NotImplemented
        return all(
            np.array_equal(getattr(self, name), getattr(other, name))
            if name in ("pitches", "onsets", "fermatas")
            else getattr(self, name) == getattr(other, name)
            for name in self.__dataclass_fields__
        )

    __hash__ = None  # type: ignore[assignment]  # arrays are compared, not hashed


def onsets_where_pitch_changes(pitches: Pitches) -> Flags:
    """Return onsets, bool (T, 4), at each change of pitch: for pieces without known repeats."""
    before = np.vstack([np.full((1, pitches.shape[1]), REST, dtype=pitches.dtype), pitches[:-1]])
    onsets: Flags = (pitches != REST) & (pitches != before)
    return onsets


def spans(flags: Flags) -> list[tuple[int, int]]:
    """List the half-open ranges in which ``flags`` (bool (T,)) is True."""
    edges = np.flatnonzero(np.diff(flags, prepend=False, append=False))
    return [(start, stop) for start, stop in edges.reshape(-1, 2).tolist()]


def _filled(sentence: str, word: Lyric, /, **values: str) -> str:
    return sentence.format(voice=word.voice.title, verse=word.verse, step=word.step, **values)


def _unknown_key(key: str) -> str:
    return tr(
        "unknown key {key}: expected a tonic A to G with # or b and major or minor, as in "
        "'F# minor'",
        key=key,
    )


def _under_notes(lyrics: Iterable[Lyric], onsets: Flags) -> tuple[Lyric, ...]:
    """Return the words that stand under an onset, sorted."""
    begun = {(voice, step) for step, voice in np.argwhere(onsets).tolist()}
    found = sorted(word for word in lyrics if (word.voice, word.step) in begun)
    for one, other in pairwise(found):
        if (one.voice, one.verse, one.step) == (other.voice, other.verse, other.step):
            text = tr(
                "{voice}, verse {verse}, step {step}: two syllables, {one!r} and {other!r}: "
                "expected one"
            )
            raise DataError(_filled(text, one, one=one.text, other=other.text))
    return tuple(found)


def _check_shapes(pitches: Pitches, onsets: Flags, fermatas: Flags) -> None:
    steps = len(pitches)
    if pitches.shape != (steps, len(Voice)) or not 1 <= steps <= MAX_STEPS:
        raise DataError(
            f"pitches have shape {pitches.shape}: expected (steps, 4) with 1 to {MAX_STEPS} steps"
        )
    if onsets.shape != pitches.shape or fermatas.shape != (steps,):
        raise DataError(
            f"onsets have shape {onsets.shape} and fermatas {fermatas.shape}: "
            f"expected {pitches.shape} and ({steps},)"
        )


def _check_notes(pitches: Pitches, onsets: Flags) -> None:
    if pitches.min() < REST or pitches.max() > 127:  # noqa: PLR2004
        raise DataError(
            f"pitches run from {pitches.min()} to {pitches.max()}: expected MIDI numbers 0 to 127, "
            "or -1 for a rest"
        )
    if (onsets & (pitches == REST)).any():
        step, voice = np.argwhere(onsets & (pitches == REST))[0]
        raise DataError(f"step {step}, {Voice(voice).part}: a rest cannot be the onset of a note")
    missing = onsets_where_pitch_changes(pitches) & ~onsets
    if missing.any():
        step, voice = np.argwhere(missing)[0]
        raise DataError(f"step {step}, {Voice(voice).part}: the pitch changes without an onset")
