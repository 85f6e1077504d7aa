"""What can be wrong with a transformer without anybody noticing: one small experiment for each.

Each probe is a function of a ``Subject``, listed in ``PROBES``. What it looks for follows the
production failures told of Vaswani et al. 2017 (order lost, flat predictions, padding looked at,
heads collapsed, scores unscaled) and what this program promises (cache, mask, length).

Dimensions: B batch, T tokens, S keys or positions, H heads, N places, V vocabulary or classes.

This file knows models and batches; it knows nothing of where they come from or who is told.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

import torch
from torch import Tensor

from musicrel.experiment.objectives.losses import mean_nats, read, token_nats
from musicrel.experiment.probes.distances import apart, entropies, pairwise
from musicrel.experiment.probes.examined import Probe, Subject, Verdict
from musicrel.model.decoding.step import Stepper
from musicrel.model.families.transformer import Block
from musicrel.model.positions.base import visible
from musicrel.model.positions.learned import BeyondTableError
from musicrel.tokens.vocabulary import PAD, START

_SEED: Final = 0
_UNMOVED: Final = 1e-4
"""Total variation that rounding alone may bring about."""
_SMALLEST_TOLD: Final = 0.001
"""Changes below it are told with more digits."""
_NEARLY_EVEN: Final = 0.9
"""Share of ln V from which on a mean entropy is that of somebody who knows nearly nothing."""
_THE_SAME: Final = 0.01
_ALIKE: Final = 0.05
"""Mean distance of the heads of a layer below which they do nearly the same."""
_SCALE_DRAWS, _SCALE_PLACES = 256, 8
_UNIT: Final = 2.0
"""Scores of variance 1/2 to 2 are of size 1; beyond 1/8 to 8 a factor is missing."""
_WORSE: Final = 0.1
"""Nats that tokens beyond the trained length may cost more before it is told."""
_ROUNDING: Final = 1e-4
"""Logits in float32 that were computed in another order."""


@torch.inference_mode()
def order(subject: Subject) -> Probe:
    """Whether shuffling and reversing the input changes what is said.

    What is moved are positions: tokens, or whole steps where a model reads those. A causal model is
    asked for its last prediction; the others for all, each moved with its token.
    """
    changes = {
        "shuffled": _change(subject, _shuffled(subject)),
        "reversed": _change(subject, _places(subject).flip(0)),
    }
    shuffled, reversed_ = changes.values()
    words = f"a shuffled input changes predictions by {_digits(shuffled)}, a reversed one by "
    words += f"{_digits(reversed_)} (total variation, 0 to 1): "
    verdict, knows = _knowledge_of_order(subject, shuffled, reversed_)
    return Probe(
        name="order",
        says=words + knows,
        figure=min(shuffled, reversed_),
        verdict=verdict,
        details=tuple(changes.items()),
    )


@torch.inference_mode()
def flat(subject: Subject) -> Probe:
    """Whether predictions are even, or the same everywhere."""
    logits_BTV = read(subject.network, subject.batch)
    p_NV = logits_BTV[subject.batch.targets_BT != PAD].double().softmax(-1)
    entropy = float(entropies(p_NV).mean())
    spread = float(apart(p_NV, p_NV.mean(0)).mean())
    most = math.log(p_NV.shape[1])
    verdict: Verdict = "notable" if entropy > _NEARLY_EVEN * most else "ok"
    verdict = "wrong" if spread < _THE_SAME else verdict
    words = f"predictions have {entropy:.2f} of at most {most:.2f} nats of entropy and lie "
    words += f"{spread:.2f} from their mean (total variation): "
    told = {"ok": "they follow the input", "notable": "nearly even", "wrong": "all the same"}
    return Probe(
        name="flat",
        says=words + told[verdict],
        figure=spread,
        verdict=verdict,
        details=(("entropy", entropy), ("most", most)),
    )


@torch.inference_mode()
def padding(subject: Subject) -> Probe:
    """The attention that real tokens give to padding: it must be exactly 0."""
    network, batch = subject.network, subject.batch
    real_B11T = batch.mask
    if bool(real_B11T.all()):
        return Probe(name="padding", says="the sequences at hand are of one length: none is padded")
    mask = None if network.config.is_causal else real_B11T  # as ``losses.read`` has it
    weights = network(
        batch.ids_BT, batch.conditions_BTC, starts_B=batch.starts_B, mask=mask, record=True
    ).weights
    real_B11T = real_B11T[..., :: subject.each]
    real_B1T1 = real_B11T.transpose(-1, -2)
    most = max(
        float((weights_BHTS * ~real_B11T * real_B1T1).sum(-1).max()) for weights_BHTS in weights
    )
    words = f"real tokens give padding at most {most:.2g} of their attention"
    return Probe(name="padding", says=words, figure=most, verdict="wrong" if most > 0 else "ok")


@torch.inference_mode()
def collapse(subject: Subject) -> Probe:
    """How far apart the heads of a layer look, and how evenly each looks."""
    network, one = subject.network, subject.one
    weights = network(one.ids_BT, one.conditions_BTC, starts_B=one.starts_B, record=True).weights
    details: list[tuple[str, float]] = []
    distances = []
    for layer, weights_BHTS in enumerate(weights, 1):
        heads_HTS = weights_BHTS[0].double()
        if len(heads_HTS) > 1:
            distances.append(pairwise(heads_HTS))
            details.append((f"layer {layer} distance", distances[-1]))
        details += [
            (f"layer {layer} head {head} entropy", float(entropies(head_TS).mean()))
            for head, head_TS in enumerate(heads_HTS, 1)
        ]
    if not distances:
        says = "every layer has one head: there is nothing to collapse"
        return Probe(name="collapse", says=says, details=tuple(details))
    least = min(distances)
    words = f"heads of a layer lie {least:.2f} apart at least (total variation), in layer "
    words += f"{1 + distances.index(least)}"
    verdict: Verdict = "notable" if least < _ALIKE else "ok"
    words += ": they do nearly the same" if verdict == "notable" else ""
    return Probe(name="collapse", says=words, figure=least, verdict=verdict, details=tuple(details))


@torch.inference_mode()
def scale(subject: Subject) -> Probe:
    """The variance of the scores for queries and keys of variance 1; what is constant aside."""
    network = subject.network
    heads, width = network.config.heads, network.config.head_width
    rng = torch.Generator().manual_seed(_SEED)
    draws = torch.randn((2, _SCALE_DRAWS, heads, _SCALE_PLACES, width), generator=rng)
    q_BHTd, k_BHTd = draws.to(network.embed_token.weight)
    found = []
    seen_TT = visible(_SCALE_PLACES, _SCALE_PLACES, q_BHTd.device)
    for layer, block in enumerate(network.blocks, 1):
        assert isinstance(block, Block)  # noqa: S101  # a list of modules forgets it
        scheme = block.attention.positional
        turned = [scheme.turned(part, 0, _SCALE_PLACES) for part in (q_BHTd, k_BHTd)]
        scores_BHTT = scheme.scores(*turned, causal=network.config.is_causal)
        found.append((f"layer {layer}", float(scores_BHTT.var(0)[:, seen_TT].mean())))
    farthest = max((value for _, value in found), key=lambda value: abs(math.log(value)))
    off = max(farthest, 1 / farthest)
    verdict: Verdict = "ok" if off <= _UNIT else "notable" if off <= _UNIT**3 else "wrong"
    words = f"unit queries and keys give scores of variance {farthest:.2f}"
    words += "" if verdict == "ok" else ", where 1 is expected"
    return Probe(name="scale", says=words, figure=farthest, verdict=verdict, details=tuple(found))


@torch.inference_mode()
def length(subject: Subject) -> Probe:
    """The loss by position, within and beyond the trained length."""
    network, batch = subject.network, subject.long
    trained, name = network.config.trained_length, "length"
    if subject.family == "classifier":
        says = "one thing is said of a whole sequence: there is no loss by position"
        return Probe(name=name, says=says)
    try:
        nats_BT = token_nats(read(network, batch), batch.targets_BT).double()
    except BeyondTableError as reason:
        return Probe(name=name, says=f"longer sequences are refused: {reason}", verdict="notable")
    details = _by_position(nats_BT, batch.targets_BT, trained)
    inside = mean_nats(nats_BT, batch.targets_BT, slice(trained // 2, trained))
    beyond = mean_nats(nats_BT, batch.targets_BT, slice(trained, None))
    if beyond is None or inside is None:
        says = f"no piece at hand is longer than the trained {trained:,} tokens"
        return Probe(name=name, says=says, details=details)
    more = beyond - inside
    words = f"beyond the trained {trained:,} tokens a token costs {beyond:.3f} nats, within their "
    words += f"second half {inside:.3f}"
    verdict: Verdict = "ok" if more <= _WORSE else "notable"
    return Probe(name=name, says=words, figure=more, verdict=verdict, details=details)


@torch.inference_mode()
def cache(subject: Subject) -> Probe:
    """Decoding token by token against reading everything at once."""
    if not subject.network.config.is_causal:
        return Probe(name="cache", says="the model does not write from left to right: no cache")
    one = subject.one
    whole_TV = subject.network(one.ids_BT, one.conditions_BTC).logits_BTV[0]
    stepper = Stepper(subject.network, one.conditions_BTC)
    rows = [stepper.read(ids_B).logits_BV[0] for ids_B in one.ids_BT.T]
    apart = float((torch.stack(rows) - whole_TV).abs().max())
    words = f"logits with the cache differ from those without by {apart:.1e} at most, over "
    words += f"{len(rows)} tokens"
    allowed = _ROUNDING * max(1.0, float(whole_TV.abs().max()))
    verdict: Verdict = "ok" if apart <= allowed else "wrong"
    return Probe(name="cache", says=words, figure=apart, verdict=verdict)


@torch.inference_mode()
def mask(subject: Subject) -> Probe:
    """What other tokens in the second half change in the first one: nothing."""
    if not subject.network.config.is_causal:
        return Probe(name="mask", says="the model sees both ways: it has no future to hide")
    one = subject.one
    half = one.ids_BT.shape[1] // 2
    highest = subject.network.config.tokens - 1
    ids_BT = one.ids_BT.clone()
    ids_BT[:, half:] = highest + START - ids_BT[:, half:].clamp(min=START)
    logits = [
        subject.network(ids, one.conditions_BTC, starts_B=one.starts_B).logits_BTV[:, :half]
        for ids in (one.ids_BT, ids_BT)
    ]
    most = float((logits[0] - logits[1]).abs().max())
    words = f"other tokens in the future change earlier logits by {most:.2g} at most"
    return Probe(name="mask", says=words, figure=most, verdict="wrong" if most > 0 else "ok")


PROBES: Final[Mapping[str, Callable[[Subject], Probe]]] = MappingProxyType(
    {
        probe.__name__: probe
        for probe in (order, flat, padding, collapse, scale, length, cache, mask)
    }
)
"""All probes in the order they are made."""


def _places(subject: Subject) -> Tensor:
    """The numbers of the positions."""
    return torch.arange(subject.one.ids_BT.shape[1] // subject.each)


def _shuffled(subject: Subject) -> Tensor:
    rng = torch.Generator().manual_seed(_SEED)
    return torch.randperm(len(_places(subject)), generator=rng)


def _knowledge_of_order(subject: Subject, shuffled: float, reversed_: float) -> tuple[Verdict, str]:
    """What the two changes mean."""
    config = subject.network.config
    if shuffled <= _UNMOVED and subject.family == "classifier" and config.scheme != "none":
        return "notable", "the answer does not hang on order, as where the task has none"
    if shuffled <= _UNMOVED:
        return ("notable" if config.scheme == "none" else "wrong"), "the model is blind to order"
    if reversed_ <= _UNMOVED:  # as with ALiBi both ways, whose slope knows no side
        return "notable", "the model knows distance, but not forwards from backwards"
    alone = ", through its mask alone" if config.is_causal and config.scheme == "none" else ""
    return "ok", f"the model knows order{alone}"


def _digits(change: float) -> str:
    """Three decimals, or two digits of what they would call nothing."""
    return f"{change:.3f}" if change >= _SMALLEST_TOLD else f"{change:.2g}"


def _change(subject: Subject, order_S: Tensor) -> float:
    """Mean total variation between what is said before and after positions were moved."""
    one, network, each = subject.one, subject.network, subject.each
    order_T = (order_S[:, None] * each + torch.arange(each)).flatten().to(one.ids_BT.device)
    if network.config.is_causal:  # the last token stays, what came before is moved
        last = len(order_T) - 1
        order_T = torch.cat([order_T[order_T != last], order_T.new_tensor([last])])
    moved = replace(
        one, ids_BT=one.ids_BT[:, order_T], conditions_BTC=one.conditions_BTC[:, order_T]
    )
    before_TV, after_TV = (read(network, batch)[0].softmax(-1) for batch in (one, moved))
    if network.config.is_causal:
        before_TV, after_TV = before_TV[-1:], after_TV[-1:]
    elif len(before_TV) == len(order_T):
        before_TV = before_TV[order_T]
    return float(apart(before_TV, after_TV).mean())


def _by_position(
    nats_BT: Tensor, targets_BT: Tensor, trained: int
) -> tuple[tuple[str, float], ...]:
    """Mean nats of every quarter of the trained length, as far as there are targets."""
    each = max(trained // 4, 1)
    found = []
    for first in range(0, nats_BT.shape[1], each):
        mean = mean_nats(nats_BT, targets_BT, slice(first, first + each))
        if mean is not None:
            found.append((f"{first}:{first + each}", mean))
    return tuple(found)
