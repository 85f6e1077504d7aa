"""Harmonising a melody, varying and continuing, as their user meets them, without a model."""

from __future__ import annotations

from pathlib import Path

import mido
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog, QMenu
from pytestqt.qtbot import QtBot
from tests.ui.controllers.test_compose_controller import hold, stop

from musicrel import jobs as running
from musicrel.chorale import REST, Chorale, Voice
from musicrel.corpus import melodies
from musicrel.errors import GenerationError, ModelError
from musicrel.model import checkpoint
from musicrel.presentation.compose import harmonise_form, rewrite_form
from musicrel.presentation.compose.harmonise_form import Asked, Source
from musicrel.presentation.compose.request_builder import Continuation, NewPiece
from musicrel.presentation.compose.rewrite_form import Rewriting
from musicrel.presentation.roll.selection import Selection
from musicrel.score import files
from musicrel.tokens.conditions import CONDITIONS
from musicrel.ui.app_controller import House
from musicrel.ui.compose.harmonise_dialog import HarmoniseDialog
from musicrel.ui.controllers import candidates_controller as proposing_module
from musicrel.ui.controllers.compose_controller import NOT_DONE
from musicrel.ui.jobs.generation_service import Loaded, ModelShelf
from musicrel.ui.shell.main_window import MainWindow
from tests.helpers.models import tiny_card, tiny_config, tiny_model
from tests.ui.conftest import BOTH_SIDES, CHOICES
from tests.ui.fakes import PATIENCE, FakeJobs

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints

PIECE = Chorale.of([(72, 67, 64, 48)] * 32, title="Air")


@pytest.fixture
def both(house: House, window: MainWindow) -> House:
    """The app with a third model, which sees both sides, chosen."""
    window.page.controls.entries.set_models([*CHOICES, BOTH_SIDES], "both")
    window.page.controls.entries.changed.emit()
    return house


@pytest.fixture
def dialog(both: House, window: MainWindow) -> HarmoniseDialog:
    """What asks for the melody."""
    window.commands.rewriting.harmonise.trigger()
    assert both.harmonising.dialog is not None
    return both.harmonising.dialog


def asked(path: Path | None, voice: Voice = Voice.SOPRANO, model: str = "both") -> Asked:
    """Two candidates of a melody."""
    source = Source(title=path.name if path else "the roll", path=path)
    return Asked(source=source, voice=voice, model=model, patience="draft", count=2)


def harmonise(house: House, qtbot: QtBot, what: Asked) -> None:
    """Harmonise, and wait until that has come to its end."""
    house.harmonising.begin(what)
    qtbot.waitUntil(lambda: not house.harmonising.busy and not house.proposing.busy)


def opened(house: House) -> HarmoniseDialog | None:
    """The dialog, while it is open."""
    return house.harmonising.dialog


def tune_file(path: Path, pitches: list[int], length: int = 480) -> Path:
    """A MIDI file of one track, one note after the other."""
    track = mido.MidiTrack()
    for pitch in pitches:
        track.append(mido.Message("note_on", note=pitch, velocity=80))
        track.append(mido.Message("note_off", note=pitch, time=length))
    mido.MidiFile(tracks=[track], ticks_per_beat=480).save(path)
    return path


# ---------------------------------------------------------------------- the dialog


def test_the_tunes_that_come_along_are_offered_first(dialog: HarmoniseDialog) -> None:
    """With a look at them; where there is a piece on the roll it comes before them."""
    titles = [dialog.melody.itemText(row) for row in range(dialog.melody.count())]

    assert titles == sorted(titles)
    assert "Ode to Joy" in titles
    assert harmonise_form.NOTHING_ON_ROLL in dialog.melody.toolTip()
    assert dialog.preview._roll is not None
    assert not dialog.unread.isVisible()
    dialog.reject()


def test_the_dialog_is_done_by_keyboard(
    dialog: HarmoniseDialog, both: House, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The melody has the focus; Enter begins."""
    qtbot.waitUntil(dialog.melody.hasFocus)
    QTest.keyClicks(dialog.melody, "Ode")
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(jobs.asked_to_rewrite) and not both.proposing.busy)

    ((name, _, wish),) = jobs.asked_to_rewrite
    assert isinstance(wish, Rewriting)
    assert (name, wish.piece.title, wish.count) == ("both", "Ode to Joy", rewrite_form.USUAL)
    assert both.harmonising.dialog is None


def test_the_dialog_opens_once_and_esc_closes_it(
    dialog: HarmoniseDialog, both: House, window: MainWindow, jobs: FakeJobs
) -> None:
    """Nothing is harmonised."""
    window.page.controls.harmonise.click()
    assert opened(both) is dialog
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert opened(both) is None
    assert jobs.asked_to_rewrite == []


def test_models_that_see_both_sides_come_first(dialog: HarmoniseDialog) -> None:
    """Of others it is said that they write blind; patience means something to them, too."""
    assert dialog.asked.model == "both"
    assert dialog.model_says.text() == harmonise_form.SEES
    dialog.patience.setCurrentIndex(2)
    assert dialog.asked.patience == "careful"
    dialog.model.setCurrentIndex(1)
    assert dialog.model_says.text() == harmonise_form.BLIND
    assert dialog.asked.patience == "careful"
    dialog.reject()


def test_without_a_model_the_dialog_says_so(house: House, window: MainWindow) -> None:
    """And cannot begin."""
    window.page.controls.entries.set_models([], "")
    window.page.controls.harmonise.click()
    dialog = house.harmonising.dialog
    assert dialog is not None
    assert not dialog.begin.isEnabled()
    assert dialog.begin.toolTip().startswith("There is no model to harmonise with")
    assert dialog.model_says.text() == dialog.begin.toolTip()
    dialog.reject()


def test_the_chosen_voice_of_the_roll_has_the_melody(
    both: House, window: MainWindow, qtbot: QtBot
) -> None:
    """The one that is selected; the roll is what is offered first."""
    both.studio.show_piece(PIECE, None, "", saved=True)
    window.page.selecting.select(Selection(voices=(3,), start=0, stop=4))
    window.commands.rewriting.harmonise.trigger()
    dialog = both.harmonising.dialog
    assert dialog is not None
    assert dialog.asked.source == Source(title="On the roll: Air")
    sung = [dialog.asked.voice]
    dialog.melody.setCurrentIndex(1)
    sung.append(dialog.asked.voice)
    assert sung == [Voice.BASS, Voice.SOPRANO]
    dialog.reject()
    del qtbot


def test_a_file_is_chosen_in_the_dialog(
    dialog: HarmoniseDialog, both: House, qtbot: QtBot, tmp_path: Path
) -> None:
    """It is read when one begins."""
    dialog.file.click()
    chooser = dialog.findChild(QFileDialog)
    assert chooser is not None
    chooser.fileSelected.emit(str(tmp_path / "tune.mid"))
    chooser.reject()
    assert dialog.asked.source == Source(title="tune.mid", path=tmp_path / "tune.mid")
    assert dialog.preview._roll is None
    assert dialog.unread.isVisible()
    dialog.buttons.button(QDialogButtonBox.StandardButton.Cancel).click()
    qtbot.waitUntil(lambda: both.harmonising.dialog is None)


# ---------------------------------------------------------------------- harmony


def test_the_melody_is_a_piece_and_candidates_are_ranked_beside_it(
    both: House, window: MainWindow, qtbot: QtBot
) -> None:
    """The first is seen at once; Enter accepts it; undo brings the melody back."""
    harmonise(both, qtbot, asked(melodies.path("ode-to-joy")))
    tune = both.studio.piece
    assert tune is not None
    assert (tune.pitches[:, 1:] == REST).all()
    assert window.page.candidates.isVisible()
    assert "Esc goes back to the piece as it was" in window.state
    QTest.keyClick(window.page.candidates.table, Qt.Key.Key_Return)

    taken = both.studio.piece
    assert taken is not None
    assert taken.title == "Ode to Joy, harmonised"
    assert (taken.pitches[:, 0] == tune.pitches[:, 0]).all()
    assert (taken.pitches[:, 1:] != REST).all()
    window.commands.undo.trigger()
    assert both.studio.piece is tune


def test_the_roll_settles_while_versions_are_written(
    both: House, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The button of the form stops it; then the melody is seen again."""
    jobs.passes = jobs.hold_proposing = True
    both.studio.show_piece(PIECE, None, "", saved=True)
    both.harmonising.begin(asked(None))
    assert jobs.waiting.wait(PATIENCE)
    qtbot.waitUntil(lambda: window.state == "The roll shows how the first of 2 settles: 25%")
    assert {note.voice for note in window.page.roll.picture.notes} == {0}  # type: ignore[union-attr]
    assert window.page.strip.rewrite.text() == "Cancel"
    QTest.keyClick(window, Qt.Key.Key_Escape)
    jobs.gate.set()
    qtbot.waitUntil(lambda: both.proposing.versions.idle)

    assert {note.voice for note in window.page.roll.picture.notes} == {0, 1, 2, 3}  # type: ignore[union-attr]
    assert both.studio.piece is PIECE


@pytest.mark.parametrize("chosen", [False, True])
def test_the_first_version_stays_on_the_roll_while_later_ones_settle(
    chosen: bool, both: House, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """One that the user chose stays chosen to the end; else the best is seen then."""
    jobs.passes = jobs.hold_proposing = jobs.hold_second = True
    both.studio.show_piece(PIECE, None, "", saved=True)
    both.harmonising.begin(asked(None))
    qtbot.waitUntil(lambda: window.state.startswith("The roll shows how the first of 2 settles"))
    jobs.gate.set()
    qtbot.waitUntil(lambda: window.page.candidates.progress.value() == 625)
    first = altos(window)
    assert window.state.startswith("The first of 2 is written: choose it")
    if chosen:
        both.proposing.choose(1)
    jobs.second.set()
    qtbot.waitUntil(lambda: not both.proposing.busy and both.proposing._chosen != 0)

    assert first == [68]
    assert both.proposing._chosen == (1 if chosen else 2)
    assert altos(window) == [68 if chosen else 69]


def altos(window: MainWindow) -> list[int]:
    """What the alto sings on the roll."""
    assert window.page.roll.picture is not None
    return sorted({note.pitch for note in window.page.roll.picture.notes if note.voice == 1})


def test_a_melody_alone_is_stopped_by_the_main_button(
    both: House, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """As a new piece is."""
    jobs.hold_proposing = True
    both.harmonising.begin(asked(melodies.path("ode-to-joy")))
    qtbot.waitUntil(lambda: both.proposing.busy)
    assert window.page.controls.main.text() == "Stop"
    window.page.controls.main.click()
    jobs.gate.set()
    qtbot.waitUntil(lambda: both.proposing.versions.idle)

    assert window.page.controls.main.text() == "Generate"
    assert window.state == proposing_module.CANCELLED
    assert both.studio.piece is not None
    assert both.studio.piece.title == "Ode to Joy"


def test_phrases_are_typed_in_the_dialog(
    dialog: HarmoniseDialog, both: House, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """Those that do not fit are told in the banner, and nothing is written."""
    dialog.phrases.setText("1,2")
    tune = dialog.asked
    dialog.reject()
    harmonise(both, qtbot, tune)
    assert "phrases make 3 bars, but the piece has" in both.studio._window.page.banner.sentence
    assert jobs.asked_to_rewrite == []


def test_the_same_again_gives_other_harmonies(both: House, jobs: FakeJobs, qtbot: QtBot) -> None:
    """The seed is rolled, as it is for a piece."""
    for _ in range(2):
        harmonise(both, qtbot, asked(melodies.path("ode-to-joy")))
    one, other = (wish.form.seed for _, _, wish in jobs.asked_to_rewrite)
    assert one == 7 != other


def test_what_was_bent_is_told(both: House, qtbot: QtBot, tmp_path: Path) -> None:
    """A melody below the voice's range is moved into it."""
    path = tune_file(tmp_path / "low.mid", [48, 50, 52, 53])
    harmonise(both, qtbot, asked(path))
    banner = both.studio._window.page.banner

    assert banner.sentence.startswith("The melody of low.mid was read, but it was moved up by")
    assert both.studio.piece is not None
    assert both.studio.piece.title == "low"


@pytest.mark.parametrize("kind", ["empty", "none", "foreign"])
def test_what_is_no_melody_is_one_sentence(
    kind: str, both: House, jobs: FakeJobs, qtbot: QtBot, tmp_path: Path
) -> None:
    """Nothing is lost."""
    both.studio.show_piece(PIECE, None, "", saved=True)
    path = tmp_path / ("tune.txt" if kind == "foreign" else "tune.mid")
    if kind == "empty":
        tune_file(path, [])
    harmonise(both, qtbot, asked(path))

    sentence = both.studio._window.page.banner.sentence
    told = {"empty": "no notes", "none": "cannot read", "foreign": "expected a name that ends in"}
    assert told[kind] in sentence.lower() or told[kind] in sentence
    assert both.studio.piece is PIECE
    assert jobs.asked_to_rewrite == []


def test_a_piece_too_long_is_harmonised_from_its_beginning(
    both: House, jobs: FakeJobs, qtbot: QtBot, tmp_path: Path
) -> None:
    """As much as can be written at once, and that is said."""
    path = tmp_path / "long.json"
    files.write(Chorale.of([(72, REST, REST, REST)] * 5000), path)
    harmonise(both, qtbot, asked(path))

    ((_, _, wish),) = jobs.asked_to_rewrite
    assert wish.request().bars <= 256
    assert "it is too long: its first" in both.studio._window.page.banner.sentence


def test_of_two_limits_the_lower_one_is_told(both: House, qtbot: QtBot, tmp_path: Path) -> None:
    """A melody of 40 minutes is longer than what is read and than what is harmonised."""
    path = tune_file(tmp_path / "long.mid", [72, 74], length=480 * 2400)
    harmonise(both, qtbot, asked(path))
    sentence = both.studio._window.page.banner.sentence

    assert "it is too long: its first 255 bars are harmonised" in sentence
    assert sentence.count("too long") == 1


def test_a_silent_voice_is_told(both: House, jobs: FakeJobs, qtbot: QtBot) -> None:
    """With what to do."""
    low = Chorale.of([(REST, REST, REST, 48)] * 16)
    both.studio.show_piece(low, None, "", saved=True)
    harmonise(both, qtbot, asked(None, Voice.ALTO))
    assert both.studio._window.page.banner.sentence.startswith("The Alto has no notes: choose")
    assert jobs.asked_to_rewrite == []


def test_a_failure_keeps_the_melody(both: House, jobs: FakeJobs, qtbot: QtBot) -> None:
    """The engine's sentence stands in the banner."""
    jobs.propose_error = GenerationError("the locked notes break the rule 'range'")
    harmonise(both, qtbot, asked(melodies.path("ode-to-joy")))

    assert both.studio._window.page.banner.sentence.startswith("The locked notes break the rule")
    assert both.studio.piece is not None
    assert both.studio.piece.title == "Ode to Joy"


def test_nothing_is_harmonised_while_a_piece_is_written(
    house: House, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """Button and command say why."""
    hold(qtbot, window, jobs, 8)
    assert window.page.controls.harmonise.toolTip() == NOT_DONE
    assert not window.commands.rewriting.harmonise.isEnabled()
    stop(qtbot, window, jobs)
    assert window.page.controls.harmonise.isEnabled()
    del house


# ---------------------------------------------------------------------- models of two kinds


def test_no_window_says_of_a_model_that_sees_both_sides_that_it_is_blind(
    both: House, window: MainWindow, qtbot: QtBot
) -> None:
    """Nor is a warning shown beside its versions."""
    both.studio.show_piece(PIECE, None, "", saved=True)
    window.page.selecting.select(Selection(voices=(1,), start=4, stop=8))
    window.page.strip.rewrite.click()
    qtbot.waitUntil(lambda: not both.proposing.busy)
    act, strip = window.commands.rewriting, window.page.strip
    window.page.candidates.close_button.click()
    act.voices[0].trigger()
    told = [strip.rewrite.toolTip(), act.rewrite.statusTip(), act.lock.toolTip()]
    told += [strip.words.toolTip(), window.page.candidates.title.toolTip()]

    assert window.page.candidates.aside.text() == ""
    assert [text for text in told if rewrite_form.BOTH_SIDES not in text] == []
    window.page.controls.entries.model.setCurrentIndex(0)
    assert "cannot look ahead" in strip.rewrite.toolTip()
    assert "cannot look ahead" in act.lock.toolTip()


def test_patience_is_for_every_model(both: House, window: MainWindow) -> None:
    """Notes are gone over, or ends of phrases tried; what was chosen stays with another model."""
    entries = window.page.controls.entries
    entries.patience.setCurrentIndex(0)
    entries.model.setCurrentIndex(0)
    assert entries.patience.isEnabled()
    assert entries.form().patience == "draft"
    del both


def test_a_model_that_sees_both_sides_generates_versions_to_choose_from(
    both: House, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """One is enough; it fills the empty sheet all at once."""
    window.page.controls.main.click()
    qtbot.waitUntil(lambda: both.proposing.versions.made == 1 and not both.proposing.busy)

    ((_, _, wish),) = jobs.asked_to_rewrite
    assert isinstance(wish, NewPiece)
    assert jobs.asked == []


# ---------------------------------------------------------------------- vary and continue


def test_a_part_of_the_piece_is_varied(
    both: House, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """As much as the strip says; with a selection all of that is rewritten."""
    piece = Chorale.of([(72 + n % 2, 67, 64, 48) for n in range(32)])
    both.studio.show_piece(piece, None, "", saved=True)
    strip = window.page.strip
    strip.amount.setCurrentText("Similar")
    strip.rewrite.click()
    qtbot.waitUntil(lambda: not both.proposing.busy)
    window.page.candidates.close_button.click()
    window.page.selecting.select(Selection(voices=(1,), start=4, stop=8))
    assert not strip.amount.isEnabled()
    assert "All that is selected" in strip.amount.toolTip()

    ((_, _, wish),) = jobs.asked_to_rewrite
    assert isinstance(wish, Rewriting)
    assert 0 < wish.free.mean() < 1


def test_a_piece_is_continued_and_the_longer_one_is_accepted(
    both: House, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """Esc goes back to the piece as it was; the same once more has another seed."""
    both.studio.show_piece(PIECE, None, "", saved=True)
    for _ in range(2):
        window.commands.rewriting.continue_by[1].trigger()
        qtbot.waitUntil(lambda: not both.proposing.busy)
    first, wish = (wish for _, _, wish in jobs.asked_to_rewrite)
    assert isinstance(wish, Continuation)
    assert (wish.bars, wish.form.seed != first.form.seed) == (4, True)
    both.proposing.accept()

    assert both.studio.piece is not None
    assert (both.studio.piece.title, both.studio.piece.bars) == ("Air, continued", 6)


def test_what_cannot_be_continued_says_why(house: House, window: MainWindow) -> None:
    """No piece; then it can."""
    act = window.commands.rewriting.continue_by[0]
    assert not act.isEnabled()
    assert "nothing to rewrite yet" in act.toolTip()
    assert window.page.strip.more.toolTip() == act.toolTip()
    house.studio.show_piece(PIECE, None, "", saved=True)
    assert act.isEnabled()
    window.page.strip.more.click()
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert act in menu.actions()
    menu.close()


# ---------------------------------------------------------------------- the real jobs


@pytest.fixture
def tiny_infill(home: Path) -> str:
    """A model by chance that sees both sides, in the user's own folder."""
    told = tuple(name for name in CONDITIONS if name != "voice")
    model = tiny_model(tiny_config("relative", told=told, family="infill"))
    checkpoint.save(home / "models" / "tiny-infill", model, tiny_card(model))
    return "tiny-infill"


def test_a_model_that_sees_both_sides_is_warmed_up(tiny_infill: str) -> None:
    """As any other."""
    events: list[object] = []
    running.run(ModelShelf().warm_up(tiny_infill, "cpu"), events.append)
    assert isinstance(events[-1], Loaded)


def test_a_model_that_sees_both_sides_does_not_read_note_by_note(tiny_infill: str) -> None:
    """One sentence says which models do."""
    with pytest.raises(ModelError, match="choose a model that writes from left to right"):
        running.run(ModelShelf().read(tiny_infill, "cpu", PIECE))
