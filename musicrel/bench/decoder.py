"""The decoder part of ``musicrel bench``: a random model of width 256 and six layers.

Every figure covers the whole path from request to notes, with sampling and probabilities; ratios
are those of one run, the alternatives taking turns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

import numpy as np

from musicrel import jobs
from musicrel.bench import peers, workloads
from musicrel.bench.timing import Row, best, row
from musicrel.chorale import Flags
from musicrel.generation.causal.causal_generator import generate
from musicrel.generation.causal.decode_sequence import DecodeSequence
from musicrel.generation.causal.decoder import decode
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.generation.request import GenerationRequest
from musicrel.generation.sampling import Sampler
from musicrel.model import devices
from musicrel.model.card import Card
from musicrel.model.families.transformer import Transformer
from musicrel.tokens.codec import Ids
from musicrel.tokens.conditions import positional_rows
from musicrel.tokens.vocabulary import ARTICULATED, REST_TOKEN, START

_TOKENS: Final = 1024
_BATCH_TOKENS: Final = 256
_BATCHES: Final = (1, 8, 32)
_PROMPT: Final = 512
_BARS: Final = 16
_VANILLA: Final = f"decode {_TOKENS:,} tokens, vanilla"
_SCHEMES: Final = {"vanilla": "sinusoidal", "relative": "relative"}
"""Names of models, also of bundled ones, and their positional schemes."""


def rows(device: str, threads: int) -> list[Row]:
    """Return all figures of the decoder."""
    models = {name: _model(scheme, device, threads) for name, scheme in _SCHEMES.items()}
    bundled = {name: load_model(name, device, threads) for name in _SCHEMES}
    return [
        *_beside_peers(models["vanilla"], models["relative"]),
        *_batches(models["vanilla"]),
        *_first_token(models),
        *_pieces(models, bundled),
    ]


def _beside_peers(vanilla: LoadedModel, relative: LoadedModel) -> list[Row]:
    config, device = vanilla.network.config, str(vanilla.device)
    ours: dict[str, Callable[[], object]] = {
        _VANILLA: partial(_decode, vanilla, _TOKENS),
        f"{_VANILLA}, attention recorded": partial(_decode, vanilla, _TOKENS, record=True),
        f"decode {_TOKENS:,} tokens, relative": partial(_decode, relative, _TOKENS),
    }
    seconds = best(ours | peers.found(config, _TOKENS, device))
    first = _TOKENS / seconds.pop(_VANILLA)
    others = [
        row(name, _TOKENS / taken, "tokens/s", _VANILLA, _TOKENS / taken / first)
        for name, taken in seconds.items()
    ]
    return [row(_VANILLA, first, "tokens/s"), *others]


def _batches(model: LoadedModel) -> list[Row]:
    name = f"decode {_BATCH_TOKENS} tokens, vanilla, batch"
    seconds = best(
        {f"{name} {batch}": partial(_decode, model, _BATCH_TOKENS, batch) for batch in _BATCHES}
    )
    found: list[Row] = []
    for (name, taken), batch in zip(seconds.items(), _BATCHES, strict=True):
        speed = batch * _BATCH_TOKENS / taken
        ratio = (found[0]["name"], speed / found[0]["value"]) if found else ()
        found.append(row(name, speed, "tokens/s", *ratio))
    return found


def _first_token(models: Mapping[str, LoadedModel]) -> list[Row]:
    works = {
        f"first token after {_PROMPT} of a prompt, {name}": partial(
            _decode, model, _PROMPT, prompt=_PROMPT
        )
        for name, model in models.items()
    }
    return [row(name, 1e3 * taken, "ms") for name, taken in best(works).items()]


def _pieces(models: Mapping[str, LoadedModel], bundled: Mapping[str, LoadedModel]) -> list[Row]:
    """Time whole pieces of all models, and candidates of the bundled ones."""
    piece, short = GenerationRequest(bars=_BARS), GenerationRequest(bars=4)
    works: dict[str, Callable[[], object]] = {
        f"{_BARS} bars, {size}, {name}": partial(_write, model, piece)
        for size, group in {"width 256": models, "shipped": bundled}.items()
        for name, model in group.items()
    }
    for name, model in bundled.items():
        works[f"8 candidates of 4 bars, shipped, {name}"] = partial(
            workloads.generate_candidates, model, short, 8
        )
    return [row(name, taken, "s") for name, taken in best(works).items()]


def _write(model: LoadedModel, request: GenerationRequest) -> None:
    jobs.run(generate(model, request))


def _decode(
    model: LoadedModel, tokens: int, batch: int = 1, *, prompt: int = 1, record: bool = False
) -> None:
    ids = np.array([START, *[REST_TOKEN] * (prompt - 1)])
    conditions_NC = positional_rows(tokens + 2, model.conditions)  # noqa: N806  # with START, END
    sequences = [
        DecodeSequence(conditions_NC=conditions_NC, seed=seed, prompt=ids) for seed in range(batch)
    ]
    rules = _NoRules(model.vocabulary.size)
    jobs.run(decode(model, sequences, tokens, rules, Sampler(), record=record))


def _model(scheme: str, device: str, threads: int) -> LoadedModel:
    """Return a random model of the size to measure."""
    devices.use_threads(threads)
    config = workloads.config(scheme, _TOKENS)
    network = Transformer(config).to(devices.resolve(device)).eval()
    card = Card(
        name=scheme,
        config=config,
        vocabulary={"name": ARTICULATED.name, "symbols": list(ARTICULATED.symbols())},
        parameters=network.parameter_count,
    )
    return LoadedModel.unsaved(network, card, ARTICULATED)


class _NoRules:
    """Allows every token."""

    def __init__(self, tokens: int) -> None:
        self._tokens = tokens

    def legal_next_tokens(self, ids_BN: Ids) -> Flags:  # noqa: N803  # as the protocol has it
        return np.ones((len(ids_BN), self._tokens), dtype=np.bool_)
