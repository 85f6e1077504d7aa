"""Reader of the published JSB16 data set (Jsb16thSeparated.json), which users download themselves.

The file is one JSON object ``{"train": [...], "valid": [...], "test": [...]}``; a piece is a list
of ``[S, A, T, B]`` MIDI numbers, one per sixteenth, -1 for silence. It does not distinguish held
from repeated notes and has no bars, keys or fermatas: here a note begins where the pitch changes,
and every piece has the meter 4/4 without a pickup, no key and no fermata.

Source: czhuang/JSB-Chorales-dataset; splits of Boulanger-Lewandowski et al. 2012.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from musicrel import gate
from musicrel.chorale import MAX_STEPS, REST, Chorale, Pitches, Voice
from musicrel.corpus.splits import SPLITS, Split
from musicrel.errors import DataError, FileError

FILE_NAME: Final = "Jsb16thSeparated.json"
_HIGHEST_PITCH: Final = 127


def read(path: Path) -> Mapping[Split, list[Chorale]]:
    """Read the pieces of a JSB16 file, by split, in the order of the file."""
    content = _parse(path)
    return {
        split: [
            Chorale.of(_validated(piece, f"{split} {index}", path), title=f"JSB16 {split} {index}")
            for index, piece in enumerate(content[split])
        ]
        for split in SPLITS
    }


def _parse(path: Path) -> dict[str, Any]:
    try:
        content = gate.parse_json(gate.read(path, "jsb"))
    except DataError as reason:
        raise FileError(f"{path} is not JSON: expected the file {FILE_NAME}") from reason
    if not isinstance(content, dict):
        raise FileError(f"{path} holds no splits: expected an object with {', '.join(SPLITS)}")
    missing = [split for split in SPLITS if not isinstance(content.get(split), list)]
    if missing:
        raise FileError(
            f"{path} has no {', '.join(missing)}: expected lists named {', '.join(SPLITS)}"
        )
    return content


def _validated(piece: Any, name: str, path: Path) -> Pitches:
    """Return the piece as int16 (steps, 4)."""
    if not isinstance(piece, list) or not 1 <= len(piece) <= MAX_STEPS:
        raise DataError(f"{path}, {name}: expected a list of 1 to {MAX_STEPS} steps")
    for step, chord in enumerate(piece):
        if not isinstance(chord, list) or [type(pitch) for pitch in chord] != [int] * len(Voice):
            raise DataError(
                f"{path}, {name}, step {step}: expected four whole numbers, one for each of "
                f"S A T B, but found {str(chord)[:40]}"
            )
        if not REST <= min(chord) <= max(chord) <= _HIGHEST_PITCH:
            raise DataError(
                f"{path}, {name}, step {step}: the pitches are {str(chord)[:40]}, expected MIDI "
                f"numbers 0 to {_HIGHEST_PITCH}, or {REST} for silence"
            )
    return np.array(piece, dtype=np.int16)
