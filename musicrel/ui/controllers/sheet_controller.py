"""Controller of the sheet: it shows what the document has on screen, with its heading."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.chorale import Chorale
from musicrel.errors import UsageError
from musicrel.figures import roll
from musicrel.language import tr
from musicrel.presentation.compose import form, models, summary
from musicrel.score.editing.selection import Selection
from musicrel.ui.document.document import UNTITLED, Sketch
from musicrel.ui.shell.main_window import Services

EMPTY: Final = tr("New chorale")


class SheetController(QObject):
    # the hint on the empty roll was set; True if it is not the usual one
    hint_changed = Signal(bool)

    def __init__(self, services: Services) -> None:
        document, messages = services.document, services.messages
        super().__init__(document)
        actions, page = services.commands, services.page
        self._document, self._messages, self._page = document, messages, page
        self._hint: tuple[str, str] | None = None
        self._heading = ("", "")
        for signal, slot in (
            (document.screen_changed, self._show),
            (document.sketched, self._draw),
            (document.replaced, page.roll.show_beginning),
            (document.form_changed, self._on_form_changed),
            (document.selection_changed, self._describe),
            (messages.reported, page.banner.show_message),
            (messages.dismissed, page.banner.dismiss),
            (page.zoom_in.clicked, actions.zoom_in.trigger),
            (page.zoom_out.clicked, actions.zoom_out.trigger),
            (page.zoom_fit.clicked, actions.zoom_fit.trigger),
            (actions.zoom_in.triggered, lambda *_: page.shown.zoom_in()),
            (actions.zoom_out.triggered, lambda *_: page.shown.zoom_out()),
            (actions.zoom_fit.triggered, lambda *_: page.shown.fit()),
            (actions.taller.triggered, lambda *_: page.shown.stretch(page.shown.zoom_step)),
            (actions.flatter.triggered, lambda *_: page.shown.stretch(1 / page.shown.zoom_step)),
        ):
            signal.connect(slot)
        self.set_hint(None)
        self._show(document.shown)
        self._show_ranges()

    def set_hint(self, hint: tuple[str, str] | None) -> None:
        """Show title and text on the empty roll; None: the default ones."""
        self._hint = hint
        self._page.roll.set_hint(*(hint or models.hint(self._document.choices)))
        self.hint_changed.emit(hint is not None)

    @Slot()
    def show_usual_hint(self) -> None:
        self.set_hint(self._hint)

    @Slot(object)
    def _show(self, piece: Chorale | None) -> None:
        if self._document.sketch is not None:
            return
        if piece is not None:
            self._page.roll.show_roll(roll.draw(piece))
            self._set_heading(piece, (self._document.piece or piece).title or UNTITLED)
        elif not self._document.generating:
            self._show_empty()

    def _show_empty(self) -> None:
        try:
            plan = self._document.form.request().plan()
        except UsageError:  # the form shows the reason
            return
        self._page.roll.show_roll(roll.draw(plan, written=0))
        self._set_heading(plan, EMPTY)

    @Slot(object)
    def _draw(self, sketch: Sketch | None) -> None:
        if sketch is None:
            self._show(self._document.shown)
            return
        self._page.roll.show_roll(roll.draw(sketch.piece, written=sketch.written))
        if self._document.shown is None:
            self._set_heading(sketch.piece, sketch.piece.title or EMPTY)

    @Slot()
    def _on_form_changed(self) -> None:
        if self._document.shown is None:
            self._show(None)
        if self._hint is None:
            self.set_hint(None)
        self._show_ranges()

    def _show_ranges(self) -> None:
        try:
            ranges = form.bound_ranges(self._document.form)
        except UsageError:  # the form shows the reason
            return
        self._page.ranges.show_ranges(ranges)

    @Slot(object)
    def _describe(self, selection: Selection | None) -> None:
        picture = self._page.roll.picture
        if selection is not None and picture is not None and not self._document.generating:
            self._messages.show_state(picture.describe_selection(selection))

    def _set_heading(self, piece: Chorale, title: str) -> None:
        """Show title and form; an unchanged heading costs no new layout."""
        heading = (title, summary.heading(piece))
        if heading != self._heading:
            self._heading = heading
            self._page.set_heading(*heading)
