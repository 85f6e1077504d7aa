"""What fits by rule in view of both sides, against the sums spelt out cell by cell."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from musicrel.errors import ModelError
from musicrel.model.families.infiller import Infiller
from musicrel.model.features.context_biases import CounterpointAround
from musicrel.model.features.interval_tables import OCTAVE, SIMPLE, WAYS
from musicrel.tokens.vocabulary import ARTICULATED, MASK, PITCHES, REST_TOKEN, START
from tests.helpers.intervals import pitch_of, way, within
from tests.helpers.models import tiny_config, tiny_ids, tiny_model, tiny_rows

GAIN, VOICES, LEFT = 8.0, 4, 9
TOLD = ("beat", "key", "ending")
FIRST = REST_TOKEN + 1
HOLD = FIRST + PITCHES


def infiller() -> Infiller:
    """Width 16, loud weights, float64, with the tables."""
    config = tiny_config("relative", told=TOLD, family="infill", counterpoint=PITCHES)
    model = tiny_model(config, dtype=torch.float64)
    assert isinstance(model, Infiller)
    return model


def tables_of(model: Infiller) -> CounterpointAround:
    """Its tables."""
    assert model.counterpoint is not None
    return model.counterpoint


def naive(
    tables: CounterpointAround, ids_T4: list[list[int]], told: list[int], step: int, voice: int
) -> list[float]:
    """What is added to each token's logit for one cell; ``told``: beat, key, quarters left."""
    beat, key, left = told
    now = [pitch_of(token) for token in ids_T4[step]]
    before = [pitch_of(token) for token in ids_T4[step - 1]] if step else [None] * VOICES
    said: list[float] = []
    for token in range(ARTICULATED.size):
        pitch = pitch_of(token)
        if pitch is None:
            said.append(0.0)
            continue
        goes = 2 if token >= HOLD else int(pitch == before[voice])
        total = float(tables.pace_WG[(1 + voice) * 5 + beat, goes].detach())
        for other in set(range(VOICES)) - {voice}:
            row = within(before[voice], before[other]) * WAYS + way(before[other], now[other])
            made = within(now[other], pitch)
            total += float(tables.led_MS[row, made].detach()) if made < SIMPLE - 1 else 0.0
        if key:
            row = (key > OCTAVE) * LEFT + (left if left < LEFT else 0)
            row = row * (1 + VOICES) + 1 + voice
            total += float(tables.home_HD[row, (pitch - (key - 1)) % OCTAVE].detach())
        said.append(GAIN * total)
    return said


def _piece(model: Infiller, steps: int) -> tuple[Tensor, Tensor]:
    """Tokens by chance with rests and hidden cells among them, and rows; (1, 4 T), (1, 4 T, C)."""
    ids, rows = (made(model.config, 1, VOICES * steps) for made in (tiny_ids, tiny_rows))
    ids[0, 3::11], ids[0, 5::7] = MASK, REST_TOKEN
    rows[:, :, 1] = torch.arange(ids.shape[1]) // VOICES % 25
    return ids, rows.repeat_interleave(VOICES, dim=1)[:, : ids.shape[1]]


def test_the_tables_say_what_the_formula_says() -> None:
    """Every cell and token, with rests, hidden cells and open keys among them."""
    model = infiller()
    tables = tables_of(model)
    ids, rows = _piece(model, 26)
    ids_BT4, rows_BTC = ids.view(1, -1, VOICES), rows[:, ::VOICES]

    fit = tables(*tables.beside(ids_BT4, rows_BTC))

    assert fit.shape == (1, 26, VOICES, ARTICULATED.size)
    for step in range(26):
        for voice in range(VOICES):
            told = rows_BTC[0, step].tolist()
            expected = naive(tables, ids_BT4[0].tolist(), told, step, voice)
            torch.testing.assert_close(
                fit[0, step, voice], torch.tensor(expected, dtype=torch.float64)
            )


def test_the_model_says_what_its_layers_say_and_what_fits() -> None:
    """Of all steps as of some."""
    model = infiller()
    tables = tables_of(model)
    ids, rows = _piece(model, 12)
    fit = tables(*tables.beside(ids.view(1, -1, VOICES), rows[:, ::VOICES]))
    whole, steps = model(ids, rows).logits_BTV, torch.tensor([0, 3, 11])
    some = model.said_at(ids, rows, steps)

    model.counterpoint = None

    torch.testing.assert_close(whole, model(ids, rows).logits_BTV + fit.flatten(1, 2))
    torch.testing.assert_close(some, model.said_at(ids, rows, steps) + fit[:, steps])


def test_what_an_entry_has_spoken_for_is_how_much_the_logits_owe_it() -> None:
    """The counts of a piece are the gradient of what is added to the logits of its own tokens."""
    model = infiller()
    tables = tables_of(model)
    ids, rows = _piece(model, 20)
    beside = tables.beside(ids.view(1, -1, VOICES), rows[:, ::VOICES])
    tables(*beside).gather(-1, ids.view(1, -1, VOICES, 1)).sum().backward()

    counts = tables.counted(torch.cat([torch.tensor([[START]]), ids], dim=1), rows)

    for name, counted in counts.items():
        owed = tables.get_parameter(name).grad
        assert owed is not None
        assert owed.any()
        torch.testing.assert_close(counted.double(), owed / GAIN)


def test_what_follows_a_piece_is_not_counted() -> None:
    """Its end, and rows told of no cell."""
    tables = tables_of(infiller())
    model = infiller()
    ids, rows = _piece(model, 8)
    framed = torch.cat([torch.tensor([[START]]), ids], dim=1)
    longer = torch.cat([framed, torch.tensor([[2]])], dim=1)
    counts = tables.counted(framed, rows)
    more = tables.counted(longer, torch.cat([rows, rows[:, :2]], dim=1))
    assert all(torch.equal(counts[name], more[name]) for name in counts)


def test_a_rule_against_parallel_fifths_holds_for_every_voice() -> None:
    """The alto that would follow the bass a fifth above loses, as the bass below the alto does."""
    tables = CounterpointAround(ARTICULATED.size, PITCHES, [])
    fifth_below, step_up = OCTAVE + 7, 1
    with torch.no_grad():
        tables.led_MS[fifth_below * WAYS + step_up, 7] = -1.0
    before = [31, 26, 22, 7]  # alto and bass: 19 semitones, a fifth and an octave
    now = [31, MASK - FIRST, 22, 9]
    ids = torch.tensor([[before, now]]) + FIRST

    fit = tables(*tables.beside(ids, torch.zeros(1, 2, 0, dtype=torch.int64)))[0, 1, 1]

    against = [int(token) - FIRST for token in fit[FIRST:HOLD].nonzero().flatten() + FIRST]
    assert against == [16, 28, 40]
    assert (fit[[FIRST + pitch for pitch in against]] == -GAIN).all()


def test_pitches_that_the_vocabulary_lacks_are_refused() -> None:
    """One sentence that names the value; steps need every pitch as a hold, too."""
    for wrong in (-1, 45, 2 * PITCHES):
        with pytest.raises(ModelError, match=rf"counterpoint is {wrong} .* expected 0, or the"):
            tiny_config("none", told=TOLD, family="infill", counterpoint=wrong)
    with pytest.raises(
        ModelError, match=r"counterpoint is 46 in family infill and 'voice' is among"
    ):
        tiny_config("none", told=("voice", *TOLD), family="infill", counterpoint=PITCHES)
    with pytest.raises(ModelError, match=r"pitches is .* of family causal or encoder_decoder"):
        tiny_config("none", told=TOLD, family="infill", pitches=PITCHES)
