"""The parts of a recipe: what each value means, and what it is where it is not given.

This file knows names and defaults; which values are allowed stands in ``recipe_checks``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from musicrel.model.config import Activation, Family, Norm

BYTES: Final = "bytes:"
"""How the names of data begin that are bytes with a label and not music."""
CRITIC: Final = "critic:"
"""How the names of data begin that are Bach and others, to be told apart."""


Decay = Literal["cosine", "linear", "inverse_sqrt", "warmup_linear"]
Decayed = Literal["matrices", "all"]
Averaged = Literal["targets", "batches", "sequences"]
Precision = Literal["single", "mixed"]
MaskMode = Literal[
    "token",
    "time",
    "published",
    "mixture",
    "ahead",
    "nothing_given",
    "soprano_given",
    "outer_given",
    "two_bars",
]
MaskRates = Literal["fixed", "uniform"]
Measured = Literal["whole", "window"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPart:
    """The shape of the model; see ``ModelConfig`` for the meaning of each number.

    ``encoder_layers``: blocks that read what is given, in family ``encoder_decoder``.
    ``cross``: whether its blocks that write look at all steps that were read.
    ``intervals``: whether a model that writes in order hears and says distances between notes.
    ``counterpoint``: whether tables of what fits by rule are added to what it says.
    """

    scheme: str
    options: Mapping[str, Any] = field(default_factory=dict)
    width: int = 128
    layers: int = 4
    heads: int = 4
    feedforward: int = 512
    dropout: float = 0.1
    attention_dropout: float = 0.0
    position_dropout: float = 0.0
    norm: Norm = "pre"
    activation: Activation = "gelu"
    family: Family = "causal"
    encoder_layers: int = 0
    cross: bool = False
    intervals: bool = False
    counterpoint: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DataPart:
    """What is learned from.

    Attributes:
        source: ``chorales`` (the bundled corpus), ``jsb:FILE`` or ``folder:PATH``; for a classifier
            ``bytes:source``, ``bytes:honest`` or ``bytes:single``; for a critic ``critic:FILE``,
            the file of those that are not Bach.
        vocabulary: ``articulated`` or ``pitch``.
        conditions: what the model may be told.
        condition_dropout: chance that a sequence is not told a condition (voice is always told).
        unhinted: chance that a sequence is told nothing of the music itself: neither key nor
            phrases, as when a user asks for a length alone.
        window: longest sequence in tokens; longer pieces are cut at random places.
        transpose: whether pieces are moved to any key in which all voices keep their range.
        buckets: how many batches are drawn together and filled with sequences of about one length,
            so that less is padded; 1: as they come.
        first_window: length of the windows at the first step, where short ones come first; 0: all
            windows are as long as ``window``.
        curriculum_steps: steps over which windows grow from ``first_window`` to ``window``.
        concatenate: whether a sequence that is shorter than the window is filled up with the
            beginnings of other pieces; its positions run on, and a model may look back across.
        measured: how pieces are read when a model is measured: ``whole``, or in a ``window`` as
            long as those of training that slides by half; then whole pieces are measured besides,
            once, at the end.
    """

    source: str = "chorales"
    vocabulary: str = "articulated"
    conditions: tuple[str, ...] = ("voice", "beat", "bar", "fermata", "key", "ending")
    condition_dropout: float = 0.15
    unhinted: float = 0.0
    window: int = 1024
    transpose: bool = True
    buckets: int = 1
    first_window: int = 0
    curriculum_steps: int = 0
    concatenate: bool = False
    measured: Measured = "whole"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingPart:
    """How it is learned.

    Attributes:
        tokens: budget in real (not padded) tokens; 0 when another budget rules.
        steps: budget in optimiser steps; 0 when another budget rules.
        minutes: budget in time spent learning; 0 when another budget rules. A run that ends by the
            clock is not the same twice.
        batch: sequences read at once.
        accumulate: how many such batches make one step: their gradients are added up.
        precision: ``mixed`` computes in bfloat16 what may be, where the hardware has it; weights
            stay in single precision.
        label_smoothing: share of a target's weight that is spread evenly over all tokens. The loss
            that is shown is that without it.
        learning_rate: the highest rate.
        warmup_steps: steps of linear rise.
        decay: shape of the fall afterwards, over the budget; ``warmup_linear`` is the straight
            line from the end of the rise to 0 of the published comparison, whose rise begins at 0.
        schedule_steps: steps over which the rate falls where that is not the budget, so that a run
            may end early and be part of a longer one; 0: the budget.
        final_rate: share of ``learning_rate`` that is left at the end (cosine, linear).
        weight_decay: of what ``decayed`` names.
        decayed: ``matrices`` in the blocks, never biases, norms, embeddings and the head; or
            ``all``.
        averaged: what counts alike in the loss of a step: its ``targets``, or each of the
            ``batches`` that are accumulated, or each of their ``sequences``, however many targets
            it has.
        beta1: AdamW's first decay.
        beta2: AdamW's second decay.
        clip: largest norm of the gradient.
        ema: decay of the averaged weights, which are the ones evaluated and kept.
        begins: what to begin with: the folder of a model, or a recipe, whose run then comes first,
            in the folder ``base`` of this one's. All that its model has is kept as it is, and only
            what it lacks learns. "": everything learns, from chance.
        weighed: rounds in which, at the end, the tables of counterpoint are weighed by what the
            model writes itself; see ``weighing``. 0: none.
        seed: of initialisation, data order and dropout.
        evaluate_every: steps between evaluations on valid.
        checkpoint_every: steps between checkpoints.
        samples: whether a small piece is written at each evaluation, to be heard.
    """

    tokens: int = 0
    steps: int = 0
    minutes: float = 0.0
    batch: int = 4
    accumulate: int = 1
    precision: Precision = "single"
    label_smoothing: float = 0.0
    learning_rate: float = 2e-3
    warmup_steps: int = 100
    decay: Decay = "cosine"
    schedule_steps: int = 0
    final_rate: float = 0.02
    weight_decay: float = 0.1
    decayed: Decayed = "matrices"
    averaged: Averaged = "targets"
    beta1: float = 0.9
    beta2: float = 0.99
    clip: float = 1.0
    ema: float = 0.998
    begins: str = ""
    weighed: int = 0
    seed: int = 0
    evaluate_every: int = 250
    checkpoint_every: int = 100
    samples: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskingPart:
    """What the families ``masked`` and ``infill`` have to find, and a critic in training not hears.

    Attributes:
        mode: ``token``: notes anywhere; ``time``: all four notes of time steps; ``published``:
            groups of four tokens counted from the window's start, START and END among them, as in
            the published comparison, where a group is a time step only by chance. For ``infill``
            also the patterns of ``musicrel.experiment.data.mask_patterns``, which have rates of their own:
            ``mixture``, ``soprano_given``, ``outer_given``, ``two_bars``.
        rate: share that is masked, at least one; the highest where rates are uniform.
        rates: ``fixed``: always ``rate``; ``uniform``: drawn anew for each sequence, 0 to ``rate``.
        mixed: whether of the chosen tokens 80 % become MASK, 10 % another token and 10 % stay
            (Devlin et al. 2019); else all become MASK.
    """

    mode: MaskMode = "time"
    rate: float = 0.15
    rates: MaskRates = "fixed"
    mixed: bool = True
