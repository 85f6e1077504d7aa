"""Versions of the program and of what it runs on."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

import pytest

from musicrel import paths
from musicrel.model import processor
from musicrel.presentation.words.versions import NOT_INSTALLED, UNKNOWN, versions


def test_versions_are_those_of_the_installed_packages() -> None:
    """The program comes first."""
    found = versions()

    assert list(found) == ["musicrel", "Python", "torch", "Qt"]
    assert found["torch"] == metadata.version("torch")


def test_the_light_package_has_no_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its version is not unknown: there is none."""
    monkeypatch.setattr(processor, "has_torch", lambda: False)

    assert versions()["torch"] == NOT_INSTALLED


def test_a_package_without_metadata_has_no_version(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The program's own is then that of the source tree, if it is there."""

    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)

    assert versions()["torch"] == UNKNOWN
    assert versions()["musicrel"][0].isdigit()
    monkeypatch.setattr(paths, "assets", lambda: tmp_path / "assets")
    assert versions()["musicrel"] == UNKNOWN
