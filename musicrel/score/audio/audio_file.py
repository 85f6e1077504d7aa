"""Chorales rendered by the synthesizer as stereo audio files: WAV, MP3 and Ogg Vorbis.

A file replaces an older one only when complete. WAV, 16 bits a sample, is written block by block in
bounded memory. MP3 and Ogg are encoded by libsndfile, about a megabyte a minute, in memory: it does
not report that a disk is full.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import wave
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Final, TypeAlias

import numpy as np

from musicrel import jobs, paths
from musicrel.chorale import Chorale
from musicrel.errors import DataError, FileError
from musicrel.jobs import Job
from musicrel.language import tr
from musicrel.score.audio import metronome
from musicrel.score.audio.metronome import Metronome
from musicrel.score.audio.mixer import Mix
from musicrel.score.audio.synth import RATE, blocks
from musicrel.score.audio.timbre import Samples
from musicrel.score.performance import Style, TempoMap

# Lower-case suffix -> format and encoding in libsndfile; none for WAV, which Python writes.
_ENCODINGS: Final[Mapping[str, tuple[str, str] | None]] = {
    ".wav": None, ".mp3": ("MP3", "MPEG_LAYER_III"), ".ogg": ("OGG", "VORBIS"),
}  # fmt: skip
SUFFIXES: Final = tuple(_ENCODINGS)
_NO_ENCODER: Final = tr(
    "cannot write {path}: the package soundfile cannot be loaded ({reason}); install it again, or "
    "choose a name that ends in .wav"
)
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
        DataError: the piece is too long for a WAV file, the longest of all.
        FileError: the file cannot be written; an old one is left unchanged.
    """
    seconds = TempoMap.of(chorale, style or Style()).seconds
    if beat is not None and beat.count_in != "never":
        seconds += metronome.count_in(chorale, style or Style(), 0, RATE).frames / RATE
    longest = _MAX_AUDIO_BYTES / (RATE * _CHANNELS * _BYTES_A_SAMPLE) - _REVERB_TAIL
    if seconds > longest:
        raise DataError(
            tr(
                "the piece lasts {minutes:,.0f} minutes: a WAV file holds at most {most:,.0f}; "
                "choose a faster tempo or export a part of it",
                minutes=seconds / 60,
                most=longest / 60,
            )
        )
    sound, expected = blocks(chorale, mix, style=style, beat=beat), max(seconds, _REVERB_TAIL)
    encoder, written = _encoder(path), 0
    with paths.replacing(path) as file, encoder(file) as put:
        for block in sound:
            put(block)
            written += len(block)
            yield min(written / (RATE * expected), 1.0)


_Put: TypeAlias = Callable[[Samples], object]  # writes samples, float32 (frames, 2)


@contextlib.contextmanager
def _wav(file: IO[bytes]) -> Iterator[_Put]:
    with wave.open(file, "wb") as out:
        out.setnchannels(_CHANNELS)
        out.setsampwidth(_BYTES_A_SAMPLE)
        out.setframerate(RATE)
        rng = np.random.default_rng(_DITHER_SEED)
        yield lambda block: out.writeframesraw(_rounded(block, rng))


def _encoder(path: Path) -> Callable[[IO[bytes]], contextlib.AbstractContextManager[_Put]]:
    """Return the encoder for the suffix of ``path``."""
    encoding = _ENCODINGS[path.suffix.lower()]
    if encoding is None:
        return _wav
    try:
        soundfile = importlib.import_module("soundfile")  # its library may be missing
    except (ImportError, OSError) as reason:
        raise FileError(_NO_ENCODER.format(path=path, reason=reason)) from reason

    @contextlib.contextmanager
    def encode(file: IO[bytes]) -> Iterator[_Put]:
        kind, subtype = encoding
        content = io.BytesIO()
        with soundfile.SoundFile(content, "w", RATE, _CHANNELS, subtype, format=kind) as out:
            yield out.write  # floats: whole numbers of 16 bits become noise in MP3 (1.2.2)
        file.write(content.getbuffer())

    return encode


def _rounded(block: Samples, rng: np.random.Generator) -> bytes:
    scaled = block * np.float32(_FULL_SCALE)
    noise = rng.random((2, *block.shape), dtype=np.float32)
    scaled += np.where(block == 0, np.float32(0), noise[0] - noise[1])
    content: bytes = np.rint(scaled).astype("<i2").tobytes()
    return content
