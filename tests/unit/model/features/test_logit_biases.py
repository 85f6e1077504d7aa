"""Logit biases of both families against sums over single tokens and cells."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

from musicrel.errors import ModelError
from musicrel.model.config import ModelConfig
from musicrel.model.families.infiller import Infiller
from musicrel.model.features.interval_tables import MOTION_KINDS, OCTAVE
from musicrel.model.features.logit_biases import ContextBiases, LogitBiases
from musicrel.model.tokens import conditions
from musicrel.model.tokens.vocabulary import (
    ARTICULATED,
    MASK,
    PITCH,
    PITCHES,
    REST_TOKEN,
    START,
    Vocabulary,
)
from tests.helpers.decoding import assert_decodes_as_in_one_pass
from tests.helpers.models import tiny_config, tiny_ids, tiny_model, tiny_rows
from tests.unit.model.features.single_tokens import (
    line_bias,
    melodies,
    pitch_of,
    voice_leading_bias,
)

GAIN, VOICES, LEFT = 8.0, 4, 9
TOLD = ("voice", "beat", "key", "ending")
both_vocabularies = pytest.mark.parametrize(
    "vocabulary", [ARTICULATED, PITCH], ids=lambda v: v.name
)
TOLD_OF_ALL = ("beat", "key", "ending")
FIRST = REST_TOKEN + 1
HOLD = FIRST + PITCHES


def config_of(vocabulary: Vocabulary = ARTICULATED, **fields: Any) -> ModelConfig:
    conditions = fields.pop("conditions", TOLD)
    return tiny_config(
        "relative", conditions=conditions, vocabulary=vocabulary, counterpoint=PITCHES, **fields
    )


def rows_of(length: int, conditions: tuple[str, ...]) -> Tensor:
    """Return rows of voices in turn, changing keys and decreasing quarters left: (1, N, C)."""
    columns = {
        "voice": [1 + place % VOICES for place in range(length)],
        "beat": [place // VOICES % 5 for place in range(length)],
        "key": [place * 7 % 25 for place in range(length)],
        "ending": [max(0, 20 - place // 2) for place in range(length)],
    }
    return torch.tensor([columns[name] for name in conditions]).T[None]


def naive(
    tables: LogitBiases, ids: list[int], place: int, conditions: dict[str, int], token: int
) -> float:
    pitches = [pitch_of(one) for one in [0] * 7 + ids[: place + 1]][-8:][::-1]
    pitch, own = pitch_of(token), pitches[3]
    is_hold = pitch is not None and token > REST_TOKEN + PITCHES
    if pitch is None or (is_hold and own != pitch):
        return 0.0
    goes = 2 if is_hold else int(pitch == own)
    known = range(conditions["voice"] - 1)
    moved = (len(known) > 0) + any(pitches[slot] != pitches[slot + 4] for slot in known)
    row = (conditions["voice"] * 5 + conditions.get("beat", 0)) * 3 + moved
    total = float(tables.rhythm_WG[row, goes].detach())
    for slot in range(3):
        if slot in known:
            total += voice_leading_bias(tables, (own, pitch), (pitches[slot + 4], pitches[slot]))
    if conditions.get("key"):
        left = conditions["ending"] if conditions["ending"] < LEFT else 0
        row = ((conditions["key"] > OCTAVE) * LEFT + left) * (1 + VOICES) + conditions["voice"]
        total += float(tables.cadence_HD[row, (pitch - (conditions["key"] - 1)) % OCTAVE].detach())
    return GAIN * total


def infiller() -> Infiller:
    """Return an infiller of width 16 with large weights and logit biases, in float64."""
    config = tiny_config("relative", conditions=TOLD_OF_ALL, family="infill", counterpoint=PITCHES)
    model = tiny_model(config, dtype=torch.float64)
    assert isinstance(model, Infiller)
    return model


def tables_of(model: Infiller) -> ContextBiases:
    assert model.counterpoint is not None
    return model.counterpoint


def naive_in_context(
    tables: ContextBiases, ids_T4: list[list[int]], conditions: list[int], step: int, voice: int
) -> list[float]:
    """Return the biases of all tokens for one cell; ``conditions``: beat, key, quarters left."""
    beat, key, left = conditions
    now = [pitch_of(token) for token in ids_T4[step]]
    before = [pitch_of(token) for token in ids_T4[step - 1]] if step else [None] * VOICES
    biases: list[float] = []
    for token in range(ARTICULATED.size):
        pitch = pitch_of(token)
        if pitch is None:
            biases.append(0.0)
            continue
        goes = 2 if token >= HOLD else int(pitch == before[voice])
        total = float(tables.rhythm_WG[(1 + voice) * 5 + beat, goes].detach())
        for other in set(range(VOICES)) - {voice}:
            total += voice_leading_bias(tables, (before[voice], pitch), (before[other], now[other]))
        if key:
            row = (key > OCTAVE) * LEFT + (left if left < LEFT else 0)
            row = row * (1 + VOICES) + 1 + voice
            total += float(tables.cadence_HD[row, (pitch - (key - 1)) % OCTAVE].detach())
        biases.append(GAIN * total)
    return biases


def _piece(model: Infiller, steps: int) -> tuple[Tensor, Tensor]:
    """Return random tokens with rests and hidden cells, and rows; (1, 4 T), (1, 4 T, C)."""
    ids, rows = (made(model.config, 1, VOICES * steps) for made in (tiny_ids, tiny_rows))
    ids[0, 3::11], ids[0, 5::7] = MASK, REST_TOKEN
    rows[:, :, 1] = torch.arange(ids.shape[1]) // VOICES % 25
    return ids, rows.repeat_interleave(VOICES, dim=1)[:, : ids.shape[1]]


@both_vocabularies
@pytest.mark.parametrize("conditions", [TOLD, ("voice",)], ids=str)
def test_the_biases_are_those_of_the_formula(
    vocabulary: Vocabulary, conditions: tuple[str, ...]
) -> None:
    """Every position and token, with rests, the start, unknown keys and distant ends."""
    config = config_of(vocabulary, conditions=conditions)
    tables = tiny_model(config, dtype=torch.float64).counterpoint
    assert tables is not None
    rng = torch.Generator().manual_seed(4)
    ids = torch.randint(REST_TOKEN, vocabulary.size, (1, 40), generator=rng)
    ids[0, 0] = START
    ids[0, 10:40:7] = REST_TOKEN
    rows = rows_of(40, conditions)

    fit = tables(tables.neighbours(ids), rows)

    for place in range(40):
        known = {name: int(rows[0, place, column]) for column, name in enumerate(conditions)}
        expected = [
            naive(tables, ids[0].tolist(), place, known, token) for token in range(vocabulary.size)
        ]
        torch.testing.assert_close(fit[0, place], torch.tensor(expected, dtype=torch.float64))


@both_vocabularies
def test_decoding_with_the_tables_is_the_full_pass(vocabulary: Vocabulary) -> None:
    config = config_of(vocabulary)
    model = tiny_model(config, dtype=torch.float64)
    ids, rows = tiny_ids(config, 3, 40), tiny_rows(config, 3, 40)
    assert_decodes_as_in_one_pass(model, ids, rows, (0, 5))


@both_vocabularies
@pytest.mark.parametrize("conditions", [TOLD, ("voice",)], ids=str)
def test_counts_are_gradients(vocabulary: Vocabulary, conditions: tuple[str, ...]) -> None:
    config = config_of(vocabulary, conditions=conditions)
    tables = tiny_model(config, dtype=torch.float64).counterpoint
    assert tables is not None
    ids, rows = tiny_ids(config, 2, 41), tiny_rows(config, 2, 40)
    own_BT1 = tables.neighbours(ids[:, :-1])[..., 3, None]
    hold_BT = tables.invalid_hold_PV[own_BT1[..., 0]].gather(-1, ids[:, 1:, None])[..., 0]
    ids[:, 1:][hold_BT] = REST_TOKEN  # what cannot come next is not counted on

    pitch_BTN = tables.neighbours(ids[:, :-1])
    tables(pitch_BTN, rows).gather(-1, ids[:, 1:, None]).sum().backward()

    for name, part in tables.rule_biases(pitch_BTN, rows).items():
        owed = tables.get_parameter(name).grad
        assert owed is not None
        assert owed.any()
        torch.testing.assert_close(part.count(ids[:, 1:]).double(), owed / GAIN)


def test_adjusting_an_entry_adds_nats_to_its_tokens() -> None:
    """The first note of a voice is a new pitch; all new pitches gain alike."""
    tables = LogitBiases(ARTICULATED.size, PITCHES, ["voice"])
    nats = torch.zeros_like(tables.rhythm_WG)
    nats[:, 0] = 0.5
    tables.adjust("rhythm_WG", nats)

    fit = tables(tables.neighbours(torch.tensor([[START]])), torch.tensor([[[1]]]))[0, 0]

    assert fit.unique().tolist() == [0.0, 0.5]
    assert (fit == 0.5).sum() == PITCHES


def test_a_rule_against_parallel_fifths_can_be_written_into_the_table() -> None:
    """Only the bass that would move in fifths (and octaves) below the soprano is penalised."""
    tables = LogitBiases(ARTICULATED.size, PITCHES, ["voice"])
    fifth_above, step_up, fifth_below = 7, 1, OCTAVE + 7
    with torch.no_grad():
        tables.voice_leading_MS[fifth_above * MOTION_KINDS + step_up, fifth_below] = -1.0
    first = REST_TOKEN + 1
    soprano, alto, tenor, bass = 31, 26, 22, 12  # 19 semitones: a fifth and an octave
    ids = torch.tensor([[soprano, alto, tenor, bass, soprano + 2, alto, tenor]]) + first
    rows = torch.tensor([[[1 + place % VOICES] for place in range(1, 8)]])

    fit = tables(tables.neighbours(ids), rows)[0, -1]

    against = fit.nonzero().flatten().tolist()
    assert [token - first for token in against] == [bass + 2 - OCTAVE, bass + 2, bass + 2 + OCTAVE]
    assert (fit[against] == -GAIN).all()


def test_new_tables_change_no_logit_and_all_of_them_learn() -> None:
    tables = LogitBiases(ARTICULATED.size, PITCHES, list(TOLD))
    config = config_of()
    ids, rows = tiny_ids(config, 2, 40), tiny_rows(config, 2, 40)
    fit = tables(tables.neighbours(ids), rows)
    assert not fit.any()
    fit.log_softmax(-1)[..., 40].sum().backward()
    for parameter in tables.parameters():
        assert parameter.grad is not None
        assert parameter.grad.abs().sum() > 0


@pytest.mark.parametrize("pitches", [-1, 45, True])
def test_pitches_that_the_vocabulary_lacks_are_refused(pitches: Any) -> None:
    with pytest.raises(ModelError, match=r"counterpoint is .* expected 0, or the number of pitch"):
        tiny_config("none", conditions=TOLD, counterpoint=pitches)


def test_the_voice_is_a_required_condition() -> None:
    with pytest.raises(ModelError, match="with conditions key: expected 'voice' among"):
        tiny_config("none", conditions=("key",), counterpoint=PITCHES)


def test_the_rows_are_as_many_as_the_conditions_have() -> None:
    tables = LogitBiases(ARTICULATED.size, PITCHES, list(TOLD))
    sizes = conditions.sizes(TOLD)
    assert len(tables.degree_KV) == sizes["key"]
    assert len(tables.cadence_HD) == 2 * LEFT * sizes["voice"]
    assert sizes["ending"] >= LEFT


def test_the_biases_of_a_context_are_those_of_the_formula() -> None:
    model = infiller()
    tables = tables_of(model)
    ids, rows = _piece(model, 26)
    ids_BT4, rows_BTC = ids.view(1, -1, VOICES), rows[:, ::VOICES]

    biases = tables(*tables.neighbourhood(ids_BT4, rows_BTC))

    assert biases.shape == (1, 26, VOICES, ARTICULATED.size)
    for step in range(26):
        for voice in range(VOICES):
            conditions = rows_BTC[0, step].tolist()
            expected = naive_in_context(tables, ids_BT4[0].tolist(), conditions, step, voice)
            torch.testing.assert_close(
                biases[0, step, voice], torch.tensor(expected, dtype=torch.float64)
            )


def test_the_biases_by_line_are_those_of_the_formula() -> None:
    """Of every cell from the notes before it, also where some are hidden; and of some steps."""
    config = tiny_config(
        "relative", conditions=TOLD_OF_ALL, family="infill", counterpoint=PITCHES, lines=PITCHES
    )
    tables = tiny_model(config, dtype=torch.float64).counterpoint
    assert isinstance(tables, ContextBiases)
    ids_1T4 = melodies(1, 60).view(1, 60, VOICES)
    rows_1TC = tiny_rows(config, 1, 60)
    at_S = torch.arange(3, 60, 5)

    found = tables.rule_biases(*tables.neighbourhood(ids_1T4, rows_1TC))["line_LJ"].logits()
    some = tables.rule_biases(*tables.neighbourhood(ids_1T4, rows_1TC, at_S))["line_LJ"].logits()

    assert torch.equal(some, found[:, at_S])
    for step in range(60):
        for voice in range(VOICES):
            beat, own = int(rows_1TC[0, step, 0]), ids_1T4[0, :step, voice].tolist()
            tokens = range(0, ARTICULATED.size, 3)
            expected = [line_bias(tables, 1 + voice, beat, own, token) / GAIN for token in tokens]
            torch.testing.assert_close(
                found[0, step, voice, ::3], torch.tensor(expected, dtype=torch.float64)
            )


def test_the_biases_are_added_to_the_logits() -> None:
    model = infiller()
    tables = tables_of(model)
    ids, rows = _piece(model, 12)
    biases = tables(*tables.neighbourhood(ids.view(1, -1, VOICES), rows[:, ::VOICES]))
    whole = model(ids, rows).logits_BTV

    model.counterpoint = None

    torch.testing.assert_close(whole, model(ids, rows).logits_BTV + biases.flatten(1, 2))


def test_counts_of_a_context_are_gradients() -> None:
    model = infiller()
    tables = tables_of(model)
    ids, rows = _piece(model, 20)
    arguments = tables.neighbourhood(ids.view(1, -1, VOICES), rows[:, ::VOICES])
    tables(*arguments).gather(-1, ids.view(1, -1, VOICES, 1)).sum().backward()

    counts = tables.count(torch.cat([torch.tensor([[START]]), ids], dim=1), rows)

    for name, counted in counts.items():
        owed = tables.get_parameter(name).grad
        assert owed is not None
        assert owed.any()
        torch.testing.assert_close(counted.double(), owed / GAIN)


def test_tokens_after_a_piece_are_not_counted() -> None:
    tables = tables_of(infiller())
    model = infiller()
    ids, rows = _piece(model, 8)
    framed = torch.cat([torch.tensor([[START]]), ids], dim=1)
    longer = torch.cat([framed, torch.tensor([[2]])], dim=1)
    counts = tables.count(framed, rows)
    more = tables.count(longer, torch.cat([rows, rows[:, :2]], dim=1))
    assert all(torch.equal(counts[name], more[name]) for name in counts)


def test_a_rule_against_parallel_fifths_holds_for_every_voice() -> None:
    """The alto that would move in fifths above the bass is penalised, and the bass likewise."""
    tables = ContextBiases(ARTICULATED.size, PITCHES, [])
    fifth_below, step_up = OCTAVE + 7, 1
    with torch.no_grad():
        tables.voice_leading_MS[fifth_below * MOTION_KINDS + step_up, 7] = -1.0
    before = [31, 26, 22, 7]  # alto and bass: 19 semitones, a fifth and an octave
    now = [31, MASK - FIRST, 22, 9]
    ids = torch.tensor([[before, now]]) + FIRST

    biases = tables(*tables.neighbourhood(ids, torch.zeros(1, 2, 0, dtype=torch.int64)))[0, 1, 1]

    against = [int(token) - FIRST for token in biases[FIRST:HOLD].nonzero().flatten() + FIRST]
    assert against == [16, 28, 40]
    assert (biases[[FIRST + pitch for pitch in against]] == -GAIN).all()


def test_pitches_of_a_context_that_the_vocabulary_lacks_are_refused() -> None:
    """The error names the value; every pitch needs a hold, too."""
    for wrong in (-1, 45, 2 * PITCHES):
        with pytest.raises(ModelError, match=rf"counterpoint is {wrong} .* expected 0, or the"):
            tiny_config("none", conditions=TOLD_OF_ALL, family="infill", counterpoint=wrong)
    with pytest.raises(ModelError, match=r"counterpoint is 46 in family infill with .*: exp"):
        tiny_config(
            "none", conditions=("voice", *TOLD_OF_ALL), family="infill", counterpoint=PITCHES
        )
    with pytest.raises(ModelError, match=r"pitches is .* of family causal or encoder_decoder"):
        tiny_config("none", conditions=TOLD_OF_ALL, family="infill", pitches=PITCHES)
