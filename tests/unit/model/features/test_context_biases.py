"""Logit biases of the infilling model against sums over single cells."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from musicrel.errors import ModelError
from musicrel.model.families.infiller import Infiller
from musicrel.model.features.context_biases import ContextBiases
from musicrel.model.features.interval_tables import MOTION_KINDS, OCTAVE
from musicrel.model.features.places import Cells
from musicrel.tokens.vocabulary import ARTICULATED, MASK, PITCHES, REST_TOKEN, START
from tests.helpers.models import tiny_config, tiny_ids, tiny_model, tiny_rows
from tests.unit.model.features.intervals import pitch_of, voice_leading_bias
from tests.unit.model.features.lines import line_bias, melodies

GAIN, VOICES, LEFT = 8.0, 4, 9
TOLD = ("beat", "key", "ending")
FIRST = REST_TOKEN + 1
HOLD = FIRST + PITCHES


def infiller() -> Infiller:
    """Return an infiller of width 16 with large weights and logit biases, in float64."""
    config = tiny_config("relative", conditions=TOLD, family="infill", counterpoint=PITCHES)
    model = tiny_model(config, dtype=torch.float64)
    assert isinstance(model, Infiller)
    return model


def tables_of(model: Infiller) -> ContextBiases:
    """Return the logit biases of a model."""
    assert model.counterpoint is not None
    return model.counterpoint


def naive(
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


def test_the_biases_are_those_of_the_formula() -> None:
    """Every cell and token, with rests, hidden cells and unknown keys."""
    model = infiller()
    tables = tables_of(model)
    ids, rows = _piece(model, 26)
    ids_BT4, rows_BTC = ids.view(1, -1, VOICES), rows[:, ::VOICES]

    biases = tables(*tables.neighbourhood(ids_BT4, rows_BTC))

    assert biases.shape == (1, 26, VOICES, ARTICULATED.size)
    for step in range(26):
        for voice in range(VOICES):
            conditions = rows_BTC[0, step].tolist()
            expected = naive(tables, ids_BT4[0].tolist(), conditions, step, voice)
            torch.testing.assert_close(
                biases[0, step, voice], torch.tensor(expected, dtype=torch.float64)
            )


def test_the_biases_by_line_are_those_of_the_formula() -> None:
    """Of every cell from the notes before it, also where some are hidden; and of single cells."""
    config = tiny_config(
        "relative", conditions=TOLD, family="infill", counterpoint=PITCHES, lines=PITCHES
    )
    tables = tiny_model(config, dtype=torch.float64).counterpoint
    assert isinstance(tables, ContextBiases)
    ids_1T4 = melodies(1, 60).view(1, 60, VOICES)
    rows_1TC = tiny_rows(config, 1, 60)
    every = Cells.of(torch.ones(1, 60, VOICES, dtype=torch.bool))

    found = tables.rule_biases(*tables.neighbourhood(ids_1T4, rows_1TC))["line_LJ"].logits()
    cells = tables.rule_biases(*tables.neighbourhood(ids_1T4, rows_1TC, every))["line_LJ"].logits()

    assert torch.equal(cells, found[every.row_N, every.step_N, every.voice_N])
    for step in range(60):
        for voice in range(VOICES):
            beat, own = int(rows_1TC[0, step, 0]), ids_1T4[0, :step, voice].tolist()
            tokens = range(0, ARTICULATED.size, 3)
            expected = [line_bias(tables, 1 + voice, beat, own, token) / GAIN for token in tokens]
            torch.testing.assert_close(
                found[0, step, voice, ::3], torch.tensor(expected, dtype=torch.float64)
            )


def test_the_biases_are_added_to_the_logits() -> None:
    """For all steps and for some."""
    model = infiller()
    tables = tables_of(model)
    ids, rows = _piece(model, 12)
    biases = tables(*tables.neighbourhood(ids.view(1, -1, VOICES), rows[:, ::VOICES]))
    whole, steps = model(ids, rows).logits_BTV, torch.tensor([0, 3, 11])
    some = model.logits_at(ids, rows, steps)

    model.counterpoint = None

    torch.testing.assert_close(whole, model(ids, rows).logits_BTV + biases.flatten(1, 2))
    torch.testing.assert_close(some, model.logits_at(ids, rows, steps) + biases[:, steps])


def test_counts_are_gradients() -> None:
    """The counts of a piece are the gradient of the biases of its own tokens."""
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
    """Neither its END nor rows without a cell."""
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


def test_pitches_that_the_vocabulary_lacks_are_refused() -> None:
    """The error names the value; every pitch needs a hold, too."""
    for wrong in (-1, 45, 2 * PITCHES):
        with pytest.raises(ModelError, match=rf"counterpoint is {wrong} .* expected 0, or the"):
            tiny_config("none", conditions=TOLD, family="infill", counterpoint=wrong)
    with pytest.raises(
        ModelError, match=r"counterpoint is 46 in family infill and 'voice' is among"
    ):
        tiny_config("none", conditions=("voice", *TOLD), family="infill", counterpoint=PITCHES)
    with pytest.raises(ModelError, match=r"pitches is .* of family causal or encoder_decoder"):
        tiny_config("none", conditions=TOLD, family="infill", pitches=PITCHES)
