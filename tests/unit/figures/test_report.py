"""Reports as files: HTML, Markdown, CSV and SVG, also where Qt is missing."""

from __future__ import annotations

import base64
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from musicrel.errors import MissingQtError
from musicrel.experiment.runs.events import LayerCost
from musicrel.experiment.study.blocks import (
    Cell,
    Figure,
    Fold,
    Heading,
    Intervals,
    Items,
    Link,
    Paragraph,
    PieceDifference,
    PieceDifferences,
    Report,
    Table,
)
from musicrel.experiment.study.layer_costs import LayerCosts
from musicrel.experiment.study.layer_report import CostCurves
from musicrel.experiment.study.memory_study import MemoryStudy
from musicrel.experiment.study.statistics import Comparison
from musicrel.figures import figure as figures
from musicrel.figures import report as report_files
from musicrel.presentation.words.markdown import to_latex
from musicrel.presentation.words.palette import DARK
from tests.helpers.known import known

PAIR = Comparison(
    first="vanilla", second="relative", difference=0.1, low=-0.1, high=0.3, pieces=2, seeds=2,
    pieces_needed=50, bootstrap_seed=0,
)  # fmt: skip
PIECE = PieceDifference(index=0, title="", notes=1, first=1.0, second=0.5, by_seed=(0.5,))
STUDY = MemoryStudy(name="m", text='name = "m"\nkind = "memory"\n')
ROWS = tuple(
    LayerCost(arm=STUDY.arms[0], length=size, seconds=0.1, peak_bytes=size**2, estimated=size > 8)
    for size in (8, 16)
)
COSTS = LayerCosts(study=STUDY, rows=ROWS, machine={})
FIGURES = (
    Figure(data=Intervals((PAIR,)), title="pairs", caption="A caption", file="pairs.svg"),
    Figure(data=PieceDifferences(PAIR, (PIECE,)), title="pieces"),
    Figure(
        data=CostCurves(title="Memory", unit="B", quantity="peak_bytes", costs=COSTS),
        title="Memory",
    ),
)
MIDI = Link(text="MIDI", name='a "b".mid', media="audio/midi", content=b"MThd")
TABLE = Table(
    key="costs",
    title="Costs",
    heads=("arm", "time", "play"),
    rows=((Cell("a < b"), Cell("2 min", 123.4), Cell("", link=MIDI)),),
    note="A note.",
    further_rows=((Cell("c|d"), Cell("1 s", 1.0), Cell("")),),
)
REPORT = Report(
    title="One & two",
    blocks=(
        Heading("First"),
        Paragraph("Run `compare --out <FOLDER>`.", "lead"),
        Items(("one", "two")),
        Fold("More", (TABLE, *FIGURES), opened=True),
    ),
)
VOID = {"meta", "rect", "path", "image"}


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.addresses: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("href", "src")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag


def test_the_page_is_closed_and_needs_no_network() -> None:
    tags = Tags(report_files.to_html(REPORT, report_files.svg))

    assert tags.seen.count("svg") == 3
    assert {"script", "link", "iframe", "img"}.isdisjoint(tags.seen)
    assert tags.addresses
    assert all(address.startswith("data:") for address in tags.addresses)


def test_figures_of_a_page_share_no_identifier() -> None:
    """A browser would clip one figure with the paths of another."""
    page = report_files.to_html(REPORT, report_files.svg)
    found = re.findall(r'\bid="([^"]+)"', page)

    assert found
    assert len(found) == len(set(found))
    assert set(re.findall(r"url\(#([^)]+)\)", page)) <= set(found)


def test_text_is_escaped_and_backticks_are_code() -> None:
    """A title or an arm cannot add tags; numbers are aligned to the right."""
    page = report_files.to_html(REPORT, lambda _: "")

    assert "<title>One &amp; two</title>" in page
    assert "<code>compare --out &lt;FOLDER&gt;</code>" in page
    assert "<td>a &lt; b</td><td class=number align=right>2 min</td>" in page
    assert 'download="a &#34;b&#34;.mid" href="data:audio/midi;base64,TVRoZA=="' in page


def test_a_table_carries_its_csv() -> None:
    page = report_files.to_html(REPORT, lambda _: "")
    found = known(re.search(r'download="costs\.csv" href="data:text/csv;base64,([^"]+)"', page))
    assert base64.b64decode(found[1]).decode() == "arm,time\na < b,123.4\nc|d,1.0\n"
    assert "<td>c|d</td>" not in page


def test_a_table_carries_its_latex() -> None:
    """For booktabs: numbers to the right, and what has a meaning in LaTeX escaped."""
    page = report_files.to_html(REPORT, lambda _: "")
    found = known(
        re.search(r'download="costs\.tex" href="data:application/x-tex;base64,([^"]+)"', page)
    )
    lines = base64.b64decode(found[1]).decode().splitlines()
    assert lines[4:9] == [
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"arm & time \\",
        r"\midrule",
        r"a $<$ b & 2 min \\",
    ]
    assert lines[-3:] == [r"\bottomrule", r"\end{tabular}", r"\end{table}"]


def test_latex_of_signs_and_figures() -> None:
    text = to_latex("rates", "5 % & more", ["learning_rate"], [["\N{MINUS SIGN}0.1"], ["–"]], "r")
    assert r"\caption{5 \% \& more}" in text
    assert r"\label{tab:rates}" in text
    assert r"learning\_rate \\" in text
    assert r"$-$0.1 \\" in text
    assert r"-- \\" in text


def test_on_paper_everything_is_open_and_nothing_can_be_clicked() -> None:
    page = report_files.to_html(REPORT, lambda one: f"[{one.title}]", paper=True)
    assert {"details", "summary", "a"}.isdisjoint(Tags(page).seen)
    assert "play" not in page
    assert "[pairs]" in page


def test_a_report_is_written_as_its_files(tmp_path: Path) -> None:
    written = report_files.write(tmp_path, REPORT, "arm,test\n")
    assert [path.relative_to(tmp_path).as_posix() for path in written] == [
        "report.md", "results.csv", "report.html", "tables/costs.csv", "tables/costs.tex",
        "pairs.svg",
    ]  # fmt: skip
    assert (tmp_path / "pairs.svg").read_text().startswith("<svg")
    assert (tmp_path / "results.csv").read_text() == "arm,test\n"


def test_without_qt_a_report_has_no_figures_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: Figure) -> str:
        raise MissingQtError("Qt cannot be loaded")

    monkeypatch.setattr(report_files, "svg", refuse)
    report_files.write(tmp_path, REPORT, "")

    page = (tmp_path / "report.html").read_text()
    assert "The figures are missing: Qt cannot be loaded." in page
    assert "A caption" not in page
    assert not (tmp_path / "pairs.svg").exists()


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.title)
def test_a_figure_is_drawn_in_both_themes(figure: Figure) -> None:
    light, dark = report_files.drawn(figure), report_files.drawn(figure, DARK)
    assert light.title
    assert figures.to_png(light) != figures.to_png(dark)
    assert b"<image" not in figures.to_svg(light)  # symbols are paths
