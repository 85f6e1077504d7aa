"""Practice files: a piece as audio or MIDI, one file for each voice that is practised."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from musicrel.chorale import Chorale
from musicrel.errors import MusicrelError, UsageError
from musicrel.jobs import Job
from musicrel.score.audio import wav
from musicrel.score.audio.metronome import Metronome
from musicrel.score.audio.mixer import Mix
from musicrel.score.midi import practice_midi
from musicrel.score.performance import Style
from musicrel.score.practice import Practice

KINDS: Final[Mapping[str, str]] = {".wav": "WAV audio", ".mid": "MIDI file"}
"""Suffix -> name of the formats."""

_SUFFIXES: Final = (*KINDS, ".midi")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sounding:
    """The sound of practice files, apart from the levels of the voices.

    Attributes:
        mix: instruments, pan, reverb and master volume; volume, mute and solo are replaced.
        style: tempo and fermatas.
        beat: the metronome, and the count-in unless it is "never".
    """

    mix: Mix = field(default_factory=Mix)
    style: Style = field(default_factory=Style)
    beat: Metronome = field(default_factory=Metronome)


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeFiles:
    """A request for practice files.

    Attributes:
        folder: where they are written.
        title: beginning of their names.
        suffix: the format, one of ``KINDS``.
        versions: what is written, a file each.
        sounding: how they sound.
    """

    folder: Path
    title: str
    suffix: str
    versions: tuple[Practice, ...]
    sounding: Sounding = field(default_factory=Sounding)

    @property
    def paths(self) -> tuple[Path, ...]:
        """Return the files, as in "TITLE – Soprano practice.wav"."""
        return tuple(
            self.folder / f"{self.title} – {version.name}{self.suffix}" for version in self.versions
        )


@dataclass(frozen=True, slots=True)
class PracticeProgress:
    """Progress of an export: the finished share of all files, and the file being written."""

    share: float
    path: Path


def write(chorale: Chorale, wanted: PracticeFiles) -> Job[PracticeProgress, tuple[Path, ...]]:
    """Write practice files of ``chorale`` and return their paths.

    A job closed before its end leaves the files that are finished.

    Raises:
        MusicrelError: see ``write_one``.
    """
    count = len(wanted.versions)
    for number, (version, path) in enumerate(zip(wanted.versions, wanted.paths, strict=True)):
        yield PracticeProgress(number / count, path)
        try:
            for share in write_one(chorale, path, version, wanted.sounding):
                yield PracticeProgress((number + share) / count, path)
        except MusicrelError as reason:
            raise type(reason)(f"{path.name} is not exported: {reason}") from reason
    return wanted.paths


def write_one(
    chorale: Chorale, path: Path, version: Practice | None, sounding: Sounding
) -> Job[float, None]:
    """Write one practice file in the format of its suffix; None: all voices as mixed.

    Yields:
        The share written so far, 0 to 1.

    Raises:
        UsageError: the suffix is not that of audio or MIDI.
        DataError: the format cannot hold the piece.
        FileError: the file cannot be written, or an instrument cannot be played.
    """
    check_suffix(path)
    mix, style, beat = sounding.mix, sounding.style, sounding.beat
    if path.suffix.lower() == ".wav":
        balanced = mix if version is None else practice_mix(mix, version)
        yield from wav.write_job(chorale, path, mix=balanced, style=style, beat=beat)
        return
    practice_midi.write(
        replace(chorale, tempo=chorale.tempo * style.tempo_factor),
        path,
        version,
        sound=mix.sounds,
        stretch_fermatas=style.fermata_stretch > 1,
        clicks=beat.on,
        count_in=beat.count_in != "never",
    )
    yield 1.0


def check_suffix(path: Path) -> None:
    """Check that ``path`` names audio or MIDI.

    Raises:
        UsageError: it does not.
    """
    if path.suffix.lower() not in _SUFFIXES:
        raise UsageError(
            f"{path} is neither audio nor MIDI: expected a name that ends in "
            f"{', '.join(_SUFFIXES[:-1])} or {_SUFFIXES[-1]}"
        )


def practice_mix(mix: Mix, version: Practice) -> Mix:
    """Return ``mix`` with the volumes of a practice version."""
    strips = zip(mix.strips, version.levels, strict=True)
    return replace(
        mix,
        strips=tuple(
            replace(strip, volume=level, mute=False, solo=False) for strip, level in strips
        ),
    )
