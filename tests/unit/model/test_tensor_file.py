"""Tensors of types and shapes that torch and NumPy do not know, wherever tensors are read."""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.numpy
import torch

from musicrel import jobs
from musicrel.errors import DataError, ModelError, MusicrelError
from musicrel.experiment.runs.checkpoints import Checkpoints
from musicrel.generation.discriminator import network
from musicrel.generation.heads import head_means
from musicrel.generation.loaded_model import load_model
from musicrel.model import checkpoint, companions, importing, tensor_file
from musicrel.model.card import CARD, WEIGHTS
from musicrel.model.companions import MEANS, NETWORKS, WEIGHTS_HASH
from tests.helpers.models import random_network, tiny_model_directory

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
    """Return a file whose first tensor has another entry in the header."""
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


@each_entry
def test_weights_are_refused(tmp_path: Path, entry: dict[str, object]) -> None:
    """Loaded, checked or imported."""
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


@each_entry
def test_networks_are_refused(tmp_path: Path, entry: dict[str, object]) -> None:
    path = tmp_path / NETWORKS
    content = network.content([random_network(1)], "5f")
    path.write_bytes(repacked(content, lambda first: first.update(entry)))

    with pytest.raises(DataError, match="does not hold networks"):
        network.read(path)
    assert companions.hash_in(path) == "5f"


@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_means_of_heads_are_not_used(tmp_path: Path, kind: object) -> None:
    """A file that is whole otherwise: its offsets fit the size of the type."""
    folder = tiny_model_directory(tmp_path / "tiny")
    model = load_model(str(folder))
    shape = [5, 2, 2, 8]
    size = 160 * _BITS.get(str(kind), 32) // 8
    texts = {WEIGHTS_HASH: model.sha256}
    (folder / MEANS).write_bytes(of_one_tensor(kind, shape, size, texts))

    assert head_means.known(model) is None


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_means_of_heads_of_impossible_shapes_are_not_used(tmp_path: Path, shape: object) -> None:
    folder = tiny_model_directory(tmp_path / "tiny")
    model = load_model(str(folder))
    (folder / MEANS).write_bytes(of_one_tensor("F32", shape, 0, {WEIGHTS_HASH: model.sha256}))

    assert head_means.known(model) is None


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
