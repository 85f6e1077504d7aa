"""The synthesizer: renders a performance as audio, chunk by chunk.

Organ and choir are made here (``synth_voice``), the other instruments come from a SoundFont
(``soundfont``); reverb follows (``reverb``). Notes are rendered one by one, so any chunk can be
rendered alone and adjacent chunks join exactly. Positions are whole samples.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from musicrel.chorale import Chorale, Voice
from musicrel.errors import UsageError
from musicrel.score.audio import metronome
from musicrel.score.audio.metronome import NO_CLICKS, ClickReader, Metronome
from musicrel.score.audio.mixer import Mix, gains, limit
from musicrel.score.audio.reverb import LENGTH, reverberate
from musicrel.score.audio.soundfont import SampledVoice
from musicrel.score.audio.synth_voice import SynthVoice
from musicrel.score.audio.timbre import Samples
from musicrel.score.audio.voice_renderer import VoiceRenderer
from musicrel.score.instruments import INSTRUMENTS, Sound
from musicrel.score.performance import Performance, Style, TimedNote, perform

RATES: Final = (44_100, 48_000)
"""Supported sample rates in Hz."""
DEFAULT_RATE: Final = 44_100


class Synthesizer:
    """Renders the four voices of a performance separately, in chunks of ``LENGTH`` samples.

    Not thread-safe.

    Args:
        performance: the timed notes.
        mix: the mixer settings, of which the instruments are used.
        rate: sample rate in Hz, one of ``RATES``.

    Raises:
        UsageError: the rate is not supported.
    """

    def __init__(self, performance: Performance, mix: Mix, rate: int = DEFAULT_RATE) -> None:
        if rate not in RATES:
            raise UsageError(f"the sample rate is {rate}: expected {RATES[0]} or {RATES[1]}")
        self.rate = rate
        self.frames = round(performance.times.seconds * rate) + LENGTH
        """Length of the sound in samples, reverb included."""
        self.chunks = -(-self.frames // LENGTH)
        """Number of chunks."""
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
    rate: int = DEFAULT_RATE,
    size: int = LENGTH,
    beat: Metronome | None = None,
) -> Iterator[Samples]:
    """Render ``chorale`` as audio, block by block, in bounded memory.

    Args:
        chorale: the piece.
        mix: the mixer settings; None: the default choir.
        style: tempo and fermatas; None: the default style, with fermatas held.
        rate: sample rate in Hz, one of ``RATES``.
        size: samples per block, at least 1; the sound does not depend on it.
        beat: the metronome and its count-in; None: none.

    Yields:
        float32 (size, 2) within ±0.97, left and right; the last block may be shorter.

    Raises:
        UsageError: the rate is not supported or the size is below 1.
        FileError: an instrument needs FluidSynth or a SoundFont that is not there.
    """
    if size < 1:
        raise UsageError(f"the size of a block is {size}: expected 1 sample or more")
    waiting = np.empty((0, 2), dtype=np.float32)
    for chunk in _mixed(chorale, mix or Mix(), style or Style(), rate, beat or Metronome()):
        waiting = np.concatenate([waiting, chunk])
        whole = len(waiting) // size * size
        yield from np.split(waiting[:whole], range(size, whole, size)) if whole else ()
        waiting = waiting[whole:]
    if len(waiting):
        yield waiting


def render(
    chorale: Chorale,
    mix: Mix | None = None,
    *,
    style: Style | None = None,
    rate: int = DEFAULT_RATE,
) -> Samples:
    """Render all of ``chorale``, float32 (frames, 2); the arguments are those of ``blocks``."""
    return np.concatenate(list(blocks(chorale, mix, style=style, rate=rate)))


def _mixed(
    chorale: Chorale, mix: Mix, style: Style, rate: int, beat: Metronome
) -> Iterator[Samples]:
    """Yield the count-in, then stereo chunks, float32 (LENGTH, 2), the last one shorter."""
    performance = perform(chorale, style)
    synthesizer, reader = Synthesizer(performance, mix, rate), ClickReader(rate)
    table, level = gains(mix), beat.level * mix.volume
    if beat.count_in != "never":
        counted = metronome.count_in(chorale, style, 0, rate)
        yield from _stereo(reader.read(counted, 0, counted.frames, level))
    clicks = metronome.of_piece(chorale, style, performance.times, rate) if beat.on else NO_CLICKS
    before = np.zeros((2, LENGTH), dtype=np.float32)
    for chunk in range(synthesizer.chunks):
        buses = np.einsum("gv,vn->gn", table, synthesizer.dry(chunk))  # dry l, r; reverb l, r
        clicked = reader.read(clicks, chunk * LENGTH, LENGTH, level)
        mixed = limit(buses[:2] + reverberate(before, buses[2:], rate) + clicked)
        before = buses[2:]
        yield mixed.T[: synthesizer.frames - chunk * LENGTH]


def _stereo(sound: Samples) -> Iterator[Samples]:
    """Yield mono ``sound`` in chunks of two channels."""
    for begin in range(0, len(sound), LENGTH):
        yield limit(np.repeat(sound[begin : begin + LENGTH, None], 2, axis=1))


def _voice(notes: tuple[TimedNote, ...], sound: Sound, mix: Mix, rate: int) -> VoiceRenderer:
    if INSTRUMENTS[sound].sampled:
        return SampledVoice(notes, sound, rate, mix.soundfont)
    return SynthVoice(notes, sound, rate)
