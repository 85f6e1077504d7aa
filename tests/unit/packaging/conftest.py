"""The set-up scripts as modules: they are no package and import each other as scripts."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

_FOLDER = Path(__file__).parents[3] / "packaging"


def script(name: str, monkeypatch: pytest.MonkeyPatch, folder: str = ".") -> ModuleType:
    monkeypatch.syspath_prepend(str(_FOLDER / folder))
    return importlib.import_module(name)


def _fixture(name: str, folder: str = ".") -> Any:
    @pytest.fixture(name=name)
    def module(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
        return script(name, monkeypatch, folder)

    return module


prepare = _fixture("prepare")
system_libraries = _fixture("system_libraries")
distributions = _fixture("distributions")
sbom = _fixture("sbom")
bundle_contents = _fixture("bundle_contents")
build_bundle = _fixture("build_bundle")
debian_package = _fixture("debian_package")
build_docs = _fixture("build_docs")
build_reference = _fixture("build_reference")
translations = _fixture("translations")
start = _fixture("start", "bundle")
