"""Parts of a recipe: the meaning of each value and its default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

from musicrel import legacy
from musicrel.model.config import ModelShape

BYTES: Final = "bytes:"
"""Prefix of the names of byte data, for classifiers."""
CRITIC: Final = "critic:"
"""Prefix of the names of critic data: Bach's chorales and opponents."""
STORED: Final[Mapping[str, str]] = legacy.inverse(legacy.RECIPE_KEYS)
"""Attributes whose key in files differs, and that key."""

Decay = Literal["cosine", "linear", "inverse_sqrt", "warmup_linear"]
Decayed = Literal["matrices", "all"]
Averaged = Literal["targets", "batches", "sequences"]
Precision = Literal["single", "mixed"]
PatternMode = Literal[
    "mixture", "ahead", "nothing_given", "soprano_given", "outer_given", "two_bars"
]
"""Modes that hide cells of a grid; ``mask_patterns.PATTERNS`` has a pattern for each."""
MaskMode = Literal["token", "time", "published"] | PatternMode
PATTERN_MODES: Final[tuple[PatternMode, ...]] = get_args(PatternMode)
MaskRates = Literal["fixed", "uniform"]
Measured = Literal["whole", "window"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPart(ModelShape):
    """The shape of the model, and what it adds for notes."""

    intervals: bool = False  # let a causal model embed and predict intervals between notes
    counterpoint: bool = False  # add the logit biases of the counterpoint tables
    lines: bool = False  # add the table of lines to them; the vocabulary has holds


@dataclass(frozen=True, slots=True, kw_only=True)
class DataPart:
    # ``chorales`` (the bundled corpus), ``jsb:FILE`` or ``folder:PATH``; for a classifier
    # ``bytes:source``, ``bytes:honest`` or ``bytes:single``; for a critic ``critic:FILE``, the
    # file of its opponents
    source: str = "chorales"
    vocabulary: str = "articulated"
    conditions: tuple[str, ...] = ("voice", "beat", "bar", "fermata", "key", "ending")
    # probability that a condition of a sequence is unknown (never voice)
    condition_dropout: float = 0.15
    # ``unhinted`` in files: probability that key and phrases of a sequence are unknown, as when a
    # user asks for a length alone
    hint_dropout: float = 0.0
    window: int = 1024  # longest sequence in tokens; longer pieces are cropped at random
    transpose: bool = True  # transpose pieces to any key in which all voices keep their range
    # batches that are drawn together and sorted by length to reduce padding; 1: no sorting
    buckets: int = 1
    # window at the first step of a curriculum; 0: all windows have full length
    first_window: int = 0
    curriculum_steps: int = 0  # steps over which windows grow from ``first_window`` to ``window``
    # fill sequences that are shorter than the window with the openings of other pieces; positions
    # run on, and attention crosses the border
    concatenate: bool = False
    # context in evaluations: ``whole`` pieces, or a sliding ``window`` as long as those of
    # training; whole pieces are then evaluated once more at the end
    measured: Measured = "whole"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingPart:
    tokens: int = 0  # budget in real (not padded) tokens; 0: another budget applies
    steps: int = 0  # budget in optimiser steps; 0: another budget applies
    # budget in minutes of training; 0: another budget applies. A run with this budget is not
    # reproducible
    minutes: float = 0.0
    batch: int = 4  # sequences per forward pass
    accumulate: int = 1  # batches per step, whose gradients are accumulated
    # ``mixed`` uses bfloat16 autocast where the hardware supports it; weights stay in single
    # precision
    precision: Precision = "single"
    # share of the input notes of a causal model that are replaced by MASK at each step; their
    # targets stay. Evaluations read all notes
    token_masking: float = 0.0
    # folders of models from which a causal model is distilled, or recipes whose runs are made
    # first, in the folders ``teacher-1``, ``teacher-2`` ... of this run
    teachers: tuple[str, ...] = ()
    # share of the loss that is the cross-entropy with the teachers' mean prediction instead of
    # the notes themselves; reported losses are those of the notes
    distil: float = 0.0
    # share of a target's weight that is spread evenly over all tokens. Reported losses are
    # without it
    label_smoothing: float = 0.0
    learning_rate: float = 2e-3
    warmup_steps: int = 100  # steps of linear warm-up
    # shape of the decay over the budget; ``warmup_linear`` is the linear schedule of the
    # published comparison, from 0 to the highest rate and back to 0
    decay: Decay = "cosine"
    # steps of the schedule if they are not those of the budget, so that a run can be the first
    # part of a longer one; 0: the budget
    schedule_steps: int = 0
    final_rate: float = 0.02  # share of ``learning_rate`` at the end (cosine, linear)
    weight_decay: float = 0.1  # applied to the parameters of ``decayed``
    # ``matrices`` of the blocks, never biases, norms, embeddings and the head; or ``all``
    decayed: Decayed = "matrices"
    # reduction of the loss of a step: mean over ``targets``, or mean of the means over
    # accumulated ``batches`` or over ``sequences``
    averaged: Averaged = "targets"
    beta1: float = 0.9  # first decay rate of AdamW
    beta2: float = 0.99  # second decay rate of AdamW
    clip: float = 1.0  # largest norm of the gradient
    ema: float = 0.998  # decay of the averaged weights, which are evaluated and kept
    # ``begins`` in files: the folder of a model, or a recipe whose run is made first, in the
    # folder ``base`` of this run. All weights of that model are frozen; only the parts it lacks
    # are trained. With teachers it may lack none: then all weights are trained further. "":
    # random initialisation
    init_from: str = ""
    # ``weighed`` in files: rounds of calibration of the counterpoint tables on the model's own
    # samples at the end, see ``calibration``; 0: none
    calibration_rounds: int = 0
    seed: int = 0  # seed of initialisation, data order and dropout
    evaluate_every: int = 250  # steps between evaluations on the validation split
    # evaluations in a row without an improvement after which the run ends before its budget; 0:
    # it never does
    stop_after: int = 0
    # least decrease of the loss in nats that counts as an improvement, measured from the last one
    stop_gain: float = 0.0
    # the run only tries settings: test is not evaluated, and a loss that diverges ends the run
    # instead of rolling it back
    trial: bool = False
    checkpoint_every: int = 100  # steps between checkpoints
    samples: bool = False  # generate a sample at each evaluation


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskingPart:
    """The masking of families ``masked``, ``infill`` and ``encoder_decoder``, and of critics."""

    # ``token``: single notes; ``time``: all four notes of time steps; ``published``: groups of
    # four tokens counted from the start of the window, including START and END. For ``infill``
    # also the patterns of ``mask_patterns``, which have their own rates
    mode: MaskMode = "time"
    # share of masked groups, at least one group; the upper bound of uniform rates
    rate: float = 0.15
    # ``fixed``: always ``rate``; ``uniform``: drawn for each sequence from 0 to ``rate``
    rates: MaskRates = "fixed"
    # replace 80 % of the chosen tokens by MASK, 10 % by another token and keep 10 % (Devlin et
    # al. 2019); False: replace all by MASK
    mixed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourcesPart:
    """The share of a machine that a run reserves. No result depends on it."""

    cpus: int = 0  # processors on a cluster; as many as threads, if those are more
    gpus: float = 0.0  # GPUs on a cluster, or a share of one; 0: one, if it trains on a GPU
    memory: float = 0.0  # main memory in GB; 0: estimated from the recipe
