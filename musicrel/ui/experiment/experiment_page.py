"""The Experiment page: the list of studies, and beside it one study or the form."""

from __future__ import annotations

from typing import Final

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QLabel, QStackedWidget, QWidget

from musicrel.ui.experiment.study_form_view import StudyFormView
from musicrel.ui.experiment.study_list import StudyList
from musicrel.ui.experiment.study_view import StudyView
from musicrel.ui.widgets import layout, stylesheet
from musicrel.ui.widgets.banner import Banner

FORBIDDEN: Final = "Studies are in the full package"
_NOTICE_WIDTH: Final = 480
"""Width in pixels of the reason why there are no studies."""


class ExperimentPage(QWidget):
    """List, form and study; a passive widget."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.list, self.form, self.study = StudyList(), StudyFormView(), StudyView()
        self.banner = Banner()
        self._stack = QStackedWidget()
        self._stack.addWidget(self.form)
        self._stack.addWidget(self.study)
        self.notice = QLabel(wordWrap=True)
        right = layout.column(self.banner, (self._stack, 1), spacing=8)
        layout.row(self.list, (right, 1), owner=self, spacing=8, margins=(10, 4, 10, 4))

    def show_form(self) -> None:
        self._stack.setCurrentWidget(self.form)
        self.list.mark(None)

    def show_study(self) -> None:
        self._stack.setCurrentWidget(self.study)

    def forbid(self, reason: str) -> None:
        """Show a reason in place of list, form and studies."""
        self.list.hide()
        self.notice.setText(reason)
        title, panel, page = QLabel(FORBIDDEN), QFrame(), QWidget()
        stylesheet.scale_font(title, 1.35, QFont.Weight.DemiBold)
        panel.setObjectName("panel")
        panel.setFixedWidth(_NOTICE_WIDTH)
        layout.column(title, self.notice, owner=panel, spacing=10, margins=(24, 20, 24, 22))
        beside = layout.row(None, panel, None)
        layout.column(None, beside, None, owner=page)
        self._stack.setCurrentIndex(self._stack.addWidget(page))
