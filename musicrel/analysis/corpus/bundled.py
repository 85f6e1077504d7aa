"""The bundled corpus: Bach's four-part chorales, by split.

``assets/corpus/SOURCE.md`` documents its origin, the conversion, the pieces left out and the
licence. ``archive`` defines the file format.

The corpus file format: an npz of plain arrays, without pickle, byte-identical on every build.

The steps of all pieces are concatenated; ``lengths`` separates them.

    pitches   int8 (N, 4)      onsets  bool (N, 4)     fermatas  bool (N,)
    lengths   int32 (P,)       split   text (P,)       title     text (P,)
    meter     int16 (P, 2)     pickup  int16 (P,)      key       text (P,), "" for unknown
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from musicrel import paths, untrusted
from musicrel.analysis.corpus.splits import SPLITS, Split
from musicrel.chorale import Chorale, Key, Meter
from musicrel.errors import DataError, FileError, UsageError
from musicrel.language import tr

_ZIP_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
_COMPRESSION_LEVEL: Final = 9

_Array = npt.NDArray[Any]


def pack(pieces: Mapping[Split, list[Chorale]]) -> bytes:
    """Serialise ``pieces`` as the content of an npz file, without tempo and provenance.

    The same pieces always give the same bytes: names are sorted and timestamps fixed.
    """
    arrays = _arrays([(split, piece) for split in SPLITS for piece in pieces[split]])
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name in sorted(arrays):
            member = io.BytesIO()
            np.lib.format.write_array(member, arrays[name], allow_pickle=False)
            entry = zipfile.ZipInfo(f"{name}.npy", date_time=_ZIP_EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            archive.writestr(entry, member.getvalue(), compresslevel=_COMPRESSION_LEVEL)
    return content.getvalue()


def unpack(content: bytes) -> Mapping[Split, list[Chorale]]:
    try:
        return _pieces(untrusted.unpack_arrays(content, "corpus"))
    except (*untrusted.ARCHIVE_ERRORS, TypeError, DataError, UsageError) as reason:
        raise FileError(
            tr("the corpus file is damaged ({reason}): install musicrel again", reason=reason)
        ) from reason


def _arrays(pieces: list[tuple[Split, Chorale]]) -> dict[str, _Array]:
    chorales = [chorale for _, chorale in pieces]
    return {
        "pitches": np.concatenate([c.pitches for c in chorales]).astype(np.int8),
        "onsets": np.concatenate([c.onsets for c in chorales]),
        "fermatas": np.concatenate([c.fermatas for c in chorales]),
        "lengths": np.array([c.steps for c in chorales], dtype=np.int32),
        "split": np.array([split for split, _ in pieces]),
        "title": np.array([c.title for c in chorales]),
        "meter": np.array([(c.meter.numerator, c.meter.denominator) for c in chorales], np.int16),
        "pickup": np.array([c.pickup for c in chorales], dtype=np.int16),
        "key": np.array([str(c.key) if c.key else "" for c in chorales]),
    }


def _pieces(arrays: Mapping[str, _Array]) -> Mapping[Split, list[Chorale]]:
    pieces: dict[Split, list[Chorale]] = {split: [] for split in SPLITS}
    ends = np.cumsum(arrays["lengths"])
    for index, (end, length) in enumerate(zip(ends, arrays["lengths"], strict=True)):
        split: Split = arrays["split"][index].item()
        pieces[split].append(_piece(arrays, index, slice(int(end - length), int(end))))
    return pieces


def _piece(arrays: Mapping[str, _Array], index: int, steps: slice) -> Chorale:
    key = str(arrays["key"][index])
    numerator, denominator = arrays["meter"][index].tolist()
    return Chorale(
        pitches=arrays["pitches"][steps].astype(np.int16),
        onsets=arrays["onsets"][steps].copy(),
        fermatas=arrays["fermatas"][steps].copy(),
        meter=Meter(numerator, denominator),
        pickup=int(arrays["pickup"][index]),
        key=Key.parse(key) if key else None,
        title=str(arrays["title"][index]),
    )


FILE_NAME: Final = "corpus/chorales.npz"


def load(split: Split) -> list[Chorale]:
    """Load the bundled chorales of ``split``, titled as in "BWV 269 Aus meines Herzens Grunde"."""
    if split not in SPLITS:
        raise UsageError(f"there is no split {split!r}: expected train, valid or test")
    return list(_loaded()[split])


def load_all() -> Mapping[Split, list[Chorale]]:
    return {split: load(split) for split in SPLITS}


@cache
def source_sha256() -> str:
    """Return the SHA-256 of the corpus file, in hex; it identifies a model's training data."""
    return hashlib.sha256(_content()).hexdigest()


@cache
def _loaded() -> Mapping[Split, list[Chorale]]:
    return unpack(_content())


def _content() -> bytes:
    return untrusted.read(paths.assets() / FILE_NAME, "corpus")
