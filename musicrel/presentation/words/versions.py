"""Versions of this program and of what it runs on; importing this takes no torch."""

from __future__ import annotations

import platform
import tomllib
from importlib import util
from typing import Final

from musicrel import paths
from musicrel.language import tr

UNKNOWN: Final = tr("unknown")
NOT_INSTALLED: Final = tr("not installed")
# name -> the package that has its version
_PACKAGES: Final = {"torch": "torch", "Qt": "PySide6_Essentials"}


def versions() -> dict[str, str]:
    own = _version("musicrel")
    found = {"musicrel": own if own != UNKNOWN else _of_source_tree()}
    found["Python"] = platform.python_version()
    found |= {name: _version(package) for name, package in _PACKAGES.items()}
    return found if util.find_spec("torch") else found | {"torch": NOT_INSTALLED}


def _version(package: str) -> str:
    from importlib import metadata  # noqa: PLC0415  # it takes a moment

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return UNKNOWN


def _of_source_tree() -> str:
    """Return the version in ``pyproject.toml``, for a program that is not installed."""
    try:
        project = tomllib.loads((paths.assets().parent / "pyproject.toml").read_text("utf-8"))
        return str(project["project"]["version"])
    except (OSError, ValueError, KeyError):
        return UNKNOWN
