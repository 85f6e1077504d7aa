"""The bundle and the package for Debian: what they contain, and how the program starts."""

from __future__ import annotations

import configparser
import gzip
import runpy
import shutil
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree as ET

import pytest

from musicrel.cli.main import COMMANDS
from musicrel.experiment.runs import child_process
from musicrel.project.project_file import ProjectFile
from musicrel.ui.jobs import generation_service

WHOLE = (
    "musicrel/_assets/models/relative/model.safetensors",
    "musicrel/_assets/corpus/chorales.npz",
    "musicrel/_assets/docs/attention.md",
    "musicrel/_assets/docs/guide/README.md",
    "musicrel/_assets/manual/index.html",
    "musicrel/figures/study.html",
    "musicrel/ui/app.py",
    "verovio/data/Bravura.xml",
    "pyphen/dictionaries/hyph_en_US.dic",
    "torch/lib/libtorch_cpu.so",
    "PySide6/Qt/plugins/platforms/libqxcb.so",
    "PySide6/Qt/plugins/platforms/libqoffscreen.so",
)

FOLDER = Path(__file__).parents[3] / "packaging" / "bundle"

needs_dpkg = pytest.mark.skipif(
    shutil.which("dpkg-deb") is None, reason="Debian's tools are missing"
)

SPACE = "{http://www.freedesktop.org/standards/shared-mime-info}"


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    folder = tmp_path / "musicrel"
    (folder / "_internal").mkdir(parents=True)
    (folder / "musicrel").write_text("#!/bin/sh\n", "utf-8")
    (folder / "musicrel").chmod(0o755)
    (folder / "_internal" / "base.txt").write_text("x" * 4096, "utf-8")
    (folder / "THIRD-PARTY-LICENSES.txt").write_text("Terms.\n", "utf-8")
    return folder


def dpkg(option: str, package: Path) -> str:
    return subprocess.run(
        ["dpkg-deb", option, package], capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.parametrize(
    "path",
    [
        "pretty_midi/TimGM6mb.sf2",
        "torch/include/ATen/ATen.h",
        "torch/bin/test_api",
        "torch/bin/protoc",
        "torch/test/test_torch",
        "torch/lib/libjitbackend_test.so",
        "PySide6/Qt/lib/libQt6Quick.so.6",
        "libQt6EglFSDeviceIntegration.so.6",
        "PySide6/Qt/qml/QtQuick/qmldir",
        "PySide6/QtCore.pyi",
    ],
)
def test_what_the_program_does_not_use_is_left_out(bundle_contents: ModuleType, path: str) -> None:
    """The SoundFont of pretty_midi is under the GPL; the rest is for developers, or QML."""
    assert bundle_contents.is_left_out(path, f"/site-packages/{path}")


@pytest.mark.parametrize(
    ("source", "is_left_out"),
    [
        ("/lib/x86_64-linux-gnu/libssl.so.3", True),
        ("/usr/lib64/libz.so.1", True),
        ("/usr/lib/x86_64-linux-gnu/libpython3.11.so.1.0", False),
        ("/usr/lib/python3.11/lib-dynload/_ssl.cpython-311-x86_64-linux-gnu.so", False),
        ("/home/me/env/lib/python3.11/site-packages/numpy.libs/libz.so.1", False),
    ],
)
def test_libraries_of_the_system_stay_the_systems(
    bundle_contents: ModuleType, source: str, is_left_out: bool
) -> None:
    assert bundle_contents.is_left_out(source.rpartition("/")[2], source) is is_left_out


@pytest.mark.parametrize(
    "path", [*WHOLE, "musicrel/experiment/training/train.py", "torch/bin/torch_shm_manager"]
)
def test_what_the_program_uses_stays(bundle_contents: ModuleType, path: str) -> None:
    assert not bundle_contents.is_left_out(path, f"/site-packages/{path}")


def test_soundfonts_tests_and_runs_are_named(bundle_contents: ModuleType) -> None:
    bad = ["fonts/a.sf2", "musicrel/tests/test_a.py", "runs/1/events.jsonl"]

    assert bundle_contents.problems(WHOLE) == []
    found = bundle_contents.problems([*WHOLE, *bad])
    assert found == [f"{path} must not be bundled" for path in bad]


@pytest.mark.parametrize(
    ("part", "pattern"),
    [
        (WHOLE[0], "musicrel/_assets/models/*/model.safetensors"),
        ("musicrel/figures/study.html", "musicrel/figures/study.html"),  # no report without it
    ],
)
def test_a_missing_part_is_named(bundle_contents: ModuleType, part: str, pattern: str) -> None:
    rest = [path for path in WHOLE if path != part]

    assert bundle_contents.problems(rest) == [f"no file matches {pattern}"]


@pytest.mark.parametrize("path", ["torch/lib/libtorch_cpu.so", "torch-2.13.0.dist-info/METADATA"])
def test_a_light_bundle_has_nothing_of_torch(bundle_contents: ModuleType, path: str) -> None:
    """Everything else that the full one needs is needed."""
    light = [one for one in WHOLE if not one.startswith("torch")]

    assert bundle_contents.problems(light, light=True) == []
    assert bundle_contents.problems(light) == ["no file matches torch/lib/libtorch_cpu.so"]
    assert bundle_contents.problems([*light, path], light=True) == [f"{path} must not be bundled"]


def test_files_are_listed_below_the_folder_of_files(
    build_bundle: ModuleType, tmp_path: Path
) -> None:
    inside = tmp_path / "_internal" / "torch"
    inside.mkdir(parents=True)
    (inside / "version.py").touch()
    (tmp_path / "musicrel").touch()

    assert build_bundle.files(tmp_path) == ["torch/version.py"]


@pytest.mark.parametrize(("light", "name"), [(False, "musicrel"), (True, "musicrel-light")])
def test_the_installed_program_is_bundled_not_the_source_beside_it(
    build_bundle: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    light: bool,
    name: str,
) -> None:
    """PyInstaller runs elsewhere, and no variable leads it to other modules."""
    ran: list[tuple[list[str], Path | None]] = []

    def run(words: list[str], *, cwd: Path | None, env: dict[str, str], check: bool) -> None:
        assert check
        assert "PYTHONPATH" not in env
        ran.append((words, cwd))

    monkeypatch.setattr(build_bundle.subprocess, "run", run)
    monkeypatch.setattr(build_bundle.build_wheel, "build", lambda kind, folder: folder / kind)
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")

    built = build_bundle.build(tmp_path / "out", tmp_path / "work", torch="", light=light)

    assert built == tmp_path / "out" / name
    steps = [words[1:3] for words, _ in ran]
    assert [steps[0], steps[1], steps[3]] == [["-m", one] for one in ("venv", "pip", "PyInstaller")]
    assert any(word.startswith("torch") for words, _ in ran for word in words) is not light
    assert ran[-1][0][-1:] == (["--light"] if light else [str(built)])
    assert ran[3][1] == tmp_path / "work"


@pytest.mark.parametrize(
    ("words", "module", "rest"),
    [
        ([], "musicrel", []),
        (["generate", "--bars", "2"], "musicrel", ["generate", "--bars", "2"]),
        (["-m", "musicrel", "train"], "musicrel", ["train"]),
        (["-m", "musicrel.generation"], "musicrel.generation", []),
        (["-m", "antigravity"], "musicrel", ["-m", "antigravity"]),
    ],
)
def test_the_executable_runs_modules_as_python_does(
    start: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    module: str,
    rest: list[str],
) -> None:
    """Only those that the program starts; other words reach the program, which refuses them."""
    ran: list[tuple[str, list[str]]] = []

    def run_module(name: str, **_: object) -> None:
        ran.append((name, sys.argv[1:]))

    monkeypatch.setattr(runpy, "run_module", run_module)
    monkeypatch.setattr(sys, "argv", ["musicrel", *words])

    start.main()

    assert ran == [(module, rest)]


def test_the_program_starts_no_other_modules(start: ModuleType) -> None:
    for command in (child_process.PROGRAM, generation_service.COMMAND):
        assert command[:2] == (sys.executable, "-m")
        assert command[2] in start.MODULES


@needs_dpkg
def test_the_package_installs_program_menu_entry_icon_and_file_type(
    debian_package: ModuleType, bundle: Path, tmp_path: Path
) -> None:
    """It states its version and size, and is the same when it is built again."""
    package = debian_package.build(bundle, tmp_path, "1.2.3")
    (tmp_path / "again").mkdir()
    again = debian_package.build(bundle, tmp_path / "again", "1.2.3")
    listed = [line for line in dpkg("--contents", package).splitlines() if line[0] != "d"]
    files = {line.split()[5]: line for line in listed}
    fields = dpkg("--field", package)

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
    assert package.name.startswith("musicrel_1.2.3_")
    assert "\nVersion: 1.2.3\n" in fields
    (size,) = (line for line in fields.splitlines() if line.startswith("Installed-Size: "))
    assert int(size.split()[1]) >= 4


@needs_dpkg
def test_the_light_package_takes_the_place_of_the_full_one(
    debian_package: ModuleType, bundle: Path, tmp_path: Path
) -> None:
    """Both have the same files; its description lists what the full one adds."""
    package = debian_package.build(bundle, tmp_path, "1.2.3", light=True)
    fields = dpkg("--field", package)

    assert package.name.startswith("musicrel-light_1.2.3_")
    assert "\nConflicts: musicrel\nReplaces: musicrel\n" in fields
    assert "The\n package musicrel needs twice the room, for torch," in fields
    assert max(map(len, fields.partition("Description")[2].splitlines())) <= 80


def test_the_package_needs_the_libraries_of_the_set_up(
    debian_package: ModuleType, system_libraries: ModuleType
) -> None:
    needed = debian_package.depends().split(", ")

    assert needed[0].startswith("libc6 (>= ")
    assert "libglib2.0-0t64 | libglib2.0-0" in needed
    assert "libsqlite3-0" in needed
    libraries = len(system_libraries.LIBRARIES) + len(debian_package.OF_PYTHON)
    assert len(needed) == len(set(needed)) == 1 + libraries


def test_the_manual_page_lists_all_commands(debian_package: ModuleType) -> None:
    debian_pages = debian_package.debian_pages
    manual = gzip.decompress(debian_pages.manual("1.2.3")).decode()
    changelog = gzip.decompress(debian_pages.changelog("musicrel", "1.2.3", 1_580_601_600)).decode()

    assert all(f".B {name}\n{summary}\n" in manual for name, summary in COMMANDS.items())
    assert changelog.startswith("musicrel (1.2.3) stable;")
    assert changelog.endswith(">  Sun, 02 Feb 2020 00:00:00 +0000\n")


def test_the_menu_entry_opens_projects(debian_package: ModuleType) -> None:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment, method-assign]  # keys have capitals
    parser.read(FOLDER / "musicrel.desktop", "utf-8")
    entry = parser["Desktop Entry"]

    assert entry["Exec"] == "musicrel %f"
    assert "application/x-musicrel" in entry["MimeType"].split(";")
    assert f"apps/{entry['Icon']}.svg" in " ".join(debian_package._FILES.values())


def test_a_project_has_the_file_type(tmp_path: Path) -> None:
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
