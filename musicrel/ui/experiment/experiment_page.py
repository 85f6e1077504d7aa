"""The Experiment page: the list of studies, and beside it one study or the form."""

from __future__ import annotations

from PySide6.QtWidgets import QStackedWidget, QWidget

from musicrel.ui.experiment.study_form_view import StudyFormView
from musicrel.ui.experiment.study_list import StudyList
from musicrel.ui.experiment.study_view import StudyView
from musicrel.ui.widgets import layout
from musicrel.ui.widgets.banner import Banner


class ExperimentPage(QWidget):
    """List, form and study; a passive widget."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.list, self.form, self.study = StudyList(), StudyFormView(), StudyView()
        self.banner = Banner()
        self._stack = QStackedWidget()
        self._stack.addWidget(self.form)
        self._stack.addWidget(self.study)
        right = layout.column(self.banner, (self._stack, 1), spacing=8)
        layout.row(self.list, (right, 1), owner=self, spacing=8, margins=(10, 4, 10, 4))

    def show_form(self) -> None:
        """Show the form for a new study."""
        self._stack.setCurrentWidget(self.form)
        self.list.mark(None)

    def show_study(self) -> None:
        """Show the chosen study."""
        self._stack.setCurrentWidget(self.study)
