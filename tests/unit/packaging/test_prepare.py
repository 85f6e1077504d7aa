"""The set-up: its steps in the first call, in the second, and after a change."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

PINS = "constraints.txt"


class FakeTools:
    """Replaces venv, pip and apt-get, and records their calls."""

    def __init__(self, root: Path) -> None:
        self.environment = root / ".venv"
        self.done: list[str] = []
        self.compiled = 0
        self.pip_fails = False
        self.lacking: list[str] = []
        self.tried: tuple[str, ...] = ()
        self.programs_asked_for = False

    def run(self, command: list[object], **_: object) -> None:
        """Replace subprocess.run."""
        words = [str(word) for word in command]
        if "venv" in words:
            self.done.append("new environment" if "--clear" in words else "environment")
            self._write_environment()
            return
        if "musicrel.generation" in words:
            self.compiled += 1
            return
        self.done.append(" ".join(words[words.index("install") + 1 :]))
        if self.pip_fails:
            raise subprocess.CalledProcessError(2, words)

    def provide(self, tried: tuple[str, ...]) -> list[str]:
        """Replace system_libraries.provide."""
        self.tried = tried
        return self.lacking

    def provide_programs(self, tried: tuple[str, ...]) -> list[str]:
        """Replace system_libraries.provide_programs."""
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
    """Return a folder with the files that determine the installation."""
    for name in prepare.INPUTS:
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return tmp_path / "project"


@pytest.fixture
def tools(root: Path, prepare: ModuleType, monkeypatch: pytest.MonkeyPatch) -> FakeTools:
    """Replace the real tools by fakes."""
    made = FakeTools(root)
    monkeypatch.setattr(prepare.subprocess, "run", made.run)
    monkeypatch.setattr(prepare.system_libraries, "provide", made.provide)
    monkeypatch.setattr(prepare.system_libraries, "provide_programs", made.provide_programs)
    monkeypatch.setattr(prepare, "ROOT", root)
    monkeypatch.setattr(prepare, "python_of", lambda place: place / "bin" / "python")
    return made


def test_the_first_call_makes_the_environment_and_installs_with_the_pins(
    prepare: ModuleType, tools: FakeTools
) -> None:
    """Users get what musicrel needs and no tools for developers."""
    assert prepare.main([]) == 0
    assert tools.done == ["new environment", f"--constraint {PINS} --editable .[soundfont]"]
    assert tools.compiled == 1


def test_a_second_call_does_nothing(prepare: ModuleType, tools: FakeTools) -> None:
    """No environment, no pip, for any file times."""
    prepare.main(["--dev"])
    tools.done.clear()
    for name in prepare.INPUTS:
        (prepare.ROOT / name).touch()
    assert prepare.main(["--dev"]) == prepare.main([]) == 0
    assert tools.done == []


def test_tests_after_a_run_only_add_the_tools(prepare: ModuleType, tools: FakeTools) -> None:
    """The environment stays, and so do the tools when the app is opened again."""
    prepare.main([])
    tools.done.clear()
    prepare.main(["--dev"])
    prepare.main([])
    assert tools.done == [f"--constraint {PINS} --editable .[dev]"]


@pytest.mark.parametrize(("arguments", "asked"), [([], False), (["--dev"], True)])
def test_programs_of_slow_tests_are_for_developers(
    prepare: ModuleType, tools: FakeTools, arguments: list[str], asked: bool
) -> None:
    """Users are not kept waiting for MuseScore."""
    prepare.main(arguments)

    assert tools.programs_asked_for == asked


def test_a_changed_pin_is_installed_with_the_tools_that_were_there(
    prepare: ModuleType, tools: FakeTools, root: Path
) -> None:
    """The content of the files counts, not their time."""
    prepare.main(["--dev"])
    tools.done.clear()
    (root / PINS).write_text("numpy==2\n")
    prepare.main([])
    assert tools.done == [f"--constraint {PINS} --editable .[dev]"]


def test_an_interrupted_set_up_is_taken_up_again(
    prepare: ModuleType, tools: FakeTools, capsys: pytest.CaptureFixture[str]
) -> None:
    """The failure is reported in a sentence and the existing environment is tried again."""
    tools.pip_fails = True
    assert prepare.main([]) == 1
    assert "pip install ... ended with exit code 2" in capsys.readouterr().err
    tools.done.clear()
    tools.pip_fails = False
    assert prepare.main([]) == 0
    assert tools.done == ["environment", f"--constraint {PINS} --editable .[soundfont]"]


def test_each_step_is_announced(
    prepare: ModuleType, tools: FakeTools, capsys: pytest.CaptureFixture[str]
) -> None:
    """An interrupted set-up is named as such; one that is complete prints nothing."""
    tools.pip_fails = True
    prepare.main([])
    first = capsys.readouterr().out
    tools.pip_fails = False
    prepare.main([])
    second = capsys.readouterr().out
    prepare.main([])

    assert first == f"{prepare.MAKING} ...\n{prepare.INSTALLING} ...\n"
    assert second == f"{prepare.AGAIN} ...\n{prepare.INSTALLING} ...\n{prepare.COMPILING} ...\n"
    assert capsys.readouterr().out == ""


def test_a_moved_project_gets_a_new_environment(
    prepare: ModuleType, tools: FakeTools, root: Path
) -> None:
    """An environment holds the path it was made at."""
    prepare.main([])
    tools.done.clear()
    note = root / ".venv" / "musicrel-setup.json"
    note.write_text(json.dumps(json.loads(note.read_text()) | {"place": "elsewhere"}))
    prepare.main([])
    assert tools.done[0] == "new environment"


def test_another_python_gets_a_new_environment(
    prepare: ModuleType, tools: FakeTools, root: Path
) -> None:
    """Packages built for one minor version do not serve another."""
    prepare.main([])
    tools.done.clear()
    (root / ".venv" / "pyvenv.cfg").write_text("version = 3.9.1\n")
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
    assert tools.done == [
        "new environment",
        f"--constraint {PINS} --editable .[soundfont] --extra-index-url https://download.pytorch.org/whl/cpu",
    ]


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
    """The next call reads the record and does not try again."""
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
    """The message names both versions and the command to run."""
    assert prepare.unsupported_python((3, 9)) == (
        "musicrel needs Python 3.11 or newer, but this is 3.9: name a newer one, "
        "as in make run PYTHON=python3.12"
    )


@pytest.mark.parametrize("absent", ["venv", "ensurepip"])
def test_a_python_without_venv_is_refused_with_the_line_to_type(
    prepare: ModuleType, absent: str
) -> None:
    """Debian has them in a separate package."""
    reason = prepare.unsupported_python((3, 11), lambda name: None if name == absent else name)
    assert reason.endswith("run apt-get install python3-venv")


def test_a_complete_python_is_fit(prepare: ModuleType) -> None:
    """The Python of this test run is complete."""
    assert prepare.unsupported_python((3, 11), lambda name: name) == ""


def test_every_pin_is_one_exact_version_without_a_build_or_a_path() -> None:
    """A pin as in torch==2.13.0+cpu would fit one kind of machine only."""
    root = Path(__file__).parents[3]
    lines = (root / PINS).read_text().splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert pins == sorted(pins)
    assert all(pin.count("==") == 1 and not set("+/@ ") & set(pin) for pin in pins)
