"""The Experiment page: the list of studies, and beside it one study or the form."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from musicrel.presentation.words.palette import Theme
from musicrel.ui.experiment.study_form_view import StudyFormView
from musicrel.ui.experiment.study_list import StudyList
from musicrel.ui.experiment.study_view import StudyView
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
        right = QVBoxLayout()
        right.setSpacing(8)
        right.addWidget(self.banner)
        right.addWidget(self._stack, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 4, 10, 4)
        row.setSpacing(8)
        row.addWidget(self.list)
        row.addLayout(right, 1)

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of ``theme``."""
        for part in (self.banner, self.study):
            part.set_theme(theme)

    def show_form(self) -> None:
        """Show the form for a new study."""
        self._stack.setCurrentWidget(self.form)
        self.list.mark(None)

    def show_study(self) -> None:
        """Show the chosen study."""
        self._stack.setCurrentWidget(self.study)

    @property
    def shows_form(self) -> bool:
        """Return whether the form is shown."""
        return self._stack.currentWidget() is self.form
