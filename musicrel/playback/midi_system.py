"""The MIDI system of this computer, if there is one, and its ports.

Ports come from mido with python-rtmidi, which is an optional dependency.
"""

from __future__ import annotations

import importlib
import logging
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Literal

import mido

from musicrel.playback.audio import DeviceError

NO_SYSTEM: Final = "this computer offers no MIDI system, so there are no MIDI ports"
NOT_INSTALLED: Final = "MIDI ports need the package python-rtmidi: install musicrel[midi]"

_SEQUENCER: Final = Path("/dev/snd/seq")
_log = logging.getLogger(__name__)


def backend() -> Any:
    """Load mido's backend for the ports of this computer."""
    if sys.platform.startswith("linux") and not _SEQUENCER.exists():
        raise DeviceError(NO_SYSTEM)
    try:
        importlib.import_module("rtmidi")
    except ImportError as reason:
        raise DeviceError(NOT_INSTALLED) from reason
    return mido.Backend("mido.backends.rtmidi")


def ports(direction: Literal["input", "output"], nothing: str) -> tuple[list[str], str]:
    """List the names of the current ports; if there is none, give the reason in a sentence."""
    try:
        found = list(dict.fromkeys(getattr(backend(), f"get_{direction}_names")()))
    except DeviceError as reason:
        return [], str(reason)
    except Exception as reason:  # noqa: BLE001  # each system has its own errors
        _log.info("no MIDI system: %s", reason)
        return [], NO_SYSTEM
    return found, "" if found else nothing


def open_named(name: str, opener: Callable[[Any], Any]) -> Any:
    """Open the port ``name`` from the backend with ``opener``."""
    try:
        return opener(backend())
    except DeviceError:
        raise
    except Exception as reason:
        raise DeviceError(
            f"the MIDI port {name} does not open ({reason}): choose another, or close the program "
            "that uses it"
        ) from reason
