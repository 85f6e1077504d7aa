"""The chords of a major and a minor key, with what each costs.

A cost is small where a chord is common in four-part writing. The order of the diatonic chords is
that of S. Kostka and D. Payne, *Tonal Harmony*, chapter 7; seventh chords, borrowed and applied
chords are those of chapters 13 to 23. The numbers were set by hand on pieces of the corpus.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from musicrel.chorale import Mode
from musicrel.harmony.numeral import Quality

_QUALITIES: Final[Mapping[str, Quality]] = {
    "M": "major", "m": "minor", "d": "diminished", "a": "augmented",
    "7": "dominant", "m7": "minor-seventh", "M7": "major-seventh",
    "h7": "half-diminished", "d7": "diminished-seventh",
}  # fmt: skip
_DEGREES: Final = ("i", "ii", "iii", "iv", "v", "vi", "vii")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chord:
    """A chord of a key.

    Attributes:
        numeral: its Roman numeral, without figures.
        target: the numeral that an applied chord leads to, or "".
        root: its root in semitones above the tonic.
        quality: its kind.
        cost: the cost of each occurrence.
        cadential: True for the six-four chord that delays the dominant.
    """

    numeral: str
    root: int
    quality: Quality
    cost: float
    target: str = ""
    cadential: bool = False

    @property
    def degree(self) -> int:
        """Return the scale degree of the numeral, 1 to 7."""
        return degree(self.numeral)

    @property
    def applied_to(self) -> int:
        """Return the scale degree of the target, 0 without one."""
        return degree(self.target) if self.target else 0


def degree(numeral: str) -> int:
    """Return the scale degree of a numeral: 6 for bVI."""
    return _DEGREES.index(numeral.lstrip("b#").lower()) + 1


_MAJOR: Final = """
I 0 M 0      I 0 M7 1.3     ii 2 m .15    ii 2 m7 .2   iii 4 m .7    iii 4 m7 1.4
IV 5 M .1    IV 5 M7 .7     V 7 M 0       V 7 7 .05    vi 9 m .2     vi 9 m7 .7
vii 11 d .25 vii 11 h7 .5   vii 11 d7 1   iv 5 m 1.1   ii 2 d 1.3    ii 2 h7 1.2
bVI 8 M 1.6  bVII 10 M 1.2  bII 1 M 1.8   v 7 m 1.6    i 0 m 2
"""
_MINOR: Final = """
i 0 m 0      i 0 m7 1       ii 2 d .3     ii 2 h7 .25  III 3 M .4    III 3 M7 1.2
III 3 a .9   iv 5 m .1      iv 5 m7 .5    IV 5 M .6    IV 5 7 .8     V 7 M 0
V 7 7 .05    v 7 m .6       v 7 m7 1.1    VI 8 M .2    VI 8 M7 .7    VII 10 M .45
vii 11 d .25 vii 11 d7 .3   ii 2 m .9     ii 2 m7 1    vi 9 d 1.2    vi 9 h7 1.2
I 0 M .9     bII 1 M 1.4
"""
"""Rows of numeral, root, quality and cost; a chord of the other mode is borrowed."""
_APPLIED: Final[Mapping[Mode, str]] = {
    "major": """
ii 2 V .8    ii 2 V7 .7   ii 2 vii .9   ii 2 viid7 .9
iii 4 V 1.1  iii 4 V7 1   iii 4 vii 1.1 iii 4 viid7 1.1
IV 5 V7 .6   IV 5 vii 1   IV 5 viih7 1.1
V 7 V .6     V 7 V7 .6    V 7 vii .7    V 7 viih7 .9    V 7 viid7 1
vi 9 V .6    vi 9 V7 .6   vi 9 vii .9   vi 9 viid7 .9
""",
    "minor": """
III 3 V7 .5  III 3 viih7 1.2
iv 5 V .8    iv 5 V7 .7   iv 5 vii .9   iv 5 viid7 .9
V 7 V .8     V 7 V7 .8    V 7 vii .9    V 7 viid7 .9
VI 8 V7 .8   VI 8 vii 1   VII 10 V7 .8  VII 10 vii 1
""",
}
"""Rows of target, its root, chord in the key of the target, cost."""
_APPLIED_CHORDS: Final[Mapping[str, tuple[str, int, Quality]]] = {
    "V": ("V", 7, "major"), "V7": ("V", 7, "dominant"), "vii": ("vii", 11, "diminished"),
    "viih7": ("vii", 11, "half-diminished"), "viid7": ("vii", 11, "diminished-seventh"),
}  # fmt: skip


def _chords(mode: Mode) -> tuple[Chord, ...]:
    words = (_MAJOR if mode == "major" else _MINOR).split()
    plain = [
        Chord(numeral=numeral, root=int(root), quality=_QUALITIES[quality], cost=float(cost))
        for numeral, root, quality, cost in zip(*[iter(words)] * 4, strict=True)
    ]
    tonic = plain[0]
    six_four = Chord(numeral=tonic.numeral, root=0, quality=tonic.quality, cost=0, cadential=True)
    words = _APPLIED[mode].split()
    applied = [
        Chord(
            numeral=_APPLIED_CHORDS[chord][0],
            root=(int(root) + _APPLIED_CHORDS[chord][1]) % 12,
            quality=_APPLIED_CHORDS[chord][2],
            cost=float(cost),
            target=target,
        )
        for target, root, chord, cost in zip(*[iter(words)] * 4, strict=True)
    ]
    return (*plain, six_four, *applied)


CHORDS: Final[Mapping[Mode, tuple[Chord, ...]]] = {
    "major": _chords("major"),
    "minor": _chords("minor"),
}
