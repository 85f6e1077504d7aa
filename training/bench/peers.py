"""Decoders of other libraries for ``musicrel bench``: same size, each with its fastest interface.

They are measured where they are installed, with random weights, which costs the same.
"""

from __future__ import annotations

from functools import partial
from importlib.util import find_spec
from typing import Final

import torch

from musicrel.model.config import ModelConfig
from training.bench.rows import Work

GPT2: Final = "Hugging Face GPT-2, cache"
"""Name of the decoder that ours is compared with."""
_START: Final = 2
_PACKAGES: Final = {"transformers": "transformers", "x_transformers": "x-transformers"}
"""Modules of the other libraries, and the packages that hold them."""


def missing() -> str:
    """Return which libraries are not measured and how to get them; "" if all are installed."""
    packages = [package for module, package in _PACKAGES.items() if not find_spec(module)]
    if not packages:
        return ""
    return (
        f"the decoders of {' and '.join(packages)} are not measured, they are not installed here: "
        "install musicrel with its extra, as in pip install 'musicrel[bench]'"
    )


def found(config: ModelConfig, tokens: int, device: str) -> dict[str, Work]:
    """Return functions that decode ``tokens`` tokens with a model of ``config``'s size, by name."""
    peers: dict[str, Work] = {}
    if find_spec("transformers"):
        peers[GPT2] = _gpt2(config, tokens, device)
    if find_spec("x_transformers"):
        peers["x-transformers, cache"] = _x_transformers(config, tokens, device)
        peers["x-transformers, T5 bias, cache"] = _x_transformers(
            config, tokens, device, rel_pos_bias=True
        )
    return peers


def _gpt2(config: ModelConfig, tokens: int, device: str) -> Work:
    """Return a bare loop over the model: faster than its ``generate``."""
    from transformers import GPT2Config, GPT2LMHeadModel

    shape = GPT2Config(
        vocab_size=config.tokens,
        n_positions=tokens,
        n_embd=config.width,
        n_layer=config.layers,
        n_head=config.heads,
        n_inner=config.feedforward,
        bos_token_id=_START,
        eos_token_id=_START,
    )
    model = GPT2LMHeadModel(shape).to(device).eval()

    @torch.inference_mode()
    def decode() -> None:
        ids, past = torch.tensor([[_START]], device=device), None
        for _ in range(tokens):
            result = model(ids, past_key_values=past, use_cache=True)
            ids, past = result.logits[:, -1:].argmax(-1), result.past_key_values

    return decode


def _x_transformers(
    config: ModelConfig, tokens: int, device: str, *, rel_pos_bias: bool = False
) -> Work:
    from x_transformers import AutoregressiveWrapper, Decoder, TransformerWrapper

    layers = Decoder(
        dim=config.width,
        depth=config.layers,
        heads=config.heads,
        attn_dim_head=config.head_width,
        rel_pos_bias=rel_pos_bias,
    )
    network = TransformerWrapper(
        num_tokens=config.tokens, max_seq_len=tokens + 1, attn_layers=layers
    )
    model = AutoregressiveWrapper(network).to(device).eval()
    prompt = torch.tensor([[_START]], device=device)
    decode = partial(model.generate, prompt, tokens, temperature=0.0, cache_kv=True)
    return torch.inference_mode()(decode)
