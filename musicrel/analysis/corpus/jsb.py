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
from typing import Annotated, Final

import msgspec
import numpy as np

from musicrel import untrusted
from musicrel.analysis.corpus.splits import SPLITS, Split
from musicrel.chorale import MAX_STEPS, REST, Chorale
from musicrel.errors import DataError, FileError
from musicrel.validated import convert

FILE_NAME: Final = "Jsb16thSeparated.json"


def read(path: Path) -> Mapping[Split, list[Chorale]]:
    try:
        content = untrusted.parse_json(untrusted.read(path, "jsb"))
    except DataError as reason:
        raise FileError(f"{path} is not JSON: expected the file {FILE_NAME}") from reason
    where = f"{path} is no {FILE_NAME}"
    missing = [split for split in SPLITS if not isinstance(content, dict) or split not in content]
    if missing:
        raise FileError(
            f"{where}: it has no {', '.join(missing)}: expected lists named {', '.join(SPLITS)}"
        )
    found = convert(content, _Splits, where, error=FileError)
    return {
        split: [
            Chorale.of(np.array(piece, dtype=np.int16), title=f"JSB16 {split} {index}")
            for index, piece in enumerate(getattr(found, split))
        ]
        for split in SPLITS
    }


_Pitch = Annotated[int, msgspec.Meta(ge=REST, le=127)]
_Piece = Annotated[
    list[tuple[_Pitch, _Pitch, _Pitch, _Pitch]], msgspec.Meta(min_length=1, max_length=MAX_STEPS)
]


class _Splits(msgspec.Struct):
    train: list[_Piece]
    valid: list[_Piece]
    test: list[_Piece]
