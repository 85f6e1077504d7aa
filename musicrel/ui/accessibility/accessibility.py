"""The window for screen readers: the items of its painted views, and announcements."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QApplication

from musicrel.editing.selection import Selection
from musicrel.playback.player import Player
from musicrel.ui.accessibility import painted_items
from musicrel.ui.accessibility.announcer import Announcer
from musicrel.ui.accessibility.curve_items import CurveItems
from musicrel.ui.accessibility.note_items import RollItems, ScoreItems
from musicrel.ui.controllers.playback_controller import PlaybackController
from musicrel.ui.document.document import Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.roll.roll_view import RollView
from musicrel.ui.shell.main_window import MainWindow


class Accessibility(QObject):
    """The owner of the items and of the announcer of a window; it reduces motion, too."""

    def __init__(
        self,
        window: MainWindow,
        document: Document,
        messages: Messages,
        preferences: Preferences,
        *,
        player: Player,
        playback: PlaybackController,
    ) -> None:
        super().__init__(window)
        self._preferences, self._playback = preferences, playback
        self._document, self._page = document, window.compose_page
        self.announcer = Announcer(window, lambda: player.playing)
        score = self._page.score
        self._roll = RollItems(self._page.roll, document, lambda: score.marks)
        self._score = ScoreItems(score, self._roll, document)
        painted_items.attach(self._page.roll, self._roll)
        painted_items.attach(score, self._score)
        self._attach_rolls()
        self._attach_curves(window)
        for signal, slot in (
            (messages.state_changed, self.announcer.announce),
            (messages.reported, self.announcer.announce_error),
            (document.selection_changed, self._follow_selection),
            (document.shown_changed, self._on_changed),
            (document.locks_changed, self._on_changed),
            (window.attention.head_chosen, self._announce_head),
            (window.attention.second_head_chosen, self._announce_head),
        ):
            signal.connect(slot)
        preferences.changed.connect(self._follow_motion)
        self._follow_motion()

    def _attach_rolls(self) -> None:
        """Attach the rolls of other pieces than that of the document, as of model B."""
        for view in self._page.findChildren(RollView):
            if view is not self._page.roll:
                items = RollItems(view, self._document, lambda: (), own=False)
                painted_items.attach(view, items)

    def _attach_curves(self, window: MainWindow) -> None:
        """Attach the curves once their plot is made."""
        panel = window.experiment.study.curves
        panel.view.made.connect(lambda: painted_items.attach(panel.view.plot, CurveItems(panel)))

    @Slot()
    def _follow_motion(self) -> None:
        self._playback.by_beats = self._preferences.settings.motion == "reduced"

    @Slot()
    def _announce_head(self) -> None:
        grid = QApplication.focusWidget()
        if grid is not None:
            self.announcer.announce(grid.accessibleDescription())

    @Slot()
    def _on_changed(self) -> None:
        painted_items.notify_changed(self._page.shown)

    @Slot(object)
    def _follow_selection(self, selection: Selection | None) -> None:
        if selection is None or self._document.generating:
            return
        view = self._page.shown
        items = self._roll if isinstance(view, RollView) else self._score
        current = items.current()
        if current is not None and view.hasFocus():
            self.announcer.drop()
            painted_items.notify_current(view, current)
        else:
            self.announcer.announce(self._roll.passage(selection))
