"""Names of chords, phrases and verses at their places, as markers for the time line of a DAW."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from musicrel.analysis import cadences
from musicrel.analysis.numeral import INTERVALS, Numeral, Quality
from musicrel.chorale import Chorale, Key
from musicrel.score.notation import spelling
from musicrel.score.verses.harmonies import harmonies
from musicrel.score.verses.setting import lines_under

_KINDS: Final[Mapping[Quality, str]] = {
    "major": "", "minor": "m", "diminished": "dim", "augmented": "aug", "dominant": "7",
    "minor-seventh": "m7", "major-seventh": "maj7", "half-diminished": "m7b5",
    "diminished-seventh": "dim7",
}  # fmt: skip
_ALTERATIONS: Final = {-1: "b", 0: "", 1: "#"}
_PHRASE: Final = "Phrase {number}"
_VERSE: Final = "Verse {verses}"
_VERSES: Final = "Verses {verses}"


def chord_name(numeral: Numeral) -> str:
    """Return the name of a chord over its bass, as in 'F#m7/A'; plain letters, for any program."""
    bass = numeral.root + INTERVALS[numeral.quality][numeral.inversion]
    over = f"/{_letter(bass, numeral.key)}" if numeral.inversion else ""
    return f"{_letter(numeral.root, numeral.key)}{_KINDS[numeral.quality]}{over}"


def markers(chorale: Chorale, numerals: Sequence[Numeral] = ()) -> tuple[tuple[int, str], ...]:
    """Return steps and texts, one at a step: 'Phrase 2: G' where a phrase begins with its chord.

    Phrases end at fermatas, or else with the lines of the words. They are counted from the
    beginning of each harmony, which names its verses, as in 'Verse 3: Phrase 1'.
    """
    found = {numeral.start: chord_name(numeral) for numeral in numerals}
    several = len(chorale.verses) > 1
    for one in harmonies(chorale):
        part = chorale.cropped(one.start, one.stop)
        for number, place in enumerate(_phrase_starts(part), start=1):
            start = one.start + place
            sounding = [
                chord_name(chord) for chord in numerals if chord.start <= start < chord.stop
            ]
            found[start] = ": ".join((_PHRASE.format(number=number), *sounding))
        if several:
            form = _VERSES if len(one.verses) > 1 else _VERSE
            verse = form.format(verses=", ".join(map(str, one.verses)))
            found[one.start] = ": ".join(filter(None, (verse, found.get(one.start))))
    return tuple(sorted(found.items()))


def _phrase_starts(piece: Chorale) -> list[int]:
    if piece.fermatas.any():
        return [0, *(end.stop for end in cadences.phrase_ends(piece)[:-1])]
    lines = next(iter(lines_under(piece).values()), [])
    return [0, *(line[0].step for line in lines[1:])] if lines else []


def _letter(pitch_class: int, key: Key) -> str:
    spelled = spelling.spell(pitch_class % 12, key)
    return f"{spelled.step}{_ALTERATIONS[spelled.alter]}"
