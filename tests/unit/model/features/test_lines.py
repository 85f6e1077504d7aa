"""Biases by line against formulas for single tokens."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

from musicrel.errors import ModelError
from musicrel.model.blocks.kv_cache import ID_CONTEXT
from musicrel.model.config import ModelConfig
from musicrel.model.decoding.step import IncrementalDecoder
from musicrel.model.features.line_rows import LOOK_BACK
from musicrel.model.features.logit_biases import LogitBiases
from musicrel.tokens.vocabulary import ARTICULATED, MASK, PITCH, PITCHES, START
from tests.helpers.decoding import assert_decodes_as_in_one_pass
from tests.helpers.models import tiny_config, tiny_model, tiny_rows
from tests.unit.model.features.lines import FIRST, HOLD, VOICES, line_bias, line_of, melodies

TOLD = ("voice", "beat", "key", "ending")
STEPS = 80


def line_config(**fields: Any) -> ModelConfig:
    """Return the config of a tiny model with a table of lines."""
    shape: dict[str, Any] = {"conditions": TOLD, "counterpoint": PITCHES, "lines": PITCHES}
    return tiny_config("relative", **shape | fields)


def tables_of(config: ModelConfig) -> LogitBiases:
    """Return the biases of a model with large weights, in float64."""
    tables = tiny_model(config, dtype=torch.float64).counterpoint
    assert tables is not None
    return tables


def framed(steps: int, batch: int = 1, *, gaps: bool = True) -> Tensor:
    """Return pieces with START."""
    start = torch.full((batch, 1), START)
    return torch.cat([start, melodies(batch, steps, gaps=gaps)], dim=1)


def rows_of(length: int) -> Tensor:
    """Return rows of voices and sixteenths in turn: (1, N, C)."""
    place = torch.arange(length)
    columns = [1 + place % VOICES, 1 + place // VOICES % 4, place * 0, place * 0]
    return torch.stack(columns, dim=-1)[None]


def test_the_biases_by_line_are_those_of_the_formula() -> None:
    """Every token after every other, with rests, gaps, long notes and the start."""
    tables = tables_of(line_config())
    ids, rows = framed(STEPS), rows_of(VOICES * STEPS + 1)

    line = tables.lines_of(ids)
    assert line is not None
    biases = tables.rule_biases(tables.neighbours(ids), rows, line)["line_LJ"].logits()

    for place in range(0, ids.shape[1], 3):
        voice, beat = rows[0, place, :2].tolist()
        own = ids[0, 1 + place % VOICES : place + 1 : VOICES].tolist()
        expected = [line_bias(tables, voice, beat, own, t) / 8 for t in range(ARTICULATED.size)]
        found = torch.tensor(expected, dtype=torch.float64)
        torch.testing.assert_close(biases[0, place], found)


def test_every_row_of_moves_and_ages_occurs_in_the_melodies() -> None:
    """So that the formulas are compared where it matters."""
    ids_T4 = melodies(3, STEPS).view(3, STEPS, VOICES)
    found = {
        line_of(ids_T4[piece, :step, voice].tolist())[:2]
        for piece in range(3)
        for step in range(STEPS)
        for voice in range(VOICES)
    }

    assert len({move for move, _ in found}) == 7
    assert {1, 2, 3, 4, 5, 8} <= {age for _, age in found}
    assert max(age for _, age in found) == LOOK_BACK + 1


def test_what_the_biases_are_counts_of_is_what_they_are_gradients_of() -> None:
    """The counts are the gradient of the biases of the tokens that followed."""
    tables = tables_of(line_config())
    ids, rows = framed(STEPS, 2, gaps=False), rows_of(VOICES * STEPS).expand(2, -1, -1)
    known = ids[:, :-1]
    biases = tables(tables.neighbours(known), rows, tables.lines_of(known))
    biases.gather(-1, ids[:, 1:, None]).sum().backward()

    counts = tables.count(ids, rows)

    owed = tables.line_LJ.grad
    assert owed is not None
    assert owed.any()
    torch.testing.assert_close(counts["line_LJ"].double(), owed / 8)


def test_decoding_with_lines_is_the_full_pass() -> None:
    """With and without a prompt, and with fixed shapes; longer than the look back."""
    config = line_config(pitches=PITCHES)
    model = tiny_model(config, dtype=torch.float64)
    ids = framed(STEPS, 3)
    assert_decodes_as_in_one_pass(model, ids, tiny_rows(config, 3, ids.shape[1]), (0, 5, 150))


def test_a_line_goes_on_in_parts_of_a_piece() -> None:
    """The ids before a part are those that the cache keeps."""
    tables = tables_of(line_config())
    ids = framed(STEPS)
    whole, part = tables.lines_of(ids), tables.lines_of(ids[:, 200:], ids[:, 73:200])

    assert ID_CONTEXT == 127 == VOICES * LOOK_BACK - 1
    assert whole is not None
    assert part is not None
    assert torch.equal(whole.state[:, 200:], part.state)
    assert torch.equal(whole.pitch[:, 200:], part.pitch)


def test_particles_keep_the_lines_of_what_they_continue() -> None:
    """Branched from a trunk, selected, and branched again from what they share."""
    model = tiny_model(line_config(), dtype=torch.float64)
    ids, rows = framed(STEPS, 2), tiny_rows(model.config, 2, VOICES * STEPS + 1)
    expected = model(ids, rows).logits_BTV[1]
    trunk = IncrementalDecoder(model, rows)
    trunk.prefill(ids[:, :250])
    particles = IncrementalDecoder(model, rows[1:].expand(3, -1, -1))

    for first, shared in ((200, 0), (240, 200)):
        particles.cache.fill(trunk.cache, 1, first, shared)
        for place in range(first, first + 10):
            logits = particles.step(ids[1, place].expand(3)).logits_BV
            torch.testing.assert_close(logits, expected[place].expand(3, -1), rtol=0, atol=1e-10)
        particles.cache.select(torch.tensor([2, 2, 0]), first)


def test_a_rule_that_steps_go_on_can_be_written_into_the_table() -> None:
    """After a step up a held soprano is drawn to the next steps up, and nowhere else."""
    tables = LogitBiases(ARTICULATED.size, PITCHES, ["voice"], lines=True)
    with torch.no_grad():
        tables.line_LJ.view(5, 5, 7, 6, 8)[1, 0, 1, 1, 2] = 1.0  # soprano, step up, age 2, step up
    before = [20, 15, 10, 5]
    after = [22, 15, 10, 5]
    ids = torch.tensor([[START, *before, *after]]) + torch.tensor([[0] + [FIRST] * 8])
    held = torch.tensor([[HOLD + pitch for pitch in after]])
    ids = torch.cat([ids, held], dim=1)

    biases = tables(tables.neighbours(ids), rows_of(13)[..., :1], tables.lines_of(ids))[0, -1]

    assert (biases.nonzero().flatten() - FIRST).tolist() == [23, 24]
    assert biases[FIRST + 23] == 8.0


def test_repeated_notes_keep_the_last_move_and_are_young() -> None:
    """The age is that of the last onset."""
    up = [FIRST + 20, FIRST + 24, HOLD + 24, FIRST + 24]

    assert line_of(up) == ("third up", 1, 24)
    assert line_of([*up, HOLD + 24, MASK]) == ("third up", 3, 24)
    lines = tables_of(line_config())
    line = lines.line_of(torch.tensor(up[::-1] + [0] * 4))
    assert line is not None
    assert (int(line.state), int(line.pitch)) == (2 * 6, 24)


@pytest.mark.parametrize(
    ("lines", "fields"),
    [
        (45, {}),
        (-1, {}),
        (True, {}),
        (PITCHES, {"counterpoint": 0}),
        (PITCHES, {"vocabulary": PITCH}),
    ],
)
def test_lines_without_their_tables_are_refused(lines: Any, fields: dict[str, Any]) -> None:
    """They need the other biases, and holds."""
    with pytest.raises(ModelError, match=rf"lines is {lines} with counterpoint .*: expected 0, or"):
        line_config(lines=lines, **fields)


def test_a_model_without_lines_has_no_table_of_them() -> None:
    """Cards that lack the entry are read as before."""
    values = line_config().to_json()
    del values["lines"]
    config = ModelConfig.from_json(values)

    assert config.lines == 0
    assert set(tables_of(config).state_dict()) == {"voice_leading_MS", "rhythm_WG", "cadence_HD"}
    assert tables_of(config).lines_of(framed(4)) is None
