"""Reports as one HTML file."""

from __future__ import annotations

import base64
import re
from html.parser import HTMLParser

from musicrel.presentation.drawing.drawing import Drawing
from musicrel.presentation.report import html
from musicrel.presentation.report.blocks import (
    Cell,
    Figure,
    Fold,
    Heading,
    Items,
    Link,
    Paragraph,
    Report,
    Table,
)

MIDI = Link(text="MIDI", name='a "b".mid', media="audio/midi", content=b"MThd")
TABLE = Table(
    key="costs",
    title="Costs",
    heads=("arm", "time", "play"),
    rows=((Cell("a < b"), Cell("2 min", 123.4), Cell("", link=MIDI)),),
    note="A note.",
    further_rows=((Cell("c"), Cell("1 s", 1.0), Cell("")),),
)
PICTURE = Drawing(width=20, height=10, background="#ffffff", title="a picture", items=())
REPORT = Report(
    title="One & two",
    blocks=(
        Heading("First"),
        Paragraph("Run `compare --out <FOLDER>`.", "lead"),
        Items(("one", "two")),
        Fold("More", (TABLE, Figure(PICTURE, "A caption")), opened=True),
    ),
)
VOID = {"meta", "rect"}


class Tags(HTMLParser):
    """Collects the tags and checks that they are closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("href", "src")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag


def parsed(text: str) -> Tags:
    """Return the tags of a page."""
    tags = Tags()
    tags.feed(text)
    assert tags.open == []
    return tags


def test_the_page_is_closed_and_needs_no_network() -> None:
    """Pictures and files are inside, there are no scripts."""
    tags = parsed(html.to_html(REPORT))

    assert "svg" in tags.seen
    assert {"script", "link", "iframe", "img"}.isdisjoint(tags.seen)
    assert tags.addresses
    assert all(address.startswith("data:") for address in tags.addresses)


def test_text_is_escaped_and_backticks_are_code() -> None:
    """A title or an arm cannot add tags."""
    page = html.to_html(REPORT)

    assert "<title>One &amp; two</title>" in page
    assert "<code>compare --out &lt;FOLDER&gt;</code>" in page
    assert "<td>a &lt; b</td>" in page


def test_a_table_carries_its_csv() -> None:
    """It has unrounded values and all rows; links are left out."""
    page = html.to_html(REPORT)
    found = re.search(r'download="costs\.csv" href="data:text/csv;base64,([^"]+)"', page)

    assert found is not None
    assert base64.b64decode(found[1]).decode() == "arm,time\na < b,123.4\nc,1.0\n"
    assert "<td>c</td>" not in page


def test_numbers_are_aligned_right() -> None:
    """Texts and links are not."""
    page = html.to_html(REPORT)

    assert "<td class=number align=right>2 min</td>" in page
    assert '<a download="a &quot;b&quot;.mid" href="data:audio/midi;base64,TVRoZA==">' in page


def test_on_paper_everything_is_open_and_nothing_can_be_clicked() -> None:
    """Columns of links are left out."""
    body = html.body_html(REPORT, lambda drawing: f"[{drawing.title}]", links=False)
    tags = parsed(body)

    assert {"details", "summary", "a"}.isdisjoint(tags.seen)
    assert "play" not in body
    assert "[a picture]" in body


def test_all_tables_are_listed() -> None:
    """Those of folds, too."""
    assert REPORT.tables == (TABLE,)
