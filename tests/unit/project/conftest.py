"""A project on disk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from musicrel.project.project_file import ProjectFile
from tests.helpers.projects import full_contents


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "projects").mkdir()
    return tmp_path / "projects" / "Piece.musicrel"


@pytest.fixture
def project(path: Path) -> Iterator[ProjectFile]:
    project = ProjectFile.create(path, full_contents())
    yield project
    project.close()
