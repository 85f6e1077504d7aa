"""Names of chords and phrases at their places, as markers for the time line of a DAW."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from musicrel.analysis import cadences
from musicrel.analysis.numeral import INTERVALS, Numeral, Quality
from musicrel.chorale import Chorale, Key
from musicrel.score.notation import spelling

_KINDS: Final[Mapping[Quality, str]] = {
    "major": "", "minor": "m", "diminished": "dim", "augmented": "aug", "dominant": "7",
    "minor-seventh": "m7", "major-seventh": "maj7", "half-diminished": "m7b5",
    "diminished-seventh": "dim7",
}  # fmt: skip
_ALTERATIONS: Final = {-1: "b", 0: "", 1: "#"}
_PHRASE: Final = "Phrase {number}"


def chord_name(numeral: Numeral) -> str:
    """Return the name of a chord over its bass, as in 'F#m7/A'; plain letters, for any program."""
    bass = numeral.root + INTERVALS[numeral.quality][numeral.inversion]
    over = f"/{_letter(bass, numeral.key)}" if numeral.inversion else ""
    return f"{_letter(numeral.root, numeral.key)}{_KINDS[numeral.quality]}{over}"


def markers(chorale: Chorale, numerals: Sequence[Numeral]) -> tuple[tuple[int, str], ...]:
    """Return steps and texts, one at a step: 'Phrase 2: G' where a phrase begins with its chord."""
    ends = cadences.phrase_ends(chorale) if chorale.fermatas.any() else ()
    starts = [0, *(end.stop for end in ends[:-1])] if ends else []
    found = {numeral.start: chord_name(numeral) for numeral in numerals}
    for number, start in enumerate(starts, start=1):
        sounding = [chord_name(one) for one in numerals if one.start <= start < one.stop]
        found[start] = ": ".join((_PHRASE.format(number=number), *sounding))
    return tuple(sorted(found.items()))


def _letter(pitch_class: int, key: Key) -> str:
    spelled = spelling.spell(pitch_class % 12, key)
    return f"{spelled.step}{_ALTERATIONS[spelled.alter]}"
