"""Instruments of a SoundFont (.sf2), played by the FluidSynth library through pyfluidsynth.

Every note is rendered alone and added where it belongs, so that any part of a piece can be rendered
without what comes before, as with the built-in synthesizer. FluidSynth's own reverb and chorus are
off: all voices stand in the same room (``reverb``). Without a chosen file, the SoundFont inside the
package pretty_midi is used.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import sys
import threading
import weakref
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from musicrel import untrusted
from musicrel.errors import FileError
from musicrel.language import tr
from musicrel.score.audio.timbre import Samples, VoiceRenderer
from musicrel.score.instruments import INSTRUMENTS, Sound
from musicrel.score.performance import TimedNote

NOT_INSTALLED: Final = tr(
    "All instruments but choir and organ need FluidSynth, which is not installed: run pip install "
    '"musicrel[soundfont]", and sudo apt install libfluidsynth3 (Debian, Ubuntu), brew install '
    "fluid-synth (macOS) or choco install fluidsynth (Windows)"
)

_BUNDLED: Final = "TimGM6mb.sf2"
# The SoundFont that Debian and Ubuntu install; bundles of musicrel contain none.
_OF_SYSTEM: Final = Path("/usr/share/sounds/sf2/default-GM.sf2")
# Bytes of a RIFF header: RIFF, the number of bytes that follow the eighth, and the kind.
_HEADER: Final = 12
_SETTINGS: Final = {
    "synth.reverb.active": 0,
    "synth.chorus.active": 0,
    "synth.dynamic-sample-loading": 1,  # load only the samples of the selected programs
}
# Period of FluidSynth's dither in samples, and a multiple of its blocks of 64. Each note takes a
# multiple of it, so that notes start at a block and their noise is the same in any order.
_DITHER: Final = 48_000
_CHANNELS: Final = 32  # one for each instrument; a multiple of 16
_VELOCITY: Final = 88
_RELEASE: Final = 1.0  # seconds for which a note sounds on; the last third is faded out
_LONGEST: Final = 60.0  # seconds after which a held note falls silent, so that memory is bounded
# Pitch and duration in seconds of the note whose RMS level is ``_LOUDNESS``.
_REFERENCE: Final = (64, 1.0)
# RMS level at which chorales are as loud as with the organ; there each voice has about 0.9.
_LOUDNESS: Final = 0.8


def default_path(of_system: Path = _OF_SYSTEM) -> Path:
    """Return the path of the SoundFont inside the package pretty_midi, or else of the system's."""
    package = importlib.util.find_spec("pretty_midi")  # found, not imported: that takes a while
    inside = Path(str(package and package.origin)).with_name(_BUNDLED)
    return inside if inside.is_file() or not of_system.is_file() else of_system


def check(path: Path | None) -> None:
    """Check that the SoundFont ``path`` (None: the one of pretty_midi) can be used; do not load it.

    Raises:
        FileError: FluidSynth is not installed, or the file is missing, damaged or not a SoundFont.
    """
    _library()
    _check_file(path or default_path())


class SampledVoice(VoiceRenderer):
    """A voice played by an instrument of a SoundFont."""

    def __init__(
        self, notes: tuple[TimedNote, ...], sound: Sound, rate: int, path: Path | None
    ) -> None:
        super().__init__(notes, rate, round(_RELEASE * rate))
        self._sound: Sound = sound
        self._path = path

    def _render(self, number: int, low: int, high: int) -> Samples:
        font = _load(self._path or default_path(), self._rate)
        held = self._ends[number] - self._starts[number] - self._release
        return _note(font, self._sound, self._notes[number].pitch, held)[low:high]


class SoundFont:
    """A SoundFont, loaded by a FluidSynth of its own."""

    def __init__(self, path: Path, rate: int) -> None:
        library = _library()
        _check_file(path)
        self.rate: Final = rate
        self._path = path
        self._synth = library.Synth(gain=1.0, samplerate=rate, channels=_CHANNELS, **_SETTINGS)
        # not at exit, when a thread may still be rendering
        weakref.finalize(self, self._synth.delete).atexit = False
        self._font = self._synth.sfload(str(path))
        if self._font < 0:
            raise FileError(
                tr("the SoundFont {path} is damaged: choose another .sf2 file", path=path)
            )
        self._channels: dict[Sound, int] = {}
        self._lock = threading.Lock()

    def play(self, sound: Sound, pitch: int, held: int) -> Samples:
        """Play one note, float32 (held + 1 second,); ±1 is full scale."""
        release = round(_RELEASE * self.rate)
        with self._lock:
            channel = self._channel(sound)
            self._synth.noteon(channel, pitch, _VELOCITY)
            sustained = self._synth.get_samples(held)
            self._synth.noteoff(channel, pitch)
            released = self._synth.get_samples(release)
            self._synth.all_sounds_off(channel)
            self._synth.get_samples(-(held + release) % _DITHER)
        stereo = np.concatenate([sustained, released]).reshape(-1, 2)
        mono: Samples = stereo.mean(axis=1, dtype=np.float32) / np.float32(2**15)
        mono[-release // 3 :] *= np.linspace(1, 0, -(-release // 3), dtype=np.float32)
        return mono

    def _channel(self, sound: Sound) -> int:
        if sound not in self._channels:
            channel, program = len(self._channels), INSTRUMENTS[sound].program
            if self._synth.program_select(channel, self._font, 0, program) != 0:
                raise FileError(
                    tr(
                        "the SoundFont {path} has no {instrument} (program {program}): choose "
                        "another .sf2 file or another instrument",
                        path=self._path,
                        instrument=INSTRUMENTS[sound].noun,
                        program=program + 1,
                    )
                )
            self._channels[sound] = channel
        return self._channels[sound]


@lru_cache(maxsize=2)
def _load(path: Path, rate: int) -> SoundFont:
    return SoundFont(path, rate)


@lru_cache(maxsize=64)
def _note(font: SoundFont, sound: Sound, pitch: int, held: int) -> Samples:
    longest = round(_LONGEST * font.rate)
    return font.play(sound, pitch, min(held, longest)) * _level(font, sound)


@lru_cache(maxsize=2 * len(INSTRUMENTS))
def _level(font: SoundFont, sound: Sound) -> np.float32:
    """Return the factor that gives the reference note its loudness in any SoundFont."""
    pitch, seconds = _REFERENCE
    held = round(seconds * font.rate)
    reference = font.play(sound, pitch, held)[:held]
    return np.float32(_LOUDNESS / max(float(np.sqrt(np.mean(reference**2))), 1e-4))


def _library() -> Any:
    try:
        # With the variable CI set, it prints the library's path, which is no part of an answer.
        with contextlib.redirect_stdout(sys.stderr):
            return importlib.import_module("fluidsynth")
    except (ImportError, OSError) as reason:
        raise FileError(NOT_INSTALLED) from reason


def _check_file(path: Path) -> None:
    try:
        with untrusted.opened(path) as file:
            header = file.read(_HEADER)
            size = file.seek(0, os.SEEK_END)
    except FileError as reason:
        raise FileError(tr("{reason}; choose another .sf2 file", reason=reason)) from reason
    if header[:4] != b"RIFF" or header[8:] != b"sfbk":
        raise FileError(tr("{path} is not a SoundFont: choose an .sf2 file", path=path))
    if int.from_bytes(header[4:8], "little") + 8 > size:
        raise FileError(
            tr("the SoundFont {path} is truncated: choose another .sf2 file", path=path)
        )
