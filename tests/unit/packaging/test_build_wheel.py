"""The wheel and the source archive: what they contain, and that the same source gives the same."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from types import ModuleType

import pytest

from musicrel import paths
from tests.unit.packaging.conftest import script

SUFFIXES = {
    *(".py", ".c"),  # the package; the C loop is a benchmark
    *(".safetensors", ".json", ".npz", ".toml", ".svg"),  # models, corpus, recipes, icons
    *(".md", ".html", ".png", ".mid", ".musicxml", ".csv"),  # guides
    ".ts",  # translations
}
ASSETS = {"corpus", "icons", "languages", "melodies", "models", "recipes", "studies"}
SOURCE_FOLDERS = {"musicrel", "assets", "docs", "packaging"}
SOURCE_FILES = {
    *("CHANGELOG.md", "CONTRIBUTING.md", "README.md", "LICENSE", "Makefile", "PKG-INFO"),
    *("pyproject.toml", "constraints.txt", ".gitignore"),
}


@pytest.fixture(scope="module")
def build_wheel() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        yield script("build_wheel", patch)


@pytest.fixture(scope="module")
def wheel(build_wheel: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(build_wheel.build("wheel", tmp_path_factory.mktemp("wheel")))


def test_the_wheel_has_the_package_its_models_and_its_guides_only(wheel: Path) -> None:
    """No SoundFont, no test, no training run: every suffix and every folder is known."""
    names = [PurePosixPath(name) for name in zipfile.ZipFile(wheel).namelist()]
    installed = [name for name in names if not name.parts[0].endswith(".dist-info")]

    assert {name.parts[0] for name in installed} == {"musicrel"}
    assert {name.suffix for name in installed} <= SUFFIXES
    weights = [name.parent for name in installed if name.name == "model.safetensors"]
    assert {folder.name for folder in weights} == {
        path.name for path in (paths.assets() / "models").iterdir()
    }
    shipped = {name.parts[2] for name in installed if name.parts[1] == "_assets"}
    assert shipped == ASSETS | {"docs", "manual"}
    assert sorted(names) == sorted(set(names))


def test_the_wheel_carries_the_terms_of_the_chorales(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()

    licences = {name.partition(".dist-info/licenses/")[2] for name in names} - {""}
    assert licences == {"LICENSE", "assets/corpus/SOURCE.md", "assets/melodies/SOURCE.md"}


def test_the_source_archive_builds_the_same_wheel(
    build_wheel: ModuleType, wheel: Path, tmp_path: Path
) -> None:
    """It is whole without tests and experiments; times of files do not matter."""
    with tarfile.open(build_wheel.build("sdist", tmp_path)) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = (path for path in tmp_path.glob("musicrel-*") if path.is_dir())
    os.utime(source / "musicrel" / "__init__.py", (1e9, 1e9))

    assert {path.name for path in source.iterdir()} == SOURCE_FOLDERS | SOURCE_FILES
    again = build_wheel.build("wheel", tmp_path / "again", source)
    assert again.read_bytes() == wheel.read_bytes()


def test_an_installed_wheel_writes_with_its_own_models(wheel: Path, tmp_path: Path) -> None:
    """Its command runs without compiled loops; the packages it needs are those of these tests."""
    venv.create(tmp_path / "venv")
    programs = tmp_path / "venv" / "bin"
    pip = [sys.executable, "-m", "pip", "--python", str(programs / "python"), "install", "--quiet"]
    subprocess.run([*pip, "--no-deps", "--no-index", str(wheel)], check=True)
    (packages,) = (tmp_path / "venv").rglob("site-packages")
    (packages / "needed.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    outside = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    outside["MUSICREL_KERNEL"] = "off"

    def musicrel(*words: str) -> str:
        command = [str(programs / "musicrel"), *words]
        answer = subprocess.run(
            command, cwd=tmp_path, env=outside, capture_output=True, text=True, check=False
        )
        assert answer.returncode == 0, answer.stderr
        return answer.stdout

    musicrel("generate", "--bars", "1", "--quality", "draft", "--out", "piece.mid")

    assert (tmp_path / "piece.mid").read_bytes().startswith(b"MThd")
    assert str(packages / "musicrel" / "_assets" / "models" / "relative") in musicrel("verify")
