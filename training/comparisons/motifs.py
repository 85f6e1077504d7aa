"""Recurrence: nats of greatest likelihood, and how often samples go on as before.

    python -m training.comparisons.motifs [--of rhythm | --of lower] [--models MODEL ...]
        [--fit SPLIT] [--check SPLIT] [--samples FOLDER]

The models read every token of a voice that follows a match (``recurrence.Recurrence``), with all
conditions given: of the notes or the rhythm of the soprano, or of the notes of the lower voices
together, whose nats in use are shown before their factors. The fitted nats of each kind of match
have the greatest likelihood on the split of ``--fit``, with a normal prior around 0; the gain in
nats per note is that on the split of ``--check``. Prints a row for each kind: the matches on the
first split, the share of them that go on as before, that which the models expect, that in the
pieces of ``--samples``, such as ``training.discriminator --store`` leaves, and the nats, fitted and
in use.

Dimensions: N tokens, M matches, V vocabulary.
"""
# ruff: noqa: N803, N806, N815  # shape suffixes: p_M

from __future__ import annotations

import argparse
import math
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, get_args

import numpy as np

from musicrel.chorale import Chorale, Flags, Voice
from musicrel.corpus import bundled
from musicrel.corpus.splits import Split
from musicrel.generation.causal import recurrence
from musicrel.generation.causal.recurrence import LIKELIEST_LOWER_R, NATS, RHYTHM_NATS_R, Recurrence
from musicrel.generation.constraints.cell_constraints import Constraints
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.generation.sampling import Floats, Tokens, log_softmax
from musicrel.score import json_file
from musicrel.tokens import codec
from musicrel.tokens.vocabulary import ARTICULATED

What = Literal["notes", "rhythm", "lower"]
"""Kinds of recurrence: the soprano's notes, its rhythm, the notes of the lower voices."""

_IN_USE: Final[Mapping[What, Floats]] = MappingProxyType(
    {"notes": NATS[Voice.SOPRANO], "rhythm": RHYTHM_NATS_R, "lower": LIKELIEST_LOWER_R}
)
_VOICES: Final[Mapping[What, Sequence[Voice]]] = MappingProxyType(
    {
        "notes": (Voice.SOPRANO,),
        "rhythm": (Voice.SOPRANO,),
        "lower": (Voice.ALTO, Voice.TENOR, Voice.BASS),
    }
)
_PRECISION: Final = 1.0
"""Precision of the prior: a kind needs a few matches to count."""
_NEWTON_STEPS: Final = 50


class Matches(NamedTuple):
    """The matches of some pieces.

    Attributes:
        kinds_M: their kinds.
        p_M: probability under a model that the token that followed follows again.
        again_M: whether it does.
        notes: notes of the voices.
    """

    kinds_M: Tokens
    p_M: Floats
    again_M: Flags
    notes: int

    def of_kind(self, kind: int) -> Matches:
        """Return those of one kind."""
        is_it_M = self.kinds_M == kind
        return Matches(self.kinds_M[is_it_M], self.p_M[is_it_M], self.again_M[is_it_M], self.notes)


class Followed(NamedTuple):
    """A match in a piece, and what followed.

    Attributes:
        place: index of the token that followed.
        kind: kind of the match.
        token: the token that followed the earlier time.
        again: whether a token of its class followed.
    """

    place: int
    kind: int
    token: int
    again: bool


def followed(ids_N: codec.Ids, past: Recurrence) -> Iterator[Followed]:
    """Yield the matches of a piece."""
    for index in range(1 + past.voice, len(ids_N) - 1, codec.VOICES):
        if past.applies(index):
            (token,), (kind,) = past.find(ids_N[None], index)
            again = past.class_V[token] == past.class_V[ids_N[index]]
            yield Followed(index, int(kind), int(token), bool(again))


def matches(model: LoadedModel, pieces: Sequence[Chorale], what: What = "notes") -> Matches:
    """Return all matches of some pieces."""
    found = [match for piece in pieces for match in _of_piece(model, piece, what)]
    kinds, p, again = zip(*found, strict=True)
    notes = sum(int(piece.onsets[:, list(_VOICES[what])].sum()) for piece in pieces)
    return Matches(np.array(kinds), np.array(p), np.array(again), notes)


def _of_piece(model: LoadedModel, piece: Chorale, what: What) -> Iterator[tuple[int, float, bool]]:
    ids_N, rows_NC = model.encode(piece), model.condition_rows(piece, model.conditions)
    log_p_NV = log_softmax(model.logits(ids_N[:-2], rows_NC[:-2]).astype(np.float64))
    for past in _pasts(piece, what):
        for match in followed(ids_N, past):
            is_same_V = past.class_V == past.class_V[match.token]
            p = np.exp(log_p_NV[match.place - 1])[is_same_V[: log_p_NV.shape[1]]].sum()
            yield match.kind, float(p), match.again


def _pasts(piece: Chorale, what: What) -> list[Recurrence]:
    *notes, rhythm = recurrence.recurrences_of(Constraints(ARTICULATED, piece, rules=()))
    return [rhythm] if what == "rhythm" else [notes[voice] for voice in _VOICES[what]]


def shares(pieces: Iterable[Chorale], what: What = "notes") -> dict[int, float]:
    """Return the share of the matches that go on as before, by kind, in %."""
    again: dict[int, list[bool]] = defaultdict(list)
    for piece in pieces:
        ids_N = codec.encode(piece, ARTICULATED)
        for past in _pasts(piece, what):
            for match in followed(ids_N, past):
                again[match.kind].append(match.again)
    return {kind: 100 * statistics.mean(flags) for kind, flags in again.items()}


def expected(p_M: Floats, nats: float) -> Floats:
    """Return the probabilities of tokens of probability ``p_M`` whose logits are raised."""
    raised_M = p_M * np.exp(nats)
    return np.asarray(raised_M / (1 - p_M + raised_M))


def gain(found: Matches, nats: float) -> float:
    """Return the log-likelihood, in nats, that raised logits add."""
    again = found.again_M * nats
    return float((again - np.log(1 - found.p_M + found.p_M * np.exp(nats))).sum())


def fitted(found: Matches) -> float:
    """Return the nats of greatest posterior probability, by Newton's method; 0 of no matches."""
    nats = 0.0
    for _ in range(_NEWTON_STEPS):
        q_M = expected(found.p_M, nats)
        slope = (found.again_M - q_M).sum() - _PRECISION * nats
        nats += float(np.clip(slope / ((q_M * (1 - q_M)).sum() + _PRECISION), -1, 1))
    return nats


def report(
    fit: Matches,
    check: Matches,
    samples: Mapping[int, float],
    in_use_R: Floats = NATS[Voice.SOPRANO],
) -> str:
    """Return a Markdown table of the kinds, and the gain of all.

    Args:
        fit: the matches that are fitted.
        check: the matches of the gain.
        samples: result of ``shares``.
        in_use_R: nats in use.
    """
    names = ("match", "places", "went on, %", "expected, %", "in samples, %", "nats", "in use")
    table = [f"| {' | '.join(names)} |", "|---" * len(names) + "|"]
    fits = [fitted(fit.of_kind(kind)) for kind in range(len(in_use_R))]
    for kind, nats in enumerate(fits):
        own, shown = fit.of_kind(kind), samples.get(kind, math.nan)
        went_on, thought = (100 * x.sum() / max(len(x), 1) for x in (own.again_M, own.p_M))
        table.append(
            f"| {_name(kind)} | {len(own.p_M)} | {went_on:.1f} | {thought:.1f} | {shown:.1f} | "
            f"{nats:.2f} | {in_use_R[kind]:.1f} |"
        )
    gains = " ".join(
        f"{name} {sum(gain(check.of_kind(r), x) for r, x in enumerate(nats_R)) / check.notes:.4f}"
        for name, nats_R in (("fitted", fits), ("in use", in_use_R.tolist()))
    )
    return "\n".join([*table, f"gain in nats per note: {gains}"])


def _name(kind: int) -> str:
    kinds = len(RHYTHM_NATS_R) // 2
    return f"{kind % kinds} notes {'of the phrase' if kind >= kinds else 'elsewhere'}"


def pooled(models: Sequence[str], split: Split, what: What) -> Matches:
    """Return the matches of a split under several models."""
    pieces = bundled.load(split)
    found = [matches(load_model(name), pieces, what) for name in models]
    return Matches(
        np.concatenate([each.kinds_M for each in found]),
        np.concatenate([each.p_M for each in found]),
        np.concatenate([each.again_M for each in found]),
        notes=sum(each.notes for each in found),
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m training.comparisons.motifs")
    parser.add_argument("--of", choices=get_args(What), default="notes", dest="what")
    parser.add_argument("--models", nargs="+", default=["relative", "vanilla"], metavar="MODEL")
    parser.add_argument("--fit", default="valid", metavar="SPLIT")
    parser.add_argument("--check", default="test", metavar="SPLIT")
    parser.add_argument("--samples", type=Path, metavar="FOLDER")
    given = parser.parse_args(argv)
    files = sorted(given.samples.glob("*.json")) if given.samples else []
    samples = shares(map(json_file.read, files), given.what)
    fit, check = (pooled(given.models, split, given.what) for split in (given.fit, given.check))
    print(report(fit, check, samples, _IN_USE[given.what]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
