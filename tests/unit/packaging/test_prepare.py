"""The set-up: its steps, the system's libraries, and the count of skipped tests."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

PINS = "constraints.txt"
INSTALLED = f"--constraint {PINS} --editable .[soundfont]"
ABSENT = "libmusicrel-absent.so.7"
MISSING = ("libEGL.so.1", "libasound.so.2")


class FakeTools:
    def __init__(self, root: Path) -> None:
        self.environment = root / ".venv"
        self.done: list[str] = []
        self.compiled: list[str] = []
        self.pip_fails = self.programs_asked_for = False
        self.lacking: list[str] = []
        self.tried: tuple[str, ...] = ()

    def run(self, command: list[object], **_: object) -> None:
        words = [str(word) for word in command]
        if "venv" in words:
            self.done.append("new environment" if "--clear" in words else "environment")
            self._write_environment()
        elif words[2] in ("compileall", "musicrel.generation"):
            self.compiled.append(words[-1])
        else:
            self.done.append(" ".join(words[words.index("install") + 1 :]))
            if self.pip_fails:
                raise subprocess.CalledProcessError(2, words)

    def provide(self, tried: tuple[str, ...]) -> list[str]:
        self.tried = tried
        return self.lacking

    def provide_programs(self, tried: tuple[str, ...]) -> list[str]:
        self.programs_asked_for = True
        return [command for command in tried if command == "mscore3"]

    def _write_environment(self) -> None:
        python = self.environment / "bin" / "python"
        python.parent.mkdir(parents=True, exist_ok=True)
        python.touch()
        version = ".".join(map(str, sys.version_info[:3]))
        (self.environment / "pyvenv.cfg").write_text(f"home = x\nversion = {version}\n")


@pytest.fixture
def root(tmp_path: Path, prepare: ModuleType) -> Path:
    for name in prepare.INPUTS:
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return tmp_path / "project"


@pytest.fixture
def tools(root: Path, prepare: ModuleType, monkeypatch: pytest.MonkeyPatch) -> FakeTools:
    made = FakeTools(root)
    monkeypatch.setattr(prepare.subprocess, "run", made.run)
    monkeypatch.setattr(prepare.system_libraries, "provide", made.provide)
    monkeypatch.setattr(prepare.system_libraries, "provide_programs", made.provide_programs)
    monkeypatch.setattr(prepare, "ROOT", root)
    monkeypatch.setattr(prepare, "python_of", lambda place: place / "bin" / "python")
    return made


class FakeSystem:
    """A Debian that lacks libraries; ``fails``: installing them does not help."""

    def __init__(self, scripts: ModuleType) -> None:
        self.scripts = scripts
        self.sonames: tuple[str, ...] = ()
        self.root = self.fails = False
        self.installed: list[list[str]] = []

    def lacking(self) -> list[Any]:
        return [one for one in self.scripts.LIBRARIES if one.soname in self.sonames]

    def install(self, libraries: list[Any]) -> None:
        self.installed.append([one.soname for one in libraries])
        self.sonames = self.sonames if self.fails else ()


@pytest.fixture
def system(system_libraries: ModuleType, monkeypatch: pytest.MonkeyPatch) -> FakeSystem:
    made = FakeSystem(system_libraries)
    monkeypatch.setattr(system_libraries.sys, "platform", "linux")
    for name, function in (
        ("lacking", made.lacking),
        ("install", made.install),
        ("may_install", lambda: made.root),
        ("_has_apt", lambda: True),
        ("_is_known", lambda _: False),
    ):
        monkeypatch.setattr(system_libraries, name, function)
    return made


def test_the_first_call_makes_the_environment_and_installs_with_the_pins(
    prepare: ModuleType, tools: FakeTools
) -> None:
    assert prepare.main([]) == 0
    assert tools.done == ["new environment", INSTALLED]
    assert tools.compiled == ["musicrel", "musicrel.generation"]


def test_a_second_call_does_nothing(prepare: ModuleType, tools: FakeTools) -> None:
    prepare.main(["--dev"])
    tools.done.clear()
    for name in prepare.INPUTS:
        (prepare.ROOT / name).touch()
    assert prepare.main(["--dev"]) == prepare.main([]) == 0
    assert tools.done == []


def test_tests_after_a_run_only_add_the_tools(prepare: ModuleType, tools: FakeTools) -> None:
    """And the programs of slow tests, which are for developers."""
    prepare.main([])
    asked = [tools.programs_asked_for]
    tools.done.clear()
    prepare.main(["--dev"])
    assert [*asked, tools.programs_asked_for] == [False, True]
    prepare.main([])
    assert tools.done == [f"--constraint {PINS} --editable .[dev]"]


def test_a_changed_pin_is_installed_with_the_tools_that_were_there(
    prepare: ModuleType, tools: FakeTools, root: Path
) -> None:
    prepare.main(["--dev"])
    tools.done.clear()
    (root / PINS).write_text("numpy==2\n")
    prepare.main([])
    assert tools.done == [f"--constraint {PINS} --editable .[dev]"]


def test_an_interrupted_set_up_is_taken_up_again(
    prepare: ModuleType, tools: FakeTools, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each step is announced; a set-up that is complete prints nothing."""
    tools.pip_fails = True
    assert prepare.main([]) == 1
    first = capsys.readouterr()
    assert "pip install ... ended with exit code 2" in first.err
    assert first.out == f"{prepare.MAKING} ...\n{prepare.INSTALLING} ...\n"
    tools.done.clear()
    tools.pip_fails = False
    assert prepare.main([]) == 0
    assert tools.done == ["environment", INSTALLED]
    steps = prepare.AGAIN, prepare.INSTALLING, prepare.COMPILING
    assert capsys.readouterr().out == "".join(f"{step} ...\n" for step in steps)
    prepare.main([])
    assert capsys.readouterr().out == ""


def move(root: Path) -> None:
    note = root / ".venv" / "musicrel-setup.json"
    note.write_text(json.dumps(json.loads(note.read_text()) | {"place": "elsewhere"}))


def change_python(root: Path) -> None:
    (root / ".venv" / "pyvenv.cfg").write_text("version = 3.9.1\n")


@pytest.mark.parametrize("change", [move, change_python])
def test_a_moved_project_and_another_python_get_a_new_environment(
    prepare: ModuleType, tools: FakeTools, root: Path, change: Callable[[Path], None]
) -> None:
    prepare.main([])
    tools.done.clear()
    change(root)
    prepare.main([])
    assert tools.done[0] == "new environment"


def test_another_build_of_torch_gets_a_new_environment(
    prepare: ModuleType, tools: FakeTools
) -> None:
    """The build is taken from PyTorch's own index; later calls keep it."""
    prepare.main([])
    tools.done.clear()
    prepare.main(["--torch", "cpu"])
    prepare.main([])
    index = "--extra-index-url https://download.pytorch.org/whl/cpu"
    assert tools.done == ["new environment", f"{INSTALLED} {index}"]


def test_an_unknown_build_of_torch_is_refused(
    prepare: ModuleType, tools: FakeTools, capsys: pytest.CaptureFixture[str]
) -> None:
    """Wrong usage ends with code 2 before anything is done."""
    with pytest.raises(SystemExit, match="2"):
        prepare.main(["--torch", "https://example.org"])
    assert "expected cpu, xpu, or as in cu128" in capsys.readouterr().err
    assert tools.done == []


def test_libraries_that_could_not_be_had_are_remembered(
    prepare: ModuleType, tools: FakeTools
) -> None:
    tools.lacking = ["libEGL.so.1"]
    prepare.main([])
    prepare.main([])
    assert tools.tried == ("libEGL.so.1",)


def test_pins_hold_inside_the_builds_of_old_and_new_pips(
    prepare: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both variables name the file without its folder, whose path may have spaces."""
    monkeypatch.setenv("PIP_CONSTRAINT", "another.txt")
    names = prepare._pip_environment()
    assert names["PIP_CONSTRAINT"] == names["PIP_BUILD_CONSTRAINT"] == PINS


def test_an_old_python_is_refused_in_one_sentence(prepare: ModuleType) -> None:
    assert prepare.unsupported_python((3, 9)) == (
        "musicrel needs Python 3.11 or newer, but this is 3.9: name a newer one, "
        "as in make run PYTHON=python3.12"
    )


@pytest.mark.parametrize("absent", ["venv", "ensurepip", ""])
def test_a_python_without_venv_is_refused_with_the_line_to_type(
    prepare: ModuleType, absent: str
) -> None:
    reason = prepare.unsupported_python((3, 11), lambda name: None if name == absent else name)
    assert reason.endswith("run apt-get install python3-venv") == bool(absent)
    assert bool(reason) == bool(absent)


def test_every_pin_is_one_exact_version_without_a_build_or_a_path() -> None:
    """A pin as in torch==2.13.0+cpu would fit one kind of machine only."""
    root = Path(__file__).parents[3]
    lines = (root / PINS).read_text().splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert pins == sorted(pins)
    assert all(pin.count("==") == 1 and not set("+/@ ") & set(pin) for pin in pins)


@pytest.mark.skipif("sys.platform != 'linux'", reason="sonames are those of Linux")
def test_a_library_that_does_not_load_lacks(system_libraries: ModuleType) -> None:
    library = system_libraries.Library
    absent, there = library(ABSENT, ("libmusicrel-absent7",)), library("libc.so.6", ("libc6",))
    assert system_libraries.lacking([absent, there]) == [absent]
    assert len({one.soname for one in system_libraries.LIBRARIES}) == 20


def test_root_gets_what_lacks_installed(system: FakeSystem) -> None:
    system.sonames, system.root = MISSING, True
    assert system.scripts.provide() == []
    assert system.installed == [[*MISSING]]


def test_root_is_not_kept_waiting_twice_for_what_could_not_be_had(system: FakeSystem) -> None:
    """Libraries that an earlier call failed to install are reported, not tried again."""
    system.sonames, system.root, system.fails = MISSING[:1], True, True
    left = system.scripts.provide()
    assert system.scripts.provide(tried=left) == [*MISSING[:1]]
    assert len(system.installed) == 1


@pytest.mark.parametrize(("root", "missing"), [(False, MISSING), (True, ())])
def test_other_users_get_the_command_to_run_and_a_complete_system_is_left_alone(
    system: FakeSystem, capsys: pytest.CaptureFixture[str], root: bool, missing: tuple[str, ...]
) -> None:
    """One line with every package that lacks; nothing is installed."""
    system.sonames, system.root = missing, root
    assert system.scripts.provide() == [*missing]
    line = "sudo apt-get update && sudo apt-get install -y libegl1 libasound2"
    assert capsys.readouterr().err.splitlines()[-1:] == ([line] if missing else [])
    assert system.installed == []


def test_systems_without_apt_get_the_sonames(
    system_libraries: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system_libraries, "_has_apt", lambda: False)
    text = system_libraries.advice(system_libraries.LIBRARIES[:2])
    assert text == (
        "The system lacks libGL.so.1, libEGL.so.1: install the packages that hold them."
    )


@pytest.mark.parametrize(
    ("known", "chosen"), [(True, "libasound2t64"), (False, "libasound2")], ids=["newer", "older"]
)
def test_a_renamed_package_is_asked_for_by_the_name_the_release_knows(
    system_libraries: ModuleType, monkeypatch: pytest.MonkeyPatch, known: bool, chosen: str
) -> None:
    """Ubuntu 24.04 and Debian 13 have names ending in t64, Debian 12 has not."""
    monkeypatch.setattr(system_libraries, "_has_apt", lambda: True)
    monkeypatch.setattr(system_libraries, "_is_known", lambda _: known)
    assert system_libraries.advice(system_libraries.LIBRARIES[-1:]).endswith(f" {chosen}")


@pytest.mark.parametrize(("root", "tried"), [(True, ()), (True, ("mscore3",)), (False, ())])
def test_programs_of_slow_tests_are_installed_once_and_by_root_only(
    system_libraries: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    root: bool,
    tried: tuple[str, ...],
) -> None:
    """One that could not be installed is reported and not tried again."""
    installed: list[str] = []
    monkeypatch.setattr(system_libraries.sys, "platform", "linux")
    monkeypatch.setattr(system_libraries.shutil, "which", lambda _: None)
    monkeypatch.setattr(system_libraries, "may_install", lambda: root)
    monkeypatch.setattr(
        system_libraries, "install", lambda needed: installed.extend(one.command for one in needed)
    )

    assert system_libraries.provide_programs(tried) == (["mscore3"] if root else [])
    assert installed == (["mscore3"] if root and not tried else [])


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_only_linux_is_looked_at(
    system_libraries: ModuleType, monkeypatch: pytest.MonkeyPatch, platform: str
) -> None:
    monkeypatch.setattr(system_libraries.sys, "platform", platform)
    monkeypatch.setattr(system_libraries, "LIBRARIES", None)
    assert system_libraries.provide() == []


@pytest.mark.parametrize(
    ("reasons", "count"),
    [([], 0), (["Skipped: no shared data at ../shared/data", "Skipped: needs a GPU"], 1)],
)
def test_skips_for_missing_data_are_counted_apart(
    pytestconfig: pytest.Config, reasons: list[str], count: int
) -> None:
    hooks = pytestconfig.pluginmanager.get_plugin(str(Path(__file__).parents[2] / "conftest.py"))
    assert hooks is not None
    reports = [SimpleNamespace(longrepr=("test_jsb.py", 7, reason)) for reason in reasons]
    skipped = [*reports, SimpleNamespace(longrepr=None)]
    lines: list[str] = []

    hooks.pytest_terminal_summary(
        SimpleNamespace(stats={"skipped": skipped}, write_line=lines.append)
    )

    assert lines == [f"tests skipped because ../shared data is missing: {count}"]
