"""The system's libraries: detection, installation by root, advice for other users."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

ABSENT = "libmusicrel-absent.so.7"


class FakeSystem:
    """A Debian on which ``sonames`` do not load until apt-get installs their packages."""

    def __init__(self, scripts: ModuleType, sonames: tuple[str, ...], *, root: bool) -> None:
        self.scripts = scripts
        self.sonames = sonames
        self.root = root
        self.fails = False
        self.installed: list[list[str]] = []

    def lacking(self) -> list[object]:
        """Return those of the table that do not load."""
        return [one for one in self.scripts.LIBRARIES if one.soname in self.sonames]

    def install(self, libraries: list[object]) -> None:
        """Install, or fail, like apt-get."""
        self.installed.append([one.soname for one in libraries])  # type: ignore[attr-defined]
        self.sonames = self.sonames if self.fails else ()


@pytest.fixture
def system(
    system_libraries: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., FakeSystem]:
    """Return a factory of systems without the given sonames."""

    def make(*sonames: str, root: bool) -> FakeSystem:
        made = FakeSystem(system_libraries, sonames, root=root)
        monkeypatch.setattr(system_libraries.sys, "platform", "linux")
        monkeypatch.setattr(system_libraries, "lacking", made.lacking)
        monkeypatch.setattr(system_libraries, "install", made.install)
        monkeypatch.setattr(system_libraries, "may_install", lambda: made.root)
        monkeypatch.setattr(system_libraries, "_has_apt", lambda: True)
        monkeypatch.setattr(system_libraries, "_is_known", lambda _: False)
        return made

    return make


def test_a_library_that_does_not_load_lacks(system_libraries: ModuleType) -> None:
    """Only what the loader refuses is named, in the order of the table."""
    absent = system_libraries.Library(ABSENT, ("libmusicrel-absent7",))
    assert system_libraries.lacking([absent]) == [absent]


@pytest.mark.skipif("sys.platform != 'linux'", reason="sonames are those of Linux")
def test_a_library_that_loads_does_not_lack(system_libraries: ModuleType) -> None:
    """The C library is there wherever Python runs."""
    assert system_libraries.lacking([system_libraries.Library("libc.so.6", ("libc6",))]) == []


def test_each_library_stands_in_the_table_once(system_libraries: ModuleType) -> None:
    """Eight for Qt, ten for a window, two for sound."""
    assert len({one.soname for one in system_libraries.LIBRARIES}) == 20


def test_root_gets_what_lacks_installed(
    system_libraries: ModuleType, system: Callable[..., FakeSystem]
) -> None:
    """Only what lacks is installed, and afterwards nothing does."""
    made = system("libEGL.so.1", "libasound.so.2", root=True)
    assert system_libraries.provide() == []
    assert made.installed == [["libEGL.so.1", "libasound.so.2"]]


def test_root_is_not_kept_waiting_twice_for_what_could_not_be_had(
    system_libraries: ModuleType, system: Callable[..., FakeSystem]
) -> None:
    """Libraries that an earlier call failed to install are reported, not tried again."""
    made = system("libEGL.so.1", root=True)
    made.fails = True
    left = system_libraries.provide()
    assert system_libraries.provide(tried=left) == ["libEGL.so.1"]
    assert len(made.installed) == 1


def test_other_users_get_the_command_to_run(
    system_libraries: ModuleType,
    system: Callable[..., FakeSystem],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One line with every package that lacks; nothing is installed."""
    made = system("libEGL.so.1", "libasound.so.2", root=False)
    assert system_libraries.provide() == ["libEGL.so.1", "libasound.so.2"]
    line = "sudo apt-get update && sudo apt-get install -y libegl1 libasound2"
    assert capsys.readouterr().err.splitlines()[-1] == line
    assert made.installed == []


def test_a_complete_system_is_left_alone_in_silence(
    system_libraries: ModuleType,
    system: Callable[..., FakeSystem],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """No output and no apt-get if nothing is missing."""
    made = system(root=True)
    assert system_libraries.provide() == []
    assert capsys.readouterr() == ("", "")
    assert made.installed == []


def test_systems_without_apt_get_the_sonames(
    system_libraries: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Debian's package names mean nothing elsewhere, the sonames do."""
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
    """Qt's wheels for Windows and macOS bring everything with them."""
    monkeypatch.setattr(system_libraries.sys, "platform", platform)
    monkeypatch.setattr(system_libraries, "LIBRARIES", None)
    assert system_libraries.provide() == []
