"""The bundle: what it may contain, and how the program starts itself from it."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from types import ModuleType

import pytest

from musicrel.experiment.runs import child_process
from musicrel.ui.jobs import kernel_compilation

WHOLE = (
    "musicrel/_assets/models/relative/model.safetensors",
    "musicrel/_assets/corpus/chorales.npz",
    "musicrel/_assets/docs/attention.md",
    "musicrel/_assets/docs/guide/README.md",
    "musicrel/_assets/manual/index.html",
    "musicrel/ui/app.py",
    "verovio/data/Bravura.xml",
    "torch/lib/libtorch_cpu.so",
    "PySide6/Qt/plugins/platforms/libqxcb.so",
    "PySide6/Qt/plugins/platforms/libqoffscreen.so",
)


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
        ("/usr/lib/x86_64-linux-gnu/libX11.so.6", True),
        ("/usr/lib64/libz.so.1", True),
        ("/usr/lib/x86_64-linux-gnu/libpython3.11.so.1.0", False),
        ("/usr/lib/python3.11/lib-dynload/_ssl.cpython-311-x86_64-linux-gnu.so", False),
        ("/home/me/env/lib/python3.11/site-packages/numpy.libs/libz.so.1", False),
    ],
)
def test_libraries_of_the_system_stay_the_systems(
    bundle_contents: ModuleType, source: str, is_left_out: bool
) -> None:
    """But Python's own library and those inside packages are bundled."""
    assert bundle_contents.is_left_out(source.rpartition("/")[2], source) is is_left_out


@pytest.mark.parametrize(
    "path", [*WHOLE, "musicrel/experiment/training/train.py", "torch/bin/torch_shm_manager"]
)
def test_what_the_program_uses_stays(bundle_contents: ModuleType, path: str) -> None:
    """The window, the models, training, and a program that torch looks for when it is imported."""
    assert not bundle_contents.is_left_out(path, f"/site-packages/{path}")


def test_a_whole_bundle_has_no_problem(bundle_contents: ModuleType) -> None:
    """It has a file of each required kind."""
    assert bundle_contents.problems(WHOLE) == []


def test_soundfonts_tests_and_runs_are_named(bundle_contents: ModuleType) -> None:
    """A bundle with one of them is not packed."""
    bad = ["fonts/a.sf2", "musicrel/tests/test_a.py", "runs/1/events.jsonl"]

    found = bundle_contents.problems([*WHOLE, *bad])

    assert found == [f"{path} must not be bundled" for path in bad]


def test_a_missing_part_is_named(bundle_contents: ModuleType) -> None:
    """Here the models are missing."""
    assert bundle_contents.problems(WHOLE[1:]) == [
        "no file matches musicrel/_assets/models/*/model.safetensors"
    ]


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
    """The executable stands outside of it."""
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
    ran: dict[str, tuple[Path | None, dict[str, str]]] = {}
    ran_words: list[str] = []

    def run(words: list[str], *, cwd: Path | None, env: dict[str, str], check: bool) -> None:
        assert check
        ran[" ".join(words[1:3])] = (cwd, env)
        ran_words.extend(words)

    monkeypatch.setattr(build_bundle.subprocess, "run", run)
    monkeypatch.setattr(build_bundle.build_wheel, "build", lambda kind, folder: folder / kind)
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")

    built = build_bundle.build(tmp_path / "out", tmp_path / "work", torch="", light=light)

    assert built == tmp_path / "out" / name
    assert list(ran)[:3] == ["-m venv", "-m pip", "-m PyInstaller"]
    assert any(word.startswith("torch") for word in ran_words) is not light
    assert ran_words[-1:] == (["--light"] if light else [str(built)])
    assert ran["-m PyInstaller"][0] == tmp_path / "work"
    assert all("PYTHONPATH" not in variables for _, variables in ran.values())


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
    """Studies and the compilation of the loops are the processes it starts of itself."""
    for command in (child_process.PROGRAM, kernel_compilation.COMMAND):
        assert command[:2] == (sys.executable, "-m")
        assert command[2] in start.MODULES
