"""Chorales rendered by the synthesizer as 16-bit stereo WAV files.

The file is written block by block in bounded memory, and replaces an older one only when complete.
"""

from __future__ import annotations

import wave
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import numpy as np

from musicrel import jobs, paths
from musicrel.chorale import Chorale
from musicrel.errors import DataError
from musicrel.jobs import Job
from musicrel.score.audio import metronome
from musicrel.score.audio.metronome import Metronome
from musicrel.score.audio.mixer import Mix
from musicrel.score.audio.synth import RATE, blocks
from musicrel.score.audio.timbre import Samples
from musicrel.score.performance import Style, TempoMap

_CHANNELS: Final = 2
_BYTES_A_SAMPLE: Final = 2
_FULL_SCALE: Final = 32_767
# Largest number of audio bytes: a WAV file counts them in 32 bits, less some for its header.
_MAX_AUDIO_BYTES: Final = 2**32 - 2**16
_REVERB_TAIL: Final = 2.0  # upper limit for the reverb after the last step, in seconds
_DITHER_SEED: Final = 16


def write(
    chorale: Chorale,
    path: Path,
    *,
    mix: Mix | None = None,
    style: Style | None = None,
    beat: Metronome | None = None,
) -> None:
    """Write ``chorale`` as audio to ``path``; the arguments are those of ``write_job``."""
    jobs.run(write_job(chorale, path, mix=mix, style=style, beat=beat))


def write_job(
    chorale: Chorale,
    path: Path,
    *,
    mix: Mix | None = None,
    style: Style | None = None,
    beat: Metronome | None = None,
) -> Job[float, None]:
    """Write ``chorale`` as audio to ``path`` atomically, as a job.

    Triangular dither has a fixed seed; digital silence stays silent.

    Args:
        mix: the mixer settings; None: the default choir.
        style: tempo and fermatas; None: the default style, with fermatas held.
        beat: the metronome and its count-in; None: none.

    Yields:
        The share written so far, 0 to 1. A job closed before its end leaves the old file
        unchanged, and no file if there was none.

    Raises:
        DataError: the piece is too long for a WAV file.
        FileError: the file cannot be written; an old one is left unchanged.
    """
    seconds = TempoMap.of(chorale, style or Style()).seconds
    if beat is not None and beat.count_in != "never":
        seconds += metronome.count_in(chorale, style or Style(), 0, RATE).frames / RATE
    longest = _MAX_AUDIO_BYTES / (RATE * _CHANNELS * _BYTES_A_SAMPLE) - _REVERB_TAIL
    if seconds > longest:
        raise DataError(
            f"the piece lasts {seconds / 60:,.0f} minutes: a WAV file holds at most "
            f"{longest / 60:,.0f}; choose a faster tempo or export a part of it"
        )
    sound = blocks(chorale, mix, style=style, beat=beat)
    with paths.replacing(path) as file, wave.open(file, "wb") as out:
        out.setnchannels(_CHANNELS)
        out.setsampwidth(_BYTES_A_SAMPLE)
        out.setframerate(RATE)
        for content in _rounded(sound):
            out.writeframesraw(content)
            yield min(out.tell() / (RATE * max(seconds, _REVERB_TAIL)), 1.0)


def _rounded(sound: Iterable[Samples]) -> Iterator[bytes]:
    rng = np.random.default_rng(_DITHER_SEED)
    for block in sound:
        scaled = block * np.float32(_FULL_SCALE)
        noise = rng.random((2, *block.shape), dtype=np.float32)
        scaled += np.where(block == 0, np.float32(0), noise[0] - noise[1])
        yield np.rint(scaled).astype("<i2").tobytes()
