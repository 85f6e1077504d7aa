"""Controller of takes: the strip shows, filters, plays, rates, names, uses and deletes them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction

from musicrel.language import count, tr
from musicrel.presentation import changes
from musicrel.presentation.compose.form_from_provenance import (
    form_from_provenance,
    machine_differences,
)
from musicrel.presentation.words.keys import with_keys
from musicrel.project import take_table
from musicrel.project.take_table import TakeRow
from musicrel.ui.actions import commands
from musicrel.ui.document.document import GENERATING
from musicrel.ui.jobs.generation_service import Loaded, LoadEvent
from musicrel.ui.jobs.turn import Turn
from musicrel.ui.jobs.worker import LatestJob
from musicrel.ui.playback.audition import TakeAudition
from musicrel.ui.shell.main_window import Services

NO_TAKES: Final = tr("There is no take yet: generate or open a piece")
NOT_SELECTED: Final = tr(
    "No take is selected: select one in the strip of takes ({key[takes.show]})"
)
ONLY_ONE: Final = tr("Several takes are selected: select one of them")
ENDED: Final = tr("The current piece is shown again")
NOT_PLAYING: Final = tr("No take is being played")
IS_NEW: Final = tr("This take is a new piece: it was not made by changing another one")
UNCHANGED: Final = tr("This take has the same notes as the piece it was made from")
IS_CURRENT: Final = tr("This is the current piece")
USED: Final = tr("{name}: this take is the current piece")
PLAYING: Final = tr("Playing “{name}”: end it ({key[takes.end]})")
PLAYING_CHANGE: Final = tr("Playing the change of “{name}”: end it ({key[takes.end]})")
DELETED: Final = tr("{count} deleted: Undo restores what was deleted")
SELECTED: Final = tr("{takes} selected")
STAYS: Final = tr("The current take cannot be deleted: use another one first")
CHOOSING: Final = tr("There is no piece yet: accept a candidate or close them first")
HIDDEN, SHOWN = "hidden", "shown"
_COMPOSE: Final = "compose"

LEFT_OUT: Final = tr(
    "{title} was made with {settings}, not in the form: its seed gives other notes"
)
DIFFERS: Final = tr("{title} was made with {differences}: its seed may give other notes here")


class TakesController(QObject):
    export_requested = Signal(object)  # the user wants files of the selected takes
    used = Signal()  # a take became the current piece

    def __init__(self, services: Services, audition: TakeAudition) -> None:
        super().__init__(services.document)
        window, commands = services.window, services.commands
        self._document, self._messages = services.document, services.messages
        self._preferences, self._audition = services.preferences, audition
        self._panel, self._view, self._pages = window.takes, window.takes.view, window.pages
        self._actions, self._mixer = commands.takes, commands.play.mixer
        self._current: int | None = None
        # shows several changes at once, such as the takes of a batch
        self._turn = Turn(self)
        self._actions.show.setChecked(self._preferences.settings.cards == SHOWN)
        self._connect()
        self._show_panel()
        self.show_takes()

    # ------------------------------------------------------------------ user actions

    @Slot()
    def use(self) -> None:
        row = self._single
        if row is None or self._reason_against_use(row):
            return
        self._audition.stop()
        candidates = self._document.form.candidates
        self._document.use_take(row.number)
        self._document.set_form(replace(self._document.form, candidates=candidates))
        self._messages.show_state(USED.format(name=row.name))
        self.used.emit()

    @Slot()
    def play(self) -> None:
        self._play(None)

    @Slot()
    def play_change(self) -> None:
        row = self._single
        region = _region(row) if row is not None else None
        if region is not None:
            self._play(region)

    def _play(self, region: tuple[int, int] | None) -> None:
        row = self._single
        playing = self._audition.piece
        self._audition.stop()
        if row is None or row.piece is playing or self._document.unready_reason:
            return
        self._audition.start(row.piece, region)
        state = PLAYING if region is None else PLAYING_CHANGE
        self._messages.show_state(with_keys(state, name=row.name))

    @Slot()
    def delete(self) -> None:
        numbers = {row.number for row in self._view.selected_rows if not row.current}
        if numbers and not self._reason_against_delete():
            self._audition.stop()
            self._document.delete_takes(numbers)
            self._messages.show_state(DELETED.format(count=count(len(numbers), "take")))

    @Slot()
    def export(self) -> None:
        if rows := self._view.selected_rows:
            self.export_requested.emit(rows)

    def rate(self, rating: int, *_: object) -> None:
        takes = self._document.takes
        for row in self._view.selected_rows:
            if takes.get(row.number) is not None:  # not of a project that was just closed
                takes.rate(row.number, rating)

    @Slot(int, int)
    def _click_star(self, number: int, star: int) -> None:
        take = self._document.takes.get(number)
        if take is not None:
            self._document.takes.rate(number, star - 1 if take.rating == star else star)

    # ------------------------------------------------------------------ display

    @Slot()
    def show_takes(self) -> None:
        takes, current = self._document.takes, self._document.take
        visible, number = takes.visible, current.number if current is not None else None
        rows = self._rows(number)
        is_new = number is not None and number != self._current
        if is_new and number not in {row.number for row in rows}:
            self._panel.show_all()
            rows = self._rows(number)
        self._panel.show_rows(rows, total=len(visible))
        if is_new and number is not None:
            self._view.scrollTo(self._view.takes.index_of(number))
        self._current = number
        self._update()

    def _rows(self, current: int | None) -> tuple[TakeRow, ...]:
        takes = self._document.takes
        return take_table.rows(
            takes.all,
            takes.visible,
            current=current,
            show=str(self._panel.filter.currentData()),
            order=str(self._panel.order.currentData()),
        )

    @Slot()
    def _update(self) -> None:
        rows = self._view.selected_rows
        self._panel.details.setText(rows[0].details if len(rows) == 1 else _describe(rows))
        none = with_keys(NOT_SELECTED) if self._document.takes.visible else NO_TAKES
        several = none if not rows else ONLY_ONE if len(rows) > 1 else ""
        one = self._single
        for action, reason in (
            (self._actions.use, several or (one and self._reason_against_use(one)) or ""),
            (self._actions.play, several or self._reason_against_play()),
            (self._actions.play_change, several or self._reason_against_change(one)),
            (self._actions.rename, several),
            (self._actions.export, "" if rows else none),
            (self._actions.delete, none if not rows else self._reason_against_delete()),
            *((action, "" if rows else none) for action in self._actions.ratings),
        ):
            commands.set_enabled(action, reason)
        plays = self._audition.piece is not None and not self._document.lists_candidates
        commands.set_enabled(self._actions.end, "" if plays else NOT_PLAYING)

    @Slot()
    def _on_screen_changed(self) -> None:
        self._update()
        if self._document.generating:  # no take is the current one now
            self._turn.start()

    @Slot()
    def _show_panel(self) -> None:
        on = self._actions.show.isChecked()
        self._panel.setVisible(self._pages.current == _COMPOSE)
        self._panel.set_open(on=on)
        if not on:
            self._audition.stop()

    @Slot(bool)
    def _on_triggered(self, shown: bool) -> None:
        self._preferences.remember(cards=SHOWN if shown else HIDDEN)
        if shown:
            self._pages.open(_COMPOSE)
            self._view.setFocus()

    def _make_room(self, other: QAction) -> None:
        """Close the other one in a window without room for the cards of takes and the mixer."""
        shown = self._actions.show.isChecked() and self._pages.current == _COMPOSE
        if self._panel.cramped and shown and self._mixer.isChecked():
            other.setChecked(False)

    def shut_down(self) -> None:
        self._turn.stop()
        self._audition.shut_down()

    # ------------------------------------------------------------------ reasons

    @property
    def _single(self) -> TakeRow | None:
        rows = self._view.selected_rows
        return rows[0] if len(rows) == 1 else None

    def _reason_against_use(self, row: TakeRow) -> str:
        if row.piece is self._document.piece and self._audition.piece is None:
            return IS_CURRENT
        return self._reason_against_play()

    def _reason_against_play(self) -> str:
        return "" if self._audition.piece is not None else self._document.unready_reason

    def _reason_against_change(self, row: TakeRow | None) -> str:
        if row is None:
            return with_keys(NOT_SELECTED)
        if row.before is None:
            return IS_NEW
        return self._reason_against_play() if _region(row) is not None else UNCHANGED

    def _reason_against_delete(self) -> str:
        if all(row.current for row in self._view.selected_rows):
            return STAYS
        if self._document.piece is not None:
            return ""
        return GENERATING if self._document.generating else CHOOSING

    def _connect(self) -> None:
        document, view, actions = self._document, self._view, self._actions
        for action in actions.ratings:
            action.triggered.connect(partial(self.rate, action.data()))
        for signal, slot in (
            (actions.show.toggled, self._show_panel),
            (actions.show.toggled, lambda: self._make_room(self._mixer)),
            (actions.show.triggered, self._on_triggered),
            (self._mixer.toggled, lambda: self._make_room(actions.show)),
            (self._panel.room_changed, lambda: self._make_room(self._mixer)),
            (actions.use.triggered, self.use),
            (view.use_requested, self.use),
            (actions.play.triggered, self.play),
            (actions.play_change.triggered, self.play_change),
            (actions.end.triggered, self._audition.stop),
            (actions.rename.triggered, view.rename),
            (actions.delete.triggered, self.delete),
            (actions.export.triggered, self.export),
            (view.star_clicked, self._click_star),
            (view.takes.renamed, document.takes.rename),
            (view.selection_changed, self._update),
            (self._panel.filter.currentIndexChanged, self.show_takes),
            (self._panel.order.currentIndexChanged, self.show_takes),
            (self._audition.changed, self._update),
            (self._audition.ended, lambda: self._messages.show_state(ENDED)),
            (self._pages.opened, self._show_panel),
            (document.takes.changed, self._turn.start),
            (document.piece_changed, self._turn.start),
            (document.screen_changed, self._on_screen_changed),
            (self._turn.due, self.show_takes),
        ):
            signal.connect(slot)


def _region(row: TakeRow) -> tuple[int, int] | None:
    if row.before is None:
        return None
    return changes.compare(row.piece, row.before).region


def _describe(rows: tuple[TakeRow, ...]) -> str:
    return SELECTED.format(takes=count(len(rows), "take")) if rows else ""


class MachineDifference(QObject):
    """A comparison of the settings and the machine of the present piece with those here.

    It loads the model of the piece, which is the one that writes next.
    """

    def __init__(self, services: Services) -> None:
        super().__init__(services.document)
        self._document, self._messages = services.document, services.messages
        self._preferences = services.preferences
        self._warm_up, self.job = services.models.warm_up, LatestJob(self)
        self.job.events_received.connect(self._on_loading)

    @Slot()
    def compare(self) -> None:
        piece = self._document.piece
        left_out = form_from_provenance(piece.provenance).left_out if piece is not None else ()
        if piece is not None and left_out:
            self.job.cancel()
            text = LEFT_OUT.format(title=piece.title, settings=", ".join(left_out))
            self._messages.show_state(text)
        else:
            self.compare_machine()

    @Slot()
    def compare_machine(self) -> None:
        piece = self._document.piece
        origin = piece.provenance if piece is not None else None
        self.job.cancel()
        if origin is not None and origin.machine and self._document.choice_of(origin.model):
            device, made_on = self._preferences.device, self._document.made_on
            self.job.request(partial(self._warm_up, origin.model, device, made_on))

    @Slot(object)
    def _on_loading(self, events: tuple[LoadEvent, ...]) -> None:
        piece, here = self._document.piece, events[-1]
        origin = piece.provenance if piece is not None else None
        if piece is None or origin is None or not isinstance(here, Loaded):
            return
        found = machine_differences(origin.machine, here.machine)
        if found and origin.model == here.model:
            self._messages.show_state(DIFFERS.format(title=piece.title, differences=found))
