"""Detection of a display; imports no Qt, so that the command line can use it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Final

_VARIABLES: Final = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


def has_display(platform: str = sys.platform, environment: Mapping[str, str] | None = None) -> bool:
    """Return True if a window can be opened.

    On Linux, one of the environment variables of X11, Wayland or Qt has to be set; other systems
    always have a display.

    Args:
        platform: a value of ``sys.platform``.
        environment: the environment variables; None: those of this process.
    """
    if not platform.startswith("linux"):
        return True
    variables = os.environ if environment is None else environment
    return any(variables.get(name) for name in _VARIABLES)
