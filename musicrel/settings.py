"""The app's settings, stored as TOML in the user's folder.

A damaged file, an unknown entry or a value of the wrong type never keeps the app from starting:
such entries fall back to their defaults.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final

import tomli_w

from musicrel import bounds, paths, untrusted
from musicrel.errors import DataError, FileError, UsageError

THEMES: Final = ("system", "light", "dark")
DEVICES: Final = ("auto", "cpu", "cuda", "mps")  # devices that models compute on
TEXT_SIZES: Final = ("90", "100", "110", "125", "150")  # sizes of all texts in percent
MOTIONS: Final = ("full", "reduced")
"""Movement on the screen: all of it, or a playhead that moves from beat to beat."""
AT_START: Final = ("new", "last")
"""Documents to begin with: an empty one, or the one that was open last."""
MARKS_AFTER_EDIT: Final = "edited"
MARKS_SHOWN: Final = "shown"
MARKS_HIDDEN: Final = "hidden"
MARKS: Final = (MARKS_AFTER_EDIT, MARKS_SHOWN, MARKS_HIDDEN)
"""Choices for marking rule violations: from the first edit by hand, always, never."""
NUMERALS_SHOWN: Final = "shown"
NUMERALS_HIDDEN: Final = "hidden"
MAX_THREADS: Final = int(bounds.BOUNDS["threads"].high)

_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "theme": THEMES,
    "device": DEVICES,
    "text_size": TEXT_SIZES,
    "motion": MOTIONS,
    "at_start": AT_START,
    "marks": MARKS,
    "metronome": ("on", "off"),
    "count_in": ("never", "start", "always"),
    "midi_fermatas": ("held", "written"),
    "numerals": (NUMERALS_SHOWN, NUMERALS_HIDDEN),
    "first_steps": ("", "shown", "hidden"),
}
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The stored choices.

    Attributes:
        theme: one of ``THEMES``.
        model: name of the model chosen for new pieces, "" for the default.
        model_rewrite: name of the model chosen for rewriting, "" for the default.
        device: the device models compute on: auto, cpu, cuda or mps.
        save_folder: the folder of the last save, "" for the user's documents.
        save_suffix: the file type of the last save, with its dot.
        takes: "shown" or "hidden", the strip of takes.
        marks: of rule violations, one of ``MARKS``.
        numerals: "shown" or "hidden", the Roman numerals.
        window: window geometry, Qt's bytes in base 64; "" for the default.
        rules: the enabled hard rules, as in "range,crossing".
        sound: the instrument of all voices, or those of S, A, T, B, as in "organ,piano,oboe,brass".
        soundfont: the chosen SoundFont, "" for the one inside pretty_midi.
        metronome: "on" or "off".
        click_level: volume of the metronome in percent.
        count_in: when a bar is counted in: never, start or always.
        midi_fermatas: "held" or "written", in exported MIDI files.
        advanced: "shown" if the advanced part of the form is, else "hidden".
        text_size: one of ``TEXT_SIZES``.
        motion: one of ``MOTIONS``.
        threads: number of threads that models compute with, 1 to ``MAX_THREADS``.
        audio_device: name of the device for sound, "" for the one of the system.
        export_folder: the folder to export to, "" for the one of the last save.
        export_suffix: the file type to export, with its dot, "" for the one of the last export.
        at_start: one of ``AT_START``.
        first_steps: "shown" or "hidden", the offers on the empty sheet; "" before the first piece.
    """

    theme: str = "system"
    model: str = ""
    model_rewrite: str = ""
    device: str = "auto"
    save_folder: str = ""
    save_suffix: str = ".mid"
    takes: str = "shown"
    marks: str = MARKS_AFTER_EDIT
    numerals: str = NUMERALS_HIDDEN
    window: str = ""
    rules: str = "range"
    sound: str = "choir"
    soundfont: str = ""
    metronome: str = "off"
    click_level: str = "100"
    count_in: str = "never"
    midi_fermatas: str = "written"
    advanced: str = "hidden"
    text_size: str = "100"
    motion: str = "full"
    threads: str = "1"
    audio_device: str = ""
    export_folder: str = ""
    export_suffix: str = ""
    at_start: str = "new"
    first_steps: str = ""


def file() -> Path:
    """Return the path of the settings file."""
    return paths.data() / "settings.toml"


def load() -> Settings:
    """Load the settings; entries that cannot be read have their defaults."""
    if not file().is_file():
        return Settings()
    try:
        return _usable(untrusted.parse_toml(untrusted.read(file(), "settings")))
    except (FileError, DataError) as reason:
        _log.warning(
            "the settings in %s are not readable, the defaults are used: %s", file(), reason
        )
        return Settings()


def save(settings: Settings) -> None:
    """Store ``settings``.

    Raises:
        FileError: the user's folder is not writable.
    """
    paths.write_text(file(), tomli_w.dumps(asdict(settings)))


def _usable(values: dict[str, Any]) -> Settings:
    """Select the usable entries of ``values``; all of them are text."""
    known = {entry.name for entry in fields(Settings)}
    kept = {name: value for name, value in values.items() if name in known}
    kept = {name: value for name, value in kept.items() if isinstance(value, str)}
    return Settings(**{name: value for name, value in kept.items() if _is_valid(name, value)})


def _is_valid(name: str, value: str) -> bool:
    """Return True unless ``value`` is none of the few that an entry can have."""
    if name in ("threads", "click_level"):
        with contextlib.suppress(UsageError):
            bounds.parse(name, value)
            return True
        return False
    return value in _CHOICES.get(name, (value,))
