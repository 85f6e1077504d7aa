"""What the app remembers from one start to the next, as TOML in the user's own folder.

A damaged file, an unknown entry or a value of the wrong kind never keeps the app from starting:
what cannot be used falls back to its default. This file knows values; it knows nothing of windows.
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
MOST_THREADS: Final = 256

_LARGEST_FILE: Final = 100_000
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The remembered choices.

    Attributes:
        theme: one of ``THEMES``.
        model: name of the model chosen last, "" for the first one.
        device: where models compute: auto, cpu, cuda or mps.
        save_folder: where a piece was saved last, "" for the user's own documents.
        save_suffix: the kind of file it was saved as, with its dot.
        window: place and size of the window, as Qt tells it in base 64; "" for the usual.
        rules: the hard rules that are on, as in "range,crossing".
    """

    theme: str = "system"
    model: str = ""
    device: str = "auto"
    save_folder: str = ""
    save_suffix: str = ".mid"
    window: str = ""
    rules: str = "range"


def file() -> Path:
    """Where the settings lie."""
    return paths.data() / "settings.toml"


def load() -> Settings:
    """The remembered settings; the defaults for whatever cannot be read."""
    if not file().is_file():
        return Settings()
    try:
        text = paths.read_bytes(file(), limit=_LARGEST_FILE).decode("utf-8")
        return _usable(tomllib.loads(text))
    except (FileError, UnicodeDecodeError, tomllib.TOMLDecodeError) as reason:
        _log.warning(
            "the settings in %s are not readable, the defaults are used: %s", file(), reason
        )
        return Settings()


def save(settings: Settings) -> None:
    """Remember ``settings``.

    Raises:
        FileError: the user's folder cannot be written.
    """
    paths.write_text(file(), tomli_w.dumps(asdict(settings)))


def _usable(values: dict[str, Any]) -> Settings:
    """The settings that ``values`` hold; all of them are text."""
    known = {entry.name for entry in fields(Settings)}
    kept = {name: value for name, value in values.items() if name in known}
    kept = {name: value for name, value in kept.items() if isinstance(value, str)}
    if kept.get("theme") not in THEMES:
        kept.pop("theme", None)
    return Settings(**kept)
