"""Harmonisations of folk tunes that no model was trained on.

    python -m training.folk_tunes [--models NAME ...] [--end authentic|tonic|free]
    python -m training.folk_tunes --draw

The tunes of ``training/folk_tunes.toml`` are harmonised once each with the seeds 0, 1, 2 ... and
all defaults of ``musicrel.harmonise``, which requests an authentic close where the melody allows
it; with ``--end free`` the close is the model's own. A model is given notes, meter and pickup; the
key is estimated, as for a file without one. Every tune ends on its tonic (``tune_list``); nothing
else is selected or left out. Adds the rows to ``training/results/folk_tunes.json`` and
``folk_tunes.md``. ``--draw`` draws the list again.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

import musicrel
from musicrel import paths
from musicrel.analysis import cadences
from musicrel.chorale import RANGES, REST, Chorale, Key, Voice
from musicrel.errors import MusicrelError
from musicrel.generation.constraints.last_chord import AUTHENTIC, CHORDS
from musicrel.generation.loaded_model import LoadedModel
from training.examination import report, results
from training.folk_tunes import tune_list

WRITERS: Final = ("relative-infill", "vanilla-infill", "relative", "vanilla")
ENDS: Final[Mapping[str, str]] = {chord or "free": chord for chord in CHORDS}
"""Name of a requested end -> the last chord of a request."""
_NAME: Final = "folk_tunes"
_HEAD: Final = (
    f"{tune_list.TUNES} tunes of music21's essenFolksong that no model was trained on "
    "(`training/folk_tunes.toml`), without their key, one sample each, seeds from 0 on. They were "
    "drawn from tunes that end on their tonic; others are not in the list. Where the requested "
    "close is authentic, the default, the last bass note is put on the tonic of the estimated key, "
    "and a bass of the dominant before it if the melody allows one; where it is free, the close is "
    "the model's own."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Figures of the harmonisations of one writer.

    Attributes:
        tunes: their number.
        authentic: the last cadence is authentic.
        tonic: the last chord is on the tonic of the tune, by the bass.
        keys: the estimated key is that of the collection.
        kept: the melody has the notes of the tune, in one transposition.
        moved: it sounds in another key or octave than it was written.
        outside: the alto, the tenor or the bass leaves its range.
        lowest: the lowest note of all, a MIDI number.
        seconds: median processor time of a piece.
        sha256: of the model.
    """

    tunes: int
    authentic: int
    tonic: int
    keys: int
    kept: int
    moved: int
    outside: int
    lowest: int
    seconds: float
    sha256: str


_COLUMNS: Final[Mapping[str, Callable[[Figures], str]]] = {
    "authentic close": lambda f: f"{f.authentic} of {f.tunes}",
    "last bass note on the tonic": lambda f: str(f.tonic),
    "key found": lambda f: str(f.keys),
    "melody kept": lambda f: str(f.kept),
    "moved for the choir": lambda f: str(f.moved),
    "voices outside their range": lambda f: str(f.outside),
    "lowest note": lambda f: str(f.lowest),
    "processor seconds": lambda f: f"{f.seconds:.1f}",
}


def harmonised(model: LoadedModel, tune: Chorale, seed: int, end: str) -> Chorale:
    """Harmonise a tune whose key is not given."""
    return musicrel.harmonise(replace(tune, key=None), model=model, seed=seed, last_chord=end)


def is_kept(piece: Chorale, tune: Chorale) -> bool:
    """Return True if the soprano has the tune's notes and rests, all moved by one interval."""
    made, given = piece.pitches[:, Voice.SOPRANO], tune.pitches[:, Voice.SOPRANO]
    sounds = given != REST
    moves = set((made[sounds] - given[sounds]).tolist())
    same_onsets = np.array_equal(piece.onsets[:, Voice.SOPRANO], tune.onsets[:, Voice.SOPRANO])
    return same_onsets and len(moves) == 1 and bool((made[~sounds] == REST).all())


def shift(piece: Chorale, tune: Chorale) -> int:
    """Return the semitones by which the tune was moved."""
    first = int(np.flatnonzero(tune.pitches[:, Voice.SOPRANO] != REST)[0])
    return int(piece.pitches[first, Voice.SOPRANO] - tune.pitches[first, Voice.SOPRANO])


def leaves_ranges(piece: Chorale) -> bool:
    """Return True if a voice below the soprano leaves its range (``musicrel.chorale.RANGES``)."""
    return any(
        (line != REST).any() and not low <= line[line != REST].min() <= line.max() <= high
        for voice, (low, high) in RANGES.items()
        if voice != Voice.SOPRANO
        for line in [piece.pitches[:, voice]]
    )


def figures(pieces: Sequence[Chorale], tunes: Sequence[Chorale]) -> dict[str, int]:
    """Count the figures of ``Figures`` that need no clock."""
    given = [_tonality(tune, shift(piece, tune)) for piece, tune in zip(pieces, tunes, strict=True)]
    pairs = list(zip(pieces, tunes, given, strict=True))
    return {
        "tunes": len(pairs),
        "authentic": sum(is_authentic(piece, key) for piece, _, key in pairs),
        "tonic": sum(int(p.pitches[-1, Voice.BASS]) % 12 == key.pitch_class for p, _, key in pairs),
        "keys": sum(piece.key == key for piece, _, key in pairs),
        "kept": sum(is_kept(piece, tune) for piece, tune, _ in pairs),
        "moved": sum(shift(piece, tune) != 0 for piece, tune, _ in pairs),
        "outside": sum(leaves_ranges(piece) for piece in pieces),
        "lowest": min(int(piece.pitches[piece.pitches != REST].min()) for piece in pieces),
    }


def is_authentic(piece: Chorale, key: Key) -> bool:
    """Return True if the piece ends with an authentic cadence in ``key``."""
    last = cadences.phrase_ends(replace(piece, key=key))[-1]
    return last.kind == "authentic" and int(piece.pitches[-1, Voice.BASS]) % 12 == key.pitch_class


def measure(writer: str, tunes: Sequence[Chorale], end: str) -> Figures:
    """Harmonise all tunes by one model, and count."""
    model, pieces, seconds = musicrel.load_model(writer), list[Chorale](), list[float]()
    for seed, tune in enumerate(tunes):
        began = time.process_time()
        pieces.append(harmonised(model, tune, seed, end))
        seconds.append(time.process_time() - began)
    return Figures(
        **figures(pieces, tunes), seconds=statistics.median(seconds), sha256=model.sha256
    )


def markdown(stored: Mapping[str, Any]) -> str:
    """Format all stored figures as Markdown, a row for each requested end and writer."""
    found = [
        (end, writer, entry) for end, entries in stored.items() for writer, entry in entries.items()
    ]
    commands = dict.fromkeys(entry["command"] for *_, entry in found)
    rows = [
        [writer, end, *(cell(Figures(**entry["figures"])) for cell in _COLUMNS.values())]
        for end, writer, entry in found
    ]
    table = report.table(["", "requested close", *_COLUMNS], rows)
    parts = ["# Folk tunes", _HEAD, "\n".join(f"    {one}" for one in commands), table]
    return "\n\n".join(parts) + "\n"


def _tonality(tune: Chorale, semitones: int) -> Key:
    if tune.key is None:
        raise ValueError("a tune of the list has a key")
    return tune.key.transposed(semitones)


def store(end: str, found: Mapping[str, Figures], folder: Path = results.FOLDER) -> None:
    """Add figures to the stored ones.

    Args:
        end: the requested end, a name in ``ENDS``.
        found: figures by writer.
        folder: where the two files are.
    """
    command = f"python -m training.folk_tunes --models {' '.join(found)} --end {end}"
    plain = {name: asdict(one) for name, one in found.items()}
    stored = results.add(folder / f"{_NAME}.json", end, command, plain)
    paths.write_text(folder / f"{_NAME}.md", markdown(stored))


def main(words: list[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, prog="training.folk_tunes")
    parser.add_argument("--models", nargs="+", default=list(WRITERS))
    parser.add_argument("--end", choices=ENDS, default=AUTHENTIC)
    parser.add_argument("--draw", action="store_true")
    args = parser.parse_args(words)
    try:
        if args.draw:
            tune_list.draw()
            return 0
        tunes = [tune.melody for tune in tune_list.listed()]
        found = {}
        for writer in args.models:
            found[writer] = measure(writer, tunes, ENDS[args.end])
            print(writer, found[writer], flush=True)
    except MusicrelError as reason:
        print(reason, file=sys.stderr)
        return 1
    store(args.end, found)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
