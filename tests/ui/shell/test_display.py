"""Whether there is a screen."""

from __future__ import annotations

import pytest

from musicrel.ui.display import has_display


@pytest.mark.parametrize("name", ["DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"])
def test_linux_has_one_where_a_variable_says_so(name: str) -> None:
    """X11, Wayland, or a platform that was asked for."""
    assert has_display("linux", {name: "something"})


def test_linux_has_none_without_a_variable() -> None:
    """An empty variable is none."""
    assert not has_display("linux", {"DISPLAY": "", "HOME": "/"})


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_other_systems_always_have_one(platform: str) -> None:
    """There it is no variable that tells."""
    assert has_display(platform, {})


def test_this_process_is_asked_by_default() -> None:
    """The tests run on Qt's offscreen platform."""
    assert has_display()
