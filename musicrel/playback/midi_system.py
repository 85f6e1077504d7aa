"""The MIDI system of this computer, where there is one: which ports it has now.

Ports come from mido with python-rtmidi, which need not be installed. This file knows how the system
is reached and what is told where it is not; it knows nothing of what goes through a port.
"""

from __future__ import annotations

import importlib
import logging
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import mido

from musicrel.playback.audio import DeviceError

NO_SYSTEM: Final = "this computer offers no MIDI system, so there are no MIDI ports"
NOT_INSTALLED: Final = "MIDI ports need the package python-rtmidi: install musicrel[midi]"

_SEQUENCER: Final = Path("/dev/snd/seq")
_log = logging.getLogger(__name__)


def backend() -> Any:
    """Mido's way to the ports of this computer.

    Raises:
        DeviceError: there is none. ALSA is not even asked where it is missing: it would complain
            on the error stream.
    """
    if sys.platform.startswith("linux") and not _SEQUENCER.exists():
        raise DeviceError(NO_SYSTEM)
    try:
        importlib.import_module("rtmidi")
    except ImportError as reason:
        raise DeviceError(NOT_INSTALLED) from reason
    return mido.Backend("mido.backends.rtmidi")


def ports(names: Callable[[Any], list[str]], nothing: str) -> tuple[list[str], str]:
    """The names of the ports there are now; where there is none, a sentence that says why.

    Args:
        names: asks the backend for those of one direction.
        nothing: what is said of a system that has none of them.
    """
    try:
        found = list(dict.fromkeys(names(backend())))
    except DeviceError as reason:
        return [], str(reason)
    except Exception as reason:  # noqa: BLE001  # each system has errors of its own
        _log.info("no MIDI system: %s", reason)
        return [], NO_SYSTEM
    return found, "" if found else nothing


def opened(name: str, way: Callable[[Any], Any]) -> Any:
    """The port called ``name``, opened by ``way`` from the backend.

    Raises:
        DeviceError: it is not there, or another program has it for itself.
    """
    try:
        return way(backend())
    except DeviceError:
        raise
    except Exception as reason:
        raise DeviceError(
            f"the MIDI port {name} does not open ({reason}): choose another, or close the program "
            "that uses it"
        ) from reason
