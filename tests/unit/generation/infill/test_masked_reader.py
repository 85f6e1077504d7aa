"""Readers of pieces with hidden cells: torch in both precisions, and the compiled kernel."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from musicrel import jobs
from musicrel.chorale import Chorale, Flags
from musicrel.generation import edit_requests, kernel
from musicrel.generation.candidates import candidate_job
from musicrel.generation.heads.mutes import Mutes
from musicrel.generation.infill import masked_reader
from musicrel.generation.infill.masked_reader import CompiledReader, MaskedReader, read_cells
from musicrel.generation.infill.torch_reader import TorchReader
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.generation.sampling import Floats
from musicrel.model.devices import Precision
from musicrel.model.tokens import codec
from musicrel.model.tokens.conditions import Rows
from musicrel.model.tokens.vocabulary import MASK
from tests.helpers.music import random_chorale

STEPS = 40
PRECISIONS: tuple[Precision, ...] = ("single", "mixed")
both_precisions = pytest.mark.parametrize("precision", PRECISIONS)


def hidden_piece(model: LoadedModel, seed: int = 0) -> tuple[masked_reader.Grid, Rows, Flags]:
    """Return tokens with hidden cells, the conditions, and which cells are hidden, (1, T, 4)."""
    piece = random_chorale(seed, STEPS)
    tokens = codec.encode(piece, model.vocabulary)[1:-1].reshape(-1, 4)
    hidden = np.random.default_rng(seed).random(tokens.shape) < 0.2
    rows = model.condition_rows(piece, ("beat",))[:-2]
    return np.where(hidden, MASK, tokens), rows, hidden[None]


def logits_of(reader: MaskedReader, model: LoadedModel, seed: int = 0) -> Floats:
    """Return the logits of the hidden cells, (T, 4, V), zero elsewhere."""
    tokens, rows, wanted = hidden_piece(model, seed)
    (found,) = read_cells(reader, [tokens], [rows], wanted)
    return np.where(wanted[0][..., None], found.astype(np.float64), 0.0)


def by_network(model: LoadedModel) -> Floats:
    tokens, rows, wanted = hidden_piece(model)
    with torch.inference_mode():
        ids = torch.from_numpy(tokens.reshape(1, -1))
        logits = model.network(ids, torch.from_numpy(rows)[None]).logits_BTV
    whole = logits[0].double().numpy().reshape(*tokens.shape, -1)
    return np.where(wanted[0][..., None], whole, 0.0)


def test_torch_reads_the_logits_of_the_network(infill_model: LoadedModel) -> None:
    """In float32 they are equal, in bfloat16 they differ by a hundredth of their scale."""
    expected = by_network(infill_model)
    single = logits_of(TorchReader(infill_model, "single"), infill_model)
    mixed = logits_of(TorchReader(infill_model, "mixed"), infill_model)
    np.testing.assert_allclose(single, expected, atol=1e-4)
    assert np.abs(mixed - expected).mean() < 0.01 * np.abs(expected).std()


@both_precisions
def test_the_kernel_reads_the_logits_of_the_network(
    infill_model: LoadedModel, precision: Precision
) -> None:
    """Its layers are its own in float32 and those of torch in bfloat16."""
    if not kernel.available():
        pytest.skip(kernel.reason())
    reader = masked_reader.open_masked_reader(infill_model, precision)
    assert isinstance(reader, CompiledReader)
    assert reader.precision == precision
    expected, scale = by_network(infill_model), by_network(infill_model).std()
    difference = np.abs(logits_of(reader, infill_model) - expected)
    assert difference.mean() < {"single": 1e-5, "mixed": 0.01}[precision] * scale


@both_precisions
def test_without_the_kernel_torch_reads(infill_model: LoadedModel, precision: Precision) -> None:
    with kernel.switched_off():
        reader = masked_reader.open_masked_reader(infill_model, precision)
    assert isinstance(reader, TorchReader)
    assert reader.precision == precision


@both_precisions
def test_the_logits_of_a_piece_do_not_depend_on_others(
    infill_model: LoadedModel, precision: Precision
) -> None:
    for reader in (
        masked_reader.open_masked_reader(infill_model, precision),
        TorchReader(infill_model, precision),
    ):
        pieces = [hidden_piece(infill_model, seed) for seed in range(3)]
        tokens, rows, wanted = zip(*pieces, strict=True)
        together = read_cells(reader, tokens, rows, np.concatenate(wanted))
        for piece, found in zip(pieces, together, strict=True):
            (alone,) = read_cells(reader, [piece[0]], [piece[1]], piece[2])
            assert np.array_equal(alone[piece[2][0]], found[piece[2][0]])


def test_a_long_piece_is_read_in_parts(
    infill_model: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = TorchReader(infill_model, "single")
    whole = logits_of(reader, infill_model)
    monkeypatch.setattr(masked_reader, "_MAX_CELLS", 64)
    monkeypatch.setattr(masked_reader, "_PART_CELLS", 64)
    monkeypatch.setattr(masked_reader, "_MARGIN", 4 * STEPS)
    np.testing.assert_allclose(logits_of(reader, infill_model), whole, atol=1e-4)
    monkeypatch.setattr(masked_reader, "_MARGIN", 8)
    assert logits_of(reader, infill_model).any(axis=-1).sum() == whole.any(axis=-1).sum()


def test_only_cells_near_the_region_are_read(
    infill_model: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = TorchReader(infill_model, "single")
    tokens, rows, wanted = hidden_piece(infill_model)
    wanted[:, :20] = wanted[:, 24:] = False
    wanted[0, 20, 0] = True
    monkeypatch.setattr(masked_reader, "_MARGIN", 4 * 5)
    (found,) = read_cells(reader, [tokens], [rows], wanted, slice(4 * 20, 4 * 24))
    part = slice(15, 29)
    (alone,) = read_cells(reader, [tokens[part]], [rows[4 * 15 : 4 * 29]], wanted[:, part])
    np.testing.assert_allclose(found[20, 0], alone[5, 0], atol=1e-4)


_PIECE = random_chorale(4, 32, margin=2)
_ONE = Mutes.parse("1.1", "zero")
_ALL = Mutes.parse("1,2", "zero")


def request(mutes: Mutes) -> GenerationRequest:
    voices = edit_requests.parse_voices("A,T")
    return edit_requests.infill_request(_PIECE, voices, 8, 24, quality="draft", mutes=mutes)


def rewritten(model: LoadedModel, mutes: Mutes) -> Chorale:
    made = jobs.run(candidate_job.generate_candidates(model, request(mutes), 1))
    return made.ranked[0].chorale


def test_a_muted_head_gives_other_notes_and_keeps_the_rest(infill_model: LoadedModel) -> None:
    plain = rewritten(infill_model, Mutes(by="zero"))

    for mutes in (_ONE, _ALL):
        muted = rewritten(infill_model, mutes)
        assert (muted.pitches != plain.pitches).any()
        kept = np.ones((32, 4), dtype=np.bool_)
        kept[8:24, 1:3] = False
        np.testing.assert_array_equal(muted.pitches[kept], _PIECE.pitches[kept])


def test_torch_writes_the_notes_of_the_kernel(infill_model: LoadedModel) -> None:
    by_torch = replace(infill_model, may_compile=False)

    one, other = rewritten(infill_model, _ONE), rewritten(by_torch, _ONE)

    np.testing.assert_array_equal(one.pitches, other.pitches)


def test_the_provenance_names_the_muted_heads_and_the_precision(infill_model: LoadedModel) -> None:
    provenance = rewritten(infill_model, _ONE).provenance

    assert provenance is not None
    assert (provenance.settings["mute"], provenance.settings["mute_by"]) == ("1.1", "zero")
    assert provenance.machine["precision"] == "single"
