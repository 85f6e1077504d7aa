"""Controller of the offers on the empty sheet, which end with the first piece."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction

from musicrel.ui.actions import commands
from musicrel.ui.document.document import Document
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.files import recent
from musicrel.ui.library.start_offers import StartOffers
from musicrel.ui.widgets.sheet_view import SheetView

_HAS_PIECE: Final = "The sheet has a piece: File > New begins with an empty one"


class FirstSteps(QObject):
    """The controller of the offers.

    Args:
        sheet: where they are; its own hint is hidden meanwhile.
    """

    hidden = Signal()  # the sheet may show its own hint again

    def __init__(
        self,
        document: Document,
        preferences: Preferences,
        *,
        sheet: SheetView,
        offers: Sequence[tuple[str, QAction]],
        toggle: QAction,
    ) -> None:
        super().__init__(document)
        self._document, self._preferences, self._sheet = document, preferences, sheet
        self._toggle, self._other_hint, self._halved = toggle, False, False
        self._is_new_user = not recent.load()
        self.card = StartOffers(sheet, offers)
        toggle.triggered.connect(self._choose)
        for signal in (
            document.shown_changed,
            document.sketched,
            document.generation_started,
            document.piece_changed,
            document.form_changed,
        ):
            signal.connect(self._update)
        self._update()

    @property
    def wanted(self) -> bool:
        """Return True if the offers are shown on an empty sheet."""
        chosen = self._preferences.settings.first_steps
        return chosen == "shown" or (not chosen and self._is_new_user)

    @Slot(bool)
    def give_way(self, other_hint: bool) -> None:
        self._other_hint = other_hint
        self._update()

    @Slot(bool)
    def give_room(self, halved: bool) -> None:
        self._halved = halved
        self._update()

    @Slot(bool)
    def _choose(self, on: bool) -> None:
        self._preferences.remember(first_steps="shown" if on else "hidden")
        self._update()

    @Slot()
    def _update(self) -> None:
        if self._document.piece is not None and self.wanted:
            self._preferences.remember(first_steps="hidden")
        self._toggle.setChecked(self.wanted)
        commands.set_enabled(self._toggle, _HAS_PIECE if self._document.piece is not None else "")
        shown, before = self.wanted and self._is_free, self.card.isVisibleTo(self._sheet)
        if shown:
            self._sheet.set_hint("", "")
        if shown != before:
            self.card.setVisible(shown)
        if before and not shown:
            self.hidden.emit()

    @property
    def _is_free(self) -> bool:
        """Return True if nothing else is on the sheet."""
        document = self._document
        busy = document.generating or document.sketch is not None or self._other_hint
        return not busy and not self._halved and document.shown is None and bool(document.choices)
