"""Set musicrel up beside its source: an environment, its packages, the system's libraries.

    python3 packaging/prepare.py [--dev] [--torch cpu]

Run by the system's own Python before anything is installed, so only the standard library is used
here. The completed steps are recorded in the environment; a second call reads the record and has
nothing to do.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import system_libraries

ROOT = Path(__file__).resolve().parent.parent
OLDEST_PYTHON = (3, 11)
INPUTS = ("pyproject.toml", "constraints.txt", "packaging/prepare.py")
TORCH_INDEX = "https://download.pytorch.org/whl/"

MAKING = "Set-up: making the environment .venv"
AGAIN = "Set-up: taking up the environment .venv, in which a set-up was interrupted"
INSTALLING = (
    "Set-up: installing packages from constraints.txt; finished downloads are kept in pip's cache"
)
COMPILING = "Set-up: compiling musicrel for this processor, once, for a minute or two"

_NOTE = "musicrel-setup.json"


class Note(NamedTuple):
    """The record of a set-up.

    Attributes:
        place: the folder of the project; an environment does not survive a move.
        content: SHA-256 over the files that determine the installation.
        dev: the tools for developers are installed too.
        torch: the requested build of torch, empty for the registry's own.
        lacking: sonames of system libraries, and commands, that could not be installed.
    """

    place: str
    content: str
    dev: bool
    torch: str
    lacking: tuple[str, ...] = ()


def main(arguments: Sequence[str] | None = None) -> int:
    """Do the remaining steps and return the exit code."""
    args = _parser().parse_args(arguments)
    problem = unsupported_python()
    if problem:
        print(problem, file=sys.stderr)
        return 1
    try:
        set_up(ROOT, dev=args.dev, torch=args.torch)
    except subprocess.CalledProcessError as failure:
        print(
            f"The set-up stopped: {' '.join(map(str, failure.cmd[:4]))} ... ended with exit code "
            f"{failure.returncode}; see its last lines above, then run the same command again.",
            file=sys.stderr,
        )
        return 1
    return 0


def unsupported_python(
    version: Sequence[int] = sys.version_info[:2],
    has_module: Callable[[str], object] = importlib.util.find_spec,
) -> str:
    """Return the reason why this Python cannot set musicrel up, in one sentence, or "".

    Args:
        version: its major and minor version number.
        has_module: finds a module by its name, or None.
    """
    if tuple(version) < OLDEST_PYTHON:
        return (
            f"musicrel needs Python {_dotted(OLDEST_PYTHON)} or newer, but this is "
            f"{_dotted(version)}: name a newer one, as in make run PYTHON=python3.12"
        )
    if not (has_module("venv") and has_module("ensurepip")):
        return (
            "this Python cannot create virtual environments, venv or ensurepip is missing: on "
            "Debian and Ubuntu run apt-get install python3-venv"
        )
    return ""


def set_up(root: Path, *, dev: bool, torch: str) -> None:
    """Bring ``.venv`` in ``root`` to the requested state, skipping completed steps.

    Args:
        root: the folder with pyproject.toml and constraints.txt.
        dev: install the tools for developers too; they are never removed.
        torch: a build of torch, as in ``cpu``; empty takes the installed one or the registry's.

    Raises:
        subprocess.CalledProcessError: the environment could not be created, or pip failed.
    """
    environment = root / ".venv"
    old = read_note(environment)
    keep = _is_usable(environment) and (old is None or _fits(old, root, torch))
    if not keep:
        old = None
    new = Note(
        place=str(root),
        content=_digest(root),
        dev=dev or bool(old and old.dev),
        torch=torch or (old.torch if old else ""),
        lacking=old.lacking if old else (),
    )
    if old is None:
        _say(AGAIN if keep else MAKING)
        _make_environment(environment, clear=not keep)
    if new != old:
        _say(INSTALLING)
        _install_packages(root, dev=new.dev, torch=new.torch)
        _say(COMPILING)
        _compile_step(root)
        _write_note(environment, new)
    lacking = tuple(system_libraries.provide(tried=new.lacking))
    if new.dev:
        lacking += tuple(system_libraries.provide_programs(tried=new.lacking))
    if lacking != new.lacking:
        _write_note(environment, new._replace(lacking=lacking))


def read_note(environment: Path) -> Note | None:
    """Read the record in ``environment``; None if it is missing or damaged."""
    try:
        values = json.loads((environment / _NOTE).read_text(encoding="utf-8"))
        return Note(**values)._replace(lacking=tuple(values["lacking"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None


def python_of(environment: Path) -> Path:
    """Return the interpreter of a virtual environment."""
    return environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _say(step: str) -> None:
    """Print a step before it begins, and before the output of the program that does it."""
    print(f"{step} ...", flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="prepare.py", description="Set musicrel up in .venv.")
    parser.add_argument("--dev", action="store_true", help="also install the developers' tools")
    parser.add_argument(
        "--torch",
        type=_torch_build,
        default="",
        metavar="BUILD",
        help="a build of torch instead of the registry's, as in cpu",
    )
    return parser


def _torch_build(text: str) -> str:
    if not re.fullmatch(r"|cpu|xpu|cu\d+|rocm[\d.]+", text):
        raise argparse.ArgumentTypeError(
            f"unknown build of torch {text!r}: expected cpu, xpu, or as in cu128 and rocm6.4"
        )
    return text


def _dotted(version: Sequence[int]) -> str:
    return ".".join(str(number) for number in version)


def _digest(root: Path) -> str:
    digest = hashlib.sha256()
    for name in INPUTS:
        digest.update((root / name).read_bytes())
    return digest.hexdigest()


def _is_usable(environment: Path) -> bool:
    """Return True if it has this Python version and its interpreter still exists."""
    try:
        written = (environment / "pyvenv.cfg").read_text(encoding="utf-8")
    except OSError:
        return False
    version = re.search(r"^version *= *(\d+\.\d+)", written, re.MULTILINE)
    made_alike = version is not None and version[1] == _dotted(sys.version_info[:2])
    return made_alike and python_of(environment).exists()


def _fits(note: Note, root: Path, torch: str) -> bool:
    return note.place == str(root) and torch in ("", note.torch)


def _make_environment(environment: Path, *, clear: bool) -> None:
    """Create the environment, or repair one whose creation was interrupted."""
    options = ["--clear"] if clear else []
    subprocess.run([sys.executable, "-m", "venv", *options, environment], check=True)


def _install_packages(root: Path, *, dev: bool, torch: str) -> None:
    command: list[str | Path] = [python_of(root / ".venv"), "-m", "pip", "install"]
    extras = "dev" if dev else "soundfont"
    command += ["--constraint", "constraints.txt", "--editable", f".[{extras}]"]
    if torch:
        command += ["--extra-index-url", TORCH_INDEX + torch]
    subprocess.run(command, cwd=root, env=_pip_environment(), stdin=subprocess.DEVNULL, check=True)


def _compile_step(root: Path) -> None:
    """Compile the modules and the loops of the models now; a failure costs only time."""
    python = python_of(root / ".venv")
    for words in (("compileall", "-q", "musicrel"), ("musicrel.generation",)):
        command = [python, "-m", *words]
        subprocess.run(command, cwd=root, stdin=subprocess.DEVNULL, check=False)


def _pip_environment() -> dict[str, str]:
    """Return the user's variables, with pins that also hold in pip's build environment.

    Older pips read the first variable there, newer ones the second. Both split at spaces, so the
    file is named relative to the working folder, which may have spaces in its path.
    """
    pins = {"PIP_CONSTRAINT": "constraints.txt", "PIP_BUILD_CONSTRAINT": "constraints.txt"}
    return {**os.environ, **pins, "PIP_USER": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def _write_note(environment: Path, note: Note) -> None:
    (environment / _NOTE).write_text(json.dumps(note._asdict()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
