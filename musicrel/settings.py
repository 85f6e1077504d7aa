"""The app's settings, stored as TOML in the user's folder.

A damaged file, an unknown entry or a value of the wrong type never keeps the app from starting:
such entries fall back to their defaults.
"""

from __future__ import annotations

import logging
import tomllib
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final

import tomli_w

from musicrel import paths
from musicrel.errors import FileError

THEMES: Final = ("system", "light", "dark")
MAX_THREADS: Final = 256

_MAX_FILE_BYTES: Final = 100_000
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
        window: window geometry, Qt's bytes in base 64; "" for the default.
        rules: the enabled hard rules, as in "range,crossing".
        sound: the instrument of all voices, or those of S, A, T, B, as in "organ,piano,oboe,brass".
        soundfont: the chosen SoundFont, "" for the one inside pretty_midi.
        advanced: "shown" if the advanced part of the form is, else "hidden".
    """

    theme: str = "system"
    model: str = ""
    model_rewrite: str = ""
    device: str = "auto"
    save_folder: str = ""
    save_suffix: str = ".mid"
    takes: str = "shown"
    window: str = ""
    rules: str = "range"
    sound: str = "choir"
    soundfont: str = ""
    advanced: str = "hidden"


def file() -> Path:
    """Return the path of the settings file."""
    return paths.data() / "settings.toml"


def load() -> Settings:
    """Load the settings; entries that cannot be read have their defaults."""
    if not file().is_file():
        return Settings()
    try:
        text = paths.read_bytes(file(), limit=_MAX_FILE_BYTES).decode("utf-8")
        return _usable(tomllib.loads(text))
    except (FileError, UnicodeDecodeError, tomllib.TOMLDecodeError) as reason:
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
    if kept.get("theme") not in THEMES:
        kept.pop("theme", None)
    return Settings(**kept)
