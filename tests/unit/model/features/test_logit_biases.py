"""Logit biases by rule against sums over single tokens."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

from musicrel.errors import ModelError
from musicrel.model.config import ModelConfig
from musicrel.model.features.interval_tables import MOTION_KINDS, OCTAVE
from musicrel.model.features.logit_biases import LogitBiases
from musicrel.tokens import conditions
from musicrel.tokens.vocabulary import (
    ARTICULATED,
    PITCH,
    PITCHES,
    REST_TOKEN,
    START,
    Vocabulary,
)
from tests.helpers.decoding import assert_decodes_as_in_one_pass
from tests.helpers.models import tiny_config, tiny_ids, tiny_model, tiny_rows
from tests.unit.model.features.intervals import pitch_of, voice_leading_bias

GAIN, VOICES, LEFT = 8.0, 4, 9
TOLD = ("voice", "beat", "key", "ending")
both_vocabularies = pytest.mark.parametrize(
    "vocabulary", [ARTICULATED, PITCH], ids=lambda v: v.name
)


def config_of(vocabulary: Vocabulary = ARTICULATED, **fields: Any) -> ModelConfig:
    """Return the config of a tiny model with logit biases."""
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
    """Return the bias of one token after ``place``."""
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
    """With and without a prompt, and with fixed shapes."""
    config = config_of(vocabulary)
    model = tiny_model(config, dtype=torch.float64)
    ids, rows = tiny_ids(config, 3, 40), tiny_rows(config, 3, 40)
    assert_decodes_as_in_one_pass(model, ids, rows, (0, 5))


@both_vocabularies
@pytest.mark.parametrize("conditions", [TOLD, ("voice",)], ids=str)
def test_counts_are_gradients(vocabulary: Vocabulary, conditions: tuple[str, ...]) -> None:
    """The counts are the gradient of the biases of the tokens that followed."""
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
    """Every table gets a gradient."""
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
    """The error names the value."""
    with pytest.raises(ModelError, match=r"counterpoint is .* expected 0, or the number of pitch"):
        tiny_config("none", conditions=TOLD, counterpoint=pitches)


def test_the_voice_is_a_required_condition() -> None:
    """The known voices of a step follow from it."""
    with pytest.raises(ModelError, match="without the condition 'voice': expected 'voice' among"):
        tiny_config("none", conditions=("key",), counterpoint=PITCHES)


def test_the_rows_are_as_many_as_the_conditions_have() -> None:
    """Modes, quarters left and voices as in ``tokens.conditions``."""
    tables = LogitBiases(ARTICULATED.size, PITCHES, list(TOLD))
    sizes = conditions.sizes(TOLD)
    assert len(tables.degree_KV) == sizes["key"]
    assert len(tables.cadence_HD) == 2 * LEFT * sizes["voice"]
    assert sizes["ending"] >= LEFT
