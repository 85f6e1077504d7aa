"""The views of one model or two, as drawings, tables and files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from musicrel.chorale import Chorale
from musicrel.errors import UsageError
from musicrel.generation.heads.mutes import Head
from musicrel.presentation.attention.piece_analysis import PieceAnalysis
from musicrel.presentation.attention.step_analysis import CROSS, INFILL, StepAnalysis
from musicrel.presentation.comparison import note_attention, share_difference, views
from musicrel.presentation.comparison.views import Shown, View
from musicrel.presentation.drawing.drawing import Drawing, Line, Raster, Rectangle, Text, width_of
from musicrel.presentation.words.palette import LIGHT

Pair = tuple[PieceAnalysis, PieceAnalysis]


def texts(drawing: Drawing) -> list[str]:
    """Return all texts."""
    return [item.text for item in drawing.items if isinstance(item, Text)]


def fills(drawing: Drawing, colour: str) -> list[Rectangle]:
    """Return the rectangles of a colour."""
    return [i for i in drawing.items if isinstance(i, Rectangle) and i.fill == colour]


def by_steps(piece: Chorale, kind: str) -> StepAnalysis:
    """Return a complete analysis in which each cell attends to its own step."""
    given = np.tile([True, False, False, False], (piece.steps, 1))
    found = StepAnalysis(piece, "both", 1, 1, wrote=False, kind=kind, given=given)
    for cell in range(found.tokens):
        row = np.zeros((1, 1, piece.steps), dtype=np.float32)
        row[0, 0, cell // 4] = 1
        found.add_at(cell, row)
    found.set_nats(np.ones(piece.pitches.shape))
    return found


def test_maps_of_two_models_are_side_by_side(pair: Pair) -> None:
    """Each names its model and head."""
    drawing = views.maps(Shown(*pair, heads=(Head(0, 0), None))).draw(LIGHT)
    rasters = [item for item in drawing.items if isinstance(item, Raster)]

    assert len([raster for raster in rasters if raster.pixels.shape[0] == 128]) == 2
    assert "Attention of relative, layer 1, head 1" in texts(drawing)
    assert "Attention of vanilla, mean of all heads" in texts(drawing)


def test_table_of_a_map_has_a_row_for_each_cell_and_model(pair: Pair) -> None:
    """Columns are START and cells."""
    head, *rows = views.maps(Shown(*pair, heads=(Head(0, 0), None))).table()

    assert tuple(head)[:7] == ("model", "head", "step", "voice", "START", "0 S", "0 A")
    assert len(rows) == 256
    assert tuple(rows[5])[:4] == ("relative", "layer 1, head 1", 1, "A")
    assert tuple(rows[5])[4:10] == (0, 0, 0, 0, 0, 1)
    assert tuple(rows[-1])[:2] == ("vanilla", "mean of all heads")


@pytest.mark.parametrize(
    ("kind", "heading"),
    [
        (INFILL, "Attention of both, mean of all heads"),
        (CROSS, "Cross-attention of both, mean of all heads"),
    ],
)
def test_map_of_steps_has_a_column_for_each(piece: Chorale, kind: str, heading: str) -> None:
    """The drawing is that of the kind."""
    view = views.maps(Shown(by_steps(piece, kind)))
    head, *rows = view.table()

    assert heading in texts(view.draw(LIGHT))
    assert tuple(head)[4:] == tuple(str(step) for step in range(32))
    assert len(rows) == 128


def test_weights_of_a_note_rise_for_the_first_and_hang_for_the_second_model(pair: Pair) -> None:
    """A attends to the soprano of the same step, B to the alto of the step before."""
    found = Shown(*pair, cell=4 * 20 + 1).note
    assert found is not None
    drawing = note_attention.draw_chart(found, LIGHT, width=800, height=300)
    (up,) = [one for one in fills(drawing, LIGHT.voices[0]) if one.height > 1]
    (down,) = [one for one in fills(drawing, LIGHT.voices[1]) if one.height > 1]

    assert up.y + up.height == pytest.approx(down.y)
    assert up.height == pytest.approx(down.height)
    assert up.x > down.x
    assert found.words == (
        "A: most, 100 %, on Soprano C5 (bar 2, beat 2).  "
        "B: most, 100 %, on Alto G4 (bar 2, beat 1¾)"
    )
    assert found.at_step(19) == "Bar 2, beat 1¾: A 0 %, B 100 %"


def test_table_of_a_note_has_both_weights_and_their_difference(pair: Pair) -> None:
    """START comes first where it has weight."""
    found = Shown(*pair, cell=0).note
    later = Shown(*pair, cell=81).note
    assert found is not None
    assert later is not None

    assert list(note_attention.table(found))[1] == ("START", "", 1, 1, 0)
    rows = [row for row in note_attention.table(later) if row[2:4] not in ((0, 0), (0.0, 0.0))]
    assert rows == [
        (
            "step",
            "voice",
            "relative, mean of all heads",
            "vanilla, mean of all heads",
            "difference",
        ),
        (19, "A", 0, 1, 1),
        (20, "S", 1, 0, -1),
    ]


def test_note_of_an_infilling_model_is_in_the_middle_of_its_window(piece: Chorale) -> None:
    """A causal model has nothing after it."""
    long = Chorale.of(np.tile(piece.pitches, (5, 1)))
    found = Shown(by_steps(long, INFILL), cell=4 * 80).note
    assert found is not None

    assert found.window == range(48, 112)
    assert found.both_sides
    assert note_attention.colours(LIGHT, 0, 1) == (LIGHT.models[0],)


def test_window_of_a_note_reaches_to_the_largest_weight(piece: Chorale) -> None:
    """The sentence names it, so that it is drawn, too."""
    long = Chorale.of(np.tile(piece.pitches, (5, 1)))
    analysis = by_steps(long, INFILL)
    row = np.zeros((1, 1, long.steps), dtype=np.float32)
    row[0, 0, 5] = 1
    analysis.add_at(4 * 80, row)
    found = Shown(analysis, cell=4 * 80).note
    assert found is not None

    assert found.window == range(5, 112)
    assert found.words == "A: most, 100 %, on bar 1, beat 2¼"


def test_heads_are_named_where_their_weights_are_compared(pair: Pair) -> None:
    """A head beside a mean of all heads looks like a difference of the models."""
    shown = Shown(*pair, heads=(Head(0, 0), None), cell=81)
    claims, note = views.claims(shown), views.note(shown)
    assert claims is not None
    assert note is not None

    for view in (views.shares(shown), claims, note):
        assert "A: relative, layer 1, head 1" in texts(view.draw(LIGHT))
        assert "B: vanilla, mean of all heads" in texts(view.draw(LIGHT))


def test_tables_name_the_heads_as_the_screen_does(pair: Pair) -> None:
    """A column of numbers belongs to a model and its head."""
    shown = Shown(*pair, heads=(Head(0, 0), None), cell=81)
    claims, note = views.claims(shown), views.note(shown)
    assert claims is not None
    assert note is not None
    both = "relative, layer 1, head 1", "vanilla, mean of all heads"

    assert tuple(next(iter(note.table())))[2:4] == both
    head = tuple(next(iter(views.shares(shown).table())))
    assert head[2:4] == both
    assert head[5:7] == tuple(f"{name}, note" for name in both)
    assert set(both) <= {tuple(row)[1] for row in claims.table()}


def test_letters_stand_beside_the_bars_of_both_models(pair: Pair) -> None:
    """A above and B below the middle, in their colours; one model needs none."""
    both, one = Shown(*pair, cell=81).note, Shown(pair[0], cell=81).note
    assert both is not None
    assert one is not None
    drawing = note_attention.draw_chart(both, LIGHT, width=800, height=300)
    letters = [item for item in drawing.items if isinstance(item, Text) and item.text in "AB"]
    middle = max(item.points[0][1] for item in drawing.items if isinstance(item, Line))

    assert [(item.text, item.colour) for item in letters] == list(
        zip("AB", LIGHT.models, strict=True)
    )
    assert letters[0].y < middle < letters[1].y
    alone = note_attention.draw_chart(one, LIGHT, width=800, height=300)
    assert not {"A", "B"} & set(texts(alone))


def test_long_names_fit_the_legend(pair: Pair) -> None:
    """Both are on the page, with their heads at the end."""
    first, second = pair
    first.model = second.model = "relative-articulated-width-256-eight-heads-second-try"
    shown = Shown(first, second, heads=(Head(0, 0), None))
    drawing = views.shares(shown).draw(LIGHT)
    a, b = (
        item for item in drawing.items if isinstance(item, Text) and item.text[:3] in ("A: ", "B: ")
    )

    assert a.text.endswith("layer 1, head 1")
    assert b.text.endswith("mean of all heads")
    assert a.x + width_of(a.text, a.size) < b.x
    assert b.x + width_of(b.text, b.size) < drawing.width


def test_columns_of_shares_have_the_letters_of_both_models(pair: Pair) -> None:
    """Above each group of numbers; those of one model have none."""
    assert texts(views.shares(Shown(*pair)).draw(LIGHT)).count("B − A") == 2
    assert texts(views.shares(Shown(pair[0])).draw(LIGHT)).count("B − A") == 0


def test_title_of_a_drawing_has_the_note_once(pair: Pair) -> None:
    """Screen readers read it before the picture."""
    view = views.note(Shown(*pair, cell=81))
    assert view is not None

    assert view.draw(LIGHT).title.count("Attention of Alto G4") == 1


def test_without_a_known_note_there_is_no_view(pair: Pair) -> None:
    """The page has a sentence there."""
    assert views.note(Shown(*pair)) is None
    assert views.note(Shown(*pair, cell=999)) is None
    assert views.surprisal(Shown(pair[0])) is None


def test_shares_are_compared_by_distance_and_voice(pair: Pair) -> None:
    """B − A is in percentage points."""
    (_, lags), (_, voices) = Shown(*pair, cell=81).shares
    same_step, step_before = lags[:2]

    assert same_step.difference == pytest.approx(-0.75, abs=0.01)
    assert same_step.here == -1
    assert step_before.here == 1
    assert [pair.name for pair in voices] == ["Soprano", "Alto", "Tenor", "Bass"]
    assert share_difference.describe(same_step) == (
        "same step (the same sixteenth): A 75 % (this note 100 %), B 0 % (this note 0 %), "
        "B − A −75 points"
    )


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("width", [420, 1100])
def test_bars_of_shares_are_beside_their_names(pair: Pair, count: int, width: int) -> None:
    """All bars of a class together have the middle of its letters."""
    groups = Shown(pair[0], pair[1] if count > 1 else None).shares
    drawing = share_difference.draw_chart(groups, LIGHT, width=width)
    for _, pairs in groups:
        for share in pairs:
            (name,) = (
                one for one in drawing.items if isinstance(one, Text) and one.text == share.name
            )
            bars = [
                one
                for one in drawing.items
                if isinstance(one, Rectangle)
                and abs(one.y + one.height / 2 - name.y) < 11
                and one.fill == LIGHT.edge
                and name.x < one.x < name.x + drawing.width / 2
            ]
            assert len(bars) == count
            top, bottom = min(bar.y for bar in bars), max(bar.y + bar.height for bar in bars)
            assert (top + bottom) / 2 == pytest.approx(name.y - 0.36 * name.size, abs=1.5)


@pytest.mark.parametrize(
    ("difference", "words"), [(0.071, "+7"), (-0.004, "−0.4"), (0.0, "0"), (-0.0001, "0")]
)
def test_points_are_as_exact_as_they_are_useful(difference: float, words: str) -> None:
    """With a sign."""
    assert share_difference.points(difference) == words


def test_shares_of_one_model_have_no_difference(pair: Pair) -> None:
    """The table has empty cells there."""
    shown = Shown(pair[0])
    head, *rows = views.shares(shown).table()

    assert tuple(head)[2:5] == ("relative, mean of all heads", "", "difference")
    assert {tuple(row)[3:5] for row in rows} == {("", "")}
    assert fills(views.shares(shown).draw(LIGHT), LIGHT.models[0])
    assert not fills(views.shares(shown).draw(LIGHT), LIGHT.models[1])


def test_claims_are_exported_with_their_intervals(pair: Pair) -> None:
    """One row for each value."""
    view = views.claims(Shown(*pair))
    assert view is not None
    head, *rows = view.table()

    assert tuple(head) == ("claim", "of", "value", "low", "high")
    named = {tuple(row)[:2] for row in rows}
    assert ("step_before", "vanilla, mean of all heads") in named
    assert "All voices of the step before" in texts(view.draw(LIGHT))


@pytest.mark.parametrize("suffix", [".svg", ".png", ".csv"])
def test_view_is_written_by_suffix(pair: Pair, tmp_path: Path, suffix: str) -> None:
    """Pictures and numbers have the same name."""
    path = tmp_path / f"view{suffix}"
    views.write(views.shares(Shown(*pair)), path, LIGHT)

    start = {
        ".svg": b"<svg",
        ".png": b"\x89PNG",
        ".csv": b'group,class,"relative, mean of all heads"',
    }[suffix]
    assert path.read_bytes().startswith(start)


def test_other_suffixes_and_pairs_are_refused() -> None:
    """The sentences name the alternatives."""
    with pytest.raises(UsageError, match=r"ends in \.png, \.svg or \.csv"):
        views.check_suffix(Path("map.pdf"))
    with pytest.raises(UsageError, match="vanilla-infill sees both sides of a note and relative"):
        views.check_pair(("causal", "infill"), ("relative", "vanilla-infill"))
    views.check_pair(("infill", "infill"), ("a", "b"))
    views.check_suffix(Path("map.CSV"))


def test_title_names_the_piece(pair: Pair) -> None:
    """It becomes the name of the file."""
    view: View = views.maps(Shown(pair[0], heads=(Head(0, 0), None)))

    assert view.title == "Two bars, Layer 1, head 1"
