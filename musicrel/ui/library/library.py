"""All that belongs to no document: models, preferences, shortcuts, first steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QAction, QFont
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QWidget

from musicrel import paths
from musicrel.language import tr
from musicrel.playback import audio
from musicrel.ui.actions import commands
from musicrel.ui.files import recent
from musicrel.ui.files.dialogs import FileDrop, first_model
from musicrel.ui.library import shortcut_sheet
from musicrel.ui.library.model_library import ModelLibrary
from musicrel.ui.library.preferences_dialog import PreferencesDialog
from musicrel.ui.library.shortcut_editor import ShortcutEditor
from musicrel.ui.library.shortcut_sheet import ShortcutSheet
from musicrel.ui.shell import card_dialog
from musicrel.ui.shell.main_window import Services
from musicrel.ui.widgets import icons, layout, stylesheet

_GENERATE: Final = tr("Generate a chorale")
_MELODY: Final = tr("Write a melody and harmonise it")
_OPEN: Final = tr("Open a file (MIDI, MusicXML, ABC)")
_AGAIN: Final = tr("Help > First steps on the empty sheet shows this again.")


class Library(QObject):
    device_chosen = Signal(str)  # models compute on another device, or with more threads or fewer

    def __init__(self, services: Services) -> None:
        document, window, commands = services.document, services.window, services.commands
        super().__init__(document)
        self._window, self._messages, self._player = window, services.messages, services.player
        self.models = ModelLibrary(
            window, lambda: document.busy, lambda: (document.form.model, document.rewriting_model)
        )
        self._settings = services.preferences
        self.preferences: PreferencesDialog | None = None
        self.shortcuts: ShortcutSheet | None = None
        offers = (
            (_GENERATE, commands.generate),
            (_MELODY, commands.rewriting.draw),
            (_OPEN, commands.file.open),
        )
        acts = commands.library
        self.first_steps = FirstSteps(services, offers)
        self._keys: dict[str, str] = {}
        self._use_keys()
        self._drops = FileDrop(window, first_model)
        for signal, slot in (
            (acts.models.triggered, self.models.show),
            (acts.preferences.triggered, self.show_preferences),
            (acts.shortcuts.triggered, self.show_shortcuts),
            (acts.logs.triggered, lambda: self._report(card_dialog.open_outside(paths.data()))),
            (
                acts.web_pages.triggered,
                lambda: self._report(card_dialog.open_page(card_dialog.first_page())),
            ),
            (self._drops.dropped, self.models.import_from),
            (self.models.removed, self._forget_model),
            (document.screen_changed, self.models.update_enabled),
            (self._settings.changed, self._use_keys),
        ):
            signal.connect(slot)

    @Slot()
    def show_preferences(self) -> None:
        if self.preferences is None:
            dialog = PreferencesDialog(self._window, self._settings, audio.device_names)
            dialog.device_chosen.connect(self.device_chosen)
            dialog.audio_chosen.connect(self._reopen_audio)
            self.preferences = dialog
        self.preferences.refresh()
        self.preferences.show()
        self.preferences.activateWindow()

    @Slot()
    def show_shortcuts(self) -> None:
        groups = shortcut_sheet.of_menus(self._window.menuBar()) | shortcut_sheet.of_views()
        self.shortcuts = ShortcutSheet(groups, self._window)
        self.shortcuts.change.clicked.connect(self._change_shortcuts)
        self.shortcuts.finished.connect(self._forget_shortcuts)
        self.shortcuts.open()

    @Slot()
    def _change_shortcuts(self) -> None:
        ShortcutEditor(self._window.commands, self._settings, self._window).open()

    @Slot()
    def _use_keys(self) -> None:
        """Use the keys that the user has chosen, if they are others than before."""
        if self._settings.keys != self._keys:
            self._keys = self._settings.keys
            self._window.commands.use_keys(self._keys)

    @Slot()
    def _forget_shortcuts(self) -> None:
        self.shortcuts = None  # the sheet deletes itself

    @Slot(str)
    def _forget_model(self, name: str) -> None:
        settings = self._settings.settings
        for field in ("model", "model_rewrite"):
            if getattr(settings, field) == name:
                self._settings.remember(**{field: ""})

    def _report(self, problem: str) -> None:
        if problem:
            self._messages.report(problem)

    @Slot()
    def _reopen_audio(self) -> None:
        if self._player.follower is None:
            self._player.route(None)


_TITLE: Final = tr("First steps")
_NEXT: Final = tr("What next?")
_LISTEN: Final = tr("Listen")
_PHRASE: Final = tr("Change a phrase")
_PHRASE_TIP: Final = tr("Open the menu of a phrase, as a click on its bracket above the notes does")
_EXPORT: Final = tr("Export as MIDI, score or sound")
_CLOSE: Final = tr("Close")
_WIDTH: Final = 400  # of the first steps in pixels, where their texts need no more


class FirstSteps(QObject):
    hidden = Signal()  # the sheet may show its own hint again

    def __init__(self, services: Services, offers: Sequence[tuple[str, QAction]]) -> None:
        document, self._sheet = services.document, services.page.roll
        super().__init__(document)
        self._document, self._preferences = document, services.preferences
        self._toggle = services.commands.library.offers
        self._other_hint = self._halved = False
        self._led = False  # whether the card has led to what happens now
        self._is_new_user = not recent.load()
        self.card = StartOffers(self._sheet, offers)
        self.next = NextOffers(services)
        for button, (title, _) in zip(self.card.buttons, offers, strict=True):
            if title != _MELODY:  # whose first note is no piece to go on with
                button.clicked.connect(self._lead)
        self._toggle.triggered.connect(self._choose)
        for signal in (document.screen_changed, document.sketched, document.form_changed):
            signal.connect(self._update)
        self._update()

    @property
    def wanted(self) -> bool:
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
            self._preferences.remember_soon(first_steps="hidden")  # the piece has just been shown
        self._show_next()
        self._toggle.setChecked(self.wanted)
        shown, before = self.wanted and self._is_free, self.card.isVisibleTo(self._sheet)
        if shown:
            self._sheet.set_hint("", "")
        if shown != before:
            self.card.setVisible(shown)
        if before and not shown:
            self.hidden.emit()

    def _show_next(self) -> None:
        """Offer what comes next after the first piece that the card has led to."""
        piece = self._document.piece
        if piece is None:
            self.next.offer(on=False)
        elif self._led:
            self._led = False
            self.next.phrase.setVisible(bool(piece.fermatas.any()))  # without, it has no brackets
            self.next.offer(on=True)

    @Slot()
    def _lead(self) -> None:
        self._led = True

    @property
    def _is_free(self) -> bool:
        document = self._document
        busy = document.generating or document.sketch is not None or self._other_hint
        return not busy and not self._halved and document.shown is None and bool(document.choices)


class StartOffers(QFrame):
    def __init__(self, sheet: QWidget, offers: Sequence[tuple[str, QAction]]) -> None:
        super().__init__(sheet)
        self._sheet, self._wanted = sheet, False
        self.setObjectName("sheet")
        self.setAccessibleName(_TITLE)
        self.buttons = tuple(QPushButton(text) for text, _ in offers)
        for button, (_, action) in zip(self.buttons, offers, strict=True):
            commands.follow(button, action, commands.tip(action))
        self.buttons[0].setObjectName("main")
        title, self._again = QLabel(_TITLE), QLabel(_AGAIN, wordWrap=True)
        stylesheet.scale_font(title, 1.35, QFont.Weight.DemiBold)
        stylesheet.scale_font(self._again, 0.92)
        self._again.setObjectName("quiet")
        for label in (title, self._again):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        parts: tuple[layout.Part, ...] = (title, 6, *self.buttons, 4, self._again)
        layout.column(*parts, owner=self, spacing=10, margins=(28, 22, 28, 20))
        self._arranger = layout.Arranger(self._centre, self, sheet)
        self.hide()

    def setVisible(self, visible: bool) -> None:
        """Show or hide the offers; a sheet that is too low for them never shows them."""
        self._wanted = visible
        self._arranger.again()

    def _centre(self) -> None:
        self._again.show()
        self.setFixedWidth(max(_WIDTH, self.minimumSizeHint().width()))
        self.adjustSize()
        if self.height() > self._sheet.height():  # the least important is left out
            self._again.hide()
            self.adjustSize()
        super().setVisible(self._wanted and self.height() <= self._sheet.height())
        place = self.rect()
        place.moveCenter(self._sheet.rect().center())
        self.move(max(place.x(), 0), max(place.y(), 0))


class NextOffers(QFrame):
    """Three things to do with the first piece, above the sheet of Compose until it is closed."""

    def __init__(self, services: Services) -> None:
        super().__init__()
        self.setObjectName("notice")
        self.setAccessibleName(_NEXT)
        page, acts = services.page, services.commands
        self._pages, self._wanted = services.window.pages, False
        self.buttons = tuple(QPushButton(text) for text in (_LISTEN, _PHRASE, _EXPORT))
        listen, self.phrase, export = self.buttons
        commands.follow(listen, acts.play.play)
        commands.follow(export, acts.file.export)
        self.phrase.setToolTip(_PHRASE_TIP)
        self.phrase.clicked.connect(lambda: acts.score.setChecked(False))  # brackets: on the roll
        self.phrase.clicked.connect(page.brackets.open_menu)
        self.close_button = icons.button("close", _CLOSE, 16)
        self.close_button.clicked.connect(lambda: self.offer(on=False))
        self._pages.opened.connect(self._update)
        first = layout.row(QLabel(_NEXT), listen, self.phrase, spacing=10)
        offers = layout.Wrapped(first, layout.row(export, None), spacing=10, shares=(0, 1))
        layout.row(
            (offers, 1), self.close_button, owner=self, spacing=10, margins=(18, 6, 14, 6)
        )  # fmt: skip
        page.add_above_sheet(self)
        self.hide()

    def offer(self, *, on: bool) -> None:
        self._wanted = on
        self._update()

    @Slot()
    def _update(self) -> None:
        self.setVisible(self._wanted and self._pages.current == "compose")
