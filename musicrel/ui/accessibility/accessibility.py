"""The window for screen readers: the items of its painted views, and announcements."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import TYPE_CHECKING, Final, NamedTuple, cast
from weakref import WeakKeyDictionary, ref

import shiboken6
from PySide6.QtCore import QObject, QPoint, QPointF, QRect, QRectF, Qt, QTimer, Slot
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QAccessibleEvent,
    QAccessibleInterface,
)
from PySide6.QtWidgets import QAbstractScrollArea, QAccessibleWidget, QApplication, QWidget

from musicrel.chorale import Chorale, Flags, Voice
from musicrel.figures import roll
from musicrel.figures.roll import KEYBOARD_WIDTH, RULER_HEIGHT, Roll
from musicrel.figures.score import SPACE, Head, Score
from musicrel.language import count, tr
from musicrel.presentation.marks import Mark, descriptions, marks_of
from musicrel.presentation.words import names
from musicrel.score.editing.notes import Note
from musicrel.score.editing.selection import Selection
from musicrel.ui.controllers.playback_controller import PlaybackController
from musicrel.ui.document.document import Document
from musicrel.ui.roll.roll_view import RollView
from musicrel.ui.score.score_view import ScoreView
from musicrel.ui.shell.main_window import Services

if TYPE_CHECKING:
    from musicrel.ui.experiment.curve_panel import CurvePanel


class Accessibility(QObject):
    def __init__(self, services: Services, playback: PlaybackController) -> None:
        window, document, messages = services.window, services.document, services.messages
        super().__init__(window)
        self._preferences, self._playback = services.preferences, playback
        self._document, self._page = document, window.compose_page
        self.announcer = Announcer(window, lambda: services.player.playing)
        roll, score = self._page.roll, self._page.score
        self._roll = RollItems(roll, document, lambda: score.marks)
        self._score = ScoreItems(score, self._roll)
        attach(score, self._score)
        for view in self._page.findChildren(RollView):  # others are of another piece, as of model B
            of_other = RollItems(view, document, lambda: (), own=False)
            attach(view, self._roll if view is roll else of_other)
        for signal, slot in (
            (messages.state_changed, self.announcer.announce),
            (messages.reported, self.announcer.announce_error),
            (document.selection_changed, self._follow_selection),
            (document.screen_changed, self._on_changed),
            (document.locks_changed, self._on_changed),
            (window.attention.choices.head_chosen, self._announce_head),
            (services.preferences.changed, self._follow_motion),
        ):
            signal.connect(slot)
        self._follow_motion()

    def read_curves(self, panel: CurvePanel) -> None:
        panel.view.made.connect(lambda: attach(panel.view.plot, CurveItems(panel)))

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
        notify(self._page.shown)

    @Slot(object)
    def _follow_selection(self, selection: Selection | None) -> None:
        if selection is None or self._document.generating:
            return
        view = self._page.shown
        items = self._roll if isinstance(view, RollView) else self._score
        current = items.current()
        if current is not None and view.hasFocus():
            self.announcer.drop()
            notify(view, current)
        else:
            self.announcer.announce(self._roll.passage(selection))


class PaintedItems:
    """The items of a painted view, in the order in which they are read; none can be selected."""

    def count(self) -> int:
        raise NotImplementedError

    def text(self, index: int) -> str:
        raise NotImplementedError

    def box(self, index: int) -> QRect:
        """Return the rectangle of an item in pixels of the viewport."""
        raise NotImplementedError

    def explanation(self, _index: int) -> str:
        return ""

    def is_selected(self, _index: int) -> bool:
        return False

    def select(self, _index: int) -> None:
        """Select an item."""

    def current(self) -> int | None:
        """Return the item at which the keyboard is; None for none."""
        return None


class CurveItems(PaintedItems):
    """The curves of a panel."""

    def __init__(self, panel: CurvePanel) -> None:
        self._panel = panel

    def count(self) -> int:
        return len(self._panel.curves.arms)

    def text(self, index: int) -> str:
        curves = self._panel.curves
        return curves.arms[index].spoken(curves.choice.axis, curves.unit)

    def box(self, index: int) -> QRect:
        """Return the rectangle of the name of a curve, or that of the plot."""
        plot = self._panel.plot
        if plot is None or index >= self.count():
            return self._panel.view.rect()
        name = plot.names.box(self._panel.curves.arms[index].number)
        box: QRect = plot.view.mapFromScene(name).boundingRect()
        return box


AGAIN_MS: Final = 200  # milliseconds after which a message is tried again while music sounds

_Politeness = QAccessible.AnnouncementPoliteness


class Announcer(QObject):
    """An announcer of the messages of a window.

    At the end of an event its last error, its last result and its last progress are announced.
    While music sounds, they are kept until it ends. Without a screen reader nothing happens.
    """

    def __init__(
        self,
        window: QWidget,
        is_sounding: Callable[[], bool],
        send: Callable[[QAccessibleEvent], None] = QAccessible.updateAccessibility,
    ) -> None:
        super().__init__(window)
        self._window, self._is_sounding, self.send = window, is_sounding, send
        self._filter = MessageFilter()
        self._error = self._result = self._progress = ""
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._announce)

    @Slot(str)
    def announce(self, text: str) -> None:
        if not QAccessible.isActive():
            return
        if quarter_of(text) is not None:
            self._progress = text
        elif text:
            self._result, self._progress = text, ""
        self._timer.start(0)

    @Slot(str)
    def announce_error(self, sentence: str) -> None:
        if QAccessible.isActive():
            self._error = sentence
            self._timer.start(0)

    def drop(self) -> None:
        """Forget the message of this event: the reader describes what has the focus."""
        self._result = ""

    @Slot()
    def _announce(self) -> None:
        if self._is_sounding():
            self._timer.start(AGAIN_MS)
            return
        if self._error:
            self._speak(self._error, _Politeness.Assertive)
        for text in (self._result, self._progress):
            if self._filter.is_due(text):
                self._speak(text, _Politeness.Polite)
        self._error = self._result = self._progress = ""

    def _speak(self, text: str, politeness: QAccessible.AnnouncementPoliteness) -> None:
        event = QAccessibleAnnouncementEvent(self._window, text)
        event.setPoliteness(politeness)
        self.send(event)


_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_PERCENT: Final = re.compile(r"(\d+)\s?%$")
# Matches messages of progress that count, such as "Generating bar 3 of 8", in their language.
_PART: Final = re.compile(tr(r"^(?!Stopped).*\b(?:bar|candidate|function) (\d+) of (\d+)$"))
_SEARCH: Final = tr("Searching")
_QUARTERS: Final = 4


class MessageFilter:
    """A filter of the messages of one window, which remembers what was announced."""

    def __init__(self) -> None:
        self._announced: set[tuple[str, int]] = set()

    def is_due(self, text: str) -> bool:
        """Return whether ``text`` is to be announced, and remember it as announced if so."""
        quarter = quarter_of(text)
        if not text:
            return False
        if quarter is None:
            self._announced.clear()
            return True
        kind = (_NUMBER.sub("", text), quarter)
        due = kind not in self._announced
        self._announced.add(kind)
        return due


def quarter_of(text: str) -> int | None:
    """Return the quarter, 0 to 4, that a message of progress has reached; None for any other."""
    if percent := _PERCENT.search(text):
        return int(percent[1]) * _QUARTERS // 100
    if part := _PART.search(text):
        return (int(part[1]) - 1) * _QUARTERS // max(int(part[2]), 1)
    return 0 if text.startswith(_SEARCH) else None


# ------------------------------------------------------------------------------- notes

LOCKED, PARTLY_LOCKED = tr("locked"), tr("partly locked")
REST, HELD = tr("rest"), tr("{note}, held")
_SIGNS: Final = str.maketrans({"♯": " sharp ", "♭": " flat "})


class NoteTexts(NamedTuple):
    """Notes and passages as spoken; a note without the word "locked" is not locked."""

    picture: Roll
    locked: Flags | None = None  # locked cells, bool (T, 4); None: none
    marks: tuple[Mark, ...] = ()  # the rule violations

    def note(self, note: Note) -> str:
        """Describe a note, as 'Alto F sharp 4, bar 3, beat 2½, quarter, locked'."""
        broken = (f"{mark.title}: {mark.who}" for mark in marks_of(self.marks, note))
        place, length = self.picture.place(note.start), names.length(note.length)
        lock = self._lock(Selection.of_note(note))
        return _joined(self._sound(note), place, length, lock, *broken)

    def explanation(self, note: Note) -> str:
        """Return why the rules that a note breaks exist, with their sources; "" for none."""
        return " ".join(descriptions(self.marks, note))

    def passage(self, selection: Selection, notes: Iterable[Note]) -> str:
        inside = [note for note in notes if selection.touches(note)]
        single, locks = len(selection.voices) == 1, self._lock(selection)
        first = self.picture.place(selection.start)
        if single and len(inside) == 1:
            note = inside[0]
            if note.start <= selection.start and selection.stop <= note.stop:
                held = _joined(HELD.format(note=self._sound(note)), first, locks)
                return self.note(note) if selection.start == note.start else held
        voices = ", ".join(Voice(voice).title for voice in selection.voices)
        if single and selection.stop - selection.start == 1:
            return _joined(voices, REST, first, locks)
        return _joined(voices, self.picture.passage(selection), count(len(inside), "note"), locks)

    def _sound(self, note: Note) -> str:
        pitch = names.pitch(note.pitch, self.picture.key).translate(_SIGNS)
        return f"{Voice(note.voice).title} {pitch}"

    def _lock(self, part: Selection) -> str:
        if self.locked is None:
            return ""
        cells = self.locked[part.start : part.stop, list(part.voices)]
        return LOCKED if cells.size and cells.all() else PARTLY_LOCKED if cells.any() else ""


def _joined(*parts: str) -> str:
    return ", ".join(filter(None, parts))


# half the width of a note head, with room around it, in units of the score
_HEAD: Final = 0.7 * SPACE


class RollItems(PaintedItems):
    """The notes of a roll; ``own``: of the document's piece, which can be selected and locked."""

    def __init__(
        self,
        view: RollView,
        document: Document,
        marks: Callable[[], tuple[Mark, ...]],
        *,
        own: bool = True,
    ) -> None:
        self.roll, self.document, self.marks, self._own = view, document, marks, own

    @property
    def notes(self) -> tuple[Note, ...]:
        return self.roll.picture.notes if self.roll.picture is not None else ()

    @property
    def _selection(self) -> Selection | None:
        return self.document.selection if self._own else None

    def passage(self, selection: Selection) -> str:
        return self._texts().passage(selection, self.notes)

    def count(self) -> int:
        return len(self.notes)

    def text(self, index: int) -> str:
        return self._texts().note(self.notes[index])

    def explanation(self, index: int) -> str:
        return self._texts().explanation(self.notes[index])

    def box(self, index: int) -> QRect:
        box = self.roll.seen.box(self.notes[index])
        return box.translated(KEYBOARD_WIDTH, RULER_HEIGHT).toAlignedRect()

    def is_selected(self, index: int) -> bool:
        return self._selection is not None and self._selection.touches(self.notes[index])

    def select(self, index: int) -> None:
        if self._own:
            note = self.notes[index]
            self.document.select(Selection.of_note(note))
            self.scroll(note)

    def scroll(self, note: Note) -> None:
        self.roll.follow(note.start, resume=True)

    def current(self) -> int | None:
        chosen = self._selection
        if chosen is None or len(chosen.voices) > 1:
            return None
        first = (chosen.voices[0], chosen.start)
        here = (at for at, note in enumerate(self.notes) if (note.voice, note.start) == first)
        found = next(here, None)
        return found if found is not None and chosen.stop <= self.notes[found].stop else None

    def _texts(self) -> NoteTexts:
        picture = self.roll.picture or _NO_ROLL
        locks = self.document.locks if self._own else None
        fits = locks is not None and len(locks) == picture.steps
        return NoteTexts(picture, locks if fits else None, self.marks())


class ScoreItems(RollItems):
    """The notes of the engraved score, each at its first head, with the texts of the roll."""

    def __init__(self, view: ScoreView, roll: RollItems) -> None:
        super().__init__(roll.roll, roll.document, roll.marks)
        self._view = view
        self._of: Score | None = None
        self._heads: tuple[tuple[int, Head], ...] = ()

    @property
    def heads(self) -> tuple[tuple[int, Head], ...]:
        """Return the first head of every note and the index of its system; tied notes have more."""
        score = self._view.score
        if score is not self._of:
            found: dict[tuple[int, int], tuple[int, Head]] = {}
            for index, system in enumerate(score.systems if score is not None else ()):
                for head in sorted(system.heads, key=lambda head: head.start):
                    found.setdefault((head.note.start, head.voice), (index, head))
            self._of, self._heads = score, tuple(found[key] for key in sorted(found))
        return self._heads

    @property
    def notes(self) -> tuple[Note, ...]:
        return tuple(head.note for _system, head in self.heads)

    def box(self, index: int) -> QRect:
        system, head = self.heads[index]
        seen = self._view.seen
        reach = QPointF(_HEAD, _HEAD) * seen.scale
        middle = seen.point(system, head.x, head.y)
        return QRectF(middle - reach, middle + reach).toAlignedRect()

    def scroll(self, note: Note) -> None:
        """Do nothing: the score scrolls to what is selected."""


# the roll of a view before its first picture
_NO_ROLL: Final = roll.draw(Chorale.of([(-1, -1, -1, -1)]))


PRESS: Final = tr("Press")
# names of actions that Qt gives to buttons, too; bridges to the platforms know them
SET_FOCUS: Final = "SetFocus"
# no interface: Qt's null pointer, which the types of PySide6 leave out
_NOTHING: Final = cast("QAccessibleInterface", None)
_VIEWPORT: Final = 1  # children of a view before its items: the viewport, which may hold widgets


_items: WeakKeyDictionary[QAbstractScrollArea, PaintedItems] = WeakKeyDictionary()


@cache
def _install() -> None:  # a function of Python: to copy the help of Qt's own would take long
    QAccessible.installFactory(_interface_of)


def attach(view: QAbstractScrollArea, items: PaintedItems) -> None:
    """Let assistive technologies read ``items`` in place of the children of ``view``."""
    _install()
    before = QAccessible.uniqueId(QAccessible.queryAccessibleInterface(view))
    QAccessible.deleteAccessibleInterface(before)  # a running reader has asked while it was built
    _items[view] = items


def notify(view: QAbstractScrollArea, current: int | None = None) -> None:
    """Notify of changed items, or that the keyboard is at another one."""
    if QAccessible.isActive():
        kind = QAccessible.Event.ObjectReorder if current is None else QAccessible.Event.Focus
        event = QAccessibleEvent(view, kind)
        if current is not None:
            event.setChild(current + _VIEWPORT)
        QAccessible.updateAccessibility(event)


def _interface_of(_kind: str, widget: QObject) -> QAccessibleInterface | None:
    if isinstance(widget, QAbstractScrollArea) and widget in _items:
        return _View(widget)
    return None


class _Interface(QAccessibleWidget):
    """An interface that refers to its view weakly: Python keeps interfaces longer than Qt does."""

    def __init__(self, view: QAbstractScrollArea, role: QAccessible.Role) -> None:
        super().__init__(view, role)
        self.known = ref(view)

    @property
    def view(self) -> QAbstractScrollArea:
        view = self.known()
        assert view is not None  # noqa: S101  # Qt deletes the interfaces with the view
        return view

    @property
    def items(self) -> PaintedItems:
        return _items[self.view]


class _View(_Interface):
    def __init__(self, view: QAbstractScrollArea) -> None:
        super().__init__(view, QAccessible.Role.List)
        self._made: dict[int, _Item] = {}
        view.destroyed.connect(partial(_delete, self._made))

    def childCount(self) -> int:
        return self.items.count() + _VIEWPORT

    def child(self, index: int) -> QAccessibleInterface:
        place = index - _VIEWPORT
        if index == 0:
            return QAccessible.queryAccessibleInterface(self.view.viewport())
        if not 0 <= place < self.items.count():
            return _NOTHING
        if place not in self._made:
            self._made[place] = _Item(self.view, place)
            QAccessible.registerAccessibleInterface(self._made[place])
        return self._made[place]

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        if isinstance(child, _Item):
            return child.place + _VIEWPORT if self._made.get(child.place) is child else -1
        return 0 if child.object() is self.view.viewport() else -1

    def childAt(self, x: int, y: int) -> QAccessibleInterface:
        items = self.items
        point = self.view.viewport().mapFromGlobal(QPoint(x, y))
        here = (place for place in range(items.count()) if items.box(place).contains(point))
        return self.child(next(here, -_VIEWPORT) + _VIEWPORT)

    def focusChild(self) -> QAccessibleInterface:
        current = self.items.current()
        if current is None or not self.view.hasFocus():
            return super().focusChild()
        return self.child(current + _VIEWPORT)


class _Item(_Interface):
    def __init__(self, view: QAbstractScrollArea, place: int) -> None:
        super().__init__(view, QAccessible.Role.ListItem)
        self.place = place

    def isValid(self) -> bool:
        view = self.known()
        return view is not None and shiboken6.isValid(view) and self.place < _items[view].count()

    def object(self) -> QObject:
        return cast("QObject", None)  # the view has an interface of its own

    def parent(self) -> QAccessibleInterface:
        return QAccessible.queryAccessibleInterface(self.view)

    def childCount(self) -> int:
        return 0

    def child(self, _index: int) -> QAccessibleInterface:
        return _NOTHING

    def childAt(self, _x: int, _y: int) -> QAccessibleInterface:
        return _NOTHING

    def indexOfChild(self, _child: QAccessibleInterface) -> int:
        return -1

    def focusChild(self) -> QAccessibleInterface:
        return _NOTHING

    def text(self, kind: QAccessible.Text) -> str:
        if not self.isValid():
            return ""
        if kind == QAccessible.Text.Name:
            return self.items.text(self.place)
        if kind == QAccessible.Text.Description:
            return self.items.explanation(self.place)
        return ""

    def rect(self) -> QRect:
        if not self.isValid():
            return QRect()
        box = self.items.box(self.place)
        return box.translated(self.view.viewport().mapToGlobal(QPoint(0, 0)))

    def state(self) -> QAccessible.State:
        state = QAccessible.State()
        if not self.isValid():
            state.invalid = 1
            return state
        view, items = self.view, self.items
        port = view.viewport()
        state.selectable = state.focusable = 1
        chosen = items.is_selected(self.place)
        state.selected = int(chosen)
        state.focused = int(chosen and view.hasFocus() and items.current() == self.place)
        state.offscreen = int(not port.rect().intersects(items.box(self.place)))
        state.invisible = int(not port.isVisible())
        return state

    def actionNames(self) -> list[str]:
        return [PRESS, SET_FOCUS]

    def doAction(self, name: str) -> None:
        if name == SET_FOCUS:
            self.view.setFocus(Qt.FocusReason.OtherFocusReason)
        if name in self.actionNames() and self.isValid():
            self.items.select(self.place)

    def keyBindingsForAction(self, _name: str) -> list[str]:
        return []


def _delete(made: dict[int, _Item]) -> None:
    for item in made.values():
        QAccessible.deleteAccessibleInterface(QAccessible.uniqueId(item))
    made.clear()
