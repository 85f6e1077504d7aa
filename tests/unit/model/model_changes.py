"""Changes of models on disk, after which they are refused."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import safetensors.torch

from musicrel.errors import ModelError
from musicrel.model import checkpoint
from musicrel.model.card import CARD, WEIGHTS

Change = Callable[[dict[str, Any]], None]


def weights_of(directory: Path) -> Path:
    return directory / WEIGHTS


def change_card(directory: Path, change: Change) -> None:
    path = directory / CARD
    values = json.loads(path.read_text())
    change(values)
    path.write_text(json.dumps(values))


def change_header(directory: Path, change: Change) -> None:
    content = weights_of(directory).read_bytes()
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length])
    change(header)
    text = json.dumps(header).encode()
    write_weights(directory, struct.pack("<Q", len(text)) + text + content[8 + length :])


def change_tensors(directory: Path, change: Change) -> None:
    tensors = safetensors.torch.load(weights_of(directory).read_bytes())
    change(tensors)
    write_weights(directory, safetensors.torch.save(tensors))


def write_weights(directory: Path, content: bytes) -> None:
    weights_of(directory).write_bytes(content)
    sha256 = checkpoint.weights_sha256(directory)
    change_card(directory, lambda card: card.update(weights_sha256=sha256))


def refused(directory: Path, sentence: str) -> None:
    with pytest.raises(ModelError, match=sentence) as caught:
        checkpoint.load(directory)
    assert str(directory) in str(caught.value)
