"""Beginnings, form and length of pieces, beside Bach's: shares with 95 % intervals.

    python -m training.beginnings [--models NAME[:QUALITY] ...] [--pieces 100] [--split valid]
                                  [--folder FOLDER] [--store]

New pieces are written with all defaults, seeds 0, 1, 2 ...; Bach's are those of a split of the
bundled corpus and, for what is repeated, of JSB16, whose repeats are written out. All rows come
from the same code. The key is that of the piece, or of its notes where it has none. Intervals are
by bootstrap over pieces. Pieces are kept in ``--folder``, as those of ``training.quality`` are.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import numpy as np

import musicrel
from musicrel import paths
from musicrel.analysis import keys
from musicrel.analysis.corpus import bundled, jsb
from musicrel.analysis.corpus.splits import SPLITS
from musicrel.chorale import REST, Chorale, Key, Mode, Voice, spans
from training import quality, reports
from training.examination import targets
from training.examination.estimate import draws, estimate
from training.examination.material import stollen
from training.examination.reading import Reading

_TRIADS: Final[Mapping[Mode, set[int]]] = {"major": {0, 4, 7}, "minor": {0, 3, 7}}
_DOMINANT: Final = {7, 11, 2, 5}
_LEADING_TONE: Final = 11


def key_of(piece: Chorale) -> Key:
    return piece.key or keys.estimate(piece.pitches)


def _first_chord(piece: Chorale) -> set[int]:
    """Return the first chord, in semitones above the tonic."""
    first = piece.pitches[0]
    return {(int(pitch) - key_of(piece).pitch_class) % 12 for pitch in first if pitch != REST}


def opens_on_tonic(piece: Chorale) -> bool:
    return _first_chord(piece) <= _TRIADS[key_of(piece).mode]


def opens_on_dominant(piece: Chorale) -> bool:
    chord = _first_chord(piece)
    return _LEADING_TONE in chord and chord <= _DOMINANT


def phrases(piece: Chorale) -> int:
    """Return the number of phrases, a repeat of the first passage counted once."""
    length = stollen(piece)
    return sum(not length < stop <= 2 * length for _, stop in spans(piece.fermatas))


def begins_in_key(piece: Chorale) -> bool:
    """Return whether the notes of the first phrase are in the key of the piece."""
    stop = spans(piece.fermatas)[0][1]
    return keys.estimate(piece.pitches[:stop]) == key_of(piece)


def is_exact(piece: Chorale) -> bool:
    length = stollen(piece)
    both = piece.pitches[: 2 * length].reshape(2, length, len(Voice))
    return length > 0 and bool((both[0] == both[1]).all())


def six_fours(piece: Chorale) -> float:
    found = targets.six_fours(Reading(piece=piece))
    return found.total / max(found.number, 1)


MEASURES: Final[Mapping[str, tuple[str, Callable[[Chorale], float]]]] = {
    "tonic": ("begins on the tonic %", lambda piece: 100 * opens_on_tonic(piece)),
    "either": (
        "on tonic or dominant %",
        lambda piece: 100 * (opens_on_tonic(piece) or opens_on_dominant(piece)),
    ),
    "home": ("first phrase in the key %", lambda piece: 100 * begins_in_key(piece)),
    "form": ("A A B %", lambda piece: 100 * bool(stollen(piece))),
    "exact": ("of all voices %", lambda piece: 100 * is_exact(piece)),
    "phrases": ("phrases", phrases),
    "written": ("with repeats", lambda piece: len(spans(piece.fermatas))),
    "six_fours": ("6-4 chords per 100 beats", six_fours),
}


_OF_NOTES: Final = ("form", "exact", "six_fours")
"""Measures that need neither key nor fermatas."""


def figures(pieces: Sequence[Chorale]) -> dict[str, Any]:
    """Return mean, interval and spread (standard deviation) of each measure."""
    found: dict[str, Any] = {"pieces": len(pieces)}
    times = list(draws([str(number) for number in range(len(pieces))], seed=0))
    known = [name for name in MEASURES if pieces[0].fermatas.any() or name in _OF_NOTES]
    for name in known:
        measure = MEASURES[name][1]
        values = np.array([float(measure(piece)) for piece in pieces])
        means = [float(np.average(values, weights=each)) for each in times]
        found[name] = {**asdict(estimate(values.mean(), means)), "spread": float(values.std())}
    return found


def _cell(found: Mapping[str, float] | None) -> str:
    if found is None:
        return "–"
    return f"{found['value']:.1f} ({found['low']:.1f} to {found['high']:.1f})"


def _table(_section: str, found: Mapping[str, Any]) -> str:
    head = ["", "pieces", *(title for title, _ in MEASURES.values()), "spread of phrases"]
    rows = [
        [
            name,
            str(one["pieces"]),
            *(_cell(one.get(measure)) for measure in MEASURES),
            f"{one['phrases']['spread']:.1f}" if "phrases" in one else "–",
        ]
        for name, one in found.items()
    ]
    return reports.table(head, rows)


PAGE: Final = reports.Page(
    "beginnings",
    "Beginnings, form and length",
    "New pieces with all defaults, seeds from 0 on, none left out; means with 95 % intervals. "
    "A A B: the soprano's first passage of two bars or more comes twice in a row, its last two "
    "quarters aside; of all voices: without any difference. JSB16 has no keys and no fermatas.",
    _table,
)


@reports.script
def main(words: Sequence[str]) -> None:
    parser = reports.parser("beginnings", __doc__)
    parser.add_argument("--models", nargs="*", default=["relative", "vanilla"])
    parser.add_argument("--pieces", type=int, default=100)
    parser.add_argument("--split", choices=SPLITS, default="valid", help="of Bach's pieces")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--store", action="store_true")
    args = parser.parse_args(words)
    published = jsb.read(paths.shared_data() / "jsb" / jsb.FILE_NAME)
    # one or two pieces of each split have no phrases
    bach = [piece for piece in bundled.load(args.split) if piece.fermatas.any()]
    music = {"Bach": bach, "Bach, JSB16": published[args.split]}
    found = {}
    for name in (*music, *args.models):
        pieces = music.get(name)
        if pieces is None:
            seeds = range(args.pieces)
            pieces, _ = quality.written(name, "defaults", args.folder, seeds, _new)
        found[name] = figures(pieces)
        shown = (f"{key} {_cell(found[name].get(key))}" for key in MEASURES)
        print(name, *shown, sep="; ", flush=True)
    if args.store:
        PAGE.store(f"Beside {args.split}", reports.command("beginnings", words), found)


def _new(_given: int, **options: Any) -> Chorale:
    piece: Chorale = musicrel.generate(**options)
    return piece


if __name__ == "__main__":
    sys.exit(main())
