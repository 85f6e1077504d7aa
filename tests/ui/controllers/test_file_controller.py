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
from musicrel.chorale import REST, Chorale, Key, Meter
from musicrel.score import files
from musicrel.score.editing.selection import Selection
from musicrel.ui.app_controller import AppController
from musicrel.ui.files.dialogs import first_readable
from musicrel.ui.files.midi_drag import mime_data
from tests.ui.controllers.user_actions import answer, child
from tests.ui.fakes import earlier_piece
from tests.ui.user import User


def idle(app: AppController, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not app.files.worker.busy)


def export(app: AppController, qtbot: QtBot, path: Path) -> None:
    assert app.document.piece is not None
    app.files.export(app.document.piece, path)
    idle(app, qtbot)


@pytest.mark.parametrize("suffix", [".mid", ".json"])
def test_opened_piece_restores_its_form(user: User, tmp_path: Path, suffix: str) -> None:
    files.write(earlier_piece(), tmp_path / f"old{suffix}")
    user.form.model.setCurrentIndex(0)
    user.app.projects.open(tmp_path / f"old{suffix}")
    idle(user.app, user.qtbot)

    assert np.array_equal(user.piece.pitches, earlier_piece().pitches)
    assert user.page.title.text() == "Some other day"
    assert not user.window.isWindowModified()
    assert user.state == f"Opened old{suffix}"
    assert settings.load().save_folder == str(tmp_path)
    form = user.form.form()
    assert (form.model, form.bars, form.seed, form.temperature) == ("plain", 3, 99, 0.8)
    shown = user.form
    assert (shown.meter.currentData(), shown.pickup.currentData()) == (Meter(3, 4), 4)
    assert (shown.key.currentData(), shown.phrases.text()) == (Key("G", "major"), "1,2")


def test_opened_piece_can_be_generated_again(user: User, tmp_path: Path) -> None:
    user.generate()
    export(user.app, user.qtbot, tmp_path / "one.json")
    user.generate()
    user.app.projects.open(tmp_path / "one.json")
    idle(user.app, user.qtbot)
    answer(user.window, "Don't Save")
    form = user.form
    form.seed.set_value(7)  # the fake keeps no settings
    form.phrases.setText("")
    user.generate()

    assert user.jobs.requests[-1][2] == user.jobs.requests[0][2]


def of_a_gpu() -> Chorale:
    origin = earlier_piece().provenance
    assert origin is not None
    machine = {"device": "cuda", "kernel": "torch", "precision": "single"}
    return replace(earlier_piece(), provenance=replace(origin, model="full", machine=machine))


def test_an_opened_piece_is_written_again_by_its_device(user: User, tmp_path: Path) -> None:
    """Another seed is written by the usual one."""
    files.write(of_a_gpu(), tmp_path / "hymn.json")
    user.app.projects.open(tmp_path / "hymn.json")
    user.wait(lambda: user.jobs.made_on[-1] == "cuda")
    assert user.jobs.load_requests[-1] == ("full", "auto")

    user.generate()
    assert (user.jobs.requests[-1][2].seed, user.jobs.made_on[-1]) == (99, "cuda")
    user.generate()
    assert (user.jobs.requests[-1][2].seed == 99, user.jobs.made_on[-1]) == (False, "")


def test_an_opened_piece_of_another_device_may_get_other_notes(user: User, tmp_path: Path) -> None:
    user.jobs.machine = {"device": "cpu", "kernel": "compiled", "precision": "single"}
    files.write(of_a_gpu(), tmp_path / "hymn.json")
    user.app.projects.open(tmp_path / "hymn.json")

    user.wait(
        lambda: (
            user.state
            == "Some other day was made with kernel torch (here compiled), device cuda (here cpu): "
            "its seed may give other notes here"
        )
    )


@pytest.mark.parametrize("content", [b"", b"{}", b"MThd\0\0\0\6\0\0\0\1\0\1"])
def test_damaged_file_is_reported_and_changes_nothing(
    user: User, tmp_path: Path, content: bytes
) -> None:
    user.generate()
    before = user.document.piece
    (tmp_path / "bad.mid").write_bytes(content)
    user.app.projects.open(tmp_path / "bad.mid")
    idle(user.app, user.qtbot)

    assert "bad.mid" in user.message
    assert user.document.piece is before
    assert user.state == "Opening bad.mid failed"


@pytest.mark.parametrize(
    "suffix", [".mid", ".json", ".musicxml", ".mxl", ".wav", ".pdf", ".svg", ".png"]
)
def test_piece_is_exported_in_any_format(user: User, tmp_path: Path, suffix: str) -> None:
    user.generate()
    export(user.app, user.qtbot, tmp_path / f"piece{suffix}")

    assert (tmp_path / f"piece{suffix}").stat().st_size > 500
    assert user.window.isWindowModified()
    assert user.state == f"Exported piece{suffix} to {tmp_path}"
    remembered = settings.load()
    assert (remembered.save_folder, remembered.save_suffix) == (str(tmp_path), suffix)


def test_preferred_folder_and_format_are_proposed(user: User, tmp_path: Path) -> None:
    user.generate()
    (tmp_path / "preferred").mkdir()
    place = {"export_folder": str(tmp_path / "preferred"), "export_suffix": ".mxl"}
    user.app.preferences.remember(**place)
    export(user.app, user.qtbot, tmp_path / "elsewhere.mid")
    user.commands.file.export.trigger()
    dialog = child(user.window, QFileDialog)
    assert dialog.selectedFiles() == [str(tmp_path / "preferred" / "Chorale 7.mxl")]
    dialog.close()


@pytest.mark.parametrize("held", [True, False])
def test_midi_files_are_exported_and_dragged_with_or_without_held_fermatas(
    app: AppController, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, held: bool
) -> None:
    dragged: list[Path] = []
    monkeypatch.setattr(app.window.compose_page.handle, "drag", dragged.append)
    piece = replace(earlier_piece(), fermatas=np.arange(earlier_piece().steps) % 16 == 12)
    app.document.show_piece(piece)
    app.window.commands.play.fermatas_in_midi.setChecked(held)
    export(app, qtbot, tmp_path / "held.mid")
    app.files.drag()

    for path in (tmp_path / "held.mid", dragged[0]):
        tempos = [m for track in mido.MidiFile(path).tracks for m in track if m.type == "set_tempo"]
        assert (len(tempos) > 1) == held
        assert np.array_equal(files.read(path).pitches, piece.pitches)


def test_midi_files_name_chords_and_phrases_if_that_is_on(
    app: AppController, qtbot: QtBot, tmp_path: Path
) -> None:
    toggle = app.window.commands.play.markers_in_midi
    fermata = np.arange(64) % 32 >= 28
    app.document.show_piece(replace(AIR, pickup=0, fermatas=fermata))
    found = []
    for name in ("without.mid", "with.mid"):
        export(app, qtbot, tmp_path / name)
        track = mido.MidiFile(tmp_path / name).tracks[0]
        found.append([event.text for event in track if event.type == "marker"])
        toggle.trigger()

    assert not any(text.startswith("Phrase") for text in found[0])
    assert {text[:9] for text in found[1]} >= {"Phrase 1:", "Phrase 2:"}
    assert settings.load().midi_markers == "off"


def test_scores_have_repeat_signs_if_that_is_on(
    app: AppController, qtbot: QtBot, tmp_path: Path
) -> None:
    toggle = app.window.commands.repeat_signs
    bars = np.repeat([[72, 67, 64, 48], [71, 65, 62, 43]] * 2, 16, axis=0)
    app.document.show_piece(Chorale.of(bars))
    found = []
    for name in ("without.musicxml", "with.musicxml"):
        export(app, qtbot, tmp_path / name)
        found.append("<repeat " in (tmp_path / name).read_text(encoding="utf-8"))
        toggle.trigger()

    assert found == [False, True]
    assert np.array_equal(files.read(tmp_path / "with.musicxml").pitches, bars)
    assert settings.load().repeat_signs == "off"


def test_audio_is_exported_with_the_mix(user: User, tmp_path: Path) -> None:
    user.generate()
    for strip in user.window.playback.mixer.strips:
        strip.mute.click()
    export(user.app, user.qtbot, tmp_path / "silent.wav")

    assert not any((tmp_path / "silent.wav").read_bytes()[44:])


def test_failed_export_keeps_the_piece(user: User, tmp_path: Path) -> None:
    user.generate()
    (tmp_path / "file").write_text("no folder")
    export(user.app, user.qtbot, tmp_path / "file" / "piece.mid")

    assert user.message.startswith("The piece is not exported: cannot write")
    assert user.window.isWindowModified()
    export(user.app, user.qtbot, tmp_path / "piece.mid")
    assert user.message == ""


def test_long_export_shows_progress_and_can_be_cancelled(user: User, tmp_path: Path) -> None:
    path = tmp_path / "long.wav"
    path.write_bytes(b"as before")
    user.app.files.export(Chorale.of(np.tile(earlier_piece().pitches, (60, 1))), path)
    user.wait(user.window.job.isVisible)
    user.window.job.cancelled.emit()
    idle(user.app, user.qtbot)

    assert user.state == "Exporting long.wav was cancelled"
    assert not user.window.job.isVisible()
    assert path.read_bytes() == b"as before"
    assert list(tmp_path.iterdir()) == [path]


def test_changes_on_reading_are_reported(user: User, tmp_path: Path) -> None:
    file, track = mido.MidiFile(ticks_per_beat=480), mido.MidiTrack()
    file.tracks.append(track)
    for pitch in (72, 74, 76):
        track.append(mido.Message("note_on", note=pitch, time=0))
        track.append(mido.Message("note_off", note=pitch, time=160))
    file.save(tmp_path / "tune.mid")
    user.app.projects.open(tmp_path / "tune.mid")
    idle(user.app, user.qtbot)

    assert user.page.title.text() == "tune"
    assert user.message.startswith("Changed on opening tune.mid:\n• notes")
    assert "bar 1" in user.message


def test_untitled_piece_gets_the_name_of_its_file(user: User, tmp_path: Path) -> None:
    files.write(replace(earlier_piece(), title=""), tmp_path / "hymn 7.mid")
    user.app.projects.open(tmp_path / "hymn 7.mid")
    idle(user.app, user.qtbot)

    assert user.page.title.text() == "hymn 7"
    assert user.window.windowTitle().startswith("hymn 7")


def test_second_file_is_refused_while_one_is_busy(user: User, tmp_path: Path) -> None:
    user.generate()
    user.app.files.export(user.piece, tmp_path / "one.mid")
    user.app.files.export(user.piece, tmp_path / "two.mid")
    assert user.message.startswith("Exporting one.mid is not finished yet")
    idle(user.app, user.qtbot)

    assert (tmp_path / "one.mid").is_file()
    assert not (tmp_path / "two.mid").exists()


def test_dialogs_do_not_block_the_window(user: User, tmp_path: Path) -> None:
    user.generate()
    user.commands.file.export.trigger()
    dialog = child(user.window, QFileDialog)
    assert Path(dialog.selectedFiles()[0]).name == "Chorale 7.mid"
    dialog.fileSelected.emit(str(tmp_path / "chosen.mid"))
    dialog.close()
    idle(user.app, user.qtbot)
    user.wait(lambda: user.window.findChild(QFileDialog) is None)

    user.commands.file.open.trigger()
    dialog = child(user.window, QFileDialog)
    dialog.fileSelected.emit(str(tmp_path / "chosen.mid"))
    dialog.close()
    idle(user.app, user.qtbot)
    answer(user.window, "Don't Save")
    assert user.state == "Opened chosen.mid"


def test_file_dropped_on_the_window_is_opened(user: User, tmp_path: Path) -> None:
    files.write(earlier_piece(), tmp_path / "old.mid")
    for names, welcome in ((["old.mid", "x.txt"], True), (["x.txt"], False)):
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(tmp_path / name)) for name in names])
        copy, left, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier
        enter = QDragEnterEvent(QPoint(9, 9), copy, data, left, keys.NoModifier)
        QApplication.sendEvent(user.window, enter)
        assert enter.isAccepted() == welcome
        drop = QDropEvent(QPointF(9, 9), copy, data, left, keys.NoModifier)
        QApplication.sendEvent(user.window, drop)
    idle(user.app, user.qtbot)

    assert user.page.title.text() == "Some other day"


def test_each_drag_writes_a_new_file(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    dragged: list[Path] = []
    monkeypatch.setattr(user.page.handle, "drag", dragged.append)
    assert not user.page.handle.isEnabled()
    user.generate()
    handle = user.page.handle
    for _ in range(2):
        QTest.mousePress(handle, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
        QTest.mouseMove(handle, QPoint(60, 40))
        QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=QPoint(60, 40))

    assert [path.name for path in dragged] == ["Chorale 7.mid"] * 2
    assert dragged[0] != dragged[1]
    assert np.array_equal(files.read(dragged[1]).pitches, user.piece.pitches)
    assert mime_data(dragged[0]).urls() == [QUrl.fromLocalFile(str(dragged[0]))]
    assert first_readable(mime_data(dragged[0])) == dragged[0]
    user.window.close()
    assert not any(path.exists() for path in dragged)


AIR = Chorale.of(
    np.arange(64)[:, None] // 4 % 5 + [72, 67, 60, 48], title="Air", pickup=4, key=Key("C", "major")
)


@pytest.mark.parametrize(
    ("voices", "start", "stop", "caption", "name", "steps"),
    [
        ((0, 1, 2, 3), 20, 52, "Drag bars 2–3", "Air, bars 2–3.mid", (20, 52)),
        ((3,), 18, 38, "Drag bars 1–3", "Air, bars 1–3, Bass.mid", (4, 52)),
        ((0, 1, 2, 3), 52, 64, "Drag bar 4", "Air, bar 4.mid", (52, 64)),
        ((3,), 20, 24, "Drag MIDI", "Air.mid", (0, 64)),  # a note: the piece is meant
        ((0, 1, 2, 3), 0, 64, "Drag MIDI", "Air.mid", (0, 64)),  # everything
    ],
)
def test_bars_that_are_selected_are_dragged_alone(
    user: User, monkeypatch: pytest.MonkeyPatch, *, voices: tuple[int, ...], start: int, stop: int,
    caption: str, name: str, steps: tuple[int, int],
) -> None:  # fmt: skip
    dragged: list[Path] = []
    monkeypatch.setattr(user.page.handle, "drag", dragged.append)
    user.document.show_piece(AIR)
    user.document.select(Selection(voices=voices, start=start, stop=stop))
    user.wait(lambda: user.page.handle.text() in (caption, ""))
    user.app.files.drag()

    assert user.page.handle.caption == caption
    assert dragged[0].name == name
    found = files.read(dragged[0])
    expected = AIR.pitches[slice(*steps)].copy()
    if caption != "Drag MIDI":
        expected[:, [voice for voice in range(4) if voice not in voices]] = REST
    assert np.array_equal(found.pitches, expected)
    user.document.select(None)
    assert user.page.handle.caption == "Drag MIDI"
    user.app.files.tidy_up()


def test_selected_bars_are_exported_alone(user: User, tmp_path: Path) -> None:
    assert not user.commands.file.export_bars.isEnabled()
    user.document.show_piece(AIR)
    user.document.select(Selection(voices=(0, 1), start=22, stop=23))
    user.commands.file.export_bars.trigger()
    child(user.window, QFileDialog).fileSelected.emit(str(tmp_path / "some.musicxml"))
    idle(user.app, user.qtbot)

    found = files.read(tmp_path / "some.musicxml")
    assert found.title == "Air, bar 2, Soprano, Alto"
    assert np.array_equal(found.pitches[:, :2], AIR.pitches[20:36, :2])


def test_click_on_the_handle_copies_a_file(user: User) -> None:
    user.generate()
    user.page.handle.click()

    (url,) = QGuiApplication.clipboard().mimeData().urls()
    assert Path(url.toLocalFile()).is_file()
    assert user.state.startswith("Copied Chorale 7.mid")
    user.window.close()
    assert QGuiApplication.clipboard().text() == ""


def test_closing_clears_only_its_own_file_from_the_clipboard(user: User) -> None:
    user.generate()
    user.page.handle.click()
    QGuiApplication.clipboard().setText("something else")
    user.window.close()
    assert QGuiApplication.clipboard().text() == "something else"
