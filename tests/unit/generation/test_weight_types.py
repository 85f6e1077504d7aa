"""int8 weights of large models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from musicrel.errors import UsageError
from musicrel.generation import kernel
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.generation.weight_types import SMALLEST
from musicrel.model import checkpoint
from musicrel.model.families.model_families import build
from tests.helpers.models import tiny_card, tiny_config, tiny_model_directory
from tests.helpers.music import random_chorale


def large_model_directory(directory: Path, scheme: str = "relative", **fields: Any) -> str:
    """Write a model that is large enough; return its directory."""
    torch.manual_seed(0)
    shape = {"width": 256, "layers": 4, "heads": 8, "feedforward": 1024} | fields
    model = build(tiny_config(scheme, **shape)).eval()
    assert model.parameter_count > SMALLEST
    checkpoint.save(directory, model, tiny_card(model))
    return str(directory)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Write a large relative model; return its directory."""
    return large_model_directory(tmp_path_factory.mktemp("models") / "large")


def kernel_of(model: LoadedModel) -> object:
    """Return the kernel in the provenance of a piece by ``model``."""
    return model.provenance(0, {}).machine["kernel"]


def test_a_large_model_is_read_with_int8_weights_on_request(large: str) -> None:
    """Logits differ a little, and the provenance names the kernel."""
    plain, model = load_model(large), load_model(large, weight_type="int8")
    ids = model.encode(random_chorale(5))

    logits, expected = model.logits(ids), plain.logits(ids)

    assert 0 < np.abs(logits - expected).max() < 0.05 * np.abs(expected).max()
    assert (kernel_of(plain), kernel_of(model)) == ("compiled", "compiled, int8 weights")


def test_a_small_model_is_refused(tmp_path: Path) -> None:
    """The message gives both sizes."""
    directory = str(tiny_model_directory(tmp_path / "tiny"))

    with pytest.raises(
        UsageError, match=r"tiny has 17,\d+ parameters: int8 .* at least 3,000,000, use float32"
    ):
        load_model(directory, weight_type="int8")


@pytest.mark.parametrize(
    ("scheme", "fields", "part"),
    [
        ("alibi", {}, "positional scheme alibi"),
        ("relative", {"family": "infill"}, "family infill"),
    ],
)
def test_a_model_without_compiled_step_is_refused(
    tmp_path: Path, scheme: str, fields: dict[str, Any], part: str
) -> None:
    """The message names the part."""
    directory = large_model_directory(tmp_path / "large", scheme, **fields)

    with pytest.raises(
        UsageError,
        match=rf"large cannot be read with int8 weights \(its {part} has no compiled step\)",
    ):
        load_model(directory, weight_type="int8")


def test_without_the_kernel_int8_is_refused(large: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message gives the reason."""
    monkeypatch.setenv(kernel.SWITCH, "off")

    with pytest.raises(UsageError, match=r"large cannot be read with int8 .* is switched off by"):
        load_model(large, weight_type="int8")


def test_an_unknown_type_is_refused(large: str) -> None:
    """The message gives the known ones."""
    unknown: Any = "int4"

    with pytest.raises(UsageError, match="unknown weight type 'int4': expected float32 or int8"):
        load_model(large, weight_type=unknown)
