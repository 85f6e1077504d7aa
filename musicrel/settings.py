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
SHEETS: Final = ("roll", "staves", "parts")
"""Sheets of new windows: the piano roll, or the score on two staves or on four."""
MARKS_AFTER_EDIT: Final = "edited"
MARKS_SHOWN: Final = "shown"
MARKS_HIDDEN: Final = "hidden"
MARKS: Final = (MARKS_AFTER_EDIT, MARKS_SHOWN, MARKS_HIDDEN)
"""Choices for marking rule violations: from the first edit by hand, always, never."""
NUMERALS_SHOWN: Final = "shown"
NUMERALS_HIDDEN: Final = "hidden"
AUTO: Final = "auto"
MAX_CORES: Final = int(bounds.BOUNDS["threads"].high)

_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "theme": THEMES,
    "device": DEVICES,
    "text_size": TEXT_SIZES,
    "motion": MOTIONS,
    "at_start": AT_START,
    "sheet": SHEETS,
    "marks": MARKS,
    "metronome": ("on", "off"),
    "count_in": ("never", "start", "always"),
    "midi_fermatas": ("held", "written"),
    "midi_markers": ("on", "off"),
    "repeat_signs": ("on", "off"),
    "numerals": (NUMERALS_SHOWN, NUMERALS_HIDDEN),
    "figures": ("shown", "hidden"),
    "first_steps": ("", "shown", "hidden"),
}
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The stored choices."""

    theme: str = "system"  # one of ``THEMES``
    language: str = "system"  # of the window, as "de", or the one of the system
    model: str = ""  # name of the model chosen for new pieces, "" for the default
    model_rewrite: str = ""  # name of the model chosen for rewriting, "" for the default
    device: str = "auto"  # the device models compute on: auto, cpu, cuda or mps
    save_folder: str = ""  # the folder of the last save, "" for the user's documents
    save_suffix: str = ".mid"  # the file type of the last save, with its dot
    # "shown" or "hidden", the cards of takes and the mixer; the earlier entry ``takes`` was "shown"
    # in everybody's file and is not read
    cards: str = "hidden"
    mixer: str = "hidden"
    columns: str = "hidden"  # "shown" or "hidden", the numbers of candidates and their weights
    marks: str = MARKS_AFTER_EDIT  # of rule violations, one of ``MARKS``
    numerals: str = NUMERALS_HIDDEN  # "shown" or "hidden", the Roman numerals
    figures: str = "hidden"  # "shown" or "hidden", the figured bass of scores
    window: str = ""  # window geometry, Qt's bytes in base 64; "" for the default
    rules: str = "range"  # the enabled hard rules, as in "range,crossing"
    sound: str = "choir"  # instrument of all voices, or of each, as in "organ,piano,oboe,brass"
    soundfont: str = ""  # the chosen SoundFont, "" for the one inside pretty_midi
    metronome: str = "off"  # "on" or "off"
    click_level: str = "100"  # volume of the metronome in percent
    count_in: str = "never"  # when a bar is counted in: never, start or always
    midi_fermatas: str = "written"  # "held" or "written", in exported MIDI files
    midi_markers: str = "off"  # "on" or "off", chords and phrases in exported MIDI files
    repeat_signs: str = "off"  # "on" or "off", in printed and exported scores
    advanced: str = "hidden"  # "shown" if the advanced part of the form is, else "hidden"
    text_size: str = "100"  # one of ``TEXT_SIZES``
    motion: str = "full"  # one of ``MOTIONS``
    # number of processor cores that models compute on, or ``AUTO``, all; the earlier entry
    # ``threads`` was "1" in everybody's file and is not read
    cores: str = AUTO
    audio_device: str = ""  # name of the device for sound, "" for the one of the system
    export_folder: str = ""  # the folder to export to, "" for the one of the last save
    export_suffix: str = ""  # the file type to export, with its dot, "" for the last one
    at_start: str = "new"  # one of ``AT_START``
    keys: str = ""  # changed shortcuts, a line each, as in "generate=Ctrl+J"; without keys: none
    sheet: str = "roll"  # one of ``SHEETS``
    first_steps: str = ""  # offers on the empty sheet: "shown", "hidden", or "" before a piece


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
    """Store ``settings``."""
    paths.write_text(file(), tomli_w.dumps(asdict(settings)))


def _usable(values: dict[str, Any]) -> Settings:
    """Select the usable entries of ``values``; all of them are text."""
    known = {entry.name for entry in fields(Settings)}
    kept = {name: value for name, value in values.items() if name in known}
    kept = {name: value for name, value in kept.items() if isinstance(value, str)}
    return Settings(**{name: value for name, value in kept.items() if _is_valid(name, value)})


def _is_valid(name: str, value: str) -> bool:
    """Return True unless ``value`` is none of the few that an entry can have."""
    if name == "cores" and value == AUTO:
        return True
    if name in ("cores", "click_level"):
        with contextlib.suppress(UsageError):
            bounds.parse("threads" if name == "cores" else name, value)
            return True
        return False
    return value in _CHOICES.get(name, (value,))
