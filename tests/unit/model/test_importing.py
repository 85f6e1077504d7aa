"""Import of models that are not trusted."""

from __future__ import annotations

import errno
import json
import os
import pickle
import stat
import zipfile
from pathlib import Path

import pytest

from musicrel import gate, jobs, paths
from musicrel.errors import FileError, ModelError
from musicrel.model import card, catalogue, checkpoint, importing, removal
from musicrel.model.importing import ImportProgress
from tests.helpers.models import tiny_model_directory


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the user's folder, empty; the bundled models are there."""
    monkeypatch.setenv("MUSICREL_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """Return a model folder outside of the user's models."""
    return tiny_model_directory(tmp_path / "downloads" / "tiny")


def zipped(folder: Path, target: Path) -> Path:
    """Pack the files of a folder."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.iterdir()):
            archive.write(file, f"tiny/{file.name}")
    return target


def imported(path: Path, name: str = "mine", *, replaces: bool = False) -> importing.ImportedModel:
    """Import the model at ``path``."""
    return jobs.run(importing.import_model(importing.inspect(path), name, replaces=replaces))


def edit_card(folder: Path, **values: object) -> None:
    """Replace entries of a card."""
    table = json.loads((folder / "card.json").read_text()) | values
    (folder / "card.json").write_text(json.dumps(table))


def left_over(home: Path) -> list[str]:
    """Return the files and folders in the user's folder."""
    return (
        sorted(path.relative_to(home).as_posix() for path in home.rglob("*"))
        if home.is_dir()
        else []
    )


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
    """Such as the folder of a run."""
    assert importing.inspect(model.parent).card.name == importing.inspect(model).card.name


def test_progress_ends_with_the_whole_file(model: Path) -> None:
    """Each chunk yields a share."""
    events: list[ImportProgress] = []

    jobs.run(
        importing.import_model(importing.inspect(model), "mine", replaces=False), events.append
    )

    assert events[-1] == ImportProgress(share=1.0)


def test_a_cancelled_import_leaves_nothing(model: Path, home: Path) -> None:
    """The temporary folder is removed."""
    job = importing.import_model(importing.inspect(model), "mine", replaces=False)
    next(job)
    job.close()

    assert left_over(home) == ["models"]


def test_a_card_without_a_hash_gets_that_of_the_weights(model: Path) -> None:
    """From then on a change is noticed."""
    edit_card(model, weights_sha256="")

    imported(model)

    stored = card.read_card(catalogue.user_models() / "mine")
    assert stored.weights_sha256 == checkpoint.weights_sha256(model)


def test_unknown_entries_of_a_card_are_kept(model: Path) -> None:
    """Other programs may need them."""
    edit_card(model, remark="nice")

    imported(model)

    assert (
        json.loads((catalogue.user_models() / "mine" / "card.json").read_text())["remark"] == "nice"
    )


def test_weights_with_another_hash_are_refused(model: Path, home: Path) -> None:
    """One changed bit is enough."""
    weights = model / "model.safetensors"
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(bytes(content))

    with pytest.raises(ModelError, match="damaged or was changed: its weights have the SHA-256"):
        imported(model)
    assert left_over(home) == ["models"]


def test_weights_of_another_model_are_refused(model: Path, tmp_path: Path) -> None:
    """Names and shapes are compared with the card before anything is loaded."""
    other = tiny_model_directory(tmp_path / "wide", "shaw")
    (model / "model.safetensors").write_bytes((other / "model.safetensors").read_bytes())
    edit_card(model, weights_sha256="")

    with pytest.raises(ModelError, match="its tensors are not those of the card"):
        imported(model)


def test_pickled_weights_are_never_opened(model: Path) -> None:
    """The sentence has the reason, and what to do."""
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
    """Before the weights are read."""
    (model / "card.json").write_text(text)

    with pytest.raises(ModelError, match=reason):
        importing.inspect(model)


@pytest.mark.parametrize("name", ["../evil.txt", "/evil.txt", "a\\..\\evil.txt", "C:/evil.txt"])
def test_a_zip_that_points_outside_is_not_unpacked(name: str, model: Path, home: Path) -> None:
    """Nothing is written."""
    path = zipped(model, model.parent / "tiny.zip")
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(name, "evil")

    with pytest.raises(ModelError, match="points outside of the archive; zip the model folder"):
        importing.inspect(path)
    assert left_over(home) == []


def test_a_zip_with_a_link_is_not_unpacked(model: Path) -> None:
    """A link could lead anywhere."""
    path = zipped(model, model.parent / "tiny.zip")
    link = zipfile.ZipInfo("tiny/link")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(link, "/etc/passwd")

    with pytest.raises(ModelError, match="'tiny/link' is a link"):
        importing.inspect(path)


def test_a_zip_bomb_is_stopped_at_the_limit(
    model: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Declared sizes are checked first, and the bytes that come out as well."""
    (model / "model.safetensors").write_bytes(bytes(50_000_000))
    path = zipped(model, model.parent / "bomb.zip")
    monkeypatch.setattr(gate, "LIMITS", {**gate.LIMITS, "weights": 10_000_000})

    with pytest.raises(ModelError, match="has more than 10,000,000 bytes"):
        importing.inspect(path)
    monkeypatch.setattr(gate, "LIMITS", {**gate.LIMITS, "weights": 60_000_000})
    source = importing.inspect(path)
    monkeypatch.setattr(gate, "LIMITS", {**gate.LIMITS, "weights": 10_000_000})
    with pytest.raises(ModelError, match="has more than 10,000,000 bytes"):
        jobs.run(importing.import_model(source, "mine", replaces=False))
    assert left_over(home) == ["models"]


def test_a_zip_of_a_thousand_files_is_no_model(tmp_path: Path) -> None:
    """They are not even looked at."""
    path = tmp_path / "many.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(1_001):
            archive.writestr(f"{number}.txt", "")

    with pytest.raises(ModelError, match="it has 1,001 files"):
        importing.inspect(path)


def test_a_damaged_zip_is_a_sentence(model: Path) -> None:
    """The checksum of a member does not match."""
    path = zipped(model, model.parent / "tiny.zip")
    content = bytearray(path.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 64] = bytes(64)
    path.write_bytes(bytes(content))

    with pytest.raises(FileError, match="is damaged"):
        imported(path)


def test_what_is_no_model_is_refused(tmp_path: Path, model: Path) -> None:
    """An empty folder, a text file, two models at once."""
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
    """It can be restored."""
    imported(model)
    other = tiny_model_directory(tmp_path / "other", "shaw")

    result = imported(other, replaces=True)

    assert card.read_card(catalogue.find("mine")).config.scheme == "shaw"
    assert result.replaced is not None
    assert removal.restore(result.replaced) == "mine-2"
    assert importing.free_name("mine") == "mine-3"


def test_the_name_of_a_shipped_model_is_refused(model: Path) -> None:
    """It would never be found."""
    with pytest.raises(ModelError, match="vanilla is the name of a shipped model"):
        imported(model, "vanilla", replaces=True)


def test_the_name_is_fit_for_a_folder(model: Path) -> None:
    """It comes from the card, else from the folder."""
    edit_card(model, name="../../My model: 2")
    assert importing.inspect(model).name == "My-model-2"
    edit_card(model, name="..")
    assert importing.inspect(model).name == "tiny"
    edit_card(model, name="con")
    assert importing.inspect(model).name == "con_"
    edit_card(model, name="a" * 119 + ".b")
    assert importing.inspect(model).name == "a" * 119


def test_a_folder_that_cannot_be_written_is_a_sentence(
    model: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Before anything is copied."""
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setattr(paths, "data", lambda: tmp_path / "file")

    with pytest.raises(FileError, match="cannot write into"):
        imported(model)


def test_a_model_without_a_name_gets_one(model: Path) -> None:
    """It does not become the folder of models itself."""
    edit_card(model, name="***")
    source = importing.inspect(model.rename(model.with_name("…")))

    assert source.name == "model"
    assert jobs.run(importing.import_model(source, "model", replaces=False)).name == "model"


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "a\\b", "/a", "***"])
def test_a_name_that_is_no_folder_is_refused(model: Path, home: Path, name: str) -> None:
    """Nothing is written."""
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


def test_a_hash_may_have_capital_letters(model: Path) -> None:
    edit_card(model, weights_sha256=checkpoint.weights_sha256(model).upper())

    assert imported(model).name == "mine"


def test_what_a_killed_import_left_is_removed_a_day_later(model: Path, home: Path) -> None:
    """A folder of today may belong to another window."""
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
    assert removal.restore(result.replaced) == "mine-2"
    assert {path.name for path in home.iterdir()} == {"models", "trash"}
    assert left_over(home / "trash" / "models") == []
    for name in ("mine", "mine-2"):
        assert checkpoint.load(catalogue.find(name)).sha256 == checkpoint.weights_sha256(model)
