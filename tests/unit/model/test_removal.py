"""Removal of models, and their return."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path

import pytest

from musicrel.errors import FileError, ModelError
from musicrel.model import catalogue, removal
from tests.helpers.models import tiny_model_directory


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the user's folder, empty."""
    monkeypatch.setenv("MUSICREL_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_a_removed_model_is_kept_and_comes_back(home: Path) -> None:
    """Bit for bit, under its name."""
    folder = tiny_model_directory(home / "models" / "mine")
    before = {file.name: file.read_bytes() for file in folder.iterdir()}

    removed = removal.remove(folder)

    assert not folder.exists()
    assert removed.folder.parent == home / "trash" / "models"
    assert removal.restore(removed) == "mine"
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


def test_two_removed_models_may_have_had_the_same_name(home: Path) -> None:
    """Each comes back; the second gets a number."""
    removed = [removal.remove(tiny_model_directory(home / "models" / "mine")) for _ in range(2)]

    assert [removal.restore(one) for one in removed] == ["mine", "mine-2"]


def test_a_shipped_model_stays() -> None:
    """The sentence has the reason."""
    with pytest.raises(ModelError, match="vanilla belongs to musicrel and cannot be removed"):
        removal.remove(catalogue.find("vanilla"))


def test_only_the_folder_of_a_model_is_removed(home: Path, tmp_path: Path) -> None:
    """Neither another folder nor a model elsewhere."""
    (home / "models" / "notes").mkdir(parents=True)

    for folder in (home / "models" / "notes", tiny_model_directory(tmp_path / "elsewhere")):
        with pytest.raises(ModelError, match="nothing was removed"):
            removal.remove(folder)


def test_a_folder_that_cannot_be_moved_is_a_sentence(home: Path) -> None:
    """Nothing changes."""
    folder = tiny_model_directory(home / "models" / "mine")
    (home / "trash").write_text("a file where the trash should be")

    with pytest.raises(FileError, match=r"cannot move .* close programs that use the folder"):
        removal.remove(folder)
    assert folder.is_dir()


def not_here(*_: Path) -> Path:
    """Refuse to rename to another disk."""
    raise OSError(errno.EXDEV, "Invalid cross-device link")


def test_a_link_to_a_model_is_moved_as_a_link(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The model it leads to stays."""
    model = tiny_model_directory(tmp_path / "elsewhere")
    (home / "models").mkdir(parents=True)
    (home / "models" / "mine").symlink_to(model)
    monkeypatch.setattr(Path, "rename", not_here)

    removed = removal.remove(home / "models" / "mine")

    assert removed.folder.is_symlink()
    assert (model / "card.json").is_file()
    assert removal.restore(removed) == "mine"


def test_a_failed_move_to_another_disk_changes_nothing(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a copy is removed."""
    folder = tiny_model_directory(home / "models" / "mine")
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    monkeypatch.setattr(Path, "rename", not_here)

    def full(*_: Path, **__: bool) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(shutil, "copy2", full)

    with pytest.raises(FileError, match="the disk is full; make room on it"):
        removal.remove(folder)
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before
    assert list((home / "trash" / "models").iterdir()) == []
