"""The main window: menus, the pages, the playback panel and the status bar.

The window is passive: controllers set its contents and connect to its signals.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QByteArray, QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QCloseEvent,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QMainWindow,
    QMessageBox,
    QWidget,
)

from musicrel.language import tr
from musicrel.model import device_choice
from musicrel.playback.player import Player
from musicrel.presentation.words.pages import PAGES
from musicrel.presentation.words.versions import versions
from musicrel.settings import AUTO
from musicrel.ui.actions import commands
from musicrel.ui.actions.commands import Commands
from musicrel.ui.attention.attention_page import AttentionPage
from musicrel.ui.compose.compose_page import ComposePage
from musicrel.ui.compose.controls import MutedRemark
from musicrel.ui.document.document import UNTITLED, Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.jobs.generation_service import ModelCache
from musicrel.ui.playback.transport_bar import PlaybackPanel, short_transport
from musicrel.ui.shell import card_dialog
from musicrel.ui.takes.takes_view import TakesPanel
from musicrel.ui.widgets import layout, stylesheet
from musicrel.ui.widgets.banner import JobStrip
from musicrel.ui.widgets.elided_label import ElidedLabel
from musicrel.ui.widgets.page_switch import PageOrMaker, Pages

if TYPE_CHECKING:
    from musicrel.ui.experiment.experiment_page import ExperimentPage

_ABOUT: Final = tr("About musicrel")
_DEVICE: Final = tr("device: {device}")

_WINDOW_TITLE: Final = "{name}[*] – musicrel"
_ABOUT_HEAD: Final = "musicrel {version}"
_ABOUT_TEXT: Final = tr(
    "A desktop studio for four-voice chorales, generated on this computer by transformers with and "
    "without relative attention."
)
_TALL = 720  # height in pixels from which the attention page has room for the playback panel


class MainWindow(QMainWindow):
    theme_changed = Signal()  # another theme was applied
    painted = Signal()  # the window was painted for the first time
    closing = Signal()  # the window is about to close; connected slots end running jobs

    _messages: Messages | None = None

    def __init__(self) -> None:
        super().__init__()
        self.commands = Commands(self)  # first: texts name its keys
        self.compose_page, self.attention = ComposePage(), AttentionPage()
        self.muted = MutedRemark()
        parts: Sequence[PageOrMaker] = (self.compose_page, self.attention, _experiment_page)
        pages = {page.name: part for page, part in zip(PAGES, parts, strict=True)}
        self.pages = Pages(pages, self.compose_page.workspace)
        self.playback = PlaybackPanel(self.commands.play)
        self.takes = TakesPanel(self.commands.takes)
        self.compose_page.strip.set_actions(self.commands.rewriting, self.commands.compare)
        for panel in (self.takes, self.playback):
            self.compose_page.add_below(panel)
        # returns False while the user is asked about unsaved changes
        self.may_close: Callable[[], bool] = lambda: True
        self._was_painted, self._page, self._look = False, self.pages.current, ("", "")
        self._mixers = dict.fromkeys(pages, False)
        self._state, self._model_status, self.job = ElidedLabel(), QLabel(), JobStrip()
        self.setCentralWidget(_below(self.muted, self.pages))
        self.commands.fill(self.menuBar())
        self.statusBar().setSizeGripEnabled(False)
        self.statusBar().addWidget(self._state, 1)
        for part in (self.job, self._model_status):
            self.statusBar().addPermanentWidget(part)
        self.statusBar().setContentsMargins(8, 0, 8, 2)
        self.setMinimumSize(1000, 600)
        self._connect()
        commands.check(self.commands.pages, self.pages.current)
        self.show_title(UNTITLED, modified=False)

    def show_document(
        self, document: Document, messages: Messages, preferences: Preferences
    ) -> None:
        self._document, self._messages, self._preferences = document, messages, preferences
        mixer = self.commands.play.mixer
        self.muted.follow(document)
        self.commands.follow(document)
        for signal, slot in (
            (messages.state_changed, self._state.setText),
            (self.commands.themes.triggered, lambda act: preferences.remember(theme=act.data())),
            (QGuiApplication.styleHints().colorSchemeChanged, self._apply_theme),
            (preferences.changed, self._on_preferences_changed),
            (mixer.triggered, self._remember_mixer),
        ):
            signal.connect(slot)
        self._on_preferences_changed()
        self.restore_geometry_text(preferences.settings.window)
        mixer.setChecked(preferences.settings.mixer == "shown")
        self.compose_page.shown.setFocus()  # keys such as "?" would go into the first field

    @property
    def experiment(self) -> ExperimentPage:
        """The Experiment page, made when it is first asked for."""
        return cast("ExperimentPage", self.pages.page("experiment"))

    def show_title(self, name: str, *, modified: bool) -> None:
        self.setWindowTitle(_WINDOW_TITLE.format(name=name.replace("[*]", "[*][*]")))
        self.setWindowModified(modified)

    @Slot(bool)
    def _remember_mixer(self, on: bool) -> None:
        self._preferences.remember(mixer="shown" if on else "hidden")

    @Slot()
    def _on_preferences_changed(self) -> None:
        settings = self._preferences.settings
        look = (settings.theme, settings.text_size)
        if look == self._look:
            return
        self._look = look
        stylesheet.set_text_size(int(settings.text_size))
        commands.check(self.commands.themes, settings.theme)
        self._apply_theme()

    @Slot()
    def _apply_theme(self) -> None:
        setting = self._preferences.settings.theme
        stylesheet.set_color_scheme(setting)
        stylesheet.apply(stylesheet.theme_for(setting))
        self.theme_changed.emit()

    def set_model_status(self, text: str) -> None:
        self._model_status.setText(text)

    @property
    def state(self) -> str:
        return self._state.text()

    @property
    def model_status(self) -> str:
        return self._model_status.text()

    def geometry_text(self) -> str:
        return base64.b64encode(self.saveGeometry().data()).decode("ascii")

    def restore_geometry_text(self, text: str) -> None:
        """Restore position and size; invalid text gives the default size."""
        try:
            restored = bool(text) and self.restoreGeometry(QByteArray(base64.b64decode(text)))
        except (binascii.Error, ValueError):
            restored = False
        if not restored:
            available = QGuiApplication.primaryScreen().availableGeometry()
            self.resize(min(1320, available.width()), min(840, available.height()))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._was_painted:
            self._was_painted = True
            QTimer.singleShot(0, self.painted.emit)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        play = self.commands.play.play
        if event.key() == Qt.Key.Key_Space and not play.isEnabled():
            self._state.setText(play.toolTip())
        super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        if self.may_close():
            self.closing.emit()
            event.accept()
        else:
            event.ignore()

    def _connect(self) -> None:
        card_dialog.fill(self.commands.library.guides, self)
        self.compose_page.set_transport(short_transport(self.commands.play))
        self.compose_page.controls.installEventFilter(self)
        file = self.commands.file
        for signal, slot in (
            (self.commands.about.triggered, self._about),
            (self.commands.about_model.triggered, self._about_model),
            (file.quit.triggered, self.close),
            (self.commands.next_part.triggered, self._focus_next_part),
            (self.commands.pages.triggered, lambda act: self.pages.open(act.data())),
            (self.pages.opened, self._opened),
        ):
            signal.connect(slot)

    def _opened(self, name: str) -> None:
        """Update the window for another page; each page remembers if it shows the mixer."""
        mixer, before = self.commands.play.mixer, self._page
        # the page of experiments has no sheet with an error above it
        if self._messages and before not in (name, "experiment"):
            self._messages.leave_page()
        self._mixers[before], self._page = mixer.isChecked(), name
        mixer.setChecked(self._mixers[name])
        commands.check(self.commands.pages, name)
        stylesheet.scale_again()  # the sheet has come from another page
        self._make_room()
        (self.experiment.list if name == "experiment" else self.compose_page.shown).setFocus()

    def _make_room(self) -> None:
        """Put playback into the head of the sheet on the attention page of a low window."""
        is_low = self.height() < _TALL and self._page == "attention"
        self.playback.setVisible(not is_low)
        self.compose_page.show_transport(on=is_low)
        self.takes.set_window_height(self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    @Slot()
    def _focus_next_part(self) -> None:
        page, takes, focused = self.compose_page, self.takes.view, QApplication.focusWidget()
        form = page.controls.compose_form
        parts = ((page.controls, form.bars), (page.shown, page.shown), (takes, takes))
        visible = [(part, target) for part, target in parts if target.isVisible()]
        present = [part is focused or part.isAncestorOf(focused) for part, _ in visible if focused]
        if True in present:
            visible[(present.index(True) + 1) % len(visible)][1].setFocus()
        elif visible:
            page.shown.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Lead from the form to the sheet by Esc."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return super().eventFilter(watched, event)
        if event.key() != Qt.Key.Key_Escape or event.modifiers():
            return False
        self.compose_page.shown.setFocus()
        return True

    def _about_model(self) -> None:
        card_dialog.of_model(self, self._document.form.model).open()

    def _about(self) -> None:
        found = versions()
        parts = [f"{name} {version}" for name, version in found.items() if name != "musicrel"]
        device = self._preferences.device
        means = device_choice.described() if device == AUTO else ""
        parts.append(_DEVICE.format(device=f"{device}, {means}" if means else device))
        head = _ABOUT_HEAD.format(version=found["musicrel"])
        QMessageBox.about(self, _ABOUT, "\n\n".join((head, _ABOUT_TEXT, " · ".join(parts))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The objects that the controllers of a window share."""

    window: MainWindow
    page: ComposePage
    commands: Commands
    document: Document
    messages: Messages
    preferences: Preferences
    models: ModelCache
    player: Player


def _experiment_page() -> ExperimentPage:
    from musicrel.ui.experiment.experiment_page import ExperimentPage

    return ExperimentPage()


def _below(remark: QWidget, pages: QWidget) -> QWidget:
    whole = QWidget()
    layout.column(layout.row(remark, margins=(10, 4, 10, 4)), (pages, 1), owner=whole)
    return whole


_REASON: Final = Qt.FocusReason
_BY_KEY: Final = (
    _REASON.TabFocusReason, _REASON.BacktabFocusReason, _REASON.ShortcutFocusReason,
)  # fmt: skip
# reasons of a focus that was in the same place before another window or list was open
_RETURNS: Final = (_REASON.ActiveWindowFocusReason, _REASON.PopupFocusReason)


class SpaceKey(QObject):
    """An event filter for the controls of a window."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._by_key = False  # whether the user moved the focus to its control by a key
        self.watch(window)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus_changed)

    def watch(self, part: QWidget) -> None:
        """Watch the controls in a part of the window."""
        for button in part.findChildren(QAbstractButton):
            self._watch(button)
        for box in part.findChildren(QComboBox):
            self._watch(box)
        for spin in part.findChildren(QAbstractSpinBox):
            spin.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QFocusEvent):
            if event.gotFocus() and event.reason() not in _RETURNS:
                self._by_key = event.reason() in _BY_KEY
            return False
        if not isinstance(event, QKeyEvent) or event.type() == QEvent.Type.KeyRelease:
            return False
        if event.key() != Qt.Key.Key_Space or event.modifiers():
            return False
        is_override = event.type() == QEvent.Type.ShortcutOverride
        keeps = self._keeps(watched)
        event.setAccepted(keeps and is_override)
        return is_override or not keeps

    def _keeps(self, watched: QObject) -> bool:
        """Return whether a control keeps its space bar; a number has no spaces, text has."""
        if isinstance(watched, QComboBox) and watched.isEditable():
            return True
        return self._by_key and not isinstance(watched, QAbstractSpinBox)

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, old: QWidget | None, _now: QWidget | None) -> None:
        """Notice a focus that Qt moved on because its widget was hidden or disabled."""
        if old is None or old.window() is not self._window:
            return
        if not (old.isVisible() and old.isEnabled()):
            self._by_key = False

    def _watch(self, widget: QWidget) -> None:
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus:
            widget.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        widget.installEventFilter(self)
