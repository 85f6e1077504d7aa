"""The bundled corpus: Bach's four-part chorales, by split.

``assets/corpus/SOURCE.md`` documents its origin, the conversion, the pieces left out and the
licence. ``archive`` defines the file format.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from typing import Final

from musicrel import gate, paths
from musicrel.chorale import Chorale
from musicrel.corpus import archive
from musicrel.corpus.splits import SPLITS, Split
from musicrel.errors import UsageError

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
    return archive.unpack(_content())


def _content() -> bytes:
    return gate.read(paths.assets() / FILE_NAME, "corpus")
