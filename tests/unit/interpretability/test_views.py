"""The views of one model or two: pictures, tables and files."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage

from musicrel.analysis.claims.claim_shares import STEPS
from musicrel.chorale import Chorale, Voice
from musicrel.errors import UsageError
from musicrel.figures import figure, paint
from musicrel.figures.figure import Figure
from musicrel.generation.heads.mutes import WHOLE, Head, Mutes, all_heads
from musicrel.interpretability import effect_charts, effects, maps, view, views
from musicrel.interpretability import shown as tables
from musicrel.interpretability.claim_rows import NOT_ITS_PIECE
from musicrel.interpretability.effects import HeadEffects
from musicrel.interpretability.piece_analysis import CROSS, INFILL, PieceAnalysis
from musicrel.interpretability.shown import Shown
from musicrel.interpretability.view import View
from musicrel.presentation.two_models import compare
from musicrel.presentation.words import palette
from musicrel.presentation.words.palette import DARK, LIGHT, Theme
from tests.helpers.colours import contrast
from tests.helpers.known import known
from tests.helpers.music import read
from tests.unit.interpretability.test_effects import EFFECTS, note, source, sources

pytestmark = pytest.mark.usefixtures("qapp")
Pair = tuple[PieceAnalysis, PieceAnalysis]
LONG = Chorale.of(np.full((64 * 16, 4), 60))
PICKUP = Chorale.of(np.full((36, 4), 60), pickup=4)
NAMES = ("relative, layer 1, head 1", "vanilla, mean of all heads")


@pytest.fixture
def piece() -> Chorale:
    return Chorale.of(np.tile([[72, 67, 64, 48]], (32, 1)), title="Two bars")


@pytest.fixture
def pair(piece: Chorale) -> Pair:
    return read("relative", 0.5, 1, piece), read("vanilla", 1.0, 4, piece)


@pytest.fixture
def shown(pair: Pair) -> Shown:
    return Shown(*pair, heads=(Head(0, 0), None), cell=81)


def by_steps(piece: Chorale, kind: str = INFILL) -> PieceAnalysis:
    given = np.tile([kind == CROSS, False, False, False], (piece.steps, 1))
    found = PieceAnalysis(piece, "both", 1, 1, wrote=False, columns=STEPS, kind=kind, given=given)
    for cell in range(found.tokens):
        row = np.zeros((1, 1, piece.steps), dtype=np.float32)
        row[0, 0, cell // 4] = 1
        found.add_at(cell, row)
    found.set_nats(np.ones(piece.pitches.shape))
    return found


def of(name: str, shown: Shown) -> View:
    return known(views.of(name, shown))


def texts(found: View, theme: Theme = LIGHT) -> set[str]:
    svg = figure.to_svg(found.draw(theme)).decode()
    return {text.strip() for text in re.findall(r"<text[^>]*>([^<]*)<", svg)}


def colours(found: View, theme: Theme) -> set[str]:
    image = QImage.fromData(figure.to_png(found.draw(theme)))
    dots = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1)
    return {QColor(int(dot)).name() for dot in np.unique(dots[::2, ::2])}


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize(
    ("name", "title", "words"),
    [
        ("maps", "Layer 1, head 1", {f"Attention of {name}" for name in NAMES}),
        ("note", "Alto G4 (bar 2, beat 2)", {"Attention of Alto G4 (bar 2, beat 2)", "100 %"}),
        ("shares", "shares of attention", {"By distance", "By voice", "B − A", "Soprano"}),
        ("surprisal", "relative and vanilla", {"relative and vanilla: surprisal compared"}),
        ("claims", "claims", {"All voices of the step before", NOT_ITS_PIECE}),
    ],
)  # fmt: skip
def test_every_view_of_two_models_has_a_picture_and_numbers(
    shown: Shown, theme: Theme, name: str, title: str, words: set[str]
) -> None:
    found = of(name, shown)

    assert found.title == f"Two bars, {title}"
    assert words <= texts(found, theme)
    assert len({len(tuple(row)) for row in found.table()}) == 1
    if name != "maps":
        assert set(theme.models) <= colours(found, theme)


@pytest.mark.parametrize(("kind", "heading"), [(INFILL, "Attention"), (CROSS, "Cross-attention")])
def test_map_of_steps_has_a_column_for_each(piece: Chorale, kind: str, heading: str) -> None:
    found = of("maps", Shown(by_steps(piece, kind)))
    head, *rows = found.table()

    written = texts(found)
    assert f"{heading} of both, mean of all heads" in written
    assert ("C5" in written) == (kind == CROSS)
    assert tuple(head)[4:] == tuple(str(step) for step in range(32))
    assert len(rows) == 128


@pytest.mark.parametrize(
    ("ticks", "expected"),
    [
        (maps.bar_ticks(PICKUP, (0, 144), 1, 0), [(16, "1"), (80, "2")]),
        (maps.bar_ticks(PICKUP, (0, 144), 1, 1), [(17, "1"), (81, "2")]),
        (maps.bar_ticks(PICKUP, (0, 36), 4, 0), [(4, "1"), (20, "2")]),
        (maps.bar_ticks(PICKUP, (0, 40), 1, 0)[:3], [(0, "0.4"), (16, "1.1"), (32, "1.2")]),
        (maps.bar_ticks(LONG, (0, 4096), 1, 0)[:3], [(0, "1"), (512, "9"), (1024, "17")]),
        (maps.voice_ticks((0, 3), 40, 0), [(0.5, "S"), (1.5, "A"), (2.5, "T")]),
        (maps.voice_ticks((0, 3), 40, 1), [(1.5, "S"), (2.5, "A"), (3.5, "T")]),
        (maps.voice_ticks((0, 3), 30, 0), []),
    ],
)
def test_ticks_are_bars_beats_and_voices(
    ticks: maps.Ticks, expected: list[tuple[float, str]]
) -> None:
    assert ticks == expected


def test_weights_of_a_note_are_described(pair: Pair) -> None:
    found = known(Shown(*pair, cell=4 * 20 + 1).note)
    assert found.words == (
        "A: most, 100 %, on Soprano C5 (bar 2, beat 2).  "
        "B: most, 100 %, on Alto G4 (bar 2, beat 1¾)"
    )
    assert found.at_step(19) == "Bar 2, beat 1¾: A 0 %, B 100 %"


def test_table_of_a_note_has_both_weights_and_their_difference(pair: Pair) -> None:
    found, later = Shown(*pair, cell=0).note, Shown(*pair, cell=81).note

    assert list(tables.note_table(known(found)))[1] == ("START", "", 1, 1, 0)
    head, *rows = [row for row in tables.note_table(known(later)) if row[2:4] != (0, 0)]
    assert head[2:] == ("relative, mean of all heads", NAMES[1], "difference")
    assert rows == [(19, "A", 0, 1, 1), (20, "S", 1, 0, -1)]


def test_window_of_a_note_reaches_to_the_largest_weight(piece: Chorale) -> None:
    analysis = by_steps(Chorale.of(np.tile(piece.pitches, (5, 1))))
    near = Shown(analysis, cell=4 * 80).note
    row = np.zeros((1, 1, analysis.width), dtype=np.float32)
    row[0, 0, 5] = 1
    analysis.add_at(4 * 80, row)
    far = Shown(analysis, cell=4 * 80).note
    assert near is not None
    assert far is not None

    assert (near.window, far.window) == (range(48, 112), range(5, 112))
    assert near.both_sides
    assert far.words == "A: most, 100 %, on bar 1, beat 2¼"


@pytest.mark.parametrize("name", ["shares", "claims", "note"])
def test_heads_are_named_where_their_weights_are_compared(shown: Shown, name: str) -> None:
    found = of(name, shown)
    rows = [tuple(row) for row in found.table()]
    assert {f"A: {NAMES[0]}", f"B: {NAMES[1]}"} <= {
        text for line in texts(found) for text in re.split(r"\s{2,}|■ ?", line)
    }
    assert set(NAMES) <= ({row[1] for row in rows} | set(rows[0]))


def test_long_names_lose_their_middle(pair: Pair) -> None:
    first, second = pair
    first.model = second.model = "relative-articulated-width-256-eight-heads-second-try"
    words = " ".join(texts(of("shares", Shown(first, second, heads=(Head(0, 0), None)))))

    assert re.search(r"A: relative\S*….*layer 1, head 1", words)
    assert re.search(r"B: relative\S*….*mean of all heads", words)


def test_without_a_known_note_or_a_second_model_there_is_no_view(pair: Pair) -> None:
    assert views.note(Shown(*pair)) is None
    assert views.note(Shown(*pair, cell=999)) is None
    assert views.surprisal(Shown(pair[0])) is None


def test_shares_are_compared_by_distance_and_voice(shown: Shown) -> None:
    (_, lags), (_, voices) = shown.shares
    same_step, step_before = lags[:2]

    assert same_step.difference == pytest.approx(-0.75, abs=0.01)
    assert (same_step.here, step_before.here) == (-1, 1)
    assert [pair.first.name for pair in voices] == ["Soprano", "Alto", "Tenor", "Bass"]
    assert tables.describe(same_step) == (
        "same step (the same sixteenth): A 75 % (this note 100 %), B 0 % (this note 0 %), "
        "B − A −75 points"
    )


@pytest.mark.parametrize(
    ("difference", "words"), [(0.071, "+7"), (-0.004, "−0.4"), (0.0, "0"), (-0.0001, "0")]
)
def test_points_are_as_exact_as_they_are_useful(difference: float, words: str) -> None:
    assert tables.points(difference) == words


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_shares_of_one_model_have_no_difference(pair: Pair, theme: Theme) -> None:
    found = of("shares", Shown(pair[0]))
    head, *rows = found.table()

    assert tuple(head)[2:5] == ("relative, mean of all heads", "", "difference")
    assert {tuple(row)[3:5] for row in rows} == {("", "")}
    assert "B − A" not in texts(found)
    assert {*theme.voices, theme.accent, theme.edge} <= colours(found, theme)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_agreement_has_both_pieces_and_only_differing_notes_in_colour(
    piece: Chorale, theme: Theme
) -> None:
    pitches = piece.pitches.copy()
    pitches[16:20, 1] = 70
    agreement = known(compare(piece, Chorale.of(pitches)))
    found = views.of_agreement(agreement, ("relative", "vanilla"))

    assert {"A: relative", "B: vanilla"} <= texts(found, theme)
    assert found.draw(theme).title.endswith("first difference bar 2, beat 1")
    shown = colours(found, theme)
    assert theme.voices[1] in shown
    assert not {theme.voices[0], *theme.voices[2:]} & shown


@pytest.mark.parametrize(
    ("suffix", "start"),
    [(".svg", b"<?xml"), (".png", b"\x89PNG"), (".csv", b'group,class,"relative, layer 1')],
)
def test_view_is_written_by_suffix(shown: Shown, tmp_path: Path, suffix: str, start: bytes) -> None:
    path = tmp_path / f"view{suffix}"
    of("shares", shown).write(path, LIGHT)
    assert path.read_bytes().startswith(start)


@pytest.mark.parametrize(
    ("check", "sentence"),
    [
        (lambda: view.check_suffix(Path("map.pdf")), r"ends in \.png, \.svg or \.csv"),
        (
            lambda: tables.check_pair(("causal", "infill"), ("relative", "vanilla-infill")),
            "vanilla-infill sees both sides of a note and relative",
        ),
    ],
)
def test_other_suffixes_and_pairs_are_refused(check: Callable[[], None], sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        check()
    tables.check_pair(("infill", "infill"), ("a", "b"))
    view.check_suffix(Path("map.CSV"))


_SIZE = (400, 200)
_PLACES = effect_charts.effect_grid(EFFECTS, *_SIZE)
HEADS, NONE = all_heads(2, 2), Mutes()
THEMES = pytest.mark.parametrize(
    "theme", [palette.LIGHT, palette.DARK], ids=lambda theme: theme.name
)
SOURCES = sources(source(0.4, 0.9), source(0.2, -0.1, is_random=True))
VIEWS = {
    "heads": effects.of_heads(EFFECTS, Mutes(), "Air"),
    "choices": effects.of_choices(note(muted=True)),
    "layers": effects.of_layers(note(muted=False)),
    "sources": effects.of_sources(SOURCES),
}


def grid(shown: HeadEffects = EFFECTS, mutes: Mutes = NONE) -> Figure:
    return effect_charts.effects(shown, mutes, None, *_SIZE, palette.LIGHT)


def svg(drawn: Figure) -> str:
    return figure.to_svg(drawn).decode()


def pixels(drawn: Figure) -> QImage:
    image = QImage()
    image.loadFromData(figure.to_png(drawn))
    return image


@THEMES
def test_colours_of_both_signs_differ_and_grow_with_the_effect(theme: palette.Theme) -> None:
    helped, hindered = (effect_charts.colour(sign, 1.0, theme) for sign in (1.0, -1.0))
    assert (helped, hindered) == theme.models
    assert effect_charts.colour(0.0, 1.0, theme) == theme.field
    assert effect_charts.colour(9.0, 1.0, theme) == helped
    small, large = (effect_charts.colour(effect, 1.0, theme) for effect in (0.1, 0.8))
    assert contrast(small, theme.field) < contrast(large, theme.field)


@THEMES
def test_numbers_are_readable_on_every_colour(theme: palette.Theme) -> None:
    for effect in np.linspace(-1, 1, 41):
        fill = effect_charts.colour(float(effect), 1.0, theme)
        assert contrast(paint.ink(fill), fill) >= 4.5


def test_every_head_and_voice_has_a_tile_with_its_number() -> None:
    text = svg(grid())
    for number in ("+0.50", "−0.25", "0.00", "+0.75", "S +0.10", "T −0.30", "L2", "H2"):
        assert f">{number}<" in text
    for box in (*map(_PLACES.head, HEADS), *map(_PLACES.voice, Voice)):
        assert 0 <= box.left() < box.right() <= _SIZE[0]
        assert 0 <= box.top() < box.bottom() <= _SIZE[1]


def test_heads_that_are_not_measured_yet_have_no_number() -> None:
    unknown = replace(EFFECTS, by_head=np.array([[np.nan, 0.1], [np.nan, np.nan]]), looks=None)
    text = svg(grid(unknown))
    assert ">+0.10<" in text
    assert "nan" not in text


def test_a_strip_has_the_colours_of_the_voices_that_a_head_looks_at() -> None:
    image, box = (
        pixels(grid()),
        _PLACES.head(Head(0, 0)),
    )
    y, starts = round(2 * (box.bottom() - 3)), (0.25, 0.6, 0.75, 0.85)
    found = [image.pixelColor(round(2 * (box.x() + at * box.width())), y) for at in starts]
    assert found == [QColor(one) for one in palette.LIGHT.voices]


def test_muted_heads_are_crossed_out_and_named() -> None:
    mutes = Mutes.parse("1.2,2")
    plain, muted = (grid(mutes=one) for one in (Mutes(), mutes))
    assert "muted: head 1.2 and layer 2" in muted.title
    before, after = pixels(plain), pixels(muted)
    corners = {head: (_PLACES.head(head).topLeft() * 2).toPoint() for head in HEADS}
    changed = {
        head
        for head, at in corners.items()
        if before.pixelColor(at.x() + 30, at.y() + 8) != after.pixelColor(at.x() + 30, at.y() + 8)
    }
    assert changed == {Head(0, 1), Head(1, 0), Head(1, 1)}


def test_a_point_of_the_grid_is_a_head_a_layer_or_a_voice() -> None:
    for head in HEADS:
        middle = _PLACES.head(head).center()
        assert _PLACES.at(middle.x(), middle.y()) == head
    label, tenor = _PLACES.layer(1), _PLACES.voice(Voice.TENOR)
    assert _PLACES.at(label.x() + 1, label.y() + 1) == Head(1, WHOLE)
    assert _PLACES.at(tenor.x() + 1, tenor.y() + 1) is Voice.TENOR
    assert _PLACES.at(399, 199) is None
    hit = grid().at(399, 199)
    assert hit is None


@pytest.mark.parametrize("muted", [False, True])
def test_choices_are_drawn_with_both_probabilities(muted: bool) -> None:
    drawn = effect_charts.choices(note(muted=muted), 300, 160, palette.DARK)
    text = svg(drawn)
    assert ">70 %<" in text
    assert (">20 %<" in text) is (">2.1 muted<" in text) is muted
    assert drawn.title.startswith("Alto A4 (bar 1, beat 3). Surprisal 0.36 nats")


@pytest.mark.parametrize(("width", "name"), [(900, "Alto A4 (bar 1, beat 1)"), (300, "A A4 1.1")])
def test_sources_have_short_names_where_there_is_less_room(width: int, name: str) -> None:
    assert f">{name}<" in svg(effect_charts.sources(SOURCES, width, 0, palette.LIGHT))


def test_a_point_of_the_list_is_a_source_or_a_heading() -> None:
    drawn = effect_charts.sources(SOURCES, 300, 0, palette.LIGHT)
    values = [hit and hit.value for hit in (drawn.at(9, y) for y in (5, 25, 70))]
    assert values == [None, *SOURCES.rows]


@THEMES
@pytest.mark.parametrize("name", VIEWS)
def test_a_page_names_note_piece_and_model(name: str, theme: palette.Theme) -> None:
    view: View = VIEWS[name]
    assert view.title.startswith("Air, ")
    assert "Alto A4 (bar " in view.title
    drawn = view.draw(theme)
    model = "relative" if name == "heads" else "tiny"
    assert f">Air, {model}<" in svg(drawn)
    assert f">{view.title.removeprefix('Air, ')}<" in svg(drawn)
    assert pixels(drawn).width() == 2 * drawn.width
    assert len(list(view.table())) > 1
