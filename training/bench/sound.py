"""The sound part of ``musicrel bench``: rendering a piece, and feeding a device block by block.

The alternatives take turns on the same piece. Every ratio is to the rendering of the whole piece in
the default sound, or to the duration of the sound.
"""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import Final

from musicrel.analysis.corpus import bundled
from musicrel.chorale import Chorale
from musicrel.errors import FileError
from musicrel.playback.audio_callback import Mixer, RenderCache, StemReader
from musicrel.score.audio import soundfont, synth
from musicrel.score.audio.mixer import Mix, gains
from musicrel.score.instruments import Sound
from musicrel.score.performance import Style
from training.bench.rows import Row, Work, best, row

_RATE: Final = 48_000
_BLOCK: Final = 2_880
"""Frames a device asks for: 60 ms."""
_BLOCKS: Final = 100


def rows(seconds: float | None = None) -> list[Row]:
    piece = _piece(seconds)
    organ = f"sound of {piece.seconds:.0f} s of music"
    start, blocks = "sound until play starts", "sound, 60 ms block"
    others = {f"{organ}, {sound}": sound for sound in _other_sounds()}
    works: dict[str, Work] = {
        organ: partial(_render, piece, "organ"),
        **{name: partial(_render, piece, sound) for name, sound in others.items()},
        start: partial(_start, piece),
        blocks: _mixing(_filled(piece)),
    }
    found = best(works)
    block = found[blocks] / _BLOCKS
    return [
        row(organ, found[organ], "s", "its duration", found[organ] / piece.seconds),
        *(row(name, found[name], "s", organ, found[name] / found[organ]) for name in others),
        row(start, found[start], "s", organ, found[start] / found[organ]),
        row(blocks, 1e3 * block, "ms", "its duration", block * _RATE / _BLOCK),
    ]


def _piece(seconds: float | None) -> Chorale:
    piece = bundled.load("test")[0]
    if seconds is None:
        return piece
    return piece.cropped(0, max(1, int(piece.steps * seconds / piece.seconds)))


def _other_sounds() -> tuple[Sound, ...]:
    """Return the choir and, where FluidSynth is installed, an instrument of a SoundFont."""
    try:
        soundfont.check(None)
    except FileError:
        return ("choir",)
    return "choir", "strings"


def _render(piece: Chorale, sound: Sound) -> None:
    deque(synth.blocks(piece, Mix(sound=sound)), maxlen=0)


def _cache(piece: Chorale) -> RenderCache:
    return RenderCache(piece, Style(), Mix(), _RATE)


def _start(piece: Chorale) -> None:
    """Render the first part of the sound; the rest follows while it plays."""
    _cache(piece).render_next(0, None)


def _filled(piece: Chorale) -> RenderCache:
    cache = _cache(piece)
    while cache.render_next(0, None):
        pass
    return cache


def _mixing(cache: RenderCache) -> Work:
    """Return the work of a device's thread for ``_BLOCKS`` blocks."""
    gains_before, gains_after = gains(Mix()), gains(Mix(sound="organ", volume=0.5))

    def work() -> None:
        reader, mixer = StemReader(), Mixer(gains_before)
        for number in range(_BLOCKS):
            mixer.mix(reader.read(cache, number * _BLOCK, _BLOCK), gains_after)

    return work
