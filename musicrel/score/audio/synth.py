"""The synthesizer: renders a performance as audio, chunk by chunk.

Organ and choir are made here (``timbre``), the other instruments come from a SoundFont
(``soundfont``); reverb follows (``reverb``). Notes are rendered one by one, so any chunk can be
rendered alone and adjacent chunks join exactly. Positions are whole samples.

Convolution reverb with the synthetic impulse response of a small chapel.

The impulse response is a few early reflections and exponentially decaying noise, treble faster than
bass, generated from a fixed seed. Sound is convolved chunk by chunk with overlap-save.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Chorale, Voice
from musicrel.score.audio import metronome
from musicrel.score.audio.metronome import NO_CLICKS, ClickReader, Metronome
from musicrel.score.audio.mixer import Mix, gains, limit
from musicrel.score.audio.soundfont import SampledVoice
from musicrel.score.audio.timbre import Samples, SynthVoice, VoiceRenderer
from musicrel.score.instruments import INSTRUMENTS, Sound
from musicrel.score.performance import Performance, Style, TimedNote, perform

Spectrum = npt.NDArray[np.complex64] | npt.NDArray[np.complex128]

LENGTH: Final = 65_536  # samples of the impulse response, and of each chunk of sound

_SEED: Final = 1685
# Lower and upper frequency (Hz) and decay time RT60 (s) of each band.
_BANDS: Final = ((0.0, 250.0, 1.5), (250.0, 1500.0, 1.6), (1500.0, 4000.0, 1.1), (4000.0, 1e9, 0.6))
_BAND_LEVELS: Final = (0.7, 1.0, 0.7, 0.35)
_PREDELAY: Final = 0.018
_SWELL: Final = 0.04  # seconds over which the diffuse noise fades in
# Delay (s), left and right amplitude of each early reflection, relative to noise of energy 1.
_EARLY: Final = (
    (0.0113, 0.30, 0.10), (0.0167, 0.08, 0.28), (0.0231, 0.20, 0.06), (0.0293, 0.05, 0.22),
    (0.0379, 0.15, 0.12), (0.0457, 0.10, 0.16),
)  # fmt: skip
_DECIBELS_60: Final = 6.9078  # Natural logarithm of 60 dB (a factor of 1000)
_FADE_SHARE: Final = 0.2


@lru_cache(maxsize=4)
def impulse_response(rate: int) -> Samples:
    """Return the impulse response, (2, LENGTH) left and right, each of energy 1."""
    channels = np.stack([_noise(rate, channel) for channel in range(2)])
    channels /= np.sqrt((channels**2).sum(axis=1, keepdims=True))
    for second, left, right in _EARLY:
        channels[:, round(second * rate)] += left, right
    channels /= np.sqrt((channels**2).sum(axis=1, keepdims=True))
    normalised: Samples = channels.astype(np.float32)
    normalised.setflags(write=False)
    return normalised


def reverberate(before: Samples, sound: Samples, rate: int) -> Samples:
    """Return the stereo reverb during ``sound``, with the tail of the chunk ``before``.

    Both are float32 (..., 1 or 2, LENGTH), mono or stereo.
    """
    spectrum = np.fft.rfft(np.concatenate([before, sound], axis=-1))
    convolved = np.fft.irfft(spectrum * _spectrum(rate), 2 * LENGTH)
    return convolved[..., LENGTH:].astype(np.float32, copy=False)


@lru_cache(maxsize=4)
def _spectrum(rate: int) -> Spectrum:
    return np.fft.rfft(impulse_response(rate), 2 * LENGTH)


def _noise(rate: int, channel: int) -> npt.NDArray[np.float64]:
    white = np.random.default_rng((_SEED, channel)).standard_normal(LENGTH)
    spectrum, frequencies = np.fft.rfft(white), np.fft.rfftfreq(LENGTH, 1 / rate)
    seconds = np.arange(LENGTH) / rate - _PREDELAY
    total = np.zeros(LENGTH)
    for (low, high, decay), level in zip(_BANDS, _BAND_LEVELS, strict=True):
        band = np.where((frequencies >= low) & (frequencies < high), spectrum, 0)
        total += level * np.fft.irfft(band, LENGTH) * np.exp(-_DECIBELS_60 * seconds / decay)
    fade_out = np.linspace(1, 0, LENGTH) / _FADE_SHARE  # no click where the response is cut
    return total * np.clip(seconds / _SWELL, 0, 1) * np.clip(fade_out, 0, 1)


RATE: Final = 44_100  # Hz, of audio files; a device has 48,000


class Synthesizer:
    """Renders the four voices of a performance separately, in chunks of ``LENGTH`` samples.

    Not thread-safe.
    """

    def __init__(self, performance: Performance, mix: Mix, rate: int = RATE) -> None:
        self.rate = rate
        # length of the sound in samples, reverb included.
        self.frames = round(performance.times.seconds * rate) + LENGTH
        self.chunks = -(-self.frames // LENGTH)  # number of chunks
        self._voices = [
            _voice(notes, sound, mix, rate)
            for notes, sound in zip(performance.notes, mix.sounds, strict=True)
        ]
        self._cache: dict[int, Samples] = {}

    def dry(self, chunk: int) -> Samples:
        """Render the dry voices, float32 (4, LENGTH); silence before and after the music."""
        if chunk not in self._cache:
            rendered = np.zeros((len(Voice), LENGTH), dtype=np.float32)
            for voice, renderer in enumerate(self._voices):
                renderer.add_to(rendered[voice], chunk * LENGTH)
            previous = {chunk - 1: self._cache[chunk - 1]} if chunk - 1 in self._cache else {}
            self._cache = previous | {chunk: rendered}
        return self._cache[chunk]

    def stems(self, chunk: int) -> Samples:
        """Render each voice as float32 (3, 4, LENGTH): dry, reverb left, reverb right; S A T B."""
        before, now = self.dry(chunk - 1), self.dry(chunk)
        wet = reverberate(before[:, None], now[:, None], self.rate)
        return np.stack([now, wet[:, 0], wet[:, 1]])


def blocks(
    chorale: Chorale,
    mix: Mix | None = None,
    *,
    style: Style | None = None,
    beat: Metronome | None = None,
) -> Iterator[Samples]:
    """Render ``chorale`` as audio within ±0.97, block by block, in bounded memory.

    ``mix`` and ``style`` have the defaults of the app, and the count-in of the metronome ``beat``
    comes first. Blocks are float32 (LENGTH, 2), left and right; those of the ends may be shorter.
    Raises a ``FileError`` if an instrument needs FluidSynth or a SoundFont that is not there.
    """
    mix, style, beat = mix or Mix(), style or Style(), beat or Metronome()
    performance = perform(chorale, style)
    synthesizer, reader = Synthesizer(performance, mix), ClickReader(RATE)
    table, level = gains(mix), beat.level * mix.volume
    if beat.count_in != "never":
        counted = metronome.count_in(chorale, style, 0, RATE)
        sound = reader.read(counted, 0, counted.frames, level)
        for begin in range(0, len(sound), LENGTH):
            yield limit(np.repeat(sound[begin : begin + LENGTH, None], 2, axis=1))
    clicks = metronome.of_piece(chorale, style, performance.times, RATE) if beat.on else NO_CLICKS
    before = np.zeros((2, LENGTH), dtype=np.float32)
    for chunk in range(synthesizer.chunks):
        buses = np.einsum("gv,vn->gn", table, synthesizer.dry(chunk))  # dry l, r; reverb l, r
        clicked = reader.read(clicks, chunk * LENGTH, LENGTH, level)
        mixed = limit(buses[:2] + reverberate(before, buses[2:], RATE) + clicked)
        before = buses[2:]
        yield mixed.T[: synthesizer.frames - chunk * LENGTH]


def _voice(notes: tuple[TimedNote, ...], sound: Sound, mix: Mix, rate: int) -> VoiceRenderer:
    if INSTRUMENTS[sound].sampled:
        return SampledVoice(notes, sound, rate, mix.soundfont)
    return SynthVoice(notes, sound, rate)
