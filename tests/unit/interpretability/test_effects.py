"""Effects of heads and on one note: words, scale, table, distribution, layers and sources."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel import jobs
from musicrel.chorale import Chorale, Key, Voice
from musicrel.generation.heads.mutes import Head, Mutes
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.interpretability import effects
from musicrel.interpretability.effects import (
    Distribution,
    HeadEffects,
    NoteEffects,
    SourceList,
    SourceRow,
    token_name,
)
from musicrel.model.tokens.vocabulary import ARTICULATED, LOWEST_PITCH, MASK, PITCH, REST_TOKEN
from tests.helpers.known import known
from tests.helpers.models import tiny_infill_directory, tiny_model_directory

EFFECTS = HeadEffects(
    of="Alto A4 (bar 2, beat 1)",
    model="relative",
    by="mean",
    by_head=np.array([[0.5, -0.25], [0.001, 0.75]]),
    by_voice=np.array([0.1, 0.0, -0.3, 0.0]),
    looks=np.tile([0.5, 0.2, 0.1, 0.1, 0.1], (2, 2, 1)),
)

_CHORDS = [[72, 67, 64, 48], [74, 67, 62, 50], [76, 69, 60, 45], [77, 71, 62, 43]]

PIECE = Chorale.of(np.repeat(_CHORDS, 4, axis=0), title="Air")

CELL = 4 * 8 + 1

_MUTES = Mutes.parse("2.1", "zero")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> LoadedModel:
    return load_model(str(tiny_model_directory(tmp_path_factory.mktemp("models") / "tiny")))


@pytest.fixture(scope="module")
def infill_model(tmp_path_factory: pytest.TempPathFactory) -> LoadedModel:
    return load_model(str(tiny_infill_directory(tmp_path_factory.mktemp("models") / "tiny")))


def onset(pitch: int) -> int:
    return ARTICULATED.first_onset + pitch - LOWEST_PITCH


def distribution(**shares: float) -> Distribution:
    """Return log-probabilities of A4 and G4, the rest spread over all other tokens."""
    p = np.full(ARTICULATED.size, 1e-6)
    for name, share in shares.items():
        p[onset({"a4": 69, "g4": 67}[name])] = share
    found: Distribution = np.log(p / p.sum())
    return found


def note(*, muted: bool) -> NoteEffects:
    """Return the effects on A4; the two layers choose G4, then A4."""
    before, after = distribution(a4=0.7, g4=0.3), distribution(a4=0.2, g4=0.8)
    return NoteEffects(
        model="tiny", chorale=PIECE, cell=CELL, token=onset(69), vocabulary=ARTICULATED,
        heads=EFFECTS, mutes=_MUTES if muted else Mutes(),
        log_p=before, log_p_muted=after if muted else None,
        log_p_by_layer=np.stack([after, after, before]),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("effect", "number", "words"),
    [
        (0.42, "+0.42", "helped by 0.42 nats"),
        (-0.03, "−0.03", "hindered by 0.03 nats"),
        (0.004, "0.00", "made no difference"),
    ],
)
def test_an_effect_has_a_sign_and_a_word(effect: float, number: str, words: str) -> None:
    assert effects.number(effect) == number
    assert effects.words(effect) == words


@pytest.mark.parametrize(("most", "full"), [(0.0, 0.05), (0.2, 0.2), (0.21, 0.5), (99.0, 10.0)])
def test_the_scale_ends_at_a_round_number(most: float, full: float) -> None:
    assert effects.full_effect(most) == full


def test_the_largest_effect_is_named_and_a_head_described_once_it_is_measured() -> None:
    summary = EFFECTS.summary(Mutes.parse("1.2,2"))
    assert EFFECTS.largest == Head(1, 1)
    assert summary == (
        "Effects of heads, Alto A4 (bar 2, beat 1); most: Layer 2, head 2 helped by 0.75 nats; "
        "muted: head 1.2 and layer 2"
    )

    words = EFFECTS.describe(Head(0, 1))
    assert words == "Layer 1, head 2 hindered by 0.25 nats; looks at soprano 50 %, alto 20 %"
    assert EFFECTS.describe_voice(Voice.TENOR) == "Tenor as source hindered by 0.30 nats"

    unknown = replace(EFFECTS, by_head=np.array([[np.nan, 0.1], [np.nan, np.nan]]), looks=None)
    assert unknown.describe(Head(0, 0)) == "Layer 1, head 1"
    assert replace(unknown, by_head=np.full((1, 1), np.nan)).largest is None


def test_the_table_has_all_effects() -> None:
    rows = list(EFFECTS.table())
    assert rows[0] == ("source", "effect in nats")
    assert rows[1:3] == [("1.1", "0.500000"), ("1.2", "-0.250000")]
    assert rows[-2:] == [("Tenor", "-0.300000"), ("Bass", "0.000000")]


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


def test_surprisal_is_given_without_and_with_muted_heads() -> None:
    assert note(muted=False).surprisal == "Surprisal 0.36 nats"
    assert note(muted=True).surprisal == "Surprisal 0.36 nats, muted 1.61 (+1.25)"


def test_choices_come_in_order_of_probability_with_all_heads_and_the_note_among_them() -> None:
    rare = replace(note(muted=False), token=onset(50))
    assert [row.name for row in rare.choices(2)] == ["A4", "D3"]
    assert [row.is_note for row in rare.choices(2)] == [False, True]

    first, second, *_others = note(muted=True).choices()
    assert (first.name, second.name) == ("A4", "G4")
    assert [first.p, first.p_muted] == pytest.approx([0.7, 0.2], abs=1e-4)


def test_the_table_of_choices_has_all_tokens() -> None:
    rows = list(note(muted=True).choices_table())
    assert len(rows) == 1 + ARTICULATED.size
    assert rows[1][0] == "A4"
    assert [float(str(p)) for p in rows[1][1:3]] == pytest.approx([0.7, 0.2], abs=1e-4)
    assert rows[1][3] == "yes"


def test_layers_are_listed_with_their_choices() -> None:
    rows = list(note(muted=False).layers_table())
    assert [row[0] for row in rows[1::3]] == ["Before layer 1", "Layer 1", "Layer 2 (model)"]
    first, last = rows[1], rows[-3]
    assert (first[1], first[2], first[4]) == (1, "G4", "")
    assert (last[1], last[2], last[4]) == (1, "A4", "yes")
    assert float(str(last[3])) == pytest.approx(0.7, abs=1e-4)


def test_the_effects_on_a_note_agree_with_the_reader(model: LoadedModel) -> None:
    reader = effects.open_reader(model, PIECE)
    found, local = effects.measure(reader, CELL, _MUTES), reader.local(CELL, "zero")
    np.testing.assert_array_equal(found.heads.by_head, local.effects_LH)
    before, after = found.nats
    assert before == pytest.approx(local.output.nats)
    assert after is not None
    assert after == pytest.approx(reader.muted(CELL, _MUTES).nats)
    assert found.heads.by_head[_MUTES.heads[0]] == pytest.approx(after - before, abs=1e-5)
    np.testing.assert_allclose(found.log_p_by_layer[-1], found.log_p, atol=1e-5)
    np.testing.assert_allclose(known(found.heads.looks).sum(axis=-1), 1, atol=1e-5)


def test_an_infilling_model_looks_at_steps(infill_model: LoadedModel) -> None:
    reader = effects.open_reader(infill_model, PIECE)
    assert effects.measure(reader, CELL, _MUTES).heads.looks is None
    found = jobs.run(effects.find_sources(reader, CELL))
    assert {row.voice for row in found.rows} == {None}
    assert found.rows[0].name.startswith("All voices (bar 1, beat ")


def test_sources_are_named_the_strongest_first(model: LoadedModel) -> None:
    found = jobs.run(effects.find_sources(effects.open_reader(model, PIECE), CELL))
    weights = [row.weight for row in found.rows if not row.is_random]
    assert weights == sorted(weights, reverse=True)
    assert [row[0] for row in list(found.table())[1:]] == [row.name for row in found.rows]
    assert "S C5 1.1" in {row.short for row in found.rows}


def source(weight: float, effect: float, *, is_random: bool = False) -> SourceRow:
    return SourceRow("Alto A4 (bar 1, beat 1)", "A A4 1.1", 1, 0, 4, weight, effect, is_random)


def sources(*rows: SourceRow) -> SourceList:
    return SourceList(model="tiny", chorale=PIECE, cell=CELL, rows=rows)


def test_the_rank_correlation_is_that_of_weight_and_size() -> None:
    rows = (source(0.4, -0.9), source(0.3, 0.5), source(0.2, 0.1, is_random=True))
    assert sources(*rows).correlation == pytest.approx(1.0)
    reverse = sources(*(source(row.weight, 1 - abs(row.effect)) for row in rows))
    assert reverse.correlation == pytest.approx(-1.0)
    assert sources(*rows).words == (
        "Rank correlation of weight and size of effect: +1.00. Mean size: 0.700 nats strongest, "
        "0.100 random"
    )


def test_too_few_or_equal_sources_have_no_correlation() -> None:
    expected = "Rank correlation of weight and size of effect: –"
    assert sources(source(0.4, 0.9), source(0.3, 0.5)).words == expected
    assert sources(*[source(0.4, 0.9)] * 3).words == expected
    assert sources().words == "No note comes before this one"


def test_a_source_is_described_with_weight_and_effect() -> None:
    words = source(0.25, -0.4).describe()
    assert words == "Alto A4 (bar 1, beat 1): weight 25 %, hindered by 0.40 nats"
