"""The views of one note: distribution, layers and sources."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import Chorale, Key, Voice
from musicrel.generation.heads.mutes import Mutes
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.presentation.ablation import lens_table, note_choices, note_study, source_list
from musicrel.presentation.ablation.note_choices import NoteChoices
from musicrel.presentation.ablation.source_list import SourceList, SourceRow
from musicrel.presentation.ablation.token_names import Distribution, most_probable, token_name
from musicrel.presentation.drawing.drawing import Text
from musicrel.presentation.words import palette
from musicrel.tokens.vocabulary import ARTICULATED, LOWEST_PITCH, MASK, PITCH, REST_TOKEN
from tests.helpers.models import tiny_infill_directory, tiny_model_directory

_CHORDS = [[72, 67, 64, 48], [74, 67, 62, 50], [76, 69, 60, 45], [77, 71, 62, 43]]
_PIECE = Chorale.of(np.repeat(_CHORDS, 4, axis=0), title="Air")
_CELL = 4 * 8 + 1
_MUTES = Mutes.parse("2.1", "zero")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> LoadedModel:
    return load_model(str(tiny_model_directory(tmp_path_factory.mktemp("models") / "tiny")))


@pytest.fixture(scope="module")
def infill_model(tmp_path_factory: pytest.TempPathFactory) -> LoadedModel:
    return load_model(str(tiny_infill_directory(tmp_path_factory.mktemp("models") / "tiny")))


def texts(items: tuple[object, ...]) -> list[str]:
    return [item.text for item in items if isinstance(item, Text)]


def onset(pitch: int) -> int:
    return ARTICULATED.first_onset + pitch - LOWEST_PITCH


def distribution(**shares: float) -> Distribution:
    """Return log-probabilities of A4 and G4, the rest spread over all other tokens."""
    p = np.full(ARTICULATED.size, 1e-6)
    for name, share in shares.items():
        p[onset({"a4": 69, "g4": 67}[name])] = share
    found: Distribution = np.log(p / p.sum())
    return found


@pytest.mark.parametrize(
    ("token", "name"),
    [
        (onset(66), "F♯4"),
        (ARTICULATED.first_hold + 66 - LOWEST_PITCH, "F♯4 held"),
        (REST_TOKEN, "rest"),
        (MASK, "MASK"),
    ],
)
def test_tokens_are_named(token: int, name: str) -> None:
    assert token_name(token, ARTICULATED) == name


def test_a_key_with_flats_has_flats_and_a_grid_of_pitches_no_holds() -> None:
    assert token_name(onset(66), ARTICULATED, Key.parse("Db major")) == "G♭4"
    assert token_name(PITCH.first_onset + 69 - LOWEST_PITCH, PITCH) == "A4"


def test_the_most_probable_tokens_come_in_order() -> None:
    found = most_probable(distribution(a4=0.3, g4=0.6), 2, ARTICULATED)

    assert [one.name for one in found] == ["G4", "A4"]
    assert found[0].probability == pytest.approx(0.6 / 0.9001, abs=1e-3)


def choices(*, muted: bool) -> NoteChoices:
    after = distribution(a4=0.2, g4=0.8) if muted else None
    return NoteChoices(
        chorale=_PIECE, cell=_CELL, token=onset(69), vocabulary=ARTICULATED,
        before=distribution(a4=0.7, g4=0.3), after=after, mutes=_MUTES if muted else Mutes(),
    )  # fmt: skip


def test_surprisal_is_given_without_and_with_muted_heads() -> None:
    assert choices(muted=False).words == "Surprisal 0.36 nats"
    assert choices(muted=True).words == "Surprisal 0.36 nats, muted 1.61 (+1.25)"


def test_the_note_is_among_the_choices_however_improbable() -> None:
    """It takes the place of the last one."""
    other = choices(muted=False)
    rare = NoteChoices(other.chorale, other.cell, onset(50), ARTICULATED, other.before)

    assert [row.name for row in rare.rows(2)] == ["A4", "D3"]
    assert [row.is_note for row in rare.rows(2)] == [False, True]


@pytest.mark.parametrize("muted", [False, True])
def test_choices_are_drawn_with_both_probabilities(muted: bool) -> None:
    drawing = note_choices.draw_chart(choices(muted=muted), 300, 160, palette.DARK)

    shown = texts(drawing.items)
    assert "70 %" in shown
    assert ("20 %" in shown) is ("2.1 muted" in shown) is muted
    assert drawing.title.startswith("Alto A4 (bar 1, beat 3). Surprisal 0.36 nats")


def test_the_table_of_choices_has_all_tokens() -> None:
    rows = list(note_choices.table(choices(muted=True)))

    assert len(rows) == 1 + ARTICULATED.size
    assert rows[1][0] == "A4"
    assert [float(str(p)) for p in rows[1][1:3]] == pytest.approx([0.7, 0.2], abs=1e-4)
    assert rows[1][3] == "yes"


def test_a_study_of_a_note_agrees_with_the_reader(model: LoadedModel) -> None:
    """Effects, distribution and lens are of the same note."""
    reader = note_study.open_reader(model, _PIECE)

    study = note_study.study(reader, _CELL, _MUTES)

    local = reader.local(_CELL, "zero")
    np.testing.assert_array_equal(study.effects.by_head, local.effects_LH)
    before, after = study.choices.nats
    assert before == pytest.approx(local.output.nats)
    assert after is not None
    assert after == pytest.approx(reader.muted(_CELL, _MUTES).nats)
    assert study.effects.of_head(_MUTES.heads[0]) == pytest.approx(after - before, abs=1e-5)
    np.testing.assert_allclose(study.lens.log_p_by_layer[-1], study.choices.before, atol=1e-5)
    assert study.effects.looks is not None
    np.testing.assert_allclose(study.effects.looks.sum(axis=-1), 1, atol=1e-5)


def test_without_muted_heads_there_is_no_second_distribution(model: LoadedModel) -> None:
    reader = note_study.open_reader(model, _PIECE)

    assert note_study.study(reader, _CELL, Mutes(by="zero")).choices.after is None


def test_an_infilling_model_looks_at_steps(infill_model: LoadedModel) -> None:
    """Its heads have no shares by voice; its sources are steps of all voices."""
    reader = note_study.open_reader(infill_model, _PIECE)

    assert note_study.study(reader, _CELL, _MUTES).effects.looks is None
    found = note_study.sources(reader, _CELL)
    assert {row.voice for row in found.rows} == {None}
    assert found.rows[0].name.startswith("All voices (bar 1, beat ")


def test_layers_are_listed_with_their_choices(model: LoadedModel) -> None:
    lens = note_study.study(note_study.open_reader(model, _PIECE), _CELL, _MUTES).lens

    rows = list(lens_table.table(lens))
    shown = texts(lens_table.draw_chart(lens, 400, 200, palette.LIGHT).items)

    assert [row[0] for row in rows[1::3]] == ["Before layer 1", "Layer 1", "Layer 2 (model)"]
    assert {"Before layer 1", "Layer 2 (model)", "Second"} <= set(shown)
    assert rows[-3][2] in shown


def test_sources_are_named_and_weighed(model: LoadedModel) -> None:
    """The strongest come first; each has a row in the picture and in the table."""
    reader = note_study.open_reader(model, _PIECE)

    found = note_study.sources(reader, _CELL)

    weights = [row.weight for row in found.rows if not row.is_random]
    assert weights == sorted(weights, reverse=True)
    drawing = source_list.draw_chart(found, 900, palette.LIGHT)
    names = [row.name for row in found.rows]
    assert set(names) <= set(texts(drawing.items))
    assert [row[0] for row in list(source_list.table(found))[1:]] == names
    assert source_list.row_at(found, 25) == found.rows[0]
    assert source_list.row_at(found, 5) is None
    assert "S C5 1.1" in {row.short for row in found.rows}


def source(weight: float, effect: float, *, is_random: bool = False) -> SourceRow:
    return SourceRow("Alto A4 (bar 1, beat 1)", "A A4 1.1", 1, 0, 4, weight, effect, is_random)


def test_the_rank_correlation_is_that_of_weight_and_size() -> None:
    """Signs of effects do not count; ties share their ranks."""
    rows = (source(0.4, -0.9), source(0.3, 0.5), source(0.2, 0.1, is_random=True))
    in_order = SourceList(chorale=_PIECE, cell=_CELL, rows=rows)
    reverse = SourceList(
        chorale=_PIECE, cell=_CELL, rows=tuple(source(r.weight, 1 - abs(r.effect)) for r in rows)
    )

    assert in_order.correlation == pytest.approx(1.0)
    assert reverse.correlation == pytest.approx(-1.0)
    assert in_order.words == (
        "Rank correlation of weight and size of effect: +1.00. Mean size: 0.700 nats strongest, "
        "0.100 random"
    )


def test_too_few_sources_have_no_correlation() -> None:
    two = SourceList(chorale=_PIECE, cell=_CELL, rows=(source(0.4, 0.9), source(0.3, 0.5)))
    none = SourceList(chorale=_PIECE, cell=0, rows=())

    assert two.words == "Rank correlation of weight and size of effect: –"
    assert none.words == "No note comes before this one"


def test_a_source_is_described_with_weight_and_effect() -> None:
    words = source_list.describe(source(0.25, -0.4))

    assert words == "Alto A4 (bar 1, beat 1): weight 25 %, hindered by 0.40 nats"


def test_voices_have_their_letter_in_a_narrow_list(model: LoadedModel) -> None:
    found = note_study.sources(note_study.open_reader(model, _PIECE), 4 * 8 + Voice.ALTO)

    shown = texts(source_list.draw_chart(found, 320, palette.LIGHT).items)

    assert {row.short for row in found.rows} <= set(shown)


def test_views_have_a_picture_and_a_table(model: LoadedModel) -> None:
    """Each has a title with the note, a picture and numbers."""
    reader = note_study.open_reader(model, _PIECE)
    study = note_study.study(reader, _CELL, _MUTES)
    for view in (
        note_choices.view(study.choices, model.name),
        lens_table.view(study.lens, model.name),
        source_list.view(note_study.sources(reader, _CELL), model.name),
    ):
        assert "Alto A4 (bar 1, beat 3)" in view.title
        assert "Air, tiny" in texts(view.draw(palette.LIGHT).items)
        assert len(list(view.table())) > 1
