"""The decoder part of ``musicrel bench``: a random model of width 256 and six layers.

Every figure covers the whole path from request to notes, with sampling and probabilities; ratios
are those of one run, the alternatives taking turns.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from musicrel.bench import peers
from musicrel.bench.timing import Row, best, row

if TYPE_CHECKING:
    from musicrel.chorale import Flags
    from musicrel.generation.loaded_model import LoadedModel
    from musicrel.tokens.codec import Ids

_TOKENS: Final = 1024
_BATCH_TOKENS: Final = 256
_BATCHES: Final = (1, 8, 32)
_PROMPT: Final = 512
_BARS: Final = 16
_VANILLA: Final = f"decode {_TOKENS:,} tokens, vanilla"
_BUNDLED: Final = ("vanilla", "relative")


def rows(device: str, threads: int) -> list[Row]:
    """Return all figures of the decoder."""
    from musicrel.generation.loaded_model import load_model

    vanilla = _model("sinusoidal", device, threads)
    relative = _model("relative", device, threads)
    models = {"vanilla": vanilla, "relative": relative}
    bundled = {name: load_model(name, device, threads) for name in _BUNDLED}
    return [
        *_beside_peers(vanilla, relative),
        *_batches(vanilla),
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
    found = [row(_VANILLA, _TOKENS / seconds.pop(_VANILLA), "tokens/s")]
    for name, taken in seconds.items():
        speed = _TOKENS / taken
        found.append(row(name, speed, "tokens/s", _VANILLA, speed / found[0]["value"]))
    return found


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


def _first_token(models: dict[str, LoadedModel]) -> list[Row]:
    works = {
        f"first token after {_PROMPT} of a prompt, {name}": partial(
            _decode, model, _PROMPT, prompt=_PROMPT
        )
        for name, model in models.items()
    }
    return [row(name, 1e3 * taken, "ms") for name, taken in best(works).items()]


def _pieces(models: dict[str, LoadedModel], bundled: dict[str, LoadedModel]) -> list[Row]:
    """Time whole pieces of all models, and candidates of the bundled ones."""
    works: dict[str, Callable[[], object]] = {}
    for size, group in {"width 256": models, "shipped": bundled}.items():
        for name, model in group.items():
            works[f"{_BARS} bars, {size}, {name}"] = partial(_write, model, bars=_BARS)
    for name, model in bundled.items():
        works[f"8 candidates of 4 bars, shipped, {name}"] = partial(
            _generate_candidates, model, bars=4
        )
    return [row(name, taken, "s") for name, taken in best(works).items()]


def _write(model: LoadedModel, bars: int) -> None:
    from musicrel import jobs
    from musicrel.generation.causal.causal_generator import generate
    from musicrel.generation.request import GenerationRequest

    jobs.run(generate(model, GenerationRequest(bars=bars)))


def _generate_candidates(model: LoadedModel, bars: int) -> None:
    from musicrel import jobs
    from musicrel.generation.candidates.candidate_job import generate_candidates
    from musicrel.generation.request import GenerationRequest

    jobs.run(generate_candidates(model, GenerationRequest(bars=bars), 8))


def _decode(
    model: LoadedModel, tokens: int, batch: int = 1, *, prompt: int = 1, record: bool = False
) -> None:
    import numpy as np

    from musicrel import jobs
    from musicrel.generation.causal.decode_sequence import DecodeSequence
    from musicrel.generation.causal.decoder import decode
    from musicrel.generation.sampling import Sampling
    from musicrel.tokens.conditions import positional_rows
    from musicrel.tokens.vocabulary import REST_TOKEN, START

    ids = np.array([START, *[REST_TOKEN] * (prompt - 1)])
    conditions_NC = positional_rows(tokens + 2, model.conditions)  # noqa: N806  # with START, END
    sequences = [
        DecodeSequence(conditions_NC=conditions_NC, seed=seed, sampling=Sampling(), prompt=ids)
        for seed in range(batch)
    ]
    jobs.run(decode(model, sequences, tokens, _NoRules(model.vocabulary.size), record=record))


def _model(scheme: str, device: str, threads: int) -> LoadedModel:
    """Return a random model of the size to measure, with all conditions."""
    from musicrel.generation.loaded_model import LoadedModel
    from musicrel.model import devices
    from musicrel.model.card import Card
    from musicrel.model.config import ModelConfig
    from musicrel.model.families.transformer import Transformer
    from musicrel.tokens import conditions
    from musicrel.tokens.vocabulary import ARTICULATED

    devices.use_threads(threads)
    config = ModelConfig(
        scheme=scheme,
        tokens=ARTICULATED.size,
        conditions=conditions.sizes(tuple(conditions.CONDITIONS)),
        width=256,
        layers=6,
        heads=8,
        feedforward=1024,
        trained_length=_TOKENS,
    )
    resolved = devices.resolve(device)
    network = Transformer(config).to(resolved).eval()
    vocabulary = {"name": ARTICULATED.name, "symbols": list(ARTICULATED.symbols())}
    card = Card(
        name=scheme,
        config=config,
        vocabulary=vocabulary,
        parameters=network.parameter_count,
    )
    return LoadedModel(
        name=scheme,
        network=network,
        card=card,
        sha256="",
        vocabulary=ARTICULATED,
        device=resolved,
    )


class _NoRules:
    """Allows every token."""

    def __init__(self, tokens: int) -> None:
        self._tokens = tokens

    def legal_next_tokens(self, ids_BN: Ids) -> Flags:  # noqa: N803  # as the protocol has it
        import numpy as np

        return np.ones((len(ids_BN), self._tokens), dtype=np.bool_)
