"""Freed memory goes back to the system."""

from __future__ import annotations

import ctypes

import pytest

from musicrel.ui.jobs import memory


def test_a_c_library_without_the_function_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as musl; glibc has it."""
    memory.give_back()
    memory.keep_together()
    monkeypatch.setattr(ctypes, "CDLL", lambda name: name)

    memory.give_back()
    memory.keep_together()
