"""Practice files: the dialog, and the job that follows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox, QMessageBox

from musicrel import jobs, settings
from musicrel.chorale import REST, Chorale, Lyric, Voice
from musicrel.score import files
from musicrel.score.audio.mixer import Mix
from musicrel.score.midi import midi_events
from musicrel.score.performance import Style
from musicrel.ui.actions.commands import NOTHING_TO_EXPORT
from musicrel.ui.app_controller import AppController
from musicrel.ui.files.exports import ALONE, NO_FOLDER, NO_VOICE, NOBODY, SILENT, PracticeDialog
from musicrel.ui.files.file_jobs import ExportSettings, write_file
from tests.ui.controllers.user_actions import child
from tests.ui.user import User

PIECE = Chorale.of([[72, 67, 64, 48]] * 16, title="Jesu: meine/Freude", tempo=120)


class Exports:
    """The command of the whole app; its jobs are not started."""

    def __init__(self, user: User, folder: Path) -> None:
        self.user = user
        self.started: list[tuple[Any, str]] = []
        user.app.preferences.remember(save_folder=str(folder))

    def ask(self, piece: Chorale = PIECE) -> PracticeDialog:
        self.user.document.show_piece(piece)
        for earlier in self.user.window.findChildren(PracticeDialog):
            earlier.setParent(None)
        self.user.commands.file.practice.trigger()
        return child(self.user.window, PracticeDialog)


@pytest.fixture
def exports(user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Exports:
    found = Exports(user, tmp_path)
    monkeypatch.setattr(user.app.files, "start", lambda *job: found.started.append(job))
    return found


def test_all_verses_are_practised_one_after_the_other(exports: Exports) -> None:
    assert not exports.ask().all_verses.isEnabled()
    hymn = replace(PIECE, lyrics=tuple(Lyric(Voice.SOPRANO, verse, 0, "la") for verse in (1, 2)))
    dialog = exports.ask(hymn)
    dialog.format.setCurrentIndex(dialog.format.findData(".mid"))
    dialog.all_verses.setChecked(True)
    dialog.action_button.click()

    ((job, _),) = exports.started
    written = jobs.run(job)
    for path in written.folder.glob("*.mid"):
        assert files.read(path).steps == 2 * PIECE.steps
    assert exports.ask(hymn).all_verses.isChecked()


def test_every_voice_gets_its_file(exports: Exports, tmp_path: Path) -> None:
    dialog = exports.ask()
    dialog.format.setCurrentIndex(dialog.format.findData(".mid"))
    dialog.count_in.setChecked(True)
    assert dialog.names.toolTip().splitlines()[0] == "Jesu meineFreude – Soprano practice.mid"
    dialog.action_button.click()

    (job, doing), *others = exports.started
    assert (doing, others) == ("Exporting 4 practice files", [])
    events: list[Any] = []
    written = jobs.run(job, events.append)
    assert written.sentence == f"Exported 4 practice files to {tmp_path}"
    sources = [files.source(path) for path in sorted(tmp_path.glob("*.mid"))]
    assert [min(line.notes[0].start for line in found.lines) for found in sources] == [16] * 4
    assert events[-1] == 1


def test_enter_exports_and_does_not_ask_for_a_folder(exports: Exports) -> None:
    QTest.keyClick(exports.ask(), Qt.Key.Key_Return)
    assert [doing for _, doing in exports.started] == ["Exporting 4 practice files"]


def test_one_voice_is_left_out(exports: Exports, tmp_path: Path) -> None:
    dialog = exports.ask()
    for box in dialog.voices[1:]:
        box.setChecked(False)
    dialog.kind.setCurrentIndex(1)

    assert [version.voice for version in dialog.files().versions] == [Voice.SOPRANO]
    assert (dialog.others.isEnabled(), dialog.others.toolTip()) == (False, ALONE)
    assert dialog.names.text() == "Jesu meineFreude – without Soprano.mp3"
    del tmp_path


def test_voices_without_notes_get_no_file(exports: Exports) -> None:
    dialog = exports.ask(Chorale.of([[72, REST, REST, 48]] * 16, title="Two"))
    assert [box.isEnabled() for box in dialog.voices] == [True, False, False, True]
    assert dialog.voices[1].toolTip() == SILENT.format(voice="Alto")
    assert dialog.names.text() == "Two – Soprano practice.mp3   Two – Bass practice.mp3"
    dialog.action_button.click()

    assert exports.started[0][1] == "Exporting 2 practice files"
    assert all(box.isChecked() for box in exports.ask().voices)


def test_a_piece_for_one_voice_is_not_exported_without_it(exports: Exports) -> None:
    dialog = exports.ask(Chorale.of([[REST, REST, REST, 48]] * 16, title="One"))
    states = []
    for row in (1, 0):
        dialog.kind.setCurrentIndex(row)
        states.append((dialog.action_button.isEnabled(), dialog.action_button.toolTip()))

    assert states == [(False, NOBODY.format(voice="Bass")), (True, "")]


def test_the_reason_is_in_the_tooltip_of_export(exports: Exports, tmp_path: Path) -> None:
    dialog = exports.ask()
    reasons = []
    for folder, checked in ((tmp_path / "none", True), (tmp_path, False), (tmp_path, True)):
        dialog.folder_field.setText(str(folder))
        for box in dialog.voices:
            box.setChecked(checked)
        reasons.append((dialog.action_button.isEnabled(), dialog.action_button.toolTip()))

    assert reasons == [(False, NO_FOLDER), (False, NO_VOICE), (True, "")]


@pytest.mark.parametrize(
    ("button", "kept", "count"),
    [("Replace", b"", 4), ("Keep both", b"old", 5), ("Cancel", b"old", 1)],
)
def test_existing_files_are_asked_about(
    exports: Exports, tmp_path: Path, *, button: str, kept: bytes, count: int
) -> None:
    old = tmp_path / "Jesu meineFreude – Alto practice.mid"
    old.write_bytes(b"old")
    dialog = exports.ask()
    dialog.format.setCurrentIndex(dialog.format.findData(".mid"))
    dialog.action_button.click()
    box = child(dialog, QMessageBox)
    assert (box.text(), exports.started) == (f"“{old.name}” exists in this folder.", [])
    next(each for each in box.buttons() if each.text().replace("&", "") == button).click()

    for job, _ in exports.started:
        jobs.run(job)
    assert old.read_bytes().startswith(kept or b"MThd")
    assert len(list(tmp_path.glob("*.mid"))) == count
    assert dialog.isVisible() == (button == "Cancel")
    dialog.reject()


def test_all_files_exist_after_a_first_export(exports: Exports) -> None:
    dialog = exports.ask()
    for path in dialog.files().paths:
        path.write_bytes(b"old")
    dialog.action_button.click()

    assert child(dialog, QMessageBox).text() == "All 4 files already exist in this folder."
    dialog.reject()


def test_the_entries_of_the_last_time_are_kept(exports: Exports) -> None:
    exports.user.commands.play.fermatas.setChecked(False)
    dialog = exports.ask()
    assert not dialog.held.isChecked()
    dialog.clicks.setChecked(True)
    dialog.others.set_value(0.5)
    dialog.action_button.click()

    again = exports.ask()
    assert (again.clicks.isChecked(), again.held.isChecked()) == (True, False)
    assert again.others.value() == 0.5
    again.buttons.button(QDialogButtonBox.StandardButton.Cancel).click()
    assert len(exports.started) == 1


def test_the_command_writes_the_files_of_the_piece(user: User, tmp_path: Path) -> None:
    action = user.commands.file.practice
    assert (action.isEnabled(), action.toolTip()) == (False, NOTHING_TO_EXPORT)
    user.document.show_piece(PIECE)
    action.trigger()
    dialog = child(user.window, PracticeDialog)
    dialog.folder_field.setText(str(tmp_path))
    dialog.voices[0].setChecked(False)
    dialog.action_button.click()
    user.wait(lambda: not user.app.files.worker.busy)

    assert user.state == f"Exported 3 practice files to {tmp_path}"
    assert len(list(tmp_path.glob("*.mp3"))) == 3
    assert user.app.preferences.settings.save_folder == str(tmp_path)


def test_a_running_export_can_be_cancelled(user: User, tmp_path: Path) -> None:
    long_piece = Chorale.of([[72, 67, 64, 48]] * 4000, title="Long")
    user.document.show_piece(long_piece)
    user.commands.file.practice.trigger()
    dialog = child(user.window, PracticeDialog)
    dialog.folder_field.setText(str(tmp_path))
    dialog.action_button.click()
    user.wait(user.window.job.isVisible)
    user.window.job.cancelled.emit()
    user.wait(lambda: not user.app.files.worker.busy)

    assert user.state == "Exporting 4 practice files was cancelled"
    assert list(tmp_path.glob("*.mp3*")) == []


def test_exported_midi_files_have_the_instruments_of_the_mixer(tmp_path: Path) -> None:
    path = tmp_path / "piece.mid"
    mix = Mix(sound=("oboe", "strings", "organ", "brass"))

    jobs.run(write_file(PIECE, path, ExportSettings(mix=mix, style=Style())))

    tracks = midi_events.parse(path.read_bytes()).tracks[1:]
    programs = [event.data[0] for track in tracks for event in track if event.kind == "program"]
    assert programs == [68, 48, 19, 61]


def test_held_fermatas_in_midi_files_are_remembered(app: AppController) -> None:
    toggle = app.window.commands.play.fermatas_in_midi
    saved = []
    for _ in range(2):
        toggle.trigger()
        saved.append(settings.load().midi_fermatas)

    assert saved == ["held", "written"]
