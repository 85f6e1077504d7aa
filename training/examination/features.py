"""The features by set: G guides decisions, R only reports. No measure is in both.

Each row of ``FAMILIES`` has one measure and its variants by set. A measure of lines is taken of two
voices in one set and of the other two in the other, in turn: each set covers all voices, and
neither is blind to a weakness. Zigzag lines, for instance, show in G as the second step of soprano
and tenor and as double turns of alto and bass, in R the other way round. Chord kinds, inversions,
root motions, pairs of voices, rules and beats of the bar are split likewise.
The n-grams of G are those of single voices, the n-grams of R those of chords and of pairs.

Disjoint is not independent. So a feature is not in R if its correlation with one of G is 0.9 or
more, of either sign, in the crops of Bach's training pieces, or in those of training and
validation: long notes of soprano and tenor, the mean interval of the tenor, rests and lengths under
fermatas of the bass, fermatas on the third beat, repeated bars. ``test_examination_features``
computes it again. Of the 91 features that are left, 7 correlate with one of the 94 of G by 0.8 or
more: a model chosen by G has lower areas in R, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, get_args

from training.examination import counterpoint, form, harmony, lines, rhythm
from training.examination.reading import Reading

FeatureSet = Literal["G", "R"]
SETS: Final[tuple[FeatureSet, ...]] = get_args(FeatureSet)
FIRST_SEED: Final[Mapping[FeatureSet, int]] = MappingProxyType({"G": 600_000, "R": 700_000})
"""The first seed of generated pieces, of folds and of draws, by set."""

Metric = Callable[[Reading], float]


class Family(NamedTuple):
    """A measure, its title, and its variants in each set."""

    title: str
    measure: Callable[[Reading, str], float]
    guiding: tuple[str, ...] = ()
    reporting: tuple[str, ...] = ()

    def variants(self, which: FeatureSet) -> tuple[str, ...]:
        return self.guiding if which == "G" else self.reporting


FAMILIES: Final = (
    Family("second step goes on", lines.step_goes_on, ("S", "T"), ("A", "B")),
    Family("turns twice", lines.zigzag, ("A", "B"), ("S", "T")),
    Family("three in one direction", lines.runs, ("A", "B"), ("S", "T")),
    Family("longest run", lines.longest_run, ("S", "T"), ("A", "B")),
    Family("comes back", lines.neighbours, ("S", "B"), ("A", "T")),
    Family("thirds", lines.thirds, ("S", "B"), ("A", "T")),
    Family("leaps", lines.leaps, ("A", "T"), ("S", "B")),
    Family("semitones", lines.semitones, ("A", "B"), ("S", "T")),
    Family("leap turns", lines.leap_turns, ("AT",), ("SB",)),
    Family("mean interval", lines.interval, ("S", "B"), ("A",)),
    Family("compass", lines.compass, ("A", "B"), ("S", "T")),
    Family("height", lines.height, ("S", "A"), ("T", "B")),
    Family("place of the peak", lines.peak, ("S",), ("B",)),
    Family("arch", form.arch, ("B",), ("S",)),
    Family("eighths", rhythm.eighths, ("S", "T"), ("A", "B")),
    Family("sixteenths", rhythm.sixteenths, ("AB",), ("ST",)),
    Family("halves and longer", rhythm.long_notes, ("A", "B")),
    Family("dotted", rhythm.dotted, ("SA",), ("TB",)),
    Family("struck again off the beat", rhythm.struck_off_beat, ("SB",), ("AT",)),
    Family("struck again on a beat", rhythm.struck_on_beat, ("S", "T"), ("A", "B")),
    Family("held over a beat", rhythm.held_over, ("A", "B"), ("S", "T")),
    Family("entropy of lengths", rhythm.entropy, ("S", "B"), ("A", "T")),
    Family("moves inside beat", rhythm.moving, ("1", "3"), ("2", "4")),
    Family("voices struck on beat", rhythm.struck, ("2", "4"), ("1", "3")),
    Family("voices together off the beat", rhythm.together, ("2",), ("1", "3")),
    Family("two beats move", rhythm.motion, ("both",), ("neither",)),
    Family("rests", rhythm.rests, ("SAT",)),
    Family("chord", harmony.chord, ("major", "diminished", "dominant", "other"),
           ("minor", "minor-seventh", "major-seventh", "half-diminished")),
    Family("lowest tone", harmony.lowest, ("root", "fifth"), ("third", "seventh")),
    Family("root goes up by", harmony.root_motion, ("5", "2", "3"), ("7", "10", "8", "9")),
    Family("same on two beats", harmony.same, ("chord",), ("bass",)),
    Family("held into the bar", harmony.held_into_bar, ("bass",), ("chord",)),
    Family("doubled", harmony.doubled, ("third",), ("root", "fifth")),
    Family("absent from triads", harmony.absent, ("fifth",)),
    Family("dissonant", harmony.dissonant, ("off",), ("bars",)),
    Family("suspensions", harmony.suspensions, ("S", "T"), ("A",)),
    Family("resolved", harmony.resolved, ("leading tones",), ("sevenths",)),
    Family("variety", harmony.variety, ("chords",), ("bass",)),
    Family("bass degree", harmony.bass_degree, ("0", "5"), ("7", "2", "4")),
    Family("outside the key", harmony.outside, ("S", "T"), ("A", "B")),
    Family("key", harmony.key_fit, ("best",), ("next",)),
    Family("motion", counterpoint.motion, ("SB contrary", "AT similar", "TB oblique"),
           ("SB similar", "AT contrary", "SA oblique")),
    Family("parallel thirds and sixths", counterpoint.thirds, ("SA", "TB"), ("SB", "AT")),
    Family("distance", counterpoint.distance, ("AT",), ("SA", "TB")),
    Family("rule", counterpoint.rule, ("parallel_fifths", "hidden_octaves", "crossing", "spacing"),
           ("parallel_octaves", "hidden_fifths", "overlap", "awkward_leap")),
    Family("voices that move", counterpoint.movers, ("2", "4"), ("1", "3")),
    Family("voices in one direction", counterpoint.same_way, ("3",), ("4",)),
    Family("unisons", counterpoint.inner_unisons, ("AT",), ("TB",)),
    Family("recurring motifs", form.motifs, ("S", "T"), ("A", "B")),
    Family("recurring rhythms", form.rhythms, ("A", "B"), ("S", "T")),
    Family("imitation", form.imitation, ("SAT",), ("B",)),
    Family("phrase ends", form.closes, ("authentic",), ("half", "")),
    Family("length of phrases", form.phrase_length, ("beats",)),
    Family("fermata on beat", form.fermata_beat, ("1",)),
    Family("length under fermatas", form.fermata_length, ("S",)),
    Family("degree under fermatas", form.fermata_degree, ("B 0", "S 2"), ("S 0", "B 7")),
    Family("end", form.end, ("authentic",), ("tonic",)),
)  # fmt: skip
"""Every measure with its variants in G and in R."""


def metrics(which: FeatureSet) -> dict[str, Metric]:
    """Return the metrics of a set by name, such as "eighths, S"."""
    return {
        f"{family.title}, {variant or 'none'}": partial(_measured, family, variant)
        for family in FAMILIES
        for variant in family.variants(which)
    }


def _measured(family: Family, variant: str, reading: Reading) -> float:
    return family.measure(reading, variant)
