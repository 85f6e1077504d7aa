"""Detection of a display."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from musicrel.ui.display import describe_failure, has_display


@pytest.mark.parametrize("name", ["DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"])
def test_linux_has_a_display_if_a_variable_is_set(name: str) -> None:
    """X11, Wayland, or an explicit Qt platform."""
    assert has_display("linux", {name: "something"})


def test_linux_has_no_display_without_a_variable() -> None:
    """An empty variable counts as unset."""
    assert not has_display("linux", {"DISPLAY": "", "HOME": "/"})


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_other_systems_always_have_a_display(platform: str) -> None:
    """They need no variable."""
    assert has_display(platform, {})


def test_default_is_the_environment_of_this_process() -> None:
    """The tests run on Qt's offscreen platform."""
    assert has_display()


def test_a_failure_names_the_display_or_the_platform() -> None:
    """The platform decides if it is set; else both displays are tried."""
    displays = {"DISPLAY": ":7", "WAYLAND_DISPLAY": "wayland-0"}

    assert describe_failure(displays).startswith(
        "the display WAYLAND_DISPLAY=wayland-0 or DISPLAY=:7 cannot be reached: check"
    )
    assert "platform 'xbc' of the variable QT_QPA_PLATFORM" in describe_failure(
        displays | {"QT_QPA_PLATFORM": "xbc"}
    )


@pytest.mark.parametrize(
    ("platform", "named"), [("xcb", "DISPLAY=:7"), ("wayland", "WAYLAND_DISPLAY=wayland-0")]
)
def test_the_display_of_a_platform_is_named(platform: str, named: str) -> None:
    """Without its variable the platform is named: it cannot work."""
    displays = {"DISPLAY": ":7", "WAYLAND_DISPLAY": "wayland-0"}
    chosen = {"QT_QPA_PLATFORM": platform}

    assert describe_failure(displays | chosen).startswith(f"the display {named} cannot be reached")
    assert f"the platform '{platform}' of the variable" in describe_failure(chosen)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have one display")
@pytest.mark.parametrize(
    ("variable", "value"), [("DISPLAY", ":4242"), ("QT_QPA_PLATFORM", "banana")]
)
def test_without_a_usable_display_one_sentence_is_printed(
    variable: str, value: str, tmp_path: Path
) -> None:
    """The process exits with 1, where Qt would abort it."""
    without = {name: text for name, text in os.environ.items() if not _names_a_display(name)}
    answer = subprocess.run(
        [sys.executable, "-m", "musicrel"],
        env={**without, variable: value, "MUSICREL_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert answer.returncode == 1
    assert answer.stdout == ""
    assert answer.stderr.startswith("musicrel: cannot open a window: the ")
    assert value in answer.stderr
    assert answer.stderr.count("\n") == 1


def _names_a_display(name: str) -> bool:
    return name in {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}
