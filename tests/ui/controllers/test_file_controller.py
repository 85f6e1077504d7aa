"""Files: opening, saving, dropping, dragging."""

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
from tests.ui.controllers.test_compose_controller import generate, hold, stop

from musicrel import settings
from musicrel.chorale import Chorale, Key, Meter, Provenance
from musicrel.generation.request import GenerationRequest
from musicrel.score import files
from musicrel.ui.app_controller import House
from musicrel.ui.controllers import file_controller
from musicrel.ui.files.file_drop import readable
from musicrel.ui.files.midi_drag import payload
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.fakes import FakeJobs

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints

ASKED = GenerationRequest(
    bars=3, meter=Meter(3, 4), pickup=4, key=Key("G", "major"), phrases=(1, 2), temperature=0.8,
    seed=99,
)  # fmt: skip


def made(asked: GenerationRequest = ASKED) -> Chorale:
    """A piece that musicrel wrote some other day."""
    plan = asked.plan()
    return Chorale.of(
        np.full((plan.steps, 4), [72, 67, 64, 48]),
        meter=plan.meter,
        pickup=plan.pickup,
        key=plan.key,
        fermatas=plan.fermatas,
        title="Some other day",
        provenance=Provenance(model="plain", sha256="0", seed=asked.seed, settings=asked.to_json()),
    )


def idle(house: House, qtbot: QtBot) -> None:
    """Wait until no file is read or written."""
    qtbot.waitUntil(lambda: not house.filing.busy)


def save(house: House, qtbot: QtBot, path: Path) -> None:
    assert house.studio.piece is not None
    house.filing.save_as(house.studio.piece, path)
    idle(house, qtbot)


@pytest.mark.parametrize("suffix", [".mid", ".json"])
def test_opened_piece_brings_its_form_back(
    house: House, window: MainWindow, qtbot: QtBot, tmp_path: Path, suffix: str
) -> None:
    """Model, bars, meter, pickup, key, phrases, surprise and seed: Generate asks for the same."""
    files.write(made(), tmp_path / f"old{suffix}")
    window.page.controls.entries.model.setCurrentIndex(0)
    house.filing.open(tmp_path / f"old{suffix}")
    idle(house, qtbot)

    assert house.studio.piece is not None
    assert np.array_equal(house.studio.piece.pitches, made().pitches)
    assert window.page.title.whole == "Some other day"
    assert not window.isWindowModified()
    assert window.state == f"Opened old{suffix}"
    assert settings.load().save_folder == str(tmp_path)
    form = window.page.controls.entries.form()
    assert (form.model, form.bars, form.seed, form.temperature) == ("plain", 3, 99, 0.8)
    shown = window.page.controls.entries
    assert (shown.meter.currentData(), shown.pickup.currentData()) == (Meter(3, 4), 4)
    assert (shown.key.currentData(), shown.phrases.text()) == (Key("G", "major"), "1,2")


def test_opened_piece_can_be_written_again(
    house: House, window: MainWindow, jobs: FakeJobs, qtbot: QtBot, tmp_path: Path
) -> None:
    """By the same request, seed included."""
    generate(qtbot, window)
    save(house, qtbot, tmp_path / "one.json")
    generate(qtbot, window)
    house.filing.open(tmp_path / "one.json")
    idle(house, qtbot)
    window.page.controls.entries.seed.set_value(7)  # the fake keeps no settings
    generate(qtbot, window)

    assert jobs.asked[-1][2] == jobs.asked[0][2]


def test_what_the_form_cannot_say_is_told(
    house: House, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """In the banner; the piece is there all the same."""
    files.write(made(GenerationRequest(bars=3, top_k=5)), tmp_path / "old.json")
    house.filing.open(tmp_path / "old.json")
    idle(house, qtbot)

    assert "it lacks top-k 5" in window.page.banner.sentence
    assert house.studio.piece is not None


@pytest.mark.parametrize("content", [b"", b"{}", b"MThd\0\0\0\6\0\0\0\1\0\1"])
def test_damaged_file_is_told_and_changes_nothing(
    house: House, window: MainWindow, qtbot: QtBot, tmp_path: Path, content: bytes
) -> None:
    """One sentence, and the piece before is still there."""
    generate(qtbot, window)
    before = house.studio.piece
    (tmp_path / "bad.mid").write_bytes(content)
    house.filing.open(tmp_path / "bad.mid")
    idle(house, qtbot)

    assert "bad.mid" in window.page.banner.sentence
    assert house.studio.piece is before
    assert window.state == "Opening bad.mid failed"


def test_nothing_is_opened_over_a_piece_that_is_being_written(
    house: House, window: MainWindow, jobs: FakeJobs, qtbot: QtBot, tmp_path: Path
) -> None:
    """The command says why, and a drop is told the same."""
    files.write(made(), tmp_path / "old.json")
    hold(qtbot, window, jobs, 40)
    assert window.commands.open.toolTip() == file_controller.NOT_NOW
    house.filing.open(tmp_path / "old.json")

    assert window.page.banner.sentence == file_controller.NOT_NOW
    stop(qtbot, window, jobs)
    assert window.commands.open.isEnabled()


@pytest.mark.parametrize("suffix", [".mid", ".json", ".musicxml", ".wav", ".pdf", ".svg", ".png"])
def test_piece_is_saved_as_any_kind(
    house: House, window: MainWindow, qtbot: QtBot, tmp_path: Path, suffix: str
) -> None:
    """The window says where, and remembers the folder and the kind."""
    generate(qtbot, window)
    save(house, qtbot, tmp_path / f"piece{suffix}")

    assert (tmp_path / f"piece{suffix}").stat().st_size > 500
    assert not window.isWindowModified()
    assert window.state == f"Saved piece{suffix} in {tmp_path}"
    remembered = settings.load()
    assert (remembered.save_folder, remembered.save_suffix) == (str(tmp_path), suffix)


def test_sound_is_saved_as_it_is_heard(
    house: House, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """With the mixer as it stands: what is muted is not in the file."""
    generate(qtbot, window)
    for strip in window.listening.mixer.strips:
        strip.mute.click()
    save(house, qtbot, tmp_path / "silent.wav")

    assert not any((tmp_path / "silent.wav").read_bytes()[44:])


def test_piece_that_cannot_be_saved_is_still_there(
    house: House, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """The banner says what is wrong; the piece can be saved elsewhere."""
    generate(qtbot, window)
    (tmp_path / "file").write_text("no folder")
    save(house, qtbot, tmp_path / "file" / "piece.mid")

    assert window.page.banner.sentence.startswith("The piece is not saved: cannot write")
    assert window.isWindowModified()
    save(house, qtbot, tmp_path / "piece.mid")
    assert window.page.banner.sentence == ""


def test_long_sound_shows_how_far_it_is_and_can_be_cancelled(
    house: House, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """The file that was there before is left as it was."""
    path = tmp_path / "long.wav"
    path.write_bytes(b"as before")
    house.filing.save_as(Chorale.of(np.tile(made().pitches, (60, 1))), path)
    qtbot.waitUntil(window.job.isVisible)
    window.job.cancelled.emit()
    idle(house, qtbot)

    assert window.state == "Saving long.wav was cancelled: no file was changed"
    assert not window.job.isVisible()
    assert path.read_bytes() == b"as before"
    assert list(tmp_path.iterdir()) == [path]


def test_what_was_bent_while_reading_is_told(
    house: House, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """A tune in triplets is opened all the same."""
    file, track = mido.MidiFile(ticks_per_beat=480), mido.MidiTrack()
    file.tracks.append(track)
    for pitch in (72, 74, 76):
        track.append(mido.Message("note_on", note=pitch, time=0))
        track.append(mido.Message("note_off", note=pitch, time=160))
    file.save(tmp_path / "tune.mid")
    house.filing.open(tmp_path / "tune.mid")
    idle(house, qtbot)

    assert window.page.title.whole == "tune"
    assert window.page.banner.sentence.startswith("The file tune.mid was read, but notes")
    assert "bar 1" in window.page.banner.sentence


def test_piece_without_a_name_is_named_after_its_file(
    house: House, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """In the heading and the title bar."""
    files.write(replace(made(), title=""), tmp_path / "hymn 7.mid")
    house.filing.open(tmp_path / "hymn 7.mid")
    idle(house, qtbot)

    assert window.page.title.whole == "hymn 7"
    assert window.windowTitle().startswith("hymn 7")


def test_two_files_at_once_are_refused(
    house: House, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """The second is told to wait for the first."""
    generate(qtbot, window)
    assert house.studio.piece is not None
    house.filing.save_as(house.studio.piece, tmp_path / "one.mid")
    house.filing.save_as(house.studio.piece, tmp_path / "two.mid")
    assert window.page.banner.sentence.startswith("Saving one.mid is not done yet")
    idle(house, qtbot)

    assert (tmp_path / "one.mid").is_file()
    assert not (tmp_path / "two.mid").exists()


def test_dialogs_ask_without_holding_up_the_window(
    house: House, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """The one to save proposes a name; what is chosen is written, and can be opened again."""
    generate(qtbot, window)
    window.commands.save.trigger()
    dialog = window.findChild(QFileDialog)
    assert dialog is not None
    assert Path(dialog.selectedFiles()[0]).name == "Chorale 7.mid"
    dialog.fileSelected.emit(str(tmp_path / "chosen.mid"))
    dialog.close()
    idle(house, qtbot)
    qtbot.waitUntil(lambda: window.findChild(QFileDialog) is None)

    window.commands.open.trigger()
    dialog = window.findChild(QFileDialog)
    assert dialog is not None
    dialog.fileSelected.emit(str(tmp_path / "chosen.mid"))
    dialog.close()
    idle(house, qtbot)
    assert window.state == "Opened chosen.mid"


def test_save_without_a_piece_does_nothing(house: House, window: MainWindow) -> None:
    """There is nothing to ask for."""
    house.filing.ask_to_save()

    assert window.findChild(QFileDialog) is None


def test_file_dropped_on_the_window_is_opened(
    house: House, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """The first one of a kind that can be read; others are not even welcomed."""
    files.write(made(), tmp_path / "old.mid")
    for names, welcome in ((["old.mid", "x.txt"], True), (["x.txt"], False)):
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(tmp_path / name)) for name in names])
        copy, left, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier
        enter = QDragEnterEvent(QPoint(9, 9), copy, data, left, keys.NoModifier)
        QApplication.sendEvent(window, enter)
        assert enter.isAccepted() == welcome
        drop = QDropEvent(QPointF(9, 9), copy, data, left, keys.NoModifier)
        QApplication.sendEvent(window, drop)
    idle(house, qtbot)

    assert window.page.title.whole == "Some other day"


def test_each_drag_is_a_fresh_file(
    house: House, window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Named as the piece, with its notes, kept until the app ends."""
    dragged: list[Path] = []
    monkeypatch.setattr(window.page.handle, "drag", dragged.append)
    assert not window.page.handle.isEnabled()
    generate(qtbot, window)
    handle = window.page.handle
    for _ in range(2):
        QTest.mousePress(handle, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
        QTest.mouseMove(handle, QPoint(60, 40))
        QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=QPoint(60, 40))

    assert house.studio.piece is not None
    assert [path.name for path in dragged] == ["Chorale 7.mid"] * 2
    assert dragged[0] != dragged[1]
    assert np.array_equal(files.read(dragged[1]).pitches, house.studio.piece.pitches)
    assert payload(dragged[0]).urls() == [QUrl.fromLocalFile(str(dragged[0]))]
    assert readable(payload(dragged[0])) == dragged[0]
    window.close()
    assert not any(path.exists() for path in dragged)


def test_click_on_the_handle_copies_a_file(house: House, window: MainWindow, qtbot: QtBot) -> None:
    """Dragging without a mouse: it can be pasted."""
    generate(qtbot, window)
    window.page.handle.click()

    (url,) = QGuiApplication.clipboard().mimeData().urls()
    assert Path(url.toLocalFile()).is_file()
    assert window.state.startswith("Copied Chorale 7.mid")
    window.close()
    assert QGuiApplication.clipboard().text() == ""
    del house


def test_closing_leaves_on_the_clipboard_what_came_after_the_file(
    house: House, window: MainWindow, qtbot: QtBot
) -> None:
    """Only the file that goes with the app is taken off."""
    del house
    generate(qtbot, window)
    window.page.handle.click()
    QGuiApplication.clipboard().setText("something else")
    window.close()
    assert QGuiApplication.clipboard().text() == "something else"
