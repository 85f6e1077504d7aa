"""Meters of the claims."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from musicrel.analysis.claims.intervals import Estimate
from musicrel.analysis.claims.measures import MEASURES
from musicrel.presentation.attention.claim_rows import NOT_ITS_PIECE, ClaimRow, claim_rows
from musicrel.presentation.attention.piece_analysis import PieceAnalysis
from musicrel.presentation.words.palette import DARK, LIGHT, Theme
from musicrel.ui.attention.claim_meters import EMPTY, ClaimMeter, ClaimMeters
from musicrel.ui.widgets import stylesheet

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: size hints
ROW = ClaimRow(
    measure=MEASURES["repeated_notes"],
    first=Estimate(0.5, 0.5, 0.5),
    second=Estimate(0.25, 0.2, 0.3),
    bach=Estimate(0.4, 0.4, 0.4),
)
NAMES = ("vanilla", "relative")


@pytest.fixture
def meters(qtbot: QtBot) -> ClaimMeters:
    """Return visible meters, empty yet."""
    meters = ClaimMeters()
    qtbot.addWidget(meters)
    meters.resize(300, 500)
    with qtbot.waitExposed(meters):
        meters.show()
    return meters


def colours(meter: ClaimMeter) -> set[str]:
    """Return all colours of a picture of a meter."""
    image: QImage = meter.grab().toImage()
    return {
        image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())
    }


def test_meters_are_empty_at_first(meters: ClaimMeters) -> None:
    """And again after they were cleared, with a reason."""
    assert meters.legend.text() == EMPTY
    meters.show_rows((ROW,), *NAMES)
    meters.clear("Beyond 64 bars there is no map.")

    assert meters.legend.text() == "Beyond 64 bars there is no map."
    assert not any(meter.isVisible() for meter in meters.meters)


def test_every_row_has_a_meter(meters: ClaimMeters, analysis: PieceAnalysis) -> None:
    """Meters without a row are hidden."""
    rows = claim_rows(analysis, analysis)
    meters.show_rows(rows, *NAMES)

    shown = [meter for meter in meters.meters if meter.isVisible()]
    assert [meter.accessibleName() for meter in shown] == [row.measure.title for row in rows]

    meters.show_rows(rows[:2], *NAMES)
    assert [meter.isVisible() for meter in meters.meters] == [True] * 2 + [False] * 4


def test_meters_state_the_claim_in_words(meters: ClaimMeters) -> None:
    """In the tooltip, and for screen readers in one line."""
    meters.show_rows((ROW,), *NAMES)
    meter = meters.meters[0]

    lines = meter.toolTip().splitlines()
    assert lines[0] == "Claim: Without relative attention, more notes repeat the pitch before."
    assert lines[1] == "vanilla: 50.0 %"
    assert meter.accessibleDescription() == "; ".join(lines)


def test_legend_names_the_models(meters: ClaimMeters) -> None:
    """With letters if there are two; a name is no markup."""
    meters.show_rows((ROW,), *NAMES)
    assert "A vanilla" in meters.legend.text()
    assert "B relative" in meters.legend.text()
    assert LIGHT.models[1] in meters.legend.text() or DARK.models[1] in meters.legend.text()

    meters.show_rows((ROW,), "my <b>model</b>")
    assert "my &lt;b&gt;model" in meters.legend.text()
    assert "A my" not in meters.legend.text()


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_bars_have_the_colours_of_their_models(meters: ClaimMeters, theme: Theme) -> None:
    """In both themes; a value that is not there has no bar."""
    before = stylesheet.current_theme()
    stylesheet.apply(theme)
    try:
        meters.show_rows((ROW,), *NAMES)
        assert {*theme.models, theme.quiet} <= colours(meters.meters[0])
        assert theme.models[0] in meters.legend.text()

        alone = ClaimRow(measure=ROW.measure, bach=ROW.bach, remark=NOT_ITS_PIECE)
        meters.show_rows((alone,), *NAMES)
        assert not {*theme.models} & colours(meters.meters[0])
    finally:
        stylesheet.apply(before)


def test_bars_are_as_long_as_their_values(meters: ClaimMeters) -> None:
    """The first is twice as long as the second."""
    meters.show_rows((ROW,), *NAMES)
    image: QImage = meters.meters[0].grab().toImage()
    lengths = []
    for colour in stylesheet.current_theme().models:
        columns = [
            sum(image.pixelColor(x, y) == QColor(colour) for x in range(image.width()))
            for y in range(image.height())
        ]
        lengths.append(max(columns))

    assert lengths[0] == pytest.approx(2 * lengths[1], rel=0.05)


def test_meters_are_as_high_as_their_lines(meters: ClaimMeters) -> None:
    """Title, bars and remark."""
    meters.show_rows((ROW,), *NAMES)
    three = meters.meters[0].sizeHint().height()
    remark = ClaimRow(measure=ROW.measure, remark=NOT_ITS_PIECE)
    meters.show_rows((remark,), *NAMES)
    one = meters.meters[0].sizeHint().height()

    assert three - 4 == 2 * (one - 4)


@pytest.mark.parametrize(("width", "columns"), [(300, 1), (620, 2), (1200, 3)])
def test_meters_use_the_width(meters: ClaimMeters, qtbot: QtBot, width: int, columns: int) -> None:
    """In up to three columns."""
    row = ClaimRow(measure=ROW.measure, first=ROW.first)
    meters.show_rows((row,) * 6, *NAMES)
    meters.resize(width, 400)
    qtbot.waitUntil(lambda: len({meter.x() for meter in meters.meters}) == columns, timeout=2000)

    assert len({meter.y() for meter in meters.meters}) == 6 // columns
