"""Agreement of our Roman numerals with music21 and with expert analyses.

    python -m training.numerals_agreement [--first-of-train N] [--list]

The experts' analyses are those in RomanText that music21 has of Riemenschneider's chorales 1 to 20
(A. Jones, D. Tymoczko and others); they are read from the installed package and never copied. One
of them, BWV 41.6, is not in the bundled corpus; BWV 102.7 takes its place where music21 is
compared. ``--first-of-train`` compares with music21 on other pieces: those that the costs were
set with.

music21's analysis is that of the chordified piece at each quarter of the bar: the chord that begins
or is held there as ``roman.romanNumeralFromChord`` in the key of ``Stream.analyze("key")``, which
is one for the whole piece and knows no ornamental notes. Each quarter, and with the experts each
eighth, counts once. *Root* is its pitch class; *degree* with music21 is the scale degree in
music21's key, with the experts the numeral and what it is applied to, in the same key; *inversion*
is degree and inversion.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from music21 import chord, common, converter, roman
from music21 import key as m21_key

from musicrel.chorale import STEPS_PER_QUARTER, Chorale
from musicrel.corpus import bundled
from musicrel.corpus.splits import SPLITS
from musicrel.harmony.analysis import numerals
from musicrel.harmony.numeral import INTERVALS, Numeral
from musicrel.score.musicxml import musicxml_writer

INSTEAD: Final = "102.7"
_BWV: Final = re.compile(r"^BWV: *(\S+)", re.MULTILINE)
_MEASURE: Final = re.compile(r"^m(\d+)\s+(.*)$", re.MULTILINE)
_NAMES: Final = {"248(2).12": "248.12-2"}
_KEY: Final = re.compile(r"[A-Ga-g][#b]*:")


class Reading(NamedTuple):
    """An analysis of one step."""

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

    def add(self, answers: dict[str, bool]) -> None:
        """Count one place."""
        self.places += 1
        self.agreed.update(name for name, same in answers.items() if same)

    def add_all(self, other: Tally) -> None:
        """Count the places of another tally."""
        self.places += other.places
        self.agreed.update(other.agreed)

    def __str__(self) -> str:
        """Return the shares in percent."""
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
    """Return our reading of each step."""
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


def with_expert(piece: Chorale, path: Path) -> Tally:
    """Compare our analysis of a piece with the expert's, at each eighth."""
    ours, theirs, tally = our_readings(piece), expert_readings(path, piece), Tally()
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
    return tally


def with_music21(piece: Chorale) -> Tally:
    """Compare our analysis of a piece with music21's, at each quarter."""
    whole, theirs = music21_numerals(piece)
    ours = {step: n for n in numerals(piece) for step in range(n.start, n.stop)}
    tally = Tally()
    for step in sorted(theirs.keys() & ours.keys()):
        tally.add(_answers(theirs[step], ours[step], whole))
    return tally


def music21_with_expert(piece: Chorale, path: Path) -> Tally:
    """Compare the roots of music21's analysis with the expert's, at each quarter."""
    _, theirs = music21_numerals(piece)
    expert, ours, tally = expert_readings(path, piece), our_readings(piece), Tally()
    semitones = _apart(ours, expert)
    for step in sorted(theirs.keys() & expert.keys() & ours.keys()):
        other, found = _transposed(expert[step], semitones), theirs[step]
        root = found.root().pitchClass == other.root
        both = root and found.inversion() == other.inversion
        tally.add({
            "root": root,
            "root+inversion": both,
            "our root": ours[step].root == other.root,
            "our root+inversion": (ours[step].root, ours[step].inversion)
            == (other.root, other.inversion),
        })  # fmt: skip
    return tally


def music21_numerals(piece: Chorale) -> tuple[Any, dict[int, Any]]:
    """Return the key of the piece and the numeral of each quarter after music21."""
    score: Any = converter.parse(musicxml_writer.to_xml(piece), format="musicxml")
    whole, found = score.analyze("key"), {}
    for sounding in score.chordify().flatten().notes:
        first = round(float(sounding.offset) * STEPS_PER_QUARTER)
        last = first + round(float(sounding.quarterLength) * STEPS_PER_QUARTER)
        for step in range(first, last):
            if (step - piece.pickup) % STEPS_PER_QUARTER == 0:
                found[step] = roman.romanNumeralFromChord(_plain(sounding), whole)
    return whole, found


def _plain(sounding: Any) -> Any:
    return chord.Chord(sorted({pitch.nameWithOctave for pitch in sounding.pitches}))


def _answers(theirs: Any, ours: Numeral, whole: Any) -> dict[str, bool]:
    tones = [60 + ours.root + interval for interval in INTERVALS[ours.quality]]
    pitches = [*(tone + 12 for tone in tones[: ours.inversion]), *tones[ours.inversion :]]
    in_key = roman.romanNumeralFromChord(chord.Chord(sorted(pitches)), whole)
    root = theirs.root().pitchClass == ours.root
    degree = root and in_key.scaleDegree == theirs.scaleDegree
    return {
        "root": root,
        "degree": degree,
        "root+inversion": root and theirs.inversion() == ours.inversion,
        "inversion": degree and theirs.inversion() == ours.inversion,
        "degree in our own key": theirs.scaleDegree == ours.degree and not ours.applied_to,
    }


def _pieces() -> dict[str, Chorale]:
    """Return the bundled pieces by BWV number."""
    return {
        piece.title.split()[1]: piece for split in SPLITS for piece in bundled.load(split)
    }  # fmt: skip


def _compared(names: Sequence[str], kind: str, tallies: Iterator[Tally], *, listed: bool) -> None:
    total = Tally()
    for name, tally in zip(names, tallies, strict=True):
        total.add_all(tally)
        if listed:
            print(f"BWV {name}: {tally}", flush=True)
    print(f"{kind}, {len(names)} pieces: {total}", flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the agreement."""
    parser = argparse.ArgumentParser(prog="training.numerals_agreement")
    parser.add_argument("--first-of-train", type=int, default=0, metavar="N")
    parser.add_argument("--list", action="store_true", help="one line for each piece, too")
    given = parser.parse_args(arguments)
    pieces, files = _pieces(), expert_files()
    expert = [name for name in files if name in pieces]
    fitting = [name for name in expert if expert_readings(files[name], pieces[name])]
    if given.first_of_train:
        titles = (piece.title.split()[1] for piece in bundled.load("train"))
        others = [name for name in titles if name not in expert][: given.first_of_train]
        tallies = (with_music21(pieces[name]) for name in others)
        _compared(others, "music21", tallies, listed=given.list)
        return 0
    tallies = (with_expert(pieces[name], files[name]) for name in fitting)
    _compared(fitting, "experts", tallies, listed=given.list)
    tallies = (music21_with_expert(pieces[name], files[name]) for name in fitting)
    _compared(fitting, "music21 and experts", tallies, listed=given.list)
    twenty = [*expert, INSTEAD]
    _compared(twenty, "music21", (with_music21(pieces[name]) for name in twenty), listed=given.list)
    return 0


if __name__ == "__main__":
    sys.exit(main())
