"""Shared libraries that Qt and sound need from the system: detection and installation.

Measured on a bare Debian 12; wheels contain everything else. Programs that only tests use are
installed for developers, if permitted. Used by ``prepare.py`` before anything
is installed, so only the standard library is used here.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Collection, Sequence
from typing import NamedTuple


class Library(NamedTuple):
    """A shared library and the Debian or Ubuntu package that holds it.

    Attributes:
        soname: the name it is loaded by.
        packages: names of its package, the newest first; they differ between releases.
    """

    soname: str
    packages: tuple[str, ...]


class Program(NamedTuple):
    """A program and the Debian or Ubuntu package that holds it.

    Attributes:
        command: the name it is run by.
        packages: names of its package, the newest first.
    """

    command: str
    packages: tuple[str, ...]


LIBRARIES = (
    # Qt without a display
    Library("libGL.so.1", ("libgl1",)),
    Library("libEGL.so.1", ("libegl1",)),
    Library("libxkbcommon.so.0", ("libxkbcommon0",)),
    Library("libfontconfig.so.1", ("libfontconfig1",)),
    Library("libfreetype.so.6", ("libfreetype6",)),
    Library("libX11.so.6", ("libx11-6",)),
    Library("libglib-2.0.so.0", ("libglib2.0-0t64", "libglib2.0-0")),
    Library("libdbus-1.so.3", ("libdbus-1-3",)),
    # a real window
    Library("libxcb-cursor.so.0", ("libxcb-cursor0",)),
    Library("libxcb-icccm.so.4", ("libxcb-icccm4",)),
    Library("libxcb-image.so.0", ("libxcb-image0",)),
    Library("libxcb-keysyms.so.1", ("libxcb-keysyms1",)),
    Library("libxcb-randr.so.0", ("libxcb-randr0",)),
    Library("libxcb-render-util.so.0", ("libxcb-render-util0",)),
    Library("libxcb-shape.so.0", ("libxcb-shape0",)),
    Library("libxcb-xkb.so.1", ("libxcb-xkb1",)),
    Library("libxkbcommon-x11.so.0", ("libxkbcommon-x11-0",)),
    Library("libX11-xcb.so.1", ("libx11-xcb1",)),
    # sound
    Library("libfluidsynth.so.3", ("libfluidsynth3",)),
    Library("libasound.so.2", ("libasound2t64", "libasound2")),
)

INSTALLING = "Set-up: installing packages of the system: {names} ..."

TEST_PROGRAMS = (Program("mscore3", ("musescore3",)),)
"""Programs of slow tests, which are skipped without them.

MuseScore took 24 s and 173 MB on Debian 12.
"""

# In a process of its own: the loaded libraries stay out of the set-up, and a library that has
# just been installed is found.
_PROBE = """
import ctypes, sys
for soname in sys.argv[1:]:
    try:
        ctypes.CDLL(soname)
    except OSError:
        print(soname)
"""


def lacking(libraries: Sequence[Library] = LIBRARIES) -> list[Library]:
    """Return those of ``libraries`` that do not load here, in their order."""
    command = [sys.executable, "-c", _PROBE, *(library.soname for library in libraries)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    sonames = answer.stdout.split()
    return [library for library in libraries if library.soname in sonames]


def may_install() -> bool:
    """Return True if packages can be installed: as root, on Debian, Ubuntu or derivatives."""
    return os.geteuid() == 0 and _has_apt()


def install(needed: Sequence[Library | Program]) -> None:
    """Install the packages of ``needed`` with apt-get; check for failures with ``lacking``."""
    _apt_get("update")
    names = _package_names(needed)
    print(INSTALLING.format(names=" ".join(names)), flush=True)
    _apt_get("install", "-y", "--no-install-recommends", *names)


def advice(libraries: Sequence[Library]) -> str:
    """Return the advice for a user whose system lacks ``libraries``; its last line is a command."""
    sonames = ", ".join(library.soname for library in libraries)
    if not _has_apt():
        return f"The system lacks {sonames}: install the packages that hold them."
    names = " ".join(_package_names(libraries))
    return (
        "The system lacks libraries for windows or sound. To install them, run\n"
        f"sudo apt-get update && sudo apt-get install -y {names}"
    )


def provide(tried: Collection[str] = ()) -> list[str]:
    """Install the missing libraries if permitted, or print advice.

    Args:
        tried: sonames an earlier call has failed to install; they are not tried again.

    Returns:
        The sonames that still do not load.
    """
    if sys.platform != "linux":
        return []
    needed = lacking()
    if may_install() and any(library.soname not in tried for library in needed):
        install(needed)
        needed = lacking()
    if needed:
        print(advice(needed), file=sys.stderr)
    return [library.soname for library in needed]


def provide_programs(tried: Collection[str] = ()) -> list[str]:
    """Install the missing programs of slow tests if permitted.

    Args:
        tried: commands an earlier call has failed to install; they are not tried again.

    Returns:
        The commands that could not be installed.
    """
    if sys.platform != "linux" or not may_install():
        return []
    needed = [program for program in TEST_PROGRAMS if shutil.which(program.command) is None]
    if any(program.command not in tried for program in needed):
        install(needed)
    return [program.command for program in needed if shutil.which(program.command) is None]


def _has_apt() -> bool:
    return shutil.which("apt-get") is not None


def _apt_get(*arguments: str) -> None:
    # Wait for a running system update, and never prompt: the call may be unattended.
    command = ["apt-get", "-o", "DPkg::Lock::Timeout=120", *arguments]
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, check=False)


def _package_names(needed: Sequence[Library | Program]) -> list[str]:
    return [_known_name(one) for one in needed]


def _known_name(needed: Library | Program) -> str:
    """Return the first package name that this release has.

    Newer ones come first: for a renamed package the old name is virtual, and apt-get refuses to
    choose when several packages provide it.
    """
    *newer, oldest = needed.packages
    return next((name for name in newer if _is_known(name)), oldest)


def _is_known(package: str) -> bool:
    command = ["apt-cache", "show", "--no-all-versions", package]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    return f"Package: {package}\n" in answer.stdout
