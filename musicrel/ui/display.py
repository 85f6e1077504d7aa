"""Detection of a display; imports no Qt, so that the command line can use it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_PLATFORM: Final = "QT_QPA_PLATFORM"
_DISPLAYS: Final = ("WAYLAND_DISPLAY", "DISPLAY")
_VARIABLES: Final = (*_DISPLAYS, _PLATFORM)
# platform of Qt -> variable that names its display
_DISPLAY_OF: Final = MappingProxyType(
    {"xcb": "DISPLAY", "wayland": "WAYLAND_DISPLAY", "wayland-egl": "WAYLAND_DISPLAY"}
)
_BAD_PLATFORM: Final = (
    "the platform {name!r} of the variable {variable} does not work here: unset it"
)
_OR: Final = " or "
_BAD_DISPLAY: Final = (
    "the display {names} cannot be reached: check that it is running and that its libraries are "
    "installed"
)


def has_display(platform: str = sys.platform, environment: Mapping[str, str] | None = None) -> bool:
    """Return True if a window can be opened.

    On Linux, one of the environment variables of X11, Wayland or Qt has to be set; other systems
    always have a display.
    """
    if not platform.startswith("linux"):
        return True
    variables = os.environ if environment is None else environment
    return any(variables.get(name) for name in _VARIABLES)


def describe_failure(environment: Mapping[str, str] | None = None) -> str:
    """Describe why Qt found no display, and what to check."""
    variables = os.environ if environment is None else environment
    platform = variables.get(_PLATFORM, "")
    displays = (_DISPLAY_OF.get(platform, ""),) if platform else _DISPLAYS
    named = [f"{name}={variables[name]}" for name in displays if variables.get(name)]
    if platform and not named:
        return _BAD_PLATFORM.format(name=platform, variable=_PLATFORM)
    return _BAD_DISPLAY.format(names=_OR.join(named))
