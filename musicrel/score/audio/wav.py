"""Chorales as WAV files: 16 bits, two ears, as the synthesizer sings them.

The file grows block by block, so a long piece needs no more memory than a short one, and takes the
place of an older one only when it is whole. This file knows samples and bytes; it knows nothing of
notes.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import wave
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Final

import numpy as np

from musicrel import jobs, paths
from musicrel.chorale import Chorale
from musicrel.errors import DataError, FileError
from musicrel.jobs import Job
from musicrel.score.audio.mixer import Mix
from musicrel.score.audio.synth import USUAL_RATE, blocks
from musicrel.score.audio.timbre import Samples
from musicrel.score.performance import Style, TempoMap

_EARS: Final = 2
_BYTES_A_SAMPLE: Final = 2
_FULL_SCALE: Final = 32_767
_LONGEST: Final = 2**32 - 2**16
"""Bytes of sound at most: a WAV file counts them in 32 bits; the rest is for its header."""
_ROOM_TO_RING: Final = 2.0
"""Seconds, at most, that the room sounds after the last step."""
_OWNER_WRITES_ALL_READ: Final = 0o644
_DITHER_SEED: Final = 16


def write(
    chorale: Chorale,
    path: Path,
    *,
    mix: Mix | None = None,
    style: Style | None = None,
    rate: int = USUAL_RATE,
    dither: bool = True,
) -> None:
    """Write ``chorale`` as sound to ``path``, as ``writing`` does, in one go."""
    jobs.run(writing(chorale, path, mix=mix, style=style, rate=rate, dither=dither))


def writing(
    chorale: Chorale,
    path: Path,
    *,
    mix: Mix | None = None,
    style: Style | None = None,
    rate: int = USUAL_RATE,
    dither: bool = True,
) -> Job[float, None]:
    """Write ``chorale`` as sound to ``path``, whole or not at all.

    Args:
        chorale: the piece.
        path: the file to make or replace.
        mix: the mixer; None: a choir as it stands.
        style: how it is played; None: fermatas held longer.
        rate: samples a second, 44,100 or 48,000.
        dither: hide the rounding to 16 bits in noise of the same seed each time; silence stays
            silent.

    Yields:
        The share that is written, 0 to 1; closed before its end, the job leaves no file and an
        old one as it was.

    Raises:
        DataError: the piece is too long for a WAV file.
        FileError: the file cannot be written; an old one is left as it was.
        UsageError: the rate is none there can be.
    """
    seconds = TempoMap.of(chorale, style or Style()).seconds
    longest = _LONGEST / (rate * _EARS * _BYTES_A_SAMPLE) - _ROOM_TO_RING
    if seconds > longest:
        raise DataError(
            f"the piece lasts {seconds / 60:,.0f} minutes: a WAV file holds {longest / 60:,.0f} "
            "at most, choose a faster tempo or a part of it"
        )
    sound = blocks(chorale, mix, style=style, rate=rate)
    with _replacing(path) as file, wave.open(file, "wb") as out:
        out.setnchannels(_EARS)
        out.setsampwidth(_BYTES_A_SAMPLE)
        out.setframerate(rate)
        for content in _rounded(sound, dither=dither):
            out.writeframesraw(content)
            yield min(out.tell() / (rate * max(seconds, _ROOM_TO_RING)), 1.0)


def _rounded(sound: Iterable[Samples], *, dither: bool) -> Iterator[bytes]:
    """``sound`` as little-endian 16-bit numbers."""
    chance = np.random.default_rng(_DITHER_SEED)
    for block in sound:
        scaled = block * np.float32(_FULL_SCALE)
        if dither:
            noise = chance.random((2, *block.shape), dtype=np.float32)
            scaled += np.where(block == 0, np.float32(0), noise[0] - noise[1])
        yield np.rint(scaled).astype("<i2").tobytes()


@contextlib.contextmanager
def _replacing(path: Path) -> Iterator[IO[bytes]]:
    """A new file that takes the place of ``path`` once it is written, as ``paths.write_bytes``."""
    name: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            prefix=f".{path.name}.", dir=path.parent, delete=False
        ) as file:
            name = Path(file.name)
            yield file
            file.flush()
            os.fsync(file.fileno())
        name.chmod(_OWNER_WRITES_ALL_READ)
        name.replace(path)
        paths.sync_folder(path.parent)
    except OSError as reason:
        raise FileError(
            f"cannot write {path}: {paths.why(reason)}; choose a folder you may write to"
        ) from reason
    finally:
        if name is not None:
            name.unlink(missing_ok=True)
