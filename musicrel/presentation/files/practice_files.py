"""Practice files: a piece as audio or MIDI, one file for each voice that is practised."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Self

from musicrel import file_names
from musicrel.chorale import REST, Chorale, Voice
from musicrel.errors import UsageError, prefixed
from musicrel.jobs import Job
from musicrel.language import tr
from musicrel.score import chord_markers
from musicrel.score.audio import audio_file
from musicrel.score.audio.metronome import Metronome
from musicrel.score.audio.mixer import Mix
from musicrel.score.midi import midi_writer
from musicrel.score.midi.midi_writer import Practice
from musicrel.score.performance import Style
from musicrel.score.verses import harmonies

# Suffix -> name of the formats.
KINDS: Final[Mapping[str, str]] = {
    ".mp3": tr("MP3 audio"), ".ogg": tr("Ogg Vorbis audio"), ".wav": tr("WAV audio"),
    ".mid": tr("MIDI file"),
}  # fmt: skip

SILENT: Final = tr("the {voice} has no notes")
NOBODY: Final = tr("no voice is left without the {voice}")
_SUFFIXES: Final = (*KINDS, ".midi")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sounding:
    """The sound of practice files, apart from the levels of the voices."""

    # instruments, pan, reverb and master volume; volume, mute and solo are replaced
    mix: Mix = field(default_factory=Mix)
    style: Style = field(default_factory=Style)  # tempo and fermatas
    # the metronome, and the count-in unless it is "never"
    beat: Metronome = field(default_factory=Metronome)


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeFiles:
    folder: Path
    title: str  # beginning of their names
    suffix: str  # the format, one of ``KINDS``
    versions: tuple[Practice, ...]
    all_verses: bool = False  # one after the other, each with its words
    sounding: Sounding = field(default_factory=Sounding)

    @classmethod
    def usual(cls, sounding: Sounding) -> Self:
        """Return audio that phones play, in which each voice in turn is louder."""
        versions = tuple(Practice(voice=voice) for voice in Voice)
        return cls(folder=Path(), title="", suffix=".mp3", versions=versions, sounding=sounding)

    @property
    def paths(self) -> tuple[Path, ...]:
        return tuple(
            self.folder / f"{self.title} – {version.name}{self.suffix}" for version in self.versions
        )

    def beside(self) -> PracticeFiles:
        """Return the request with a number after the title where one of the files exists."""

        def is_taken(title: str) -> bool:
            return any(path.exists() for path in replace(self, title=title).paths)

        return replace(self, title=file_names.numbered(self.title, is_taken))


@dataclass(frozen=True, slots=True)
class PracticeProgress:
    share: float
    path: Path


def audible(
    chorale: Chorale, versions: tuple[Practice, ...]
) -> tuple[tuple[Practice, ...], tuple[str, ...]]:
    """Return the versions that are not silent, and a sentence about each one that is."""
    reasons = {version: silence(chorale, version) for version in versions}
    if versions and all(reasons.values()):
        why = ", ".join(reasons.values())
        raise UsageError(tr("there is nothing to practise: {why}; choose another voice", why=why))
    left_out = [(version.name, reason) for version, reason in reasons.items() if reason]
    return (
        tuple(version for version in versions if not reasons[version]),
        tuple(
            tr("no file “{name}”: {reason}", name=name, reason=reason) for name, reason in left_out
        ),
    )


def silence(chorale: Chorale, version: Practice) -> str:
    """Return the reason why ``version`` is silent or has no voice to practise, or ""."""
    present = voices(chorale)
    if version.voice not in present:
        return SILENT.format(voice=version.voice.title)
    alone = version.kind == "left out" and len(present) == 1
    return NOBODY.format(voice=version.voice.title) if alone else ""


def voices(chorale: Chorale) -> tuple[Voice, ...]:
    return tuple(voice for voice in Voice if (chorale.pitches[:, voice] != REST).any())


def write(chorale: Chorale, wanted: PracticeFiles) -> Job[PracticeProgress, tuple[Path, ...]]:
    """Write practice files of ``chorale`` and return their paths.

    A job closed before its end leaves the files that are finished.
    """
    chorale = harmonies.in_order(chorale) if wanted.all_verses else chorale
    count = len(wanted.versions)
    for number, (version, path) in enumerate(zip(wanted.versions, wanted.paths, strict=True)):
        yield PracticeProgress(number / count, path)
        with prefixed(tr("{name} is not exported", name=path.name)):
            for share in write_one(chorale, path, version, wanted.sounding):
                yield PracticeProgress((number + share) / count, path)
    return wanted.paths


def write_one(
    chorale: Chorale, path: Path, version: Practice | None, sounding: Sounding
) -> Job[float, None]:
    """Write one practice file in the format of its suffix; None: all voices as mixed."""
    check_suffix(path)
    mix, style, beat = sounding.mix, sounding.style, sounding.beat
    if path.suffix.lower() in audio_file.SUFFIXES:
        balanced = mix if version is None else practice_mix(mix, version)
        yield from audio_file.write_job(chorale, path, mix=balanced, style=style, beat=beat)
        return
    midi_writer.write(
        chorale.at_tempo(chorale.tempo * style.tempo_factor),
        path,
        version,
        sound=mix.sounds,
        stretch_fermatas=style.fermata_stretch > 1,
        clicks=beat.on,
        count_in=beat.count_in != "never",
        markers=chord_markers.markers(chorale),
    )
    yield 1.0


def check_suffix(path: Path) -> None:
    if path.suffix.lower() not in _SUFFIXES:
        raise UsageError(
            tr(
                "{path} is neither audio nor MIDI: expected a name that ends in {suffixes} or "
                "{suffix}",
                path=path,
                suffixes=", ".join(_SUFFIXES[:-1]),
                suffix=_SUFFIXES[-1],
            )
        )


def practice_mix(mix: Mix, version: Practice) -> Mix:
    strips = zip(mix.strips, version.levels, strict=True)
    return replace(
        mix,
        strips=tuple(
            replace(strip, volume=level, mute=False, solo=False) for strip, level in strips
        ),
    )
