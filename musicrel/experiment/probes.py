"""Probes: experiments that detect silent faults of a transformer.

Each probe is a function of a ``Subject``, listed in ``PROBES``. They cover typical faults of
implementations of Vaswani et al. 2017 (order ignored, flat predictions, attention to padding,
collapsed heads, unscaled scores) and guarantees of this program (cache, causal mask, length). A
diagnosis of a model is all of them, on validation pieces or on bytes as in training.

Dimensions: B batch, T tokens, S keys or positions, H heads, N predictions, V vocabulary or classes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import wraps
from typing import Any, Final, Literal

import numpy as np
import torch
from torch import Tensor

from musicrel import legacy
from musicrel.analysis.corpus import bundled
from musicrel.chorale import Chorale
from musicrel.experiment.data import bytes_data, masking
from musicrel.experiment.data.dataset import Batch, Cut, as_batch, collate
from musicrel.experiment.objectives import objectives, published_objective
from musicrel.experiment.objectives.evaluation import batch_logits, mean_nats, token_nats
from musicrel.experiment.recipe.recipe import masking_from_card
from musicrel.jobs import Job
from musicrel.language import decimal, tr
from musicrel.model import catalogue, checkpoint
from musicrel.model.card import Card
from musicrel.model.checkpoint import LoadedWeights
from musicrel.model.families.transformer import Block, Transformer
from musicrel.model.positions.base import Tokens, causal_mask
from musicrel.model.positions.learned import BeyondTableError
from musicrel.model.tokens import codec, conditions
from musicrel.model.tokens.codec import VOICES
from musicrel.model.tokens.vocabulary import PAD, START, vocabulary
from musicrel.model.torch_reader import TorchReader

Verdict = Literal["ok", "notable", "wrong"]

_SEED: Final = 0
_UNMOVED: Final = 1e-4  # total variation that rounding can cause
_THREE_DECIMALS: Final = 0.001  # smaller changes are shown with two significant digits
_NEARLY_EVEN: Final = 0.9
"""Share of ln V above which a mean entropy is nearly that of a uniform prediction."""
_THE_SAME: Final = 0.01
_ALIKE: Final = 0.05  # mean distance of the heads of a layer below which they are redundant
_SCALE_DRAWS, _SCALE_PLACES = 256, 8
_UNIT: Final = 2.0
"""Variances of scores from 1/2 to 2 are normal; beyond 1/8 to 8 a factor is missing."""
_WORSE: Final = 0.1  # additional nats per token beyond the trained length that are notable
_ROUNDING: Final = 1e-4  # tolerance for float32 logits computed in another order


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    name: str = ""  # that of its function
    finding: str
    # ``wrong``: the model or the program is broken; ``notable``: worth knowing
    verdict: Verdict = "ok"
    # the number the verdict depends on; None where it does not apply to the model
    figure: float | None = None
    details: tuple[tuple[str, float], ...] = ()  # further figures by name

    def to_json(self) -> dict[str, Any]:
        values = legacy.translate(asdict(self), legacy.inverse(legacy.PROBE_KEYS))
        return values | {"details": dict(self.details)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    network: Transformer  # the model, in evaluation mode
    # a few sequences of different lengths, the longest first, none beyond the trained length
    batch: Batch
    long: Batch  # sequences of up to twice the trained length, padded

    @property
    def family(self) -> str:
        return self.network.config.family

    @property
    def tokens_per_position(self) -> int:
        """Return the tokens per position; ``infill`` has one position per time step."""
        return VOICES if self.family == "infill" else 1

    @property
    def longest_sequence(self) -> Batch:
        return next(self.batch.parts(len(self.batch.ids_BT)))


PROBES: Final[dict[str, Callable[[Subject], Probe]]] = {}


def _probe(test: Callable[[Subject], Probe]) -> Callable[[Subject], Probe]:
    """Add a function to ``PROBES``; its result has its name."""

    @wraps(test)
    @torch.inference_mode()
    def named(subject: Subject) -> Probe:
        return replace(test(subject), name=test.__name__)

    PROBES[test.__name__] = named
    return named


@_probe
def order(subject: Subject) -> Probe:
    """Test whether shuffling and reversing the input changes predictions.

    Positions are permuted: tokens, or time steps where a model reads those. Of a causal model the
    last prediction is compared, of others all, each permuted with its token.
    """
    places = torch.arange(subject.longest_sequence.ids_BT.shape[1] // subject.tokens_per_position)
    rng = torch.Generator().manual_seed(_SEED)
    shuffled = _change(subject, torch.randperm(len(places), generator=rng))
    reversed_ = _change(subject, places.flip(0))
    verdict, meaning = _order_verdict(subject, shuffled, reversed_)
    return Probe(
        finding=tr(
            "{meaning}: shuffling the input changes predictions by {shuffled}, reversing it "
            "by {reversed} (total variation, 0 to 1)",
            meaning=meaning,
            shuffled=_digits(shuffled),
            reversed=_digits(reversed_),
        ),
        figure=min(shuffled, reversed_),
        verdict=verdict,
        details=(("shuffled", shuffled), ("reversed", reversed_)),
    )


@_probe
def flat(subject: Subject) -> Probe:
    """Test whether predictions are nearly uniform, or the same everywhere."""
    logits_BTV = batch_logits(subject.network, subject.batch)
    p_NV = logits_BTV[subject.batch.targets_BT != PAD].cpu().double().softmax(-1)
    mean_entropy = float(_entropy(p_NV).mean())
    spread = float(_total_variation(p_NV, p_NV.mean(0)).mean())
    most = math.log(p_NV.shape[1])
    verdict: Verdict = "notable" if mean_entropy > _NEARLY_EVEN * most else "ok"
    verdict = "wrong" if spread < _THE_SAME else verdict
    meanings = {
        "ok": tr("predictions depend on the input"),
        "notable": tr("predictions are nearly uniform"),
        "wrong": tr("predictions are the same everywhere"),
    }
    return Probe(
        finding=tr(
            "{meaning}: their entropy is {entropy:.2f} of at most {most:.2f} nats, "
            "their distance from the mean prediction {spread:.2f} (total variation, 0 to 1)",
            meaning=meanings[verdict],
            entropy=mean_entropy,
            most=most,
            spread=spread,
        ),
        figure=spread,
        verdict=verdict,
        details=(("entropy", mean_entropy), ("most", most)),
    )


@_probe
def padding(subject: Subject) -> Probe:
    """Test whether real tokens attend to padding: the weight must be exactly 0."""
    network, batch = subject.network, subject.batch
    real_B11T = batch.mask
    if bool(real_B11T.all()):
        return Probe(finding=tr("all sequences have one length: none is padded"))
    mask = None if network.config.is_causal else real_B11T  # as ``evaluation.batch_logits`` has it
    weights = network(
        batch.ids_BT, batch.conditions_BTC, starts_B=batch.starts_B, mask=mask, record=True
    ).weights
    real_B11T = real_B11T[..., :: subject.tokens_per_position]
    real_B1T1 = real_B11T.transpose(-1, -2)
    most = max(
        float((weights_BHTS * ~real_B11T * real_B1T1).sum(-1).max()) for weights_BHTS in weights
    )
    words = tr(
        "tokens attend to padding with a weight of at most {most:.2g}; it must be 0", most=most
    )
    return Probe(finding=words, figure=most, verdict="wrong" if most > 0 else "ok")


@_probe
def collapse(subject: Subject) -> Probe:
    """Measure the distance between the heads of a layer and the entropy of each head."""
    network, one = subject.network, subject.longest_sequence
    weights = network(one.ids_BT, one.conditions_BTC, starts_B=one.starts_B, record=True).weights
    details: list[tuple[str, float]] = []
    distances = []
    for layer, weights_BHTS in enumerate(weights, 1):
        heads_HTS = weights_BHTS[0].cpu().double()
        if len(heads_HTS) > 1:
            distances.append(_mean_pairwise_distance(heads_HTS))
            details.append((f"layer {layer} distance", distances[-1]))
        details += [
            (f"layer {layer} head {head} entropy", float(_entropy(head_TS).mean()))
            for head, head_TS in enumerate(heads_HTS, 1)
        ]
    if not distances:
        finding = tr("every layer has one head: none can collapse")
        return Probe(finding=finding, details=tuple(details))
    least = min(distances)
    alike = least < _ALIKE
    return Probe(
        finding=tr(
            "the heads of layer {layer} are the most alike{alike}: their mean distance "
            "is {least:.2f} (total variation, 0 to 1)",
            layer=1 + distances.index(least),
            alike=tr(", nearly the same") if alike else "",
            least=least,
        ),
        figure=least,
        verdict="notable" if alike else "ok",
        details=tuple(details),
    )


@_probe
def scale(subject: Subject) -> Probe:
    """Measure the variance of the scores of unit-variance queries and keys, constants excluded."""
    network = subject.network
    heads, width = network.config.heads, network.config.head_width
    rng = torch.Generator().manual_seed(_SEED)
    draws = torch.randn((2, _SCALE_DRAWS, heads, _SCALE_PLACES, width), generator=rng)
    q_BHTd, k_BHTd = draws.to(network.embed_token.weight)
    at = Tokens(0, _SCALE_PLACES, q_BHTd.transpose(1, 2).flatten(2))  # states of variance 1
    found = []
    seen_TT = causal_mask(_SCALE_PLACES, _SCALE_PLACES, q_BHTd.device)
    for layer, block in enumerate(network.blocks, 1):
        assert isinstance(block, Block)  # noqa: S101  # nn.ModuleList is not generic
        scheme = block.attention.positional
        q_BHTD, k_BHTD = scheme.rotate_q(q_BHTd, at), scheme.rotate_k(k_BHTd, at)
        scores_BHTT = scheme.scores(q_BHTD, k_BHTD, causal=network.config.is_causal)
        found.append((f"layer {layer}", float(scores_BHTT.var(0)[:, seen_TT].mean())))
    farthest = max((value for _, value in found), key=lambda value: abs(math.log(value)))
    off = max(farthest, 1 / farthest)
    verdict: Verdict = "ok" if off <= _UNIT else "notable" if off <= _UNIT**3 else "wrong"
    return Probe(
        finding=tr(
            "queries and keys of variance 1 give scores of variance {farthest:.2f}; about "
            "1 is expected",
            farthest=farthest,
        ),
        figure=farthest,
        verdict=verdict,
        details=tuple(found),
    )


@_probe
def length(subject: Subject) -> Probe:
    """Measure the loss by position, within and beyond the trained length."""
    network, batch = subject.network, subject.long
    trained = network.config.trained_length
    if subject.family == "classifier":
        finding = tr("the model classifies whole sequences: there is no loss by position")
        return Probe(finding=finding)
    try:
        nats_BT = token_nats(batch_logits(network, batch), batch.targets_BT).cpu().double()
    except BeyondTableError as reason:
        return Probe(
            finding=tr("longer sequences are refused: {reason}", reason=reason), verdict="notable"
        )
    targets_BT = batch.targets_BT.cpu()
    details = _by_position(nats_BT, targets_BT, trained)
    inside = mean_nats(nats_BT, targets_BT, slice(trained // 2, trained))
    beyond = mean_nats(nats_BT, targets_BT, slice(trained, None))
    if beyond is None or inside is None:
        finding = tr("no piece is longer than the trained {trained:,} tokens", trained=trained)
        return Probe(finding=finding, details=details)
    more = beyond - inside
    return Probe(
        finding=tr(
            "the loss is {beyond:.3f} nats/token beyond the trained {trained:,} tokens, "
            "and {inside:.3f} in their second half",
            beyond=beyond,
            trained=trained,
            inside=inside,
        ),
        figure=more,
        verdict="ok" if more <= _WORSE else "notable",
        details=details,
    )


@_probe
def cache(subject: Subject) -> Probe:
    """Compare decoding with the cache to one pass over the whole sequence."""
    if not subject.network.config.is_causal:
        return Probe(finding=tr("the model is not causal: it has no cache"))
    one = subject.longest_sequence
    whole_TV = subject.network(one.ids_BT, one.conditions_BTC).logits_BTV[0]
    reader = TorchReader(subject.network, one.conditions_BTC.cpu().numpy())
    rows = [torch.from_numpy(reader.step(ids_B)[0][0]) for ids_B in one.ids_BT.T.cpu().numpy()]
    difference = float((torch.stack(rows) - whole_TV.cpu()).abs().max())
    allowed = _ROUNDING * max(1.0, float(whole_TV.abs().max()))
    return Probe(
        finding=tr(
            "logits with and without the cache differ by at most {difference:.1e} over "
            "{tokens} tokens",
            difference=difference,
            tokens=len(rows),
        ),
        figure=difference,
        verdict="ok" if difference <= allowed else "wrong",
    )


@_probe
def mask(subject: Subject) -> Probe:
    """Test whether tokens of the second half change predictions of the first: they must not."""
    if not subject.network.config.is_causal:
        return Probe(finding=tr("the model is not causal: no future is masked"))
    one = subject.longest_sequence
    half = one.ids_BT.shape[1] // 2
    highest = subject.network.config.tokens - 1
    ids_BT = one.ids_BT.clone()
    ids_BT[:, half:] = highest + START - ids_BT[:, half:].clamp(min=START)
    logits = [
        subject.network(ids, one.conditions_BTC, starts_B=one.starts_B).logits_BTV[:, :half]
        for ids in (one.ids_BT, ids_BT)
    ]
    most = float((logits[0] - logits[1]).abs().max())
    words = tr(
        "changing later tokens changes earlier logits by at most {most:.2g}; it must be 0",
        most=most,
    )
    return Probe(finding=words, figure=most, verdict="wrong" if most > 0 else "ok")


def _order_verdict(subject: Subject, shuffled: float, reversed_: float) -> tuple[Verdict, str]:
    config = subject.network.config
    if shuffled <= _UNMOVED and subject.family == "classifier" and config.scheme != "none":
        return "notable", tr("the class does not depend on order, as the task may not either")
    if shuffled <= _UNMOVED:
        verdict: Verdict = "notable" if config.scheme == "none" else "wrong"
        return verdict, tr("predictions do not depend on order")
    if reversed_ <= _UNMOVED:  # such as symmetric ALiBi
        return "notable", tr("predictions depend on distances, but not on direction")
    alone = tr(", through its mask alone") if config.is_causal and config.scheme == "none" else ""
    return "ok", tr("predictions depend on order{alone}", alone=alone)


def _digits(change: float) -> str:
    return decimal(change, ".3f" if change >= _THREE_DECIMALS else ".2g")


def _change(subject: Subject, order_S: Tensor) -> float:
    one, network, each = subject.longest_sequence, subject.network, subject.tokens_per_position
    order_T = (order_S[:, None] * each + torch.arange(each)).flatten().to(one.ids_BT.device)
    if network.config.is_causal:  # the last token stays, what came before is moved
        last = len(order_T) - 1
        order_T = torch.cat([order_T[order_T != last], order_T.new_tensor([last])])
    moved = replace(
        one, ids_BT=one.ids_BT[:, order_T], conditions_BTC=one.conditions_BTC[:, order_T]
    )
    before_TV, after_TV = (batch_logits(network, batch)[0].softmax(-1) for batch in (one, moved))
    if network.config.is_causal:
        before_TV, after_TV = before_TV[-1:], after_TV[-1:]
    elif len(before_TV) == len(order_T):
        before_TV = before_TV[order_T]
    return float(_total_variation(before_TV, after_TV).mean())


def _by_position(
    nats_BT: Tensor, targets_BT: Tensor, trained: int
) -> tuple[tuple[str, float], ...]:
    """Return the mean nats per quarter of the trained length, as far as there are targets."""
    each = max(trained // 4, 1)
    found = []
    for first in range(0, nats_BT.shape[1], each):
        mean = mean_nats(nats_BT, targets_BT, slice(first, first + each))
        if mean is not None:
            found.append((f"{first}:{first + each}", mean))
    return tuple(found)


def _total_variation(p_NV: Tensor, q_NV: Tensor) -> Tensor:
    return (p_NV - q_NV).abs().sum(-1) / 2


def _entropy(p_NV: Tensor) -> Tensor:
    entropy_N: Tensor = torch.special.entr(p_NV).sum(-1)
    return entropy_N


def _mean_pairwise_distance(heads_HTS: Tensor) -> float:
    """Return the mean total variation between the rows of two heads, over all pairs."""
    distance_HH = torch.stack(
        [_total_variation(heads_HTS, head_TS).mean(-1) for head_TS in heads_HTS]
    )
    return float(distance_HH.sum() / (len(distance_HH) * (len(distance_HH) - 1)))


_SEQUENCES, _LONG_SEQUENCES = 4, 4
_MAX_SHORT_TOKENS: Final = 256  # tokens of the short sequences; longer ones would not show more
_SHORTER: Final = 4
"""Tokens by which each sequence is shorter than the one before, so that some are padded."""
_MIN_TOKENS: Final = 4
_MASKED_FAMILIES: Final = ("masked", "infill")


def diagnose(name_or_directory: str, device: torch.device | str = "cpu") -> Job[Probe, list[Probe]]:
    loaded = checkpoint.load(catalogue.find(name_or_directory), str(device))
    examined = subject(loaded, bundled.load_all()["valid"])
    found = []
    for probe in PROBES.values():
        found.append(probe(examined))
        yield found[-1]
    return found


def subject(loaded: LoadedWeights, pieces: Sequence[Chorale]) -> Subject:
    """Return a model with input of the kind it reads, cut from the longest of ``pieces``."""
    network = loaded.network.eval()
    trained, device = network.config.trained_length, network.embed_token.weight.device
    longest = sorted(pieces, key=lambda piece: -piece.steps)
    short = min(trained, _MAX_SHORT_TOKENS)
    lengths = [max(short - _SHORTER * row, _MIN_TOKENS) for row in range(_SEQUENCES)]
    batch = _cut(loaded.card, longest, lengths)
    long = _cut(loaded.card, longest, [2 * trained] * _LONG_SEQUENCES)
    return Subject(network=network, batch=batch.to(device), long=long.to(device))


def _cut(card: Card, pieces: Sequence[Chorale], lengths: Sequence[int]) -> Batch:
    if card.config.family == "published":
        return _windows(card, pieces, lengths)
    if card.config.family == "classifier":
        pairs = [bytes_data.of_length("honest", length, 2) for length in lengths]
        return objectives.batch_of([pair[row % 2] for row, pair in enumerate(pairs)])
    words, names = vocabulary(card.vocabulary["name"]), tuple(card.config.conditions)
    family = card.config.family
    cuts: list[Cut] = []
    for piece, length in zip(pieces, lengths, strict=False):
        rows = conditions.rows(piece, names, conditions.POSITIONAL)
        ids, rows = masking.as_read(family, codec.encode(piece, words), rows)
        stop = length + (family not in _MASKED_FAMILIES)  # the last one is only a target
        cuts.append((ids[:stop], rows[:stop], 0))
    if family not in _MASKED_FAMILIES:
        return collate(cuts)
    rngs = [np.random.default_rng(row) for row in range(len(cuts))]
    return masking.masked_batch(cuts, rngs, masking_from_card(card.recipe), words, mixed=False)


def _windows(card: Card, pieces: Sequence[Chorale], lengths: Sequence[int]) -> Batch:
    """Return published windows: whole ones, or the first and last ones of the first piece."""
    known, long = published_objective.values_from_symbols(card.vocabulary["symbols"]), max(lengths)
    if min(lengths) == long:
        found = [published_objective.windows([piece], known, long).ids_NL[0] for piece in pieces]
        ids_NL = np.stack(found)
    else:
        of_first = published_objective.windows(pieces[:1], known, long).ids_NL
        ids_NL = of_first[[0, *(-length for length in lengths[1:])]]
    return as_batch(*published_objective.mask_windows(ids_NL, np.random.default_rng(0)))
