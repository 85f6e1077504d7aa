"""The installed distributions that musicrel needs, with their licences.

Everything comes from the metadata that pip has installed and from pyproject.toml; nothing is
looked up elsewhere.
"""

from __future__ import annotations

import csv
import platform
import re
import sysconfig
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any, Final

from packaging.requirements import Requirement

ROOT: Final = Path(__file__).resolve().parent.parent
EXTRAS: Final = ("soundfont",)
"""Extras that set-up and bundles install."""
HEAVY: Final = ("torch",)
"""Dependencies that the light bundle goes without."""
TEXT_ELSEWHERE: Final[Mapping[str, str]] = MappingProxyType(
    {"pyside6-essentials": "verovio", "shiboken6": "verovio"}
)
"""Distribution without a licence text -> another that has the text of the same licence."""

_TEXT: Final = re.compile(r"(licen[cs]e|copying|notice)", re.IGNORECASE)
_CLASSIFIER: Final = "License :: "


class IncompleteError(Exception):
    """A needed distribution is missing or states no licence; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Component:
    """A part of the program that somebody else has written, or the program itself.

    Attributes:
        name: as on the registry, lower case with hyphens.
        version: the installed one.
        licence: an SPDX expression or the name in the metadata.
        is_expression: the licence is an SPDX expression.
        texts: name of a file -> its text, without those that repeat another.
        needs: names of the components it needs.
    """

    name: str
    version: str
    licence: str
    is_expression: bool
    texts: Mapping[str, str]
    needs: tuple[str, ...] = ()


def requirements(
    extras: Iterable[str] = EXTRAS, root: Path = ROOT, *, without: Collection[str] = ()
) -> list[str]:
    """Return the requirements in pyproject.toml, as pip reads them.

    Args:
        extras: of musicrel.
        root: the folder with pyproject.toml.
        without: names of distributions that are left out.
    """
    project = _project(root)
    optional = [line for extra in extras for line in project["optional-dependencies"][extra]]
    lines = [*project["dependencies"], *optional]
    return [line for line in lines if normal_name(Requirement(line).name) not in without]


def components(
    extras: Iterable[str] = EXTRAS, root: Path = ROOT, *, without: Collection[str] = ()
) -> list[Component]:
    """Return musicrel, Python, and all distributions that are needed, the latter by name.

    Args:
        extras: of musicrel.
        root: the folder with pyproject.toml.
        without: names of distributions that are left out, with what only they need.

    Raises:
        IncompleteError: one is not installed, or has no licence or no text of it.
    """
    project = _project(root)
    needs = tuple(sorted(_wanted(requirements(extras, root, without=without), ())))
    found: dict[str, Component] = {}
    for name, of_it in needs:
        _collect(name, of_it, found)
    own = Component(
        "musicrel",
        project["version"],
        project["license"],
        True,
        {str(path.relative_to(root)): path.read_text("utf-8") for path in _own_texts(root)},
        tuple(name for name, _ in needs),
    )
    return [own, _python(), *(found[name] for name in sorted(found))]


def _project(root: Path) -> dict[str, Any]:
    table: dict[str, Any] = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    return table


def normal_name(name: str) -> str:
    """Return the name of a distribution as registries compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _collect(name: str, extras: tuple[str, ...], found: dict[str, Component]) -> None:
    """Add a distribution and those it needs to ``found``."""
    if name in found:
        return
    try:
        installed = metadata.distribution(name)
    except metadata.PackageNotFoundError as reason:
        raise IncompleteError(f"{name} is needed but not installed: run make test once") from reason
    needs = sorted(_wanted(installed.requires or (), extras))
    found[name] = _component(name, installed, tuple(other for other, _ in needs))
    for other, of_it in needs:
        _collect(other, of_it, found)


def _wanted(lines: Iterable[str], extras: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield name and extras of the requirements that hold for this Python and system."""
    for requirement in map(Requirement, lines):
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield normal_name(requirement.name), tuple(sorted(requirement.extras))


def _component(name: str, installed: metadata.Distribution, needs: tuple[str, ...]) -> Component:
    expression = _field(installed.metadata, "License-Expression")
    licence = expression or _named_licence(installed.metadata)
    texts = _texts(TEXT_ELSEWHERE.get(name, name))
    if not licence or not texts:
        raise IncompleteError(f"{name} {installed.version} states no licence, or has no text of it")
    return Component(name, installed.version, licence, bool(expression), texts, needs)


def _named_licence(fields: metadata.PackageMetadata) -> str:
    """Return the licence of metadata without an expression; old ones may hold the whole text."""
    text = _field(fields, "License").strip()
    if text and "\n" not in text:
        return text
    classifiers = fields.get_all("Classifier") or []
    return " ".join(line.rpartition(" :: ")[2] for line in classifiers if _CLASSIFIER in line)


def _field(fields: metadata.PackageMetadata, name: str) -> str:
    return next(iter(fields.get_all(name) or ()), "")


def _texts(name: str) -> dict[str, str]:
    """Return the licence texts in the metadata of a distribution, each text once."""
    installed = metadata.distribution(name)
    by_text: dict[str, str] = {}
    for path in _metadata_files(installed):
        if _TEXT.search(path.name):
            text = Path(str(installed.locate_file(path))).read_text("utf-8", errors="replace")
            by_text.setdefault(text, _short(path))
    return {path: text for text, path in by_text.items()}


def _metadata_files(installed: metadata.Distribution) -> list[PurePosixPath]:
    """Return the files of the folder of metadata; ``files`` would take long for 20,000 others."""
    lines = (installed.read_text("RECORD") or "").splitlines()
    inside = [line for line in lines if ".dist-info/" in line]
    return sorted(PurePosixPath(row[0]) for row in csv.reader(inside))


def _short(path: PurePosixPath) -> str:
    """Return the path of a licence text below the folder of metadata."""
    inside = path.parts[1:]
    return "/".join(inside[1:] if inside[0] == "licenses" else inside)


def _own_texts(root: Path) -> list[Path]:
    return [root / "LICENSE", *sorted((root / "assets").glob("*/SOURCE.md"))]


def _python() -> Component:
    """Return the interpreter, which bundles contain."""
    text = Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"
    texts = {text.name: text.read_text("utf-8")} if text.is_file() else {}
    return Component("python", platform.python_version(), "PSF-2.0", True, texts)
