"""Paired comparison of two arms on the same pieces: mean difference and confidence interval.

The difference is the first arm's loss minus the second's, in nats/note over all notes of all
pieces, so it equals the difference of the reported losses: positive if the second arm is better.

The interval is from a two-level bootstrap with pieces and seeds crossed: pieces are resampled with
replacement, each with all its seeds, and seeds likewise, each with all its pieces. Resampling a
handful of seeds underestimates their spread (by sqrt((S - 1) / S)), and their variance is too
uncertain for a normal quantile. The seeds' part is therefore widened by sqrt(S / (S - 1)) t / z,
with Student's quantile t at S - 1 degrees of freedom and the normal quantile z. With one seed, only
pieces are resampled, so there is no verdict; see ``Comparison.missing``. In simulated studies of 75
pieces the coverage is 94 to 100 % with 2 to 10 seeds, and in such of 77 pieces 93 % with one.

Dimensions: S seeds, P pieces, R replicates.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.errors import DataError
from musicrel.experiment.study import measures
from musicrel.language import count, decimal, tr

Array = npt.NDArray[np.float64]

REPLICATES: Final = 10_000
MIN_EFFECT: Final = 0.01
"""Smallest difference of interest, in nats/note: a listener of many pieces may notice it."""

MOST_SEEDS: Final = 1_000

_LEAST_SEEDS: Final = 2
"""Seeds without which no spread between runs is known."""
_NEGLIGIBLE: Final = 0.0005
"""A difference below this is negligible, even if it is significant."""
_LEVEL: Final = 0.95
_NORMAL: Final = 1.959964
_POWER: Final = 0.841621
"""Normal quantiles of 97.5 %, for an interval of 95 %, and of 80 %, the usual power."""
_BISECTIONS: Final = 50
_STUDENT: Final = (
    12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157,
    2.228139, 2.200985, 2.178813, 2.160369, 2.144787, 2.131450, 2.119905, 2.109816, 2.100922,
    2.093024, 2.085963, 2.079614, 2.073873, 2.068658, 2.063899, 2.059539, 2.055529, 2.051831,
    2.048407, 2.045230, 2.042272,
)  # fmt: skip
"""Student's quantile of 97.5 % at 1, 2 ... 30 degrees of freedom; the last is used for more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    first: str  # name of the reference arm
    second: str  # name of the arm compared with it
    difference: float  # mean difference in ``unit``; positive if the second arm is better
    low: float  # lower end of the 95 % confidence interval
    high: float  # upper end
    pieces: int
    seeds: int  # number of seeds of each arm
    # estimated number of pieces that detects ``MIN_EFFECT`` with a power of 80 %; None if no
    # number does, because the seeds differ too much
    pieces_needed: int | None
    bootstrap_seed: int = 0
    unit: str = "nats/note"
    observations: str = "pieces"  # name of the pieces, in the plural
    reading: str = ""  # how the pieces were read, "" if it is the only way
    caveat: str = ""  # clause about the runs that the verdict depends on; "" for none
    # the same for the number of seeds of each arm, with the present pieces; None if no number
    # does, or with one seed, which shows no spread
    seeds_needed: int | None = None
    undertrained: tuple[str, ...] = ()  # clauses about runs whose training does not carry a verdict
    next_step: str = ""  # what would carry one; "" for no proposal

    @property
    def missing(self) -> tuple[str, ...]:
        """Return clauses about what a verdict lacks; with any, neither arm is called better."""
        seeds = count(self.seeds, "seed")
        few = (tr("only {seeds}; at least {least} are needed", seeds=seeds, least=_LEAST_SEEDS),)
        return (*(few if self.seeds < _LEAST_SEEDS else ()), *self.undertrained)

    @property
    def better(self) -> str | None:
        """Return the significantly better arm; None if there is none, or no verdict."""
        if self.missing:
            return None
        if self.low > 0:
            return self.second
        return self.first if self.high < 0 else None

    @property
    def more_seeds(self) -> int | None:
        """Return how many seeds are missing to detect ``MIN_EFFECT``; see ``seeds_needed``."""
        return None if self.seeds_needed is None else max(self.seeds_needed - self.seeds, 0)

    @property
    def sentence(self) -> str:
        tiny = abs(self.difference) < _NEGLIGIBLE
        first, second = self.first, self.second
        if self.missing:  # then the figures, which describe these runs and no others
            next_step = f" {next_begins()}{self.next_step}." if self.next_step else ""
            which = tr("which of {first} and {second} is better", first=first, second=second)
            minus = tr("{first} minus {second}", first=first, second=second)
            verdict = (
                f"{not_enough()} {which}: {'; '.join(self.missing)}.{next_step} "
                f"{figures_begin()}{minus} {self._figures(5 if tiny else 3)}"
            )
        elif self.better is None:
            verdict = tr(
                "no significant difference between {first} and {second}: mean difference "
                "{figures}; detecting {least:g} {unit} would take {remedy}",
                first=first, second=second, figures=self._figures(3), least=MIN_EFFECT,
                unit=measures.shown(self.unit), remedy=self._remedy(),
            )  # fmt: skip
        elif tiny:
            verdict = tr(
                "the difference between {first} and {second} is negligible: mean difference "
                "{figures}",
                first=first, second=second, figures=self._figures(5),
            )  # fmt: skip
        else:
            low, high = sorted((abs(self.low), abs(self.high)))
            verdict = tr(
                "{better} is better than {worse}: mean difference {difference:.3f} {unit}, 95 % "
                "confidence interval {low:.3f} to {high:.3f} ({sample})",
                better=self.better, worse=first if self.better == second else second,
                difference=abs(self.difference), unit=measures.shown(self.unit),
                low=low, high=high, sample=self._sample(),
            )  # fmt: skip
        if self.seeds == 1:
            only = tr("with one seed the interval covers {things} only, not seeds",
                      things=measures.things(self.observations))  # fmt: skip
            verdict = f"{verdict}; {only}"
        return f"{verdict}; {self.caveat}" if self.caveat else verdict

    def _figures(self, digits: int) -> str:
        difference, low, high = (decimal(value, f"+.{digits}f")
                                 for value in (self.difference, self.low, self.high))  # fmt: skip
        return tr(
            "{difference} {unit}, 95 % confidence interval {low} to {high} ({sample})",
            difference=difference, unit=measures.shown(self.unit), low=low, high=high,
            sample=self._sample(),
        )  # fmt: skip

    def _remedy(self) -> str:
        """Return what would detect ``MIN_EFFECT``: more seeds if they suffice, else pieces."""
        things = measures.things(self.observations)
        if self.seeds_needed is not None:
            more = self.more_seeds
            return tr("about {more:,} more seeds", more=more) if more else tr("no more seeds")
        if self.pieces_needed is not None:
            return tr("about {needed:,} {things}", needed=self.pieces_needed, things=things)
        return tr("more seeds and more {things}", things=things)

    def _sample(self) -> str:
        reading = f" {self.reading}" if self.reading else ""
        things, seeds = measures.things(self.observations), count(self.seeds, "seed")
        return f"{self.pieces} {things}{reading}, {seeds}"


# the beginnings of the parts of a sentence without a verdict


def not_enough() -> str:
    return tr("Not enough to say")


def next_begins() -> str:
    return tr("Next: ")


def figures_begin() -> str:
    return tr("This run only: ")


def works() -> str:
    return tr("The study works. ")


def parts(sentence: str) -> list[str]:
    """Return the verdict, or what it lacks, what to run next and the figures, without a period."""
    return re.split(rf"\. (?={next_begins()}|{figures_begin()})", sentence)


def advice(found: Iterable[Comparison]) -> str:
    """Return what runs without a verdict show, and what to run next; "" if all have one."""
    lacking = [one for one in found if one.missing]
    if not lacking:
        return ""
    seeds = min(one.seeds for one in lacking)
    is_short = any(one.undertrained for one in lacking)
    if seeds >= _LEAST_SEEDS:
        why = tr("Too short to say which is better")
    elif is_short:
        why = tr("Too short and too few seeds ({seeds}) to say which is better", seeds=seeds)
    else:
        why = tr("Too few seeds ({seeds}) to say which is better", seeds=seeds)
    step = next((one.next_step for one in lacking if one.next_step), "")
    return works() + why + (tr("; run {step} to find out", step=step) if step else "")


def compare(
    first: str, second: str, first_nats_SP: Array, second_nats_SP: Array, notes_P: Array
) -> Comparison:
    """Compare two arms.

    Args:
        first_nats_SP: summed loss of each piece in nats, one row per seed.
        second_nats_SP: the same of the second arm, with the same seeds and pieces.
    """
    _check(first_nats_SP, second_nats_SP, notes_P)
    gain_SP = first_nats_SP - second_nats_SP
    seeds, pieces = gain_SP.shape
    replicates_R = _replicates(gain_SP, notes_P, *_draws_of(seeds, pieces))
    tail = (1 - _LEVEL) / 2
    low, high = np.quantile(replicates_R, [tail, 1 - tail])
    return Comparison(
        first=first,
        second=second,
        difference=float(gain_SP.mean(0).sum() / notes_P.sum()),
        low=float(low),
        high=float(high),
        pieces=pieces,
        seeds=seeds,
        pieces_needed=pieces_needed(gain_SP, notes_P),
        seeds_needed=seeds_needed(gain_SP, notes_P),
    )


def replicates(
    gain_SP: Array, notes_P: Array, rng: np.random.Generator, number: int = REPLICATES
) -> Array:
    """Return bootstrap replicates of the difference, (R,); see the module's docstring."""
    return _replicates(gain_SP, notes_P, *_draws(rng, len(gain_SP), len(notes_P), number))


def _draws(rng: np.random.Generator, seeds: int, pieces: int, number: int) -> tuple[Array, Array]:
    """Return w, the counts of pieces, and v, the shares of seeds, for each replicate."""
    drawn_RP = rng.multinomial(pieces, np.full(pieces, 1 / pieces), size=number).astype(np.float64)
    if seeds == 1:
        return drawn_RP, np.ones((number, 1))
    return drawn_RP, rng.multinomial(seeds, np.full(seeds, 1 / seeds), size=number) / seeds


@lru_cache(maxsize=2)
def _draws_of(seeds: int, pieces: int) -> tuple[Array, Array]:
    """Return the same draws for all pairs of a study: they take most of the time."""
    return _draws(np.random.default_rng(0), seeds, pieces, REPLICATES)


def _replicates(gain_SP: Array, notes_P: Array, drawn_RP: Array, share_RS: Array) -> Array:
    """Return (sum_p w_rp m_p + f sum_s v_rs sum_p w_rp (g_sp - m_p)) / sum_p w_rp n_p for each r.

    With the count w_r of each piece among the draws, the share v_r of each seed, the gain g of a
    seed on a piece, its mean m over seeds, the notes n and the widening f.
    """
    seeds, mean_P = len(gain_SP), gain_SP.mean(0)
    gains_R = drawn_RP @ mean_P
    if seeds > 1:
        widening = math.sqrt(seeds / (seeds - 1)) * _student(seeds) / _NORMAL
        apart_RS = drawn_RP @ (gain_SP - mean_P).T
        gains_R = gains_R + widening * (share_RS * apart_RS).sum(1)
    found: Array = gains_R / (drawn_RP @ notes_P)
    return found


def mean_half_width(values_SN: Array) -> Array:
    """Return half the width of the 95 % confidence interval of a mean over seeds, (N,).

    t s / sqrt(S) with the standard deviation s of a sample and Student's quantile t of 97.5 % at
    S - 1 degrees of freedom (Student 1908, "The probable error of a mean", Biometrika 6).
    """
    seeds = len(values_SN)
    found: Array = _student(seeds) * values_SN.std(axis=0, ddof=1) / math.sqrt(seeds)
    return found


def pieces_needed(gain_SP: Array, notes_P: Array) -> int | None:
    """Estimate the number of pieces that detects ``MIN_EFFECT`` with a power of 80 %.

    The half-width of the interval and the quantile of the power add up to the effect w:
    sqrt(z^2 P v_P / N + t^2 v_S) + z' sqrt(P v_P / N + v_S) = w, solved for N by bisection, with
    the variances v_P and v_S of the difference due to pieces and to seeds, the normal quantiles z
    and z' of 97.5 % and 80 %, and Student's t of 97.5 % at S - 1 degrees of freedom, as in the
    interval.
    """
    seeds, pieces = gain_SP.shape
    if pieces < 2:  # noqa: PLR2004  # the variance between pieces is unknown
        return None
    from_pieces = _variance_of_pieces(gain_SP, notes_P)
    from_seeds = _variance_of_seed(gain_SP, notes_P) / seeds if seeds > 1 else 0.0
    student = _student(seeds) if seeds > 1 else _NORMAL
    low, high = 0.0, (MIN_EFFECT / (_NORMAL + _POWER)) ** 2  # of the admissible variance
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        detected = _is_detected(middle, from_seeds, student)
        low, high = (middle, high) if detected else (low, middle)
    return max(math.ceil(pieces * from_pieces / low), 1) if low > 0 else None


def seeds_needed(gain_SP: Array, notes_P: Array) -> int | None:
    """Estimate the number of seeds that detects ``MIN_EFFECT`` with a power of 80 %.

    The smallest S for which the half-width of the interval and the quantile of the power add up to
    the effect w at most: sqrt(z^2 v_P + t^2 v / S) + z' sqrt(v_P + v / S) <= w, with the variance v
    of the difference between seeds, the variance v_P due to the present pieces, and quantiles as in
    ``pieces_needed``, t at S - 1 degrees of freedom (Cohen 1988, "Statistical Power Analysis for
    the Behavioral Sciences", chapter 2, with two sources of variance).
    """
    if min(gain_SP.shape) < 2:  # noqa: PLR2004  # one of the variances is unknown
        return None
    from_pieces = _variance_of_pieces(gain_SP, notes_P)
    of_seed = _variance_of_seed(gain_SP, notes_P)
    numbers = range(2, MOST_SEEDS + 1)
    return next((seeds for seeds in numbers
                 if _is_detected(from_pieces, of_seed / seeds, _student(seeds))), None)  # fmt: skip


def _variance_of_pieces(gain_SP: Array, notes_P: Array) -> float:
    """Return the variance of the difference due to the choice of pieces, which are two or more."""
    pieces = len(notes_P)
    difference = gain_SP.mean(0).sum() / notes_P.sum()
    residual_P = gain_SP.mean(0) - difference * notes_P
    return float(pieces / (pieces - 1) * (residual_P**2).sum() / notes_P.sum() ** 2)


def _variance_of_seed(gain_SP: Array, notes_P: Array) -> float:
    """Return the variance of the difference between single seeds, which are two or more."""
    return float((gain_SP.sum(1) / notes_P.sum()).var(ddof=1))


def _is_detected(from_pieces: float, from_seeds: float, student: float) -> bool:
    """Return whether these variances of the difference detect ``MIN_EFFECT``."""
    half_width = math.sqrt(_NORMAL**2 * from_pieces + student**2 * from_seeds)
    return half_width + _POWER * math.sqrt(from_pieces + from_seeds) <= MIN_EFFECT


def _student(seeds: int) -> float:
    """Return Student's quantile of 97.5 % for ``seeds``, which are two or more."""
    return _STUDENT[min(seeds - 1, len(_STUDENT)) - 1]


def _check(first_SP: Array, second_SP: Array, notes_P: Array) -> None:
    if first_SP.shape != second_SP.shape or first_SP.shape[1:] != notes_P.shape:
        raise DataError(
            f"the losses have shapes {first_SP.shape} and {second_SP.shape} for {len(notes_P)} "
            "pieces: expected the same seeds and pieces in both arms"
        )
    if not first_SP.size:
        raise DataError("no pieces to compare two arms on: expected at least one")
    if not (np.isfinite(first_SP).all() and np.isfinite(second_SP).all() and (notes_P > 0).all()):
        raise DataError(
            "a loss is not finite, or a piece has no notes: expected finite losses and at least "
            "one note per piece"
        )
