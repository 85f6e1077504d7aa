"""Other people's decoders, for ``musicrel bench``: of the same size, each in its own best way.

They are measured where they are installed (``pip install musicrel[dev]``), and left out elsewhere.
Their weights are as large as ours but by chance, which costs the same.

This file knows their interfaces; it knows nothing of ours.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from musicrel.model.config import ModelConfig

Peer = Callable[[], object]
_START = 2


def found(config: ModelConfig, tokens: int, device: str) -> dict[str, Peer]:
    """What writes ``tokens`` tokens with a model of ``config``'s size, by its name in the table."""
    peers: dict[str, Peer] = {}
    if find_spec("transformers"):
        peers["Hugging Face GPT-2, cache"] = _gpt2(config, tokens, device)
    if find_spec("x_transformers"):
        peers["x-transformers, cache"] = _x_transformers(config, tokens, device)
        peers["x-transformers, T5 bias, cache"] = _x_transformers(
            config, tokens, device, rel_pos_bias=True
        )
    return peers


def _gpt2(config: ModelConfig, tokens: int, device: str) -> Peer:
    """A bare loop over the model: faster than its ``generate``."""
    import torch
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
    def write() -> None:
        ids, past = torch.tensor([[_START]], device=device), None
        for _ in range(tokens):
            seen = model(ids, past_key_values=past, use_cache=True)
            ids, past = seen.logits[:, -1:].argmax(-1), seen.past_key_values

    return write


def _x_transformers(
    config: ModelConfig, tokens: int, device: str, *, rel_pos_bias: bool = False
) -> Peer:
    """Its own ``generate`` with its own cache."""
    import torch
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

    @torch.inference_mode()
    def write() -> None:
        model.generate(prompt, tokens, temperature=0.0, cache_kv=True)

    return write
