"""Files of models that are not trusted: pipes, links, and archives of a rare kind."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

from musicrel.errors import FileError, ModelError
from musicrel.model import model_files
from tests.helpers.models import tiny_model_directory


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """Return a model folder."""
    return tiny_model_directory(tmp_path / "downloads" / "tiny")


def zipped(folder: Path, method: int) -> Path:
    """Pack the files of a folder into an archive beside it."""
    target = folder.with_suffix(".zip")
    with zipfile.ZipFile(target, "w", method) as archive:
        for file in sorted(folder.iterdir()):
            archive.write(file, f"tiny/{file.name}")
    return target


@pytest.mark.skipif(os.name == "nt", reason="Windows has no named pipes in folders")
@pytest.mark.parametrize("file", ["model.safetensors", "card.json"])
def test_pipes_are_not_read(model: Path, file: str) -> None:
    """They would block, also one that appears after the check."""
    files = model_files.find(model)
    (model / file).unlink()
    os.mkfifo(model / file)

    with pytest.raises(ModelError, match=r"is a link to another folder, or no file|holds no model"):
        model_files.find(model)
    with pytest.raises(ModelError, match=f"{file} in .* is a link to another folder, or no file"):
        next(files.chunks(file))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no named pipes in folders")
def test_a_pipe_is_no_archive(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "model.zip")

    with pytest.raises(ModelError, match="expected a folder or a zip archive"):
        model_files.find(tmp_path / "model.zip")


@pytest.mark.parametrize("target", ["/dev/zero", "/nonexistent", "../secret"])
def test_links_out_of_the_folder_are_not_followed(model: Path, target: str) -> None:
    """Also those to a file, and those to nothing."""
    (model.parent / "secret").write_bytes(b"secret")
    (model / "model.safetensors").unlink()
    (model / "model.safetensors").symlink_to(target)

    with pytest.raises(ModelError, match=r"model.safetensors in .* is a link to another folder"):
        model_files.find(model)


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_rare_compression_is_refused(model: Path, method: int) -> None:
    """Its errors and its speed are its own."""
    path = zipped(model, method)

    with pytest.raises(ModelError, match="is compressed with another method than Deflate; zip the"):
        model_files.find(path)


def test_a_huge_archive_is_not_opened(model: Path) -> None:
    """Its list of files alone could fill the memory."""
    path = zipped(model, zipfile.ZIP_STORED)
    with path.open("r+b") as file:
        file.seek(2_000_000_000)
        file.write(path.read_bytes())

    with pytest.raises(ModelError, match=r"tiny.zip has more than 1,024,000,000 bytes"):
        model_files.find(path)


def test_an_entry_without_a_name_is_a_sentence(model: Path) -> None:
    """Python's own reader expects one."""
    path = zipped(model, zipfile.ZIP_STORED)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(zipfile.ZipInfo(""), "text")

    with pytest.raises(FileError, match=r"cannot read .*tiny.zip: .* copy the model again"):
        model_files.find(path)
