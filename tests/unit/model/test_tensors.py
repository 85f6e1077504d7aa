"""Tensors of types and shapes that torch and NumPy do not know; shapes by formula."""

from __future__ import annotations

import hashlib
import json
import math
import struct
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.numpy
import torch

from musicrel import jobs
from musicrel.errors import ModelError, MusicrelError
from musicrel.experiment.runs.run_folder import Checkpoints
from musicrel.generation.heads import replacement
from musicrel.generation.loaded_model import load_model
from musicrel.model import catalogue, checkpoint, importing, networks, tensor_file
from musicrel.model.card import CARD, WEIGHTS, read_card
from musicrel.model.companions import MEANS, WEIGHTS_HASH
from musicrel.model.config import ModelConfig
from musicrel.model.networks import build
from musicrel.model.positions.table import SCHEMES as SCHEME_NAMES
from musicrel.model.tensor_shapes import known_shapes
from musicrel.model.tokens.conditions import CONDITIONS
from musicrel.model.tokens.vocabulary import PITCH, PITCHES
from tests.helpers.models import tiny_config, tiny_model_directory

_BITS = {
    "F4": 4, "F6_E2M3": 6, "F8_E4M3": 8, "F8_E5M2": 8, "F8_E8M0": 8, "BF16": 16, "U16": 16,
    "U32": 32, "U64": 64, "BOOL": 8, "C64": 64, "I64": 64, "I8": 8, "Q3": 8, "f32": 32, "": 8,
}  # fmt: skip

TYPES = (*_BITS, 32, None, ["F32"], {"F32": 1})

SHAPES = (
    [0, 2**62, 2**62], [2**70], [-1], [1.5], [True], ["1"], "16", None, [1] * 40,
    [2**31, 2**31, 2**31],
)  # fmt: skip


def repacked(content: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length])
    change(header[min(set(header) - {"__metadata__"})])
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + content[8 + length :]


def of_one_tensor(kind: object, shape: object, size: int, texts: Mapping[str, str]) -> bytes:
    """Return a file with one tensor, "means_5LHd"."""
    entry = {"dtype": kind, "shape": shape, "data_offsets": [0, size]}
    text = json.dumps({"__metadata__": texts, "means_5LHd": entry}).encode()
    return struct.pack("<Q", len(text)) + text + bytes(size)


def entries() -> list[dict[str, object]]:
    kinds: list[dict[str, object]] = [{"dtype": kind} for kind in TYPES]
    return kinds + [{"shape": shape} for shape in SHAPES]


each_entry = pytest.mark.parametrize("entry", entries(), ids=str)

ALL = tuple(CONDITIONS)

WITHOUT_VOICE = tuple(name for name in CONDITIONS if name != "voice")

CONFIGS: list[dict[str, Any]] = [
    {},
    {"conditions": ALL, "pitches": PITCHES, "counterpoint": PITCHES},
    {"conditions": ("voice",), "counterpoint": PITCHES},
    {"conditions": ALL, "counterpoint": PITCHES, "lines": PITCHES},
    {"conditions": ("beat",), "pitches": PITCHES, "norm": "post"},
    {"vocabulary": PITCH, "conditions": ALL, "pitches": PITCHES, "counterpoint": PITCHES},
    {"layers": 3, "width": 24, "heads": 3, "feedforward": 40, "activation": "relu"},
    {"family": "infill", "conditions": ()},
    {"family": "infill", "conditions": WITHOUT_VOICE, "counterpoint": PITCHES},
    {"family": "infill", "conditions": ("beat",), "counterpoint": PITCHES, "norm": "post"},
    {"family": "infill", "conditions": (), "counterpoint": PITCHES, "lines": PITCHES},
]

SCHEMES: list[tuple[str, dict[str, Any]]] = [
    ("sinusoidal", {}),
    ("relative", {}),
    ("relative", {"max_distance": 7}),
    ("relative", {"shared": True}),
]


def shapes_of(config: ModelConfig) -> list[tuple[str, tuple[int, ...]]]:
    return [(name, tuple(value.shape)) for name, value in build(config).state_dict().items()]


@each_entry
def test_weights_are_refused(tmp_path: Path, entry: dict[str, object]) -> None:
    folder = tiny_model_directory(tmp_path / "tiny")
    content = repacked((folder / WEIGHTS).read_bytes(), lambda first: first.update(entry))
    (folder / WEIGHTS).write_bytes(content)
    card = json.loads((folder / CARD).read_text())
    card["weights_sha256"] = hashlib.sha256(content).hexdigest()
    (folder / CARD).write_text(json.dumps(card))

    for read in (checkpoint.load, checkpoint.check):
        with pytest.raises(ModelError, match="copy the model again"):
            read(folder)
    with pytest.raises(MusicrelError, match="copy the model again"):
        jobs.run(importing.import_model(importing.inspect(folder), "mine", replaces=False))


@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_means_of_heads_are_not_used(tmp_path: Path, kind: object) -> None:
    """A file that is whole otherwise: its offsets fit the size of the type."""
    folder = tiny_model_directory(tmp_path / "tiny")
    model = load_model(str(folder))
    shape = [5, 2, 2, 8]
    size = 160 * _BITS.get(str(kind), 32) // 8
    texts = {WEIGHTS_HASH: model.sha256}
    (folder / MEANS).write_bytes(of_one_tensor(kind, shape, size, texts))

    assert replacement.known(model) is None


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_means_of_heads_of_impossible_shapes_are_not_used(tmp_path: Path, shape: object) -> None:
    folder = tiny_model_directory(tmp_path / "tiny")
    model = load_model(str(folder))
    (folder / MEANS).write_bytes(of_one_tensor("F32", shape, 0, {WEIGHTS_HASH: model.sha256}))

    assert replacement.known(model) is None


@each_entry
def test_a_checkpoint_is_skipped(tmp_path: Path, entry: dict[str, object]) -> None:
    """With a checksum that fits: the one before is taken."""
    saved = Checkpoints(tmp_path)
    for step in (1, 2):
        saved.save(step, {"a": torch.ones(3)}, {"step": step})
    tensors, counters = (tmp_path / f"step-00000002.{kind}" for kind in ("safetensors", "json"))
    tensors.write_bytes(repacked(tensors.read_bytes(), lambda first: first.update(entry)))
    digest = hashlib.sha256(tensors.read_bytes()).hexdigest()
    counters.write_text(json.dumps({"step": 2, "sha256": digest}))

    found = saved.latest()

    assert found is not None
    assert found[1]["step"] == 1
    assert len(saved.problems()) == 1


def test_a_file_of_tensors_is_read_as_it_was_written() -> None:
    written = {"a": np.ones((2, 3), np.float16), "b": np.array(2.5, np.float32)}
    content = safetensors.numpy.save(written, {"of": "me"})

    read = tensor_file.read(content)

    assert {name: value.tolist() for name, value in read.items()} == {
        "a": [[1.0] * 3] * 2, "b": 2.5,
    }  # fmt: skip
    assert tensor_file.header(content).texts == {"of": "me"}


@pytest.mark.parametrize(("scheme", "options"), SCHEMES)
@pytest.mark.parametrize("shape", CONFIGS)
def test_the_shapes_are_those_of_the_network(
    scheme: str, options: dict[str, Any], shape: dict[str, Any]
) -> None:
    """In the same order, so that errors name the same tensor first."""
    config = tiny_config(scheme, options=options, **shape)

    found = known_shapes(config)

    assert found is not None
    assert list(found.items()) == shapes_of(config)


def test_the_shapes_of_all_shipped_models_are_known() -> None:
    folders = [path for path in catalogue.model_directories() if catalogue.is_shipped(path)]
    assert len(folders) > 3

    for folder in folders:
        config = read_card(folder).config
        found = known_shapes(config)
        assert found is not None
        assert list(found.items()) == shapes_of(config)


@pytest.mark.parametrize(
    "change",
    [
        {"scheme": "rope"},
        {"family": "classifier", "classes": 2, "conditions": {}},
        {"options": {"max_distance": 0}},
        {"options": {"max_distance": True}},
        {"options": {"shared": 1}},
        {"options": {"colour": 1}},
        {"scheme": "sinusoidal", "options": {"shared": True}},
    ],
)
def test_other_models_and_impossible_options_are_left_to_the_network(
    change: dict[str, Any],
) -> None:
    assert known_shapes(replace(tiny_config("relative"), **change)) is None


@pytest.mark.parametrize("scheme", ["none", "learned", "shaw", "bias", "transformer_xl", "rope"])
def test_a_network_tells_its_shapes_without_memory(scheme: str) -> None:
    config = tiny_config(scheme, conditions=ALL, pitches=PITCHES)

    assert list(networks.tensor_shapes(config).items()) == shapes_of(config)


@pytest.mark.parametrize("scheme", SCHEME_NAMES)
@pytest.mark.parametrize("shape", CONFIGS)
def test_the_shapes_are_those_of_the_parameters(scheme: str, shape: dict[str, Any]) -> None:
    """All tensors of a file are trained, so that they can be counted without a network."""
    config = tiny_config(scheme, **shape)

    sizes = map(math.prod, checkpoint.tensor_shapes(config).values())

    assert sum(sizes) == build(config).parameter_count
