"""The list of models."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from musicrel.model import catalogue, checkpoint
from musicrel.presentation.compose import installed_models
from musicrel.ui.library import model_library as module
from musicrel.ui.library.model_library import ModelLibrary
from tests.helpers.models import tiny_card, tiny_config, tiny_model, tiny_model_directory
from tests.ui.controllers.user_actions import child


def names(library: ModelLibrary) -> list[str]:
    table = library.dialog.table
    return [item.text() for row in range(table.rowCount()) if (item := table.item(row, 0))]


def select(library: ModelLibrary, name: str) -> None:
    library.dialog.table.selectRow(names(library).index(name))


def import_and_wait(library: ModelLibrary, path: Path, qtbot: QtBot) -> None:
    library.import_from(path)
    qtbot.waitUntil(lambda: not library.busy, timeout=20_000)


def import_twice(library: ModelLibrary, path: Path, qtbot: QtBot) -> None:
    """Import a model, and another one of the same name: there is a question."""
    import_and_wait(library, path, qtbot)
    qtbot.waitUntil(lambda: "tiny" in names(library))
    tiny_model_directory(path, "shaw")
    import_and_wait(library, path, qtbot)


def answer(library: ModelLibrary, start: str, qtbot: QtBot) -> None:
    box = next(box for box in library.dialog.findChildren(QMessageBox) if box.isVisible())
    next(one for one in box.buttons() if one.text().replace("&", "").startswith(start)).click()
    qtbot.waitUntil(lambda: not library.busy)


def drop(target: QWidget, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    copy, place = Qt.DropAction.CopyAction, QPoint(9, 9)
    QApplication.sendEvent(target, QDragEnterEvent(place, copy, data, buttons, keys))
    QApplication.sendEvent(target, QDropEvent(place.toPointF(), copy, data, buttons, keys))


def test_shipped_models_and_own_ones_are_listed(library: ModelLibrary) -> None:
    dialog = library.dialog

    assert {"relative", "vanilla", "mine"} <= set(names(library))
    assert dialog.model is not None
    assert (dialog.model.name, dialog.model.stored) == ("mine", "Imported by you")
    assert "Vocabulary articulated" in dialog.card.toPlainText()
    select(library, "relative")
    assert "Training data" in dialog.card.toPlainText()


def test_the_hash_is_compared_with_the_card(library: ModelLibrary, qtbot: QtBot) -> None:
    dialog = library.dialog
    qtbot.waitUntil(lambda: installed_models.MATCHES in dialog.hash.text())

    dialog.copy_button.click()

    assert len(QGuiApplication.clipboard().text()) == 64
    assert dialog.hash.text().startswith(f"SHA-256 {QGuiApplication.clipboard().text()[:16]}…")


def test_changed_weights_are_noticed(library: ModelLibrary, qtbot: QtBot) -> None:
    weights = catalogue.find("mine") / "model.safetensors"
    weights.write_bytes(weights.read_bytes() + b"x")
    library.show("mine")

    qtbot.waitUntil(lambda: "Does not match the card" in library.dialog.hash.text())


def test_use_chooses_the_model(library: ModelLibrary, qtbot: QtBot) -> None:
    dialog = library.dialog
    with qtbot.waitSignal(library.chosen) as signal:
        dialog.use_button.click()

    assert signal.args == ["mine"]
    assert dialog.banner.message == "mine is chosen in the form."


def test_a_classifier_cannot_be_used_in_the_form(library: ModelLibrary) -> None:
    model = tiny_model(tiny_config("relative", family="classifier", classes=2))
    checkpoint.save(catalogue.user_models() / "bytes", model, tiny_card(model))

    library.show("bytes")

    assert not library.dialog.use_button.isEnabled()
    assert library.dialog.use_button.toolTip() == module.NOT_FOR_NOTES.format(name="bytes")


def test_a_removed_model_comes_back_with_undo(library: ModelLibrary, qtbot: QtBot) -> None:
    dialog = library.dialog
    with qtbot.waitSignal(library.changed):
        dialog.remove_button.click()
    assert "mine" not in names(library)
    assert (dialog.banner.offer, "is kept in" in dialog.banner.message) == ("Undo", True)

    with qtbot.waitSignal(library.changed):
        dialog.banner.accepted.emit()

    assert "mine" in names(library)
    assert dialog.model is not None
    assert dialog.model.name == "mine"


def test_a_shipped_model_cannot_be_removed(library: ModelLibrary) -> None:
    select(library, "vanilla")

    assert not library.dialog.remove_button.isEnabled()
    assert "belongs to musicrel" in library.dialog.remove_button.toolTip()


def test_a_model_stays_while_notes_are_written(library: ModelLibrary, writing: list[bool]) -> None:
    writing.append(True)
    library.remove()
    assert "mine" in names(library)

    library.update_enabled()
    assert not library.dialog.remove_button.isEnabled()
    assert library.dialog.remove_button.toolTip() == module.IN_USE


def test_a_model_is_imported_by_drop(library: ModelLibrary, download: Path, qtbot: QtBot) -> None:
    dialog = library.dialog
    drop(dialog, download)
    qtbot.waitUntil(lambda: "tiny" in names(library), timeout=20_000)

    assert dialog.model is not None
    assert dialog.model.name == "tiny"
    assert dialog.banner.message == "tiny was imported."
    dialog.banner.accepted.emit()
    assert "tiny" not in names(library)


@pytest.mark.parametrize(
    ("button", "expected"), [("Import as", {"tiny", "tiny-2"}), ("Replace", {"tiny"}),
                             ("Cancel", {"tiny"})],
)  # fmt: skip
def test_a_name_that_is_taken_is_a_question(
    button: str, expected: set[str], library: ModelLibrary, download: Path, qtbot: QtBot
) -> None:
    import_twice(library, download, qtbot)
    answer(library, button, qtbot)

    assert {name for name in names(library) if name.startswith("tiny")} == expected


def test_a_replaced_model_comes_back_with_undo(
    library: ModelLibrary, download: Path, qtbot: QtBot
) -> None:
    import_and_wait(library, download, qtbot)
    qtbot.waitUntil(lambda: "tiny" in names(library))
    before = (catalogue.find("tiny") / "card.json").read_bytes()
    tiny_model_directory(download, "shaw")
    import_and_wait(library, download, qtbot)
    answer(library, "Replace", qtbot)
    qtbot.waitUntil(lambda: (catalogue.find("tiny") / "card.json").read_bytes() != before)

    library.dialog.banner.accepted.emit()

    assert (catalogue.find("tiny") / "card.json").read_bytes() == before


def test_undo_waits_until_no_notes_are_written(
    library: ModelLibrary, writing: list[bool], qtbot: QtBot
) -> None:
    dialog = library.dialog
    dialog.remove_button.click()
    writing.append(True)

    dialog.banner.accepted.emit()

    assert (dialog.banner.message, dialog.banner.offer) == (module.IN_USE, "Undo")
    assert "mine" not in names(library)
    writing.append(False)
    with qtbot.waitSignal(library.changed):
        dialog.banner.accepted.emit()
    assert "mine" in names(library)


def test_undo_that_fails_can_be_repeated(library: ModelLibrary, home: Path) -> None:
    dialog = library.dialog
    dialog.remove_button.click()
    kept = home / "trash" / "models" / "mine"
    away = kept.rename(home / "away")

    dialog.banner.accepted.emit()

    assert dialog.banner.message.startswith("Cannot move")
    assert dialog.banner.offer == "Undo"
    away.rename(kept)
    dialog.banner.accepted.emit()
    assert "mine" in names(library)


def test_undo_of_an_import_changes_all_or_nothing(
    library: ModelLibrary, download: Path, home: Path, qtbot: QtBot
) -> None:
    import_twice(library, download, qtbot)
    answer(library, "Replace", qtbot)
    trash = home / "trash" / "models"
    qtbot.waitUntil((trash / "tiny").is_dir)
    qtbot.waitUntil(lambda: "is in the trash" in library.dialog.banner.message)
    new = (catalogue.find("tiny") / "card.json").read_bytes()
    (trash / "tiny").rename(home / "away")

    library.dialog.banner.accepted.emit()

    assert (catalogue.find("tiny") / "card.json").read_bytes() == new
    assert library.dialog.banner.offer == "Undo"


@pytest.mark.parametrize(("button", "kept"), [("Import as", "tiny-3"), ("Replace", "tiny")])
def test_a_name_taken_during_the_question_is_not_replaced(
    button: str, kept: str, library: ModelLibrary, download: Path, qtbot: QtBot
) -> None:
    import_twice(library, download, qtbot)
    between = tiny_model_directory(catalogue.user_models() / "tiny-2", "shaw")
    card = (between / "card.json").read_bytes()

    answer(library, button, qtbot)

    qtbot.waitUntil(lambda: kept in names(library))
    assert (between / "card.json").read_bytes() == card


def test_nothing_is_replaced_while_notes_are_written(
    library: ModelLibrary, download: Path, writing: list[bool], qtbot: QtBot
) -> None:
    import_twice(library, download, qtbot)
    writing.append(True)

    answer(library, "Replace", qtbot)

    assert library.dialog.banner.message == module.IN_USE
    assert not library.busy


def test_a_model_with_a_damaged_card_is_listed_with_the_reason(
    library: ModelLibrary, home: Path
) -> None:
    (home / "models" / "broken").mkdir()
    (home / "models" / "broken" / "card.json").write_text("{")
    library.show("broken")

    dialog = library.dialog
    assert "is not valid JSON" in dialog.card.toPlainText()
    assert not dialog.use_button.isEnabled()
    assert dialog.remove_button.isEnabled()


def test_the_imported_model_is_in_view(
    library: ModelLibrary, download: Path, home: Path, qtbot: QtBot
) -> None:
    for number in range(30):
        tiny_model_directory(home / "models" / f"a{number:02}")
    import_and_wait(library, download, qtbot)
    dialog = library.dialog
    qtbot.waitUntil(lambda: "tiny" in names(library), timeout=20_000)

    row = dialog.table.visualRect(dialog.table.model().index(names(library).index("tiny"), 0))
    assert dialog.table.viewport().rect().contains(row.center())
    assert dialog.banner.objectName() == "notice"


def test_what_is_no_model_is_refused_with_a_warning(
    library: ModelLibrary, tmp_path: Path, qtbot: QtBot
) -> None:
    dialog, before = library.dialog, names(library)
    dialog.use_button.click()
    assert dialog.banner.objectName() == "notice"
    (tmp_path / "empty").mkdir()

    import_and_wait(library, tmp_path / "empty", qtbot)

    qtbot.waitUntil(lambda: "holds no model" in dialog.banner.message)
    assert dialog.banner.objectName() == "banner"
    assert names(library) == before


def test_an_old_notice_is_gone_when_the_list_is_opened_again(library: ModelLibrary) -> None:
    dialog = library.dialog
    dialog.remove_button.click()
    assert dialog.banner.message
    dialog.close()

    library.show()

    assert dialog.banner.message == ""


def test_a_folder_can_be_chosen(library: ModelLibrary, download: Path, qtbot: QtBot) -> None:
    library.dialog.folder_button.click()
    chooser = child(library.dialog, QFileDialog)
    assert chooser.fileMode() == QFileDialog.FileMode.Directory

    chooser.fileSelected.emit(str(download))
    chooser.close()

    qtbot.waitUntil(lambda: "tiny" in names(library), timeout=20_000)


def test_a_card_that_does_not_fit_is_refused_with_the_path_that_was_chosen(
    library: ModelLibrary, download: Path, qtbot: QtBot
) -> None:
    card = download / "card.json"
    values = json.loads(card.read_text())
    del values["config"]["width"]
    card.write_text(json.dumps(values))

    import_and_wait(library, download, qtbot)

    qtbot.waitUntil(lambda: "expected F32" in library.dialog.banner.message)
    message = library.dialog.banner.message
    assert message.startswith(f"{download}: tensor ")
    assert "import-" not in message
    assert "{" not in message
