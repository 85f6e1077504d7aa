"""Direct logit attribution: contributions add up to the logits, and each is what its part wrote."""

from __future__ import annotations

from itertools import product

import numpy as np
import numpy.typing as npt
import pytest
import torch

from musicrel.analysis.corpus import bundled
from musicrel.chorale import Chorale
from musicrel.errors import ModelError, UsageError
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.interpretability.readers import open_reader
from musicrel.interpretability.results import Attributions
from musicrel.model.tokens.conditions import CONDITIONS
from musicrel.model.tokens.vocabulary import ARTICULATED
from tests.helpers.models import tiny_card, tiny_config, tiny_model
from tests.unit.interpretability.naive import NaiveModel

EXACT = 1e-9
WRITERS = (
    "relative", "relative-infill", "relative-jsb", "vanilla", "vanilla-infill", "vanilla-jsb",
)  # fmt: skip


def logits_of(model: LoadedModel, piece: Chorale, cell: int) -> npt.NDArray[np.float64]:
    """Return the logits of a cell by the network itself, in double precision."""
    naive = NaiveModel(model, piece)
    with torch.inference_mode():
        ids_1N, rows_1NC = (
            torch.from_numpy(one)[None] for one in (naive.inputs(cell), naive.rows_NC)
        )
        logits_V: npt.NDArray[np.float64] = naive.network(ids_1N, rows_1NC).logits_BTV[0, cell]
    return np.asarray(logits_V)


@pytest.mark.parametrize("name", WRITERS)
def test_the_contributions_add_up_to_the_logits_of_every_writing_model(name: str) -> None:
    model, piece = load_model(name), bundled.load("test")[3]
    cells = (0, 41, 205)
    found = open_reader(model, piece).attributions(cells)
    assert found.cells_C.tolist() == list(cells)
    for cell, logits_V in zip(cells, found.logits_CV, strict=True):
        np.testing.assert_allclose(logits_V, logits_of(model, piece, cell), atol=EXACT)


@pytest.mark.usefixtures("by")
def test_the_contributions_add_up_in_every_family(every_model: LoadedModel, piece: Chorale) -> None:
    found = open_reader(every_model, piece).attributions((37, 2, 38))
    assert found.cells_C.tolist() == [2, 37, 38]
    for cell, logits_V in zip(found.cells_C.tolist(), found.logits_CV, strict=True):
        np.testing.assert_allclose(logits_V, logits_of(every_model, piece, cell), atol=EXACT)


def test_a_head_contributes_its_output_through_the_last_norm_and_the_output_layer(
    model: LoadedModel, piece: Chorale
) -> None:
    naive, cell = NaiveModel(model, piece), 30
    found = open_reader(model, piece).attributions([cell])
    with torch.inference_mode():
        ids_1N, rows_1NC = (torch.from_numpy(one)[None] for one in (naive.inputs(), naive.rows_NC))
        mixed = naive.network(ids_1N, rows_1NC, record=True).mixed
    states_D = state_before_the_norm(naive, cell)
    norm, config = naive.network.norm, model.config
    for layer, head in product(range(config.layers), range(config.heads)):
        columns = slice(head * config.head_width, (head + 1) * config.head_width)
        out_Dd = naive.network.blocks[layer].attention.project_out.weight.detach()[:, columns]
        added_D = out_Dd @ mixed[layer][0, head, cell]
        spread = torch.sqrt(states_D.var(correction=0) + norm.eps)
        normal_D = (added_D - added_D.mean()) / spread * norm.weight.detach()
        expected_V = naive.network.head.weight.detach() @ normal_D
        np.testing.assert_allclose(found.heads_CLHV[0, layer, head], expected_V, atol=EXACT)


def state_before_the_norm(naive: NaiveModel, cell: int) -> torch.Tensor:
    kept: list[torch.Tensor] = []
    handle = naive.network.norm.register_forward_pre_hook(lambda _, given: kept.append(given[0]))
    naive.network(torch.from_numpy(naive.inputs())[None], torch.from_numpy(naive.rows_NC)[None])
    handle.remove()
    return kept[0][0, cell].detach()


def test_the_axes_are_named(model: LoadedModel, piece: Chorale) -> None:
    found = open_reader(model, piece).attributions([3, 4])
    assert Attributions.axes["heads_CLHV"] == ("cell", "layer", "head", "token")
    assert found.heads_CLHV.shape == (2, 2, 2, model.vocabulary.size)
    assert found.feedforward_CLV.shape == (2, 2, model.vocabulary.size)


def test_the_model_is_not_changed(model: LoadedModel, piece: Chorale) -> None:
    reader = open_reader(model, piece)
    before = reader.output(20).log_p_V
    reader.attributions([20])
    np.testing.assert_array_equal(reader.output(20).log_p_V, before)
    assert model.network.embed_token.weight.dtype == torch.float32


def test_a_cell_outside_the_piece_is_refused(model: LoadedModel, piece: Chorale) -> None:
    with pytest.raises(UsageError, match="no cell 48"):
        open_reader(model, piece).attributions([48])


def test_a_model_that_normalises_after_its_layers_is_refused(piece: Chorale) -> None:
    network = tiny_model(tiny_config("relative", conditions=tuple(CONDITIONS), norm="post"))
    model = LoadedModel.unsaved(network, tiny_card(network), ARTICULATED)
    with pytest.raises(ModelError, match="normalises its states after every layer"):
        open_reader(model, piece).attributions([3])
