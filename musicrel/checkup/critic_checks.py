"""Checks of the critic, on the device beside torch on the CPU.

Dimensions: N tokens, C conditions.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
import torch

from musicrel.checkup.findings import Check, NotTriedError, Outcome
from musicrel.checkup.subject import Floats, compared_numbers, piece
from musicrel.generation import kernel
from musicrel.generation.candidates.critic import Critic, critic_input
from musicrel.model import checkpoint

_ONLY_CPU: Final = "candidates are ranked on the CPU"
_REFERENCE: Final = "torch on the CPU is the reference"


def checks(folder: Path, device: str) -> list[Check]:
    return [
        Check(subject=folder.name, name="logits", work=partial(logits, folder, device)),
        Check(subject=folder.name, name="log-odds", work=partial(log_odds, folder, device)),
    ]


def logits(folder: Path, device: str) -> Outcome:
    """Read a piece with the network."""
    if device == "cpu":
        raise NotTriedError(_REFERENCE)
    return compared_numbers("logits", _logits(folder, device), _logits(folder, "cpu"))


def log_odds(folder: Path, device: str) -> Outcome:
    """Judge a piece as a candidate."""
    if device != "cpu":
        raise NotTriedError(_ONLY_CPU)
    found = Critic.load(folder).log_odds([piece()])
    with kernel.switched_off():
        expected = Critic.load(folder).log_odds([piece()])
    return compared_numbers("log-odds", np.array(found), np.array(expected))


@torch.inference_mode()
def _logits(folder: Path, device: str) -> Floats:
    network = checkpoint.load(folder, device).model
    ids_N, rows_NC = critic_input(piece(), tuple(network.config.conditions))
    ids_1N = torch.from_numpy(ids_N)[None].to(device)
    rows_1NC = torch.from_numpy(rows_NC)[None].to(device)
    found: Floats = network(ids_1N, rows_1NC).logits_BTV[0].cpu().numpy()
    return found
