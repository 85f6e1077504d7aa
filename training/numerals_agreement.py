"""Agreement of our Roman numerals with expert analyses, and of music21's with them.

    python -m training.numerals_agreement

The experts' analyses are those in RomanText that music21 has of Riemenschneider's chorales 1 to 20
(A. Jones, D. Tymoczko and others); they are read from the installed package and never copied.

music21's analysis is that of the chordified piece at each quarter of the bar: the chord that begins
or is held there as ``roman.romanNumeralFromChord`` in the key of ``Stream.analyze("key")``, which
is one for the whole piece and knows no ornamental notes. Each quarter, and of our own analysis each
eighth, counts once. *Root* is its pitch class; *degree* is the numeral and what it is applied to,
in the same key; *inversion* is degree and inversion.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from music21 import chord, common, converter, roman
from music21 import key as m21_key

from musicrel.analysis.corpus import bundled
from musicrel.analysis.numeral_search import numerals
from musicrel.chorale import STEPS_PER_QUARTER, Chorale
from musicrel.score.musicxml import musicxml_writer
from training import reports

_BWV: Final = re.compile(r"^BWV: *(\S+)", re.MULTILINE)
_MEASURE: Final = re.compile(r"^m(\d+)\s+(.*)$", re.MULTILINE)
_NAMES: Final = {"248(2).12": "248.12-2"}
_KEY: Final = re.compile(r"[A-Ga-g][#b]*:")


class Reading(NamedTuple):
    root: int
    key: int
    minor: bool
    degree: int
    applied_to: int
    inversion: int


@dataclass(slots=True)
class Tally:
    """Agreements by question, and the places asked."""

    agreed: Counter[str] = field(default_factory=Counter)
    places: int = 0

    def add(self, answers: Mapping[str, bool]) -> None:
        self.places += 1
        self.agreed.update(name for name, same in answers.items() if same)

    def __str__(self) -> str:
        places = max(self.places, 1)
        shares = (f"{name} {100 * self.agreed[name] / places:.1f}" for name in sorted(self.agreed))
        return f"{', '.join(shares)} ({self.places} places)"


def expert_files() -> dict[str, Path]:
    """Return the expert analyses by BWV number, in Riemenschneider's order."""
    folder = Path(common.getSourceFilePath()) / "corpus" / "bach" / "choraleAnalyses"
    found = {}
    for path in sorted(folder.glob("riemenschneider*.rntxt")):
        number = _BWV.search(path.read_text(encoding="utf-8"))
        if number is not None:
            found[_NAMES.get(number[1], number[1])] = path
    return found


def expert_readings(path: Path, piece: Chorale) -> dict[int, Reading]:
    """Return the expert's reading of each step from the first numeral on; variants are left out.

    It is empty if the analysis has another number of bars, as where the piece repeats some.
    """
    changes: dict[int, Reading] = {}
    local, number = m21_key.Key("C"), "0"
    unit = 4 * STEPS_PER_QUARTER // piece.meter.denominator
    for number, words in _MEASURE.findall(path.read_text(encoding="utf-8")):
        bar = piece.pickup + (int(number) - 1) * piece.meter.steps
        step = bar
        for word in words.split():
            if re.fullmatch(r"b[\d.]+", word):
                step = bar + round((float(word[1:]) - 1) * unit)
            elif _KEY.fullmatch(word):
                local = m21_key.Key(word[0] + word[1:-1].replace("b", "-"))
            elif set(word) - set("|:"):
                changes[step] = _reading(roman.RomanNumeral(_figure(word), local), local)
    bars = (piece.steps - piece.pickup - 1) // piece.meter.steps + 1
    return _spread(changes, piece.steps) if int(number) == bars else {}


def _figure(word: str) -> str:
    return "I64" if word.startswith("Cad") else word


def _reading(numeral: Any, local: Any) -> Reading:
    secondary = numeral.secondaryRomanNumeral
    return Reading(
        root=numeral.root().pitchClass,
        key=local.tonic.pitchClass,
        minor=local.mode == "minor",
        degree=numeral.scaleDegree,
        applied_to=secondary.scaleDegree if secondary is not None else 0,
        inversion=numeral.inversion(),
    )


def _apart(ours: dict[int, Reading], theirs: dict[int, Reading]) -> int:
    """Return how much higher our edition is; it is not the same for a few pieces."""
    found = Counter((ours[s].root - theirs[s].root) % 12 for s in ours.keys() & theirs.keys())
    return found.most_common(1)[0][0] if found else 0


def _transposed(reading: Reading, semitones: int) -> Reading:
    root, key = (reading.root + semitones) % 12, (reading.key + semitones) % 12
    return reading._replace(root=root, key=key)


def our_readings(piece: Chorale) -> dict[int, Reading]:
    return {
        step: Reading(
            root=found.root,
            key=found.key.pitch_class,
            minor=found.key.mode == "minor",
            degree=found.degree,
            applied_to=found.applied_to,
            inversion=found.inversion,
        )
        for found in numerals(piece)
        for step in range(found.start, found.stop)
    }


def _spread(changes: dict[int, Reading], steps: int) -> dict[int, Reading]:
    starts = sorted(changes)
    return {
        step: changes[start]
        for start, stop in zip(starts, [*starts[1:], steps], strict=True)
        for step in range(start, stop)
    }


def compare(tally: Tally, piece: Chorale, path: Path) -> None:
    """Compare our analysis of a piece with the expert's, at each eighth."""
    ours, theirs = our_readings(piece), expert_readings(path, piece)
    semitones = _apart(ours, theirs)
    steps = range(piece.pickup % 2, piece.steps, 2)
    for step in (step for step in steps if step in ours and step in theirs):
        one, other = ours[step], _transposed(theirs[step], semitones)
        root = one.root == other.root
        key = (one.key, one.minor) == (other.key, other.minor)
        degree = key and (one.degree, one.applied_to) == (other.degree, other.applied_to)
        both = root and one.inversion == other.inversion
        tally.add({
            "root": root, "root+inversion": both, "key": key, "degree": degree,
            "inversion": degree and one.inversion == other.inversion,
        })  # fmt: skip


def compare_music21(tally: Tally, piece: Chorale, path: Path) -> None:
    """Compare the roots of music21's analysis, and ours, with the expert's, at each quarter."""
    theirs, expert, ours = (
        music21_numerals(piece),
        expert_readings(path, piece),
        our_readings(piece),
    )
    semitones = _apart(ours, expert)
    for step in sorted(theirs.keys() & expert.keys() & ours.keys()):
        other, found = _transposed(expert[step], semitones), theirs[step]
        root, ours_too = found.root().pitchClass == other.root, ours[step].root == other.root
        tally.add({
            "root": root,
            "root+inversion": root and found.inversion() == other.inversion,
            "our root": ours_too,
            "our root+inversion": ours_too and ours[step].inversion == other.inversion,
        })  # fmt: skip


def music21_numerals(piece: Chorale) -> dict[int, Any]:
    score: Any = converter.parse(musicxml_writer.to_xml(piece), format="musicxml")
    whole, found = score.analyze("key"), {}
    for sounding in score.chordify().flatten().notes:
        first = round(float(sounding.offset) * STEPS_PER_QUARTER)
        last = first + round(float(sounding.quarterLength) * STEPS_PER_QUARTER)
        for step in range(first, last):
            if (step - piece.pickup) % STEPS_PER_QUARTER == 0:
                found[step] = roman.romanNumeralFromChord(_plain(sounding), whole)
    return found


def _plain(sounding: Any) -> Any:
    return chord.Chord(sorted({pitch.nameWithOctave for pitch in sounding.pitches}))


@reports.script
def main(words: Sequence[str]) -> None:
    reports.parser("numerals_agreement", __doc__).parse_args(words)
    every = {
        piece.title.split()[1]: piece for pieces in bundled.load_all().values() for piece in pieces
    }
    files = {name: path for name, path in expert_files().items() if name in every}
    fitting = {name: path for name, path in files.items() if expert_readings(path, every[name])}
    for kind, add in {"experts": compare, "music21 and experts": compare_music21}.items():
        tally = Tally()
        for name, path in fitting.items():
            add(tally, every[name], path)
        print(f"{kind}, {len(fitting)} pieces: {tally}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
