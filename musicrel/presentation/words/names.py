"""Names of pitches, keys, note lengths and positions for people."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from musicrel.analysis import keys
from musicrel.chorale import Chorale, Key, Meter
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
    bar, beat = _bar_and_beat(step, meter, pickup)
    text = tr("bar {bar}, beat {beat}") if bar > 0 else tr("pickup, beat {beat}")
    return text.format(bar=bar, beat=beat)


def passage(start: int, stop: int, meter: Meter, pickup: int) -> str:
    """Return a range of steps, as 'bar 3, beats 2 to 4' or 'bar 3, beat 2 to bar 5, beat 1½'."""
    begun = stop - written_unit(meter)  # the last beat, if it is whole
    is_whole = begun >= start and (begun - pickup) % written_unit(meter) == 0
    last = begun if is_whole else stop - 1
    (bar, first_beat), (end, last_beat) = (
        _bar_and_beat(step, meter, pickup) for step in (start, last)
    )
    first = position(start, meter, pickup)
    if (bar, first_beat) == (end, last_beat):
        return first
    if bar != end:
        return tr("{first} to {last}", first=first, last=position(last, meter, pickup))
    text = (
        tr("bar {bar}, beats {first} to {last}")
        if bar > 0
        else tr("pickup, beats {first} to {last}")
    )
    return text.format(bar=bar, first=first_beat, last=last_beat)


def _bar_and_beat(step: int, meter: Meter, pickup: int) -> tuple[int, str]:
    bar, within = divmod(step - pickup, meter.steps)
    unit = written_unit(meter)
    beat, rest = divmod(within, unit)
    return bar + 1, f"{beat + 1}{_QUARTERS_OF_A_BEAT[rest * 4 // unit]}"


def bar(piece: Chorale, step: int) -> str:
    """Return the bar of a step, as 'bar 3' or 'the pickup'."""
    number = piece.bar_number(step)
    return tr("bar {number}", number=number) if number > 0 else tr("the pickup")
