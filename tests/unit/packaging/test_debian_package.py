"""The package for Debian: its files, its dependencies, and the file type of projects."""

from __future__ import annotations

import configparser
import gzip
import shutil
import subprocess
from fnmatch import fnmatch
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree as ET

import pytest

from musicrel.cli.main import COMMANDS
from musicrel.project.project_file import ProjectFile

FOLDER = Path(__file__).parents[3] / "packaging" / "bundle"
SPACE = "{http://www.freedesktop.org/standards/shared-mime-info}"


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """Return a bundle of two files and the licences."""
    folder = tmp_path / "musicrel"
    (folder / "_internal").mkdir(parents=True)
    (folder / "musicrel").write_text("#!/bin/sh\n", "utf-8")
    (folder / "musicrel").chmod(0o755)
    (folder / "_internal" / "base.txt").write_text("x" * 4096, "utf-8")
    (folder / "THIRD-PARTY-LICENSES.txt").write_text("Terms.\n", "utf-8")
    return folder


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="Debian's tools are missing")
def test_the_package_installs_program_menu_entry_icon_and_file_type(
    debian_package: ModuleType, bundle: Path, tmp_path: Path
) -> None:
    """All files belong to root, and two builds are the same."""
    package = debian_package.build(bundle, tmp_path, "1.2.3")
    (tmp_path / "again").mkdir()
    again = debian_package.build(bundle, tmp_path / "again", "1.2.3")
    listed = subprocess.run(
        ["dpkg-deb", "--contents", package], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    files = {line.split()[5]: line for line in listed if not line.startswith("d")}

    assert set(files) == {
        "./usr/bin/musicrel",
        "./usr/lib/musicrel/musicrel",
        "./usr/lib/musicrel/_internal/base.txt",
        "./usr/lib/musicrel/THIRD-PARTY-LICENSES.txt",
        "./usr/share/applications/musicrel.desktop",
        "./usr/share/doc/musicrel/changelog.gz",
        "./usr/share/doc/musicrel/copyright",
        "./usr/share/icons/hicolor/scalable/apps/musicrel.svg",
        "./usr/share/man/man1/musicrel.1.gz",
        "./usr/share/mime/packages/musicrel.xml",
    }
    assert files["./usr/bin/musicrel"].endswith("-> ../lib/musicrel/musicrel")
    assert files["./usr/lib/musicrel/musicrel"].startswith("-rwxr-xr-x root/root")
    assert again.read_bytes() == package.read_bytes()


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="Debian's tools are missing")
def test_the_package_states_version_and_size(
    debian_package: ModuleType, bundle: Path, tmp_path: Path
) -> None:
    """Its size is in kilobytes."""
    package = debian_package.build(bundle, tmp_path, "1.2.3")
    fields = subprocess.run(
        ["dpkg-deb", "--field", package], capture_output=True, text=True, check=True
    ).stdout

    assert package.name.startswith("musicrel_1.2.3_")
    assert "\nVersion: 1.2.3\n" in fields
    (size,) = (line for line in fields.splitlines() if line.startswith("Installed-Size: "))
    assert int(size.split()[1]) >= 4


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="Debian's tools are missing")
def test_the_light_package_takes_the_place_of_the_full_one(
    debian_package: ModuleType, bundle: Path, tmp_path: Path
) -> None:
    """Both have the same files; its description lists what the full one adds."""
    package = debian_package.build(bundle, tmp_path, "1.2.3", light=True)
    fields = subprocess.run(
        ["dpkg-deb", "--field", package], capture_output=True, text=True, check=True
    ).stdout

    assert package.name.startswith("musicrel-light_1.2.3_")
    assert "\nConflicts: musicrel\nReplaces: musicrel\n" in fields
    assert "The\n package musicrel needs twice the room, for torch," in fields
    assert max(map(len, fields.partition("Description")[2].splitlines())) <= 80


def test_the_package_needs_the_libraries_of_the_set_up(
    debian_package: ModuleType, system_libraries: ModuleType
) -> None:
    """Of a package with two names either will do."""
    needed = debian_package.depends().split(", ")

    assert needed[0].startswith("libc6 (>= ")
    assert "libglib2.0-0t64 | libglib2.0-0" in needed
    assert "libsqlite3-0" in needed
    libraries = len(system_libraries.LIBRARIES) + len(debian_package.OF_PYTHON)
    assert len(needed) == len(set(needed)) == 1 + libraries


def test_the_manual_page_lists_all_commands(debian_package: ModuleType) -> None:
    """The changelog of the package states version and time in Debian's format."""
    debian_pages = debian_package.debian_pages
    manual = gzip.decompress(debian_pages.manual("1.2.3")).decode()
    changelog = gzip.decompress(debian_pages.changelog("musicrel", "1.2.3", 1_580_601_600)).decode()

    assert all(f".B {name}\n{summary}\n" in manual for name, summary in COMMANDS.items())
    assert changelog.startswith("musicrel (1.2.3) stable;")
    assert changelog.endswith(">  Sun, 02 Feb 2020 00:00:00 +0000\n")


def test_the_menu_entry_opens_projects(debian_package: ModuleType) -> None:
    """Its icon is the one that the package installs."""
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment, method-assign]  # keys have capitals
    parser.read(FOLDER / "musicrel.desktop", "utf-8")
    entry = parser["Desktop Entry"]

    assert entry["Exec"] == "musicrel %f"
    assert "application/x-musicrel" in entry["MimeType"].split(";")
    assert f"apps/{entry['Icon']}.svg" in " ".join(debian_package._FILES.values())


def test_a_project_has_the_file_type(tmp_path: Path) -> None:
    """By its suffix, and by the mark that every project has in its head."""
    project = tmp_path / "piece.musicrel"
    ProjectFile.create(project).close()
    description = ET.parse(FOLDER / "musicrel-mime.xml")  # noqa: S314  # our own file
    kind = description.getroot().find(f"{SPACE}mime-type")
    assert kind is not None
    matches = kind.findall(f".//{SPACE}match")
    content = project.read_bytes()

    assert [match.get("value") for match in matches] == ["SQLite format 3", "MREL"]
    for match in matches:
        assert content[int(match.get("offset", "")) :].startswith(match.get("value", "").encode())
    (pattern,) = (glob.get("pattern", "") for glob in kind.findall(f"{SPACE}glob"))
    assert fnmatch(project.name, pattern)
