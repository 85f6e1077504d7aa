"""The grade: the distance of a chorale from Bach's on eight distributions; lower is better.

Adapted from the grade of Fang et al. 2020, "Bach or Mock?" (arXiv 2006.13329), to music on the
sixteenth grid: the plain sum of the Wasserstein distances (``wasserstein``) of eight distributions
(``distributions``) from those of a reference. The last one, parallels, is multiplied by the ratio
of parallels per note of the piece to that of the reference. Against the training split of JSB16 the
medians are 4.12 for its test split, 5.33 for the 500 JS Fake Chorales, and 6.89, 9.68, 16.33 for
the test split with 5, 10, 20 % of its notes moved by a semitone or two. Short pieces grade worse:
compare at equal length. ``grade_reference`` holds the shipped reference.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from musicrel.analysis import distributions, wasserstein
from musicrel.analysis.distributions import BY_MODE, FEATURES, Distributions
from musicrel.analysis.wasserstein import SymbolCounts
from musicrel.chorale import Chorale, Mode
from musicrel.errors import DataError

BOTH_MODES: Final = "both"
"""The key of distributions in which major and minor are counted together."""

_MODES: Final[tuple[Mode, ...]] = ("major", "minor")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """Reference music, as pooled counts.

    Attributes:
        title: its name, as it is printed.
        pieces: number of pieces counted.
        notes: their notes, repeats merged.
        counts: for each feature, by mode ("major", "minor", or "both" for features that pool the
            modes), the count of each symbol.

    Raises:
        DataError: a distribution is empty: too little music.
    """

    title: str
    pieces: int
    notes: int
    counts: Mapping[str, Mapping[str, SymbolCounts]]

    def __post_init__(self) -> None:
        for feature in FEATURES:
            for mode in _MODES if feature in BY_MODE else (BOTH_MODES,):
                if not self.counts.get(feature, {}).get(mode):
                    raise DataError(
                        f"{self.title}, with {self.pieces} pieces, has no {feature} in "
                        f"{mode.replace(BOTH_MODES, 'major or minor')} to compare with: expected "
                        "a training split of some hundred chorales"
                    )

    @classmethod
    def of(cls, chorales: Iterable[Chorale], title: str) -> Reference:
        """Pool ``chorales`` into a reference.

        Raises:
            DataError: they are too few, or one has no note.
        """
        counts: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
        pieces = [distributions.of(chorale) for chorale in chorales]
        for piece in pieces:
            for feature in FEATURES:
                counts[feature][_mode(piece, feature)].update(piece.counts[feature])
        notes = sum(piece.notes for piece in pieces)
        return cls(title=title, pieces=len(pieces), notes=notes, counts=counts)

    def parallels_per_note(self) -> float:
        """Return parallel fifths, octaves and unisons per note."""
        return sum(self.counts["parallels"][BOTH_MODES].values()) / self.notes


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """The distance of a piece from the reference.

    Attributes:
        features: the distance by feature, in the order of ``FEATURES``.
    """

    features: Mapping[str, float]

    @property
    def total(self) -> float:
        """Return the grade: the sum of the features."""
        return sum(self.features.values())


def grade(chorale: Chorale, reference: Reference) -> Grade:
    """Grade one piece.

    Args:
        chorale: any piece with a note.
        reference: the music it is compared with.

    Raises:
        DataError: the piece has no note.
    """
    piece = distributions.of(chorale)
    features = {feature: _distance(piece, feature, reference) for feature in FEATURES}
    per_note = sum(piece.counts["parallels"].values()) / piece.notes
    features["parallels"] *= per_note / reference.parallels_per_note()
    return Grade(features=features)


def _distance(piece: Distributions, feature: str, reference: Reference) -> float:
    counts = piece.counts[feature]
    expected = reference.counts[feature][_mode(piece, feature)]
    return wasserstein.distance(counts, expected) if counts else 0.0


def _mode(piece: Distributions, feature: str) -> str:
    return piece.mode if feature in BY_MODE else BOTH_MODES
