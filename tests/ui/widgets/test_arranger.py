"""Parts are arranged again when their owner or their texts change, and never within themselves."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from musicrel.ui.widgets import layout

WIDE, NARROW = 300, 100


def test_a_part_that_fits_no_more_while_it_is_shown_is_out_of_sight(qtbot: QtBot) -> None:
    window, owner, beside, part = QWidget(), QWidget(), QWidget(), QLabel("Tempo")
    layout.row(part, owner=owner)
    layout.row((owner, 1), beside, owner=window)
    qtbot.addWidget(window)

    def arrange() -> None:
        fits = owner.width() >= WIDE
        if fits:
            beside.setMinimumWidth(WIDE)  # takes the room as soon as there is a layout
        part.setVisible(fits)

    arranger = layout.Arranger(arrange, owner)
    window.resize(NARROW, 50)
    window.show()
    arranger.again()

    window.resize(WIDE + NARROW, 50)

    assert owner.width() < WIDE
    assert part.isHidden()
    assert not part.isVisible()


def test_parts_are_arranged_once_for_each_change_of_a_text(qtbot: QtBot) -> None:
    owner, part = QWidget(), QLabel("Tempo")
    layout.row(part, owner=owner)
    qtbot.addWidget(owner)
    owner.resize(WIDE, 50)
    owner.show()
    widths = list[int]()
    layout.Arranger(lambda: widths.append(part.sizeHint().width()), owner).again()

    for text in ("Tempo in quarters", "Tempo in quarters", "Tempo"):
        part.setText(text)
        QCoreApplication.sendPostedEvents(owner, QEvent.Type.LayoutRequest.value)

    assert len(widths) == 3
    assert widths[0] == widths[2] < widths[1]
