"""Whether there is a screen to open a window on.

This file knows the environment; it imports no Qt, so that the command line may ask.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Final

_TELLS: Final = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


def has_display(platform: str = sys.platform, environment: Mapping[str, str] | None = None) -> bool:
    """Whether a window can be opened: on Linux where a variable says so, elsewhere always.

    Args:
        platform: as ``sys.platform`` names it.
        environment: the variables, None: those of this process.
    """
    if not platform.startswith("linux"):
        return True
    told = os.environ if environment is None else environment
    return any(told.get(name) for name in _TELLS)
