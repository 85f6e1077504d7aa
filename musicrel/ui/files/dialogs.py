"""Non-blocking dialogs: for a file or folder, a confirmation, files that exist, unsaved work."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from PySide6.QtCore import QEvent, QMimeData, QObject, QStandardPaths, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QWidget,
)

from musicrel import file_names
from musicrel.language import count, tr
from musicrel.model.card import CARD
from musicrel.project import SUFFIX
from musicrel.ui.widgets import layout

EXISTS: Final = tr("“{name}” exists in this folder.")
_KEEP_NOTE: Final = tr("Keep both gives the new files a number.")
_OTHER_KIND: Final = tr("{format} file")
_OPEN: Final = tr("Open a project or a piece")
_ALL_KINDS: Final = tr("Projects and pieces ({patterns})")

SOME_EXIST: Final = tr("{count} of the {files} exist in this folder.")
ALL_EXIST: Final = tr("All {files} already exist in this folder.")
_REPLACE, _KEEP = tr("&Replace"), tr("&Keep both")
_ROLE: Final = QMessageBox.ButtonRole
ACCEPT, REJECT, DESTROY = _ROLE.AcceptRole, _ROLE.RejectRole, _ROLE.DestructiveRole
Answer: TypeAlias = tuple[str, QMessageBox.ButtonRole, Callable[[], object] | None]
CANCEL: Final[Answer] = (tr("Cancel"), REJECT, None)
# suffix -> name of the format; others are named by their suffix
_KINDS: Final[Mapping[str, str]] = {
    SUFFIX: tr("musicrel project"),
    ".mid": tr("MIDI file"),
    ".json": tr("musicrel piece"),
    ".musicxml": tr("MusicXML score"),
    ".mxl": tr("Compressed MusicXML"),
    ".abc": tr("ABC notation"),
    ".wav": tr("WAV audio"),
    ".mp3": tr("MP3 audio"),
    ".ogg": tr("Ogg Vorbis audio"),
    ".pdf": tr("PDF score"),
    ".svg": tr("SVG image"),
    ".png": tr("PNG image"),
}
_ALIASES: Final = frozenset({".midi"})


class ActionDialog(QDialog):
    """A dialog with buttons for its action and Cancel, which deletes itself when closed."""

    def __init__(self, title: str, action: str, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.action_button = self.buttons.addButton(action, QDialogButtonBox.ButtonRole.AcceptRole)
        self.action_button.setDefault(True)
        self.buttons.rejected.connect(self.reject)

    def lay_out(self, *parts: layout.Part, spacing: int = 12) -> None:
        """Lay out the title, ``parts`` and the buttons below one another."""
        title = layout.dialog_title(self.windowTitle())
        margins = (22, 18, 22, 16)
        layout.column(title, *parts, self.buttons, owner=self, spacing=spacing, margins=margins)

    def showEvent(self, event: QShowEvent) -> None:
        """Make room for texts in several lines: Qt gives a dialog two thirds of the screen."""
        super().showEvent(event)
        needed = self.heightForWidth(self.width())
        if needed > self.height():
            self.resize(self.width(), min(needed, self.screen().availableGeometry().height()))


def path_dialog(
    parent: QWidget, title: str, mode: QFileDialog.FileMode, folder: str = ""
) -> QFileDialog:
    """Return a dialog for a file or folder, not opened yet, that deletes itself when closed."""
    dialog = QFileDialog(parent, title, folder)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setFileMode(mode)
    return dialog


def folder_row(field: QLineEdit, title: str) -> QHBoxLayout:
    browse = QPushButton(tr("&Browse…"))
    browse.setAutoDefault(False)  # Enter exports

    def ask_folder() -> None:
        dialog = path_dialog(field.window(), title, QFileDialog.FileMode.Directory)
        dialog.setDirectory(field.text())
        dialog.fileSelected.connect(field.setText)
        dialog.open()

    browse.clicked.connect(ask_folder)
    return layout.row((field, 1), browse, spacing=6)


def ask(
    parent: QWidget,
    question: str,
    *answers: Answer,
    info: str = "",
    default: int = 0,
    icon: QMessageBox.Icon = QMessageBox.Icon.Question,
) -> QMessageBox:
    """Open a question; Esc gives the last answer."""
    box = QMessageBox(icon, "musicrel", question, parent=parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setInformativeText(info)
    buttons = [box.addButton(text, role) for text, role, _ in answers]
    box.setDefaultButton(buttons[default])
    box.setEscapeButton(buttons[-1])

    def answer() -> None:
        for button, (_, _, on_clicked) in zip(buttons, answers, strict=True):
            if box.clickedButton() is button and on_clicked is not None:
                on_clicked()

    box.finished.connect(answer)
    box.open()
    return box


def confirm(
    parent: QWidget, question: str, yes: str, no: str, on_confirmed: Callable[[], object]
) -> QMessageBox:
    return ask(parent, question, (yes, DESTROY, on_confirmed), (no, REJECT, None), default=1)


def check_existing(
    parent: QWidget,
    paths: Sequence[Path],
    *,
    on_replace: Callable[[], object],
    on_keep: Callable[[], object],
) -> None:
    existing = [path for path in paths if path.exists()]
    if not existing:
        on_replace()
        return
    some = SOME_EXIST if len(existing) < len(paths) else ALL_EXIST
    question = some.format(count=len(existing), files=count(len(paths), "file"))
    if len(existing) == 1:
        question = EXISTS.format(name=existing[0].name)
    ask(
        parent, question, (_REPLACE, DESTROY, on_replace), (_KEEP, ACCEPT, on_keep), CANCEL,
        info=_KEEP_NOTE, default=1,
    )  # fmt: skip


def name_filters(suffixes: tuple[str, ...]) -> dict[str, str]:
    """Return name filters for a dialog and their suffixes, ``{"MIDI file (*.mid)": ".mid"}``."""
    return {f"{_kind(suffix)} (*{suffix})": suffix for suffix in suffixes if suffix not in _ALIASES}


def _kind(suffix: str) -> str:
    return _KINDS.get(suffix) or _OTHER_KIND.format(format=suffix[1:].upper())


def file_name(title: str, suffix: str) -> str:
    return file_names.valid(title) + suffix


def ask_new_path(
    parent: QWidget,
    caption: str,
    *,
    name: str,
    suffixes: tuple[str, ...],
    answer: Callable[[Path], object],
    folder: str = "",
    suffix: str = "",
) -> QFileDialog:
    filters = name_filters(suffixes)
    selected = next(
        (text for text, known in filters.items() if known == suffix), next(iter(filters))
    )
    dialog = path_dialog(parent, caption, QFileDialog.FileMode.AnyFile, folder)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters(list(filters))
    dialog.selectNameFilter(selected)
    dialog.setDefaultSuffix(filters[selected])
    dialog.selectFile(file_name(name, filters[selected]))
    dialog.filterSelected.connect(lambda text: dialog.setDefaultSuffix(filters[text]))
    dialog.fileSelected.connect(lambda path: answer(Path(path)))
    dialog.open()
    return dialog


def ask_open_path(parent: QWidget, *, folder: str, answer: Callable[[Path], object]) -> QFileDialog:
    suffixes = readable_suffixes()
    mode = QFileDialog.FileMode.ExistingFile
    dialog = path_dialog(parent, _OPEN, mode, folder or music_folder())
    patterns = " ".join(f"*{suffix}" for suffix in suffixes)
    dialog.setNameFilters([_ALL_KINDS.format(patterns=patterns), *name_filters(suffixes)])
    dialog.fileSelected.connect(lambda path: answer(Path(path)))
    dialog.open()
    return dialog


def readable_suffixes() -> tuple[str, ...]:
    from musicrel.score.files import READABLE

    return (SUFFIX, *READABLE)


def writable_suffixes() -> tuple[str, ...]:
    """Return the suffixes that a piece can be exported with; PDF, drawn by Qt, only in the app."""
    from musicrel.figures import engraver
    from musicrel.figures.exports import WRITABLE
    from musicrel.figures.sheets import SUFFIX as PDF

    return WRITABLE if engraver.disabled_reason() else (*WRITABLE, PDF)


def music_folder() -> str:
    place = QStandardPaths.StandardLocation
    return QStandardPaths.writableLocation(place.MusicLocation) or str(Path.home())


class FileDrop(QObject):
    """An event filter that accepts what ``find`` finds, and leaves the rest to the filter before.

    It leaves drags within the app, too.
    """

    dropped = Signal(object)  # its path

    def __init__(self, window: QWidget, find: Callable[[QMimeData], Path | None]) -> None:
        super().__init__(window)
        self._find = find
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QDragEnterEvent | QDropEvent):
            return False
        path = None if event.source() is not None else self._find(event.mimeData())
        if path is None:
            event.ignore()
            return False
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        if event.type() == QEvent.Type.Drop:
            self.dropped.emit(path)
        return True


def first_readable(data: QMimeData) -> Path | None:
    suffixes = readable_suffixes()
    return next((path for path in _paths(data) if path.suffix.lower() in suffixes), None)


def first_model(data: QMimeData) -> Path | None:
    """Return the first folder or zip archive in ``data``; a card counts as its folder."""
    for path in _paths(data):
        if path.is_dir() or path.suffix.lower() == ".zip":
            return path
        if path.name == CARD:
            return path.parent
    return None


def _paths(data: QMimeData) -> list[Path]:
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
