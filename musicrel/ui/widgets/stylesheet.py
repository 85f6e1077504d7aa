"""The look of the app: the colours of a theme as Qt's palette and style sheet.

The colours are defined in ``musicrel.presentation.words.palette``.
"""

from __future__ import annotations

from dataclasses import asdict
from string import Template
from typing import Any, Final

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QLabel, QProxyStyle, QWidget

from musicrel import paths
from musicrel.presentation.words.palette import DARK, LIGHT, Theme

_USUAL_SIZE: Final = "usualTextSize"
_STYLED: Final = "plainTextStyle"
# properties of the app and of widgets: the system's text size in points, a multiple of it, and
# widths in pixels at that size
_FACTOR: Final = "textFactor"
_LEAST: Final = "leastWidth"
_FIXED: Final = "fixedWidth"
_SCHEMES: Final = {
    "system": Qt.ColorScheme.Unknown,
    "light": Qt.ColorScheme.Light,
    "dark": Qt.ColorScheme.Dark,
}


def theme_for(setting: str) -> Theme:
    hints = QGuiApplication.styleHints()
    dark = setting == "dark" or (setting == "system" and hints.colorScheme() == Qt.ColorScheme.Dark)
    return DARK if dark else LIGHT


def current_theme() -> Theme:
    """Return the theme that ``apply`` set, as found in the app's palette; before, the light one."""
    window = QGuiApplication.palette().color(QPalette.ColorRole.Window)
    return DARK if window == QColor(DARK.window) else LIGHT


def set_color_scheme(setting: str) -> None:
    """Apply the setting to window frames and native dialogs, where the platform supports it."""
    QGuiApplication.styleHints().setColorScheme(_SCHEMES[setting])


def apply(theme: Theme) -> None:
    """Set the palette and the style sheet of the app to the colours of ``theme``.

    Qt sends a ``PaletteChange`` event to every widget, which repaints it.
    """
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        return
    app.setPalette(_palette(theme))
    values = asdict(theme) | {f"voice{n}": colour for n, colour in enumerate(theme.voices)}
    values |= {f"model{n}": colour for n, colour in enumerate(theme.models)}
    sheet = Template(_SHEET).substitute(values, icons=(paths.assets() / "icons").as_posix())
    if app.styleSheet() == sheet:  # setting it again would polish every widget again
        return
    if not app.property(_STYLED):
        app.setStyle(PlainTextStyle())
        app.setProperty(_STYLED, True)
    app.setStyleSheet(sheet)
    scale_again()


def set_text_size(percent: int) -> None:
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        return
    font = QFont(app.font())
    usual = app.property(_USUAL_SIZE) or font.pointSizeF()
    app.setProperty(_USUAL_SIZE, usual)
    if abs(font.pointSizeF() - usual * percent / 100) < 0.01:  # noqa: PLR2004
        return
    font.setPointSizeF(usual * percent / 100)
    sheet = app.styleSheet()
    app.setStyleSheet("")  # widgets keep the font with which a style sheet has polished them
    app.setFont(font)
    for widget in app.topLevelWidgets():  # Qt does so itself only once the event loop runs
        QApplication.sendEvent(widget, QEvent(QEvent.Type.ApplicationFontChange))
    app.setStyleSheet(sheet)
    scale_again()


def scale_again() -> None:
    """Give widgets with a size of their own the multiple of the present one.

    A style sheet brings back the font with which it has polished a widget first, also where the
    widget gets another parent.
    """
    for widget in QApplication.allWidgets():
        _scale_again(widget)


def read_again(widget: QWidget) -> None:
    widget.style().unpolish(widget)
    widget.style().polish(widget)
    _scale_again(widget)


def _scale_again(widget: QWidget) -> None:
    if widget.property(_FACTOR):
        widget.setFont(scaled_font(widget.property(_FACTOR), widget.font().weight()))
    if widget.property(_LEAST):
        widget.setMinimumWidth(scaled(widget.property(_LEAST)))
    if widget.property(_FIXED):
        widget.setFixedWidth(scaled(widget.property(_FIXED)))


def scale_font(widget: QWidget, factor: float, weight: QFont.Weight = QFont.Weight.Normal) -> None:
    """Set the font of ``widget`` to ``factor`` times the size of the app's font."""
    widget.setProperty(_FACTOR, factor)
    widget.setFont(scaled_font(factor, weight))


def set_least_width(widget: QWidget, pixels: int) -> None:
    """Set the minimum width in pixels at the usual text size; a larger one makes it larger."""
    widget.setProperty(_LEAST, pixels)
    widget.setMinimumWidth(scaled(pixels))


def fix_width(widget: QWidget, pixels: int) -> None:
    """Fix the width in pixels at the usual text size; a larger one makes it larger."""
    widget.setProperty(_FIXED, pixels)
    widget.setFixedWidth(scaled(pixels))


def scaled(pixels: int) -> int:
    return round(pixels * max(text_scale(), 1.0))


def text_scale() -> float:
    """Return the size of the app's font as a multiple of the usual one."""
    app = QApplication.instance()
    usual = app.property(_USUAL_SIZE) if app is not None else None
    return QApplication.font().pointSizeF() / usual if usual else 1.0


def scaled_font(factor: float, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    font = QFont(QApplication.font())
    font.setPointSizeF(font.pointSizeF() * factor)
    font.setWeight(weight)
    return font


def _palette(theme: Theme) -> QPalette:
    role = QPalette.ColorRole
    colours = {
        role.Window: theme.window,
        role.WindowText: theme.text,
        role.Base: theme.field,
        role.AlternateBase: theme.hover,
        role.Text: theme.text,
        role.Button: theme.panel,
        role.ButtonText: theme.text,
        role.BrightText: theme.on_accent,
        role.PlaceholderText: theme.quiet,
        role.Highlight: theme.accent,
        role.HighlightedText: theme.on_accent,
        role.ToolTipBase: theme.field,
        role.ToolTipText: theme.text,
        role.Link: theme.accent,
    }
    palette = QPalette()
    for name, colour in colours.items():
        palette.setColor(name, QColor(colour))
    for name in (role.Text, role.WindowText, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, name, QColor(theme.faint))
    return palette


_SHEET: Final = """
QToolTip { background: $field; color: $text; border: 1px solid $edge; padding: 2px 4px; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }

QMenuBar { background: $window; color: $text; padding: 2px 6px; }
QMenuBar::item { padding: 5px 9px; border-radius: 5px; background: transparent; }
QMenuBar::item:selected { background: $hover; }
QMenu { background: $panel; color: $text; border: 1px solid $edge; padding: 5px; }
QMenu::item { padding: 6px 28px 6px 26px; border-radius: 5px; min-width: 150px; }
QMenu::item:selected { background: $accent; color: $on_accent; }
QMenu::item:disabled { color: $faint; }
QMenu::separator { height: 1px; background: $edge; margin: 5px 8px; }

QStatusBar { background: $window; color: $quiet; }
QStatusBar::item { border: none; }
QStatusBar QLabel { color: $quiet; padding: 3px 6px; }

#panel, #sheet { background: $panel; border: 1px solid $edge; border-radius: 10px; }
#panel QScrollArea, #panel QScrollArea > QWidget > QWidget { background: transparent; }
#sheet QScrollArea, #sheet QScrollArea > QWidget > QWidget { background: transparent; }
#heading { color: $quiet; }
#label { color: $text; }
#label:disabled { color: $faint; }
#quiet { color: $quiet; }
#problem { color: $on_warning; background: $warning; border-radius: 5px; padding: 5px 8px; }
#rule { background: $edge; }
#voice0, #voice1, #voice2, #voice3 { color: $on_voice; border-radius: 5px; }
#voice0 { background: $voice0; }
#voice1 { background: $voice1; }
#voice2 { background: $voice2; }
#voice3 { background: $voice3; }
#model0 { color: $model0; font-weight: 600; }
#model1 { color: $model1; font-weight: 600; }
#input { background: transparent; border: none; border-bottom: 1px solid $edge; }
#input0, #input1, #input2, #input3 { font-weight: 600; padding: 0; }
#input0:checked { background: $voice0; color: $on_voice; border: 1px solid $text; }
#input1:checked { background: $voice1; color: $on_voice; border: 1px solid $text; }
#input2:checked { background: $voice2; color: $on_voice; border: 1px solid $text; }
#input3:checked { background: $voice3; color: $on_voice; border: 1px solid $text; }
#voice0:disabled, #voice1:disabled, #voice2:disabled, #voice3:disabled {
    background: $edge; color: $faint;
}

QLineEdit, QAbstractSpinBox, QComboBox {
    background: $field; color: $text; border: 1px solid $edge; border-radius: 6px;
    padding: 4px 8px; min-height: 20px;
    selection-background-color: $accent; selection-color: $on_accent;
    placeholder-text-color: $quiet;
}
QLineEdit:hover, QAbstractSpinBox:hover, QComboBox:hover { background: $hover; }
QLineEdit:focus, QAbstractSpinBox:focus, QComboBox:focus { border: 1px solid $accent; }
QLineEdit:disabled, QAbstractSpinBox:disabled, QComboBox:disabled {
    color: $faint; background: $panel; border: 1px solid $edge;
}
QLineEdit { padding: 4px 6px; }
QLineEdit > QToolButton { background: transparent; border: none; padding: 0; min-height: 0; }
QAbstractSpinBox { padding: 2px 20px 2px 0; }
QAbstractSpinBox QLineEdit, QComboBox QLineEdit {
    border: none; background: transparent; padding: 0; min-height: 0;
}
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {
    subcontrol-origin: border; width: 20px; border: none; background: transparent;
}
QAbstractSpinBox::up-button { subcontrol-position: top right; margin: 2px 2px 0 0; }
QAbstractSpinBox::down-button { subcontrol-position: bottom right; margin: 0 2px 2px 0; }
QAbstractSpinBox::up-arrow { image: url("$icons/arrow-up.svg"); width: 10px; height: 10px; }
QAbstractSpinBox::down-arrow { image: url("$icons/arrow-down.svg"); width: 10px; height: 10px; }
QComboBox { padding-right: 24px; }
QComboBox::drop-down { subcontrol-position: center right; width: 24px; border: none; }
QComboBox::down-arrow { image: url("$icons/arrow-down.svg"); width: 12px; height: 12px; }
QComboBox QAbstractItemView {
    background: $panel; color: $text; border: 1px solid $edge; padding: 4px; outline: none;
    selection-background-color: $accent; selection-color: $on_accent;
}

QSlider { min-height: 22px; }
QSlider::groove:horizontal { height: 4px; border-radius: 2px; background: $edge; }
QSlider::sub-page:horizontal { height: 4px; border-radius: 2px; background: $accent; }
QSlider::handle:horizontal {
    width: 14px; height: 14px; margin: -6px 0; border-radius: 8px;
    background: $field; border: 2px solid $accent;
}
QSlider::handle:horizontal:hover, QSlider::handle:horizontal:focus { background: $accent; }

QPushButton, QToolButton {
    background: $field; color: $text; border: 1px solid $edge; border-radius: 6px;
    padding: 5px 12px; min-height: 18px;
}
QToolButton { padding: 4px; }
#menu { padding: 5px 26px 5px 12px; }
#menu::menu-indicator {
    image: url("$icons/arrow-down.svg"); width: 12px; height: 12px;
    subcontrol-origin: padding; subcontrol-position: center right; right: 8px;
}
QPushButton:hover, QToolButton:hover { background: $hover; }
QPushButton:pressed, QToolButton:pressed { background: $edge; }
QPushButton:focus, QToolButton:focus { border: 1px solid $accent; }
QPushButton:disabled, QToolButton:disabled { color: $faint; background: $panel; }
#card { text-align: left; padding: 7px 10px; }
#card:checked { background: $hover; border: 2px solid $accent; padding: 6px 9px; }
#main { background: $accent; color: $on_accent; border: 1px solid $accent; border-radius: 8px; }
#main:hover { background: $accent_hover; }
#main:focus { border: 2px solid $text; }
#main:disabled { background: $hover; color: $faint; border: 1px solid $edge; }
#main[running="true"] { background: $field; color: $text; border: 1px solid $accent; }
#main[running="true"]:hover { background: $hover; }
#page {
    background: transparent; border: 1px solid transparent; border-left: 3px solid transparent;
    color: $quiet; padding: 7px 2px 5px 0;
}
#page:hover { background: $hover; color: $text; }
#page:checked {
    background: $field; color: $text; border: 1px solid $edge; border-left: 3px solid $accent;
}
#page:focus { border: 1px solid $accent; border-left: 3px solid $accent; }
#flat:checked { background: $field; border: 1px solid $accent; }
#play {
    background: $accent; border: 1px solid $accent; border-radius: 20px; padding: 0;
    min-width: 38px; min-height: 38px;
}
#play:hover { background: $accent_hover; }
#play:focus { border: 2px solid $text; }
#play:disabled { background: $hover; border: 1px solid $edge; }
#switch { padding: 0; min-height: 0; border-radius: 5px; }
#switch:checked { border: 1px solid $accent; }
#mute, #solo { padding: 0; min-height: 0; font-weight: 600; border-radius: 5px; color: $quiet; }
#mute:checked { background: $on_warning; color: $warning; border: 1px solid $on_warning; }
#solo:checked { background: $accent; color: $on_accent; border: 1px solid $accent; }
#mute:checked:focus, #solo:checked:focus { border: 2px solid $text; }
#sound, #compact { padding: 1px 18px 1px 6px; }
#sound::drop-down, #compact::drop-down { width: 18px; }
#soundfont { padding: 0 20px 0 8px; min-height: 0; }
#soundfont::menu-indicator {
    image: url("$icons/arrow-down.svg"); width: 10px; height: 10px;
    subcontrol-position: center right; right: 6px;
}
#pan::sub-page:horizontal { background: $edge; }
#fold {
    background: transparent; border: 1px solid transparent; color: $quiet; padding: 2px 4px 2px 0;
}
#fold:hover { color: $text; }
#fold:focus { border: 1px solid $accent; }
#flat { background: transparent; border: 1px solid transparent; }
#flat:hover { background: $hover; }
#flat:focus { border: 1px solid $accent; }

QProgressBar { background: $edge; border: none; border-radius: 2px; max-height: 4px; }
QProgressBar::chunk { background: $accent; border-radius: 2px; }

#banner { background: $warning; border: 1px solid $on_warning; border-radius: 8px; }
#banner QLabel { color: $on_warning; }
#notice { background: $hover; border: 1px solid $edge; border-radius: 8px; }

QCheckBox, QRadioButton { spacing: 7px; }
QCheckBox::indicator {
    width: 14px; height: 14px; border: 1px solid $quiet; border-radius: 3px; background: $field;
}
QCheckBox::indicator:hover, QCheckBox::indicator:focus { border: 1px solid $accent; }
QCheckBox::indicator:checked {
    background: $accent; border: 1px solid $accent; image: url("$icons/check-$name.svg");
}
QRadioButton::indicator {
    width: 14px; height: 14px; border: 1px solid $quiet; border-radius: 8px; background: $field;
}
QRadioButton::indicator:hover, QRadioButton::indicator:focus { border: 1px solid $accent; }
QRadioButton::indicator:checked {
    width: 6px; height: 6px; border: 5px solid $accent; background: $on_accent;
}
QListWidget#plain { background: transparent; border: none; outline: none; }
QListWidget#plain::item { border-radius: 6px; }
QListWidget#plain::item:hover { background: $hover; }
QListWidget#plain::item:selected { background: $accent; }
QTableWidget { background: transparent; border: none; outline: none; gridline-color: $edge; }
QTableWidget::item { padding: 3px 8px; }
#dense::item, #dense QHeaderView::section { padding: 2px 4px 2px 1px; }
QTableWidget::item:selected { background: $accent; color: $on_accent; }
QHeaderView { background: transparent; }
QHeaderView::section {
    background: transparent; color: $quiet; border: none; border-bottom: 1px solid $edge;
    padding: 4px 8px;
}
QHeaderView::section:hover { color: $text; }
QPlainTextEdit {
    background: $field; color: $text; border: 1px solid $edge; border-radius: 6px; padding: 4px;
}
QPlainTextEdit:focus { border: 1px solid $accent; }

QAbstractScrollArea::corner { background: transparent; border: none; }
QScrollBar:horizontal { height: 12px; background: transparent; margin: 0; }
QScrollBar:vertical { width: 12px; background: transparent; margin: 0; }
QScrollBar::handle { background: $edge; border-radius: 4px; margin: 2px; }
QScrollBar::handle:horizontal { min-width: 32px; }
QScrollBar::handle:vertical { min-height: 32px; }
QScrollBar::handle:hover { background: $faint; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
"""


class PlainTextStyle(QProxyStyle):
    """Fusion, in which a label is plain text unless its format was set to another.

    A tooltip and the texts of a question are labels, too.
    """

    def __init__(self) -> None:
        super().__init__("Fusion")

    def polish(self, target: Any) -> Any:  # Qt has an overload for each
        if isinstance(target, QLabel) and target.textFormat() == Qt.TextFormat.AutoText:
            target.setTextFormat(Qt.TextFormat.PlainText)
        return super().polish(target)
