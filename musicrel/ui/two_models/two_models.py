"""Two models on the Compose page: B writes beside A, both pieces are compared and exported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from musicrel.chorale import Chorale
from musicrel.errors import UsageError
from musicrel.figures import roll, sheets
from musicrel.figures.sheets import PrintChoice
from musicrel.interpretability import view, views
from musicrel.jobs import Job
from musicrel.language import tr
from musicrel.presentation import two_models
from musicrel.presentation.compose.form import to_check
from musicrel.presentation.two_models import SIDES, Agreement, Side
from musicrel.presentation.words import display_names, muted_heads, names
from musicrel.presentation.words.palette import LIGHT
from musicrel.project.contents import Contents
from musicrel.score.editing import piece_edits
from musicrel.ui.actions import commands
from musicrel.ui.controllers.file_controller import EXPORTING, FileController
from musicrel.ui.controllers.playback_controller import PlaybackController
from musicrel.ui.controllers.writer import Writer
from musicrel.ui.document.document import Document
from musicrel.ui.editing.numerals_layer import NumeralsLayer
from musicrel.ui.files import dialogs, file_jobs
from musicrel.ui.files.file_jobs import Written
from musicrel.ui.jobs.worker import LatestJob
from musicrel.ui.shell.main_window import Services
from musicrel.ui.two_models.view import TwoModelsView

if TYPE_CHECKING:
    from musicrel.presentation.two_models import Means

EMPTY: Final = (tr("Model B"), tr("Generate or rewrite: both models get the same request."))
WRITES: Final = tr("{model} writes beside {other}")
FAILED: Final = "B, {model}: {sentence}"
YOURS: Final = tr("your notes")
NOTHING_YET: Final = tr("B has no notes yet")
_READ_AFTER_MS: Final = 400  # milliseconds without a change after which the pieces are read
_DRAW_MS: Final = 80  # milliseconds between two drawings of B and of the marks while both write
_MUTED: Final = tr("{codes} muted")
_ROOMY: Final = 1000  # height in pixels of the window from which the takes stay beside two rolls
OTHER_FORM: Final = tr("The pieces have different meters or pickups")
OFF: Final = tr("Choose a second model under A/B first")
NO_PIECE: Final = tr("B has no piece yet: generate or rewrite with both models first")
NOTE_INPUT: Final = tr("Note input is on, where A and B are notes: leave it (Esc) first")
EQUAL: Final = tr("The pieces do not differ")
TAKEN: Final = tr("Took {bar} from B")
TAKEN_PIECE: Final = tr("The piece of B is the current one")
PLAYING: Final = tr("Playing {side}: {model}")
_LISTEN_TIP: Final = "{tip}, {model}"
_TITLE: Final = tr("Export differences")
_NAME: Final = tr("{title}, {first} and {second}")
_BOTH_TITLE: Final = tr("Save both scores as PDF")
LEGEND: Final = tr("{agreement}. One piece each cannot show which model is better.")
_SIDE: Final = "{side}, {writer}"
_BY: Final = "{title}, {model}"


class TwoModels(QObject):
    changed = Signal()  # the comparison, the models, or the piece of B changed
    toggled = Signal(bool)  # a comparison began, True, or ended

    def __init__(
        self,
        services: Services,
        *,
        writer: Writer,
        playback: PlaybackController,
        files: FileController,
    ) -> None:
        document, actions = services.document, services.commands
        super().__init__(document)
        self._document, self._messages = document, services.messages
        self._preferences, self._models = services.preferences, services.models
        self._writer, self._playback, self._files = writer, playback, files
        self._page, self._pages = services.page, services.window.pages
        self._menu, self._actions = actions.compare, actions.two_models
        self._takes, self._note_input = actions.takes.show, actions.rewriting.draw
        self._hid_takes = False
        # the writer of B; its document belongs to the window, and no project keeps it
        self.other = Writer(Document(self), services.models, self)
        self._other = self.other.document
        self.agreement: Agreement | None = None  # of the shown pieces; None without two
        self._piece_before: Chorale | None = None
        # the candidate of A that was chosen last, and the models that write
        self._number, self._pair = 0, ("", "")
        self._job, self._wording = LatestJob(self), LatestJob(self)
        self._words, self._details = ("", ""), ("", "")
        self._timer = QTimer(self, singleShot=True, interval=_READ_AFTER_MS)
        self._drawing = QTimer(self, singleShot=True, interval=_DRAW_MS)
        self.view = TwoModelsView(self._page.roll, self._actions)
        self._page.add_below_roll(self.view)
        self.numerals = NumeralsLayer(services, self.view.below.roll, self._other)
        self.sound = TwoModelsSound(services, self._other, playback)
        self._connect()
        self._offer()
        self._update_enabled()

    @property
    def on(self) -> bool:
        return bool(self._menu.name)

    @property
    def models(self) -> tuple[str, str]:
        """Return the names of the models A and B for new pieces; B is "" without one."""
        model = self._document.form.model
        return model, self._partner(model)

    @property
    def wrote(self) -> tuple[str, str]:
        """Return who wrote the shown pieces: models, "" for none, or ``YOURS`` for edited notes."""
        piece = self._document.shown
        if not self.other.model:
            return self.models
        if piece is None or self._document.generating:
            return self._pair
        origin = piece.provenance
        return (origin.model if origin is not None else YOURS), self.other.model

    @property
    def names(self) -> tuple[str, str]:
        """Return who wrote the shown pieces, as they are called on the screen."""
        first, second = map(display_names.writer, self.wrote)
        return first, second

    def writer(self, side: int) -> str:
        """Return who wrote the piece of a side and the muted heads, as "Relative, 3.1 muted"."""
        name, piece = self.wrote[side], (self._document.shown, self._other.shown)[side]
        if self._document.generating:
            codes = muted_heads.codes(self._document.form.muted.of(name))
            muted = _MUTED.format(codes=codes) if codes else ""
        else:
            muted = muted_heads.in_piece(piece.provenance if piece is not None else None)
        return ", ".join(filter(None, (self.names[side], muted)))

    def compare_with(self, name: str) -> None:
        self._menu.choose(name)

    def shut_down(self) -> None:
        self.sound.shut_down()
        self._timer.stop()
        self._drawing.stop()

    # ------------------------------------------------------------------ the models

    def _partner(self, model: str) -> str:
        return two_models.model_b(model, self._menu.name, self._document.choices)

    @Slot()
    def _offer(self) -> None:
        model = self._document.form.model
        self._menu.offer(self._document.choices, model)
        name, words = EMPTY
        if self.on and not self._partner(model):
            words = two_models.reason(model, self._menu.name)
        self.view.below.roll.set_hint(name, words)

    @Slot()
    def _on_chosen(self) -> None:
        if not self.on:
            self._clear_other()
        elif not self._partner(self._document.form.model):
            self._messages.show_state(two_models.reason(self._document.form.model, self._menu.name))
        self._offer()
        self._make_room(self.on)
        self.toggled.emit(self.on)
        self._show()

    @Slot()
    def _clear_other(self) -> None:
        self.other.clear()
        if self._other.drawn is not None:
            self._other.restore(Contents(), saved=True)

    @Slot()
    def _begin(self) -> None:
        task = self._writer.task
        if task is None:
            return
        self._piece_before, self._number = self._document.piece, 0
        first = task.form.model
        second = self._partner(first)
        if task.is_live:
            self._clear_other()
        if not second:
            return
        self._pair = (first, second)
        if task.is_live:
            self._messages.show_state(WRITES.format(model=self.names[1], other=self.names[0]))
        self.other.start(partial(task.by, second), self._preferences.device)

    @Slot()
    def _follow(self) -> None:
        """Show the candidate of B with the number of that of A; end with the list."""
        if self._writer.task is not None:
            self._number = self._writer.chosen or self._number
            self._choose()
        elif self.other.lists and self._document.piece is self._piece_before:
            self.other.dismiss()
        elif self.other.lists:
            self.other.accept()

    @Slot()
    def _choose(self) -> None:
        """Show the candidate as soon as it is there; until then the first one."""
        first = next((one.number for one in self.other.made), 0)
        known = self._number and self.other.candidate(self._number)
        self.other.choose(self._number if known else first)

    @Slot()
    def _on_other_changed(self) -> None:
        self._document.set_busy("B", on=self.other.busy)

    @Slot(str)
    def _report(self, sentence: str) -> None:
        self._messages.report(
            FAILED.format(model=display_names.writer(self._pair[1]), sentence=sentence)
        )

    # ------------------------------------------------------------------ display

    @Slot()
    def _on_shown(self) -> None:
        first, second = self._document.piece, self._other.shown
        if first is not None and second is not None and two_models.compare(first, second) is None:
            self._clear_other()
        self._show()

    @Slot()
    def _show_soon(self) -> None:
        if self._document.sketch is None and self._other.sketch is None:
            self._show()
        elif not self._drawing.isActive():
            self._drawing.start()

    @Slot()
    def _show(self) -> None:
        self._drawing.stop()
        self._timer.stop()
        self._job.cancel()
        if not self.on:
            self._page.roll.reserve()
            self.agreement = None
            self._on_changed()
            return
        self._draw()
        self.agreement = self._compare()
        self._words, self._details = ("", ""), ("", "")
        self._wording.cancel()
        if self._other.sketch is None and self.agreement is not None:
            self._timer.start()
            self._describe()
        self._show_texts()
        self._on_changed()

    def _on_changed(self) -> None:
        self.changed.emit()
        self.sound.on = self.on
        self.sound.update()
        self._show_marks()
        self._update_enabled()

    @Slot()
    def _show_marks(self) -> None:
        on = self.on and self._pages.current == "compose"
        self.view.setVisible(on)
        for side, marks in enumerate(self.view.marks):
            model = self.writer(side) if on else ""
            marks.show_marks(self.agreement, model, sounding=SIDES[side] == self.sound.side)

    def _make_room(self, on: bool) -> None:
        if on and self._takes.isChecked() and self._page.window().height() < _ROOMY:
            self._hid_takes = True
            self._takes.setChecked(False)
        elif not on and self._hid_takes:
            self._hid_takes = False
            self._takes.setChecked(True)

    def _draw(self) -> None:
        above, drawn = self._page.roll.picture, self._other.drawn
        if drawn is not None:
            picture = roll.draw(drawn.piece, written=drawn.written)
            self._page.roll.reserve(picture.low, picture.high)
            self.view.below.show_roll(picture)
        elif above is not None:
            self.view.below.show_roll(replace(above, notes=(), unisons=(), written=0))

    def _compare(self) -> Agreement | None:
        first, second = self._document.drawn, self._other.drawn
        if first is None or second is None:
            return None
        limits = [one.written for one in (first, second) if one.written is not None]
        return two_models.compare(first.piece, second.piece, min(limits, default=None))

    def _show_texts(self) -> None:
        if self.agreement is not None:
            counter = LEGEND.format(agreement=self.agreement.describe())
        else:
            none = self._other.shown is None or self._other.sketch is not None
            counter = NOTHING_YET if none else OTHER_FORM
        self.view.set_texts(counter, self._words, self._details)

    def _describe(self) -> None:
        shown, form = (self._document.shown, self._other.shown), self._document.form
        pieces = [to_check(piece, form) for piece in shown if piece is not None]
        if len(pieces) == len(shown) and not self._document.generating:
            writers = [_SIDE.format(side=side, writer=self.writer(n))
                       for n, side in enumerate(SIDES)]  # fmt: skip
            self._wording.request(partial(_in_words, pieces, writers))

    @Slot(object)
    def _on_described(self, found: tuple[str, str]) -> None:
        self._words = found
        self._show_texts()

    # ------------------------------------------------------------------ surprisal

    @Slot()
    def _start_reading(self) -> None:
        first, second = self._document.shown, self._other.shown
        if first is None or second is None:
            return
        if self._writer.busy or self.other.busy:
            self._timer.start()
            return
        read, device = self._models.cross_surprisal, self._preferences.device
        self._job.request(partial(read, self._pair, device, (first, second)))

    @Slot(object)
    def _on_read(self, found: Means) -> None:
        self._details = two_models.surprisal_lines(found)
        self._show_texts()

    @Slot(str)
    def _on_not_read(self, sentence: str) -> None:
        self._details = (sentence, sentence)
        self._show_texts()

    # ------------------------------------------------------------------ user actions

    @Slot()
    def take_bar(self) -> None:
        piece, second, step = self._document.piece, self._other.shown, self._step
        if piece is None or second is None or self._document.unready_reason:
            return
        start, stop = piece_edits.bar_at(piece, step)
        try:
            edit = piece_edits.take_bars(piece, second, start, stop)
        except UsageError as reason:
            self._messages.report(str(reason))
            return
        self._document.apply(edit)
        self._messages.show_state(TAKEN.format(bar=names.bar(piece, start)))

    @Slot()
    def take_piece(self) -> None:
        second, document = self._other.shown, self._document
        if second is not None and not document.unready_reason:
            form = replace(document.form, model=self.wrote[1])
            document.show_piece(second, form=form, action="generated")
            self._messages.show_state(TAKEN_PIECE)

    @Slot()
    def to_first_difference(self) -> None:
        agreement = self.agreement
        if agreement is not None and agreement.first is not None:
            self._playback.seek(float(agreement.first), in_ruler=False)

    @Slot()
    def export_piece(self) -> None:
        if (piece := self._other.shown) is not None:
            model = display_names.writer(self.wrote[1])
            name = _BY.format(title=piece.title, model=model)
            self._files.ask_to_export_piece(piece, name)

    @Slot()
    def export_differences(self) -> None:
        agreement, models = self.agreement, self.names
        if agreement is not None:
            first, second = models
            title = agreement.pieces[0].title
            dialogs.ask_new_path(
                self.view.window(),
                _TITLE,
                name=_NAME.format(title=title, first=first, second=second),
                suffixes=view.SUFFIXES,
                folder=self._preferences.export_place[0] or dialogs.music_folder(),
                answer=lambda path: self._files.start(
                    _write(agreement, models, path), EXPORTING.format(name=path.name)
                ),
            )

    @Slot()
    def export_both(self) -> None:
        """Ask for a PDF with both scores, one below the other."""
        shown = (self._document.shown, self._other.shown)
        pieces = [piece for piece in shown if piece is not None]
        if len(pieces) < len(shown):
            return
        title, (first, second) = pieces[0].title, self.names
        captions = [text or self.writer(side) for side, text in enumerate(self._words)]
        choice = self._files.score_choice
        dialogs.ask_new_path(
            self.view.window(),
            _BOTH_TITLE,
            name=_NAME.format(title=title, first=first, second=second),
            suffixes=(sheets.SUFFIX,),
            folder=self._preferences.export_place[0] or dialogs.music_folder(),
            answer=lambda path: self._files.start(
                _write_both(pieces, captions, path, choice), EXPORTING.format(name=path.name)
            ),
        )

    # ------------------------------------------------------------------ what is possible

    @Slot()
    def _update_enabled(self) -> None:
        acts = self._actions
        off = "" if self.on else OFF
        none = off or ("" if self._other.shown is not None else NO_PIECE)
        no_sound = none or (NOTE_INPUT if self._note_input.isChecked() else "")
        changes = none or self._document.unready_reason
        no_difference = none or self._reason_without_difference()
        for action, reason in (
            (acts.listen_a, no_sound),
            (acts.listen_b, no_sound),
            (acts.take_bar, changes),
            (acts.take_piece, changes),
            (acts.first, no_difference),
            (acts.export_piece, none),
            (acts.export_both, none),
            (acts.export_differences, no_difference),
            (acts.close, off),
        ):
            commands.set_enabled(action, reason)
        for action, model in zip((acts.listen_a, acts.listen_b), self.names, strict=True):
            if action.isEnabled():
                action.setToolTip(_LISTEN_TIP.format(tip=commands.tip(action), model=model))
        acts.listen_a.setChecked(self.on and self.sound.side == "A")
        acts.listen_b.setChecked(self.sound.side == "B")
        self._show_bar()

    def _reason_without_difference(self) -> str:
        agreement = self.agreement
        if agreement is None:
            return OTHER_FORM
        return EQUAL if agreement.first is None else ""

    @Slot()
    def _show_bar(self) -> None:
        piece = self._document.piece
        if piece is not None and self.on:
            start, _ = piece_edits.bar_at(piece, self._step)
            self.view.set_bar(names.bar(piece, start))

    @property
    def _step(self) -> float:
        return self._playback.roll.step or 0.0

    def _listen(self, side: Side, _checked: object = None) -> None:
        self.sound.listen(side)
        model = self.names[SIDES.index(side)]
        self._messages.show_state(PLAYING.format(side=side, model=model))
        self._update_enabled()

    def _connect(self) -> None:
        acts, document, writer = self._actions, self._document, self._writer
        playback = self._playback
        above, below = playback.roll, self.view.below.roll
        for signal, slot in (
            (self._menu.chosen, self._on_chosen),
            (document.form_changed, self._offer),
            (writer.started, self._begin),
            (writer.stopped, self.other.stop),
            (writer.changed, self._follow),
            (self.other.progressed, self._choose),
            (self.other.changed, self._on_other_changed),
            (self.other.changed, self._show_soon),
            (self.other.failed, self._report),
            (self._other.screen_changed, self._show_soon),
            (self._other.sketched, self._show_soon),
            (document.screen_changed, self._on_shown),
            (document.sketched, self._show_soon),
            (self._drawing.timeout, self._show),
            (document.replaced, self._clear_other),
            (self._timer.timeout, self._start_reading),
            (self._job.finished, self._on_read),
            (self._job.failed, self._on_not_read),
            (self._wording.finished, self._on_described),
            (self._wording.failed, self._messages.report),
            (self.sound.changed, self._show_marks),
            (self.sound.changed, self._update_enabled),
            (self._note_input.toggled, self._update_enabled),
            (document.screen_changed, self._update_enabled),
            (acts.listen_a.triggered, partial(self._listen, "A")),
            (acts.listen_b.triggered, partial(self._listen, "B")),
            (acts.take_bar.triggered, self.take_bar),
            (acts.take_piece.triggered, self.take_piece),
            (acts.first.triggered, self.to_first_difference),
            (acts.export_piece.triggered, self.export_piece),
            (acts.export_differences.triggered, self.export_differences),
            (acts.export_both.triggered, self.export_both),
            (acts.close.triggered, lambda: self.compare_with("")),
            (above.playhead_moved, self._show_bar),
            (self._pages.opened, self._show_marks),
            (above.playhead_moved, below.set_step),
            (above.loop_shown, lambda region: below.set_loop(region, on=region is not None)),
            (below.seek_requested, playback.seek),
            (below.loop_dragged, playback.drag_loop),
            (below.loop_clicked, playback.clear_loop),
        ):
            signal.connect(slot)


def _write(agreement: Agreement, models: tuple[str, str], path: Path) -> Job[float, Written]:
    yield 0.0
    views.of_agreement(agreement, models).write(path, LIGHT)
    return replace(file_jobs.exported(path), suffix="")  # the format is not that of a piece


def _write_both(
    pieces: Sequence[Chorale], captions: Sequence[str], path: Path, choice: PrintChoice
) -> Job[float, Written]:
    yield from sheets.write_captioned(list(zip(pieces, captions, strict=True)), path, choice)
    return replace(file_jobs.exported(path), suffix="")


def _in_words(pieces: Sequence[Chorale], writers: Sequence[str]) -> Job[None, tuple[str, ...]]:
    yield
    return tuple(map(two_models.in_words, pieces, writers))


class TwoModelsSound(QObject):
    """The sound of both pieces: one is played, the other one is ready."""

    changed = Signal()  # the other side is played

    def __init__(self, services: Services, other: Document, playback: PlaybackController) -> None:
        super().__init__(other)
        self._document, self._other = services.document, other
        self._playback, self._player = playback, services.player
        self.side: Side = "A"  # the piece that sounds
        self.on = False  # whether two models are compared
        self._second: Chorale | None = None
        self._ready: Chorale | None = None
        self._preparing = QTimer(self, singleShot=True, interval=0)
        self._preparing.timeout.connect(lambda: self._player.prepare(self._ready))
        self._document.screen_changed.connect(self._on_screen_changed)

    @property
    def second(self) -> Chorale | None:
        """Return the piece of B in the tempo of A; None if it cannot be played."""
        first, piece = self._document.shown, self._other.shown
        if not self.on or first is None or piece is None:
            self._second = None
        elif self._second is None or not _plays(self._second, piece, first.tempo):
            self._second = piece.at_tempo(first.tempo)
        return self._second

    def listen(self, side: Side) -> None:
        before, self.side = self.side, side
        self.update()
        if self.side != before:
            self.changed.emit()

    @Slot()
    def update(self) -> None:
        """Play the piece of the side, and prepare the other one; without B, that of A sounds."""
        first, second, before = self._document.shown, self.second, self.side
        if second is None:
            self.side = "A"
        wanted, ready = (second, first) if self.side == "B" else (first, second)
        changes = second is not None or before == "B"
        if changes and wanted is not None and self._playback.piece is not wanted:
            self._playback.show_piece(wanted)
        self._ready = ready if second is not None else None
        self._preparing.start()
        if self.side != before:
            self.changed.emit()

    def shut_down(self) -> None:
        self._preparing.stop()

    @Slot()
    def _on_screen_changed(self) -> None:
        if self._document.generating:  # A sounds from now on: B may be ready first
            before, self.side = self.side, "A"
            if before != "A":
                self.changed.emit()
            return
        if self._document.shown is not self._document.piece:
            self.side = "A"
        if self.on:
            self.update()
            self.changed.emit()


def _plays(playable: Chorale, piece: Chorale, tempo: float) -> bool:
    return playable.pitches is piece.pitches and playable.tempo == tempo
