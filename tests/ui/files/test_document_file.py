"""The file of a document with its writes, without a window."""

from __future__ import annotations

import gc
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from musicrel.errors import FileError
from musicrel.presentation.compose.form import Form
from musicrel.project.project_file import ProjectFile
from musicrel.ui.document.document import Document
from musicrel.ui.files import session, window_record
from musicrel.ui.files.document_file import DocumentFile
from musicrel.ui.files.session import Session
from tests.helpers.projects import full_contents
from tests.ui.files.conftest import contents_of

pytestmark = pytest.mark.usefixtures("home", "qapp")


class Silence:
    """A mixer without settings."""

    def values(self) -> dict[str, Any]:
        """Return nothing."""
        return {}

    def restore(self, values: Mapping[str, Any]) -> str:
        """Do nothing."""
        del values
        return ""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project."""
    ProjectFile.create(tmp_path / "hymn.musicrel", full_contents()).close()
    return tmp_path / "hymn.musicrel"


def open_document(path: Path) -> tuple[Document, DocumentFile]:
    """Open a project."""
    document = Document()
    file = DocumentFile(document, Silence())
    assert file.show(session.open_project(path)) == ()
    return document, file


def restore_and_crash(*, edited: bool = False) -> None:
    """Restore the only document that is left, then lose it with the locks of its process."""
    (identity,) = window_record.orphans()
    document = Document()
    file = DocumentFile(document, Silence())
    opened = session.recover(identity)
    assert opened is not None
    file.show(opened)
    if edited:
        document.takes.rate(1, 2)
        file.write_rest()


def test_untitled_document_that_makes_the_app_crash_is_restored_twice_at_most() -> None:
    """An edit starts to count again; then it is archived."""
    untitled = Session()
    untitled.write(full_contents(), saved=False)
    untitled.leave()
    for edited in (False, True, False, False):
        restore_and_crash(edited=edited)
        gc.collect()

    with pytest.raises(FileError, match="has ended twice with"):
        restore_and_crash()
    assert window_record.orphans() == []


def test_last_state_is_written_though_a_write_has_failed(project: Path, tmp_path: Path) -> None:
    """The form is no unsaved work, but it is in the project that is closed."""
    document, file = open_document(project)
    moved = project.rename(tmp_path / "moved.musicrel")
    document.set_form(replace(Form(), seed=99))
    file.write()
    moved.rename(project)
    assert document.saved
    assert file.close() == ""

    assert contents_of(project)["form"].seed == 99
