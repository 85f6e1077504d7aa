"""Detection of a display."""

from __future__ import annotations

import pytest

from musicrel.ui.display import has_display


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
