"""Pieces in other formats: open, export, drop, drag."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import mido
import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from musicrel import settings
from musicrel.chorale import Chorale, Key, Meter
from musicrel.score import files
from musicrel.ui.app_controller import AppController
from musicrel.ui.document.document import GENERATING
from musicrel.ui.files.file_drop import first_readable
from musicrel.ui.files.midi_drag import mime_data
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.controllers.user_actions import answer, generate, hold, stop
from tests.ui.fakes import FakeJobs, earlier_piece

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints


def idle(app_controller: AppController, qtbot: QtBot) -> None:
    """Wait until no file is being read or written."""
    qtbot.waitUntil(lambda: not app_controller.files.busy)


def export(app_controller: AppController, qtbot: QtBot, path: Path) -> None:
    """Export the current piece to ``path`` and wait for the end."""
    assert app_controller.document.piece is not None
    app_controller.files.export(app_controller.document.piece, path)
    idle(app_controller, qtbot)


@pytest.mark.parametrize("suffix", [".mid", ".json"])
def test_opened_piece_restores_its_form(
    app_controller: AppController, window: MainWindow, qtbot: QtBot, tmp_path: Path, suffix: str
) -> None:
    """Model, bars, meter, pickup, key, phrases, temperature and seed are shown."""
    files.write(earlier_piece(), tmp_path / f"old{suffix}")
    window.compose_page.controls.compose_form.model.setCurrentIndex(0)
    app_controller.projects.open(tmp_path / f"old{suffix}")
    idle(app_controller, qtbot)

    assert app_controller.document.piece is not None
    assert np.array_equal(app_controller.document.piece.pitches, earlier_piece().pitches)
    assert window.compose_page.title.text() == "Some other day"
    assert not window.isWindowModified()
    assert window.state == f"Opened old{suffix}"
    assert settings.load().save_folder == str(tmp_path)
    form = window.compose_page.controls.compose_form.form()
    assert (form.model, form.bars, form.seed, form.temperature) == ("plain", 3, 99, 0.8)
    shown = window.compose_page.controls.compose_form
    assert (shown.meter.currentData(), shown.pickup.currentData()) == (Meter(3, 4), 4)
    assert (shown.key.currentData(), shown.phrases.text()) == (Key("G", "major"), "1,2")


def test_opened_piece_can_be_generated_again(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot, tmp_path: Path
) -> None:
    """The request, seed included, is the one of the piece."""
    generate(qtbot, window)
    export(app_controller, qtbot, tmp_path / "one.json")
    generate(qtbot, window)
    app_controller.projects.open(tmp_path / "one.json")
    idle(app_controller, qtbot)
    answer(window, "Don't Save")
    form = window.compose_page.controls.compose_form
    form.seed.set_value(7)  # the fake keeps no settings
    form.phrases.setText("")
    generate(qtbot, window)

    assert jobs.requests[-1][2] == jobs.requests[0][2]


@pytest.mark.parametrize("content", [b"", b"{}", b"MThd\0\0\0\6\0\0\0\1\0\1"])
def test_damaged_file_is_reported_and_changes_nothing(
    app_controller: AppController, window: MainWindow, qtbot: QtBot, tmp_path: Path, content: bytes
) -> None:
    """The current piece is unchanged."""
    generate(qtbot, window)
    before = app_controller.document.piece
    (tmp_path / "bad.mid").write_bytes(content)
    app_controller.projects.open(tmp_path / "bad.mid")
    idle(app_controller, qtbot)

    assert "bad.mid" in window.compose_page.banner.message
    assert app_controller.document.piece is before
    assert window.state == "Opening bad.mid failed"


def test_nothing_is_opened_during_generation(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot, tmp_path: Path
) -> None:
    """The command is disabled with the reason, and a drop is answered with it."""
    files.write(earlier_piece(), tmp_path / "old.json")
    hold(qtbot, window, jobs, 40)
    assert window.commands.file.open.toolTip() == GENERATING
    app_controller.projects.open(tmp_path / "old.json")

    assert window.compose_page.banner.message == GENERATING
    stop(qtbot, window, jobs)
    assert window.commands.file.open.isEnabled()


@pytest.mark.parametrize(
    "suffix", [".mid", ".json", ".musicxml", ".mxl", ".wav", ".pdf", ".svg", ".png"]
)
def test_piece_is_exported_in_any_format(
    app_controller: AppController, window: MainWindow, qtbot: QtBot, tmp_path: Path, suffix: str
) -> None:
    """The status bar names the file; folder and format become the default; nothing is saved."""
    generate(qtbot, window)
    export(app_controller, qtbot, tmp_path / f"piece{suffix}")

    assert (tmp_path / f"piece{suffix}").stat().st_size > 500
    assert window.isWindowModified()
    assert window.state == f"Exported piece{suffix} to {tmp_path}"
    remembered = settings.load()
    assert (remembered.save_folder, remembered.save_suffix) == (str(tmp_path), suffix)


def test_preferred_folder_and_format_are_proposed(
    app_controller: AppController, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """Also after another export."""
    generate(qtbot, window)
    (tmp_path / "preferred").mkdir()
    place = {"export_folder": str(tmp_path / "preferred"), "export_suffix": ".mxl"}
    app_controller.preferences.remember(**place)
    export(app_controller, qtbot, tmp_path / "elsewhere.mid")
    window.commands.file.export.trigger()
    dialog = window.findChild(QFileDialog)

    assert dialog is not None
    assert dialog.selectedFiles() == [str(tmp_path / "preferred" / "Chorale 7.mxl")]
    dialog.close()


@pytest.mark.parametrize("held", [True, False])
def test_midi_files_are_exported_and_dragged_with_or_without_held_fermatas(
    app_controller: AppController,
    window: MainWindow,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    held: bool,
) -> None:
    """The menu chooses; the notes are the same."""
    dragged: list[Path] = []
    monkeypatch.setattr(window.compose_page.handle, "drag", dragged.append)
    piece = replace(earlier_piece(), fermatas=np.arange(earlier_piece().steps) % 16 == 12)
    app_controller.document.show_piece(piece)
    window.commands.play.fermatas_in_midi.setChecked(held)
    export(app_controller, qtbot, tmp_path / "held.mid")
    app_controller.files.drag()

    for path in (tmp_path / "held.mid", dragged[0]):
        tempos = [m for track in mido.MidiFile(path).tracks for m in track if m.type == "set_tempo"]
        assert (len(tempos) > 1) == held
        assert np.array_equal(files.read(path).pitches, piece.pitches)


def test_audio_is_exported_with_the_mix(
    app_controller: AppController, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """A muted voice is not in the file."""
    generate(qtbot, window)
    for strip in window.playback.mixer.strips:
        strip.mute.click()
    export(app_controller, qtbot, tmp_path / "silent.wav")

    assert not any((tmp_path / "silent.wav").read_bytes()[44:])


def test_failed_export_keeps_the_piece(
    app_controller: AppController, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """The banner has the reason; the piece can be exported elsewhere."""
    generate(qtbot, window)
    (tmp_path / "file").write_text("no folder")
    export(app_controller, qtbot, tmp_path / "file" / "piece.mid")

    assert window.compose_page.banner.message.startswith("The piece is not exported: cannot write")
    assert window.isWindowModified()
    export(app_controller, qtbot, tmp_path / "piece.mid")
    assert window.compose_page.banner.message == ""


def test_long_export_shows_progress_and_can_be_cancelled(
    app_controller: AppController, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """A file that was there before is unchanged."""
    path = tmp_path / "long.wav"
    path.write_bytes(b"as before")
    app_controller.files.export(Chorale.of(np.tile(earlier_piece().pitches, (60, 1))), path)
    qtbot.waitUntil(window.job.isVisible)
    window.job.cancelled.emit()
    idle(app_controller, qtbot)

    assert window.state == "Exporting long.wav was cancelled"
    assert not window.job.isVisible()
    assert path.read_bytes() == b"as before"
    assert list(tmp_path.iterdir()) == [path]


def test_changes_on_reading_are_reported(
    app_controller: AppController, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """Notes off the grid are quantised; the file is opened."""
    file, track = mido.MidiFile(ticks_per_beat=480), mido.MidiTrack()
    file.tracks.append(track)
    for pitch in (72, 74, 76):
        track.append(mido.Message("note_on", note=pitch, time=0))
        track.append(mido.Message("note_off", note=pitch, time=160))
    file.save(tmp_path / "tune.mid")
    app_controller.projects.open(tmp_path / "tune.mid")
    idle(app_controller, qtbot)

    assert window.compose_page.title.text() == "tune"
    assert window.compose_page.banner.message.startswith("Changed on opening tune.mid:\n• notes")
    assert "bar 1" in window.compose_page.banner.message


def test_untitled_piece_gets_the_name_of_its_file(
    app_controller: AppController, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """Heading and title bar show it."""
    files.write(replace(earlier_piece(), title=""), tmp_path / "hymn 7.mid")
    app_controller.projects.open(tmp_path / "hymn 7.mid")
    idle(app_controller, qtbot)

    assert window.compose_page.title.text() == "hymn 7"
    assert window.windowTitle().startswith("hymn 7")


def test_second_file_is_refused_while_one_is_busy(
    app_controller: AppController, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """The banner asks to try again."""
    generate(qtbot, window)
    assert app_controller.document.piece is not None
    app_controller.files.export(app_controller.document.piece, tmp_path / "one.mid")
    app_controller.files.export(app_controller.document.piece, tmp_path / "two.mid")
    assert window.compose_page.banner.message.startswith("Exporting one.mid is not finished yet")
    idle(app_controller, qtbot)

    assert (tmp_path / "one.mid").is_file()
    assert not (tmp_path / "two.mid").exists()


def test_dialogs_do_not_block_the_window(
    app_controller: AppController, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """The dialog proposes a name; the exported file can be opened again."""
    generate(qtbot, window)
    window.commands.file.export.trigger()
    dialog = window.findChild(QFileDialog)
    assert dialog is not None
    assert Path(dialog.selectedFiles()[0]).name == "Chorale 7.mid"
    dialog.fileSelected.emit(str(tmp_path / "chosen.mid"))
    dialog.close()
    idle(app_controller, qtbot)
    qtbot.waitUntil(lambda: window.findChild(QFileDialog) is None)

    window.commands.file.open.trigger()
    dialog = window.findChild(QFileDialog)
    assert dialog is not None
    dialog.fileSelected.emit(str(tmp_path / "chosen.mid"))
    dialog.close()
    idle(app_controller, qtbot)
    answer(window, "Don't Save")
    assert window.state == "Opened chosen.mid"


def test_export_without_a_piece_does_nothing(
    app_controller: AppController, window: MainWindow
) -> None:
    """No dialog opens."""
    app_controller.files.ask_to_export()

    assert window.findChild(QFileDialog) is None


def test_file_dropped_on_the_window_is_opened(
    app_controller: AppController, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """Of several files the first readable one; others are refused."""
    files.write(earlier_piece(), tmp_path / "old.mid")
    for names, welcome in ((["old.mid", "x.txt"], True), (["x.txt"], False)):
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(tmp_path / name)) for name in names])
        copy, left, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier
        enter = QDragEnterEvent(QPoint(9, 9), copy, data, left, keys.NoModifier)
        QApplication.sendEvent(window, enter)
        assert enter.isAccepted() == welcome
        drop = QDropEvent(QPointF(9, 9), copy, data, left, keys.NoModifier)
        QApplication.sendEvent(window, drop)
    idle(app_controller, qtbot)

    assert window.compose_page.title.text() == "Some other day"


def test_each_drag_writes_a_new_file(
    app_controller: AppController, window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has the title and the notes of the piece and exists until the app ends."""
    dragged: list[Path] = []
    monkeypatch.setattr(window.compose_page.handle, "drag", dragged.append)
    assert not window.compose_page.handle.isEnabled()
    generate(qtbot, window)
    handle = window.compose_page.handle
    for _ in range(2):
        QTest.mousePress(handle, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
        QTest.mouseMove(handle, QPoint(60, 40))
        QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=QPoint(60, 40))

    assert app_controller.document.piece is not None
    assert [path.name for path in dragged] == ["Chorale 7.mid"] * 2
    assert dragged[0] != dragged[1]
    assert np.array_equal(files.read(dragged[1]).pitches, app_controller.document.piece.pitches)
    assert mime_data(dragged[0]).urls() == [QUrl.fromLocalFile(str(dragged[0]))]
    assert first_readable(mime_data(dragged[0])) == dragged[0]
    window.close()
    assert not any(path.exists() for path in dragged)


def test_click_on_the_handle_copies_a_file(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """It is on the clipboard."""
    generate(qtbot, window)
    window.compose_page.handle.click()

    (url,) = QGuiApplication.clipboard().mimeData().urls()
    assert Path(url.toLocalFile()).is_file()
    assert window.state.startswith("Copied Chorale 7.mid")
    window.close()
    assert QGuiApplication.clipboard().text() == ""
    del app_controller


def test_closing_clears_only_its_own_file_from_the_clipboard(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """Contents copied later stay."""
    del app_controller
    generate(qtbot, window)
    window.compose_page.handle.click()
    QGuiApplication.clipboard().setText("something else")
    window.close()
    assert QGuiApplication.clipboard().text() == "something else"
