"""Import of models that are not trusted, with the files that belong to their weights."""

from __future__ import annotations

import errno
import json
import os
import pickle
import shutil
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import safetensors.numpy

from musicrel import jobs, paths, untrusted
from musicrel.errors import FileError, ModelError
from musicrel.model import card, catalogue, checkpoint, importing, model_files
from musicrel.model.companions import DISCRIMINATOR, MEANS, WEIGHTS_HASH
from musicrel.model.importing import ImportProgress
from tests.helpers.models import tiny_model_directory


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the user's folder, empty; the bundled models are there."""
    monkeypatch.setenv("MUSICREL_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return tiny_model_directory(tmp_path / "downloads" / "tiny")


def zipped(folder: Path, target: Path, method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(target, "w", method) as archive:
        for file in sorted(folder.iterdir()):
            archive.write(file, f"tiny/{file.name}")
    return target


def imported(path: Path, name: str = "mine", *, replaces: bool = False) -> importing.ImportedModel:
    return jobs.run(importing.import_model(importing.inspect(path), name, replaces=replaces))


def edit_card(folder: Path, **values: object) -> None:
    table = json.loads((folder / "card.json").read_text()) | values
    (folder / "card.json").write_text(json.dumps(table))


def left_over(home: Path) -> list[str]:
    return sorted(path.relative_to(home).as_posix() for path in home.rglob("*"))


def store_means(folder: Path, sha256: str) -> None:
    means = {"means_5LHd": np.ones((5, 1, 1, 1), dtype=np.float32)}
    safetensors.numpy.save_file(means, folder / MEANS, {WEIGHTS_HASH: sha256})


def files() -> list[str]:
    return sorted(file.name for file in (catalogue.user_models() / "mine").iterdir())


@pytest.mark.parametrize("packed", [False, True])
def test_a_model_is_imported_from_a_folder_and_from_a_zip(
    packed: bool, model: Path, home: Path
) -> None:
    """It can be loaded then; nothing else is left."""
    (model / "README.txt").write_text("not copied")
    source = zipped(model, model.parent / "tiny.zip") if packed else model

    assert imported(source).name == "mine"

    assert left_over(home) == ["models", "models/mine", "models/mine/card.json",
                               "models/mine/model.safetensors"]  # fmt: skip
    assert checkpoint.load(catalogue.find("mine")).sha256 == checkpoint.weights_sha256(model)


def test_a_model_one_folder_down_is_found(model: Path) -> None:
    assert importing.inspect(model.parent).card.name == importing.inspect(model).card.name


def test_progress_ends_with_the_whole_file(model: Path) -> None:
    events: list[ImportProgress] = []

    jobs.run(
        importing.import_model(importing.inspect(model), "mine", replaces=False), events.append
    )

    assert events[-1] == ImportProgress(share=1.0)


def test_a_cancelled_import_leaves_nothing(model: Path, home: Path) -> None:
    job = importing.import_model(importing.inspect(model), "mine", replaces=False)
    next(job)
    job.close()

    assert left_over(home) == ["models"]


@pytest.mark.parametrize("write", [None, str.upper], ids=["none", "capitals"])
def test_a_card_gets_the_hash_of_the_weights(
    model: Path, write: Callable[[str], str] | None
) -> None:
    sha256 = checkpoint.weights_sha256(model)
    edit_card(model, weights_sha256=write(sha256) if write else "", remark="nice")

    imported(model)

    folder = catalogue.user_models() / "mine"
    stored = card.read_card(folder).weights_sha256
    assert (stored.lower() if write else stored) == sha256
    assert json.loads((folder / "card.json").read_text())["remark"] == "nice"


def test_weights_with_another_hash_are_refused(model: Path, home: Path) -> None:
    weights = model / "model.safetensors"
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(bytes(content))

    with pytest.raises(ModelError, match="damaged or was changed: its weights have the SHA-256"):
        imported(model)
    assert left_over(home) == ["models"]


def test_weights_of_another_model_are_refused(model: Path, tmp_path: Path) -> None:
    other = tiny_model_directory(tmp_path / "wide", "shaw")
    (model / "model.safetensors").write_bytes((other / "model.safetensors").read_bytes())
    edit_card(model, weights_sha256="")

    with pytest.raises(ModelError, match="its tensors are not those of the card"):
        imported(model)


def test_pickled_weights_are_never_opened(model: Path) -> None:
    (model / "model.safetensors").unlink()
    (model / "pytorch_model.bin").write_bytes(pickle.dumps({}))

    with pytest.raises(ModelError, match=r"pickle \(pytorch_model.bin\), which can run code"):
        importing.inspect(model)
    with pytest.raises(ModelError, match=r"pickle \(pytorch_model.bin\), which can run code"):
        importing.inspect(zipped(model, model.parent / "tiny.zip"))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "card.json is not valid JSON"),
        ("{}", "card.json is not the card of a musicrel model"),
        (" " * 1_000_001, "card.json of .* has more than 1,000,000 bytes"),
    ],
)
def test_an_invalid_card_is_refused(text: str, reason: str, model: Path) -> None:
    (model / "card.json").write_text(text)

    with pytest.raises(ModelError, match=reason):
        importing.inspect(model)


LINK = zipfile.ZipInfo("tiny/link")


LINK.external_attr = (stat.S_IFLNK | 0o777) << 16


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        *[(name, "points outside of the archive; zip the model folder")
          for name in ("../evil.txt", "/evil.txt", "a\\..\\evil.txt", "C:/evil.txt")],
        (LINK, "'tiny/link' is a link"),
    ],
)  # fmt: skip
def test_a_zip_that_points_outside_is_not_unpacked(
    entry: str | zipfile.ZipInfo, reason: str, model: Path, home: Path
) -> None:
    path = zipped(model, model.parent / "tiny.zip")
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(entry, "/etc/passwd")

    with pytest.raises(ModelError, match=reason):
        importing.inspect(path)
    assert left_over(home) == []


def test_a_zip_bomb_is_stopped_at_the_limit(
    model: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Declared sizes are checked first, and the bytes that come out as well."""
    (model / "model.safetensors").write_bytes(bytes(50_000_000))
    path = zipped(model, model.parent / "bomb.zip")
    monkeypatch.setattr(untrusted, "LIMITS", {**untrusted.LIMITS, "weights": 10_000_000})

    with pytest.raises(ModelError, match="has more than 10,000,000 bytes"):
        importing.inspect(path)
    monkeypatch.setattr(untrusted, "LIMITS", {**untrusted.LIMITS, "weights": 60_000_000})
    source = importing.inspect(path)
    monkeypatch.setattr(untrusted, "LIMITS", {**untrusted.LIMITS, "weights": 10_000_000})
    with pytest.raises(ModelError, match="has more than 10,000,000 bytes"):
        jobs.run(importing.import_model(source, "mine", replaces=False))
    assert left_over(home) == ["models"]


def test_a_zip_of_a_thousand_files_is_no_model(tmp_path: Path) -> None:
    path = tmp_path / "many.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(1_001):
            archive.writestr(f"{number}.txt", "")

    with pytest.raises(ModelError, match="it has 1,001 files"):
        importing.inspect(path)


def test_a_damaged_zip_is_a_sentence(model: Path) -> None:
    path = zipped(model, model.parent / "tiny.zip")
    content = bytearray(path.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 64] = bytes(64)
    path.write_bytes(bytes(content))

    with pytest.raises(FileError, match="is damaged"):
        imported(path)


def test_what_is_no_model_is_refused(tmp_path: Path, model: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file.txt").write_text("text")
    tiny_model_directory(model.parent / "second")

    with pytest.raises(ModelError, match=r"holds no model: expected the files card.json and"):
        importing.inspect(tmp_path / "empty")
    with pytest.raises(ModelError, match=r"expected a folder or a zip archive with a card.json"):
        importing.inspect(tmp_path / "file.txt")
    with pytest.raises(ModelError, match="holds 2 models: import each of them"):
        importing.inspect(model.parent)


def test_a_model_of_the_same_name_moves_to_the_trash(model: Path, tmp_path: Path) -> None:
    imported(model)
    other = tiny_model_directory(tmp_path / "other", "shaw")

    result = imported(other, replaces=True)

    assert card.read_card(catalogue.find("mine")).config.scheme == "shaw"
    assert result.replaced is not None
    assert catalogue.restore(result.replaced) == "mine-2"
    assert importing.free_name("mine") == "mine-3"


def test_the_name_of_a_shipped_model_is_refused(model: Path) -> None:
    """It would never be found."""
    with pytest.raises(ModelError, match="vanilla is the name of a shipped model"):
        imported(model, "vanilla", replaces=True)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("../../My model: 2", "My-model-2"),
        ("..", "tiny"),
        ("con", "con_"),
        ("a" * 119 + ".b", "a" * 119),
    ],
)
def test_the_name_is_fit_for_a_folder(model: Path, name: str, expected: str) -> None:
    """It comes from the card, else from the folder."""
    edit_card(model, name=name)
    assert importing.inspect(model).name == expected


def test_a_folder_that_cannot_be_written_is_a_sentence(
    model: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setattr(paths, "data", lambda: tmp_path / "file")

    with pytest.raises(FileError, match="cannot write into"):
        imported(model)


def test_a_model_without_a_name_gets_one(model: Path) -> None:
    edit_card(model, name="***")
    source = importing.inspect(model.rename(model.with_name("…")))

    assert source.name == "model"
    assert jobs.run(importing.import_model(source, "model", replaces=False)).name == "model"


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "a\\b", "/a", "***"])
def test_a_name_that_is_no_folder_is_refused(model: Path, home: Path, name: str) -> None:
    with pytest.raises(ModelError, match="cannot be the name of a model: expected letters"):
        imported(model, name)
    assert left_over(home) == []


@pytest.mark.parametrize("name", ["mine", "vanilla"])
def test_no_model_is_replaced_unless_that_is_wanted(model: Path, home: Path, name: str) -> None:
    """The name may have been taken since the question, or by a folder without a model."""
    job = importing.import_model(importing.inspect(model), name, replaces=False)
    next(job)
    tiny_model_directory(home / "models" / name)
    (home / "models" / f"{name}-2").mkdir()

    result = jobs.run(job)

    assert (result.name, result.replaced) == (f"{name}-3", None)
    assert (home / "models" / name / "card.json").is_file()


def test_files_that_vanish_are_a_sentence(model: Path) -> None:
    source = importing.inspect(model)
    (model / "model.safetensors").unlink()

    with pytest.raises(FileError, match=r"cannot read .*model.safetensors: .* copy the model"):
        jobs.run(importing.import_model(source, "mine", replaces=False))


def test_what_a_killed_import_left_is_removed_a_day_later(model: Path, home: Path) -> None:
    for name in ("import-old", "import-new"):
        (home / name).mkdir(parents=True)
        (home / name / "model.safetensors").write_bytes(b"half")
    os.utime(home / "import-old", (0, 0))

    imported(model)

    assert {path.name for path in home.iterdir()} == {"models", "import-new"}


def test_models_may_be_on_another_disk(
    model: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Folders cannot be renamed to there."""

    def refuse(*_: Path) -> Path:
        raise OSError(errno.EXDEV, "Invalid cross-device link")

    monkeypatch.setattr(Path, "rename", refuse)

    assert imported(model).name == "mine"
    result = imported(model, replaces=True)

    assert result.replaced is not None
    assert catalogue.restore(result.replaced) == "mine-2"
    assert {path.name for path in home.iterdir()} == {"models", "trash"}
    assert left_over(home / "trash" / "models") == []
    for name in ("mine", "mine-2"):
        assert checkpoint.load(catalogue.find(name)).sha256 == checkpoint.weights_sha256(model)


@pytest.mark.parametrize("packed", [False, True])
def test_the_means_of_its_heads_are_copied_as_well(
    model: Path, tmp_path: Path, *, packed: bool
) -> None:
    store_means(model, checkpoint.weights_sha256(model))

    if packed:
        shutil.make_archive(str(tmp_path / "tiny"), "zip", model)
    imported(tmp_path / "tiny.zip" if packed else model)

    copied = catalogue.user_models() / "mine" / MEANS
    assert copied.read_bytes() == (model / MEANS).read_bytes()


def test_means_of_other_weights_stay_behind(model: Path) -> None:
    store_means(model, "0" * 64)

    imported(model)

    assert files() == ["card.json", "model.safetensors"]


@pytest.mark.parametrize("content", [b"", b"no safetensors", b"0" * (16_000_000 + 1)])
def test_damaged_or_endless_means_stay_behind(model: Path, content: bytes) -> None:
    (model / MEANS).write_bytes(content)

    imported(model)

    assert files() == ["card.json", "model.safetensors"]


def test_means_outside_of_the_folder_stay_there(model: Path, tmp_path: Path) -> None:
    store_means(model, checkpoint.weights_sha256(model))
    (model / MEANS).rename(tmp_path / "elsewhere")
    (model / MEANS).symlink_to(tmp_path / "elsewhere")

    imported(model)

    assert files() == ["card.json", "model.safetensors"]


def test_its_discriminator_is_copied_as_well(model: Path) -> None:
    text = json.dumps({WEIGHTS_HASH: checkpoint.weights_sha256(model), "weights": {}})
    (model / DISCRIMINATOR).write_text(text)

    imported(model)

    assert (catalogue.user_models() / "mine" / DISCRIMINATOR).read_text() == text


@pytest.mark.parametrize("content", ["", "[]", json.dumps({WEIGHTS_HASH: "0" * 64})])
def test_a_discriminator_of_other_weights_or_a_damaged_one_stays_behind(
    model: Path, content: str
) -> None:
    (model / DISCRIMINATOR).write_text(content)

    imported(model)

    assert files() == ["card.json", "model.safetensors"]


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
    (model.parent / "secret").write_bytes(b"secret")
    (model / "model.safetensors").unlink()
    (model / "model.safetensors").symlink_to(target)

    with pytest.raises(ModelError, match=r"model.safetensors in .* is a link to another folder"):
        model_files.find(model)


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_rare_compression_is_refused(model: Path, method: int) -> None:
    path = zipped(model, model.with_suffix(".zip"), method)

    with pytest.raises(ModelError, match="is compressed with another method than Deflate; zip the"):
        model_files.find(path)


def test_a_huge_archive_is_not_opened(model: Path) -> None:
    """Its list of files alone could fill the memory."""
    path = zipped(model, model.with_suffix(".zip"), zipfile.ZIP_STORED)
    with path.open("r+b") as file:
        file.seek(2_000_000_000)
        file.write(path.read_bytes())

    with pytest.raises(ModelError, match=r"tiny.zip has more than 1,024,000,000 bytes"):
        model_files.find(path)


def test_an_entry_without_a_name_is_a_sentence(model: Path) -> None:
    path = zipped(model, model.with_suffix(".zip"), zipfile.ZIP_STORED)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(zipfile.ZipInfo(""), "text")

    with pytest.raises(FileError, match=r"cannot read .*tiny.zip: .* copy the model again"):
        model_files.find(path)
