"""Names of pitches, keys, note lengths and positions for people."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from musicrel.analysis import keys
from musicrel.chorale import Key, Meter
from musicrel.language import tr
from musicrel.meter_beats import written_unit
from musicrel.score.notation import spelling
from musicrel.score.notation.spelling import LETTERS

SHARPS: Final = tr("C C♯ D D♯ E F F♯ G G♯ A A♯ B").split()
FLATS: Final = tr("C D♭ D E♭ E F G♭ G A♭ A B♭ B").split()
# all spellings of pitches, each a fifth above the one before
_BY_FIFTHS: Final = tr(
    "F♭♭ C♭♭ G♭♭ D♭♭ A♭♭ E♭♭ B♭♭ F♭ C♭ G♭ D♭ A♭ E♭ B♭ F C G D A E B "
    "F♯ C♯ G♯ D♯ A♯ E♯ B♯ F♯♯ C♯♯ G♯♯ D♯♯ A♯♯ E♯♯ B♯♯"
).split()
_LENGTHS: Final[Mapping[int, str]] = {
    1: tr("sixteenth"), 2: tr("eighth"), 3: tr("dotted eighth"), 4: tr("quarter"),
    6: tr("dotted quarter"), 7: tr("double-dotted quarter"), 8: tr("half"), 12: tr("dotted half"),
    16: tr("whole"), 24: tr("dotted whole"),
}  # fmt: skip
# splits of a data set, and their names for people
SPLITS: Final[Mapping[str, str]] = {
    "train": tr("training"), "valid": tr("validation"), "test": tr("test"),
}  # fmt: skip
_FLAT: Final = re.compile(r"(?<=[A-G])b\b")
_LOCAL_KEY: Final = re.compile("^[A-Ga-g][b#]?(?=:)")  # a small letter for a minor key
_QUARTERS_OF_A_BEAT: Final = ("", "¼", "½", "¾")


def pitch(midi: int, key: Key | None = None) -> str:
    """Return the name of a MIDI pitch, as 'F♯4' (60 = C4), spelled as in a given key."""
    if key is None:
        return f"{SHARPS[midi % 12]}{midi // 12 - 1}"
    spelled = spelling.spell(midi, key)
    fifths = _BY_FIFTHS.index("C") + LETTERS.index(spelled.step) - LETTERS.index("C")
    return f"{_BY_FIFTHS[fifths + len(LETTERS) * spelled.alter]}{spelled.octave}"


def tonic(of: Key) -> str:
    """Return the name of the tonic of a key, as 'F♯'."""
    return _with_signs(keys.tonic(of))


def key(named: Key) -> str:
    """Return the name of a key, as 'F♯ minor'."""
    return _with_signs(keys.name(named))


def numeral(text: str) -> str:
    """Return a Roman numeral with its key named in the language: 'h: V' for 'b: V' in German."""
    return _LOCAL_KEY.sub(_named_key, text)


def _named_key(found: re.Match[str]) -> str:
    is_minor, name = found[0].islower(), found[0].capitalize()
    named = tonic(Key(name, "minor" if is_minor else "major"))
    return named.lower() if is_minor else named


def _with_signs(name: str) -> str:
    return _FLAT.sub("♭", name.replace("#", "♯"))


def length(steps: int) -> str:
    """Return the name of a length in sixteenths, as 'dotted quarter' or '10 sixteenths'."""
    return _LENGTHS.get(steps) or tr("{steps} sixteenths", steps=steps)


def position(step: int, meter: Meter, pickup: int) -> str:
    """Return the position of a step, as 'bar 3, beat 2½'; steps before bar 1 are in the pickup."""
    bar, within = divmod(step - pickup, meter.steps)
    unit = written_unit(meter)
    beat, rest = divmod(within, unit)
    text = tr("bar {bar}, beat {beat}") if bar >= 0 else tr("pickup, beat {beat}")
    return text.format(bar=bar + 1, beat=f"{beat + 1}{_QUARTERS_OF_A_BEAT[rest * 4 // unit]}")
