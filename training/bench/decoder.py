"""Rows of decoding: a random model of width 256 and six layers, and the limit of its arithmetic.

Every figure covers the whole path from request to notes, with sampling and probabilities; ratios
are those of one run, the alternatives taking turns. The bare loop has the shape of the model it is
compared with and does nothing but the products of a step (see ``bare_loop``).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from musicrel import cores
from musicrel.chorale import Meter, Voice
from musicrel.generation import edit_requests, kernel
from musicrel.generation.candidates.candidate_job import bundled_evaluator
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.generation.quality import NORMAL
from musicrel.generation.request import GenerationRequest
from training.bench import bare_loop, peers
from training.bench.bare_loop import BareLoop
from training.bench.rows import (
    BARS,
    Row,
    Work,
    best,
    each_beside_the_last,
    milliseconds,
    row,
    speeds,
)
from training.bench.workloads import (
    REWRITTEN,
    WIDTH,
    candidates_of,
    decode,
    random_model,
    rewrite_request,
    unlearned_piece,
    write,
)

_SCHEMES: Final = {"vanilla": "sinusoidal", "relative": "relative"}
"""Names of models, also of bundled ones, and their positional schemes."""
_LIMIT_MODEL: Final = "relative"
_REWRITER: Final = "relative-infill"


def decoder(
    device: str,
    threads: int | None,
    *,
    tokens: int = 1024,
    batch_tokens: int = 256,
    prompt: int = 512,
    bars: int = BARS,
) -> list[Row]:
    """Return all figures of the decoder; tests use smaller sizes."""
    models = {
        name: random_model(scheme, tokens, device, threads) for name, scheme in _SCHEMES.items()
    }
    bundled = {name: load_model(name, device, threads) for name in _SCHEMES}
    name = f"decode {batch_tokens} tokens, vanilla, batch"
    sizes = {f"{name} {batch}": batch for batch in (1, 8, 32)}
    batches: dict[str, Work] = {
        title: partial(decode, models["vanilla"], batch_tokens, batch)
        for title, batch in sizes.items()
    }
    first_tokens: dict[str, Work] = {
        f"first token after {prompt} of a prompt, {name}": partial(
            decode, model, prompt, prompt=prompt
        )
        for name, model in models.items()
    }
    return [
        *_beside_peers(models["vanilla"], models["relative"], tokens),
        *speeds(batches, {title: batch * batch_tokens for title, batch in sizes.items()}),
        *milliseconds(first_tokens),
        *_pieces(models, bundled, bars),
    ]


def _beside_peers(vanilla: LoadedModel, relative: LoadedModel, tokens: int) -> list[Row]:
    """Return our speeds and those of others; GPT-2's is the reference of another row of ours."""
    config, device = vanilla.card.config, str(vanilla.device)
    name = f"decode {tokens:,} tokens, vanilla"
    works: dict[str, Work] = {
        name: partial(decode, vanilla, tokens),
        f"{name}, attention recorded": partial(decode, vanilla, tokens, record=True),
        f"decode {tokens:,} tokens, relative": partial(decode, relative, tokens),
    }
    if not bare_loop.missing():
        bare = f"bare loop, {tokens:,} tokens, width {WIDTH}"
        works[bare] = BareLoop(config, tokens).decode
    works |= peers.found(config, tokens, device)
    found = speeds(works, dict.fromkeys(works, tokens))
    ours = found[0]["value"]
    return found + [
        row(f"{name}, beside GPT-2", ours, "tokens/s", peers.GPT2, ours / one["value"])
        for one in found
        if one["name"] == peers.GPT2
    ]


def _pieces(
    models: Mapping[str, LoadedModel], bundled: Mapping[str, LoadedModel], bars: int
) -> list[Row]:
    piece, short = GenerationRequest(bars=bars), GenerationRequest(bars=4)
    works: dict[str, Work] = {
        f"{bars} bars, {size}, {name}": partial(write, model, piece)
        for size, group in {"width 256": models, "shipped": bundled}.items()
        for name, model in group.items()
    }
    for name, model in bundled.items():
        title = f"8 candidates of 4 bars, shipped, {name}"
        works[title] = partial(candidates_of, model, short, 8)
    return [row(name, taken, "s") for name, taken in best(works).items()]


def limit(
    device: str,
    threads: int | None,
    *,
    bars: int = BARS,
    tokens: int = 256,
    batch: int = 32,
    candidates: int = 8,
) -> list[Row]:
    """Return the rows beside the bare loop, where it can be compiled, and beside torch alone."""
    model = load_model(_LIMIT_MODEL, device, threads)
    found: list[Row] = []
    if not bare_loop.missing():
        found += _piece_beside_loop(model, bars)
        rewriter = load_model(_REWRITER, device, threads)
        found += _searches_beside_loop(model, rewriter, bars, candidates)
        found += _batch_beside_loop(device, threads, tokens, batch)
    request = GenerationRequest(bars=bars)
    name = f"{bars} bars, shipped, {_LIMIT_MODEL}, normal quality"
    return found + each_beside_the_last(
        {
            name: partial(write, model, request),
            f"{name}, torch alone": partial(_write_with_torch, model, request),
        }
    )


def _piece_beside_loop(model: LoadedModel, bars: int) -> list[Row]:
    """Write a piece with attention recorded, rules and sampling, beside the bare loop."""
    tokens = bars * Meter(4, 4).steps * len(Voice)
    request = GenerationRequest(bars=bars, quality="draft")
    works: dict[str, Work] = {
        f"bare loop, {tokens:,} tokens, shape of {_LIMIT_MODEL}": BareLoop(
            model.card.config, tokens
        ).decode,
        f"write {bars} bars, {_LIMIT_MODEL}, attention recorded, rules": partial(
            write, model, request, record=True
        ),
    }
    return speeds(works, dict.fromkeys(works, tokens))


def _searches_beside_loop(
    model: LoadedModel, rewriter: LoadedModel, bars: int, candidates: int
) -> list[Row]:
    """Return the times of searches as multiples of the bare loop's for one sequence."""
    bundled_evaluator()  # loaded once, not part of the measurement
    piece, new = unlearned_piece(bars), GenerationRequest(bars=bars)
    harmony, short = edit_requests.harmony_request(piece, seed=1), GenerationRequest(bars=4)
    rewritten = rewrite_request(piece, NORMAL)
    several = partial(candidates_of, model, harmony, candidates)
    tokens = bars * Meter(4, 4).steps * len(Voice)
    bare = f"bare loop, {tokens:,} tokens, shape of {_LIMIT_MODEL}, one pass"
    works: dict[str, Work] = {
        bare: BareLoop(model.card.config, tokens).decode,
        f"{bars} bars": partial(write, model, new),
        f"harmonise {bars} bars": partial(candidates_of, model, harmony, 1),
        f"harmonise {bars} bars, {candidates} candidates": several,
        f"harmonise {bars} bars, {candidates} candidates, one thread": partial(
            _in_one_thread, several
        ),
        f"{candidates} candidates of 4 bars": partial(candidates_of, model, short, candidates),
        f"rewrite {REWRITTEN} bars of {bars} in 2 voices": partial(
            candidates_of, rewriter, rewritten, 1
        ),
    }
    seconds = best(works)
    return [row(name, taken, "s", bare, taken / seconds[bare]) for name, taken in seconds.items()]


def _in_one_thread(work: Work) -> None:
    chosen = cores.count()
    cores.use(1)
    try:
        work()
    finally:
        cores.use(chosen)


def _batch_beside_loop(device: str, threads: int | None, tokens: int, batch: int) -> list[Row]:
    """Decode many sequences at once, beside the bare loop for a single one."""
    model = random_model("sinusoidal", tokens, device, threads)
    bare = f"bare loop, {tokens:,} tokens, width {WIDTH}"
    one, many = (f"decode {tokens:,} tokens, width {WIDTH}, batch {n}" for n in (1, batch))
    works: dict[str, Work] = {
        bare: BareLoop(model.card.config, tokens).decode,
        one: partial(decode, model, tokens),
        many: partial(decode, model, tokens, batch),
    }
    return speeds(works, {bare: tokens, one: tokens, many: batch * tokens})


def _write_with_torch(model: LoadedModel, request: GenerationRequest) -> None:
    with kernel.switched_off():
        write(model, request)
