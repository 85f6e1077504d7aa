"""The set-up scripts as modules: they are no package and import each other as scripts."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest

_FOLDER = Path(__file__).parents[3] / "packaging"


@pytest.fixture
def prepare(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """packaging/prepare.py."""
    return script("prepare", monkeypatch)


@pytest.fixture
def system_libraries(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """packaging/system_libraries.py."""
    return script("system_libraries", monkeypatch)


@pytest.fixture
def distributions(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """packaging/distributions.py."""
    return script("distributions", monkeypatch)


@pytest.fixture
def sbom(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """packaging/sbom.py."""
    return script("sbom", monkeypatch)


@pytest.fixture
def bundle_contents(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """packaging/bundle_contents.py."""
    return script("bundle_contents", monkeypatch)


@pytest.fixture
def build_bundle(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """packaging/build_bundle.py."""
    return script("build_bundle", monkeypatch)


@pytest.fixture
def debian_package(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """packaging/debian_package.py."""
    return script("debian_package", monkeypatch)


@pytest.fixture
def build_docs(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """packaging/build_docs.py."""
    return script("build_docs", monkeypatch)


@pytest.fixture
def build_reference(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """packaging/build_reference.py."""
    return script("build_reference", monkeypatch)


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """packaging/bundle/start.py."""
    monkeypatch.syspath_prepend(str(_FOLDER / "bundle"))
    return importlib.import_module("start")


def script(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Import packaging/NAME.py."""
    monkeypatch.syspath_prepend(str(_FOLDER))
    return importlib.import_module(name)
