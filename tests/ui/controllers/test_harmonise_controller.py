"""Harmonising a melody with fake jobs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import mido
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.chorale import REST, Chorale, Voice
from musicrel.corpus import melodies
from musicrel.errors import GenerationError
from musicrel.presentation.compose.harmonise_form import HarmoniseForm, Source
from musicrel.score import files
from musicrel.ui.app_controller import AppController
from musicrel.ui.controllers import candidates_controller as candidates_module
from musicrel.ui.document.document import GENERATING
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.controllers.user_actions import PIECE, harmonise, hold, stop
from tests.ui.fakes import TIMEOUT, FakeJobs

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints


def asked(path: Path | None, voice: Voice = Voice.SOPRANO, model: str = "both") -> HarmoniseForm:
    """Return a form for two candidates of a melody."""
    source = Source(title=path.name if path else "the roll", path=path)
    return HarmoniseForm(source=source, voice=voice, model=model, quality="draft", count=2)


def tune_file(path: Path, pitches: list[int], length: int = 480) -> Path:
    """Write a MIDI file with one track of consecutive notes."""
    track = mido.MidiTrack()
    for pitch in pitches:
        track.append(mido.Message("note_on", note=pitch, velocity=80))
        track.append(mido.Message("note_off", note=pitch, time=length))
    mido.MidiFile(tracks=[track], ticks_per_beat=480).save(path)
    return path


def test_the_melody_is_harmonised_by_candidates(
    both: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """The best one is shown at once; Enter accepts it; undo restores the melody."""
    harmonise(both, qtbot, asked(melodies.path("ode-to-joy")))
    tune = both.document.piece
    assert tune is not None
    assert (tune.pitches[:, 1:] == REST).all()
    assert window.compose_page.candidates.isVisible()
    assert "Esc goes back to the piece as it was" in window.state
    QTest.keyClick(window.compose_page.candidates.table, Qt.Key.Key_Return)

    taken = both.document.piece
    assert taken is not None
    assert taken.title == "Ode to Joy, harmonised"
    assert (taken.pitches[:, 0] == tune.pitches[:, 0]).all()
    assert (taken.pitches[:, 1:] != REST).all()
    window.commands.undo.trigger()
    assert both.document.piece is tune


def test_the_roll_previews_a_candidate(
    both: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """Stop ends the generation; then the melody is shown again."""
    jobs.emits_progress = jobs.hold_candidates = True
    both.document.show_piece(PIECE)
    both.harmonise.begin(asked(None))
    assert jobs.waiting.wait(TIMEOUT)
    qtbot.waitUntil(lambda: window.state == "Writing and revising candidate 1 of 2: 25%")
    assert {note.voice for note in window.compose_page.roll.picture.notes} == {0}  # type: ignore[union-attr]
    assert window.compose_page.strip.rewrite.text() == "Cancel"
    QTest.keyClick(window, Qt.Key.Key_Escape)
    jobs.gate.set()
    qtbot.waitUntil(lambda: both.candidates.run.idle)

    assert {note.voice for note in window.compose_page.roll.picture.notes} == {0, 1, 2, 3}  # type: ignore[union-attr]
    assert both.document.piece is PIECE


@pytest.mark.parametrize("chosen", [False, True])
def test_the_first_candidate_stays_on_the_roll_until_the_end(
    chosen: bool, both: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """A selected candidate stays selected; otherwise the best one is shown."""
    jobs.emits_progress = jobs.hold_candidates = jobs.hold_second_candidate = True
    both.document.show_piece(PIECE)
    both.harmonise.begin(asked(None))
    qtbot.waitUntil(lambda: window.state.startswith("Writing and revising candidate 1 of 2"))
    jobs.gate.set()
    qtbot.waitUntil(lambda: window.compose_page.candidates.progress.value() == 625)
    first = altos(window)
    assert window.state.startswith("Candidate 1 of 2 is finished")
    if chosen:
        both.candidates.choose(1)
    jobs.second_gate.set()
    qtbot.waitUntil(lambda: not both.candidates.busy and both.candidates.chosen != 0)

    assert first == [68]
    assert both.candidates.chosen == (1 if chosen else 2)
    assert altos(window) == [68 if chosen else 69]


def altos(window: MainWindow) -> list[int]:
    """Return the pitches of the alto on the roll."""
    assert window.compose_page.roll.picture is not None
    return sorted(
        {note.pitch for note in window.compose_page.roll.picture.notes if note.voice == 1}
    )


def test_the_main_button_stops_harmonising(
    both: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """It works as for a new piece."""
    jobs.hold_candidates = True
    both.harmonise.begin(asked(melodies.path("ode-to-joy")))
    qtbot.waitUntil(lambda: both.candidates.busy)
    assert window.compose_page.controls.generate_button.text() == "Stop"
    window.compose_page.controls.generate_button.click()
    jobs.gate.set()
    qtbot.waitUntil(lambda: both.candidates.run.idle)

    assert window.compose_page.controls.generate_button.text() == "Generate"
    assert window.state == candidates_module.CANCELLED
    assert both.document.piece is not None
    assert both.document.piece.title == "Ode to Joy"


def test_repeating_a_request_takes_a_new_seed(
    both: AppController, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The candidates differ from the ones before."""
    for _ in range(2):
        harmonise(both, qtbot, asked(melodies.path("ode-to-joy")))
    one, other = (builder.form.seed for _, _, builder in jobs.candidate_requests)
    assert one == 7 != other


def test_changes_of_the_melody_are_reported(
    both: AppController, qtbot: QtBot, tmp_path: Path
) -> None:
    """A melody below the range of its voice is transposed."""
    path = tune_file(tmp_path / "low.mid", [48, 50, 52, 53])
    harmonise(both, qtbot, asked(path))
    banner = both.window.compose_page.banner

    assert banner.message.startswith("The melody of low.mid was changed: it was transposed up by")
    assert both.document.piece is not None
    assert both.document.piece.title == "low"


@pytest.mark.parametrize("kind", ["empty", "none", "foreign"])
def test_unreadable_melody_is_reported(
    kind: str, both: AppController, jobs: FakeJobs, qtbot: QtBot, tmp_path: Path
) -> None:
    """The current piece is unchanged."""
    both.document.show_piece(PIECE)
    path = tmp_path / ("tune.txt" if kind == "foreign" else "tune.mid")
    if kind == "empty":
        tune_file(path, [])
    harmonise(both, qtbot, asked(path))

    sentence = both.window.compose_page.banner.message
    expected = {
        "empty": "no notes",
        "none": "cannot read",
        "foreign": "expected a name that ends in",
    }
    assert expected[kind] in sentence.lower() or expected[kind] in sentence
    assert both.document.piece is PIECE
    assert jobs.candidate_requests == []


def test_a_long_melody_is_harmonised_from_its_beginning(
    both: AppController, jobs: FakeJobs, qtbot: QtBot, tmp_path: Path
) -> None:
    """The banner gives the number of bars."""
    path = tmp_path / "long.json"
    files.write(Chorale.of([(72, REST, REST, REST)] * 5000), path)
    harmonise(both, qtbot, asked(path))

    ((_, _, builder),) = jobs.candidate_requests
    assert builder.request().bars <= 256
    assert "it is too long: its first" in both.window.compose_page.banner.message


def test_only_the_lower_of_two_limits_is_reported(
    both: AppController, qtbot: QtBot, tmp_path: Path
) -> None:
    """A melody of 40 minutes exceeds the limits of reading and of harmonising."""
    path = tune_file(tmp_path / "long.mid", [72, 74] * 12, length=480 * 200)
    harmonise(both, qtbot, asked(path))
    sentence = both.window.compose_page.banner.message

    assert "it is too long: its first 255 bars are harmonised" in sentence
    assert sentence.count("too long") == 1


def test_a_silent_voice_is_reported(both: AppController, jobs: FakeJobs, qtbot: QtBot) -> None:
    """The message asks to select another one."""
    low = Chorale.of([(REST, REST, REST, 48)] * 16)
    both.document.show_piece(low)
    harmonise(both, qtbot, asked(None, Voice.ALTO))
    assert both.window.compose_page.banner.message.startswith("The Alto has no notes: choose")
    assert jobs.candidate_requests == []


def test_a_failure_keeps_the_melody(both: AppController, jobs: FakeJobs, qtbot: QtBot) -> None:
    """The banner has the message of the error."""
    jobs.candidates_error = GenerationError("the locked notes break the rule 'range'")
    harmonise(both, qtbot, asked(melodies.path("ode-to-joy")))

    assert both.window.compose_page.banner.message.startswith("The locked notes break the rule")
    assert both.document.piece is not None
    assert both.document.piece.title == "Ode to Joy"


def test_nothing_is_harmonised_during_generation(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """Button and command give the reason."""
    hold(qtbot, window, jobs, 8)
    assert window.compose_page.controls.harmonise.toolTip() == GENERATING
    assert not window.commands.rewriting.harmonise.isEnabled()
    stop(qtbot, window, jobs)
    assert window.compose_page.controls.harmonise.isEnabled()
    del app_controller


def test_a_file_whose_phrases_do_not_fit_leaves_the_document_alone(
    both: AppController, jobs: FakeJobs, qtbot: QtBot, tmp_path: Path
) -> None:
    """Its bars are known only after it was read."""
    both.document.show_piece(PIECE)
    path = tune_file(tmp_path / "tune.mid", [72, 74, 76, 77])
    harmonise(both, qtbot, replace(asked(path), phrases="7"))
    assert both.window.compose_page.banner.message.startswith("The phrases have 7 bars")
    assert both.document.piece is PIECE
    assert jobs.candidate_requests == []


def test_a_low_melody_on_the_roll_is_moved_and_that_is_said(
    both: AppController, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The piece takes its place first, so that undo brings back the low one."""
    low = Chorale.of([(36, REST, REST, REST), (40, REST, REST, REST)] * 8)
    both.document.show_piece(low)
    harmonise(both, qtbot, asked(None))
    assert "transposed up by 2 octaves" in both.window.compose_page.banner.message
    ((_, _, builder),) = jobs.candidate_requests
    locks = builder.request().locks
    assert locks is not None
    assert locks.cells[0].pitch == 60


def test_nothing_else_starts_while_harmonising(
    both: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """Harmonise and Continue give the reason."""
    jobs.hold_candidates = True
    both.document.show_piece(PIECE)
    both.harmonise.begin(asked(None))
    qtbot.waitUntil(lambda: both.candidates.busy)
    page, rewriting = window.compose_page, window.commands.rewriting
    assert page.controls.harmonise.toolTip() == page.strip.more.toolTip() == GENERATING
    assert not rewriting.harmonise.isEnabled()
    assert not any(action.isEnabled() for action in rewriting.continue_by)
    jobs.gate.set()
    qtbot.waitUntil(lambda: both.candidates.run.idle)
    assert page.controls.harmonise.isEnabled()
    assert rewriting.harmonise.isEnabled()
    assert page.strip.more.isEnabled()
